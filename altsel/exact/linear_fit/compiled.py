"""The loops of `kernel`, compiled by numba where that is installed (``pip install "altsel[fast]"``)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import inf
from pathlib import Path
from types import FunctionType
from typing import Any

from altsel.exact.linear_fit import conditioning, double_double, kernel
from altsel.stats import least_squares

LOADING, COMPILING = 0.1, 10.0
"""Seconds of work from which compiled loops are loaded, or where none are kept compiled in half a minute."""
ORDER = (
    *(double_double.added, double_double.multiplied, double_double.dot, double_double.normalised),
    *(least_squares.projected, least_squares.explained),
    *(conditioning.swept, conditioning.rough_basis, conditioning.remainder, conditioning.hidden),
    *(conditioning.exact_basis, conditioning.afresh, conditioning.cleared, conditioning.unbounded),
    *(kernel.shares, kernel.priced, kernel.top, kernel.propagated, kernel.keeps, kernel.offered),
    *(kernel.finished, kernel.bounded, kernel.searched),
)
"""Functions to compile, each after those it calls."""


@dataclass(frozen=True)
class Kernels:
    """Functions of `kernel`."""

    searched: Callable[..., None]
    bounded: Callable[..., Any]


PLAIN = Kernels(kernel.searched, kernel.bounded)
"""The same without numba."""


@cache
def compiled() -> Kernels | None:
    """Compile the loops, or give None if numba is not installed."""
    try:
        import numba  # noqa: PLC0415  (optional, and slow to import)
    except ImportError:
        return None
    try:
        return _made(numba.njit(cache=True, nogil=True, error_model="numpy"))
    except RuntimeError:  # no folder to keep the compiled code in
        return _made(numba.njit(nogil=True, error_model="numpy"))


def _made(compile_: Callable[..., Any]) -> Kernels:
    """Compile copies of the functions that call each other's compiled ones."""
    names = {**vars(least_squares), **vars(double_double), **vars(conditioning), **vars(kernel)}
    for plain in ORDER:
        name = plain.__name__
        copy = FunctionType(plain.__code__, names, name, plain.__defaults__)
        copy.__module__, copy.__qualname__ = plain.__module__, plain.__qualname__
        names[name] = compile_(copy)
    return Kernels(names["searched"], names["bounded"])


def patience(left: float) -> float:
    """Return after how many seconds of work compiled loops pay, with so many seconds left."""
    source = Path(kernel.__file__)
    kept = [one.stat().st_mtime for one in source.parent.glob("__pycache__/kernel.searched-*.nbc")]
    if kept and max(kept) > source.stat().st_mtime:
        return LOADING
    return COMPILING if left > 6 * COMPILING else inf


def kernels() -> Kernels:
    """Return the compiled loops, or else those of numpy."""
    return compiled() or PLAIN
