"""The rules of what a column is: its kind, whether it is discrete, and the task that it makes as a target.

They know a summary of the values only, which both a `Dataset`, that holds rows, and a scan, that does not,
can make.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import inf
from typing import Any

from altsel.errors import ArgumentError, DataError, listing

FEW_LEVELS = 20
"""An integer column with at most so many values counts as discrete."""


class Kind(StrEnum):
    """Kind of a column; ``BINARY`` are two values of any type.

    ``ORDINAL`` are values of which only the order is known: ordered categories, or numbers that are
    declared to be ordinal. ``COUNT`` are integers of at least 0 that are declared to be counts.

    Examples
    --------
    >>> from altsel import Dataset
    >>> data = Dataset({"age": [31.5, 40.2, 28.0, 55.1], "sex": ["m", "f", "f", "m"]}, [0, 1, 0, 1])
    >>> {name: kind.value for name, kind in data.kinds.items()}
    {'age': 'continuous', 'sex': 'binary'}
    """

    CONTINUOUS = "continuous"
    INTEGER = "integer"
    CATEGORICAL = "categorical"
    BINARY = "binary"
    ORDINAL = "ordinal"
    COUNT = "count"


class Task(StrEnum):
    """Kind of the target.

    Examples
    --------
    >>> from altsel import Dataset
    >>> x = {"age": [31, 40, 28, 55]}
    >>> Dataset(x, ["ill", "well", "well", "ill"]).task is Task.BINARY
    True
    >>> Dataset(x, [1.5, 2.5, 3.25, 4.75]).task is Task.REGRESSION
    True
    """

    BINARY = "binary"
    MULTICLASS = "multiclass"
    REGRESSION = "regression"


CLASSES = frozenset({Kind.CATEGORICAL, Kind.BINARY})
"""Kinds that are discrete, however many values there are."""
OF_NUMBERS = frozenset({Kind.CONTINUOUS, Kind.INTEGER, Kind.COUNT})
"""Kinds that no column of categories has."""
OF_TARGETS = frozenset({Kind.ORDINAL, Kind.COUNT})
"""Kinds that a target may be declared to have; other targets are described by their task."""


@dataclass(frozen=True)
class Summary:
    """What the rules know of a column, none of whose values is missing or infinite.

    Attributes
    ----------
    name
        Its name.
    values, more
        Number of distinct values, and whether there are more than these, up to which they were counted.
    integral, least
        Of numbers: whether all are integers, and the smallest.
    categories, ordered
        Labels of categories by their codes, None of numbers; and whether they have a known order.

    Examples
    --------
    >>> Summary("age", FEW_LEVELS, more=True).kind.value, Summary("sex", 2, categories=("f", "m")).kind.value
    ('integer', 'binary')
    """

    name: str
    values: int
    more: bool = False
    integral: bool = True
    least: float = -inf
    categories: tuple[Any, ...] | None = None
    ordered: bool = False

    @property
    def two(self) -> bool:
        """Whether there are two values."""
        return self.values == 2 and not self.more

    @property
    def few(self) -> bool:
        """Whether integers of so few values are discrete."""
        return self.values <= FEW_LEVELS and not self.more

    @property
    def counts(self) -> bool:
        """Whether all values are integers of at least 0."""
        return self.categories is None and self.integral and self.least >= 0

    @property
    def kind(self) -> Kind:
        """The kind that is inferred of the values."""
        if self.two:
            return Kind.BINARY
        if self.categories is not None:
            return Kind.ORDINAL if self.ordered else Kind.CATEGORICAL
        return Kind.INTEGER if self.integral else Kind.CONTINUOUS


def is_discrete_by_kind(kind: Kind, categories: bool) -> bool | None:
    """Return whether a column of a kind is discrete; None if that hangs on how many values it has."""
    if categories or kind in CLASSES:
        return True
    return False if kind is Kind.CONTINUOUS else None


def is_discrete(column: Summary, kind: Kind) -> bool:
    """Return whether a column counts as discrete: categories, two values, or at most 20 integers or ranks.

    Examples
    --------
    >>> few, many = Summary("a", 20), Summary("a", 20, more=True)
    >>> is_discrete(few, Kind.INTEGER), is_discrete(many, Kind.INTEGER), is_discrete(many, Kind.CATEGORICAL)
    (True, False, True)
    """
    known = is_discrete_by_kind(kind, column.categories is not None)
    return column.few if known is None else known


def declared(kind: Any, column: Summary) -> Kind:
    """Check that a column can be of a kind; ordinal columns of two values are binary.

    Raises
    ------
    ArgumentError
        If the kind is unknown, a column of categories is called a number or has no order, or a column
        that is called a count has values that are none.
    """
    name, levels = column.name, column.categories
    try:
        wanted = Kind(kind)
    except ValueError as fault:
        raise ArgumentError(f"unknown kind {kind!r} of {name!r}; use {listing(Kind, 9)}") from fault
    if levels is not None and wanted in OF_NUMBERS:
        raise ArgumentError(f"{name!r} holds categories; its kind cannot be {str(kind)!r}")
    if wanted is Kind.COUNT and not column.counts:
        raise ArgumentError(f"{name!r} is called a count, but holds other than integers of at least 0")
    if wanted is not Kind.ORDINAL:
        return wanted
    if column.two:
        return Kind.BINARY
    if levels is not None and not column.ordered:
        values = ", ".join([*map(repr, levels[:3]), *(["…"] if len(levels) > 3 else [])])
        raise ArgumentError(
            f"{name!r} is called ordinal, but the order of its categories is not known: list them from the "
            f"lowest to the highest, kinds={{{name!r}: [{values}]}} (--kind {name}=ordinal:LOWEST,…,HIGHEST)"
            ", or give an ordered pandas Categorical"
        )
    return Kind.ORDINAL


def task_and_kind(target: Summary, task: Task | str | None, given: Any) -> tuple[Task, Kind]:
    """Return the task that a target makes, and its kind; `task` and `given` are what it is declared to be.

    Two values are binary, other discrete ones multiclass, the rest regression, unless the task is stated;
    but counts that are declared are numbers, and ordinal targets classes.

    Raises
    ------
    ArgumentError
        If task and kind contradict each other, or the values do not go with one of them.
    DataError
        If there is one value only.

    Examples
    --------
    >>> [one.value for one in task_and_kind(Summary("y", 3), None, None)]
    ['multiclass', 'categorical']
    >>> [one.value for one in task_and_kind(Summary("y", 3, least=0), None, "count")]
    ['regression', 'count']
    """
    stated = None if given is None else _declared_of_target(target, task, given)
    if target.values < 2:
        raise DataError(f"the target {target.name!r} has one value only; there is nothing to explain")
    if task is None and stated is not None and not target.two:
        task = Task.REGRESSION if stated is Kind.COUNT else Task.MULTICLASS
    found = _task(target, task)
    kind = target.kind
    if found is not Task.REGRESSION and kind not in {Kind.BINARY, Kind.ORDINAL}:
        kind = Kind.CATEGORICAL  # classes that are numbers
    return found, stated or kind


def _declared_of_target(target: Summary, task: Task | str | None, given: Any) -> Kind:
    kind = declared(given, target)
    unordered = kind is Kind.CATEGORICAL and target.ordered
    if kind not in OF_TARGETS and not unordered and given != Kind.ORDINAL:
        raise ArgumentError(
            f"kinds names the target {target.name!r}, which can be declared ordinal or a count only: give "
            "task='regression' for numbers, 'multiclass' for classes (command line: --task)"
        )
    wrong = {Task.REGRESSION} if kind is not Kind.COUNT else {Task.BINARY, Task.MULTICLASS}
    if task in wrong:
        fits = Task.REGRESSION if kind is Kind.COUNT else Task.MULTICLASS
        raise ArgumentError(
            f"task={str(task)!r} and the kind {str(kind)!r} of the target {target.name!r} contradict each "
            f"other; leave out one of them, or give task={str(fits)!r}"
        )
    return kind


def _task(target: Summary, task: Task | str | None) -> Task:
    if task is None:
        numbers = not is_discrete(target, target.kind)
        return Task.BINARY if target.two else Task.REGRESSION if numbers else Task.MULTICLASS
    try:
        wanted = Task(task)
    except ValueError as fault:
        raise ArgumentError(f"unknown task {task!r}; use {listing(Task)}") from fault
    if wanted is Task.BINARY and not target.two:
        number = f"more than {target.values:,}" if target.more else target.values
        raise ArgumentError(f"task 'binary', but the target {target.name!r} has {number} values")
    if wanted is Task.REGRESSION and target.categories is not None:
        raise ArgumentError(f"task 'regression', but the target {target.name!r} holds categories")
    return wanted
