"""In how many good sets each feature is, and what it costs to give it up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

import pandas as pd

from altsel.display.renderers import renderer
from altsel.results.base import Drawn, Result
from altsel.results.least_loss import LeastLoss
from altsel.results.stop import Stop
from altsel.results.text import number_of


class RangeClass(StrEnum):
    """In how many of the good sets a feature is.

    ``CORE``: in all; ``SOMETIMES``: in some; ``NEVER``: in none. Of a list that is not complete these are
    all, some or none of the sets *found*.

    Examples
    --------
    >>> from altsel import AbsoluteLoss, Problem, Univariate, importance_range, near_optimal
    >>> found = near_optimal(Problem(Univariate([5, 4, 3, 1]), k=2), AbsoluteLoss(1))
    >>> importance_range(found).of(RangeClass.CORE)
    ('x0',)
    """

    CORE = "core"
    SOMETIMES = "sometimes"
    NEVER = "never"


@dataclass(frozen=True)
class FeatureRange:
    """One feature in the set of good models.

    Attributes
    ----------
    feature, names
        Its name, and all names that it goes by where data were grouped.
    sets, share
        How many of the sets have it, and their share.
    range_class
        Core, sometimes or never.
    best_without, best_with
        Score of the best set that lacks it, or has it; None where there is none in the list, nor one
        that was solved for.
    without, holding
        What that set loses against the best of all. The first is what it costs to give the feature up, the
        second what it costs to insist on it.
    most_without, most_holding
        Largest loss of a set of the list that lacks it, or has it; None if there is none.
    ruled
        Whether a rule of the search requires or forbids it.
    resamples
        Shares of the resamples in which it is core, sometimes and never; None without resamples.

    Examples
    --------
    >>> from altsel import AbsoluteLoss, Problem, Univariate, importance_range, near_optimal
    >>> found = near_optimal(Problem(Univariate([5, 4, 3, 1]), k=2), AbsoluteLoss(2))
    >>> one = importance_range(found)["x1"]
    >>> one.range_class.value, one.sets, one.best_with, one.best_without, one.without.value
    ('sometimes', 2, 9.0, 8.0, 1.0)
    """

    feature: str
    names: tuple[str, ...]
    sets: int
    share: float
    range_class: RangeClass
    best_without: float | None
    best_with: float | None
    without: LeastLoss
    holding: LeastLoss
    most_without: float | None
    most_holding: float | None
    ruled: bool = False
    resamples: tuple[float, float, float] | None = None

    @property
    def same_class(self) -> float | None:
        """Share of the resamples in which it is of the same class."""
        return None if self.resamples is None else self.resamples[list(RangeClass).index(self.range_class)]


@dataclass(frozen=True)
class ExchangedPair:
    """Two features that stand for each other.

    Attributes
    ----------
    first, second
        Their names.
    exactly_one
        How many sets have one of them, and not the other.
    exchanges
        How many sets have the first, and are in the list with the second in its place, too.

    Examples
    --------
    >>> from altsel import AbsoluteLoss, Problem, Univariate, importance_range, near_optimal
    >>> found = near_optimal(Problem(Univariate([5, 4, 3, 1]), k=2), AbsoluteLoss(1))
    >>> importance_range(found).pairs
    (ExchangedPair(first='x1', second='x2', exactly_one=2, exchanges=1),)
    """

    first: str
    second: str
    exactly_one: int
    exchanges: int


@dataclass(frozen=True)
class ImportanceRanges(Drawn, Result):
    """What the good sets say of every feature, and of pairs that stand for each other.

    Attributes
    ----------
    features
        One a feature, in the order of the data.
    pairs
        Features of which a set has one where another set has the other, the most frequently exchanged first.
    sets
        How many good sets there are.
    best
        Score of the best one.
    tolerance
        Loss down to which the list has all sets; None if that is not known.
    complete
        Whether these are all sets that lose so little: otherwise core means "in all found".
    stop
        Why the search ended.
    relative
        Whether a share of the best score means something.
    resamples
        How many resamples the classes were looked at in.
    criterion, target
        What was optimised, for which column.

    Examples
    --------
    >>> from altsel import AbsoluteLoss, Problem, Univariate, importance_range, near_optimal
    >>> found = near_optimal(Problem(Univariate([5, 4, 3, 1]), k=2), AbsoluteLoss(2))
    >>> ranges = importance_range(found)
    >>> ranges.of("sometimes"), ranges.of("never"), ranges.complete
    (('x0', 'x1', 'x2'), ('x3',), True)
    >>> str(ranges["x3"].holding)
    '> 2'
    """

    features: tuple[FeatureRange, ...]
    pairs: tuple[ExchangedPair, ...]
    sets: int
    best: float
    tolerance: float | None
    complete: bool
    stop: Stop
    relative: bool = True
    resamples: int = 0
    criterion: str = ""
    target: str | None = None

    def __iter__(self) -> Iterator[FeatureRange]:
        return iter(self.features)

    def __getitem__(self, feature: str) -> FeatureRange:
        for one in self.features:
            if feature in one.names:
                return one
        raise KeyError(feature)

    def of(self, range_class: RangeClass | str) -> tuple[str, ...]:
        """Name the features of a class."""
        wanted = RangeClass(range_class)
        return tuple(one.feature for one in self if one.range_class is wanted)

    def share_lost(self, loss: float | None) -> float | None:
        """Return a loss as a share of the best score; None where that means nothing."""
        return loss / abs(self.best) if loss is not None and self.relative and self.best else None

    def leading(self) -> list[FeatureRange]:
        """Return the features that some set has: core first, then what it costs most to give up."""
        held = [one for one in self if one.sets]
        return sorted(
            held, key=lambda one: (one.range_class is not RangeClass.CORE, -one.without.rank, -one.share)
        )

    def to_frame(self) -> pd.DataFrame:
        """Tabulate the features, in the order of the data.

        Columns: feature, class, sets, share, best with, best without; of the loss without it, and with it:
        what is known of the least, the least, its share of the best, and the largest; with resamples, the
        shares of them in which it is core, sometimes and never.
        """
        columns = ["feature", "class", "sets", "share", "best with", "best without"]
        for way in ("without", "with"):
            columns += [f"loss {way}", f"least loss {way}", f"share lost {way}", f"largest loss {way}"]
        columns += [f"{kind} in resamples" for kind in RangeClass] if self.resamples else []
        words = ("feature", "class", "sets", "loss without", "loss with")
        table = pd.DataFrame([self._row(one)[: len(columns)] for one in self], columns=columns)
        return table.astype({name: float for name in columns if name not in words})

    def _row(self, one: FeatureRange) -> tuple[object, ...]:
        losses: list[object] = []
        for least, most in ((one.without, one.most_without), (one.holding, one.most_holding)):
            losses += [least.known.value, least.value, self.share_lost(least.value), most]
        head = one.feature, one.range_class.value, one.sets, one.share, one.best_with, one.best_without
        return (*head, *losses, *(one.resamples or (None, None, None)))

    def exchanges(self) -> pd.DataFrame:
        """Tabulate the pairs that stand for each other, the most frequently exchanged first."""
        rows = [(one.first, one.second, one.exactly_one, one.exchanges) for one in self.pairs]
        return pd.DataFrame(rows, columns=["first", "second", "exactly one", "exchanges"])

    def __repr__(self) -> str:
        counts = ", ".join(f"{len(self.of(kind))} {kind.value}" for kind in RangeClass)
        return f"<ImportanceRanges: {counts}; {number_of(self.sets, 'set')}>"

    def __str__(self) -> str:
        return str(renderer("text", self)(self))
