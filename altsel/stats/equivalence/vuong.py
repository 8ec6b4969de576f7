"""Vuong's variance test of equal models, and the tail of a weighted sum of chi-squares it needs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from altsel._types import FloatArray
from altsel.results.comparison import Comparison, Definition
from altsel.runtime.on_demand import OnDemand
from altsel.stats.equivalence.models.glm import GLMModels
from altsel.stats.equivalence.permutation import NOISE
from altsel.stats.equivalence.protocol import Names, checked_models
from altsel.stats.independence.glm.families import Gaussian
from altsel.stats.independence.glm.pairs import pairs, weighted_squares
from altsel.stats.independence.likelihood_ratio import DETERMINED

integrate: Any = OnDemand("scipy.integrate")
stats: Any = OnDemand("scipy.stats")


@dataclass(frozen=True)
class Vuong:
    r"""Vuong's variance test: whether the models of two sets give every row the same likelihood.

    The statistic is ``n w^2``, where ``w^2`` is the variance of the rows' log-likelihood ratios.
    If the models are equal (MEQ) it is distributed as ``sum_k l_k^2 chi^2_1``, l_k the eigenvalues
    of ``[[-B_f A_f^-1, -B_fg A_g^-1], [B_gf A_f^-1, B_g A_g^-1]]`` with A the mean Hessians and B the
    mean products of scores. It misleads in small samples, where A and B are poorly estimated.

    Parameters
    ----------
    models
        The regression of the target.

    References
    ----------
    Borboudakis and Tsamardinos (2021), section 4.2.1; Vuong, Econometrica 57 (1989), theorem 4.1.

    Examples
    --------
    >>> import altsel
    >>> data = altsel.Dataset({"a": [0.0, 1, 2, 3] * 9, "b": [1.0, 0, 0, 1] * 9}, [0.1, 1.0, 2.2, 3.1] * 9)
    >>> test = Vuong(altsel.comparison.GLMModels(data))
    >>> test(["a"], ["b"]).p < 0.01, test(["a"], ["a"]).p
    (True, 1.0)
    """

    models: GLMModels

    definition = Definition.MODEL

    def __post_init__(self) -> None:
        checked_models(self.models, "log_likelihoods")

    @property
    def name(self) -> str:
        """The test in words."""
        return f"Vuong variance test ({self.models.family.name})"

    def __call__(self, first: Names, second: Names) -> Comparison:
        """Compare two sets; the statistic is ``n w^2``."""
        ratio = self.models.log_likelihoods(first) - self.models.log_likelihoods(second)
        statistic = float(len(ratio) * ratio.var())
        if np.abs(ratio).max() <= NOISE:
            return Comparison(self.name, self.definition, 1.0, statistic)
        perfect = [self.models.fit(names).left_over <= DETERMINED for names in (first, second)]
        if any(perfect):  # no variance to measure by: equal if both sets determine the target
            return Comparison(self.name, self.definition, float(all(perfect)), statistic)
        scores, hessians = zip(*(self._derivatives(names) for names in (first, second)), strict=True)
        weights = _eigenvalues(scores, hessians) ** 2
        return Comparison(self.name, self.definition, weighted_chi_square_tail(statistic, weights), statistic)

    def _derivatives(self, names: Names) -> tuple[FloatArray, FloatArray]:
        """Scores of every row, shape (rows, parameters), and the mean Hessian of the log-likelihood."""
        models, family = self.models, self.models.family
        design, fitted = models.design(names), models.fit(names)
        rows = len(design)
        error = models.response - family.mean(fitted.eta)
        if isinstance(family, Gaussian):
            variance = max(float(np.mean(error**2)), np.finfo(float).tiny)
            own = (error[0] ** 2 / variance - 1) / (2 * variance)
            scores = np.column_stack([design * (error[0] / variance)[:, None], own])
            hessian = np.zeros((scores.shape[1],) * 2)
            hessian[:-1, :-1] = -design.T @ design / (rows * variance)
            hessian[-1, -1] = -1 / (2 * variance**2)
            return scores, hessian
        outputs, width = len(error), design.shape[1]
        scores = np.hstack([design * term[:, None] for term in error])
        hessian = np.zeros((outputs * width,) * 2)
        weights = family.weights(models.response, family.mean(fitted.eta))
        for a, b, block in zip(*pairs(outputs), weighted_squares(design, weights) / rows, strict=True):
            here, there = slice(a * width, (a + 1) * width), slice(b * width, (b + 1) * width)
            hessian[here, there] = hessian[there, here] = -block
        return scores, hessian


def _eigenvalues(scores: tuple[FloatArray, ...], hessians: tuple[FloatArray, ...]) -> FloatArray:
    (f, g), (a, b) = scores, hessians
    rows = len(f)
    inverse_f, inverse_g = (np.linalg.pinv(term, hermitian=True) for term in (a, b))
    matrix = np.block(
        [
            [-(f.T @ f) @ inverse_f, -(f.T @ g) @ inverse_g],
            [(g.T @ f) @ inverse_f, (g.T @ g) @ inverse_g],
        ]
    )
    return np.asarray(np.linalg.eigvals(matrix / rows).real)


def weighted_chi_square_tail(value: float, weights: FloatArray) -> float:
    r"""Probability that ``sum_k w_k chi^2_1`` exceeds a value, by Imhof's integral.

    ``P = 1/2 + 1/pi int_0^inf sin(theta(u)) / (u rho(u)) du`` with
    ``theta(u) = 1/2 sum_k arctan(w_k u) - value u / 2`` and ``rho(u) = prod_k (1 + w_k^2 u^2)^(1/4)``.

    Parameters
    ----------
    value
        The value.
    weights
        Weights, at least 0; those that are next to nothing are left out.

    Returns
    -------
    float

    References
    ----------
    Imhof, Biometrika 48 (1961).

    Examples
    --------
    >>> round(weighted_chi_square_tail(5.991465, np.array([1.0, 1.0])), 6)
    0.05
    """
    kept = np.asarray(weights[weights > 1e-9 * max(float(weights.max(initial=0.0)), 1e-300)], dtype=float)
    if not len(kept):
        return float(value <= 0)
    x, w = value / kept.max(), kept / kept.max()
    if np.ptp(w) < 1e-9:
        return float(stats.chi2.sf(x, len(w)))

    if x > 1000 + 10 * w.sum():
        return 0.0

    def angle(u: float) -> float:
        return float(np.arctan(w * u).sum() / 2)

    def damping(u: float) -> float:
        return float(np.exp(-np.log1p((w * u) ** 2).sum() / 4) / u)

    def integral(wave: Callable[[float], float], low: float, high: float, **kind: Any) -> float:
        return float(integrate.quad(wave, low, high, full_output=1, **kind)[0])  # in full: without warnings

    near = integral(lambda u: np.sin(angle(u) - x * u / 2) * damping(u), 0, 1, limit=2000)
    far = integral(lambda u: np.sin(angle(u)) * damping(u), 1, np.inf, weight="cos", wvar=x / 2)
    far -= integral(lambda u: np.cos(angle(u)) * damping(u), 1, np.inf, weight="sin", wvar=x / 2)
    return float(min(max(0.5 + (near + far) / np.pi, 0.0), 1.0))
