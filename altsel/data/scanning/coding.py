"""How the values of one column become codes of its levels, and numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from altsel._types import FloatArray, IntArray
from altsel.data.scanning.decoding import Labelled, Values, ValueType
from altsel.data.schema import FEW_LEVELS, Kind, Summary, is_discrete
from altsel.errors import DataError, listing

FEW_EDGES = 16
"""Up to so many edges a column is compared with each; beyond, by bisection."""

Codes = npt.NDArray[np.integer[Any]]


@dataclass(frozen=True, eq=False)
class Coding:
    """One column of a scan.

    Attributes
    ----------
    name, kind
        The column.
    value_type
        What it holds.
    levels
        Its values in the order of their codes; None if it is a number.
    edges
        Largest value of each bin but the last, of a number that is cut into bins; None if it is not.
    centre
        The number that moments are taken around.
    ordered
        Whether levels have a listed order, so that their codes are numbers.
    scale
        Power of two that moments are multiplied by: 1 but for numbers of extreme size.
    """

    name: str
    kind: Kind
    value_type: ValueType
    levels: tuple[Any, ...] | None
    edges: FloatArray | None
    centre: float = 0.0
    ordered: bool = False
    scale: float = 1.0

    @property
    def size(self) -> int:
        """Number of levels, or of bins; 0 of a number that is not cut."""
        if self.levels is not None:
            return len(self.levels)
        return 0 if self.edges is None else len(self.edges) + 1

    @property
    def is_label(self) -> bool:
        """Whether it holds categories."""
        return self.value_type is ValueType.LABELS

    @property
    def numeric(self) -> bool:
        """Whether its values, or the codes of its levels, are numbers that can be correlated."""
        return not self.is_label or self.ordered or self.kind is Kind.BINARY

    @cached_property
    def _code_of(self) -> Mapping[Any, int]:
        return {_text(level, self.ordered): code for code, level in enumerate(self.levels or ())}

    def codes(self, values: Values) -> Codes:
        """Return the code of each value.

        Raises
        ------
        DataError
            If a value is none of the levels.
        """
        if isinstance(values, Labelled):
            table = np.array([self._code_of.get(_text(label, self.ordered), -1) for label in values.labels])
            codes: Codes = np.append(table, -1).astype(self._narrow)[values.indices]
            if len(codes) and codes.min() < 0:
                self._refuse([values.labels[j] for j in np.unique(values.indices[codes < 0]).tolist()])
            return codes
        if values.dtype.kind == "b":
            values = values.view(np.uint8)
        if self.levels is None:
            assert self.edges is not None
            return self._above(values, self.edges)
        if self.ordered:
            listed = np.array([float(level) for level in self.levels])
            order = np.argsort(listed)
            return np.asarray(order.astype(self._narrow)[self._found(values, listed[order])])
        return self._found(values, np.array(self.levels))

    def _found(self, values: npt.NDArray[Any], levels: npt.NDArray[Any]) -> Codes:
        codes = self._above(values, levels[:-1])
        wrong = levels[codes] != values
        if wrong.any():
            self._refuse(np.unique(values[wrong])[:5].tolist())
        return codes

    def numbers(self, values: Values) -> FloatArray:
        """Return the values as floats, less the centre, times the scale; categories by their codes."""
        if isinstance(values, Labelled) or self.ordered:
            return np.asarray(self.codes(values) - self.centre, dtype=np.float64)
        if self.scale == 1:
            return np.asarray(values - self.centre, dtype=np.float64)
        return np.asarray(values * self.scale - self.centre * self.scale, dtype=np.float64)

    def plain(self) -> list[Any]:
        """Return all of it as JSON holds it."""
        edges = None if self.edges is None else self.edges.tolist()
        levels = None if self.levels is None else list(self.levels)
        return [self.name, self.kind, self.value_type, levels, edges, self.centre, self.ordered, self.scale]

    @classmethod
    def of(cls, plain: list[Any]) -> Coding:
        """Return the column that `plain` wrote."""
        name, kind, value_type, levels, edges, *rest = plain
        known = None if levels is None else tuple(levels)
        cuts = None if edges is None else np.array(edges, dtype=np.float64)
        return cls(name, Kind(kind), ValueType(value_type), known, cuts, *rest)

    def _above(self, values: npt.NDArray[Any], edges: npt.NDArray[Any]) -> Codes:
        """Count the edges below each value."""
        if len(edges) > FEW_EDGES:
            return np.searchsorted(edges, values, side="left").astype(self._narrow)
        codes = np.zeros(len(values), dtype=self._narrow)
        for edge in edges.tolist():
            codes += values > edge
        return codes

    @property
    def _narrow(self) -> type[np.integer[Any]]:
        return np.int16 if self.size < 2**15 else np.int32

    def _refuse(self, values: list[Any]) -> None:
        raise DataError(f"holds {listing(values)}, which the levels {listing(self.levels or ())} do not name")


def columns_alike(first: Coding, second: Coding) -> str | None:
    """Return in what two columns differ so that their counts do not add up; None if they do."""
    if first.name != second.name:
        return f"{second.name!r} stands where {first.name!r} was"
    if (first.size == 0) != (second.size == 0) or first.is_label != second.is_label:
        return f"{first.name!r} is a number in one and classes in the other"
    if first.scale != second.scale:
        return f"{first.name!r} is of another scale"
    if first.ordered != second.ordered:
        return f"{first.name!r} is ordered in one only"
    same = (first.edges is None) == (second.edges is None) and (
        first.edges is None or np.array_equal(first.edges, np.asarray(second.edges))
    )
    return None if same else f"{first.name!r} is cut at other numbers"


def united(first: Coding, second: Coding) -> tuple[Coding, IntArray, IntArray]:
    """Return one column of two with all levels of both, and where the codes of each go.

    Raises
    ------
    DataError
        If all levels together make another kind of column, or have no known order.
    """
    here, there = np.arange(first.size), np.arange(second.size)
    if first.levels is None or second.levels is None or first.levels == second.levels:
        return first, here, there
    if first.ordered:
        raise DataError(
            f"{first.name!r} has the order {listing(first.levels, 20)} in one and "
            f"{listing(second.levels, 20)} in the other; list all levels in both"
        )
    levels = tuple(sorted({*first.levels, *second.levels}))
    place = {level: code for code, level in enumerate(levels)}
    joint = replace(first, kind=_kind_of(first, second, levels), levels=levels)
    codes = [
        np.array([place[level] for level in one.levels or ()], dtype=np.int64) for one in (first, second)
    ]
    return joint, codes[0], codes[1]


def _kind_of(first: Coding, second: Coding, levels: tuple[Any, ...]) -> Kind:
    """Return the kind of a column with the levels of two."""
    if len(levels) == 2:
        return first.kind
    stated = sorted({first.kind, second.kind} - {Kind.BINARY})
    if len(stated) > 1:
        raise DataError(f"{first.name!r} is {first.kind.value} in one and {second.kind.value} in the other")
    labels = levels if first.is_label else None
    integral = first.is_label or all(level == round(level) for level in levels)
    column = Summary(first.name, len(levels), integral=integral, categories=labels)
    kind = stated[0] if stated else column.kind
    if kind is Kind.CONTINUOUS:
        raise DataError(f"{first.name!r} has two values in each, but is a number with those of both")
    if not is_discrete(column, kind):
        raise DataError(f"{first.name!r} has more than {FEW_LEVELS} values together, which make it a number")
    return kind


def _text(value: Any, ordered: bool) -> Any:
    """Return what a label is looked up by: in a listed order its text, else itself."""
    return str(value) if ordered else value
