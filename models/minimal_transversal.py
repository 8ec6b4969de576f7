"""Minimal transversals by models: the cheapest one, and pairs that have little in common."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from altsel.pyomo_on_demand import pyo

Sets = Sequence[Collection[str]]


def minimal_transversal(
    removals: Sets,
    cost: Mapping[str, float],
    known: Sets = (),
    most: Sequence[tuple[Mapping[str, float], float]] = (),
) -> pyo.ConcreteModel:
    """Choose the cheapest minimal transversal that is not known.

    ``minimise sum_j c_j x_j`` subject to, for every removal E and every feature j,

    - ``sum_{j in E} x_j >= 1``: it is met;
    - ``sum_{j in E} x_j <= 1 + (|E| - 1) (1 - u_E)``: u_E is 1 only where one feature alone meets E;
    - ``x_j <= sum_{E with j} u_E``: each chosen feature is the only one in some E, so none can be left out.

    Minimal transversals are no parts of each other: ``sum_{j in S} x_j <= |S| - 1`` cuts off a known one S,
    and no other. Costs may be of any sign.

    Parameters
    ----------
    removals
        The sets to be met.
    cost
        Of every feature that is in one.
    known
        Minimal transversals that are not wanted.
    most
        Pairs of other costs and the most that the set may cost by them.

    Returns
    -------
    pyomo.environ.ConcreteModel
        With the binary variables ``x[name]``.

    Examples
    --------
    >>> import altsel
    >>> model = minimal_transversal([["a", "b"], ["b", "c"]], {"a": -1, "b": -3, "c": -1})
    >>> altsel.solver()(model).value, [name for name, x in model.x.items() if x.value > 0.5]
    (-3.0, ['b'])
    """
    model = pyo.ConcreteModel()
    model.x = pyo.Var(_features(removals), domain=pyo.Binary)
    model.transversal = pyo.Block()
    _be_minimal(model.transversal, model.x, removals)
    model.new = pyo.ConstraintList()
    for subset in known:
        held = pyo.quicksum(model.x[name] for name in subset)
        model.new.add(held <= len(subset) - 1 if subset else pyo.Constraint.Infeasible)
    model.cheap_enough = pyo.ConstraintList()
    for other, limit in most if model.x else ():
        model.cheap_enough.add(pyo.quicksum(other[name] * x for name, x in model.x.items()) <= limit)
    model.cost = pyo.Objective(expr=pyo.quicksum(cost[name] * x for name, x in model.x.items()))
    return model


def two_transversals(removals: Sets) -> pyo.ConcreteModel:
    """Choose two transversals with the fewest features in common.

    Every feature may be in one of both, as that makes none worse: ``side_j`` says in which, and
    ``shared_j = 1`` that it is in both. ``minimise sum_j shared_j`` subject to, for every removal E,
    ``sum_{j in E} (side_j + shared_j) >= 1`` and ``sum_{j in E} (1 - side_j + shared_j) >= 1``.

    Transversals contain minimal ones, which share no more: so the optimum is that of two minimal
    transversals, unless there is only one. Two disjoint ones are a colouring of the features by two colours
    where no removal is of one colour.

    Parameters
    ----------
    removals
        The sets to be met.

    Returns
    -------
    pyomo.environ.ConcreteModel
        With the binary variables ``side[name]`` and ``shared[name]``.

    Examples
    --------
    >>> import altsel
    >>> model = two_transversals([["a", "b"], ["b", "c"], ["a", "c"]])
    >>> altsel.solver()(model).value
    1.0
    """
    model = pyo.ConcreteModel()
    names = _features(removals)
    model.side = pyo.Var(names, domain=pyo.Binary)
    model.shared = pyo.Var(names, domain=pyo.Binary)
    if names:
        model.side[names[0]].fix(1)  # the sets have no order
    model.met = pyo.ConstraintList()
    for removal in removals:
        shared = pyo.quicksum(model.shared[name] for name in removal)
        first = pyo.quicksum(model.side[name] for name in removal)
        model.met.add(first + shared >= 1 if removal else pyo.Constraint.Infeasible)
        model.met.add(len(removal) - first + shared >= 1 if removal else pyo.Constraint.Infeasible)
    model.common = pyo.Objective(expr=pyo.quicksum(model.shared.values()))
    return model


def dissimilar_transversals(removals: Sets, common: int, total: int) -> pyo.ConcreteModel:
    """Choose two minimal transversals S and T by ``minimise common |S & T| - total (|S| + |T|)``.

    Below 0 there are two with ``|S & T| / (|S| + |T|) < total / common``: one step of the search for the
    smallest ratio (Dinkelbach 1967). The rows of `minimal_transversal` hold for each set, and
    ``z_j >= x_j + y_j - 1`` for what they share.

    Parameters
    ----------
    removals
        The sets to be met.
    common, total
        Weights.

    Returns
    -------
    pyomo.environ.ConcreteModel
        With the binary variables ``first[name]`` and ``second[name]``.

    Examples
    --------
    >>> import altsel
    >>> model = dissimilar_transversals([["a", "b"], ["b", "c"], ["a", "c"]], 4, 1)
    >>> altsel.solver()(model).value
    0.0
    """
    model = pyo.ConcreteModel()
    names = _features(removals)
    model.first, model.second, model.sets = (
        pyo.Var(names, domain=pyo.Binary),
        pyo.Var(names, domain=pyo.Binary),
        pyo.Block([1, 2]),
    )
    _be_minimal(model.sets[1], model.first, removals)
    _be_minimal(model.sets[2], model.second, removals)
    model.z = pyo.Var(names, bounds=(0, 1))
    model.both = pyo.Constraint(names, rule=lambda m, name: m.z[name] >= m.first[name] + m.second[name] - 1)
    sizes = pyo.quicksum(model.first.values()) + pyo.quicksum(model.second.values())
    model.excess = pyo.Objective(expr=common * pyo.quicksum(model.z.values()) - total * sizes)
    return model


def _features(removals: Sets) -> list[str]:
    return list(dict.fromkeys(name for removal in removals for name in removal))


def _be_minimal(block: Any, x: Any, removals: Sets) -> None:
    """Add the rows of a minimal transversal."""
    block.alone = pyo.Var(range(len(removals)), domain=pyo.Binary)
    block.met, block.single, block.needed = (pyo.ConstraintList() for _ in range(3))
    witnesses: dict[str, list[Any]] = {}
    for number, removal in enumerate(removals):
        chosen, others = pyo.quicksum(x[name] for name in removal), len(removal) - 1
        block.met.add(chosen >= 1 if removal else pyo.Constraint.Infeasible)
        if others > 0:
            block.single.add(chosen + others * block.alone[number] <= 1 + others)
        for name in removal:
            witnesses.setdefault(name, []).append(block.alone[number])
    for name, alone in witnesses.items():
        block.needed.add(x[name] <= pyo.quicksum(alone))
