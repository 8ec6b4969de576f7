"""What features are worth in the good sets of one resample of the rows after another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import ceil, log
from statistics import fmean

import numpy as np
import pandas as pd

from altsel._types import FloatArray
from altsel.display.renderers import renderer
from altsel.errors import ArgumentError, did_you_mean, listing
from altsel.results.base import Drawn, Readable
from altsel.results.importance_range import RangeClass
from altsel.results.text import number_of


@dataclass(frozen=True)
class WorthInGoodSets:
    """What features are worth in the good sets of some rows.

    Attributes
    ----------
    sets
        How many good sets there are.
    complete
        Whether these are all.
    worths
        By feature, what each set that has it loses without it. Features that no set has are left out.

    Examples
    --------
    >>> one = WorthInGoodSets(3, True, {"a": (3.0, 4.0, 2.0), "b": (1.0,)})
    >>> one.of("b").tolist(), one.range_class("a").value, one.range_class("c").value
    ([0.0, 0.0, 1.0], 'core', 'never')
    """

    sets: int
    complete: bool
    worths: Mapping[str, tuple[float, ...]]

    def of(self, feature: str) -> FloatArray:
        """Return the worth of a feature in each of the sets, in rising order; 0 in those that lack it."""
        held = self.worths.get(feature, ())
        return np.sort(np.append(np.zeros(self.sets - len(held)), held))

    def range_class(self, feature: str) -> RangeClass | None:
        """Return whether all, some or none of the sets have it; None if sets not found might tell."""
        count = len(self.worths.get(feature, ()))
        if 0 < count < self.sets:
            return RangeClass.SOMETIMES
        if not self.complete or not self.sets:
            return None
        return RangeClass.CORE if count else RangeClass.NEVER


@dataclass(frozen=True)
class FeatureDistribution:
    """What one feature is worth over the good sets of all resamples.

    Attributes
    ----------
    feature
        Its name.
    mean
        Its mean worth: over the sets of a resample, then over the resamples.
    least, most
        Its range over the good sets of all rows, exact if `WorthInGoodSets.complete` is true of them.
    low, high
        Range over the good sets that a share of the resamples keeps: a quantile of its least worths, and one
        of its largest.
    shares
        Shares of the resamples in which it is core, sometimes and never.
    at_least
        What each of these shares is at least, with the confidence of the level.

    Examples
    --------
    >>> one = FeatureDistribution("a", 2.0, 1.0, 3.0, 0.5, 4.0, (1.0, 0.0, 0.0), (0.97, 0.0, 0.0))
    >>> one.statement().value, one.statement(0.99)
    ('core', None)
    """

    feature: str
    mean: float
    least: float
    most: float
    low: float
    high: float
    shares: tuple[float, float, float]
    at_least: tuple[float, float, float]

    def statement(self, share: float = 0.9) -> RangeClass | None:
        """Return the class that it has in so many of the resamples, surely enough; None if in no class."""
        kinds = [kind for kind, low in zip(RangeClass, self.at_least, strict=True) if low >= share]
        return kinds[0] if kinds else None


@dataclass(frozen=True)
class ImportanceDistribution(Readable, Drawn):
    """What features are worth in the good sets of one resample of the rows after another.

    Attributes
    ----------
    features
        A summary of each feature, in the order of the data.
    all_rows
        The good sets of all rows.
    resamples
        Those of each resample.
    level
        Confidence of `FeatureDistribution.at_least`, and the share of resamples in its range.
    scheme
        How rows were drawn, in words.
    criterion, target
        What was optimised, for which column.
    rows
        How many rows there are.
    data
        Fingerprint of the data.
    versions
        What produced it.

    Examples
    --------
    >>> rows = WorthInGoodSets(2, True, {"a": (3.0, 4.0), "b": (1.0,), "c": (0.5,)})
    >>> found = ImportanceDistribution((), rows, (rows, rows))
    >>> found.share_at_most("b", 0.5), found.quantile("a", 0.5), found.quantile("a", 1)
    (0.5, 3.0, 4.0)
    """

    features: tuple[FeatureDistribution, ...]
    all_rows: WorthInGoodSets
    resamples: tuple[WorthInGoodSets, ...]
    level: float = 0.95
    scheme: str = "bootstrap"
    criterion: str = ""
    target: str | None = None
    rows: int = 0
    data: str | None = None
    versions: Mapping[str, str] = field(default_factory=dict)
    _called = "a distribution of importance"

    def __iter__(self) -> Iterator[FeatureDistribution]:
        return iter(self.features)

    def __getitem__(self, feature: str) -> FeatureDistribution:
        for one in self.features:
            if one.feature == feature:
                return one
        hint = did_you_mean(feature, [one.feature for one in self])
        raise KeyError(f"there is no feature {feature!r}{hint}")

    @property
    def complete(self) -> int:
        """How many resamples have all their good sets listed."""
        return sum(one.complete for one in self.resamples)

    def share_at_most(self, feature: str, worth: float) -> float:
        """Return the distribution function: the mean share of good sets in which it is worth at most this."""
        return fmean(float((one.of(feature) <= worth).mean()) for one in self._of_known(feature))

    def quantile(self, feature: str, share: float) -> float:
        """Return the least worth whose distribution function is at least a share."""
        if not 0 <= share <= 1:
            raise ArgumentError(f"share={share!r} must be from 0 to 1")
        worths = [one.of(feature) for one in self._of_known(feature)]
        values = np.concatenate(worths)
        weights = np.concatenate([np.full(len(one), 1 / len(one)) for one in worths]) / len(worths)
        order = np.argsort(values, kind="stable")
        below = int(np.searchsorted(weights[order].cumsum(), share - 1e-12))
        return float(values[order][min(below, len(values) - 1)])

    def of(self, range_class: RangeClass | str, share: float = 0.9) -> tuple[str, ...]:
        """Name the features that are surely of a class in so many of the resamples."""
        if range_class not in {*RangeClass}:
            raise ArgumentError(f"range_class={range_class!r}; use {listing([*map(str, RangeClass)])}")
        wanted = RangeClass(range_class)
        return tuple(one.feature for one in self if one.statement(share) is wanted)

    def leading(self) -> list[FeatureDistribution]:
        """Return the features that any good set has, those of the largest mean worth first."""
        used = {name for one in (self.all_rows, *self.resamples) for name in one.worths}
        return sorted((one for one in self if one.feature in used), key=lambda one: -one.mean)

    def to_frame(self) -> pd.DataFrame:
        """Tabulate the features, in the order of the data."""
        ways = [kind.value for kind in RangeClass]
        columns = ["feature", "statement", "mean", "least", "most", "low", "high"]
        columns += [*ways, *(f"{kind} at least" for kind in ways)]
        rows = []
        for one in self:
            kind = one.statement()
            said = one.feature, kind.value if kind else None, one.mean, one.least, one.most, one.low, one.high
            rows.append((*said, *one.shares, *one.at_least))
        return pd.DataFrame(rows, columns=columns)

    @property
    def needed(self) -> int:
        """How many resamples must agree on a class, so that a statement for 90 % of all can be made."""
        return ceil(log(1 - self.level) / log(0.9))

    def _of_known(self, feature: str) -> list[WorthInGoodSets]:
        """Return the resamples with sets; refuse a feature that is none."""
        known = {one.feature for one in self} or {name for one in self.resamples for name in one.worths}
        if feature not in known:
            raise ArgumentError(f"there is no feature {feature!r}{did_you_mean(feature, known)}")
        return [one for one in self.resamples if one.sets]

    def __repr__(self) -> str:
        counts = ", ".join(f"{len(self.of(kind))} {kind.value}" for kind in RangeClass)
        return f"<ImportanceDistribution: {counts}; {number_of(len(self.resamples), 'resample')}>"

    def __str__(self) -> str:
        return str(renderer("text", self)(self))
