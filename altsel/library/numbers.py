"""The numbers of a question, rounded, so that its file is the question and nothing else is."""

from __future__ import annotations

from typing import Any

import numpy as np

from altsel._types import FloatArray
from altsel.exact.interchange.question_files import FORMAT, VERSION
from altsel.library.tables import drawn
from altsel.library.templates import Template

DIGITS = 9
"""Decimals of relevances, redundancies and products; two machines' last bits differ."""
OF_ROWS = 4
"""Decimals of columns that are fitted."""
RIDGE = 1.0


def question(template: Template, seed: int) -> dict[str, Any]:
    """Return the question file of a template and a seed, as plain data.

    Relevance and redundancy are absolute correlations; the target of a logistic fit is whether the number is
    above its median.

    Examples
    --------
    >>> from altsel.library.templates import TEMPLATES
    >>> made = question(TEMPLATES[0], 1)
    >>> made["name"], made["sizes"], len(made["criterion"]["relevance"])
    ('independent-20-1-sum-k5', [5, 5], 20)
    """
    table, target = drawn(template.table, template.features, seed)
    if template.criterion == "logistic fit":
        criterion = _logistic(table, target)
    else:
        columns = np.column_stack([table, target])
        criterion = of_products(template.criterion, np.asarray(np.corrcoef(columns, rowvar=False)))
    names = [f"x{j}" for j in range(template.features)]
    return stated(template, template.name(seed), names, criterion, seed)


def stated(template: Template, name: str, names: list[str], criterion: Any, seed: int) -> dict[str, Any]:
    """State a question as its file does."""
    plain: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "name": name,
        "features": names,
        "sizes": [*template.k],
        "criterion": criterion,
        "rules": _rules(template, names, seed),
        "sets": template.sets,
        "total": template.total,
    }
    if template.sets > 1:
        plain["dissimilarity"] = {"name": "dice", "tau": template.tau}
    return plain


def of_products(kind: str, table: FloatArray) -> dict[str, Any]:
    """Return the numbers of a criterion of relevances and redundancies, the target being the last of all.

    Parameters
    ----------
    kind
        Name of the criterion.
    table
        Dependence of all pairs; correlations, signed, for a linear fit.
    """
    if kind == "linear fit":
        products = _triangle(table[:-1, :-1], 1)
        return {"kind": kind, "products": products, "along": _rounded(table[-1, :-1]), "ridge": 0.0}
    table = np.abs(table)
    if kind == "sum":
        return {"kind": kind, "relevance": _rounded(table[-1, :-1])}
    plain = {"kind": kind, "relevance": _rounded(table[-1, :-1]), "redundancy": _triangle(table[:-1, :-1])}
    return plain | ({"denominator": "k(k-1)"} if kind == "mrmr" else {})


def _logistic(table: FloatArray, target: FloatArray) -> dict[str, Any]:
    columns = np.round(table, OF_ROWS).T
    classes = (target > np.median(target)).astype(int)
    return {
        "kind": "logistic fit",
        "columns": columns.tolist(),
        "target": classes.tolist(),
        "ridge": RIDGE,
    }


def _rounded(numbers: FloatArray) -> list[float]:
    return [float(one) for one in np.round(numbers, DIGITS)]


def _triangle(table: FloatArray, diagonal: int = 0) -> list[list[float]]:
    return [_rounded(row[: i + diagonal]) for i, row in enumerate(table)]


def _rules(template: Template, names: list[str], seed: int) -> list[dict[str, Any]]:
    """Draw the rules of a template, in whole numbers."""
    if not template.rules:
        return []
    rng = np.random.default_rng([seed, template.features, 7])
    costs = [int(one) for one in rng.integers(1, 10, len(names))]
    cheapest = sum(sorted(costs)[: template.k[0]])
    budget = {"features": dict(zip(names, costs, strict=True))}
    if template.rules == "impossible":
        return [{**budget, "at_most": cheapest - 1}]
    order = [names[j] for j in rng.permutation(len(names))]
    groups = [order[:4], order[4:8], order[8:12]]
    return [
        {**budget, "at_most": 2 * cheapest},
        *({"features": dict.fromkeys(sorted(group), 1), "at_most": 1} for group in groups),
        {"features": {order[12]: 1, order[0]: -1}, "at_most": 0},
        {"features": dict.fromkeys(sorted(order[13:20]), 1), "at_least": 1},
    ]
