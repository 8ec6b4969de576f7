"""Fits of models, in the numbers of a certificate."""

from __future__ import annotations

from fractions import Fraction
from functools import cache, partial
from math import nextafter
from typing import Any

import numpy as np

from altsel._types import FloatArray
from altsel.auditing.certificates.bounds.least_squares import LEAST, LeastSquaresBounds
from altsel.auditing.certificates.bounds.models import ModelBounds
from altsel.auditing.certificates.criterion import Stated, lower, of_all_sizes
from altsel.auditing.certificates.lines import hexadecimal
from altsel.auditing.certificates.prices import Leaf
from altsel.auditing.certificates.rows import NotCoveredError, Rows
from altsel.auditing.certificates.tree import Bounds
from altsel.exact.sources.least_squares.diagonal import root
from altsel.exact.sources.least_squares.tree import ROUNDING
from altsel.stats.generalised.row_losses import Logistic, Poisson
from altsel.stats.information_criteria import EXPLAINED

MODELS = 1e-12
"""Share of its score by which a model is bounded from above."""


def of_least_squares(objective: Any, sizes: range) -> Stated:
    """State a linear fit by the products of its columns."""
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

    def unit(size: int) -> float:
        if not penalty:
            return 1.0
        return 0.0 if penalty.logarithmic else _below(1.0 / float(penalty.parts(size)[1]))

    terms = max(1.0, abs(objective.least), abs(objective.most))
    return Stated(of_all_sizes(sizes, line), bounds, terms, exact=exact, unit=unit)


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


def of_model(objective: Any, sizes: range) -> Stated:
    """State a regularised model by its rows and columns."""
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

    def most(members: list[int]) -> tuple[float, list[Any] | None]:
        inside = np.array(members, dtype=np.int64)
        found = ModelBounds(models, 0.0).linear(Leaf(inside, inside[:0], 0), None)
        score = constants[len(members)] + factor * found.constant
        return score + MODELS * max(1.0, abs(score), abs(constants[len(members)])), found.data

    terms = abs(constants[sizes[-1]])
    lines = of_all_sizes(sizes, line)
    return Stated(lines, bounds, terms, hint=hint, unit=lambda size: _below(1.0 / factor), most=most)


def _below(value: float) -> float:
    """Return the next smaller float."""
    return nextafter(value, 0.0)
