"""Evidence on the equivalence of sets, pair by pair, and the classes that follow."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from altsel.errors import ArgumentError, printable
from altsel.results.base import Result
from altsel.results.comparison import Comparison, Definition, Shows, lost
from altsel.results.fitting import labelled
from altsel.results.text import meanings, number_of, number_text, text_table

ASKED = {
    Definition.PERFORMANCE: "predict as well",
    Definition.MODEL: "predict the same",
    Definition.INFORMATION: "tell nothing of the target that the other does not",
}
"""What tests ask of two equivalent sets, by what they are tests of."""
DIFFERENT = {
    Definition.PERFORMANCE: "not shown to predict as well",
    Definition.MODEL: "predicts otherwise",
    Definition.INFORMATION: "tells other things",
}
"""What is said of a set that does not."""
LOST = "loss of models by the second set, less that by the first; below 0 the second predicts better"


@dataclass(frozen=True)
class Pair:
    """What tests found of two of the sets.

    Attributes
    ----------
    first, second
        Places of the sets.
    comparisons
        One answer a test, in the order of the tests.
    adjusted
        Their p-values by Holm's correction over all pairs compared.
    equivalent
        Whether the sets pass all tests, by the p-values that count.

    Examples
    --------
    >>> import numpy as np
    >>> from altsel import Dataset, blankets, independence, equivalence
    >>> a, b, noise = np.random.default_rng(0).normal(size=(3, 100))
    >>> data = Dataset({"a": a, "b": b, "copy": 2 * a}, a + noise)
    >>> found = blankets.tmfbs(independence.PartialCorrelation(data))
    >>> pair = equivalence(found, data).pairs[0]
    >>> pair.first, pair.second, pair.equivalent
    (0, 1, True)
    """

    first: int
    second: int
    comparisons: tuple[Comparison, ...]
    adjusted: tuple[float, ...]
    equivalent: bool


@dataclass(frozen=True)
class Equivalence(Result):
    """Evidence on the equivalence of sets, pair by pair.

    Attributes
    ----------
    sets
        The sets compared.
    pairs
        The evidence.
    tests
        Names of the tests.
    alpha
        Level.
    corrected
        Whether p is corrected over the pairs.

    Examples
    --------
    >>> import numpy as np
    >>> from altsel import Dataset, blankets, independence, equivalence
    >>> a, b, noise = np.random.default_rng(0).normal(size=(3, 100))
    >>> data = Dataset({"a": a, "b": b, "copy": 2 * a}, a + noise)
    >>> found = blankets.tmfbs(independence.PartialCorrelation(data))
    >>> evidence = equivalence(found, data)
    >>> evidence.sets, evidence.classes()
    ((('a',), ('copy',)), ((0, 1),))
    """

    sets: tuple[tuple[str, ...], ...]
    pairs: tuple[Pair, ...]
    tests: tuple[str, ...]
    alpha: float
    corrected: bool = True

    def __len__(self) -> int:
        return len(self.pairs)

    def __iter__(self) -> Iterator[Pair]:
        return iter(self.pairs)

    def equivalent(self, first: int, second: int) -> bool:
        """Return whether two sets pass; True for a set and itself.

        Raises
        ------
        ArgumentError
            If the two were not compared.
        """
        if first == second:
            return True
        for pair in self.pairs:
            if {pair.first, pair.second} == {first, second}:
                return pair.equivalent
        raise ArgumentError(f"sets {first} and {second} were not compared; use against=None for all pairs")

    def verdict(self, pair: Pair) -> str:
        """Return how the second set of a pair does beside the first: equal, better, worse or different.

        Better and worse are said where a test of performance finds a difference; sets that differ by another
        test only are different.
        """
        if pair.equivalent:
            return "equal"
        known = zip(pair.comparisons, pair.adjusted, strict=True)
        for one, p in known:
            of_loss = one.definition is Definition.PERFORMANCE and one.shows is Shows.DIFFERENCE
            if of_loss and one.tested and one.difference and p <= self.alpha:
                return "better" if one.difference < 0 else "worse"
        return "different"

    def classes(self) -> tuple[tuple[int, ...], ...]:
        """Group the sets: one joins the first class all of whose compared members it is equivalent to.

        Equivalence by tests need not be transitive, so the classes may depend on the sets' order.
        """
        answers = {frozenset({pair.first, pair.second}): pair.equivalent for pair in self.pairs}
        groups: list[list[int]] = []
        for i in range(len(self.sets)):
            for group in groups:
                message = [answers.get(frozenset({i, j})) for j in group]
                if False not in message and True in message:
                    group.append(i)
                    break
            else:
                groups.append([i])
        return tuple(map(tuple, groups))

    def equivalent_text(self, pair: Pair) -> str:
        """Report whether a pair passes, and if not, what a test found of the second set beside the first."""
        verdict = self.verdict(pair)
        if verdict == "equal":
            return "yes"
        if verdict != "different":
            return f"no, predicts {verdict}"
        known = [replace(one, p=p) for one, p in zip(pair.comparisons, pair.adjusted, strict=True)]
        failed = [one for one in known if not one.equivalent(self.alpha)]
        open_ = [one for one in failed if not one.tested]
        return f"no, {'not tested' if open_ else DIFFERENT[failed[0].definition]}" if failed else "no"

    def meaning(self) -> str:
        """Report what the tests ask of equivalent sets; empty without a pair."""
        if not self.pairs:
            return ""
        asked = {one.test: ASKED[one.definition] for one in self.pairs[0].comparisons}
        return "equivalent: the two " + ", and ".join(f"{what} ({test})" for test, what in asked.items())

    def to_frame(self) -> pd.DataFrame:
        """Tabulate the evidence, one row a pair and test."""
        rows = [
            {
                "first": pair.first,
                "second": pair.second,
                "test": message.test,
                "definition": message.definition.value,
                "statistic": message.statistic,
                "difference": message.difference,
                "p": message.p,
                "adjusted p": adjusted,
                "small p shows": message.shows.value,
                "tested": message.tested,
                "equivalent": pair.equivalent,
            }
            for pair in self.pairs
            for message, adjusted in zip(pair.comparisons, pair.adjusted, strict=True)
        ]
        return pd.DataFrame(rows)

    def _plain(self) -> dict[str, Any]:
        return {**super()._plain(), "classes": self.classes()}

    def __repr__(self) -> str:
        counts = f"{number_of(len(self.sets), 'set')}, {number_of(len(self.pairs), 'pair')}"
        groups = len(self.classes())
        return f"<Equivalence: {counts}, {groups} class{'' if groups == 1 else 'es'}, level {self.alpha:g}>"

    def __str__(self) -> str:
        head = ["sets", *self.tests, "lost", "equivalent"]
        rows = []
        for pair in self.pairs:
            p = [
                f"{value:.3g}" if message.tested else "not tested"
                for message, value in zip(pair.comparisons, pair.adjusted, strict=True)
            ]
            cell = number_text(lost(pair.comparisons))
            rows.append([f"{pair.first}, {pair.second}", *p, cell, self.equivalent_text(pair)])
        groups = " | ".join(", ".join(map(str, group)) for group in self.classes())
        kind = "p of each test by Holm's correction" if self.corrected else "p of each test"
        lines = [labelled(f"set {i}: ", ", ".join(map(printable, one))) for i, one in enumerate(self.sets)]
        if not rows:
            return "\n".join([*lines, "no pair of sets to compare"])
        ended = f"{kind}, level {self.alpha:g}; classes of equivalent sets: {groups}"
        table = text_table(head, rows, right=set(range(1, len(head) - 1)))
        said = meanings(head, {"lost": LOST})
        return "\n".join([*lines, *table, ended, self.meaning(), *said])
