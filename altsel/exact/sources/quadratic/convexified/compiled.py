"""Loops compiled by numba, where that is installed (``pip install "altsel[fast]"``)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

from altsel.compiling import Loops, Sources
from altsel.exact.kernels import climbs as climb_loops
from altsel.exact.kernels import convex_nodes, convex_tree, node_steps, open_nodes, programs
from altsel.exact.kernels import node_bound as bound_loops
from altsel.exact.kernels.programs import Bound
from altsel.exact.sources.quadratic import lagrangian_bound
from altsel.exact.sources.quadratic.convexified import climbs, node_bound, propagation


@dataclass(frozen=True)
class Kernels:
    """Loops: as those of `node_bound`, `climbs` and `propagation` are."""

    relaxed: Callable[..., Bound]
    climbed: Callable[..., None]
    branching: Callable[..., int]
    fitted: Callable[..., None]
    decided: Callable[..., int]
    searched: Callable[..., tuple[int, int, int]] | None


PLAIN = Kernels(
    node_bound.relaxed, climbs.climbed, node_bound.branching, propagation.fitted, propagation.decided, None
)
"""The same without numba."""
MODULES = (
    *(bound_loops, node_steps, convex_tree, convex_nodes, open_nodes, climb_loops, programs),
    lagrangian_bound,
)
SOURCES = Sources(tuple(one.__name__ for one in MODULES))
STEPS = (
    *(bound_loops.alone_costs, bound_loops.slopes, bound_loops.empty, bound_loops.widened),
    *(bound_loops.exchanged, bound_loops.cheapest, bound_loops.excess),
)
"""Functions that `relaxed` calls."""
STEPS_OF_TREE = (
    *(open_nodes.take, open_nodes.vacate, open_nodes.add, convex_nodes.put, convex_nodes.keep_open),
    *(convex_nodes.shift, convex_nodes.afresh, convex_nodes.load, convex_nodes.refill, convex_nodes.include),
    *(convex_nodes.settled, convex_nodes.remove, convex_nodes.branched),
    *(convex_tree.bounded, convex_tree.most_split, convex_tree.completed, convex_tree.examined),
)
"""Functions that `searched` calls, each after those it calls."""
WITHOUT_COUNTS = (*STEPS_OF_TREE, bound_loops.widened, bound_loops.exchanged, bound_loops.cheapest)
"""Those that allocate nothing: no counts of who uses an array."""
FAST = {"reassoc", "contract", "nsz", "nnan"}


def _named(loop: Callable[..., Any]) -> Callable[..., Bound]:
    """Let Python name what `relaxed` returns: numba crashes if interrupted as it makes a named tuple."""

    @wraps(loop)
    def relaxed(*given: Any) -> Bound:
        return Bound(*loop(*given))

    return relaxed


def _compiled() -> Kernels | None:
    compile_, step = SOURCES.compiler(fastmath=FAST), SOURCES.compiler(fastmath=FAST, _nrt=False)
    if compile_ is None or step is None:
        return None
    own = vars(bound_loops) | vars(convex_nodes) | vars(convex_tree)
    for one in (*STEPS, *STEPS_OF_TREE):
        own[one.__name__] = (step if one in WITHOUT_COUNTS else compile_)(one, own)
    climbing = vars(climb_loops) | {"best_exchange": compile_(climb_loops.best_exchange)}
    return Kernels(
        _named(compile_(bound_loops.relaxed, own)),
        compile_(climb_loops.climbed, climbing),
        compile_(node_steps.branching),
        compile_(node_steps.fitted),
        compile_(node_steps.decided),
        compile_(convex_tree.searched, own),
    )


LOOPS = Loops(PLAIN, SOURCES, bound_loops.relaxed, 10.0, _compiled)
"""Both kinds."""
WITHOUT_ROWS = Loops(PLAIN, SOURCES, convex_tree.searched, 16.0, _compiled)
"""The same for trees without rows, which call other loops: either is compiled and kept without the other."""
