"""The loops by numba, where that is installed (``pip install "altsel[fast]"``)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from altsel._types import FloatArray
from altsel.compiling import Sources, installed
from altsel.exact.kernels import descent, error_free, greedy, listing


@dataclass(frozen=True)
class Loops:
    """Loops as in `loop` and `descent`; `words`: tables are arrays, with 64 earlier sets a word."""

    advance: Callable[..., int]
    greedy: Callable[..., int]
    descend: Callable[..., FloatArray]
    words: bool


PLAIN = Loops(listing.advance, greedy.greedy, descent.by_arrays, words=False)
"""The same without numba."""


def ready() -> Loops:
    """Return the compiled loops if they are at hand, else the plain ones, which need no loading."""
    return (compiled() if compiled.cache_info().currsize else None) or PLAIN


def to_come() -> bool:
    """Return whether there are compiled loops that no work has been long enough for until now."""
    return not compiled.cache_info().currsize and installed()


STEPS = (
    *(error_free.two_sum, listing.best_sum, listing.fits, listing.take, listing.keeps, listing.record),
    *(listing.within, listing.finish, listing.gather, listing.begin),
)
"""Functions to compile, each after those it calls."""


STEP = {"forceinline": True, "_nrt": False}
"""How they are: within their caller, and without counts of who uses an array, which take three times as long."""


@cache
def compiled() -> Loops | None:
    """Compile the loops, or give None if numba is not installed."""
    sources = Sources(tuple(one.__name__ for one in (descent, error_free, greedy, listing)))
    compile_, step = sources.compiler(), sources.compiler(**STEP)
    if compile_ is None or step is None:
        return None
    own = dict(vars(listing))  # so that the plain ones go on calling plain ones
    for one in STEPS:
        own[one.__name__] = step(one, own)
    advance = sources.compiler(_nrt=False)(listing.advance, own)
    return Loops(advance, compile_(greedy.greedy), compile_(descent.by_numbers), words=True)
