"""The loops by numba, where that is installed (``pip install "altsel[fast]"``)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from altsel._types import FloatArray
from altsel.compiling import Sources, installed
from altsel.exact.chains import descent, loop


@dataclass(frozen=True)
class Loops:
    """Loops as in `loop` and `descent`; `words`: tables are arrays, with 64 earlier sets a word."""

    advance: Callable[..., int]
    greedy: Callable[..., int]
    descend: Callable[..., FloatArray]
    words: bool


PLAIN = Loops(loop.advance, loop.greedy, descent.by_arrays, words=False)
"""The same without numba."""


def ready() -> Loops:
    """Return the compiled loops if they are at hand, else the plain ones, which need no loading."""
    return (compiled() if compiled.cache_info().currsize else None) or PLAIN


def to_come() -> bool:
    """Return whether there are compiled loops that no work has been long enough for until now."""
    return not compiled.cache_info().currsize and installed()


@cache
def compiled() -> Loops | None:
    """Compile the loops, or give None if numba is not installed."""
    compile_ = Sources((loop.__name__, descent.__name__)).compiler()
    if compile_ is None:
        return None
    own = dict(vars(loop))  # so that the plain ones go on calling plain ones
    for name in ("_onward", "_kept"):
        own[name] = compile_(getattr(loop, name))
    descend = compile_(descent.by_numbers)
    return Loops(compile_(loop.advance, own), compile_(loop.greedy), descend, words=True)
