"""What tells one function from another in any process, so that stored results are those of the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from hashlib import sha256
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

from altsel.errors import ArgumentError
from altsel.runtime.on_demand import OnDemand

joblib: Any = OnDemand("joblib")
PLAIN = (str, bytes, int, float, complex, type(None))


def identity(*things: Any) -> str:
    """Return a digest of functions and their settings; the same for the same code and values in any process.

    A function counts by its name, its code, its defaults, what it has enclosed and the global variables it
    uses, among them functions and classes of the same module, whose code counts too; those of other
    modules count by their names. An object with a ``fingerprint`` counts by that, any other by its class,
    with the code of its methods, and its pickled state.

    Raises
    ------
    ArgumentError
        If something cannot be pickled.

    Examples
    --------
    >>> def made(k):
    ...     return lambda rows: rows[:k]
    >>> identity(made(1)) == identity(made(1)), identity(made(1)) == identity(made(2))
    (True, False)
    """
    return sha256("\n".join(_text(thing, ()) for thing in things).encode()).hexdigest()[:32]


def _text(thing: Any, within: tuple[Any, ...]) -> str:  # noqa: PLR0911 (one for each kind)
    """Write what tells a thing from others; `within` are the functions that use it."""
    if isinstance(thing, partial):
        return f"partial{_text((thing.func, thing.args, thing.keywords), within)}"
    if isinstance(thing, MethodType):
        return f"{_text(thing.__self__, within)}.{_text(thing.__func__, within)}"
    if isinstance(thing, FunctionType):
        return _function(thing, within)
    if isinstance(thing, type):
        return _class(thing)
    if isinstance(thing, ModuleType):
        return thing.__name__
    if hasattr(thing, "fingerprint"):
        return f"{type(thing).__name__} {thing.fingerprint}"
    if isinstance(thing, (list, tuple)):
        return f"[{', '.join(_text(one, within) for one in thing)}]"
    if isinstance(thing, Mapping):
        return f"{{{', '.join(f'{key!r}: {_text(value, within)}' for key, value in thing.items())}}}"
    return repr(thing) if isinstance(thing, PLAIN) else f"{_class(type(thing))} {_pickled(thing)}"


def _function(function: FunctionType, within: tuple[Any, ...]) -> str:
    name = f"{function.__module__}.{function.__qualname__}"
    if function in within:
        return name
    held = [cell.cell_contents for cell in function.__closure__ or ()]
    used = {
        variable: function.__globals__[variable]
        for variable in sorted(set(_names(function.__code__)))
        if variable in function.__globals__
    }
    variables = {
        variable: f"{value.__module__}.{value.__qualname__}" if _elsewhere(value, function) else value
        for variable, value in used.items()
    }
    values = [function.__defaults__, function.__kwdefaults__, held, variables]
    return f"{name}({_code(function.__code__)}, {_text(values, (*within, function))})"


def _elsewhere(value: Any, function: FunctionType) -> bool:
    """Return whether a value is a function or class of another module than a function that uses it."""
    return isinstance(value, (FunctionType, type)) and value.__module__ != function.__module__


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _class(kind: type) -> str:
    methods = {
        name: _code(value.__code__) for name, value in vars(kind).items() if isinstance(value, FunctionType)
    }
    return f"{kind.__module__}.{kind.__qualname__}{methods}"


def _pickled(thing: Any) -> str:
    try:
        return str(joblib.hash(thing))
    except Exception as fault:  # each object that refuses has errors of its own
        raise ArgumentError(
            f"{type(thing).__name__} cannot be told from others of its kind, as it cannot be pickled: "
            f"{fault}; define functions at the top of a module"
        ) from fault


def _code(code: CodeType) -> str:
    constants = [_constant(one) for one in code.co_consts]
    return f"{sha256(code.co_code).hexdigest()} {constants} {code.co_names}"


def _constant(constant: Any) -> str:
    if isinstance(constant, CodeType):
        return _code(constant)
    if isinstance(constant, frozenset):  # whose order differs from process to process
        return str(sorted(map(repr, constant)))
    return repr(constant)
