"""`Dataset`: a checked table and its target; the feature names key everything after it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from altsel._types import BoolArray, FloatArray
from altsel.data import columns
from altsel.data.cleaning import ROWS_LOST, Cleaning
from altsel.data.columns import Kind, Task
from altsel.data.conversion import Conversion
from altsel.data.copies import copies
from altsel.data.files.raw_table import RawTable
from altsel.data.findings.finding import Finding
from altsel.data.findings.telling import reasons, told
from altsel.data.frames import as_frame, raw_table, without
from altsel.data.grouping import Groups, checked_bound, checked_costs, named, united
from altsel.data.intake.blocks import matrix
from altsel.data.intake.checks import Traits, few_levels
from altsel.data.intake.fingerprints import fingerprint
from altsel.data.intake.normal_table import normal_table
from altsel.data.kinds import (
    OF_TARGETS,
    Declared,
    has_order,
    kind_of_target,
    levels_as_in,
    overridden,
    without_orders,
)
from altsel.data.leaks import leaks
from altsel.data.near_copies import NEAR, likenesses, near_copies
from altsel.data.peculiarities import doubts, peculiarities
from altsel.data.preparation import Prepared, prepared
from altsel.data.reading import HOW_WRITTEN, Reading
from altsel.data.target import checked_task, odd_classes, split
from altsel.display.html import Table, name_cell, page
from altsel.display.names import short
from altsel.errors import ArgumentError, DataError, DataWarning, checked_path, list_of_names, listing, of_kind
from altsel.runtime.caller import warn_caller
from altsel.runtime.on_demand import OnDemand

if TYPE_CHECKING:
    from altsel.data.scanning import Scan

_dealing: Any = OnDemand("altsel.data.dealing")  # it makes data sets: named, not imported

CLASSES = {Kind.BINARY, Kind.ORDINAL}
"""Kinds of classes that are told apart from categories."""


@dataclass(frozen=True, init=False, eq=False)
class Dataset:
    """A table of features and a target, checked once so that nothing after needs to check again.

    Parameters
    ----------
    X
        DataFrame (pandas, polars, pyarrow, …), 2-d array (columns are named ``x0``, ``x1``, …)
        or path of a CSV or Parquet file or a spreadsheet; shape (rows, features).
    y
        Target values, one a row, or the name of the column of `X` that is the target.
    task
        ``"binary"``, ``"multiclass"`` or ``"regression"``; inferred if not given.
    missing
        ``"error"`` or ``"drop rows"``.
    kinds
        Kinds of single columns, over the inferred ones: ``{"zip": "categorical"}``. Text is read as numbers
        by ``"numeric"``, whatever unit, percent sign, currency or mark between thousands they are written
        with, and dates by ``"date"``: days since 1970, times of a day in hours; values beyond a limit, as
        ``<0.5`` of a laboratory, by ``"half-limit"`` or ``"at-limit"``. Ordered pandas
        categories are ordinal; so are columns of kind ``"ordinal"``, whose values are numbers or are listed
        from the lowest to the highest: ``{"size": ["small", "medium", "large"]}``. A target may be declared
        ``"ordinal"``, by such a list, or ``"count"``; the task says what else it is.
    drop
        Names of columns of `X` to leave out.
    reading
        How a file is written, if not as usual: ``Reading(separator=";", decimal=",")``.
    keep
        Names of columns that are features whatever they look like: row numbers, names of rows and free text
        are left out else, and so are columns without values. A column whose kind is declared is kept too.
    rows_lost
        Largest share of the rows with a target that ``missing="drop rows"`` may drop; 1 means any.
    most_missing
        Leave out columns that miss more than this share of their values, before rows are dropped.
    unique_rows
        Leave out rows that are copies of others.

    Attributes
    ----------
    X
        Usable features, none missing or constant: columns of ``float64``, ``int64`` or ``category``; integers
        of one byte stay ``int8`` or ``uint8``, and true and false are ``uint8``.
    y
        The target.
    task, kinds
        See above; one kind a feature.
    target_kind
        Kind of the target.
    classes
        Classes of the target by their codes 0, 1, …, in hold-out rows those of the rows to learn from; none
        if the target is a number.
    constant
        Names of constant columns, left out of `X` and so never selected.
    dropped
        How many rows were dropped for missing values.
    findings
        What was recognised in the table as it was read; see `altsel.data.findings`.
    reading, left_out
        `reading` as given, and the columns left out: those of `drop`, and those recognised as no features.
    conversions
        How text was read as numbers, by name; hold-out rows are read in the same way.
    absent
        Why other columns of the table are no features, by name.

    Raises
    ------
    DataError
        If names are empty or occur twice, values are missing or infinite, lengths differ,
        the target has one value only, no feature is usable, or more rows would be dropped than is meant.
    ArgumentError
        If the target, the task or a kind is unknown.

    Warns
    -----
    DataWarning
        Of columns left out, lines skipped, numbers written as text, copies of columns and rows, and columns
        that determine the target.

    Examples
    --------
    >>> data = Dataset({"a": [1, 2, 3, 4], "b": [0.5, 0.1, 0.2, 0.9]}, [0, 1, 0, 1])
    >>> data.features, data.task.value
    (('a', 'b'), 'binary')
    """

    X: pd.DataFrame
    y: pd.Series[Any]
    task: Task
    kinds: Mapping[str, Kind]
    target_kind: Kind
    classes: tuple[Any, ...]
    constant: tuple[str, ...]
    dropped: int
    reading: Reading | None
    left_out: tuple[str, ...]
    findings: tuple[Finding, ...] = ()
    conversions: Mapping[str, Conversion] = field(default_factory=dict)
    absent: Mapping[str, str] = field(default_factory=dict)
    rows_lost: float = ROWS_LOST
    _members: Mapping[str, tuple[str, ...]] | None = None
    _origins: tuple[str, ...] = ()

    def __init__(  # noqa: PLR0913 (options)
        self,
        X: Any,
        y: Any,
        task: Task | str | None = None,
        *,
        missing: str = "error",
        kinds: Mapping[str, Declared] | None = None,
        drop: Collection[str] = (),
        reading: Reading | None = None,
        keep: Collection[str] = (),
        rows_lost: float = ROWS_LOST,
        most_missing: float | None = None,
        unique_rows: bool = False,
    ) -> None:
        drop = list_of_names("drop", drop)
        of_kind("reading", reading, Reading | None, HOW_WRITTEN)
        if kinds is not None and not isinstance(kinds, Mapping):
            raise ArgumentError(f"kinds={kinds!r}; give kinds by name: {{'zip': 'categorical'}}")
        cleaning = Cleaning(missing, keep, rows_lost, most_missing, unique_rows)
        raw = raw_table(as_frame(X) if isinstance(X, Mapping) else X, reading, drop)
        raw = replace(raw, frame=without(raw.frame, drop))
        made = prepared(raw, y, X, kinds or {}, cleaning, reading)
        odd = self._settle(made, task)
        _set(self, reading=reading, left_out=(*drop, *made.left_out), rows_lost=rows_lost)
        _set(self, absent=reasons(made.findings, drop, self.constant))
        meant = isinstance(getattr(y, "dtype", None), pd.CategoricalDtype)
        classes = odd_classes(self.y) if task is None and not meant else []
        for message in [*told(made.findings), *classes, *odd, *doubts(self.X, self.y, self.determining)]:
            warn_caller(message, DataWarning)

    def _settle(self, made: Prepared, task: Task | str | None) -> list[str]:
        """Infer kinds, task and classes from the rows in use; return what is odd about the columns."""
        table, target = made.table, made.target
        traits = Traits.of(table)
        columns.refuse_infinite(table.loc[:, traits.infinite])
        columns.refuse_infinite(target.to_frame())
        single = list(map(str, table.columns[traits.constant]))
        table = table.loc[:, ~traits.constant] if single else table
        if not table.shape[1]:
            left = "".join(f"; {one}" for one in told(made.findings)[:1])
            why = "there is one row only" if len(target) == 1 else "every column is constant"
            raise DataError(f"no usable feature: {why}{left}")
        inferred = dict(zip(table.columns, traits.kinds[~traits.constant].tolist(), strict=True))
        table, target, declared = without_orders(table, target, made.kinds)
        of_target = kind_of_target(target, task, declared.pop(str(target.name), None))
        if task is None and of_target is not None and target.nunique() > 2:
            task = Task.REGRESSION if of_target is Kind.COUNT else Task.MULTICLASS
        known = overridden(inferred, declared, table)
        _set(self, X=table, y=target, task=checked_task(task, target), kinds=known)
        _set(self, target_kind=of_target or self._usual_kind_of_target())
        _set(self, classes=columns.levels(target) if self.discrete_target else ())
        _set(self, constant=tuple(single), dropped=made.dropped, findings=made.findings)
        _set(self, reading=None, left_out=(), conversions=made.conversions)
        _set(self, absent=reasons((), (), single))
        return peculiarities(table, single)

    def __repr__(self) -> str:
        shape = f"{len(self.y)} rows, {len(self.features)} features"
        return f"<Dataset: {shape}, target {short(self.target)!r} ({self.task.value})>"

    def _repr_html_(self) -> str:
        rows = (
            [name_cell(feature, self.features), self.kinds[feature].value, f"{self.X[feature].nunique():,}"]
            for feature in self.features
        )
        table = Table("Features", ["feature", "kind", "values"], rows, len(self.features), "feature", {0, 1})
        kind = self.target_kind.value
        of = f"target {short(self.target)!r}: {kind}" + (
            f" of {len(self.classes)} classes" if self.classes else ""
        )
        parts = [of, *([f"constant, left out: {listing(self.constant)}"] if self.constant else [])]
        parts += [f"{self.dropped:,} rows with missing values left out"] if self.dropped else []
        parts += [f"left out: {listing(self.left_out)}"] if self.left_out else []
        parts += [f"{len(self.members)} features go by several names"] if self.members else []
        return page(f"{len(self.y):,} rows, {len(self.features):,} features", [*parts, table])

    @cached_property
    def features(self) -> tuple[str, ...]:
        """Names of the usable features, in the order of the table."""
        return tuple(self.X.columns)

    @property
    def target(self) -> str:
        """Name of the target."""
        return str(self.y.name)

    @property
    def members(self) -> dict[str, tuple[str, ...]]:
        """Names that stand for the same feature, by the one that is a column; itself first.

        Only of features with several names; there are none unless the data are `grouped`.
        """
        return dict(self._members or {})

    @property
    def declared_kinds(self) -> dict[str, Kind]:
        """Kinds of features and target, as the argument `kinds` takes them for the same columns."""
        told = self.target_kind in OF_TARGETS or (self.target_kind is Kind.CATEGORICAL and has_order(self.y))
        return {**self.kinds, **({self.target: self.target_kind} if told else {})}

    @property
    def discrete_target(self) -> bool:
        """Whether the target holds classes."""
        return self.task is not Task.REGRESSION

    @cached_property
    def determining(self) -> tuple[str, ...]:
        """Names of features that determine the target, as copies of it would; see `altsel.data.leaks`."""
        return tuple(leaks(self.X, self.y))

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of names, kinds and values of features and target, whatever file they came from."""
        return fingerprint(self.X, self.y)

    @property
    def fingerprints(self) -> tuple[str, ...]:
        """The fingerprint, and those of the tables that this one was made of by bins, or without columns."""
        return (self.fingerprint, *self._origins)

    @property
    def identified_by(self) -> tuple[Any, ...]:
        """What tells these data from others that are searched, as `fingerprint` does not know the kinds."""
        return self.fingerprint, self.task, self.declared_kinds, self.members, self.constant

    def _usual_kind_of_target(self) -> Kind:
        kind = columns.kind_of(self.y)
        return Kind.CATEGORICAL if self.discrete_target and kind not in CLASSES else kind

    def grouped(self, bound: float | Groups = 1.0, *, costs: Mapping[str, float] | None = None) -> Dataset:
        """Return the same data with one column a group of copies, of near copies, or of names that you group.

        Whatever is given these data sees one feature a group, with the values of one of its columns; results
        name its members as interchangeable, and rules, costs and known sets may name any of them.

        Parameters
        ----------
        bound
            ``1.0``: copies and recodings, see `altsel.data.copies`. Below: also columns of numbers
            of which every pair in a group has an absolute correlation of at least `bound`, by complete
            linkage, see `altsel.data.near_copies`. Or groups: lists of names, or such by a title.
        costs
            Cost of each name; the cheapest stands for its group, one that is not named costs nothing, with a
            warning where others of its group have a cost.
            Default: the first in the order of the data does, or the one that is its group's title.

        Returns
        -------
        Dataset
            Its `members` are the names by group.

        Raises
        ------
        ArgumentError
            If the bound is no correlation, a group names what is no feature, or a name is in two groups.

        Examples
        --------
        >>> data = Dataset({"c": [10.0, 25.5, 31.0], "f": [50.0, 77.9, 87.8], "b": [1, 0, 0]}, [0, 1, 0])
        >>> data.grouped().features, data.grouped().members
        (('c', 'b'), {'c': ('c', 'f')})
        >>> data.grouped([["c", "b"]], costs={"c": 2, "f": 2, "b": 1}).members
        {'b': ('b', 'c')}
        """
        unit = {name: column for column in self.features for name in self.members.get(column, (column,))}
        known = None if costs is None else checked_costs(costs, {*unit, *self.constant}, self.absent)
        if isinstance(bound, (Mapping, Collection)):
            made = named(bound, unit, self.target, self.absent)
            members = united(made, self.members, known, self.features)
        else:
            least = checked_bound(bound)
            members = united(copies(self.X, self.kinds), self.members, known, self.features)
            if least < 1:
                held = {name for part in members.values() for name in part[1:]}
                apart = self.X[[name for name in self.features if name not in held]]
                members = united(near_copies(apart, self.kinds, least), members, known, self.features)
        return self.with_members(members)

    def with_members(self, members: Mapping[str, tuple[str, ...]]) -> Dataset:
        """Return the same data with these `members`, as other data were grouped; see `grouped`, which checks.

        Columns that are members of another are left out, and so are members of columns that are not there.
        """
        of_kind("members", members, Mapping, "names by the feature that they stand for: {'a': ('a', 'b')}")
        units = {name: part for name, part in members.items() if name in self.kinds}
        held = {name for part in units.values() for name in part[1:]}
        other = object.__new__(Dataset)
        table = self.X[[name for name in self.features if name not in held]]
        other.__dict__.update({field.name: getattr(self, field.name) for field in fields(self)})
        _set(other, X=table, kinds={str(name): self.kinds[str(name)] for name in table}, _members=units)
        return other

    @cached_property
    def near_copies(self) -> tuple[tuple[str, str, float], ...]:
        """Columns of numbers that nearly are copies of others (``|r| >= 0.999``), which, and ``|r|``.

        Each is there once, with the first column that it resembles. All pairs are looked at if that takes
        at most four thousand million products, else columns that are next to each other in the table.
        """
        return tuple(likenesses(self.X, self.kinds, NEAR))

    def discrete(self) -> BoolArray:
        """Return which features are discrete: categorical, binary, or integers of at most 20 values."""
        kinds = np.array([self.kinds[name] for name in self.features], dtype=object)
        result = np.isin(kinds, [Kind.CATEGORICAL, Kind.BINARY])
        result |= np.array([isinstance(kind, pd.CategoricalDtype) for kind in self.X.dtypes])
        open_ = np.flatnonzero(~result & (kinds != Kind.CONTINUOUS))
        result[open_] = few_levels(self.X.iloc[:, open_], columns.FEW_LEVELS)
        return result

    def matrix(self) -> FloatArray:
        """Return the features as numbers, categories by their codes; shape (rows, features)."""
        return matrix(self.X)

    def target_values(self) -> FloatArray:
        """Return the target as numbers; classes are numbered 0, 1, … in the order of `classes`."""
        if not self.discrete_target or isinstance(self.y.dtype, pd.CategoricalDtype):
            return columns.numbers(self.y)
        return np.searchsorted(self.classes, self.y.to_numpy()).astype(float)

    @classmethod
    def from_table(cls, X: Any, y: Any, table: str | Path | Mapping[str, Any], **changes: Any) -> Dataset:
        """Read a table as ``table.toml`` says, which `altsel.look` writes.

        Parameters
        ----------
        X, y
            As of `Dataset`.
        table
            The file, as ``altsel.look(…).write("table.toml")`` writes it, or its keys.
        **changes
            Other arguments of `Dataset`, over those of the file; `kinds`, `drop` and `keep` are added to its.

        Returns
        -------
        Dataset
            The data.

        Raises
        ------
        ConfigurationError
            If the file cannot be read, or holds an unknown key or a wrong value.

        Examples
        --------
        >>> import tempfile
        >>> path = Path(tempfile.mkdtemp(), "table.toml")
        >>> _ = path.write_text('drop = ["id"]')
        >>> table = {"id": [4, 3, 2, 1], "a": [1, 2, 3, 4], "b": [0.5, 0.1, 0.2, 0.9]}
        >>> Dataset.from_table(table, [0, 1, 0, 1], path).features
        ('a', 'b')
        """
        from altsel.data.table_file import table_file  # noqa: PLC0415  (it imports pydantic)

        return cls(X, y, **table_file(table).arguments(changes))

    @staticmethod
    def scan(  # noqa: PLR0913 (options, as of the constructor)
        source: Any,
        target: str,
        task: Task | str | None = None,
        *,
        bins: int | None = None,
        missing: str = "error",
        kinds: Mapping[str, Declared] | None = None,
        drop: Collection[str] = (),
        reading: Reading | None = None,
        keep: Collection[str] = (),
        rows_lost: float = ROWS_LOST,
        like: Any = None,
        store: str | Path | None = None,
        n_jobs: int | None = None,
        batch_rows: int = 65_536,
        table_bytes: int = 128_000_000,
    ) -> Scan:
        """Scan a table that need not fit in memory: Parquet or CSV files, or batches handed over.

        One pass finds kinds, levels and ranges as a `Dataset` would have them. If numbers are cut into bins,
        two to four passes over them alone find the edges: those of bins of equal frequency of all rows,
        exactly as `binned` has them, by counting the digits of the order statistics (`bins`). Then
        ``scan.statistics()`` counts all pairs in one pass.

        Parameters
        ----------
        source
            A file, a folder, a pattern such as ``"data/*.parquet"``, or a list of these; or record batches of
            pyarrow in a list, or a function that returns them anew each time it is called, such as
            ``lambda: connection.execute(query).arrow()``.
        target
            Name of the target's column.
        task, missing, kinds, drop, reading, keep, rows_lost
            As of `Dataset`; what columns are is recognised by the first rows, and text is not read as
            numbers: kinds that do so are refused. An ordered dictionary of Arrow is refused: list the order
            in `kinds`.
        bins
            Cut numbers into so many bins of equal frequency, so that they have counts. Counts are then those
            of ``binned(Dataset(…), bins)``, moments those of the numbers as they are.
        like
            Another scan, or its statistics: columns, levels and edges are taken from it, so that the
            statistics of both can be added. A target, task, bins or kinds that it has otherwise are refused.
        store
            Folder that keeps what is done of each partition of files, so that a scan that was stopped goes
            on where it was. What was kept of a file that has changed since is not used.
        n_jobs
            Workers for partitions; default: those of ``joblib.parallel_config``, else 1.
        batch_rows
            Most rows held at once.
        table_bytes
            Bytes that tables of several columns may take, which tests given others count.

        Returns
        -------
        Scan
            The table's names and kinds, without its rows.

        Raises
        ------
        ConfigurationError
            Without pyarrow, which ``pip install "altsel[parquet]"`` brings.
        ArgumentError
            If nothing is there to read, or batches can be read only once.
        DataError
            If a file lacks a column, holds another kind of values, or lacks a value; names file and column.

        References
        ----------
        Munro and Paterson, Theoretical Computer Science 12 (1980), for selection in several passes.

        Examples
        --------
        >>> import pyarrow as pa
        >>> batches = [pa.record_batch({"x": [0.5, 2.5], "y": ["a", "b"]})] * 3
        >>> scan = Dataset.scan(batches, "y", bins=2)
        >>> scan.statistics().table("x", "y").tolist()
        [[3, 0], [0, 3]]
        """
        from altsel.data.scanning.alike import Request  # noqa: PLC0415
        from altsel.data.scanning.scan import ScanOptions, scanned  # noqa: PLC0415  (it makes data sets)

        folder = None if store is None else checked_path("store", store).absolute()
        options = ScanOptions(reading, missing, keep, rows_lost, folder, batch_rows, table_bytes, n_jobs)
        left_out = list_of_names("drop", drop)
        return scanned(
            source, Request(target, task, {} if kinds is None else kinds, bins), left_out, options, like
        )

    def holdout(self, X: Any, y: Any, *, missing: str = "error") -> Dataset:
        """Check other rows of the same table: same features (constant ones too), kinds, levels and task.

        A level has the same code as in the rows to learn from, whether or not all of them occur here. Levels
        never seen follow the known ones where levels have no order; where they have one, they are refused.
        A column of two values that has more here counts as what it is here.

        Raises
        ------
        DataError
            If a feature is absent, a column holds numbers here and categories there, an ordinal feature has
            levels or an order that the rows to learn from do not have, or the target such classes.
        """
        given = as_frame(X) if isinstance(X, Mapping) else X
        made = self._rows_alike(raw_table(given, self.reading), y, X, missing)
        table, target = made.table, made.target
        columns.refuse_infinite(table)
        same = {name: levels_as_in(table[name], self.X[name], self.kinds[name]) for name in self.features}
        table = pd.DataFrame(same)
        target = levels_as_in(target, self.y, self.target_kind)
        for one, known in ((target, self.y), *((table[name], self.X[name]) for name in self.features)):
            if (one.dtype == "category") != (known.dtype == "category"):
                raise DataError(
                    f"{known.name!r} holds {_examples(one)} here and {_examples(known)} in the rows to "
                    "learn from"
                )
        if self.discrete_target:
            unseen = sorted(set(target.unique()) - set(self.y.unique()), key=str)
            if unseen:
                raise DataError(
                    f"the hold-out target {self.target!r} has classes never seen: {listing(unseen)}; "
                    f"the rows to learn from have {listing(self.y.unique())}"
                )
        two = [name for name, kind in self.kinds.items() if kind is Kind.BINARY]
        more = {name: columns.kind_of(table[name]) for name in two if table[name].nunique() > 2}
        other = object.__new__(Dataset)
        _set(other, X=table, y=target, task=self.task, kinds={**self.kinds, **more}, constant=())
        _set(other, target_kind=self.target_kind, classes=self.classes, dropped=made.dropped)
        _set(other, reading=self.reading, left_out=self.left_out, _members=self._members, absent=self.absent)
        return other

    def split(
        self, share: float = 0.3, random_state: int = 0, *, groups: str | npt.ArrayLike | None = None
    ) -> tuple[Dataset, Dataset]:
        """Hold out a share of the rows: search and fit on the others, judge on these.

        Parameters
        ----------
        share
            Share of the rows that are held out, of every class alike.
        random_state
            Seed.
        groups
            Group of each row, shape (rows,), or the name of a column: rows of one group stay together, and
            classes are not balanced then.

        Returns
        -------
        tuple
            The rows to learn from, and those held out, as `holdout` makes them.

        Raises
        ------
        ArgumentError
            If the share is none, or leaves too few rows on one side.
        DataError
            If an ordinal feature has levels in the rows held out that the others do not have.

        Examples
        --------
        >>> data = Dataset({"a": [1.0, 2.5, 3.0, 4.0] * 5}, [0, 1, 0, 1] * 5)
        >>> train, held = data.split(0.3)
        >>> len(train.y), len(held.y), held.features
        (14, 6, ('a',))
        """
        train, held = _dealing.split(self, share, random_state, groups)
        return train, held

    def _rows_alike(self, raw: RawTable, y: Any, X: Any, missing: str) -> Prepared:
        """Take this table's features from another, and read text there as it was read here."""
        wanted = [*self.features, *([y] if isinstance(y, str) and y in raw.frame else [])]
        absent = [name for name in self.features if name not in raw.frame]
        if absent:
            raise DataError(f"the hold-out data lack the features {listing(absent)}")
        raw = replace(raw, frame=raw.frame[wanted], unnamed=(), tokens={})
        cleaning = Cleaning(missing, wanted, self.rows_lost)
        as_here: dict[str, Any] = dict(self.conversions)
        return prepared(raw, y, X, as_here, cleaning, self.reading)


def of_columns(
    table: pd.DataFrame, target: pd.Series[Any], task: Task | str | None, kinds: Mapping[str, Declared]
) -> Dataset:
    """Make a data set of columns of another one, or of what was made of them: none is taken for an id."""
    table, target = split(table.reset_index(drop=True), target.reset_index(drop=True), None)
    made = Prepared(normal_table(table), columns.normal(target), kinds, {})
    data = object.__new__(Dataset)
    for message in data._settle(made, task):
        warn_caller(message, DataWarning)
    return data


def derived(data: Dataset, origin: Dataset) -> Dataset:
    """Let data, made of the rows of another table, know the fingerprints of that; see `fingerprints`."""
    if data is not origin:
        _set(data, _origins=origin.fingerprints)
    return data


def checked_dataset(what: str, data: object) -> None:
    """Raise an ArgumentError if something is no data set; `what` takes one."""
    if not isinstance(data, Dataset):
        kind = type(data).__name__
        if kind in {"Scan", "Statistics"}:  # their module makes data sets, and imports this one
            from altsel.data.scanning.scan import refuse_rows  # noqa: PLC0415

            refuse_rows(what)
        raise ArgumentError(f"{what} takes a Dataset, not a {kind}: altsel.Dataset(X, y)")


def _examples(column: pd.Series[Any]) -> str:
    kind = "categories" if column.dtype == "category" else "numbers"
    return f"{kind} ({listing(column.unique(), 3)})"


def _set(data: Dataset, **attributes: Any) -> None:
    for name, value in attributes.items():
        object.__setattr__(data, name, value)
