"""Variables of modules that a function's code reads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dis import Instruction, get_instructions
from types import CodeType, FunctionType, ModuleType
from typing import Any

from altsel.errors import ArgumentError
from altsel.runtime.libraries import release_of

READS = {"LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS"}
ATTRIBUTES = {"LOAD_ATTR", "LOAD_METHOD"}
BY_TEXT = {"eval", "exec", "globals", "__import__"}
"""Built-in functions that read variables which the code does not name,"""
BY_NAME = {"eval", "query", "import_module", "modules", "f_globals", "__globals__", "__dict__"}
"""and attributes that do, as of data frames, of sys, of importlib and of frames."""


def variables_read(function: FunctionType) -> dict[str, Any]:
    """Return the values of the global variables that a function reads, and of what it imports.

    Of the user's own modules the attributes that it reads, by dotted names; a module that it does anything
    else with is there itself.

    Raises
    ------
    ArgumentError
        If it reads variables that its code does not name.

    Examples
    --------
    >>> def long(name):
    ...     return len(name) > LEAST
    >>> LEAST = 5
    >>> variables_read(long)
    {'LEAST': 5}
    """
    return {
        name: value
        for code in _codes(function.__code__)
        for name, value in _read_by(code, function.__globals__)
    }


def _codes(code: CodeType) -> Iterator[CodeType]:
    """Go through a code and those of the functions and classes that are defined in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _read_by(code: CodeType, variables: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    steps = [step for step in get_instructions(code) if step.opname != "EXTENDED_ARG"]
    for index, step in enumerate(steps):
        if step.opname == "IMPORT_NAME":  # after its level and the names to be imported
            level, names = (before.argval for before in steps[index - 2 : index])
            yield from _imported(step.argval, level, names, variables)
        elif step.opname in READS and step.argval in variables:
            name, value = _attribute(step.argval, variables[step.argval], steps[index + 1 :])
            if getattr(value, "__module__", "") == "builtins" and getattr(value, "__name__", "") in BY_TEXT:
                raise _untold(code, name)
            yield name, value
        elif (step.opname in READS and step.argval in BY_TEXT) or (
            step.opname in ATTRIBUTES and step.argval in BY_NAME
        ):
            raise _untold(code, step.argval)


def _untold(code: CodeType, name: str) -> ArgumentError:
    return ArgumentError(
        f"{code.co_qualname} uses {name}, so what it reads cannot be told; name the variables in its code"
    )


def _attribute(name: str, value: Any, following: Sequence[Instruction]) -> tuple[str, Any]:
    """Follow the attributes that are read of a module of the user's own."""
    for step in following:
        own = isinstance(value, ModuleType) and release_of(value.__name__) is None
        if not (own and step.opname in ATTRIBUTES and hasattr(value, step.argval)):
            break
        name, value = f"{name}.{step.argval}", getattr(value, step.argval)
    return name, value


def _imported(
    module: str, level: int, names: Sequence[str] | None, variables: Mapping[str, Any]
) -> Iterator[tuple[str, Any]]:
    """Import what a function will import; what is missing it will do without."""
    try:
        found = __import__(module, dict(variables), None, names or (), level)
    except ImportError:
        return
    if not names:
        yield found.__name__, found
    for name in names or ():
        if hasattr(found, name):
            yield f"{found.__name__}.{name}", getattr(found, name)
