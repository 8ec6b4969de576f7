"""Imputed tables: made by an imputer of scikit-learn, or from outside."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from importlib import import_module
from typing import Any

import numpy as np
import pandas as pd

from altsel._types import FloatArray
from altsel.data.columns import numbers
from altsel.data.dataset import Dataset, checked_dataset, of_columns
from altsel.data.gapped import GappedTable, gapped_table
from altsel.display.names import short
from altsel.errors import ArgumentError, DataError, checked_integer, listing, of_kind
from altsel.runtime.caller import quietly
from altsel.stats.dependence.measure import Dependence
from altsel.stats.imputation.chained import chained
from altsel.stats.imputation.pooled import Pooled
from altsel.stats.imputation.several import SeveralTables
from altsel.stats.independence.protocol import Independence


@dataclass(frozen=True, eq=False)
class Imputations(SeveralTables):
    """Imputed tables of the same rows, as data sets.

    Attributes
    ----------
    datasets
        One a table.
    missing
        Share of the values that were missing, by feature; empty where it is not known.

    Examples
    --------
    >>> import numpy as np
    >>> import altsel
    >>> random = np.random.default_rng(1)
    >>> x = random.normal(size=(60, 3))
    >>> y = x[:, 0] + 0.1 * random.normal(size=60)
    >>> x[:20, 1] = np.nan
    >>> found = altsel.imputation.impute(x, y, number=5)
    >>> len(found), found.missing
    (5, {'x0': 0.0, 'x1': 0.3333333333333333, 'x2': 0.0})
    >>> test = found.test(altsel.independence.PartialCorrelation)
    >>> altsel.blankets.iamb(test, alpha=0.01)[0].features
    ('x0',)
    """

    datasets: tuple[Dataset, ...]
    missing: Mapping[str, float]

    def __post_init__(self) -> None:
        of_kind("datasets", self.datasets, tuple, "data sets of the same rows")
        of_kind("missing", self.missing, Mapping, "shares by name of the feature")
        for data in self.datasets:
            checked_dataset("Imputations", data)
        if len(self.datasets) < 2:
            raise ArgumentError(f"{len(self.datasets)} imputed table; give 2 at least, better 20")
        first = self.datasets[0]
        for number, data in enumerate(self.datasets):
            if (data.features, data.target, len(data.y)) != (first.features, first.target, len(first.y)):
                raise DataError(f"table {number} has other features, target or number of rows than table 0")

    def __len__(self) -> int:
        return len(self.datasets)

    def __repr__(self) -> str:
        first = self.datasets[0]
        shape = f"{len(first.y)} rows, {len(first.features)} features"
        return f"<Imputations: {len(self)} tables of {shape}, target {short(first.target)!r}>"

    def __iter__(self) -> Iterator[Dataset]:
        return iter(self.datasets)

    @property
    def features(self) -> tuple[str, ...]:
        """Names of the features."""
        return self.datasets[0].features

    @property
    def target(self) -> str:
        """Name of the target."""
        return self.datasets[0].target

    @property
    def absent(self) -> Mapping[str, str]:
        """Why other columns are no features, by name."""
        return self.datasets[0].absent

    @property
    def guide(self) -> Dataset:
        """The first table, for choices that are guides."""
        return self.datasets[0]

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of the fingerprints of all tables."""
        return sha256("".join(data.fingerprint for data in self.datasets).encode()).hexdigest()

    def test(self, make: Callable[[Dataset], Independence]) -> Pooled:
        """Return a test whose answers are pooled over the tables.

        Parameters
        ----------
        make
            What makes the test of one: ``altsel.independence.PartialCorrelation``, or a function.
        """
        return Pooled([make(data) for data in self.datasets])

    def dependence(self, make: Callable[[Dataset], Dependence]) -> Dependence:
        """Return relevances and redundancies that are means over the tables, for criteria.

        Parameters
        ----------
        make
            What measures one: ``lambda data: altsel.dependence(data, measure)``.
        """
        found = [make(data) for data in self.datasets]
        relevance: Any = sum(one.relevance for one in found) / len(found)

        def redundancy() -> pd.DataFrame:
            tables = [one.redundancy for one in found]
            values = np.mean([table.to_numpy() for table in tables], axis=0)
            return pd.DataFrame(values, tables[0].index, tables[0].columns)

        first = found[0]
        name = f"{first.measure}, mean of {len(found)} imputed tables"
        pairs = None if first._redundancy is None else redundancy
        pooled = Dependence(relevance, pairs, name, first.target, first.seed, None, first.caveats)
        return pooled.with_members(first.members, first.absent)

    def stacked(self) -> tuple[Dataset, FloatArray]:
        """Return the rows of all tables below each other, and their weights, which add up to the rows of one.

        For criteria that take weights: ``LinearFit(data, weights=weights)``, ``ModelFit``. Each row counts as
        much as it did; the best set is that of the mean of the tables' losses (Wood, White and Royston,
        Statistics in Medicine 27, 2008, section 3.2). Tests need `test`: to them the rows are too many.
        """
        first = self.datasets[0]
        table = pd.concat([data.X for data in self.datasets], ignore_index=True)
        target = pd.concat([data.y for data in self.datasets], ignore_index=True)
        kinds = {name: first.kinds[name] for name in first.features}
        data = quietly(of_columns, table, target, first.task, kinds)  # copies of rows are meant
        return data, np.full(len(target), 1.0 / len(self.datasets))


def impute(
    X: Any, y: Any, imputer: Any = None, *, number: int = 20, random_state: int = 0, **of_data: Any
) -> Imputations:
    """Impute a table several times, by an imputer that draws at random.

    Each draw is another seed, so that tables differ by as much as the values are uncertain. The target takes
    part, as it must where relations to it are tested later; rows without it are left out, it is never imputed
    itself. Values must be *missing at random*: whether one is missing may hang on what the table shows, not
    on the missing value.

    Parameters
    ----------
    X
        A table of numbers and categories; missing values are NaN or None.
    y
        The target, or the name of its column.
    imputer
        An imputer of scikit-learn that draws, for tables of numbers alone; default: chained equations, linear
        for numbers and logistic for categories, whose coefficients are drawn for each table. scikit-learn's
        ``IterativeImputer(sample_posterior=True)`` draws them for each value by itself: where much is
        missing, tests find too much then.
    number
        How many tables.
    random_state
        Seed of the first; the others follow.
    **of_data
        Arguments of `altsel.Dataset`, such as `task`, `kinds` and `drop`.

    Returns
    -------
    Imputations
        As many tables.

    Raises
    ------
    DataError
        If there is no data set but for the gaps, or the imputer takes numbers alone and there are others.
    ArgumentError
        If the imputer does not draw: two tables are equal though values are missing.

    References
    ----------
    Rubin (1987); van Buuren, "Flexible imputation of missing data" (2018), sections 2.3, 4.5 and 6.3.2 (that
    the target takes part).

    Examples
    --------
    >>> table = {"a": [1.0, 2.0, 3.0, 4.0], "b": [2.0, float("nan"), 1.0, 0.5]}
    >>> found = impute(table, [1.0, 2.5, 3.0, 4.0], number=3)
    >>> len({float(data.X.iloc[1, 1]) for data in found})
    3
    """
    checked_integer("number", number, 2)
    checked_integer("random_state", random_state, 0)
    read = gapped_table(X, y, **of_data)
    seeds = range(random_state, random_state + number)
    if imputer is None:
        tables = [chained(read.X, read.y, seed) for seed in seeds]
    else:
        tables = _by_imputer(imputer, read, seeds)
    missing = {str(name): float(share) for name, share in read.X.isna().mean().items()}
    return _of(tables, read, missing)


def of_tables(tables: Sequence[Any], y: Any, **of_data: Any) -> Imputations:
    """Take tables that were imputed elsewhere, such as by mice in R.

    Parameters
    ----------
    tables
        The same rows and columns, imputed again and again; without missing values.
    y
        The target, or the name of its column, which must be the same in all.
    **of_data
        Arguments of `altsel.Dataset`, such as `task` and `kinds`.

    Returns
    -------
    Imputations
        As many tables.

    Raises
    ------
    DataError
        If columns or rows differ, or a table is no data set.

    Examples
    --------
    >>> first = {"a": [1.0, 2.0, 3.0], "b": [1.0, 0.5, 0.2]}
    >>> len(of_tables([first, first | {"b": [1.0, 0.4, 0.2]}], [0.1, 0.5, 0.9]))
    2
    """
    of_kind("tables", tables, list | tuple, "a list of tables, 2 at least, better 20")
    if len(tables) < 2:
        raise ArgumentError(f"tables: {len(tables)}; give 2 at least, better 20")
    first = gapped_table(tables[0], y, **of_data)
    others = {**of_data, "keep": [str(name) for name in first.X], "kinds": first.kinds}
    read = [first, *(quietly(gapped_table, one, y, **others) for one in tables[1:])]
    for number, one in enumerate(read):
        if not one.y.equals(first.y):
            raise DataError(f"the target of table {number} differs from that of table 0; it is not imputed")
        if gaps := [str(name) for name, gap in one.X.isna().any().items() if gap]:
            raise DataError(f"table {number} has missing values in {listing(gaps)}: give imputed tables")
        if [*one.X] != [*first.X]:
            raise DataError(f"table {number} has other features than table 0")
    return _of([one.X for one in read], first, {})


def _by_imputer(imputer: Any, read: GappedTable, seeds: Sequence[int]) -> list[pd.DataFrame]:
    """Impute by an imputer of scikit-learn, to which the target is one more column."""
    if not hasattr(imputer, "fit_transform"):
        raise ArgumentError(f"imputer={imputer!r}; give an imputer of scikit-learn, with fit_transform")
    words = [str(name) for name, kind in read.X.dtypes.items() if isinstance(kind, pd.CategoricalDtype)]
    if words or (isinstance(read.y.dtype, pd.CategoricalDtype) and read.y.nunique() > 2):
        raise DataError(
            f"{listing(words or [str(read.y.name)])}: not numbers, which this imputer takes alone: leave "
            "imputer= out, or give tables that were imputed elsewhere by altsel.imputation.of_tables"
        )
    whole = np.column_stack([*(numbers(read.X[name]) for name in read.X), numbers(read.y)])
    values = [_drawn(imputer, whole, seed)[:, :-1] for seed in seeds]
    if np.isnan(whole).any() and (values[0] == values[1]).all():
        raise ArgumentError(
            f"imputer={imputer!r}: it does not draw, as two seeds gave the same values; "
            "take IterativeImputer(sample_posterior=True), or give tables by of_tables"
        )
    return [pd.DataFrame(one, columns=read.X.columns) for one in values]


def _drawn(imputer: Any, values: FloatArray, seed: int) -> FloatArray:
    one = import_module("sklearn.base").clone(imputer)
    if "random_state" in one.get_params():
        one.set_params(random_state=seed)
    return np.asarray(one.fit_transform(values), dtype=float)


def _of(tables: Sequence[pd.DataFrame], read: GappedTable, missing: Mapping[str, float]) -> Imputations:
    """Return the tables as data sets, whose kinds are those of the first one."""
    keep = [str(name) for name in read.X]
    first = Dataset(tables[0], read.y, read.task, kinds=read.kinds, keep=keep)
    kinds = {**{name: first.kinds[name] for name in first.features}, **read.kinds}
    task = read.task or first.task
    others = [quietly(of_columns, table, read.y, task, kinds) for table in tables[1:]]
    return Imputations((first, *others), missing)
