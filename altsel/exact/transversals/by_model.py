"""Minimal transversals by a solver, cheapest first, where the diagram of all is too large."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from altsel.errors import ArgumentError, SolverError
from altsel.exact.auto_solver import automatic
from altsel.exact.transversals.costs import Costs
from altsel.exact.transversals.hypergraph import Sets, is_minimal_transversal
from altsel.models.minimal_transversal import minimal_transversal
from altsel.results.feature_set import Proof
from altsel.results.stop import Stop
from altsel.runtime.clock import OutOfTimeError
from altsel.solvers import CLOSED, Solver


def in_order(
    removals: Sets, costs: Costs, solver: Solver | None = None
) -> Iterator[tuple[frozenset[str], int]]:
    """Yield minimal transversals and their costs in units, the cheapest first, each by one solve.

    What was found is cut off, and the next one is solved for. Costs whose sum is below 1e9 units are given
    as integers, which a closed gap cannot hide; others in order up to a relative 1e-9.

    Parameters
    ----------
    removals
        The sets to be met.
    costs
        Of all features in them.
    solver
        The solver; default: that of ``solvers.toml``.

    Raises
    ------
    SolverError
        If the solver proves nothing, or its answer does not hold.
    OutOfTimeError, KeyboardInterrupt
        If a clock ends a solve.

    Examples
    --------
    >>> from altsel.exact.transversals.costs import exact_costs
    >>> found = in_order([["a", "b"], ["b", "c"]], exact_costs({"a": 1, "b": 4, "c": 2}, "abc"))
    >>> [(sorted(names), cost) for names, cost in found]
    [(['a', 'c'], 3), (['b'], 4)]
    """
    solve, sets = solver or automatic(), tuple(removals)
    plain = sum(map(abs, costs.units.values())) < 1 / CLOSED
    prices = {name: units if plain else costs.value(units) for name, units in costs.units.items()}
    known: list[frozenset[str]] = []
    while True:
        model = minimal_transversal(sets, prices, known)
        if not proved(solve, model):
            return
        known.append(held(model.x))
        if not is_minimal_transversal(known[-1], sets) or known[-1] in known[:-1]:
            raise SolverError(f"{solve.name}: {sorted(known[-1])} is no new minimal transversal")
        yield known[-1], sum(costs[name] for name in known[-1])


def front(removals: Sets, costs: Costs, solver: Solver | None = None) -> Iterator[tuple[frozenset[str], int]]:
    """Yield the sets that no other one beats in size and cost, with their costs, the smallest first.

    1. Find the least size of sets that cost less than the last one. 2. Find the cheapest of this size.

    Parameters
    ----------
    removals, costs, solver
        As in `in_order`.

    Raises
    ------
    ArgumentError
        If costs in units sum to 1e9 or more: a solver could not tell one from another.
    SolverError, OutOfTimeError, KeyboardInterrupt
        As in `in_order`.

    Examples
    --------
    >>> from altsel.exact.transversals.costs import exact_costs
    >>> found = front([["a", "b"], ["b", "c"]], exact_costs({"a": 1, "b": 4, "c": 2}, "abc"))
    >>> [(sorted(names), cost) for names, cost in found]
    [(['b'], 4), (['a', 'c'], 3)]
    """
    solve, sets, units = solver or automatic(), tuple(removals), costs.units
    if sum(map(abs, units.values())) >= 1 / CLOSED:
        raise ArgumentError(
            f"costs: in units of 1/{costs.per_unit:,} they sum to 1e9 or more, which a solver cannot tell "
            "apart; round them, or let the diagram have more nodes"
        )
    one_each = dict.fromkeys(units, 1)
    most: list[tuple[Mapping[str, float], float]] = []
    while proved(solve, smallest := minimal_transversal(sets, one_each, (), most)):
        size = len(held(smallest.x))
        cheapest = minimal_transversal(sets, units, (), [*most, (one_each, size)])
        names = held(cheapest.x) if proved(solve, cheapest) else frozenset()
        if len(names) != size or not is_minimal_transversal(names, sets):
            raise SolverError(f"{solve.name}: {sorted(names)} is no minimal transversal of {size}")
        cost = sum(units[name] for name in names)
        yield names, cost
        most = [(units, cost - 1)]
        if not names:
            return


def proved(solver: Solver, model: Any) -> bool:
    """Solve a model to the optimum; return False if it is infeasible.

    Raises
    ------
    SolverError
        If the solver gives neither.
    OutOfTimeError, KeyboardInterrupt
        If a clock, or the user, ends the solve.
    """
    outcome = solver(model)
    if outcome.stop is Stop.INTERRUPT:
        raise KeyboardInterrupt
    if outcome.stop is Stop.INFEASIBLE:
        return False
    if outcome.proof is Proof.OPTIMAL:
        return True
    if outcome.stop is Stop.TIME:
        raise OutOfTimeError
    raise SolverError(f"{solver.name} did not prove its answer to be the best: {outcome.stop}")


def held(x: Any) -> frozenset[str]:
    """Read the set of a solved model."""
    return frozenset(name for name, value in x.items() if value.value is not None and value.value > 0.5)
