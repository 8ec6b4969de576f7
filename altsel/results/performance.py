"""How well models predict by feature sets, beside all features and beside chance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

import pandas as pd

from altsel.display.renderers import renderer
from altsel.errors import DataError, printable
from altsel.results.base import Drawn, Readable
from altsel.results.equivalence import Equivalence
from altsel.results.estimate import Estimate
from altsel.results.set_performance import SetPerformance
from altsel.results.text import json_text, number_of
from altsel.runtime.on_demand import OnDemand

__all__ = ["Performance", "SetPerformance"]

_text: Any = OnDemand("altsel.results.performance_text")  # it shows this class: named, not imported


@dataclass(frozen=True)
class Performance(Readable, Drawn):
    """How well models predict by the sets of a search.

    Attributes
    ----------
    sets
        One entry a set, in the order of the search.
    all_features, no_features
        The score of all features, and of none: the mean, or the classes' shares.
    comparisons
        Tests of the sets against set 0, p corrected by Holm's method; None for a single set.
    null
        The best score that the search reaches with each permuted target.
    models, scoring
        The models and the score, in words.
    confidence
        Of the intervals.
    data
        Fingerprint of the data: `Dataset.fingerprint`; None if it is not known.
    versions
        What produced it.
    loss
        The loss of a row that sets are compared by, in words; None if it is not known.
    request
        What was requested of the search that was repeated, as `Solutions.request` says it; nothing if it is
        not known.
    forest
        The ten features that a random forest of the rows learned from finds most important; None without
        rows held out, or of fewer features.
    holdout
        How many rows held out the scores are of; 0: those of folds.
    intervals
        How the intervals were found, in words.
    all_difference, none_difference
        What all features, and none, score more than set 0 on the same folds or rows; None where that is not
        known, as in files of version 1.0.

    Examples
    --------
    >>> import numpy as np
    >>> from altsel import Dataset, performance
    >>> a, b, c = np.random.default_rng(0).normal(size=(3, 60))
    >>> result = performance([["a", "b"], ["a", "c"]], Dataset({"a": a, "b": b, "c": c}, a + b))
    >>> result.sets[0].score.value > result.sets[1].score.value
    True
    """

    sets: tuple[SetPerformance, ...]
    all_features: Estimate
    no_features: Estimate
    comparisons: Equivalence | None
    null: tuple[float, ...]
    models: str
    scoring: str
    confidence: float = 0.95
    data: str | None = None
    versions: Mapping[str, str] = field(default_factory=dict)
    loss: str | None = None
    request: Mapping[str, Any] = field(default_factory=dict)
    forest: SetPerformance | None = None
    holdout: int = 0
    intervals: str = "by the corrected resampled t"
    all_difference: Estimate | None = None
    none_difference: Estimate | None = None
    _called = "a performance"

    def __len__(self) -> int:
        return len(self.sets)

    def __getitem__(self, index: int) -> SetPerformance:
        return self.sets[index]

    @property
    def repeated(self) -> bool:
        """Whether the search was repeated, in folds or with permuted targets."""
        return bool(self.null) or any(one.nested is not None for one in self.sets)

    @property
    def p_null(self) -> float | None:
        """Whether the search finds anything: ``(1 + hits) / (1 + m)`` of the best of all sets."""
        known = [one.p_null for one in self.sets if one.p_null is not None]
        return min(known, default=None)

    def to_frame(self) -> pd.DataFrame:
        """Tabulate the sets, then all features and none; p by one column a test."""
        rows = [
            {
                "set": str(number),
                "features": json_text(one.features),
                **_columns("score", one.score),
                **_columns("difference", one.difference),
                **{f"p, {test}": p for test, p in self.p_of(number).items()},
                **_columns("nested", one.nested),
                "bias": one.bias,
                "p, null": one.p_null,
            }
            for number, one in enumerate(self.sets)
        ]
        rows += [
            {
                "set": name,
                "features": None if features is None else json_text(features),
                **_columns("score", score),
                **_columns("difference", difference),
            }
            for name, features, score, difference in self.others()
        ]
        return pd.DataFrame(rows).dropna(axis="columns", how="all")

    @classmethod
    def _read(cls, text: str) -> Self:
        found = super()._read(text)
        for wrong in found._faults():
            raise DataError(f"not the JSON of {cls._called}: {wrong}")
        return found

    def _faults(self) -> Iterator[str]:
        """Yield what does not fit together in a performance that was read."""
        if self.comparisons is not None:
            pairs, tests = self.comparisons.pairs, self.comparisons.tests
            if len(pairs) != len(self) - 1:
                yield f"comparisons.pairs has {len(pairs)} entries; {len(self)} sets have {len(self) - 1}"
            if any(len(one.adjusted) != len(tests) for one in pairs):
                yield "a pair has no p for each test"
        for number, one in enumerate(self.sets):
            if not set(one.nested_folds) <= set(range(len(one.score.parts))):
                yield f"sets[{number}].nested_folds: there are {len(one.score.parts)} folds, from 0 on"

    def __repr__(self) -> str:
        best = max(range(len(self)), key=lambda number: self[number].score.value, default=None)
        shown = "" if best is None else f"; best: set {best}, {self[best].score}"
        return f"<Performance: {number_of(len(self), 'set')}, {printable(self.scoring)}{shown}>"

    def p_of(self, number: int) -> dict[str, float]:
        """Return the corrected p of a set against set 0, by the names of the tests; none of set 0 itself."""
        if self.comparisons is None or number == 0:
            return {}
        pair = self.comparisons.pairs[number - 1]
        return dict(zip(self.comparisons.tests, pair.adjusted, strict=True))

    def others(self) -> Iterator[tuple[str, tuple[str, ...] | None, Estimate, Estimate | None]]:
        """Yield what sets are compared with: name, features, score, and what it scores more than set 0."""
        if self.forest is not None:
            yield "forest", self.forest.features, self.forest.score, self.forest.difference
        yield "all", None, self.all_features, self.all_difference
        yield "none", None, self.no_features, self.none_difference

    def shown(self) -> tuple[list[str], list[list[Any]]]:
        """Return heads and rows of the table that text and notebooks show; sets are tuples of names."""
        found: tuple[list[str], list[list[Any]]] = _text.shown(self)
        return found

    def notes(self) -> list[str]:
        """Return what the columns mean, a line each."""
        return list(_text.notes(self))

    def __str__(self) -> str:
        return str(renderer("text", self)(self))


def _columns(name: str, estimate: Estimate | None) -> dict[str, float | None]:
    if estimate is None:
        return {name: None, f"{name} low": None, f"{name} high": None}
    return {name: estimate.value, f"{name} low": estimate.low, f"{name} high": estimate.high}
