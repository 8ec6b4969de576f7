"""Which features to hide next, so that a search finds a Markov blanket it has not found yet (TIE*)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from altsel.models.rule import Rule
from altsel.models.rule_block import impose
from altsel.pyomo_on_demand import pyo

Sets = Collection[Collection[str]]


def removal(
    features: Sequence[str],
    known: Sets,
    failed: Sets,
    rules: Sequence[Rule] = (),
    keep: Collection[str] = (),
) -> pyo.ConcreteModel:
    """Hide the fewest features that meet every known blanket and contain no removal that failed.

    ``minimise sum_j h_j`` subject to ``sum_{j in S} h_j >= 1`` for every known blanket S and
    ``sum_{j in E} h_j <= |E| - 1`` for every removal E that left no blanket; with rules there must
    also be a set x that keeps them and meets every E, ``x_j + h_j <= 1``. An unknown blanket B is a
    certificate that the model is feasible: hide all features outside B. So if it is infeasible, all
    are known.

    Parameters
    ----------
    features
        Names of all features.
    known
        The blankets found.
    failed
        Removals after which no equivalent blanket was left.
    rules
        Domain constraints; a blanket that breaks them is of no interest.
    keep
        Features that are never hidden.

    Returns
    -------
    pyomo.environ.ConcreteModel
        With the binary variables ``hidden[name]``.

    Raises
    ------
    ArgumentError
        If a rule needs what a blanket does not have, such as a quality.

    Examples
    --------
    >>> import altsel
    >>> model = removal(["a", "b", "c"], known=[["a", "c"], ["b", "c"]], failed=[["c"]])
    >>> outcome = altsel.solver()(model)
    >>> [name for name, h in model.hidden.items() if h.value > 0.5]
    ['a', 'b']
    """
    model = pyo.ConcreteModel()
    model.hidden = pyo.Var(features, domain=pyo.Binary)
    model.met = pyo.ConstraintList()
    _meet(model.met, model.hidden, [[f for f in subset if f not in keep] for subset in known])
    for f in keep:
        model.hidden[f].fix(0)
    model.avoided = pyo.ConstraintList()
    _avoid(model.avoided, model.hidden, failed)
    if rules:
        _admissible(model, features, rules)
        model.needed = pyo.ConstraintList()
        _meet(model.needed, model.blanket.x, failed)
        model.shown = pyo.Constraint(features, rule=lambda m, f: m.blanket.x[f] + m.hidden[f] <= 1)
    model.fewest = pyo.Objective(expr=pyo.quicksum(model.hidden.values()), sense=pyo.minimize)
    return model


def grown(model: pyo.ConcreteModel, least: int) -> None:
    """Hide no fewer features than before: ``sum_j h_j >= least``.

    Rows are only ever added from one removal to the next, so the fewest never get fewer; a solver that
    knows that need not prove it again.

    Examples
    --------
    >>> import altsel
    >>> model = removal(["a", "b"], known=[["a"]], failed=[])
    >>> grown(model, 2)
    >>> altsel.solver()(model).value
    2.0
    """
    model.grown = pyo.Constraint(expr=pyo.quicksum(model.hidden.values()) >= least)


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
    model.any = pyo.Objective(expr=0.0)
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
