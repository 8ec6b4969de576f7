"""Features that were discovered, and what may be said of sets of them."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from math import ceil
from typing import ClassVar

import pandas as pd

from altsel.display.renderers import renderer
from altsel.errors import ArgumentError, DataError, listing
from altsel.results.base import Readable
from altsel.results.family_claim import ROUNDING, FamilyClaim
from altsel.results.solutions import Solutions
from altsel.results.text import number_of

COLUMNS = ("feature", "statistic", "frequency", "e", "q", "selected")
"""Of the table of features."""


def least_selected(level: float) -> int:
    """Return how many features are selected at least, if any is: 1 / level.

    Examples
    --------
    >>> least_selected(0.1)
    10
    """
    return ceil(1 / level - ROUNDING)


@dataclass(frozen=True)
class TestedFeature:
    """A feature, and the evidence that it tells of the target what the others do not.

    Attributes
    ----------
    feature
        Its name.
    statistic
        How much more relevant it is than its knockoff: the mean over the draws.
    frequency
        Share of the draws whose knockoff filter selects it.
    e_value
        Mean of its e-values over the draws.
    q_value
        Smallest level at which it is selected by these e-values; 1 if at none below.
    selected
        Whether it is at the level of the result.

    Examples
    --------
    >>> TestedFeature("dose", 0.4, 0.9, 45.0, 0.08, True).selected
    True
    """

    __test__: ClassVar[bool] = False  # no test of pytest's

    feature: str
    statistic: float
    frequency: float
    e_value: float
    q_value: float
    selected: bool


@dataclass(frozen=True)
class Discoveries(Readable):
    r"""Features that tell of the target what others do not, with a bound on the share of false ones.

    *False* is a feature that is independent of the target given all other features. In the mean at most
    `level` of the selected are, if the knockoffs have the distribution of the features. The same holds of
    any part R of the features with :math:`e_j \ge p / (level \, |R|)` for all of R: see `claim`.

    Attributes
    ----------
    tested
        All features, in the order of the data.
    level
        Wanted false discovery rate.
    run_level
        Level of the knockoff filter of each draw.
    draws
        Number of knockoffs drawn.
    statistic, knockoffs
        What features and knockoffs are compared by, and how these are drawn, in words.
    target, data
        Name of the target, and fingerprint of the data.
    members
        Names that stand for the same feature, where data were grouped.

    Examples
    --------
    >>> import numpy as np
    >>> from altsel import Dataset, discoveries
    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=(300, 40))
    >>> found = discoveries(Dataset(x, x[:, :20].sum(axis=1) + rng.normal(size=300)), 0.2, draws=10)
    >>> len(found.selected), found.features.loc[0, "selected"].item()
    (22, True)
    """

    _called: ClassVar[str] = "discoveries"

    tested: tuple[TestedFeature, ...]
    level: float
    run_level: float
    draws: int
    statistic: str
    knockoffs: str
    target: str = ""
    data: str | None = None
    members: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def selected(self) -> tuple[str, ...]:
        """The discoveries, in the order of the data."""
        return tuple(one.feature for one in self.tested if one.selected)

    @property
    def undiscovered(self) -> tuple[str, ...]:
        """The other features: ``forbid(*found.undiscovered)`` keeps a search to the discoveries."""
        return tuple(one.feature for one in self.tested if not one.selected)

    @property
    def least(self) -> int:
        """No feature is selected, or so many: 1 / `level`."""
        return least_selected(self.level)

    @property
    def e_values(self) -> pd.Series[float]:
        """E-values by feature, which `Univariate` takes as relevances."""
        return pd.Series({one.feature: one.e_value for one in self.tested}, dtype=float)

    @property
    def features(self) -> pd.DataFrame:
        """All features with statistic, frequency, e- and q-value, in the order of the data."""
        return self.to_frame()

    def to_frame(self) -> pd.DataFrame:
        """Tabulate the features: feature, statistic, frequency, e, q, selected."""
        rows = [
            (one.feature, one.statistic, one.frequency, one.e_value, one.q_value, one.selected)
            for one in self.tested
        ]
        return pd.DataFrame(rows, columns=list(COLUMNS))

    def rules_text(self) -> str:
        """Write rules of a TOML file that keep a search to the discoveries: ``altsel select --rules``."""
        names = ", ".join(json.dumps(name, ensure_ascii=False) for name in self.undiscovered)
        return f"forbid = [{names}]\n"

    def leading(self) -> list[TestedFeature]:
        """Return the features, the largest e-values first."""
        return sorted(self.tested, key=lambda one: (-one.e_value, -one.statistic))

    def claim(self, shown: Solutions | Collection[Collection[str]]) -> FamilyClaim:
        r"""Say what is promised of all features that some sets show together.

        Whatever the sets were chosen by, the same data included: of a union U at most `level` is false in the
        mean if :math:`e_j \ge p / (level \, |U|)` for all its features. For any U, the share of false ones
        divided by ``q`` has a mean of at most 1.

        Parameters
        ----------
        shown
            Solutions, or sets of names.

        Returns
        -------
        FamilyClaim
            Whether it holds, at which q, and what stands against it.

        Raises
        ------
        DataError
            If a name is no feature, or solutions were found in other data.

        References
        ----------
        Wang and Ramdas, J. R. Stat. Soc. B 84 (2022), on self-consistent e-tests; Ignatiadis, Wang and
        Ramdas, Asymptotic and compound e-values (2024), for those that are so in the sum alone; Xu, Solari,
        Fischer, de Heide, Ramdas and Goeman, Bringing closure to false discovery rate control (2025), on the
        bound for all sets at once. The proof is three lines, in the guide.

        Examples
        --------
        >>> tested = [TestedFeature(f"x{j}", 0.1, 1.0, e, 0.1, e > 0) for j, e in enumerate([40, 20, 20, 0])]
        >>> found = Discoveries(tuple(tested), 0.1, 0.05, 50, "lasso", "Gaussian")
        >>> found.claim([["x0", "x1"], ["x1", "x2"]]).q
        0.06666666666666667
        """
        self._refuse_other_data(shown)
        e_of, number = self.e_values.to_dict(), len(self.tested)
        union = self._union(shown)
        if not union:
            return FamilyClaim((), 0.0, self.level, None, (), 0)
        weakest = min(union, key=lambda name: e_of[name])
        least = e_of[weakest]
        discovered = set(self.selected)
        return FamilyClaim(
            union,
            min(1.0, number / (len(union) * least)) if least > 0 else 1.0,
            self.level,
            weakest,
            tuple(name for name in union if name not in discovered),
            ceil(number / (self.level * least) - ROUNDING) if weakest in discovered else None,
        )

    def _union(self, shown: Solutions | Collection[Collection[str]]) -> tuple[str, ...]:
        """Return the features of any set, each group once, in the order of the data.

        Raises
        ------
        ArgumentError
            If these are no sets of names.
        DataError
            If a name is no feature.
        """
        stands = {name: column for column, part in self.members.items() for name in part}
        known = {one.feature for one in self.tested}
        names = set()
        for subset in shown:
            if isinstance(subset, str):
                raise ArgumentError(f"claim takes sets of names, not the name {subset!r}: [[{subset!r}]]")
            names |= {stands.get(name, name) for name in subset}
        unknown = names - known
        if unknown:
            raise DataError(f"{listing(sorted(unknown))}: no feature of the discoveries")
        return tuple(one.feature for one in self.tested if one.feature in names)

    def _refuse_other_data(self, shown: object) -> None:
        if not isinstance(shown, Solutions) or self.data is None:
            return
        known = shown.request.get("data")
        if known is not None and known != self.data:
            raise DataError("these sets were found in other data than the discoveries (another fingerprint)")

    def __repr__(self) -> str:
        count = f"{len(self.selected)} of {number_of(len(self.tested), 'feature')}"
        return f"<Discoveries: {count} at level {self.level:g}, {number_of(self.draws, 'draw')}>"

    def __str__(self) -> str:
        return str(renderer("text", self)(self))
