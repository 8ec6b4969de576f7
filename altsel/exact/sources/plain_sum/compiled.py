"""The loops by numba, where that is installed (``pip install "altsel[fast]"``)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from altsel._types import FloatArray
from altsel.compiling import Loops as Kinds
from altsel.compiling import Sources
from altsel.exact.kernels import descent, error_free, greedy, listing


@dataclass(frozen=True)
class Loops:
    """Loops as in `altsel.exact.kernels`; `words`: tables are arrays, with 64 earlier sets a word."""

    advance: Callable[..., int]
    greedy: Callable[..., int]
    descend: Callable[..., FloatArray]
    words: bool


PLAIN = Loops(listing.advance, greedy.greedy, descent.by_arrays, words=False)
"""The same without numba."""


SOURCES = Sources(tuple(one.__name__ for one in (descent, error_free, greedy, listing)))
STEPS = (
    *(error_free.two_sum, listing.best_sum, listing.fits, listing.take, listing.keeps, listing.record),
    *(listing.within, listing.finish, listing.gather, listing.begin),
)
"""Functions to compile, each after those it calls."""


STEP = {"forceinline": True, "_nrt": False}
"""How they are: within their caller, and without counts of who uses an array: these take twice the time."""


def _compiled() -> Loops | None:
    compile_, step, loop = SOURCES.compiler(), SOURCES.compiler(**STEP), SOURCES.compiler(_nrt=False)
    if compile_ is None or step is None or loop is None:
        return None
    own = dict(vars(listing))  # so that the plain ones go on calling plain ones
    for one in STEPS:
        own[one.__name__] = step(one, own)
    advance, descend = loop(listing.advance, own), compile_(descent.by_numbers)
    return Loops(advance, compile_(greedy.greedy), descend, words=True)


LOOPS = Kinds(PLAIN, SOURCES, listing.advance, 5.0, _compiled)
"""Both kinds."""
