"""Features that a search selects again and again, with bounds on how many of them are selected wrongly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import pandas as pd

from altsel.display.renderers import renderer
from altsel.results.base import Readable
from altsel.results.text import number_of

COLUMNS = ("feature", "share", "selected")
"""Of the table of features."""


@dataclass(frozen=True)
class StableFeature:
    """A feature, and in which share of the halves of the rows it is selected.

    Attributes
    ----------
    feature
        Its name.
    share
        Share of the halves.
    selected
        Whether that is at least the threshold.

    Examples
    --------
    >>> StableFeature("dose", 0.95, True).share
    0.95
    """

    feature: str
    share: float
    selected: bool


@dataclass(frozen=True)
class StableSelection(Readable):
    r"""Features selected in a share of at least the threshold of the halves of the rows.

    *Wrong* is a feature that the search selects in half of the rows with a probability of at most
    :math:`\theta = q / p`, as it does a feature on average.

    Attributes
    ----------
    stable
        All features, in the order of the data.
    threshold
        Least share of the halves; None if no threshold keeps to the wanted number of errors.
    errors
        Bound on the mean number of wrong features selected, under the assumption; None without a threshold.
    assumption
        ``"none"``, ``"unimodal"`` or ``"r-concave"``.
    worst_case, unimodal, r_concave
        All three bounds; None where one is not for such data.
    size
        Mean number q of features selected in a half.
    pairs
        How many times the rows were halved.
    of
        Which features of a half count as selected, in words.
    target
        Name of the target.

    Examples
    --------
    >>> stable = StableFeature("dose", 0.95, True), StableFeature("age", 0.2, False)
    >>> found = StableSelection(stable, 0.9, 0.1, "unimodal", 0.3, 0.1, 0.05, 1.15, 50, "any set", "y")
    >>> found.selected
    ('dose',)
    """

    _called: ClassVar[str] = "a stable selection"

    stable: tuple[StableFeature, ...]
    threshold: float | None
    errors: float | None
    assumption: str
    worst_case: float | None
    unimodal: float | None
    r_concave: float | None
    size: float
    pairs: int
    of: str
    target: str | None = None

    @property
    def selected(self) -> tuple[str, ...]:
        """The features selected, in the order of the data."""
        return tuple(one.feature for one in self.stable if one.selected)

    def to_frame(self) -> pd.DataFrame:
        """Tabulate the features: feature, share, selected."""
        rows = [(one.feature, one.share, one.selected) for one in self.stable]
        return pd.DataFrame(rows, columns=list(COLUMNS))

    def __repr__(self) -> str:
        count = f"{len(self.selected)} of {number_of(len(self.stable), 'feature')}"
        return f"<StableSelection: {count}, {number_of(self.pairs, 'pair')} of halves>"

    def __str__(self) -> str:
        return str(renderer("text", self)(self))
