"""The loops by numba, where that is installed (``pip install "altsel[fast]"``)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from types import FunctionType
from typing import Any

from altsel.exact.chains import loop


@dataclass(frozen=True)
class Loops:
    """Loops as in `loop`; `words` tells whether tables are arrays, with 64 earlier sets a word."""

    advance: Callable[..., int]
    greedy: Callable[..., int]
    words: bool


PLAIN = Loops(loop.advance, loop.greedy, words=False)
"""The same without numba."""


def ready() -> Loops:
    """Return the compiled loops if they are at hand, else the plain ones, which need no loading."""
    return (compiled() if compiled.cache_info().currsize else None) or PLAIN


@cache
def compiled() -> Loops | None:
    """Compile the loops, or give None if numba is not installed."""
    try:
        import numba  # noqa: PLC0415  (optional, and slow to import)
    except ImportError:
        return None
    how = {"nogil": True, "error_model": "numpy"}
    try:
        return _with(numba.njit(cache=True, **how))
    except RuntimeError:  # no folder to keep the compiled code in
        return _with(numba.njit(**how))


def _with(compile_: Callable[[Any], Any]) -> Loops:
    """Compile copies of the loops, so that the plain ones go on calling plain ones."""
    own = dict(vars(loop))
    for name in ("_onward", "_kept"):
        own[name] = compile_(getattr(loop, name))
    advance = loop.advance
    copy = FunctionType(advance.__code__, own, advance.__name__, advance.__defaults__)
    return Loops(compile_(copy), compile_(loop.greedy), words=True)
