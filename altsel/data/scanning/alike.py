"""Scans that take columns, levels and edges from another one, so that the counts of both add up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from altsel.data.kinds import Declared
from altsel.data.scanning.coding import Coding
from altsel.data.scanning.laid_out import LaidOut
from altsel.data.scanning.layout import Layout
from altsel.data.schema import Kind, Task
from altsel.errors import ArgumentError, DataError, listing, of_kind


@dataclass(frozen=True)
class Request:
    """What a user says of the columns."""

    target: str
    task: Task | str | None
    kinds: Mapping[str, Declared]
    bins: int | None

    def __post_init__(self) -> None:
        of_kind("target", self.target, str, "the name of the target's column")
        of_kind("task", self.task, str | None, "'binary', 'multiclass' or 'regression'")
        of_kind("kinds", self.kinds, Mapping, "kinds by name: {'zip': 'categorical'}")


def layout_of(like: Any, request: Request, names: tuple[str, ...]) -> Layout:
    """Return the columns of another scan or its statistics.

    Parameters
    ----------
    like
        The other one.
    request
        What is asked of this one.
    names
        The columns that are here.

    Raises
    ------
    ArgumentError
        If what is asked contradicts the other one.
    DataError
        If columns of the other one are not here.
    """
    if not isinstance(like, LaidOut):
        raise ArgumentError(f"like is a {type(like).__name__}; give a Scan or Statistics")
    found = _contradiction(request, like)
    if found:
        raise ArgumentError(f"{found}: leave it out, give the same, or scan without like=")
    absent = [name for name in like.layout.names if name not in names]
    if absent:
        raise DataError(f"the columns {listing(absent)}, which the other scan has, are not here")
    return like.layout


def _contradiction(request: Request, like: LaidOut) -> str | None:
    """Return what is asked that the other scan has otherwise; None if nothing is."""
    theirs = "which like= takes from the other scan"
    if request.target != like.target:
        return f"the target {request.target!r} is not {like.target!r}, {theirs}"
    if request.bins not in {None, like.bins}:
        return f"bins={request.bins} contradicts bins={like.bins}, {theirs}"
    if request.task is not None and request.task != like.task:
        return f"task={str(request.task)!r} contradicts {like.task.value!r}, {theirs}"
    columns = {one.name: one for one in like.layout.columns}
    for name, kind in request.kinds.items():
        if name not in columns:
            return f"kinds names {name!r}, which the other scan of like= does not have"
        if not _is_of(kind, columns[name]):
            said = list(kind) if isinstance(kind, (list, tuple)) else str(kind)
            own = list(columns[name].levels or ()) if columns[name].ordered else columns[name].kind.value
            return f"kinds={{{name!r}: {said!r}}} contradicts {own!r}, {theirs}"
    return None


def _is_of(kind: Declared, column: Coding) -> bool:
    """Return whether a column is of a kind; ordinal ones of two values are binary, listed levels may lack."""
    if not isinstance(kind, (list, tuple)):
        return kind == column.kind or (kind == Kind.ORDINAL and column.kind is Kind.BINARY)
    levels = [str(level) for level in column.levels or ()]
    return column.ordered and [str(level) for level in kind if str(level) in levels] == levels
