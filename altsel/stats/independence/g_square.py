"""Tests of independence in contingency tables: G-square and Pearson's chi-square."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from math import prod

import numpy as np

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.data.columns import codes
from altsel.data.dataset import Dataset
from altsel.errors import ArgumentError, DataError, checked_integer, listing, no_negative
from altsel.stats.discrete.contingency import Tables, crossed
from altsel.stats.discrete.counts import Columns
from altsel.stats.discrete.weighted import crossed_weighted
from altsel.stats.independence.base import BoundTest, Variables
from altsel.stats.independence.group_permutations import GroupPermutations
from altsel.stats.independence.log_p import log_chi_square
from altsel.stats.independence.protocol import TestResults
from altsel.stats.independence.rows import Given, rows_of


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
    asymptotically chi-square. The degrees of freedom are ``(r_x - 1)(r_t - 1)`` summed over
    the strata, where r_x and r_t are the numbers of values that occur in the stratum
    (``adjusted``), or all values (not adjusted, also for strata that are empty). The effect
    is the conditional mutual information ``I(X; T | S)``, in nats.

    Parameters
    ----------
    data
        Discrete features and a target of classes.
    samples_per_cell
        A test is done only with at least so many rows for each cell of the full table
        (UV eq. 45); 0 tests always.
    untestable
        What to answer otherwise: see `WhenUntestable`.
    adjusted
        Whether degrees of freedom are lost for values that do not occur.
    permutations
        If given, every p is found by permutations instead of the chi-square distribution.
    weights
        Frequency weights, as of `LikelihoodRatio`; not with permutations.
    groups
        Which rows belong together, as of `RobustScore`: permutations are then of whole groups, or within
        them, as `GroupPermutations` says; what none can test is not tested.

    Raises
    ------
    DataError
        If a feature or the target is not discrete, or weights or groups do not fit the data.
    ArgumentError
        If an option is out of its range, or contradicts another one.

    References
    ----------
    Agresti, Categorical Data Analysis; Yu, Liu and Li (2021), section 5.2.4.

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
        samples_per_cell: float = 5,
        untestable: WhenUntestable | str = WhenUntestable.SKIPPED,
        adjusted: bool = True,
        permutations: Permutations | None = None,
        weights: Given = None,
        groups: Given = None,
    ) -> None:
        no_negative("samples_per_cell", samples_per_cell)
        try:
            self.untestable = WhenUntestable(untestable)
        except ValueError as fault:
            raise ArgumentError(f"untestable={untestable!r}; use {listing(WhenUntestable)}") from fault
        self.samples_per_cell, self.adjusted, self.permutations = samples_per_cell, adjusted, permutations
        if weights is not None and (permutations or self.untestable is WhenUntestable.PERMUTED):
            raise ArgumentError("weights= and permutations: weighted rows cannot be permuted; repeat them")
        if groups is not None and permutations is None:
            fix = "permutations=Permutations(999), or use RobustScore(data, groups)"
            raise ArgumentError(f"groups= needs permutations for the {self.name}: {fix}")
        rows = rows_of(data, weights, groups)
        self.data, self.counts, self.groups, self.rows = rows.data, rows.counts, rows.groups, rows.total
        data = self.data
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
        columns, goal = self._columns, self._variables.index[self.target]
        statistic, dof = self._tested(indices, columns.codes[goal], known)
        own = columns.levels[indices]
        rest = float(columns.levels[goal]) * prod(columns.levels[known].tolist())
        enough = self.rows >= self.samples_per_cell * own * rest
        if not self.adjusted:
            dof = (own - 1.0) * rest * (1 - 1 / columns.levels[goal])
        if self.groups is not None and self.permutations is not None:
            draws = self.permutations.number, self.permutations.random_state
            moved = GroupPermutations(columns, self.groups, self._statistic)
            log_p, tested = moved.log_p(indices, known, goal, draws)
            return TestResults(tuple(candidates), log_p, statistic, dof, statistic / (2 * self.rows), tested)
        if self.permutations is not None:
            log_p = self._permuted(indices, known, statistic)
        else:
            log_p = log_chi_square(statistic, dof)
            if self.untestable is WhenUntestable.PERMUTED and not enough.all():
                log_p = np.where(enough, log_p, self._permuted(indices, known, statistic))
        return self._decided(candidates, log_p, statistic, dof, enough)

    def _tested(self, indices: IntArray, target: IntArray, known: list[int]) -> tuple[FloatArray, FloatArray]:
        """Compute statistics and adjusted degrees of freedom of the candidates."""
        if not len(indices):
            return np.zeros(0), np.zeros(0)
        most = 2 * len(indices) > len(self._columns)
        count = crossed if self.counts is None else partial(crossed_weighted, self.counts)
        tables = count(self._columns, None if most else indices, target, known)
        parts = [(self._statistic(table), table.dof()) for table in tables]
        if len(parts) == 1:
            statistic, dof = parts[0]
        else:
            statistic, dof = (np.concatenate(part) for part in zip(*parts, strict=True))
        return (statistic[indices], dof[indices]) if most else (statistic, dof)

    def _statistic(self, tables: Tables) -> FloatArray:
        return tables.g_square()

    def _decided(
        self,
        candidates: Sequence[str],
        log_p: FloatArray,
        statistic: FloatArray,
        dof: FloatArray,
        enough: BoolArray,
    ) -> TestResults:
        """Apply the rule for tables with too few rows."""
        effect = statistic / (2 * self.rows)
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
            again, _ = self._tested(indices, shuffled, known)
            hits += again >= statistic - 1e-9 * np.maximum(statistic, 1)
        return np.asarray(np.log((1 + hits) / (1 + settings.number)))


class ChiSquare(GSquare):
    """Pearson's chi-square test of independence of discrete variables, as `GSquare`.

    ``X2 = sum_{x,t,s} (n_xts - e_xts)^2 / e_xts`` with ``e_xts = n_xs n_ts / n_s``. The effect
    is ``X2 / 2n``, which approaches the conditional mutual information as that becomes small.

    Examples
    --------
    >>> import altsel
    >>> data = altsel.Dataset({"a": [0, 0, 1, 1] * 10, "b": [0, 1] * 20}, [0, 0, 1, 1] * 10)
    >>> ChiSquare(data)(["a", "b"]).statistic.tolist()
    [40.0, 0.0]
    """

    name = "chi-square test"

    def _statistic(self, tables: Tables) -> FloatArray:
        return tables.chi_square()


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
