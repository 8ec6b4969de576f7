"""The loops of linear fits, compiled by numba where that is installed (``pip install "altsel[fast]"``)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from types import FunctionType
from typing import Any

from altsel.compiling import Loops, Sources, interruptible
from altsel.exact.kernels import (
    conditioning,
    double_double,
    fit_data,
    fit_list,
    fit_rules,
    fit_steps,
    fit_tree,
)
from altsel.exact.sources.least_squares import pairs, prices
from altsel.stats import least_squares

ORDER = (
    *(double_double.added, double_double.multiplied, double_double.dot, double_double.normalised),
    *(least_squares.projected, least_squares.explained),
    *(conditioning.rough_basis, conditioning.remainder, conditioning.hidden, conditioning.exact_basis),
    *(conditioning.afresh, conditioning.blanked, conditioning.cleared, conditioning.unbounded),
    *(prices.shares, prices.top, fit_steps.inner, fit_steps.swept, fit_steps.weighted, fit_steps.priced),
    *(fit_rules.left_over, fit_rules.propagated, fit_rules.keeps, fit_rules.fill_least, fit_rules.may_keep),
    *(fit_steps.conditioned, fit_steps.good_pairs, fit_list.good_ones, fit_list.opened, fit_list.walk),
    *(fit_list.offered, fit_list.evaluated, fit_list.open_untold, fit_list.begin_list, fit_list.list_on),
    *(fit_tree.list_work, fit_tree.what_is_left, fit_tree.bounded, fit_tree.sole_choice, fit_tree.branching),
    *(fit_tree.open_child, fit_tree.searched),
)
"""Functions to compile, each after those it calls."""
STEPS = "may_keep", "conditioned", "good_pairs", "good_ones", "opened"
"""Steps that `walk` calls on each path: within it, and without counts of who uses an array, as itself."""
STEP = {"forceinline": True, "_nrt": False}
MODULES = (
    *(least_squares, double_double, conditioning, prices, pairs, fit_data, fit_rules, fit_list, fit_tree),
    fit_steps,
)
SOURCES = Sources(tuple(one.__name__ for one in MODULES))


@dataclass(frozen=True)
class Kernels:
    """Loops: as those of `fit_tree`, and steps as those of `prices`, `pairs` and `conditioning`."""

    searched: Callable[..., None]
    bounded: Callable[..., Any]
    priced: Callable[..., Any]
    shares: Callable[..., Any]
    swept: Callable[..., Any]
    conditioned: Callable[..., float]
    good_pairs: Callable[..., int]


PLAIN = Kernels(
    fit_tree.searched,
    fit_tree.bounded,
    prices.priced,
    prices.shares,
    conditioning.swept,
    pairs.conditioned,
    pairs.good_pairs,
)
"""The same without numba."""


def _compiled() -> Kernels | None:
    """Compile the whole tree, with its lists."""
    names = _compile(ORDER)
    if names is None:
        return None
    return Kernels(*(interruptible(names[one]) for one in Kernels.__annotations__))


def _lists_compiled() -> Kernels | None:
    """Compile what lists do on each path; what begins and ends them, and the tree, stays as it is."""
    names = _compile([one for one in ORDER if one.__name__ in STEPS or one is fit_list.walk])
    if names is None:
        return None
    walk = interruptible(names["walk"])
    list_on = FunctionType(fit_list.list_on.__code__, vars(fit_list) | {"walk": walk})
    return replace(
        PLAIN, searched=FunctionType(fit_tree.searched.__code__, vars(fit_tree) | {"list_on": list_on})
    )


def _compile(functions: Iterable[Callable[..., Any]]) -> dict[str, Any] | None:
    """Compile functions, each after those it calls; return all names with theirs; None without numba."""
    compile_, step, loop = SOURCES.compiler(), SOURCES.compiler(**STEP), SOURCES.compiler(_nrt=False)
    if compile_ is None or step is None or loop is None:
        return None
    names = {name: value for module in MODULES for name, value in vars(module).items()}
    for plain in functions:
        how = step if plain.__name__ in STEPS else loop if plain is fit_list.walk else compile_
        names[plain.__name__] = how(plain, names)
    return names


LOOPS = Loops(PLAIN, SOURCES, fit_tree.searched, 30.0, _compiled)
"""Both kinds."""
LISTS = Loops(PLAIN, SOURCES, fit_list.walk, 3.0, _lists_compiled)
"""The same, but that only lists are compiled: that takes a tenth of the time."""


def for_tree(seconds: float) -> Kernels:
    """Return the loops for work of a tree of so many CPU seconds as they are, and count it."""
    found = LOOPS.after(seconds)
    return LISTS.ready() if found is PLAIN else found


def for_list(seconds: float, count: bool = True) -> Kernels:
    """Return the loops for a list of so many CPU seconds as they are; count it, or only ask."""
    found = LOOPS.after(seconds) if count else LOOPS.worth(seconds)
    if found is not PLAIN:
        return found
    return LISTS.after(seconds) if count else LISTS.worth(seconds)
