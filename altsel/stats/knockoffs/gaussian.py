"""Gaussian knockoffs: of a normal distribution, or of one whose normal scores are normal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from altsel._types import FloatArray
from altsel.data.dataset import Dataset
from altsel.data.schema import CLASSES
from altsel.errors import ArgumentError, DataError, flags, listing
from altsel.runtime.memory import require
from altsel.runtime.on_demand import OnDemand
from altsel.stats.knockoffs.margins import Margins
from altsel.stats.knockoffs.reconstructability import equal_mvr, equicorrelated, mvr
from altsel.stats.knockoffs.sampler import Draw
from altsel.stats.knockoffs.shrinkage import Spectrum, ledoit_wolf, likeliest, spectrum

covariance_: Any = OnDemand("sklearn.covariance")

EACH = 500
"""Up to so many features every one has its own s, which takes seconds; of more all s are equal."""
SHRUNK = {"likelihood": likeliest, "ledoit-wolf": ledoit_wolf}
"""What finds the share by which a correlation matrix is shrunk."""
COVARIANCES = (*SHRUNK, "graphical-lasso")
CONSTRUCTIONS = ("auto", "mvr", "mvr-equal", "equicorrelated")


@dataclass(frozen=True)
class Gaussian:
    r"""Gaussian model-X knockoffs of numbers, with a covariance that is estimated.

    With the correlation matrix :math:`\Sigma` of the features and :math:`S = diag(s)` knockoffs are drawn
    from the conditional distribution

    .. math:: \tilde X | X \sim N(X - X \Sigma^{-1} S, \; 2 S - S \Sigma^{-1} S).

    Means, variances and covariances of features and knockoffs stay the same if a feature and its knockoff are
    exchanged; if the features are Gaussian with this covariance, so does the whole distribution. By default
    that is assumed of the *normal scores* of the features (a Gaussian copula), so that skewed features and
    outliers are no trouble: a knockoff has values of its feature.

    Parameters
    ----------
    covariance
        ``"likelihood"``: shrunk towards the identity by half of the share at which left-out rows are
        likeliest, for any number of features; ``"ledoit-wolf"``: by the share of Ledoit and Wolf (2004),
        too much where features are nearly copies; ``"graphical-lasso"``: a sparse inverse, its penalty by
        cross-validation, up to some hundred features; or an estimator with ``fit(X)`` and then
        ``covariance_``.
    construction
        ``"mvr"``: each feature has its own s, such that features are hard to reconstruct (Spector and
        Janson); ``"mvr-equal"``: the same with equal s, for any number of features; ``"equicorrelated"``:
        equal s, :math:`\min(1, 2 \lambda_{min})`; ``"auto"``: the first up to 500 features, else the second.
    scores
        Whether the distribution is one of the normal scores; False: of the numbers themselves.

    Raises
    ------
    ArgumentError
        If these are no such names.

    References
    ----------
    Candès, Fan, Janson and Lv, J. R. Stat. Soc. B 80 (2018), section 3.1.1; Spector and Janson, Annals of
    Statistics 50 (2022); Barber, Candès and Samworth, Annals of Statistics 48 (2020), on estimated
    distributions.

    Examples
    --------
    >>> table = np.random.default_rng(0).normal(size=(50, 2))
    >>> draw = Gaussian().fitted(Dataset(table, table[:, 0]))
    >>> draw(np.random.default_rng(1)).shape
    (50, 2)
    """

    covariance: Any = "likelihood"
    construction: str = "auto"
    scores: bool = True

    def __post_init__(self) -> None:
        flags(scores=self.scores)
        if self.construction not in CONSTRUCTIONS:
            raise ArgumentError(f"construction={self.construction!r}; use {listing(CONSTRUCTIONS)}")
        estimator = hasattr(self.covariance, "fit") and not isinstance(self.covariance, type)
        if not estimator and self.covariance not in COVARIANCES:
            raise ArgumentError(
                f"covariance={self.covariance!r}; use {listing(COVARIANCES)}, or an estimator such as "
                "sklearn.covariance.OAS()"
            )

    @property
    def name(self) -> str:
        """It in words."""
        known = self.covariance if isinstance(self.covariance, str) else type(self.covariance).__name__
        of = "Gaussian copula" if self.scores else "Gaussian"
        return f"{of}, covariance by {known}"

    def fitted(self, data: Dataset) -> Draw:
        """Estimate the covariance, choose s, and return what draws.

        Raises
        ------
        DataError
            If a feature is no number, or the estimated covariance is not positive definite.
        """
        refuse_classes(data)
        margins, table = Margins.of(data.matrix(), self.scores)
        features = table.shape[1]
        each = self.construction == "mvr" or (self.construction == "auto" and features <= EACH)
        if not each and self.covariance in SHRUNK:
            found = spectrum(table, SHRUNK[self.covariance](table))
            _refuse_singular(found.all, self.covariance)
        else:
            require(40 * features**2, "the covariance of the features", "leave out features")
            correlation = self._correlation(table)
            values, vectors = np.linalg.eigh(correlation)
            _refuse_singular(values, self.covariance)
            if each:
                return GaussianDraw(margins, *conditional(table, correlation, mvr(correlation)))
            found = Spectrum(values, vectors, 1.0)
        equal = equicorrelated if self.construction == "equicorrelated" else equal_mvr
        return GaussianDraw(margins, *equal_conditional(table, found, equal(found.all)))

    def _correlation(self, table: FloatArray) -> FloatArray:
        if self.covariance in SHRUNK:
            share = SHRUNK[self.covariance](table)
            return (1 - share) * table.T @ table / len(table) + share * np.eye(table.shape[1])
        estimator = (
            covariance_.GraphicalLassoCV() if self.covariance == "graphical-lasso" else self.covariance
        )
        found = np.asarray(estimator.fit(table).covariance_)
        scale = np.sqrt(np.diag(found))
        return np.asarray(found / np.outer(scale, scale))


def conditional(table: FloatArray, correlation: FloatArray, s: FloatArray) -> tuple[FloatArray, Linear]:
    r"""Return the mean :math:`X - X \Sigma^{-1} S`, and a root of :math:`2S - S \Sigma^{-1} S`.

    Parameters
    ----------
    table
        Standardised features, shape (rows, features).
    correlation
        :math:`\Sigma`.
    s
        The diagonal of S.
    """
    inverse = np.linalg.inv(correlation)
    values, vectors = np.linalg.eigh(2 * np.diag(s) - s[:, None] * inverse * s)
    root = Linear(vectors, np.sqrt(np.maximum(values, 0.0)), 0.0)
    return table - (table @ inverse) * s, root


def equal_conditional(table: FloatArray, known: Spectrum, s: float) -> tuple[FloatArray, Linear]:
    r"""Return the same for :math:`S = s I`, by eigenvalues of the correlation matrix.

    Parameters
    ----------
    table
        Standardised features, shape (rows, features).
    known
        The eigenvalues.
    s
        At most twice the smallest of them.
    """
    mean = Linear(known.vectors, 1 - s / known.values, 1 - s / known.rest)
    deviations = np.sqrt(np.maximum(2 * s - s**2 / np.append(known.values, known.rest), 0.0))
    return mean(table), Linear(known.vectors, deviations[:-1], float(deviations[-1]))


@dataclass(frozen=True, eq=False)
class Linear:
    """A symmetric matrix by eigenvalues, of which those without a vector are the same.

    Attributes
    ----------
    vectors
        Shape (features, vectors).
    values
        The eigenvalue of each vector.
    rest
        The eigenvalue of all that is orthogonal to them.
    """

    vectors: FloatArray
    values: FloatArray
    rest: float

    def __call__(self, rows: FloatArray) -> FloatArray:
        """Multiply rows by it."""
        along = ((rows @ self.vectors) * (self.values - self.rest)) @ self.vectors.T
        return np.asarray(self.rest * rows + along)


@dataclass(frozen=True, eq=False)
class GaussianDraw:
    """What draws Gaussian knockoffs.

    Attributes
    ----------
    margins
        How features were standardised.
    mean
        Of the standardised knockoffs given the features, shape (rows, features).
    root
        Symmetric root of their covariance.
    """

    margins: Margins
    mean: FloatArray
    root: Linear

    def __call__(self, rng: np.random.Generator) -> FloatArray:
        """Draw one table."""
        return self.margins.back(self.mean + self.root(rng.normal(size=self.mean.shape)))


def _refuse_singular(values: FloatArray, covariance: Any) -> None:
    if values.min() <= 1e-10 * values.max():
        raise DataError(
            f"the covariance of the features by {covariance!r} is singular: some are sums of others, or "
            "copies; group or leave these out (data.grouped(0.99)), or use a covariance that shrinks more"
        )


def classes_among(data: Dataset) -> tuple[str, ...]:
    """Return the names of the features that are no numbers of more than two values."""
    category = data.X.dtypes == "category"
    return tuple(name for name in data.features if data.kinds[name] in CLASSES or category[name])


def refuse_classes(data: Dataset) -> None:
    """Raise a DataError if a feature is no number."""
    found = classes_among(data)
    if found:
        raise DataError(
            f"{found[0]!r} holds {data.kinds[found[0]].value} values, of which there are no Gaussian "
            "knockoffs; use knockoffs='sequential'"
        )
