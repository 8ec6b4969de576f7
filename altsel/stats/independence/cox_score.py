"""Test of independence of a time to an event where rows are clustered: the robust score of Cox regression."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from altsel._types import FloatArray
from altsel.data.dataset import Dataset
from altsel.errors import no_negative
from altsel.stats.independence.clusters import Clusters
from altsel.stats.independence.cox import CoxRatio
from altsel.stats.independence.glm.newton import added_rank, orthonormal
from altsel.stats.independence.protocol import TestResults
from altsel.stats.independence.rows import Given, rows_of


class CoxScore(CoxRatio):
    r"""Test whether a feature adds to a model of the time to an event, where rows of a group are dependent.

    Patients of one hospital, or several times of one patient. With the scores ``u_g`` of group g by the terms
    of Lin and Wei, those of the candidate's coefficients less what the given features explain of them, at the
    model of the given features alone, ``T = (sum_g u_g)' (sum_g u_g u_g')^-1 (sum_g u_g)``. It is compared
    with the F distribution as that of `RobustScore`: with G groups, d coefficients and q columns of the given
    features, ``F = T / (G - T) (G - q - d) / d``. The statistic is ``d F``, the effect ``T / G``.

    Parameters
    ----------
    data
        Features of any kind; the target is the time, censored or not.
    event
        As of `CoxRatio`.
    groups
        Which rows belong together: the name of a column, which then is no feature, or an array of shape
        (rows,); None: each row is a group, for errors that are robust to a wrong model of rows.
    weights
        Frequency weights: repeated rows of the same group.
    samples
        A test is done only with at least so many groups beyond the coefficients, ``G - q - d``.

    Raises
    ------
    ArgumentError
        If there is no such column, or `samples` is negative.
    DataError
        If the target holds no times of at least 0, or event, groups or weights do not fit the data.

    References
    ----------
    Lin and Wei, Journal of the American Statistical Association 84 (1989); Boos, The American Statistician
    46 (1992).

    Examples
    --------
    >>> import altsel
    >>> random = np.random.default_rng(0)
    >>> ward = np.repeat(np.arange(40), 5)
    >>> frailty, age = random.normal(size=(2, 40))[:, ward]  # the same in all rows of a ward
    >>> dose = random.normal(size=200)
    >>> columns = {"dose": dose, "age": age, "died": random.integers(2, size=200), "ward": ward}
    >>> data = altsel.Dataset(columns, random.exponential(np.exp(frailty - dose)))
    >>> (CoxScore(data, "died", groups="ward")(["dose", "age"]).p < 0.01).tolist()
    [True, False]
    """

    def __init__(
        self,
        data: Dataset,
        event: Given = None,
        *,
        groups: Given = None,
        weights: Given = None,
        samples: float = 10,
    ) -> None:
        no_negative("samples", samples)
        rows = rows_of(data, weights, groups, event=event)
        super().__init__(rows.data, rows.seen, weights=rows.counts)
        self.groups = np.arange(len(rows.data.y)) if rows.groups is None else rows.groups
        self.samples = samples
        self._clusters = Clusters(self.groups)

    @property
    def number(self) -> int:
        """How many groups there are."""
        return self._clusters.number

    @property
    def name(self) -> str:  # type: ignore[override]
        """The test in words."""
        return f"robust score test (Cox regression, {self.number} groups)"

    def __call__(self, candidates: Sequence[str], given: Sequence[str] = ()) -> TestResults:
        """Test the scores of each candidate at the model of the given features."""
        indices, known = self._variables.indices(candidates, given)
        columns, coefficients, _ = self._known(tuple(sorted(known)))
        losses = self._family.evaluate((coefficients @ columns)[None, None], np.zeros((1, 0)))
        basis = orthonormal(np.hstack([np.ones((len(columns.T), 1)), columns.T]), self.counts)
        statistic, dof = np.zeros(len(indices)), np.zeros(len(indices))
        for index in range(len(indices)):
            block = self._design.blocks(indices[[index]])
            dof[index] = added_rank(basis, block, self.counts)[0]
            if dof[index]:
                both = np.concatenate([columns, block[:, 0].T])[None]
                scores = self._family.row_scores(losses, both)[0]
                curvature = self._family.curvature(losses, both)[0]
                statistic[index] = self._statistic(scores, curvature, len(columns))
        return self._clusters.results(candidates, statistic, dof, len(columns), self.samples)

    def _statistic(self, scores: FloatArray, curvature: FloatArray, fixed: int) -> float:
        """Compute T of the columns after the first, of scores of shape (columns, rows)."""
        by_group = self._clusters.summed(scores.T)
        within, across = curvature[:fixed, :fixed], curvature[:fixed, fixed:]
        u = by_group[:, fixed:] - by_group[:, :fixed] @ np.linalg.pinv(within, 1e-12, hermitian=True) @ across
        total = u.sum(axis=0)
        return max(float(total @ np.linalg.pinv(u.T @ u, 1e-9, hermitian=True) @ total), 0.0)
