"""The G-square test of independence in contingency tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import prod

import numpy as np

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.data.columns import codes
from altsel.data.dataset import Dataset
from altsel.errors import ArgumentError, DataError, checked_integer, listing, no_negative
from altsel.stats.discrete.contingency import Tables, crossed
from altsel.stats.discrete.counts import Columns
from altsel.stats.independence.base import BoundTest, Variables
from altsel.stats.independence.log_p import log_chi_square
from altsel.stats.independence.protocol import TestResults, joined


class WhenUntestable(StrEnum):
    """What to answer where there are too few rows for the cells of a table.

    ``SKIPPED``: say that there is no answer; a search for parents and children then keeps the
    candidate, one that adds features does not add it. ``INDEPENDENT``, ``DEPENDENT``: answer so.
    ``PERMUTED``: test by permutations, which need no minimal count.
    """

    SKIPPED = "skipped"
    INDEPENDENT = "independent"
    DEPENDENT = "dependent"
    PERMUTED = "permuted"


@dataclass(frozen=True)
class Permutations:
    """How p is found by permuting the target within the strata: ``(1 + hits) / (1 + number)``.

    Parameters
    ----------
    number
        Number of permutations.
    random_state
        Seed; every test draws the same permutations, whatever was tested before.
    """

    number: int = 999
    random_state: int = 0

    def __post_init__(self) -> None:
        checked_integer("number of permutations", self.number, 1)
        checked_integer("random_state", self.random_state, 0)


class GSquare(BoundTest):
    r"""G-square test of independence of discrete variables, in every stratum of the given ones.

    ``G2 = 2 sum_{x,t,s} n_xts log(n_xts n_s / (n_xs n_ts)) = 2 n I(X; T | S)`` (UV eq. 46),
    asymptotically chi-square. The degrees of freedom d are ``(r_x - 1)(r_t - 1)`` summed over
    the strata, where r_x and r_t are the numbers of values that occur in the stratum
    (``adjusted``), or all values (not adjusted, also for strata that are empty). The effect
    is the conditional mutual information ``I(X; T | S)``, in nats.

    In tables of few rows G2 exceeds d on average, and the test rejects too often. The exact mean m of G2
    over all tables with the same margins is known, so by default ``G2 min(1, d / m)`` is compared with the
    chi-square distribution (a Bartlett correction given the margins); strata in which all rows
    differ in one variable, which allow one value of G2 only, are left out. Where rare values make m
    smaller than d, the test rejects less often than alpha; it is not corrected upwards, as such
    statistics take few values. No minimal number of rows is needed then.

    Parameters
    ----------
    data
        Discrete features and a target of classes.
    corrected
        Whether G2 is corrected so.
    samples_per_cell
        A test is done only with at least so many rows for each cell of the full table
        (UV eq. 45); 0 tests always. Default: 0 where corrected, else 5.
    untestable
        What to answer otherwise: see `WhenUntestable`.
    adjusted
        Whether degrees of freedom are lost for values that do not occur.
    permutations
        If given, every p is found by permutations instead of the chi-square distribution.

    Raises
    ------
    DataError
        If a feature or the target is not discrete.
    ArgumentError
        If an option is out of its range.

    References
    ----------
    Agresti, Categorical Data Analysis; Yu, Liu and Li (2021), section 5.2.4; Bartlett, Proceedings of
    the Royal Society A 160 (1937), for corrections of the mean.

    Examples
    --------
    >>> import altsel
    >>> data = altsel.Dataset({"a": [0, 0, 1, 1] * 10, "b": [0, 1] * 20}, [0, 0, 1, 1] * 10)
    >>> GSquare(data)(["a", "b"]).statistic.round(3).tolist()
    [55.452, 0.0]
    """

    name = "G-square test"

    def __init__(
        self,
        data: Dataset,
        *,
        corrected: bool = True,
        samples_per_cell: float | None = None,
        untestable: WhenUntestable | str = WhenUntestable.SKIPPED,
        adjusted: bool = True,
        permutations: Permutations | None = None,
    ) -> None:
        if samples_per_cell is None:
            samples_per_cell = 0 if corrected else RELIABLE
        no_negative("samples_per_cell", samples_per_cell)
        if corrected and not adjusted:
            raise ArgumentError("adjusted=False counts values that do not occur; use corrected=False with it")
        try:
            self.untestable = WhenUntestable(untestable)
        except ValueError as fault:
            raise ArgumentError(f"untestable={untestable!r}; use {listing(WhenUntestable)}") from fault
        self.corrected, self.adjusted, self.permutations = corrected, adjusted, permutations
        self.samples_per_cell = samples_per_cell
        self.data = data
        self._variables = Variables((*data.features, data.target), data.target)
        self._columns = Columns(coded(data, "the test", "PartialCorrelation or LikelihoodRatio"))

    @property
    def seed(self) -> int | None:
        """Seed of the permutations, if there are any."""
        if self.permutations is not None:
            return self.permutations.random_state
        return Permutations().random_state if self.untestable is WhenUntestable.PERMUTED else None

    def __call__(self, candidates: Sequence[str], given: Sequence[str] = ()) -> TestResults:
        """Test each candidate against the target in the strata of the given features."""
        indices, known = self._variables.indices(candidates, given)
        if not len(indices):
            return joined([])
        columns, goal = self._columns, self._variables.index[self.target]
        numbers = self._numbers(indices, columns.codes[goal], known)
        statistic, dof = numbers[:2]
        own = columns.levels[indices]
        rest = float(columns.levels[goal]) * prod(columns.levels[known].tolist())
        enough = columns.rows >= self.samples_per_cell * own * rest
        if not self.adjusted:
            dof = (own - 1.0) * rest * (1 - 1 / columns.levels[goal])
        if self.permutations is not None:
            log_p = self._permuted(indices, known, statistic)
        else:
            log_p = self._log_p(numbers, dof)
            if self.untestable is WhenUntestable.PERMUTED and not enough.all():
                log_p = np.where(enough, log_p, self._permuted(indices, known, statistic))
        return self._decided(candidates, log_p, statistic, dof, enough)

    def suffices(self, candidate: str, given: Sequence[str]) -> bool:
        """Return whether there are five rows for each cell of the full table (UV eq. 45)."""
        indices, known = self._variables.indices([candidate], given)
        levels = self._columns.levels
        cells = prod(levels[[*indices.tolist(), self._variables.index[self.target], *known]].tolist())
        return bool(self._columns.rows >= RELIABLE * cells)

    def _numbers(self, indices: IntArray, target: IntArray, known: list[int]) -> FloatArray:
        """Compute the numbers of each candidate that p follows from: statistic, degrees of freedom, …."""
        most = 2 * len(indices) > len(self._columns)
        tables = crossed(self._columns, None if most else indices, target, known)
        numbers = np.concatenate([np.array(self._of(table)) for table in tables], axis=1)
        return numbers[:, indices] if most else numbers

    def _of(self, tables: Tables) -> tuple[FloatArray, ...]:
        """Compute statistic, degrees of freedom, and what else p follows from, of the candidates."""
        plain = tables.g_square(), tables.dof()
        return (*plain, *tables.g_square_by_margins()) if self.corrected else plain

    def _log_p(self, numbers: FloatArray, dof: FloatArray) -> FloatArray:
        if not self.corrected:
            return log_chi_square(numbers[0], dof)
        _, _, statistic, mean, free = numbers
        share = np.minimum(np.divide(free, mean, out=np.ones_like(mean), where=mean > free), 1.0)
        return log_chi_square(statistic * share, free)

    def _decided(
        self,
        candidates: Sequence[str],
        log_p: FloatArray,
        statistic: FloatArray,
        dof: FloatArray,
        enough: BoolArray,
    ) -> TestResults:
        """Apply the rule for tables with too few rows."""
        effect = statistic / (2 * self._columns.rows)
        if enough.all():
            return TestResults(tuple(candidates), log_p, statistic, dof, effect, enough)
        tested = enough if self.permutations is None else np.ones_like(enough)
        if self.untestable is not WhenUntestable.SKIPPED:
            if self.untestable is not WhenUntestable.PERMUTED:
                verdict = 0.0 if self.untestable is WhenUntestable.INDEPENDENT else UNTESTED_DEPENDENCE
                log_p = np.where(tested, log_p, verdict)
            tested = np.ones_like(enough)
        log_p = np.where(tested, log_p, 0.0)
        return TestResults(tuple(candidates), log_p, statistic, dof, effect, tested)

    def _permuted(self, indices: IntArray, known: list[int], statistic: FloatArray) -> FloatArray:
        """Find p by permuting the target within the strata, the same way for every candidate."""
        settings = self.permutations or Permutations()
        random = np.random.default_rng(settings.random_state)
        goal = self._columns.codes[self._variables.index[self.target]]
        strata, _ = self._columns.strata(known)
        sorted_rows = np.argsort(strata, kind="stable")
        shuffled = np.empty_like(goal)
        hits = np.zeros(len(indices))
        for _ in range(settings.number):
            order = np.lexsort((random.random(len(goal)), strata))
            shuffled[sorted_rows] = goal[order]
            again = self._numbers(indices, shuffled, known)[0]
            hits += again >= statistic - 1e-9 * np.maximum(statistic, 1)
        return np.asarray(np.log((1 + hits) / (1 + settings.number)))


RELIABLE = 5
"""Rows for each cell of a table with which a test is held reliable."""
UNTESTED_DEPENDENCE = -700.0
"""Logarithm of p where a dependence is assumed without a test."""


def coded(data: Dataset, what: str, instead: str) -> IntArray:
    """Code the features and the target, which `what` needs, or say which of them are no classes."""
    numeric = [name for name, flat in zip(data.features, data.discrete(), strict=True) if not flat]
    if not data.discrete_target:
        numeric.append(data.target)
    if numeric:
        raise DataError(
            f"{what} needs discrete columns; {listing(numeric)} hold numbers: cut them into bins, "
            f"call them categorical (kinds=), or use {instead}"
        )
    return np.array([*(codes(data.X[name]) for name in data.features), codes(data.y)])
