"""A test on those rows that have all the values which it needs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from altsel._types import BoolArray, IntArray
from altsel.data.dataset import Dataset, of_columns
from altsel.data.gapped import gapped_table
from altsel.errors import ArgumentError, DataError
from altsel.runtime.caller import quietly
from altsel.stats.independence.base import BoundTest, Variables
from altsel.stats.independence.protocol import Independence, TestResults

REMEMBERED = 64
"""Sets of rows whose test is kept."""


class CompleteRows(BoundTest):
    """Test on the rows that have the candidate, what is given, and the target (test-wise deletion).

    More rows are used than by dropping all rows with any gap. Answers are right where values are *missing
    completely at random*; where gaps hang on other columns, they may tell of a dependence that there is not:
    then impute. Ranks of p by different candidates are of different rows.

    Parameters
    ----------
    X, y
        The table, with NaN (or None) for missing values, and the target or the name of its column.
    make
        What makes the test of a data set: ``altsel.independence.PartialCorrelation``, or a function.
    **of_data
        Arguments of `altsel.Dataset`, such as `task` and `kinds`.

    Raises
    ------
    DataError
        If the table is no data set, or no row has a value of the target.

    References
    ----------
    Strobl, Visweswaran and Spirtes, International Journal of Data Science and Analytics 6 (2018), who name it
    test-wise deletion; Tu et al., AISTATS 2019, on when it is right.

    Examples
    --------
    >>> import numpy as np
    >>> import altsel
    >>> x = np.random.default_rng(0).normal(size=(100, 2))
    >>> y = x[:, 0].copy()
    >>> x[:40, 1] = np.nan
    >>> test = CompleteRows(x, y, altsel.independence.PartialCorrelation)
    >>> test(["x0", "x1"]).p.round(2).tolist(), test.rows("x0"), test.rows("x1")
    ([0.0, 0.43], 100, 60)
    """

    def __init__(self, X: Any, y: Any, make: Callable[[Dataset], Independence], **of_data: Any) -> None:
        if not callable(make):
            raise ArgumentError(f"make={make!r}; give a function of a Dataset that returns a test")
        read = gapped_table(X, y, **of_data)
        table, target = read.X, read.y
        kinds: dict[str, Any] = dict(read.kinds)
        task = read.task
        for name in [str(name) for name in table]:
            alone = read.alone(name, kinds, task)
            task = task or alone.task
            kinds.setdefault(name, alone.kinds[name])
        self._make, self._table, self._task = make, table, task
        self._y, self._kinds, self._whole = target, kinds, table.notna().to_numpy()
        names = tuple(str(name) for name in table.columns)
        self._variables = Variables((*names, str(target.name)), str(target.name))
        self._known: dict[tuple[bytes, tuple[str, ...]], Independence] = {}
        self._called = getattr(make, "__name__", "test")
        if self._called == "<lambda>":  # of one column, as of others
            self._called = str(getattr(quietly(make, alone), "name", "test"))

    @property
    def name(self) -> str:
        """The test in words."""
        return f"{self._called} on complete rows"

    def rows(self, candidate: str, given: Sequence[str] = ()) -> int:
        """Return how many rows a candidate is tested on."""
        indices, known = self._variables.indices([candidate], given)
        return int(self._complete([*indices.tolist(), *known]).sum())

    def __call__(self, candidates: Sequence[str], given: Sequence[str] = ()) -> TestResults:
        """Test each candidate on the rows that are complete for it; those with the same gaps at once."""
        indices, known = self._variables.indices(candidates, given)
        size = len(indices)
        log_p, statistic, dof, effect = np.zeros(size), np.zeros(size), np.zeros(size), np.zeros(size)
        tested = np.zeros(size, dtype=bool)
        for rows, alike in self._by_rows(indices, known):
            answers = self._answers(rows, [candidates[i] for i in alike], given)
            if answers is None:
                continue
            some = [i for i in alike if candidates[i] in answers.candidates]
            log_p[some], statistic[some], dof[some] = answers.log_p, answers.statistic, answers.dof
            effect[some], tested[some] = answers.effect, answers.tested
        return TestResults(tuple(candidates), log_p, statistic, dof, effect, tested)

    def _complete(self, columns: Sequence[int]) -> BoolArray:
        """Return the rows with all values of some variables, and of the target that is now."""
        goal = self._variables.index[self.target]
        inside = [j for j in (*columns, goal) if j < self._whole.shape[1]]  # the target of the table has all
        return np.asarray(self._whole[:, inside].all(axis=1))

    def _varies(self, name: str, rows: BoolArray) -> bool:
        """Return whether a column has two values in some rows: else it tells nothing."""
        return bool(self._table.loc[rows, name].nunique() > 1)

    def _by_rows(self, indices: IntArray, known: list[int]) -> list[tuple[BoolArray, list[int]]]:
        groups: dict[bytes, tuple[BoolArray, list[int]]] = {}
        for i, j in enumerate(indices.tolist()):
            rows = self._complete([j, *known])
            groups.setdefault(rows.tobytes(), (rows, []))[1].append(i)
        return list(groups.values())

    def _answers(
        self, rows: BoolArray, candidates: Sequence[str], given: Sequence[str]
    ) -> TestResults | None:
        """Test on some rows; None where these are no data set: too few, or the target has one value."""
        own = str(self._y.name)
        names = tuple(dict.fromkeys([*candidates, *given, self.target]))
        columns = tuple(name for name in self._table.columns if name in names and self._varies(name, rows))
        key = (rows.tobytes(), columns)
        if key not in self._known:
            kinds = {name: self._kinds[name] for name in columns}
            try:
                kinds |= {name: kind for name, kind in self._kinds.items() if name == own}
                part = self._table.loc[rows, list(columns)]
                made = quietly(lambda: self._make(of_columns(part, self._y[rows], self._task, kinds)))
            except DataError:
                return None
            if len(self._known) >= REMEMBERED:
                self._known.pop(next(iter(self._known)))
            self._known[key] = made
        test = self._known[key]
        if self.target != own:
            if self.target not in test.features:
                return None
            test = test.with_target(self.target)
        # a column that is constant in these rows tells nothing, given or not
        there = [name for name in candidates if name in test.features]
        return test(there, [name for name in given if name in test.features]) if there else None
