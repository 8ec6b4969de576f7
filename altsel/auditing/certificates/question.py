"""The question of a certificate in plain numbers: what a set scores."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from math import inf
from typing import Any

import numpy as np

from altsel._types import FloatArray
from altsel.auditing.certificates.bounds.least_squares import LEAST, LeastSquaresBounds
from altsel.auditing.certificates.bounds.models import ModelBounds
from altsel.auditing.certificates.bounds.pairs import PairsBounds
from altsel.auditing.certificates.bounds.sums import SumBounds
from altsel.auditing.certificates.lines import hexadecimal
from altsel.auditing.certificates.rows import NotCoveredError, Rows
from altsel.auditing.certificates.tree import Bounds
from altsel.exact.sources.least_squares.diagonal import root
from altsel.exact.sources.least_squares.tree import ROUNDING
from altsel.models.cfs import CFS
from altsel.models.objective import Kind, Objective
from altsel.models.pair_criterion import PairCriterion
from altsel.models.problem import Problem
from altsel.stats.generalised.row_losses import Logistic, Poisson
from altsel.stats.information_criteria import EXPLAINED


@dataclass(frozen=True, eq=False)
class Stated:
    """A criterion as a certificate states it.

    Attributes
    ----------
    lines
        Its numbers, by the sizes of sets whose they are; those of the same name are stated once.
    bounds
        What bounds sets of a size, for a limit, rows, and the name of what leaves refer to.
    terms
        Size of the numbers that a score is made of, which its rounding goes by.
    least
        No set scores less.
    hint
        What the checker is told of a set to find its score; None: nothing is needed.
    exact
        The exact score of a set by these numbers, where the score as it is computed may be far off.
    """

    lines: dict[int, tuple[str, dict[str, Any]]]
    bounds: Callable[[int, float, Rows, str], Bounds]
    terms: float = 1.0
    least: float = -inf
    hint: Callable[[list[int]], list[Any] | None] = lambda members: None
    exact: Callable[[list[int]], Fraction] | None = None

    @property
    def kind(self) -> str:
        """What the checker calls it."""
        return next(str(line["kind"]) for _, line in self.lines.values())


def stated(problem: Problem) -> Stated:
    """State the criterion of a problem.

    Raises
    ------
    NotCoveredError
        If it is of a kind that certificates do not know; it says which.
    """
    objective, sizes = problem.objective, range(problem.sizes[0], problem.sizes[1] + 1)
    if isinstance(objective, PairCriterion) and objective.wide:
        raise NotCoveredError(f"{objective.name} of so many features that not all pairs are measured")
    if objective.as_sum is not None:
        return _sum(objective.as_sum[0], sizes)
    known = KINDS.get(objective.kind)
    if known is None or (objective.kind is Kind.RATIO and not isinstance(objective, CFS)):
        raise NotCoveredError(f"{objective.name} is not known by its numbers")
    if objective.conditional and objective.rows is None:
        raise NotCoveredError(f"{objective.name} has conditions that are no rows")
    return known(objective, sizes)


def _of_all_sizes(sizes: range, line: dict[str, Any]) -> dict[int, tuple[str, dict[str, Any]]]:
    return dict.fromkeys(sizes, ("score", line))


def _sum(objective: Objective, sizes: range) -> Stated:
    weights = np.asarray(objective.weights, dtype=float)
    line = {"kind": "sum", "weights": hexadecimal(weights)}
    return Stated(
        _of_all_sizes(sizes, line),
        lambda size, limit, rows, name: SumBounds(weights, limit),
        sizes[-1] * float(np.abs(weights).max()),
    )


def _quadratic(objective: Objective, sizes: range) -> Stated:
    forms = {}
    for size in sizes:
        single, pairs = objective.quadratic(size)
        if not np.isfinite(pairs).all():
            raise NotCoveredError(f"{objective.name} excludes pairs of features")
        forms[size] = single, (pairs + pairs.T) / 2
    lines = {
        size: (
            f"score of {size}",
            {"kind": "pairs", "size": size, "single": hexadecimal(single), "pairs": lower(pairs)},
        )
        for size, (single, pairs) in forms.items()
    }
    terms = max(
        size * float(np.abs(single).max()) + size * size * float(np.abs(pairs).max())
        for size, (single, pairs) in forms.items()
    )
    return Stated(
        lines,
        lambda size, limit, rows, name: PairsBounds(*forms[size], size, limit, rows=rows, name=name),
        terms,
    )


def _ratio(objective: Any, sizes: range) -> Stated:
    q, r = objective.relevance, objective.redundancy

    def bounds(size: int, limit: float, rows: Rows, name: str) -> Bounds:
        pairs = 2 * (limit * limit * r - np.outer(q, q))
        np.fill_diagonal(pairs, 0.0)
        return PairsBounds(q * q - limit * limit, pairs, size, 0.0, rows=rows, name=name)

    line = {"kind": "ratio", "single": hexadecimal(q), "pairs": lower(r)}
    return Stated(_of_all_sizes(sizes, line), bounds, sizes[-1] * float(np.abs(q).max()), 0.0)


def _least_squares(objective: Any, sizes: range) -> Stated:
    design, penalty = objective.least_squares, objective.penalty
    products, along = design.products
    if np.linalg.eigvalsh(products)[0] < LEAST:
        raise NotCoveredError(f"{objective.name} of columns that depend on each other")
    products = (products + products.T) / 2
    line = {
        "kind": "least squares",
        "offset": float(design.offset).hex(),
        "along": hexadecimal(along),
        "products": lower(products, 1),
    }
    line |= {"owner": design.owner.tolist()} if design.has_categories else {}
    line |= _penalised(objective, sizes) if penalty else {}
    width = len(design.columns) / len(design.features)
    root_of = cache(partial(root, design.columns, design.target, rounding=ROUNDING))

    def bounds(size: int, limit: float, rows: Rows, name: str) -> Bounds:
        target = penalty.needed(limit, size) if penalty else limit
        return LeastSquaresBounds(design, root_of(round(size * width)), target, name)

    def exact(members: list[int]) -> Fraction:
        whole = explained(products, along, design.offset, design.columns_of(members))
        return penalty.exact_worth(whole, len(members)) if penalty else whole

    terms = max(1.0, abs(objective.least), abs(objective.most))
    return Stated(_of_all_sizes(sizes, line), bounds, terms, exact=exact)


def _penalised(objective: Any, sizes: range) -> dict[str, Any]:
    """State how a penalised fit goes by what is left."""
    design, penalty = objective.least_squares, objective.penalty
    if design.has_categories:
        raise NotCoveredError(f"{objective.name}: a penalty by columns, of which categories have several")
    if penalty.logarithmic and design.whole > 1.0 - EXPLAINED:
        raise NotCoveredError(f"{objective.name}, of which less is left than its logarithm looks at")
    parts = {str(size): penalty.parts(size) for size in sizes}
    return {
        "kind": "penalised fit",
        "logarithm": penalty.logarithmic,
        "constants": {size: float(constant).hex() for size, (constant, _) in parts.items()},
        "factors": {size: float(factor).hex() for size, (_, factor) in parts.items()},
    }


def explained(products: FloatArray, along: FloatArray, offset: float, members: Any) -> Fraction:
    """Return ``offset + b'G^-1 b`` of a set of columns, exactly."""
    table = [[*map(Fraction, products[j, members].tolist()), Fraction(float(along[j]))] for j in members]
    total = Fraction(float(offset))
    for i, row in enumerate(table):
        total += row[-1] ** 2 / row[i]
        for other in table[i + 1 :]:
            factor = other[i] / row[i]
            other[i:] = [x - factor * y for x, y in zip(other[i:], row[i:], strict=True)]
    return total


def _model(objective: Any, sizes: range) -> Stated:
    models = objective.model_fit
    model, family = models.model, models.model.family
    if not isinstance(family, (Logistic, Poisson)):
        raise NotCoveredError(f"models of {family.name}")
    factor = 1.0 / model.null if models.penalty is None else 2.0
    constants = {size: float(models.worth(0.0, size)) for size in sizes}
    response, weights, offsets = (hexadecimal(x) for x in (family.response, family.weights, family.offset))
    line = {
        "kind": "model",
        "family": "poisson" if family.counts else "logistic",
        "ridge": float(model.ridge).hex(),
        "factor": float(factor).hex(),
        "saturated": float(family.saturated).hex(),
        "constants": {str(size): constant.hex() for size, constant in constants.items()},
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
        found, b = objective.coefficients(mask)
        used = np.flatnonzero(b[0])
        pairs = ((int(j), float(b[0, j]).hex()) for j in used)
        return [float(found[0]).hex(), *(number for pair in pairs for number in pair)]

    def bounds(size: int, limit: float, rows: Rows, name: str) -> Bounds:
        del rows, name
        return ModelBounds(models, -(constants[size] - limit) / factor)

    return Stated(_of_all_sizes(sizes, line), bounds, abs(constants[sizes[-1]]), hint=hint)


KINDS: dict[Kind, Callable[[Any, range], Stated]] = {
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
