"""Each test, relevance and redundancy on the rows that have what it needs: available-case analysis."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from altsel._types import BoolArray
from altsel.data.dataset import Dataset, of_columns
from altsel.data.gapped import gapped_table
from altsel.data.intake.fingerprints import fingerprint
from altsel.display.names import short
from altsel.errors import DataError
from altsel.runtime.caller import quietly
from altsel.stats.dependence.measure import Dependence
from altsel.stats.imputation.complete_rows import CompleteRows
from altsel.stats.imputation.several import SeveralTables
from altsel.stats.independence.protocol import Independence


class AvailableCases(SeveralTables):
    """A table with gaps, of which everything uses the rows that have what it needs.

    A relevance is of the rows that have the feature, a redundancy of those that have both, a test of those
    that have the candidate and what is given. Right where values are *missing completely at random*. Numbers
    that are compared are of different rows.

    Parameters
    ----------
    X, y
        The table, with NaN (or None) for missing values, and the target or the name of its column.
    **of_data
        Arguments of `altsel.Dataset`, such as `task`, `kinds` and `drop`.

    Raises
    ------
    DataError
        If the table is no data set but for its gaps.

    References
    ----------
    Little and Rubin, "Statistical analysis with missing data" (2019), section 3.4.

    Examples
    --------
    >>> import numpy as np
    >>> import altsel
    >>> x = np.random.default_rng(0).normal(size=(100, 2))
    >>> y = x[:, 0] + x[:, 1]
    >>> x[:40, 1] = np.nan
    >>> known = AvailableCases(x, y)
    >>> found = known.dependence(lambda data: altsel.dependence(data, altsel.measures.absolute_pearson))
    >>> bool(np.isclose(found.relevance["x1"], abs(np.corrcoef(x[40:, 1], y[40:])[0, 1])))
    True
    """

    def __init__(self, X: Any, y: Any, **of_data: Any) -> None:
        read = gapped_table(X, y, **of_data)
        kinds, task = dict(read.kinds), read.task
        self._table, self._y = read.X, read.y
        self._constant: list[str] = []
        for name in map(str, read.X.columns):
            if read.X[name].nunique() < 2:
                self._constant.append(name)
                continue
            alone = read.alone(name, kinds, task)
            task = task or alone.task
            kinds[name] = alone.kinds[name]
        self._kinds, self.task, self._absent = kinds, task, read.absent
        if len(self._constant) == read.X.shape[1]:
            raise DataError("no usable feature: every column is constant")

    @property
    def features(self) -> tuple[str, ...]:
        """Names of the features."""
        return tuple(name for name in map(str, self._table.columns) if name not in self._constant)

    @property
    def target(self) -> str:
        """Name of the target."""
        return str(self._y.name)

    @property
    def absent(self) -> Mapping[str, str]:
        """Why other columns are no features, by name."""
        return {**self._absent, **dict.fromkeys(self._constant, "it is constant in the rows in use")}

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of names and values."""
        return fingerprint(self._table, self._y)

    def __repr__(self) -> str:
        shape = f"{len(self._y)} rows, {len(self.features)} features"
        return f"<AvailableCases: {shape}, target {short(self.target)!r}>"

    def test(self, make: Callable[[Dataset], Independence]) -> CompleteRows:
        """Return a test of the rows that have what it needs.

        Parameters
        ----------
        make
            What makes the test of one: ``altsel.independence.PartialCorrelation``, or a function.
        """
        names = list(self.features)
        made: CompleteRows = quietly(
            CompleteRows, self._table[names], self._y, make, task=self.task, kinds=self._kinds, keep=names
        )
        return made

    def dependence(self, make: Callable[[Dataset], Dependence]) -> Dependence:
        """Return relevances and redundancies, each of the rows that have it, for criteria.

        Parameters
        ----------
        make
            What measures one: ``lambda data: altsel.dependence(data, measure)``.
        """
        parts = self._by_gaps()
        each = [self._measured(make, rows, names) for rows, names in parts]
        relevance = pd.Series(0.0, index=pd.Index(self.features, dtype=object))
        for measured in each:
            if measured is not None:
                relevance.update(measured.relevance)

        def redundancy() -> pd.DataFrame:
            table = pd.DataFrame(0.0, index=relevance.index, columns=relevance.index)
            for i, (rows, names) in enumerate(parts):
                for others, further in parts[i:]:
                    both = names if further is names else (*names, *further)
                    found = self._measured(make, rows & others, both)
                    if found is not None:
                        part = found.redundancy.reindex(index=names, columns=further, fill_value=0.0)
                        table.loc[list(names), list(further)] = part.to_numpy()
                        table.loc[list(further), list(names)] = part.to_numpy().T
            return table

        first = next((one for one in each if one is not None), None)
        if first is None:
            raise DataError("no feature can be measured: the rows that have values are too few or alike")
        name = f"{first.measure}, on available cases"
        pairs = None if first._redundancy is None else redundancy
        made = Dependence(relevance, pairs, name, first.target, first.seed, None, first.caveats)
        return made.with_members({}, self.absent)

    def _by_gaps(self) -> list[tuple[BoolArray, tuple[str, ...]]]:
        """Return rows and features that have values there, and gaps elsewhere."""
        groups: dict[bytes, tuple[BoolArray, list[str]]] = {}
        for name in self.features:
            rows = self._table[name].notna().to_numpy()
            groups.setdefault(rows.tobytes(), (rows, []))[1].append(name)
        return [(rows, tuple(names)) for rows, names in groups.values()]

    def _measured(
        self, make: Callable[[Dataset], Dependence], rows: BoolArray, names: tuple[str, ...]
    ) -> Dependence | None:
        """Measure some features on some rows; None where these are too few or all alike."""
        table = self._table.loc[rows, list(names)]
        varied = [name for name in names if len(table) and (table[name] != table[name].iloc[0]).any()]
        kinds = {name: self._kinds[name] for name in varied}
        kinds |= {name: kind for name, kind in self._kinds.items() if name == self.target}
        if not varied or np.unique(self._y[rows].to_numpy()).size < 2:
            return None
        made: Dependence = quietly(lambda: make(of_columns(table[varied], self._y[rows], self.task, kinds)))
        return made
