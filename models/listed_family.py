"""The best family of listed sets: one binary variable a set, and rows for those too similar."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from altsel._types import BoolArray, FloatArray
from altsel.models.cliques import clique_cover
from altsel.pyomo_on_demand import pyo


def family_model(scores: FloatArray, near: BoolArray, sets: int) -> Any:
    """Model the sets of the largest sum, of which no two are too near to each other.

    ``max sum_S Q(S) z_S`` subject to ``sum_S z_S = m`` and ``sum_{S in C} z_S <= 1`` for cliques C of sets
    that are too similar, which cover all such pairs.

    Parameters
    ----------
    scores
        Of the listed sets.
    near
        Which pairs are too similar, shape (listed sets, listed sets).
    sets
        How many are wanted.

    Examples
    --------
    >>> import numpy as np
    >>> model = family_model(np.array([3.0, 2.0, 1.0]), np.zeros((3, 3), dtype=bool), 2)
    >>> len(model.z), len(model.apart)
    (3, 0)
    """
    model = pyo.ConcreteModel()
    model.z = pyo.Var(range(len(scores)), domain=pyo.Binary, initialize=0)
    model.total = pyo.Objective(
        expr=pyo.quicksum(float(score) * model.z[i] for i, score in enumerate(scores)), sense=pyo.maximize
    )
    model.number = pyo.Constraint(expr=pyo.quicksum(model.z.values()) == sets)
    model.apart = pyo.ConstraintList()
    for clique in clique_cover(near):
        model.apart.add(pyo.quicksum(model.z[i] for i in clique) <= 1)
    return model


def propose_family(model: Any, places: Iterable[int]) -> None:
    """Propose listed sets, by their places, as a start."""
    for i in places:
        model.z[i].set_value(1)


def family_of(model: Any) -> list[int]:
    """Return the places of the sets chosen."""
    return [i for i, z in model.z.items() if (z.value or 0) > 0.5]
