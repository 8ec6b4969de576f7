"""The question of a certificate in plain numbers: what a set scores."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from altsel._types import FloatArray
from altsel.auditing.certificates.bounds.least_squares import LeastSquaresBounds
from altsel.auditing.certificates.bounds.models import ModelBounds
from altsel.auditing.certificates.bounds.pairs import PairsBounds
from altsel.auditing.certificates.bounds.sums import SumBounds
from altsel.auditing.certificates.lines import hexadecimal
from altsel.auditing.certificates.rows import NotCoveredError, Rows
from altsel.auditing.certificates.tree import Bounds
from altsel.models.objective import Kind, Objective
from altsel.models.problem import Problem
from altsel.stats.generalised.row_losses import Logistic, Poisson


@dataclass(frozen=True, eq=False)
class Scored:
    """A criterion as a certificate states it, for sets of one size.

    Attributes
    ----------
    line
        Its numbers.
    bounds
        What bounds it, for a limit, rows and a name.
    hint
        What the checker is told of a set, to find its score; None: nothing is needed.
    """

    line: dict[str, Any]
    bounds: Callable[[float, Rows, str], Bounds]
    hint: Callable[[list[int]], list[Any] | None] = lambda members: None


def scored(problem: Problem, size: int) -> Scored:
    """State the criterion of a problem for sets of a size.

    Raises
    ------
    NotCoveredError
        If it is of a kind that certificates do not know; it says which.
    """
    objective = problem.objective
    known = STATED.get(objective.kind)
    if objective.conditional and objective.as_sum is None:
        raise NotCoveredError(f"{objective.name} admits some sets only")
    if objective.as_sum is not None and objective.kind is not Kind.SUM:
        objective, known = objective.as_sum[0], STATED[Kind.SUM]
    if known is None or (objective.kind is Kind.RATIO and not objective.by_levels):
        raise NotCoveredError(f"{objective.name} is known by its values only")
    return known(objective, size)


def _sum(objective: Objective, size: int) -> Scored:
    del size
    weights = np.asarray(objective.weights, dtype=float)
    line = {"kind": "sum", "weights": hexadecimal(weights)}
    return Scored(line, lambda limit, rows, name: SumBounds(weights, limit))


def _quadratic(objective: Objective, size: int) -> Scored:
    single, pairs = objective.quadratic(size)
    if not np.isfinite(pairs).all():
        raise NotCoveredError(f"{objective.name} excludes pairs of features")
    pairs = (pairs + pairs.T) / 2
    line = {"kind": "pairs", "size": size, "single": hexadecimal(single), "pairs": lower(pairs)}
    return Scored(line, lambda limit, rows, name: PairsBounds(single, pairs, size, limit, rows, name))


def _ratio(objective: Any, size: int) -> Scored:
    q, r = objective.relevance, objective.redundancy
    if (q < 0).any():
        raise NotCoveredError(f"{objective.name} with relevances below 0")

    def bounds(limit: float, rows: Rows, name: str) -> Bounds:
        pairs = 2 * (limit * limit * r - np.outer(q, q))
        np.fill_diagonal(pairs, 0.0)
        return PairsBounds(q * q - limit * limit, pairs, size, 0.0, rows, name)

    return Scored({"kind": "ratio", "single": hexadecimal(q), "pairs": lower(r)}, bounds)


def _least_squares(objective: Any, size: int) -> Scored:
    design = objective.least_squares
    if design.has_categories:
        raise NotCoveredError(f"{objective.name} with categories")
    if objective.penalty:
        raise NotCoveredError(f"{objective.name} with a penalty")
    columns, goal = design.columns, design.target
    products = columns @ columns.T
    products = (products + products.T) / 2
    line = {
        "kind": "least squares",
        "offset": float(design.offset).hex(),
        "along": hexadecimal(columns @ goal),
        "products": lower(products, 1),
    }
    return Scored(
        line, lambda limit, rows, name: LeastSquaresBounds(columns, goal, design.offset, size, limit, name)
    )


def _model(objective: Any, size: int) -> Scored:
    models = objective.model_fit
    model, family = models.model, models.model.family
    if not isinstance(family, (Logistic, Poisson)):
        raise NotCoveredError(f"models of {family.name}")
    factor = 1.0 / model.null if models.penalty is None else 2.0
    constant = models.worth(0.0, size)
    response, weights, offsets = (hexadecimal(x) for x in (family.response, family.weights, family.offset))
    line = {
        "kind": "model",
        "family": "poisson" if family.counts else "logistic",
        "ridge": float(model.ridge).hex(),
        "factor": float(factor).hex(),
        "saturated": float(family.saturated).hex(),
        "constants": {str(size): float(constant).hex()},
        "prices": hexadecimal(models.prices),
        "y": response,
        "weights": weights,
        "offsets": offsets,
        "owner": model.owner.tolist(),
        "columns": [hexadecimal(column) for column in model.columns[:-1]],
    }

    def hint(members: list[int]) -> list[Any]:
        mask = np.zeros(len(model.features), dtype=bool)
        mask[members] = True
        constants, b = objective.coefficients(mask)
        result: list[Any] = [float(constants[0]).hex()]
        for j in np.flatnonzero(b[0]):
            result += [int(j), float(b[0, j]).hex()]
        return result

    return Scored(line, lambda limit, rows, name: ModelBounds(models, -(constant - limit) / factor), hint)


STATED: dict[Kind, Callable[[Any, int], Scored]] = {
    Kind.SUM: _sum,
    Kind.QUADRATIC: _quadratic,
    Kind.RATIO: _ratio,
    Kind.LEAST_SQUARES: _least_squares,
    Kind.MODEL_FIT: _model,
}
"""Kinds of criteria that certificates know, and what states each."""


def lower(table: FloatArray, diagonal: int = 0) -> list[list[str]]:
    """Write the lower triangle of a symmetric table, with its diagonal or without."""
    return [hexadecimal(row[: i + diagonal]) for i, row in enumerate(table)]
