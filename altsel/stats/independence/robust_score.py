"""Test of independence of clustered rows, by the generalised score of a regression of the target."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.data.dataset import Dataset
from altsel.errors import ArgumentError, no_negative
from altsel.stats.independence.base import BoundTest
from altsel.stats.independence.clusters import Clusters
from altsel.stats.independence.glm.fitting import AnyFamily
from altsel.stats.independence.glm.grouped import Model
from altsel.stats.independence.likelihood_ratio import LikelihoodRatio
from altsel.stats.independence.protocol import TestResults
from altsel.stats.independence.rows import Given, rows_of


class RobustScore(BoundTest):
    r"""Test whether a feature adds to a regression of the target, where rows of a group are dependent.

    Repeated measurements of a patient, or pupils of a class, are no independent rows: tests that take them
    for such reject far too often. With the scores ``u_g`` of group g, those of the candidate's
    coefficients less what the given features explain of them, at the model of the given features alone,
    ``T = (sum_g u_g)' (sum_g u_g u_g')^-1 (sum_g u_g)``, the sandwich of Liang and Zeger in the score test of
    Boos. With G groups, d coefficients and q columns of the given features,
    ``F = T / (G - T) (G - q - d) / d`` is compared with the F distribution of d and G - q - d degrees of
    freedom: Hotelling's test of the scores, with the given features' degrees of freedom taken off. The
    statistic is ``d F``, the effect ``T / G``, between 0 and 1.

    Rows of different groups must be independent; within groups they may depend in any way. The model of the
    mean is that of `LikelihoodRatio`, for targets of any kind.

    Parameters
    ----------
    data
        Features and target of any kind.
    groups
        Which rows belong together: the name of a column, which then is no feature, or an array of shape
        (rows,). None: every row is a group of its own, which allows for errors of any size in each
        (heteroscedastic ones: the score test of White's standard errors).
    family
        As of `LikelihoodRatio`.
    samples
        A test is done only with at least so many groups beyond the coefficients, ``G - q - d``.
    weights
        Frequency weights, as of `LikelihoodRatio`: repeated rows of the same group.

    Raises
    ------
    DataError
        If family, groups or weights do not fit the data.
    ArgumentError
        If there are weights and no groups, or `samples` is negative.

    References
    ----------
    Boos, The American Statistician 46 (1992); Liang and Zeger, Biometrika 73 (1986); Guo, Pan, Connett,
    Hannan and French, Statistics in Medicine 24 (2005), on few groups.

    Examples
    --------
    >>> import altsel
    >>> random = np.random.default_rng(0)
    >>> patient = np.repeat(np.arange(30), 5)
    >>> own = random.normal(size=30)[patient]  # the same in all rows of a patient
    >>> x, noise = random.normal(size=(2, 150))
    >>> age = random.normal(size=30)[patient]
    >>> data = altsel.Dataset({"x": x, "age": age, "patient": patient}, x + own + noise)
    >>> RobustScore(data, "patient")(["x", "age"]).p.round(3).tolist()
    [0.0, 0.358]
    """

    def __init__(
        self,
        data: Dataset,
        groups: Given = None,
        *,
        family: AnyFamily | None = None,
        samples: float = 10,
        weights: Given = None,
    ) -> None:
        no_negative("samples", samples)
        if groups is None and weights is not None:
            raise ArgumentError("weights= need groups=, to tell which repeated rows belong together")
        rows = rows_of(data, weights, groups)
        self._ratio = LikelihoodRatio(rows.data, family=family, weights=rows.counts)
        self.data, self.counts, self.samples = rows.data, rows.counts, samples
        self.groups: IntArray = np.arange(len(rows.data.y)) if rows.groups is None else rows.groups
        self._single = rows.groups is None
        self._variables = self._ratio._variables
        self._clusters = Clusters(self.groups)

    @property
    def number(self) -> int:
        """How many groups there are."""
        return self._clusters.number

    @property
    def name(self) -> str:
        """The test in words."""
        family = self._ratio.with_target(self.target).family_of_target.name
        clusters = "heteroscedastic rows" if self._single else f"{self.number} groups"
        return f"generalised score test ({family} regression, {clusters})"

    def __call__(self, candidates: Sequence[str], given: Sequence[str] = ()) -> TestResults:
        """Test the scores of each candidate at the model of the target by the given features."""
        indices, known = self._variables.indices(candidates, given)
        ratio = self._ratio.with_target(self.target)
        model = ratio._model(known)
        statistic, rank = np.zeros(len(indices)), np.zeros(len(indices))
        errors, nuisance = model.row_scores()
        given_scores = self._clusters.summed(nuisance)
        for part in ratio.parts(indices, len(errors)):
            blocks = ratio._design.blocks(indices[part])
            rank[part] = model.added_rank(blocks)
            statistic[part] = np.where(
                rank[part] > 0, self._statistic(model, blocks, errors, given_scores), 0.0
            )
        dof = rank * len(errors)
        return self._clusters.results(candidates, statistic, dof, model.design.shape[1] - 1, self.samples)

    def forget(self) -> None:
        """Drop what is remembered of conditioning sets."""
        self._ratio.forget()

    def _statistic(
        self, model: Model, blocks: FloatArray, errors: FloatArray, given_scores: FloatArray
    ) -> FloatArray:
        """Compute T of each block, shape (rows, models, columns)."""
        rows, models, width = blocks.shape
        flat = blocks.reshape(rows, -1)
        own = np.stack([self._clusters.summed(flat * error[:, None]) for error in errors], axis=1)
        own = own.reshape(self.number, len(errors), models, width)
        u = own.transpose(2, 0, 1, 3).reshape(models, self.number, -1)
        fixed = given_scores.shape[1]
        information = model.information(blocks)
        within, across = information[0, :fixed, :fixed], information[:, fixed:, :fixed]
        explained = np.linalg.pinv(within, 1e-12, hermitian=True) @ np.swapaxes(across, 1, 2)
        u = u - given_scores @ explained
        total = u.sum(axis=1)[:, :, None]
        squares = np.swapaxes(u, 1, 2) @ u
        found = np.swapaxes(total, 1, 2) @ np.linalg.pinv(squares, 1e-9, hermitian=True) @ total
        return np.asarray(np.maximum(found[:, 0, 0], 0.0))
