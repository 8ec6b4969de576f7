"""Which sets keep the rules of a domain and could be a Markov blanket that is not known."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from altsel.models.rule import Rule
from altsel.models.rule_block import impose
from altsel.pyomo_on_demand import pyo

Sets = Collection[Collection[str]]


def admissible(
    features: Sequence[str], rules: Sequence[Rule], met: Sets = (), known: Sets = ()
) -> pyo.ConcreteModel:
    """Ask for any set that keeps some rules and could be a blanket that is not known.

    Every blanket meets each removal that left none, ``sum_{j in E} x_j >= 1``, and contains no
    other one, ``sum_{j in S} x_j <= |S| - 1``. Fix ``blanket.x[name]`` to check features
    in or out.

    Parameters
    ----------
    features
        Names of all features.
    rules
        Domain constraints.
    met
        Removals that failed.
    known
        Known blankets.

    Returns
    -------
    pyomo.environ.ConcreteModel
        With the binary variables ``blanket.x[name]``.

    Raises
    ------
    ArgumentError
        If a rule needs what a blanket does not have.

    Examples
    --------
    >>> import altsel
    >>> model = admissible(["a", "b"], [altsel.domain.require("a")], known=[["a"]])
    >>> altsel.solver()(model).stop.value
    'infeasible'
    """
    model = pyo.ConcreteModel()
    _admissible(model, features, rules)
    model.met, model.new = pyo.ConstraintList(), pyo.ConstraintList()
    _meet(model.met, model.blanket.x, met)
    _avoid(model.new, model.blanket.x, known)
    model.size = pyo.Constraint(expr=model.blanket.size >= 0)  # so that a model names all features
    model.any = pyo.Objective(expr=0.0)
    return model


def priced(
    model: pyo.ConcreteModel,
    costs: Mapping[str, float],
    most: Sequence[tuple[Mapping[str, float], float]] = (),
) -> pyo.ConcreteModel:
    """Ask, of a model of `admissible`, for the set that costs least: ``min sum_j c_j x_j``.

    Parameters
    ----------
    model
        The model, which is changed.
    costs
        Cost of each feature.
    most
        Pairs of other costs and the most that the set may cost by them.

    Examples
    --------
    >>> import altsel
    >>> model = priced(admissible(["a", "b"], [], met=[["a", "b"]]), {"a": 2.0, "b": 1.0})
    >>> altsel.solver()(model).value
    1.0
    """
    x = model.blanket.x
    model.cheap_enough = pyo.ConstraintList()
    for other, limit in most:
        model.cheap_enough.add(pyo.quicksum(other[f] * x[f] for f in x) <= limit)
    model.any.set_value(pyo.quicksum(costs[f] * x[f] for f in x))
    return model


def _meet(rows: Any, x: Any, sets: Sets) -> None:
    for subset in sets:
        rows.add(pyo.quicksum(x[f] for f in subset) >= 1 if subset else pyo.Constraint.Infeasible)


def _avoid(rows: Any, x: Any, sets: Sets) -> None:
    for subset in sets:
        rows.add(
            pyo.quicksum(x[f] for f in subset) <= len(subset) - 1 if subset else pyo.Constraint.Infeasible
        )


def _admissible(model: Any, features: Sequence[str], rules: Sequence[Rule]) -> None:
    """Add the block of a blanket: of its rules none may name a quality."""
    model.blanket = pyo.Block()
    model.blanket.x = pyo.Var(features, domain=pyo.Binary)
    model.blanket.size = pyo.Expression(expr=pyo.quicksum(model.blanket.x.values()))
    model.blanket.__dict__["evaluated"] = impose(model.blanket, rules, (0, len(features)))
