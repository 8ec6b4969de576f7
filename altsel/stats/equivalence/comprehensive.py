"""Tests of information equivalence by nested models: the comprehensive approach and the J-test."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from altsel._types import FloatArray
from altsel.errors import no_negative
from altsel.results.comparison import Comparison, Definition
from altsel.stats.equivalence.models.glm import GLMModels
from altsel.stats.equivalence.protocol import Names, checked_models
from altsel.stats.independence.glm.design import RANK
from altsel.stats.independence.glm.families import Gaussian
from altsel.stats.independence.glm.newton import fit
from altsel.stats.independence.likelihood_ratio import DETERMINED
from altsel.stats.log_p import log_chi_square, log_variance_ratio


@dataclass(frozen=True)
class Comprehensive:
    r"""Comprehensive approach: test whether the union of both sets explains more than either.

    Two likelihood-ratio tests of nested models, ``T ⊥ Y | X`` and ``T ⊥ X | Y``, with as
    many degrees of freedom as the union adds columns (none for copies); F tests for a linear
    model. p is the smaller one: sets pass if neither test rejects, so the level is up to twice alpha
    for sets that are equivalent in both ways. A test of information equivalence (IEQ). It misleads
    with few rows for the features of the union (no power), and where the family is wrong.

    Parameters
    ----------
    models
        The regression of the target.
    samples_per_parameter
        The test is made only with so many rows for each coefficient of the union; a linear model needs
        one row more than coefficients.

    References
    ----------
    Borboudakis and Tsamardinos (2021), section 4.2.2; Atkinson, J. R. Stat. Soc. B 32 (1970).

    Examples
    --------
    >>> import altsel
    >>> data = altsel.Dataset({"a": [0.0, 1, 2, 3] * 9, "b": [1.0, 0, 0, 1] * 9}, [0.1, 1.0, 2.2, 3.1] * 9)
    >>> test = Comprehensive(altsel.comparison.GLMModels(data))
    >>> test(["a"], ["b"]).p < 0.01, test(["a"], ["a"]).p
    (True, 1.0)
    """

    models: GLMModels
    samples_per_parameter: float = 5

    definition = Definition.INFORMATION

    def __post_init__(self) -> None:
        checked_models(self.models, "log_likelihoods")
        no_negative("samples_per_parameter", self.samples_per_parameter)

    @property
    def name(self) -> str:
        """The test in words."""
        return f"comprehensive approach ({self.models.family.name})"

    def __call__(self, first: Names, second: Names) -> Comparison:
        """Compare two sets; the statistic is the larger likelihood ratio."""
        models = self.models
        union = models.fit([*first, *second])
        outputs, rows = models.response.shape
        linear = isinstance(models.family, Gaussian)
        enough = (
            rows > union.columns if linear else rows >= self.samples_per_parameter * union.columns * outputs
        )
        results = []
        for names in (first, second):
            part = models.fit(names)
            extra = float((union.columns - part.columns) * outputs)
            ratio = max(2 * (union.log_likelihood - part.log_likelihood), 0.0) if extra > 0 else 0.0
            if linear:
                rest = union.left_over / part.left_over if part.left_over > DETERMINED else 1.0
                log_p = log_variance_ratio(min(rest, 1.0), max(extra, 0.0), max(rows - union.columns, 1))
            else:
                log_p = log_chi_square(ratio, max(extra, 0.0))
            results.append((float(np.exp(log_p)) if extra > 0 else 1.0, ratio))
        p = min(p for p, _ in results) if enough else 1.0
        return Comparison(self.name, self.definition, p, max(r for _, r in results), tested=enough)


@dataclass(frozen=True)
class JTest:
    r"""J-test: test whether the predictions of one set add to a model by the other.

    Two likelihood-ratio tests of one column each, ``T ⊥ P(T | X) | Y`` and ``T ⊥ P(T | Y) | X``,
    where P are the linear predictors fitted. p is the smaller one. An approximate test of information
    equivalence (IEQ) of more power than `Comprehensive`, as it spends one degree of freedom. It
    misleads where sets differ by several features that tell nothing: what was fitted of the noise
    is one column chosen by the target, and at any number of rows it rejects half of such pairs
    (three features each). It misses what the sets tell together only.

    Parameters
    ----------
    models
        The regression of the target.

    References
    ----------
    Borboudakis and Tsamardinos (2021), section 4.2.3; Davidson and MacKinnon, Econometrica 49 (1981).

    Examples
    --------
    >>> import altsel
    >>> data = altsel.Dataset({"a": [0.0, 1, 2, 3] * 9, "b": [1.0, 0, 0, 1] * 9}, [0.1, 1.0, 2.2, 3.1] * 9)
    >>> JTest(altsel.comparison.GLMModels(data))(["a"], ["b"]).p < 0.01
    True
    """

    models: GLMModels

    definition = Definition.INFORMATION

    def __post_init__(self) -> None:
        checked_models(self.models, "log_likelihoods")

    @property
    def name(self) -> str:
        """The test in words."""
        return f"J-test ({self.models.family.name})"

    def __call__(self, first: Names, second: Names) -> Comparison:
        """Compare two sets; the statistic is the larger likelihood ratio."""
        results = [self._adds(first, second), self._adds(second, first)]
        p = min(p for p, _ in results)
        return Comparison(self.name, self.definition, p, max(ratio for _, ratio in results))

    def _adds(self, names: Names, to: Names) -> tuple[float, float]:
        """Test what the predictors of one set add to the model of another."""
        models = self.models
        design, base = models.design(to), models.fit(to)
        columns = _not_determined(models.fit(names).eta.T, design)
        rows, extra = len(design), columns.shape[1] * len(models.response)
        if not extra or rows <= design.shape[1] + extra:
            return 1.0, 0.0
        if isinstance(models.family, Gaussian):
            if base.left_over <= DETERMINED:
                return 1.0, 0.0
            rest = _left_over(np.hstack([design, columns]), models.response[0]) / base.left_over
            log_p = log_variance_ratio(min(rest, 1.0), 1, rows - design.shape[1] - 1)
            return float(np.exp(log_p)), float(-rows * np.log(max(rest, np.finfo(float).tiny)))
        larger = fit(models.family, models.response, np.hstack([design, columns]))
        ratio = max(2 * (larger.log_likelihood - base.log_likelihood), 0.0)
        return float(np.exp(log_chi_square(ratio, extra))), float(ratio)


def _not_determined(columns: FloatArray, design: FloatArray) -> FloatArray:
    """Scale columns, and leave out what the design and the columns before determine."""
    basis = np.linalg.qr(design)[0]
    kept = []
    for column in columns.T:
        centred = column - column.mean()
        length = float(np.sqrt((centred**2).sum()))
        rest = centred - basis @ (basis.T @ centred)
        rest -= basis @ (basis.T @ rest)  # twice is enough
        left = float(np.sqrt((rest**2).sum()))
        if left**2 > RANK * length**2:
            kept.append(rest / left * np.sqrt(len(rest)))
            basis = np.column_stack([basis, rest / left])
    return np.column_stack(kept) if kept else np.zeros((len(design), 0))


def _left_over(design: FloatArray, y: FloatArray) -> float:
    basis = np.linalg.qr(design)[0]
    return float(np.mean((y - basis @ (basis.T @ y)) ** 2))
