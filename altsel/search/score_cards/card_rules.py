"""What is wanted of a score card, as rows over its candidates, and signs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.errors import ArgumentError, absence, of_kind
from altsel.exact.sources.generalised.integer_points import PointRules
from altsel.models.rule import Row
from altsel.results.score_card import CardItem, ScoreCard


@dataclass(frozen=True)
class CardRules:
    """What is wanted of a card; the attributes are the arguments of `altsel.score_card`."""

    k: int
    points: int
    require: tuple[str, ...]
    forbid: tuple[str, ...]
    signs: Mapping[str, int]
    per_column: int | None
    different_from: tuple[ScoreCard, ...]
    shared: int

    def of(self, items: Sequence[CardItem], what: str, name: str) -> IntArray:
        """Return the indices of the candidates that a name stands for."""
        found = [at for at, item in enumerate(items) if name in (item.name, item.column)]
        if not found:
            near = absence(name, {item.column for item in items} | {item.name for item in items}, {})
            raise ArgumentError(f"{what}: no column or candidate {name!r}{near}")
        return np.array(found)

    def rows(self, items: Sequence[CardItem]) -> list[Row]:
        """Return the rules as rows over the candidates."""

        def row(members: IntArray) -> FloatArray:
            return np.isin(np.arange(len(items)), members).astype(float)

        found = [(row(self.of(items, "require", name)), 1.0, inf) for name in self.require]
        found += [(row(self.of(items, "forbid", name)), -inf, 0.0) for name in self.forbid]
        for card in self.different_from:
            common = [at for at, item in enumerate(items) if item.column in card.columns]
            found.append((row(np.array(common, dtype=np.int64)), -inf, float(self.shared)))
        if self.per_column is not None:
            for column in dict.fromkeys(item.column for item in items):
                own = self.of(items, "per_column", column)
                found.append((row(own), -inf, float(self.per_column)))
        return found

    def sizes(self, items: Sequence[CardItem]) -> range:
        """Return how many features sets have whose cards are all cards, if points may be 0 in them.

        The largest size alone, where every admissible set is part of one of that size: rules are limits of
        single columns. Otherwise all sizes, and points are other than 0.
        """
        most = min(self.k, len(items))
        barred = {item.column for card in self.different_from for item in card.items}
        free = [one for one in items if one.column not in barred]
        free = [one for one in free if not {one.name, one.column} & set(self.forbid)]
        held = Counter(item.column for item in free)
        rank = sum(min(count, self.per_column or count) for count in held.values())
        nested = not self.require and (not self.different_from or self.shared == 0)
        return range(most, most + 1) if nested and rank >= most else range(1, most + 1)

    def point_rules(self, items: Sequence[CardItem]) -> PointRules:
        """Return what points may be; the sign of a candidate goes before that of its column."""
        of_kind("signs", self.signs, Mapping, "signs by name: {'age': 1}")
        signs = np.zeros(len(items), dtype=np.int64)
        exact = {item.name for item in items}
        for name, sign in sorted(self.signs.items(), key=lambda one: one[0] in exact):
            if isinstance(sign, bool) or sign not in (1, -1):
                raise ArgumentError(f"signs[{name!r}]={sign!r}; use 1 or -1")
            signs[self.of(items, "signs", name)] = sign
        return PointRules(self.points, signs, len(self.sizes(items)) == 1 and not self.require)

    def words(self, ridge: float) -> str:
        """Return what was asked, in words."""
        said = [f"at most {self.k} features, points to {self.points}, any scale, ridge {ridge:g}"]
        said += [f"{name} {', '.join(given)}" for name, given in self.named().items() if given]
        said += [f"at most {self.per_column} of a column"] if self.per_column is not None else []
        cards = len(self.different_from)
        said += [f"at most {self.shared} of columns of each of {cards} other cards"] if cards else []
        return "; ".join(said)

    def named(self) -> dict[str, list[str]]:
        """Return the rules that name features."""
        signs = [f"{name} {'+' if sign > 0 else '-'}" for name, sign in self.signs.items()]
        return {"requires": list(self.require), "forbids": list(self.forbid), "signs": signs}


def checked_cards(given: Any) -> tuple[ScoreCard, ...]:
    """Return score cards as a tuple; refuse what are none."""
    of_kind("different_from", given, Sequence, "a list of score cards")
    for one in given:
        of_kind("different_from", one, ScoreCard, "a list of score cards")
    return tuple(given)
