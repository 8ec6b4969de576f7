"""`Dataset`: a checked table and its target; the feature names key everything after it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from altsel._types import BoolArray, FloatArray
from altsel.data import columns
from altsel.data.cleaning import ROWS_LOST, Cleaning
from altsel.data.conversion import Conversion
from altsel.data.copies import copies
from altsel.data.findings.finding import Finding
from altsel.data.findings.telling import reasons, told
from altsel.data.grouping import Groups, check_groups, checked_bound, checked_costs, united
from altsel.data.intake.blocks import matrix
from altsel.data.intake.checks import discrete
from altsel.data.intake.fingerprints import fingerprint
from altsel.data.intake.normal_table import normal_table
from altsel.data.kinds import Declared, has_order
from altsel.data.leaks import leaks
from altsel.data.missing_levels import MissingLevel
from altsel.data.near_copies import NEAR, likenesses, near_copies
from altsel.data.peculiarities import doubts, peculiarities
from altsel.data.preparation import Intake
from altsel.data.reading import Reading
from altsel.data.scanning.entry import scan
from altsel.data.scanning.scan import refuse_rows
from altsel.data.schema import OF_TARGETS, Kind, Task
from altsel.data.target import odd_classes, split
from altsel.data.variables import Variables
from altsel.display.names import short
from altsel.display.renderers import renderer
from altsel.errors import ArgumentError, DataWarning, list_of_names, of_kind
from altsel.runtime.caller import warn_caller
from altsel.runtime.on_demand import OnDemand

_dealing: Any = OnDemand("altsel.data.dealing")  # they make data sets: named, not imported
_holdout: Any = OnDemand("altsel.data.holdout")


@dataclass(frozen=True, init=False, eq=False)
class Dataset:
    """A table of features and a target, checked once so that nothing after needs to check again.

    Parameters
    ----------
    X
        DataFrame (pandas, polars, pyarrow, …), 2-d array (columns are named ``x0``, ``x1``, …)
        or path of a CSV or Parquet file or a spreadsheet; shape (rows, features). An array that nobody
        can write, as ``numpy.load(file, mmap_mode="r")``, is not copied.
    y
        Target values, one a row, or the name of the column of `X` that is the target.
    task
        ``"binary"``, ``"multiclass"`` or ``"regression"``; inferred if not given.
    missing
        ``"error"``; ``"drop rows"``; or ``"category"``: in columns with missing values these are a level of
        their own, and numbers are cut into at most five bins beside it. Further ways: `altsel.imputation`.
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
    _missing_levels: Mapping[str, MissingLevel] | None = None
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
        cleaning = Cleaning(missing, keep, rows_lost, most_missing, unique_rows)
        drop = list_of_names("drop", drop)
        made = (
            Intake(X, y, {} if kinds is None else kinds, cleaning, reading)
            .read(drop)  # a frame, an array or a file; its names are checked
            .choose_columns()  # those that are no features are left out
            .split_target()  # features and target
            .choose_rows()  # those that miss a value are refused or dropped
            .normalise()  # float64, int64, of one byte, or category
        )
        variables = Variables.of(made.table, made.target, made.kinds, task, made.findings)  # kinds, task
        _set(self, **vars(variables), findings=made.findings, conversions=made.conversions)
        _set(self, reading=reading, left_out=(*drop, *made.left_out), rows_lost=rows_lost)
        _set(self, absent=reasons(made.findings, drop, self.constant), dropped=made.dropped)
        _set(self, _missing_levels=made.levels)
        for message in self._checked(made, task is None):
            warn_caller(message, DataWarning)

    def _checked(self, made: Intake, inferred: bool) -> list[str]:
        """Return what is to be said of the table; refuse a target whose classes should be numbers."""
        meant = isinstance(getattr(made.y, "dtype", None), pd.CategoricalDtype)
        classes = odd_classes(self.y) if inferred and not meant else []
        odd = peculiarities(self.X, self.constant)
        return [*told(made.findings), *classes, *odd, *doubts(self.X, self.y, self.determining)]

    def __repr__(self) -> str:
        shape = f"{len(self.y)} rows, {len(self.features)} features"
        return f"<Dataset: {shape}, target {short(self.target)!r} ({self.task.value})>"

    def _repr_html_(self) -> str:
        return str(renderer("html", self)(self))

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
            made = check_groups(bound, unit, self.target, self.absent)
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
        table = self.X[[name for name in self.features if name not in held]]
        kinds = {str(name): self.kinds[str(name)] for name in table}
        return with_attributes(self, X=table, kinds=kinds, _members=units)

    @cached_property
    def near_copies(self) -> tuple[tuple[str, str, float], ...]:
        """Columns of numbers that nearly are copies of others (``|r| >= 0.999``), which, and ``|r|``.

        Each is there once, with the first column that it resembles. All pairs are looked at if that takes
        at most four thousand million products, else columns that are next to each other in the table.
        """
        return tuple(likenesses(self.X, self.kinds, NEAR))

    def discrete(self) -> BoolArray:
        """Return which features are discrete: categorical, binary, or integers of at most 20 values."""
        return discrete(self.X, [self.kinds[name] for name in self.features])

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

    scan = staticmethod(scan)

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
        alike: Dataset = _holdout.alike(self, X, y, missing)
        return alike

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


def of_columns(
    table: pd.DataFrame, target: pd.Series[Any], task: Task | str | None, kinds: Mapping[str, Declared]
) -> Dataset:
    """Build a data set of columns of another one, or of what was made of them: none is taken for an id."""
    table, target = split(table.reset_index(drop=True), target.reset_index(drop=True), None)
    variables = Variables.of(normal_table(table), columns.normal(target), kinds, task)
    data = object.__new__(Dataset)
    _set(data, **vars(variables), dropped=0, reading=None, left_out=(), findings=(), conversions={})
    _set(data, absent=reasons((), (), data.constant))
    for message in peculiarities(data.X, data.constant):
        warn_caller(message, DataWarning)
    return data


def with_attributes(data: Dataset, **changes: Any) -> Dataset:
    """Return the same data with other attributes, which are not checked."""
    other = object.__new__(Dataset)
    _set(other, **{one.name: getattr(data, one.name) for one in fields(data)} | changes)
    return other


def derived(data: Dataset, origin: Dataset) -> Dataset:
    """Let data, made of the rows of another table, know the fingerprints of that; see `fingerprints`."""
    if data is not origin:
        _set(data, _origins=origin.fingerprints)
    return data


def checked_dataset(what: str, data: object) -> None:
    """Raise an ArgumentError if something is no data set; `what` takes one."""
    if not isinstance(data, Dataset):
        kind = type(data).__name__
        if kind in {"Scan", "Statistics"}:
            refuse_rows(what)
        raise ArgumentError(f"{what} takes a Dataset, not a {kind}: altsel.Dataset(X, y)")


def _set(data: Dataset, **attributes: Any) -> None:
    for name, value in attributes.items():
        object.__setattr__(data, name, value)
