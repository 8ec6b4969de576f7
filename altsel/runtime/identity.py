"""What tells one function from another in any process, so that stored results are those of the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from copyreg import dispatch_table
from enum import Enum
from functools import cached_property
from hashlib import sha256
from inspect import CO_VARARGS, CO_VARKEYWORDS
from pickle import HIGHEST_PROTOCOL, PickleBuffer
from types import (
    CodeType,
    EllipsisType,
    FunctionType,
    GetSetDescriptorType,
    MappingProxyType,
    MemberDescriptorType,
    MethodType,
    ModuleType,
)
from typing import Any, TypeVar

from altsel.errors import ArgumentError
from altsel.runtime.libraries import library_global, release_of
from altsel.runtime.variables_read import variables_read

PLAIN = {str, bytes, int, bool, float, complex, type(None), EllipsisType, TypeVar}
BY_VALUE = {tuple, frozenset, CodeType}
"""Kinds of constants, of which Python makes one of equal ones or does not."""

HELD = {
    MethodType: ("__self__", "__func__"),
    staticmethod: ("__func__",),
    classmethod: ("__func__",),
    property: ("fget", "fset", "fdel"),
    cached_property: ("func",),
    GetSetDescriptorType: ("__objclass__", "__name__"),
    MemberDescriptorType: ("__objclass__", "__name__"),
}
"""What objects that cannot be pickled are made of."""
CODE = (
    *("co_code", "co_exceptiontable", "co_consts", "co_names", "co_varnames", "co_freevars"),
    *("co_cellvars", "co_argcount", "co_posonlyargcount", "co_kwonlyargcount"),
)
STARRED = CO_VARARGS | CO_VARKEYWORDS
NO_BEHAVIOUR = {
    *("_abc_impl", "__annotations__", "__annotations_cache__", "__annotate_func__", "__annotate__"),
    *("__firstlineno__", "__static_attributes__", "__orig_bases__", "__parameters__", "__type_params__"),
    *("__pydantic_core_schema__", "__pydantic_validator__", "__pydantic_serializer__"),
}
"""Attributes of a class that say where it stands or what its types are, or are made of the others."""


def identity(*things: Any) -> str:
    """Return a digest of functions, objects and settings; the same for the same in any process.

    A function counts by its name, its code, its defaults, what it has enclosed and the global variables it
    reads; a class by its bases and attributes; any other object by its class and what would be pickled of
    it, or by its ``identified_by`` if its class has that. All that these hold counts in the same way, but
    for what belongs to an installed library, which counts by name and version. What a function reads from
    files, the environment or settings of a library does not count.

    Raises
    ------
    ArgumentError
        If something cannot be pickled, or a function reads variables that its code does not name.

    Examples
    --------
    >>> def made(k):
    ...     return lambda rows: rows[:k]
    >>> identity(made(1)) == identity(made(1)), identity(made(1)) == identity(made(2))
    (True, False)
    """
    try:
        return _Digests().of(things)[:32]
    except RecursionError:
        raise ArgumentError("what is nested as deeply as this cannot be told from others") from None


class _Digests:
    """Digests of objects by what they hold; an object within itself is a number."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Any, str]] = {}  # with the objects, or their ids would be used again

    def of(self, thing: Any) -> str:
        kind = type(thing)
        if kind in PLAIN:
            return _digest([f"{kind.__name__} {thing!r}"])
        if kind in BY_VALUE:
            return self._whole(thing, kind)
        if id(thing) not in self._known:
            self._known[id(thing)] = thing, f"within {len(self._known)}"
            self._known[id(thing)] = thing, self._whole(thing, kind)
        return self._known[id(thing)][1]

    def _whole(self, thing: Any, kind: type) -> str:
        parts = list(map(self.of, _parts(thing, kind)))
        if kind in {set, frozenset}:  # whose order differs from process to process
            parts.sort()
        return _digest([f"{kind.__module__}.{kind.__qualname__}", *parts])


def _digest(lines: Iterable[str]) -> str:
    return sha256("\n".join(lines).encode()).hexdigest()


def _parts(thing: Any, kind: type) -> Iterable[Any]:  # noqa: PLR0911 (one for each kind)
    """Return what tells a thing from others of its kind."""
    if kind in {list, tuple, set, frozenset}:
        return thing  # type: ignore[no-any-return]
    if kind in {dict, MappingProxyType}:
        return thing.items()  # type: ignore[no-any-return]
    if kind in HELD:
        return [getattr(thing, name) for name in HELD[kind]]
    if kind is CodeType:
        return thing.co_flags & STARRED, *(getattr(thing, name) for name in CODE)
    if kind is PickleBuffer:
        return (sha256(thing.raw()).hexdigest(),)
    if kind is FunctionType:
        return _function(thing)
    if isinstance(thing, type):
        return _class(thing)
    if isinstance(thing, ModuleType):
        return _module(thing)
    if isinstance(thing, Enum):  # of which pickle would keep the value only
        return kind, thing.name, vars(thing)
    if "identified_by" in vars(kind):  # a class derived from that one may hold more
        return kind, thing.identified_by
    return _pickled(thing, kind)


def _function(function: FunctionType) -> tuple[Any, ...]:
    name = function.__qualname__
    if known := library_global(function, name):
        return (known,)
    held = [_content(cell) for cell in function.__closure__ or ()]
    own = (function.__module__, name, function.__defaults__, function.__kwdefaults__, held)
    where = function.__globals__.get("__name__", "")
    if release := release_of(where):  # made by a library, as by its decorators
        return (*own, where, release)
    return (*own, vars(function), function.__code__, variables_read(function))


def _content(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # of a variable without a value yet
        return "empty"


def _class(kind: type) -> tuple[Any, ...]:
    if known := library_global(kind, kind.__qualname__):
        return (known,)
    attributes = {name: value for name, value in vars(kind).items() if name not in NO_BEHAVIOUR}
    return kind.__module__, kind.__qualname__, type(kind), kind.__bases__, attributes


def _module(module: ModuleType) -> tuple[Any, ...]:
    release = release_of(module.__name__)
    own = {name: value for name, value in vars(module).items() if not name.startswith("__")}
    return module.__name__, release or own


def _pickled(thing: Any, kind: type) -> tuple[Any, ...]:
    """Return what pickle would keep of an object: how it is made, its state, its items."""
    try:
        reduce = dispatch_table.get(kind)
        kept = reduce(thing) if reduce else thing.__reduce_ex__(HIGHEST_PROTOCOL)
        if isinstance(kept, str):  # pickle would keep a name only
            return (library_global(thing, kept) or (kind, kept, vars(thing)),)
    except Exception as fault:  # each object that refuses has errors of its own
        raise ArgumentError(
            f"{kind.__name__} cannot be told from others of its kind, as it cannot be pickled: {fault}"
        ) from fault
    return kind, *(list(part) if isinstance(part, Iterator) else part for part in kept)
