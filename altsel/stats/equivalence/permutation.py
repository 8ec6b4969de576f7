"""Permutation tests of equal performance: losses, or predictions, are exchanged between two sets."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from altsel._types import FloatArray
from altsel.errors import DataError, of_kind
from altsel.results.comparison import Comparison, Definition
from altsel.runtime.on_demand import OnDemand
from altsel.stats.equivalence.protocol import Models, Names, checked_models
from altsel.stats.sign_flips import TIE, SignFlips

stats: Any = OnDemand("scipy.stats")  # half a second of start-up

NOISE = 1e-9
"""Losses that differ by no more than this share of their size differ by rounding only."""


@dataclass(frozen=True)
class _Permuted:
    """What these tests share: models, and draws of signs."""

    models: Models
    signs: SignFlips = field(default_factory=SignFlips)

    definition = Definition.PERFORMANCE

    def __post_init__(self) -> None:
        checked_models(self.models)
        of_kind("signs", self.signs, SignFlips, "altsel.comparison.SignFlips(1000), say")


@dataclass(frozen=True)
class PermutedVariance(_Permuted):
    r"""Permutation-based variance test of TMFBS 4.3.4: whether two sets lose the same on average.

    With ``d_i`` the difference of the losses of row i, the statistic is ``s = var(d)``; exchanging the
    losses of random rows flips signs of d, and ``p = (1 + sum_b I(s_b <= s)) / (B + 1)``. As
    ``mean(d^2)`` is the same under all flips, ``s_b <= s`` if and only if ``|mean_b| >= |mean|``:
    it is a test of the mean, so of performance equivalence (PEQ), not of equal models (MEQ), as
    its name says. It misleads where sets predict different parts of the target equally well
    (TMFBS 4.1), and on rows fitted to, where the larger of nested sets never loses more.

    Parameters
    ----------
    models
        The models whose losses are compared.
    signs
        Number of permutations and seed.

    References
    ----------
    Borboudakis and Tsamardinos (2021), sections 4.2.1 and 4.3.4.

    Examples
    --------
    >>> import altsel
    >>> data = altsel.Dataset({"a": [0.0, 1, 2, 3] * 9, "b": [1.0, 0, 0, 1] * 9}, [0.1, 1.0, 2.2, 3.1] * 9)
    >>> PermutedVariance(altsel.comparison.GLMModels(data))(["a"], ["b"]).p < 0.01
    True
    """

    @property
    def name(self) -> str:
        """The test in words."""
        return "permutation variance test"

    def __call__(self, first: Names, second: Names) -> Comparison:
        """Compare two sets; the statistic is the variance."""
        change = loss_change(self.models, first, second)
        statistic = float(change.var())
        return Comparison(self.name, self.definition, self.signs.p(change), statistic, float(change.mean()))


@dataclass(frozen=True)
class PermutedMean(_Permuted):
    """The same test by its studentised mean: ``t = mean(d) sqrt(n) / sd(d)``, two-sided.

    Under flips of signs t grows with ``|mean(d)|``, so p equals that of `PermutedVariance`;
    the statistic is one that people know, and studentised it stays valid where d is skewed
    and only its mean is zero.

    Parameters
    ----------
    models, signs
        As in `PermutedVariance`.

    Examples
    --------
    >>> import altsel
    >>> data = altsel.Dataset({"a": [0.0, 1, 2, 3] * 9, "b": [1.0, 0, 0, 1] * 9}, [0.1, 1.0, 2.2, 3.1] * 9)
    >>> models = altsel.comparison.GLMModels(data)
    >>> PermutedMean(models)(["a"], ["b"]).p == PermutedVariance(models)(["a"], ["b"]).p
    True
    """

    @property
    def name(self) -> str:
        """The test in words."""
        return "permutation mean test"

    def __call__(self, first: Names, second: Names) -> Comparison:
        """Compare two sets; the statistic is t."""
        change = loss_change(self.models, first, second)
        spread = float(change.std(ddof=1)) if len(change) > 1 else 0.0
        mean = float(change.mean())
        t = mean * np.sqrt(len(change)) / spread if spread else 0.0
        return Comparison(self.name, self.definition, self.signs.p(change), float(t), mean)


@dataclass(frozen=True)
class PermutedAUC(_Permuted):
    """Permutation test of equal areas under the ROC curve, for targets of two classes.

    The predictions of random rows are exchanged between the sets; the statistic is
    ``|AUC_1 - AUC_2|`` and ``p = (1 + sum_b I(s_b >= s)) / (B + 1)``. A test of performance
    equivalence (PEQ). It misleads where the two sets' predictions are on different scales:
    exchanged rows then mix them.

    Parameters
    ----------
    models
        Models whose predictions grow with the chance of the second class.
    signs
        Number of permutations and seed.

    Examples
    --------
    >>> import altsel
    >>> data = altsel.Dataset({"a": [0.0, 1, 2, 3] * 9, "b": [1.0, 0, 3, 1] * 9}, [0, 0, 1, 1] * 9)
    >>> PermutedAUC(altsel.comparison.SklearnModels(data))(["a"], ["b"]).difference
    0.125
    """

    @property
    def name(self) -> str:
        """The test in words."""
        return "permutation AUC test"

    def __call__(self, first: Names, second: Names) -> Comparison:
        """Compare two sets; the statistic is the difference of the areas, first less second."""
        truth = self.models.truth()
        if set(np.unique(truth).tolist()) != {0.0, 1.0}:
            raise DataError("the area under the ROC curve needs a target of two classes, both among the rows")
        one, other = self.models.predictions(first), self.models.predictions(second)
        if np.abs(one - other).max() <= NOISE:
            return Comparison(self.name, self.definition, 1.0, 0.0, 0.0)
        observed = float(area(one[None], truth)[0] - area(other[None], truth)[0])
        hits, rows = 0, len(truth)
        swap = self.signs.exchanged(rows)
        step = max(1, 1_000_000 // rows)
        for i in range(0, self.signs.number, step):
            part = swap[i : i + step]
            change = area(np.where(part, other, one), truth) - area(np.where(part, one, other), truth)
            hits += int((np.abs(change) >= abs(observed) - TIE).sum())
        p = (1 + hits) / (1 + self.signs.number)
        return Comparison(self.name, self.definition, p, observed, observed)


def area(scores: FloatArray, truth: FloatArray) -> FloatArray:
    """Areas under ROC curves of scores, shape (draws, rows): ``(R_1 - n_1 (n_1 + 1) / 2) / (n_1 n_0)``."""
    ones = truth == 1
    count = int(ones.sum())
    ranks = stats.rankdata(scores, axis=1)
    return np.asarray((ranks[:, ones].sum(axis=1) - count * (count + 1) / 2) / (count * (len(truth) - count)))


def loss_change(models: Models, first: Names, second: Names) -> FloatArray:
    """Return what every row loses more by the second set; exactly 0 where that is rounding only."""
    return change_of(models.losses(first), models.losses(second))


def change_of(before: FloatArray, after: FloatArray) -> FloatArray:
    """Subtract paired numbers; exactly 0 for all if the differences are rounding only."""
    change = after - before
    size = float(np.abs(before).mean() + np.abs(after).mean())
    return np.zeros_like(change) if np.abs(change).max() <= NOISE * size else change
