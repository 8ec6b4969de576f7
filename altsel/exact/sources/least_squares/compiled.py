"""The loops of `kernel`, compiled by numba where that is installed (``pip install "altsel[fast]"``)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import inf
from typing import Any

from altsel.compiling import Sources, interruptible
from altsel.exact.sources.least_squares import conditioning, double_double, kernel, looped, prices
from altsel.stats import least_squares

LOADING, COMPILING = 1.0, 10.0
"""Seconds of work from which compiled loops are loaded, or where none are kept compiled in half a minute."""
ORDER = (
    *(double_double.added, double_double.multiplied, double_double.dot, double_double.normalised),
    *(least_squares.projected, least_squares.explained),
    *(looped.inner, looped.swept, conditioning.rough_basis, conditioning.remainder, conditioning.hidden),
    *(conditioning.exact_basis, conditioning.afresh, conditioning.cleared, conditioning.unbounded),
    *(prices.shares, looped.weighted, looped.priced, prices.top, looped.good_pairs),
    *(kernel.propagated, kernel.keeps, kernel.offered),
    *(kernel.finished, kernel.bounded, kernel.searched),
)
"""Functions to compile, each after those it calls."""
MODULES = (least_squares, double_double, conditioning, prices, kernel, looped)
SOURCES = Sources(tuple(one.__name__ for one in MODULES))


@dataclass(frozen=True)
class Kernels:
    """Functions of `kernel` and `prices`."""

    searched: Callable[..., None]
    bounded: Callable[..., Any]
    priced: Callable[..., Any]
    shares: Callable[..., Any]


PLAIN = Kernels(kernel.searched, kernel.bounded, prices.priced, prices.shares)
"""The same without numba."""


@cache
def compiled() -> Kernels | None:
    """Compile the loops, or give None if numba is not installed."""
    compile_ = SOURCES.compiler()
    if compile_ is None:
        return None
    names = {name: value for module in MODULES for name, value in vars(module).items()}
    for plain in ORDER:
        names[plain.__name__] = compile_(plain, names)
    return Kernels(*(interruptible(names[one]) for one in ("searched", "bounded", "priced", "shares")))


def patience(left: float) -> float:
    """Return after how many seconds of work compiled loops pay, with so many seconds left."""
    if compiled.cache_info().currsize:
        return 0.0
    if SOURCES.kept(kernel.searched):
        return LOADING
    return COMPILING if left > 6 * COMPILING else inf


def loaded() -> Kernels:
    """Return the compiled loops if they are loaded, or else those of numpy."""
    return kernels() if compiled.cache_info().currsize else PLAIN


def kernels() -> Kernels:
    """Return the compiled loops, or else those of numpy."""
    return compiled() or PLAIN
