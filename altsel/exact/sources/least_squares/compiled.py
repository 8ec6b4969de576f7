"""The loops of linear fits, compiled by numba where that is installed (``pip install "altsel[fast]"``)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from altsel.compiling import Loops, Sources, interruptible
from altsel.exact.kernels import conditioning, double_double, fit_data, fit_steps, fit_tree
from altsel.exact.sources.least_squares import prices
from altsel.stats import least_squares

ORDER = (
    *(double_double.added, double_double.multiplied, double_double.dot, double_double.normalised),
    *(least_squares.projected, least_squares.explained),
    *(conditioning.rough_basis, conditioning.remainder, conditioning.hidden, conditioning.exact_basis),
    *(conditioning.afresh, conditioning.cleared, conditioning.unbounded, prices.shares, prices.top),
    *(fit_steps.inner, fit_steps.swept, fit_steps.weighted, fit_steps.priced, fit_steps.good_pairs),
    *(fit_tree.left_over, fit_tree.propagated, fit_tree.keeps, fit_tree.offered_if_kept, fit_tree.finished),
    *(fit_tree.what_is_left, fit_tree.bounded, fit_tree.sole_choice, fit_tree.branching),
    *(fit_tree.open_child, fit_tree.searched),
)
"""Functions to compile, each after those it calls."""
MODULES = (least_squares, double_double, conditioning, prices, fit_data, fit_tree, fit_steps)
SOURCES = Sources(tuple(one.__name__ for one in MODULES))


@dataclass(frozen=True)
class Kernels:
    """Loops: as those of `fit_tree`, and steps as those of `prices` and `conditioning`."""

    searched: Callable[..., None]
    bounded: Callable[..., Any]
    priced: Callable[..., Any]
    shares: Callable[..., Any]
    swept: Callable[..., Any]
    good_pairs: Callable[..., Any]


PLAIN = Kernels(
    fit_tree.searched, fit_tree.bounded, prices.priced, prices.shares, conditioning.swept, prices.good_pairs
)
"""The same without numba."""


def _compiled() -> Kernels | None:
    compile_ = SOURCES.compiler()
    if compile_ is None:
        return None
    names = {name: value for module in MODULES for name, value in vars(module).items()}
    for plain in ORDER:
        names[plain.__name__] = compile_(plain, names)
    return Kernels(*(interruptible(names[one]) for one in Kernels.__annotations__))


LOOPS = Loops(PLAIN, SOURCES, fit_tree.searched, 30.0, _compiled)
"""Both kinds."""
