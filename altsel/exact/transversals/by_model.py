"""Minimal transversals by a solver, cheapest first, where the diagram of all is too large."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from altsel.errors import ArgumentError, SolverError
from altsel.exact.auto_solver import automatic
from altsel.exact.transversals.costs import Costs, by_digits
from altsel.exact.transversals.hypergraph import Sets, is_minimal_transversal
from altsel.models.cost_digits import CostByDigits
from altsel.models.minimal_transversal import minimal_transversal
from altsel.results.feature_set import Proof
from altsel.results.stop import Stop
from altsel.runtime.clock import OutOfTimeError
from altsel.solvers import CLOSED, Outcome, Solver


def in_order(
    removals: Sets, costs: Costs, solver: Solver | None = None
) -> Iterator[tuple[frozenset[str], int]]:
    """Yield minimal transversals and their costs in units, the cheapest first.

    What was found is cut off, and the next one is solved for. The order is exact at any scale of costs: they
    are integers, and large ones are minimised digits by digits.

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
    known: list[frozenset[str]] = []
    while True:
        model = minimal_transversal(sets, dict.fromkeys(costs.units, 0), known)
        cost = cheapest(solve, model, model.x, costs.units)
        if cost is None:
            return
        known.append(read_set(model.x))
        if not is_minimal_transversal(known[-1], sets) or known[-1] in known[:-1]:
            raise SolverError(f"{solve.name}: {sorted(known[-1])} is no new minimal transversal")
        yield known[-1], cost


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
    while solve_to_optimum(solve, smallest := minimal_transversal(sets, one_each, (), most)) is not None:
        size = len(read_set(smallest.x))
        best = minimal_transversal(sets, units, (), [*most, (one_each, size)])
        names = read_set(best.x) if solve_to_optimum(solve, best) is not None else frozenset()
        if len(names) != size or not is_minimal_transversal(names, sets):
            raise SolverError(f"{solve.name}: {sorted(names)} is no minimal transversal of {size}")
        cost = sum(units[name] for name in names)
        yield names, cost
        most = [(units, cost - 1)]
        if not names:
            return


def cheapest(solver: Solver, model: Any, x: Mapping[str, Any], costs: Mapping[str, int]) -> int | None:
    """Solve a model for the set that costs least, exactly; return its cost, or None if there is no set.

    Parameters
    ----------
    solver
        The solver.
    model
        A model with an objective, which is replaced; its values are those of the set.
    x
        Its binary variables, by name.
    costs
        Cost of each, integers of any size and sign.

    Raises
    ------
    SolverError
        If the solver proves nothing, or its numbers contradict each other.
    OutOfTimeError, KeyboardInterrupt
        If a clock, or the user, ends a solve.
    """
    by, before = CostByDigits(model, x), 0
    for digits, shift in by_digits({name: costs[name] for name in x}):
        by.minimise(digits, 1 << max(0, before - shift))
        answer = solve_to_optimum(solver, model)
        if answer is None:
            if len(by):
                raise SolverError(f"{solver.name} calls infeasible what a known set keeps")
            return None
        by.keep(round(answer.value or 0.0))
        before = shift
    return sum(costs[name] for name in read_set(x))


def solve_to_optimum(solver: Solver, model: Any) -> Outcome | None:
    """Solve a model to the optimum; return None if it is infeasible.

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
        return None
    if outcome.proof is Proof.OPTIMAL:
        return outcome
    if outcome.stop is Stop.TIME:
        raise OutOfTimeError
    raise SolverError(f"{solver.name} did not prove its answer to be the best: {outcome.stop}")


def read_set(x: Any) -> frozenset[str]:
    """Read the set of a solved model."""
    return frozenset(name for name, value in x.items() if value.value is not None and value.value > 0.5)
