"""The brute force: all sets of an instance, the best next one, the best family."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from math import fsum, inf

from benchmarks.exactness.criteria import ROUNDING, AnyCriterion, Value
from benchmarks.exactness.distance import Diversity, all_pairs, pairs_with
from benchmarks.exactness.rules import Across, Rule, every

CRUDE = 1e-9
"""Relative difference below which two optima are the same."""


@dataclass(frozen=True)
class Best:
    """An optimum: what it is worth, how exactly that is known, and a set or sets that reach it."""

    value: float
    terms: float
    masks: tuple[int, ...] = ()

    def slack(self, other: float = 0.0) -> float:
        """How far a claim may be beside it."""
        return max(CRUDE * max(abs(self.value), abs(other)), ROUNDING * self.terms)


class Oracle:
    """All sets that keep size, rules and the criterion's conditions.

    Attributes
    ----------
    sure
        Sets that surely do, with their values.
    maybe
        These and the ones of which it is a matter of rounding.
    """

    def __init__(self, criterion: AnyCriterion, masks: Sequence[int], rules: Sequence[Rule]) -> None:
        self.sure: dict[int, Value] = {}
        self.maybe: dict[int, Value] = {}
        for mask in masks:
            value = criterion.value(mask)
            verdict = every([value.feasible, *(rule.verdict(mask, value) for rule in rules)])
            if verdict is not False:
                self.maybe[mask] = value
            if verdict is True:
                self.sure[mask] = value
        self.falling = sorted(self.sure, key=lambda mask: -self.sure[mask].score)

    def following(
        self, diversity: Diversity, known: Sequence[int], across: Sequence[Across] = ()
    ) -> list[int]:
        """List the sets that may surely come after known ones."""
        return [
            mask
            for mask in self.sure
            if diversity.keeps(pairs_with(known, mask)) and kept([*known, mask], across)
        ]

    def best_after(
        self, diversity: Diversity, known: Sequence[int], across: Sequence[Across] = ()
    ) -> Best | None:
        """Find the best set after known ones, less its price."""
        worth = [self.worth(diversity, known, mask) for mask in self.following(diversity, known, across)]
        return max(worth, key=lambda one: one.value, default=None)

    def worth(self, diversity: Diversity, known: Sequence[int], mask: int) -> Best:
        """Return what a set is worth after known ones."""
        value, penalty_paid = self.maybe[mask], diversity.penalty_paid(pairs_with(known, mask))
        return Best(value.score - penalty_paid, value.terms + penalty_paid, (mask,))

    def total(self, diversity: Diversity, masks: Sequence[int], total: str) -> Best:
        """Return what sets are worth together."""
        values, penalty_paid = [self.maybe[mask] for mask in masks], diversity.penalty_paid(all_pairs(masks))
        scores = [one.score for one in values]
        value = (fsum(scores) if total == "sum" else min(scores)) - penalty_paid
        terms = [one.terms for one in values]
        least = values[scores.index(min(scores))].terms
        return Best(value, (fsum(terms) if total == "sum" else least) + penalty_paid, tuple(masks))

    def families(
        self,
        diversity: Diversity,
        count: int,
        across: Sequence[Across] = (),
        allowed: Sequence[int] | None = None,
    ) -> Iterator[tuple[int, ...]]:
        """Give all families of sets that may surely stand together."""
        masks = self.falling if allowed is None else list(allowed)
        for family in grown(masks, diversity.pair, count):
            if diversity.mean(all_pairs(family)) and kept(family, across):
                yield family

    def best_family(
        self, diversity: Diversity, count: int, total: str, across: Sequence[Across] = ()
    ) -> Best | None:
        """Find the best family: depth first, better sets first, cut where the rest cannot do."""
        hunt = _Hunt(self, diversity, count, total, across)
        hunt.go(0, (), 0.0 if total == "sum" else inf, 0.0)
        return hunt.best


@dataclass
class _Hunt:
    """The search for the best family."""

    oracle: Oracle
    diversity: Diversity
    count: int
    total: str
    across: Sequence[Across]
    best: Best | None = field(default=None)

    def go(self, start: int, chosen: tuple[int, ...], value: float, penalty_paid: float) -> None:
        """Go on with each set that comes later in falling order, or the same again."""
        need, order = self.count - len(chosen), self.oracle.falling
        for index in range(start, len(order)):
            mask = order[index]
            score = self.oracle.sure[mask].score
            promise = (value + need * score if self.total == "sum" else min(value, score)) - penalty_paid
            if self.best is not None and promise < self.best.value:
                return
            if not all(self.diversity.pair(one, mask) for one in chosen):
                continue
            more = penalty_paid + self.diversity.penalty_paid(pairs_with(chosen, mask))
            if need == 1:
                self._offer((*chosen, mask))
                continue
            again = index if self.diversity.pair(mask, mask) else index + 1
            self.go(again, (*chosen, mask), value + score if self.total == "sum" else score, more)

    def _offer(self, family: tuple[int, ...]) -> None:
        found = self.oracle.total(self.diversity, family, self.total)
        if self.best is not None and found.value <= self.best.value:
            return
        if self.diversity.mean(all_pairs(family)) and kept(family, self.across):
            self.best = found


def grown(
    masks: Sequence[int], fit: Callable[[int, int], bool], count: int, chosen: tuple[int, ...] = ()
) -> Iterator[tuple[int, ...]]:
    """Give all families of sets that fit pairwise, each once; a set that fits itself may come again."""
    if len(chosen) == count:
        yield chosen
        return
    for index, mask in enumerate(masks):
        if all(fit(one, mask) for one in chosen):
            rest = masks[index:] if fit(mask, mask) else masks[index + 1 :]
            yield from grown(rest, fit, count, (*chosen, mask))


def kept(masks: Sequence[int], across: Sequence[Across]) -> bool:
    """Return whether sets surely keep rules across them."""
    return every(rule.verdict(masks) for rule in across) is True
