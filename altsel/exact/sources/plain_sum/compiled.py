"""The loops by numba, where that is installed (``pip install "altsel[fast]"``)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from altsel._types import FloatArray
from altsel.compiling import Loops as Kinds
from altsel.compiling import Sources
from altsel.exact.kernels import descent, error_free, greedy, linear_tree, listing


@dataclass(frozen=True)
class Loops:
    """Loops as in `altsel.exact.kernels`; `words`: tables are arrays, with 64 earlier sets a word."""

    advance: Callable[..., int]
    greedy: Callable[..., int]
    descend: Callable[..., FloatArray]
    words: bool


PLAIN = Loops(listing.advance, greedy.greedy, descent.by_arrays, words=False)
"""The same without numba."""


SOURCES = Sources(tuple(one.__name__ for one in (descent, error_free, greedy, linear_tree, listing)))
STEPS = (
    *(error_free.two_sum, listing.best_sum, listing.fits, listing.take, listing.keeps, listing.record),
    *(listing.within, listing.finish, listing.gather, listing.begin),
)
NODE_STEPS = (
    *(error_free.two_sum, linear_tree.hopeless, linear_tree.movable, linear_tree.fits),
    *(linear_tree.slack_forever, linear_tree.leaving, linear_tree.entering, linear_tree.pivot),
    *(linear_tree.read_prices, linear_tree.raise_price, linear_tree.bound_by_prices, linear_tree.fix),
    *(linear_tree.settle, linear_tree.solve, linear_tree.choose, linear_tree.copy),
    *(linear_tree.record, linear_tree.plant, linear_tree.put_off),
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


@dataclass(frozen=True)
class Linear:
    """Loops as in `altsel.exact.kernels.linear_tree`."""

    plant: Callable[..., None]
    solve: Callable[..., bool]
    grow: Callable[..., int]
    compiled: bool


def _linear() -> Linear | None:
    loop = SOURCES.compiler(_nrt=False)
    if loop is None:
        return None
    own = dict(vars(linear_tree))
    for one in NODE_STEPS:
        own[one.__name__] = loop(one, own)
    return Linear(own["plant"], own["solve"], loop(linear_tree.grow, own), compiled=True)


LINEAR_LOOPS = Kinds(
    Linear(linear_tree.plant, linear_tree.solve, linear_tree.grow, compiled=False),
    SOURCES,
    linear_tree.grow,
    8.0,
    _linear,
)
"""Both kinds; a list only uses compiled ones."""
