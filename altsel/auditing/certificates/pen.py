"""Takes claims, states their question once, and writes what proves each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from altsel.auditing.certificates.claim import TERMS, Claim, Known, Together, Transversals, raised
from altsel.auditing.certificates.criterion import Stated
from altsel.auditing.certificates.lines import Writer, spooled
from altsel.auditing.certificates.prices import NoProofError
from altsel.auditing.certificates.question import stated, with_all_pairs
from altsel.auditing.certificates.rows import NotCoveredError, Rows, rows_of, upwards
from altsel.auditing.certificates.stated_claims import Expected
from altsel.auditing.certificates.together import (
    bound_by_counts,
    going_together,
    limit_together,
    no_more_than,
    refuse_many_families,
    sets_to_list,
)
from altsel.auditing.certificates.tree import Bounds, Tree
from altsel.errors import RangeError
from altsel.models.problem import Problem
from altsel.models.soft_diversity import is_soft
from altsel.results.feature_set import FeatureSet

ROUNDING = 1e-10
"""Share of a score by which the exact one of the same numbers may be less."""


@dataclass(eq=False)
class Pen:
    """Takes claims, states their question once, then writes what proves them.

    Parameters
    ----------
    features
        Names of all features.
    problem, diversity
        What was wanted; None of blankets.
    sets
        All sets that were found.

    Attributes
    ----------
    proved, not_covered
        Titles of claims.
    leaves
        Number of leaves of all trees.
    """

    features: Sequence[str]
    problem: Problem | None
    diversity: Any
    sets: Sequence[Iterable[str]]

    def __post_init__(self) -> None:
        self.index = {name: j for j, name in enumerate(self.features)}
        self.problem = None if self.problem is None else with_all_pairs(self.problem)
        low, high = (0, -1) if self.problem is None else self.problem.sizes
        self.sizes = range(low, high + 1)
        self.found = [np.array(self._indices(one), dtype=np.int64) for one in self.sets]
        self.claims: list[tuple[Known, dict[int, Rows]]] = []
        self.criterion: Stated | None = None
        self.proved: list[str] = []
        self.not_covered: list[str] = []
        self.leaves = 0

    def take(self, claim: Known | str) -> None:
        """Take a claim, with the rows that its sets keep, by size."""
        if isinstance(claim, str):
            self.not_covered.append(claim)
            return
        try:
            self.claims.append((claim, {} if self.problem is None else self._rows(claim)))
        except NotCoveredError as fault:
            self.not_covered.append(f"{claim.title}: {fault}")

    def _rows(self, claim: Known) -> dict[int, Rows]:
        assert self.problem is not None
        penalised = is_soft(self.diversity) and self.diversity.penalty > 0
        self.criterion = self.criterion or stated(self.problem, penalised)
        known = claim.known if isinstance(claim, Claim) else ()
        apart, part = self._apart(claim), "" if isinstance(claim, Transversals) else claim.part
        return {size: rows_of(self.problem, apart, known, size, self.found, part) for size in self.sizes}

    def _apart(self, claim: Known) -> Any:
        own = None if isinstance(claim, Transversals) else claim.apart
        return self.diversity if own is None else own

    def state(self, writer: Writer) -> None:
        """Write criteria and rows, each once, and the digest of all of it."""
        for name, line in dict(self.criterion.lines.values() if self.criterion else ()).items():
            writer.state({"criterion": name, **line})
        every = (rows for _, by_size in self.claims for rows in by_size.values())
        for line in {line["row"]: line for rows in every for line in rows.lines()}.values():
            writer.state(line)
        writer.settle()

    def prove(self, writer: Writer, most: float) -> None:
        """Write each claim with what proves it, and then what is not covered."""
        for number, (claim, rows) in enumerate(self.claims):
            with spooled() as aside:
                try:
                    self._prove(Writer(aside), claim, rows, number, most)
                except (NoProofError, RangeError) as fault:  # of lists that no solver can make
                    self.not_covered.append(f"{claim.title}: {fault}")
                    continue
                writer.append(aside)
            self.proved.append(claim.title)
        for words in self.not_covered:
            writer.write({"not covered": words})

    def _prove(self, writer: Writer, claim: Known, rows: dict[int, Rows], number: int, most: float) -> None:
        if isinstance(claim, Transversals):
            sets, others = ([self._indices(one) for one in some] for some in (claim.sets, claim.others))
            writer.write({"claim": claim.title, "sets": sets, "each has one of": others})
        elif isinstance(claim, Together):
            self._prove_together(writer, claim, rows, number, most)
        else:
            self._grow(writer, claim, rows, number, most)

    def _prove_together(
        self, writer: Writer, claim: Together, rows: dict[int, Rows], number: int, most: float
    ) -> None:
        """Write a bound by how many sets features are in; where that is too weak, a list of all good sets."""
        assert self.criterion is not None
        assert self.problem is not None
        family = [self._indices(one) for one in claim.sets]
        rule = going_together(self._apart(claim), self.sizes, claim.count, [*map(frozenset, family)])
        told = {"together": claim.count, "family": family}
        try:
            told |= bound_by_counts(self.criterion, claim, rows, rule)
            writer.write({"claim": claim.title, **self._named(rows), **told})
        except NoProofError:
            listed = sets_to_list(self.problem, claim, self.criterion)
            kept = tuple(one for one in listed.sets if rows[len(one)].kept(self._indices(one)))
            limit = None if listed.limit is None else limit_together(claim, self.criterion)
            told |= rule.plain() | {
                "total": claim.total,
                "at most together": None if limit is None else limit.hex(),
            }
            sets = [self._indices(one) for one in kept]
            levels = [{} if limit is None else no_more_than(self.criterion, one) for one in sets]
            refuse_many_families([*map(frozenset, sets)], levels, claim, limit, rule)
            self._grow(writer, replace(listed, sets=kept), rows, number, most, told | {"sets": levels})

    def _grow(
        self,
        writer: Writer,
        claim: Claim,
        rows: dict[int, Rows],
        number: int,
        most: float,
        told: dict[str, Any] | None = None,
    ) -> None:
        """Write a claim and the tree of each size."""
        assert self.criterion is not None
        bounds: dict[int, Bounds | None] = dict.fromkeys(self.sizes)
        limit = self._limit(claim, rows)
        if limit is not None:
            for size in self.sizes:
                name = f"for claim {number}, size {size}"
                bounds[size] = made = self.criterion.bounds(size, limit, rows[size], name)
                made.state(writer)
        line = self._line(claim, limit, rows)
        levels = told.pop("sets") if told else [{}] * len(claim.sets)
        sets = [one | level for one, level in zip(line["sets"], levels, strict=True)]
        writer.write(line | {"sets": sets} | (told or {}))
        besides = [frozenset(self._indices(one)) for one in claim.sets] if claim.of == "others" else []
        for size in self.sizes if claim.of != "none" else ():
            unit = self.criterion.unit(size)
            tree = Tree(size, len(self.index), rows[size], bounds[size], writer.write, besides, most, unit)
            tree.grow()
            self.leaves += tree.leaves

    def _limit(self, claim: Claim, rows: dict[int, Rows]) -> float | None:
        """Return what no other set exceeds, as it is written; None if there is none.

        A limit that is the score of a set found is less by what that pays.
        """
        assert self.criterion is not None
        paid = max((self._paid(one, rows) for one in claim.sets), default=Fraction(0))
        limit = None if claim.limit is None else claim.limit - float(paid)
        limit = None if limit is None else raised(limit, claim.slack, self.criterion.terms)
        if limit is None or (limit < self.criterion.least and claim.of == "all"):
            return None
        limit = max(limit, self.criterion.least)
        some = claim.sets if claim.of == "all" else ()
        scores = [(self._exact(one), self._paid(one, rows)) for one in some]
        return max([limit, *(upwards(score - paid) for score, paid in scores if score is not None)])

    def _paid(self, one: FeatureSet, rows: dict[int, Rows]) -> Fraction:
        return rows[len(one)].paid(self._indices(one))

    def expected(self, claim: Known, rows: dict[int, Rows]) -> Expected | None:
        """Return what the line of a claim states, but for its sets; None of blankets."""
        if isinstance(claim, Transversals) or self.criterion is None:
            return None
        if isinstance(claim, Claim):
            return Expected(self._named(rows), self._limit(claim, rows))
        return Expected(self._named(rows), limit_together(claim, self.criterion))

    def _lowered(self, one: FeatureSet, paid: Fraction) -> float:
        """Lower a score, less what the set pays, by what its rounding may be off."""
        assert self.criterion is not None
        score = one.score - float(paid)
        lower = score - ROUNDING * max(abs(one.score), float(paid)) - TERMS * self.criterion.terms
        exact = self._exact(one)
        lower = lower if exact is None else min(lower, -upwards(paid - exact))
        return float(max(lower, self.criterion.least)) if not paid else lower

    def _exact(self, one: FeatureSet) -> Fraction | None:
        """Return the exact score of a set, where the one that was computed may be far off."""
        assert self.criterion is not None
        return None if self.criterion.exact is None else self.criterion.exact(self._indices(one))

    def _indices(self, names: Iterable[str]) -> list[int]:
        return sorted(self.index[name] for name in names)

    def _named(self, rows: dict[int, Rows]) -> dict[str, Any]:
        assert self.criterion is not None
        penalties = {str(n): own.penalty.names[0] for n, own in rows.items() if own.penalty is not None}
        return {
            "criteria": {str(size): self.criterion.lines[size][0] for size in self.sizes},
            "rows": {str(size): list(rows[size].names) for size in self.sizes},
            **({"penalty": penalties} if penalties else {}),
        }

    def _line(self, claim: Claim, limit: float | None, rows: dict[int, Rows]) -> dict[str, Any]:
        assert self.criterion is not None
        sets = []
        for one in claim.sets:
            members = self._indices(one)
            level = self._lowered(one, self._paid(one, rows))
            told: dict[str, Any] = {"set": members, "at least": level.hex()}
            if (hint := self.criterion.hint(members)) is not None:
                told["model"] = hint
            sets.append(told)
        return {
            "claim": claim.title,
            **self._named(rows),
            "of": claim.of,
            "sets": sets,
            "at most": None if limit is None else limit.hex(),
        }
