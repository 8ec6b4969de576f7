"""`Dependence`: relevance of every feature and, when requested, redundancy of every pair."""

from __future__ import annotations

import copy
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement
from numbers import Integral
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt
import pandas as pd

from altsel._types import FloatArray
from altsel.data.dataset import Dataset, checked_dataset
from altsel.data.near_copies import NEAR
from altsel.data.scanning import Scan, Statistics
from altsel.display.html import Table, name_cell, page
from altsel.display.names import short
from altsel.errors import ArgumentError, DataError, of_kind
from altsel.runtime.memory import require, tables
from altsel.runtime.phases import MEASURES, phase
from altsel.runtime.progress import counted
from altsel.stats.dependence.association import association
from altsel.stats.dependence.given import named_numbers, named_pairs
from altsel.stats.dependence.of_counts import statistics_for
from altsel.stats.dependence.pairs import FEWER, TABLES, MeasuredPairs

log = logging.getLogger("altsel.data")


@runtime_checkable
class Measure(Protocol):
    """A measure of dependence that works on whole tables.

    One whose redundancies are never below 0, and of a pair do not depend on other columns, says so by an
    attribute ``not_negative = True``: then criteria of very many features need not measure all pairs.

    Examples
    --------
    >>> from altsel import measures
    >>> isinstance(measures.absolute_pearson, Measure), isinstance(max, Measure)
    (True, False)
    """

    @property
    def name(self) -> str:
        """Name shown in results."""
        ...

    def relevance(self, data: Dataset) -> FloatArray:
        """Dependence of each feature and the target, shape (features,)."""
        ...

    def redundancy(self, data: Dataset) -> FloatArray:
        """Dependence of each pair of features, symmetric, shape (features, features)."""
        ...


@dataclass(frozen=True)
class Caveats:
    """What a criterion that sets relevances against redundancies should know of a measure's numbers.

    Attributes
    ----------
    without_bound
        Features whose dependence on themselves is infinite, so that its estimate tells the number of rows.
    several_scales
        Whether the largest possible value differs from pair to pair, as that of mutual information does.
    """

    without_bound: tuple[str, ...] = ()
    several_scales: bool = False


@dataclass(frozen=True)
class Pairwise:
    """A user's function of two arrays as a measure.

    Parameters
    ----------
    function
        ``function(a, b) -> float`` of two float arrays of the same length; categories come
        as codes. For redundancy it is called once a pair, the first column of the table first.
    """

    function: Callable[[FloatArray, FloatArray], float]

    @property
    def name(self) -> str:
        """Name of the function."""
        return str(getattr(self.function, "__name__", type(self.function).__name__))

    def relevance(self, data: Dataset) -> FloatArray:
        """Call the function with each feature and the target."""
        target = data.target_values()
        columns = counted(data.matrix().T, len(data.features), "relevances")
        return np.array([self._called(column, target) for column in columns], dtype=float)

    def redundancy(self, data: Dataset) -> FloatArray:
        """Call the function with each pair of features."""
        columns = data.matrix().T
        table = np.empty((len(columns), len(columns)))
        pairs = list(combinations_with_replacement(range(len(columns)), 2))
        for i, j in counted(pairs, len(pairs), "redundancies"):
            table[i, j] = table[j, i] = self._called(columns[i], columns[j])
        return table

    def _called(self, first: FloatArray, second: FloatArray) -> float:
        try:
            return float(self.function(first, second))
        except TypeError as fault:
            raise ArgumentError(
                f"the measure {self.name!r} must take two arrays and return one number: {fault}"
            ) from fault


@dataclass(frozen=True, init=False, eq=False)
class Dependence:
    """Relevance of features to a target and their redundancy among each other.

    Parameters
    ----------
    relevance
        One finite number a feature; the index holds the names (arrays: ``x0``, ``x1``, …).
    redundancy
        Symmetric table with the same names, an array of shape (features, features), or a function that
        makes one, called when needed.
    measure
        Name of the measure.
    target
        Name of the target, if known.
    seed
        Seed of the measure, if it is random.
    fingerprint
        Fingerprint of the data, if they are known.
    caveats
        What criteria should know of the measure.

    Attributes
    ----------
    members
        Names that stand for the same feature, if the data were grouped (``Dataset.grouped``).
    absent
        Why other columns of the data are no features, by name (``Dataset.absent``).
    pairs
        What measures redundancies among some features alone, if the data are at hand.

    Raises
    ------
    DataError
        If numbers are missing or infinite, or names are empty, twice or differ.

    Examples
    --------
    >>> Dependence(pd.Series({"age": 0.3, "dose": 0.1})).relevance["age"]
    np.float64(0.3)
    """

    relevance: pd.Series[float]
    measure: str
    target: str | None
    seed: int | None
    fingerprint: str | None
    caveats: Caveats
    members: Mapping[str, tuple[str, ...]]
    absent: Mapping[str, str]
    pairs: MeasuredPairs | None
    _redundancy: pd.DataFrame | npt.ArrayLike | Callable[[], pd.DataFrame] | None

    def __init__(
        self,
        relevance: Any,
        redundancy: pd.DataFrame | npt.ArrayLike | Callable[[], pd.DataFrame] | None = None,
        measure: str = "given numbers",
        target: str | None = None,
        seed: int | None = None,
        fingerprint: str | None = None,
        caveats: Caveats | None = None,
    ) -> None:
        for name, value in (("target", target), ("fingerprint", fingerprint)):
            of_kind(name, value, str | None, "a text, or None")
        of_kind("measure", measure, str, "the name of the measure")
        of_kind("seed", seed, Integral | None, "an integer, or None")
        of_kind("caveats", caveats, Caveats | None, "Caveats, or None")
        object.__setattr__(self, "members", {})
        object.__setattr__(self, "absent", {})
        object.__setattr__(self, "pairs", None)
        object.__setattr__(self, "caveats", caveats or Caveats())
        object.__setattr__(self, "fingerprint", fingerprint)
        object.__setattr__(self, "relevance", named_numbers(relevance))
        object.__setattr__(self, "measure", measure)
        object.__setattr__(self, "target", target)
        object.__setattr__(self, "seed", seed)
        object.__setattr__(self, "_redundancy", redundancy)
        if redundancy is not None and not callable(redundancy):
            _ = self.redundancy

    def __repr__(self) -> str:
        of = "" if self.target is None else f", target {short(self.target)!r}"
        pairs = "relevances alone" if self._redundancy is None else "with redundancies"
        return f"<Dependence: {self.measure}, {len(self.relevance)} features, {pairs}{of}>"

    def _repr_html_(self) -> str:
        order = self.relevance.sort_values(ascending=False, kind="stable")
        names = [str(name) for name in order.index]
        rows = ([name_cell(name, names), f"{value:.4g}"] for name, value in zip(names, order, strict=True))
        table = Table("The most relevant first", ["feature", "relevance"], rows, len(names), "feature", {0})
        of = "" if self.target is None else f", target {short(self.target)!r}"
        return page(f"{self.measure} of {len(names):,} features{of}", [table])

    @cached_property
    def redundancy(self) -> pd.DataFrame:
        """Dependence of each pair of features; computed at first use.

        Raises
        ------
        ArgumentError
            If the measure knows no redundancy (importances, relevances alone), or memory does not suffice.
        """
        if self._redundancy is None:
            raise ArgumentError(f"{self.measure} gives relevances only; no redundancy is known")
        if callable(self._redundancy):
            needed, what = tables(len(self.relevance), TABLES)
            require(needed, f"redundancies: {what}", FEWER)
        with phase(MEASURES):
            table = self._redundancy() if callable(self._redundancy) else self._redundancy
        return named_pairs(table, list(self.relevance.index))

    def normalized(self) -> Dependence:
        """Divide by the sum of the relevances, so that all features together have relevance 1 (AFS 5.2.1).

        Redundancy is divided by the same number: comparisons between the two keep their sense.
        """
        total = float(self.relevance.sum())
        if not total > 0:
            raise DataError(f"the relevances sum to {total:g}; they cannot be normalised to sum 1")
        table = None if self._redundancy is None else lambda: self.redundancy / total
        name = f"{self.measure}, normalised"
        normal = Dependence(
            self.relevance / total, table, name, self.target, self.seed, self.fingerprint, self.caveats
        )
        pairs = None if self.pairs is None else self.pairs.scaled(1 / total)
        return normal.with_members(self.members, self.absent).with_pairs(pairs)

    def with_members(
        self, members: Mapping[str, tuple[str, ...]], absent: Mapping[str, str] | None = None
    ) -> Dependence:
        """Return which names stand for the same feature, and which are none, as ``Dataset`` does."""
        other = copy.copy(self)
        object.__setattr__(other, "members", dict(members))
        object.__setattr__(other, "absent", dict(self.absent if absent is None else absent))
        return other

    def with_pairs(self, pairs: MeasuredPairs | None) -> Dependence:
        """Return the same with what measures redundancies among some features alone."""
        other = copy.copy(self)
        object.__setattr__(other, "pairs", pairs)
        return other


@runtime_checkable
class WithCaveats(Protocol):
    """A measure that warns criteria."""

    def caveats(self, data: Dataset) -> Caveats:
        """Return what criteria should know of its numbers for some data."""


@runtime_checkable
class WithMeasure(Protocol):
    """A criterion, or a class of them, that names the measure it is defined with."""

    @property
    def default_measure(self) -> Measure:
        """The measure."""


def dependence(
    data: Dataset | Scan | Statistics,
    measure: Measure | Callable[..., float] | None = None,
    *,
    criterion: WithMeasure | None = None,
) -> Dependence:
    """Measure relevance now, and redundancy when it is requested.

    Parameters
    ----------
    data
        The data set; or a scan, or its statistics, of which counts and moments are taken (see
        ``Dataset.scan``).
    measure
        One of this package's measures or a function of two arrays. Default: that of the criterion, or
        `association`.
    criterion
        A criterion such as ``altsel.FCBF``, whose default measure is used; instead of a measure.

    Returns
    -------
    Dependence
        With the data's feature names.

    Raises
    ------
    ArgumentError
        If an argument is of another kind, or both measure and criterion are given.
    DataError
        If the measure needs rows, and a scan is given.

    Examples
    --------
    >>> from altsel import Dataset, dependence
    >>> from altsel.measures import absolute_pearson
    >>> data = Dataset({"a": [1.0, 2.5, 3, 4], "b": [1, 0, 0, 1]}, [1.0, 2.5, 3, 4])
    >>> dependence(data, absolute_pearson).relevance.round(2).to_dict()
    {'a': 1.0, 'b': 0.12}
    """
    if not isinstance(data, (Scan, Statistics)):
        checked_dataset("dependence", data)
    used = checked_measure(measure, criterion)
    if isinstance(data, (Scan, Statistics)):
        return _of_counts(data, used)
    _note_near_copies(data)
    names = pd.Index(data.features, dtype=object)
    with phase(MEASURES):
        relevance = pd.Series(used.relevance(data), index=names)
    measured = Dependence(
        relevance,
        lambda: pd.DataFrame(used.redundancy(data), index=names, columns=names),
        used.name,
        data.target,
        getattr(used, "random_state", None),
        data.fingerprint,
        used.caveats(data) if isinstance(used, WithCaveats) else None,
    )
    pairs = MeasuredPairs(data, used.redundancy, bool(getattr(used, "not_negative", False)))
    return measured.with_members(data.members, data.absent).with_pairs(pairs)


def checked_measure(
    measure: Measure | Callable[..., float] | None = None, criterion: WithMeasure | None = None
) -> Measure:
    """Return the measure that is meant: that given, or the default of a criterion; see `dependence`.

    Raises
    ------
    ArgumentError
        If an argument is of another kind, or both are given.

    Examples
    --------
    >>> checked_measure().name
    'association'
    """
    if criterion is not None:
        such_as = "a criterion that names its measure, such as altsel.FCBF, altsel.MRMR or altsel.CFS"
        of_kind("criterion", criterion, WithMeasure, such_as)
        if measure is not None:
            raise ArgumentError("measure= and criterion= are given; leave out one of them")
    usual = association if criterion is None else criterion.default_measure
    chosen = usual if measure is None else measure
    if isinstance(chosen, Measure):
        return chosen
    if not callable(chosen):
        kind = type(measure).__name__
        raise ArgumentError(f"a {kind} is neither a measure nor a function of two arrays")
    return Pairwise(chosen)


def _of_counts(data: Scan | Statistics, measure: Measure) -> Dependence:
    """Measure what counts and moments determine."""
    statistics, used = statistics_for(data, measure, measure.name)
    names = pd.Index(statistics.features, dtype=object)
    with phase(MEASURES):
        relevance = pd.Series(used.relevance_of(statistics), index=names)
    measured = Dependence(
        relevance,
        lambda: pd.DataFrame(used.redundancy_of(statistics), index=names, columns=names),
        used.name_of(statistics),
        statistics.target,
        None,
        statistics.fingerprint,
        Caveats(several_scales=True) if isinstance(measure, WithCaveats) else None,
    )
    return measured.with_members({}, data.absent)


def _note_near_copies(data: Dataset) -> None:
    """Log that columns nearly are copies, as neighbouring channels of a spectrum are."""
    if log.isEnabledFor(logging.INFO) and data.near_copies:
        name, like, _ = data.near_copies[0]
        message = (
            "columns nearly are copies of others: %d, such as %r of %r; data.grouped(%g) makes one of each"
        )
        log.info(message, len(data.near_copies), name, like, NEAR)
