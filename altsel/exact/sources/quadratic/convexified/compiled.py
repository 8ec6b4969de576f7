"""Loops compiled by numba, where that is installed (``pip install "altsel[fast]"``)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from altsel.compiling import Loops, Sources
from altsel.exact.kernels import climbs as climb_loops
from altsel.exact.kernels import node_bound as bound_loops
from altsel.exact.kernels import node_steps, programs
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


PLAIN = Kernels(
    node_bound.relaxed, climbs.climbed, node_bound.branching, propagation.fitted, propagation.decided
)
"""The same without numba."""
MODULES = bound_loops, node_steps, climb_loops, programs, lagrangian_bound
SOURCES = Sources(tuple(one.__name__ for one in MODULES))
STEPS = (
    *(bound_loops.alone_costs, bound_loops.slopes, bound_loops.empty, bound_loops.widened),
    *(bound_loops.exchanged, bound_loops.cheapest, bound_loops.excess),
)
"""Functions that `relaxed` calls."""


def _compiled() -> Kernels | None:
    compile_ = SOURCES.compiler(fastmath={"reassoc", "contract", "nsz"})
    if compile_ is None:
        return None
    own = vars(bound_loops) | {one.__name__: compile_(one) for one in STEPS}
    climbing = vars(climb_loops) | {"best_exchange": compile_(climb_loops.best_exchange)}
    return Kernels(
        compile_(bound_loops.relaxed, own),
        compile_(climb_loops.climbed, climbing),
        *map(compile_, (node_steps.branching, node_steps.fitted, node_steps.decided)),
    )


LOOPS = Loops(PLAIN, SOURCES, bound_loops.relaxed, 10.0, _compiled)
"""Both kinds."""
