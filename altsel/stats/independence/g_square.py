"""Tests of independence in contingency tables: G-square and Pearson's chi-square."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum

import numpy as np

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.data.columns import codes
from altsel.data.dataset import Dataset
from altsel.data.scanning import Scan, Statistics
from altsel.errors import ArgumentError, DataError, flags, listing, no_negative, of_kind
from altsel.runtime.clock import clock
from altsel.stats.discrete.contingency import Tables, crossed
from altsel.stats.discrete.counts import Columns
from altsel.stats.discrete.g_tests import g_tests
from altsel.stats.discrete.random_tables import Margins
from altsel.stats.discrete.scanned import ScannedColumns, scanned_columns
from altsel.stats.discrete.weighted import LARGEST_SUM, crossed_weighted, logs_of_sums
from altsel.stats.independence.base import BoundTest, Variables
from altsel.stats.independence.group_permutations import GroupPermutations
from altsel.stats.independence.permutations import Permutations
from altsel.stats.independence.protocol import TestResults, one_by_one
from altsel.stats.independence.rows import Given, rows_or_scan
from altsel.stats.log_p import log_chi_square


class WhenUntestable(StrEnum):
    """What to answer where there are too few rows for the cells of a table.

    ``SKIPPED``: say that there is no answer; a search for parents and children then keeps the
    candidate, one that adds features does not add it. ``INDEPENDENT``, ``DEPENDENT``: answer so.
    ``PERMUTED``: test by permutations, which need no minimal count; see `fallback` of `GSquare`.

    Examples
    --------
    >>> from altsel import Dataset
    >>> data = Dataset({"a": [0, 1, 0, 1], "b": [0, 0, 1, 1]}, [0, 1, 0, 1])
    >>> test = GSquare(data, corrected=False, untestable=WhenUntestable.INDEPENDENT)
    >>> test(["a"], given=["b"]).p.tolist()
    [1.0]
    """

    SKIPPED = "skipped"
    INDEPENDENT = "independent"
    DEPENDENT = "dependent"
    PERMUTED = "permuted"


class GSquare(BoundTest):
    r"""G-square test of independence of discrete variables, in every stratum of the given ones.

    ``G2 = 2 sum_{x,t,s} n_xts log(n_xts n_s / (n_xs n_ts)) = 2 n I(X; T | S)`` (UV eq. 46),
    asymptotically chi-square. The degrees of freedom are ``(r_x - 1)(r_t - 1)`` summed over
    the strata, where r_x and r_t are the numbers of values that occur in the stratum
    (``adjusted``), or all values (not adjusted, also for strata that are empty). The effect
    is the conditional mutual information ``I(X; T | S)``, in nats.

    In tables of few rows G2 exceeds d on average, and the test rejects too often. The exact mean m of G2
    over all tables with the same margins is known, so by default the chi-square distribution has max(d, m)
    degrees of freedom, as in semiparametric permutation tests, without permutations; strata in which all
    rows differ in one variable, which allow one value of G2 only, are left out. Where rare values make m
    smaller than d, the test rejects less often than alpha; it is not corrected upwards, as such statistics
    take few values: `expected_counts` finds p by permutations there. The mean says nothing of the tail: at
    .05 the level is kept, but in single tables of 20 or 30 rows the test rejects up to .04 at .01. Levels
    measured with and without are in ``benchmarks/results/level.md``.

    Parameters
    ----------
    data
        Discrete features and a target of classes; or a scan of such, of which each set of given features
        takes a pass, see ``Dataset.scan``.
    corrected
        Whether G2 is corrected so.
    samples_per_cell
        A test is done only with at least so many rows (or weights) for each cell of the full table
        (UV eq. 45); 0 tests always. Default: 0 where corrected or by expected counts, else 5.
    untestable
        What to answer otherwise: see `WhenUntestable`.
    adjusted
        Whether degrees of freedom are lost for values that do not occur.
    permutations
        If given, every p is found by permutations instead of the chi-square distribution, none below
        1 / (1 + their number).
    expected_counts
        Whether p is found by permutations in tables, of those that are tested, where a cell expects less
        than 1 row, or more than a fifth of the cells less than 5 (Cochran 1954), counted over the
        strata in which both variables vary. Default: not for G-square, but for `ChiSquare`.
    fallback
        Number and seed of these permutations, and of those that ``untestable="permuted"`` makes. No more
        are drawn than needed: after 20 hits p is hits / draws, exact at any level. With fewer than
        10, p is continued into the tail by a Pearson type III distribution of their moments; at .001 it
        rejects .001 to .003 of independent candidates, at .0001 up to .0008.
    weights
        Frequency weights, as of `LikelihoodRatio`; integers are the same as repeated rows. Sums of fractions
        (and integers of a sum beyond 2^24) are no counts: G2 is not corrected by default then, and what needs
        tables of counts (corrections, permutations, expected counts) is refused.
    groups
        Which rows belong together, as of `RobustScore`: permutations are then of whole groups, or within
        them, as `GroupPermutations` says, and alone decide; what none can test is not tested.

    Raises
    ------
    DataError
        If a feature or the target is not discrete, or weights or groups do not fit the data.
    ArgumentError
        If an option is out of its range, or contradicts another one.

    References
    ----------
    Agresti, Categorical Data Analysis; Yu, Liu and Li (2021), section 5.2.4; Tsamardinos and Borboudakis,
    ECML PKDD (2010), for degrees of freedom by the mean of permutations; Cochran, Biometrics 10 (1954);
    Besag and Clifford, Biometrika 78 (1991); Mielke and Berry, J. Statist. Plann. Inference 12 (1985).

    Examples
    --------
    >>> import altsel
    >>> data = altsel.Dataset({"a": [0, 0, 1, 1] * 10, "b": [0, 1] * 20}, [0, 0, 1, 1] * 10)
    >>> GSquare(data)(["a", "b"]).statistic.round(3).tolist()
    [55.452, 0.0]
    """

    name = "G-square test"
    _rule_of_cochran, _corrects = False, True

    def __init__(  # noqa: PLR0913 (options, as of an estimator)
        self,
        data: Dataset | Scan,
        *,
        corrected: bool | None = None,
        samples_per_cell: float | None = None,
        untestable: WhenUntestable | str = WhenUntestable.SKIPPED,
        adjusted: bool = True,
        permutations: Permutations | None = None,
        expected_counts: bool | None = None,
        fallback: Permutations | None = None,
        weights: Given = None,
        groups: Given = None,
    ) -> None:
        flags(adjusted=adjusted)
        for option, value in (("corrected", corrected), ("expected_counts", expected_counts)):
            of_kind(option, value, bool | np.bool_ | None, "True or False")
        for option, drawn in (("permutations", permutations), ("fallback", fallback)):
            of_kind(option, drawn, Permutations | None, "altsel.independence.Permutations(999), say")
        rows = rows_or_scan(data, weights, groups)
        self.data, self.counts, self.groups, self.rows = rows.data, rows.counts, rows.groups, rows.total
        self._logs = None if rows.counts is None else logs_of_sums(rows.counts)
        countable = rows.counts is None or self._logs is not None
        self.corrected = self._corrects and countable if corrected is None else corrected
        if self.corrected and not self._corrects:
            raise ArgumentError(f"the {self.name} has no correction of its mean; it has expected_counts=True")
        if self.corrected and not adjusted:
            raise ArgumentError("adjusted=False counts values that do not occur; use corrected=False with it")
        rule = self._rule_of_cochran and countable
        self.expected_counts = rule if expected_counts is None else expected_counts
        if samples_per_cell is None:
            samples_per_cell = 0 if self.corrected or self.expected_counts else RELIABLE
        no_negative("samples_per_cell", samples_per_cell)
        try:
            self.untestable = WhenUntestable(untestable)
        except ValueError as fault:
            raise ArgumentError(f"untestable={untestable!r}; use {listing(WhenUntestable)}") from fault
        self.samples_per_cell, self.adjusted, self.permutations = samples_per_cell, adjusted, permutations
        self.fallback = fallback or Permutations()
        self._refuse_rows(countable)
        self._variables = Variables.of(self.data)
        self._columns = (
            scanned_columns(self.data, f"the {self.name}")
            if isinstance(self.data, (Scan, Statistics))
            else Columns(coded(self.data, "the test", "PartialCorrelation or LikelihoodRatio"))
        )

    def _refuse_rows(self, countable: bool) -> None:
        """Raise an ArgumentError if options contradict weights or groups."""
        if self.groups is not None and self.permutations is None:
            fix = "permutations=Permutations(999), or use RobustScore(data, groups)"
            raise ArgumentError(f"groups= needs permutations for the {self.name}: {fix}")
        if self.groups is not None and self.counts is not None:
            fix = "repeat them, or use RobustScore(data, groups, weights=…)"
            raise ArgumentError(f"groups= and weights=: weighted rows cannot be permuted; {fix}")
        wanted = {
            "corrected=True": self.corrected,
            "expected_counts=True": self.expected_counts,
            "permutations=": self.permutations is not None,
            "untestable='permuted'": self.untestable is WhenUntestable.PERMUTED,
        }
        for option in (option for option, given in wanted.items() if given and not countable):
            raise ArgumentError(
                f"{option} needs tables of counts, but the weights are fractions or sum to {LARGEST_SUM} or "
                f"more: leave out {option}, or round the weights to integers"
            )

    @property
    def seed(self) -> int | None:
        """Seed of the permutations, if there may be any."""
        if self.permutations is not None:
            return self.permutations.random_state
        some = self.expected_counts or self.untestable is WhenUntestable.PERMUTED
        return self.fallback.random_state if some else None

    @property
    def smallest_p(self) -> float:
        """The smallest p there can be."""
        return 0.0 if self.permutations is None else self.permutations.smallest_p

    def __call__(self, candidates: Sequence[str], given: Sequence[str] = ()) -> TestResults:
        """Test each candidate against the target in the strata of the given features."""
        indices, known = self._variables.indices(candidates, given)
        columns, goal = self._columns, self._variables.index[self.target]
        statistic, dof, expected, log_p = self._tested(indices, known)
        if self._plain:
            return TestResults(
                tuple(candidates), log_p, statistic, dof, statistic / (2 * self.rows), expected
            )
        cells = self._cells(indices, known)
        enough = self.rows >= self.samples_per_cell * cells
        permuted = self._to_permute(enough, expected) & (dof > 0)
        if not self.adjusted:
            own = columns.levels[indices]
            dof = (own - 1.0) * (cells / own) * (1 - 1 / columns.levels[goal])
            log_p = log_chi_square(statistic, dof)
        if self.groups is not None and self.permutations is not None and isinstance(columns, Columns):
            draws = self.permutations.number, self.permutations.random_state
            moved = GroupPermutations(columns, self.groups, self._statistic)
            log_p, tested = moved.log_p(indices, known, goal, draws)
            return TestResults(tuple(candidates), log_p, statistic, dof, statistic / (2 * self.rows), tested)
        if permuted.any():
            log_p[permuted] = self._permuted(indices[permuted], known, statistic[permuted])
        return self._decided(candidates, log_p, statistic, dof, enough)

    def leave_one_out(self, features: Sequence[str]) -> TestResults:
        """Test each feature given the others; straight from the rows, if that is possible."""
        indices, _ = self._variables.indices(features, ())
        places = indices.tolist()
        parts: list[FloatArray] = []
        direct = self._plain and isinstance(self._columns, Columns)
        for j in range(len(places) if direct else 0):
            found = self._from_rows(indices[j : j + 1], [*places[:j], *places[j + 1 :]])
            if found is None:
                break
            parts.append(found)
        if not parts or len(parts) < len(places):
            return one_by_one(self, features)
        statistic, dof, log_p = self._of_g_tests(np.concatenate(parts, axis=1))
        tested = np.ones(len(places), dtype=bool)
        return TestResults(tuple(features), log_p, statistic, dof, statistic / (2 * self.rows), tested)

    @property
    def _plain(self) -> bool:
        """Whether the corrected distribution alone decides, of every table."""
        return self.corrected and not (self.samples_per_cell or self.expected_counts or self.permutations)

    def _to_permute(self, enough: BoolArray, expected: BoolArray) -> BoolArray:
        """Return the candidates whose p is found by permutations."""
        if self.permutations is not None:
            return np.ones_like(enough)
        few = enough & ~expected
        return few | ~enough if self.untestable is WhenUntestable.PERMUTED else few

    def suffices(self, candidate: str, given: Sequence[str]) -> bool:
        """Return whether there are five rows, or weights, for each cell of the full table (UV eq. 45)."""
        return bool(self.rows >= RELIABLE * self._cells(*self._variables.indices([candidate], given))[0])

    def _cells(self, indices: IntArray, known: list[int]) -> FloatArray:
        """Count the cells of each candidate's full table."""
        levels, goal = self._columns.levels, self._variables.index[self.target]
        with np.errstate(over="ignore"):  # of some thousand features there are infinitely many
            return np.asarray(levels[indices] * levels[[goal, *known]].prod(dtype=float))

    def _tested(
        self, indices: IntArray, known: list[int]
    ) -> tuple[FloatArray, FloatArray, BoolArray, FloatArray]:
        """Compute statistics, adjusted dof, whether expected counts are large enough, and log p."""
        if not len(indices):
            return np.zeros(0), np.zeros(0), np.zeros(0, dtype=bool), np.zeros(0)
        direct = self._without_tables(indices, known)
        if direct is not None:
            statistic, dof, log_p = direct
            return statistic, dof, np.ones(len(indices), dtype=bool), log_p
        most = 2 * len(indices) > len(self._columns) and isinstance(self._columns, Columns)
        parts = [self._of(table) for table in self._tables(None if most else indices, known)]
        if len(parts) == 1:
            statistic, dof, expected, log_p = parts[0]
        else:
            statistic, dof, expected, log_p = (np.concatenate(part) for part in zip(*parts, strict=True))
        if not most:
            return statistic, dof, expected, log_p
        return statistic[indices], dof[indices], expected[indices], log_p[indices]

    def _without_tables(
        self, indices: IntArray, known: list[int]
    ) -> tuple[FloatArray, FloatArray, FloatArray] | None:
        """Compute statistic, dof and log p straight from the rows, where nothing else needs the tables."""
        found = self._from_rows(indices, known)
        return None if found is None else self._of_g_tests(found)

    def _from_rows(self, indices: IntArray, known: list[int]) -> FloatArray | None:
        if self.counts is not None or self.expected_counts or self.permutations is not None:
            return None
        goal = self._variables.index[self.target]
        if isinstance(self._columns, ScannedColumns):
            return self._columns.g_tests(indices, goal, known, self.corrected)
        return g_tests(self._columns, indices, goal, known, self.corrected)

    def _tables(self, indices: IntArray | None, known: list[int]) -> Iterator[Tables]:
        """Count the candidates and the target, or sum their weights."""
        if isinstance(self._columns, ScannedColumns):
            return self._columns.crossed(indices, self._variables.index[self.target], known)
        target = self._columns.codes[self._variables.index[self.target]]
        if self.counts is None:
            return crossed(self._columns, indices, target, known)
        return crossed_weighted(self.counts, self._columns, indices, target, known, self._logs)

    def _of(self, tables: Tables) -> tuple[FloatArray, FloatArray, BoolArray, FloatArray]:
        statistic, dof, log_p = self._compared(tables)
        return statistic, dof, self._expected(tables), log_p

    def _expected(self, tables: Tables) -> BoolArray:
        """Apply Cochran's rule, where it is to decide."""
        rule = self.expected_counts and self.permutations is None
        return tables.expected_enough() if rule else np.ones(len(tables.starts), dtype=bool)

    def _statistic(self, tables: Tables) -> FloatArray:
        return tables.g_square()

    def _compared(self, tables: Tables) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Compare with the chi-square distribution, corrected if that is wanted; statistic, dof and log p."""
        return self._of_g_tests(tables.g_tests(self.corrected and self.permutations is None))

    def _of_g_tests(self, found: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        statistic, dof, *by_margins = found
        if not by_margins:
            return statistic, dof, log_chi_square(statistic, dof)
        telling, mean, free = by_margins
        return statistic, dof, log_chi_square(telling, np.where(free > 0, np.maximum(mean, free), 0.0))

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

    def _permuted(self, indices: IntArray, known: list[int], statistic: FloatArray) -> list[float]:
        """Find p by permuting the target within the strata."""
        settings = self.permutations
        found = self.fallback.continued_log_p if settings is None else settings.log_p
        result = []
        tables = (table for part in self._tables(indices, known) for table in part.of_each())
        for table, value in zip(tables, statistic.tolist(), strict=True):
            clock().check()
            result.append(found(table, value, self._of_drawn))
        return result

    _of_drawn = staticmethod(Margins.g_square)


class ChiSquare(GSquare):
    """Pearson's chi-square test of independence of discrete variables, as `GSquare`.

    ``X2 = sum_{x,t,s} (n_xts - e_xts)^2 / e_xts`` with ``e_xts = n_xs n_ts / n_s``. The effect
    is ``X2 / 2n``, which approaches the conditional mutual information as that becomes small.

    Where few rows are expected in the cells, p is found by permutations (`expected_counts`, Cochran 1954):
    with a class of 1 % of the rows the chi-square distribution rejects two to three times too often at .05,
    eight times at .01. This takes 0.5 to 3 ms a test instead of 0.05, and makes the test random; `seed` is
    that of `fallback`. ``expected_counts=False`` takes the chi-square distribution always.

    Examples
    --------
    >>> import altsel
    >>> data = altsel.Dataset({"a": [0, 0, 1, 1] * 10, "b": [0, 1] * 20}, [0, 0, 1, 1] * 10)
    >>> ChiSquare(data)(["a", "b"]).statistic.tolist()
    [40.0, 0.0]
    """

    name = "chi-square test"
    _rule_of_cochran, _corrects = True, False

    def _statistic(self, tables: Tables) -> FloatArray:
        return tables.chi_square()

    def _without_tables(
        self, indices: IntArray, known: list[int]
    ) -> tuple[FloatArray, FloatArray, FloatArray] | None:
        del indices, known
        return None

    def _compared(self, tables: Tables) -> tuple[FloatArray, FloatArray, FloatArray]:
        statistic, dof = tables.chi_square(), tables.dof()
        return statistic, dof, log_chi_square(statistic, dof)

    _of_drawn = staticmethod(Margins.chi_square)


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
