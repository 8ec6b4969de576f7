"""What association is made of where no row is held: counts of levels, and moments of uncut numbers."""

from __future__ import annotations

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.data.scanning import Statistics
from altsel.data.schema import Kind, Task
from altsel.stats.dependence import of_counts
from altsel.stats.dependence.evidence import Form


def forms_of(statistics: Statistics, first: int, second: int) -> tuple[list[Form], int]:
    """Return the forms of the relation of two columns by their places, the target's last, and dimensions."""
    pair = (first, second)
    sizes, nominal = statistics.layout.sizes, [_nominal(statistics, j) for j in pair]
    if all(sizes[j] for j in pair):
        table = statistics.counts_of(first, second)
        table = table[table.any(axis=1)][:, table.any(axis=0)]
        left, right = _functions(table.sum(axis=1), nominal[0]), _functions(table.sum(axis=0), nominal[1])
        products = left.T @ (table / table.sum()) @ right
        if all(nominal):
            a, b = products.shape[0] - 1, products.shape[1] - 1
            return [(np.array((products**2).sum()), np.array(float(a * b)))], max(1, min(a, b))
        return _of_products(products, nominal), 1
    if not any(nominal):
        share = statistics.correlations[first, second] ** 2
        return [(np.array(share), np.array(1.0))], 1
    levels, other = pair if nominal[0] else pair[::-1]
    free = float(np.count_nonzero(statistics.totals(levels)) - 1)
    return [(np.array(of_counts.eta(statistics, levels)[other] ** 2), np.array(free))], 1


def _nominal(statistics: Statistics, index: int) -> bool:
    if index == len(statistics.features):
        return statistics.task is Task.MULTICLASS and statistics.target_kind is not Kind.ORDINAL
    return statistics.layout.columns[index].kind is Kind.CATEGORICAL


def _functions(counts: IntArray, nominal: bool) -> FloatArray:
    """Functions of levels of mean 0: one for each, or mid-ranks and what their squares add to them."""
    share = counts / counts.sum()
    if nominal:
        return np.asarray((np.eye(len(share)) - share) / np.sqrt(share))
    rank = np.cumsum(share) - share / 2 - 0.5
    functions = [rank / np.sqrt(max(share @ rank**2, np.finfo(float).tiny))]
    if len(share) > 2:
        square = functions[0] ** 2 - 1
        square = square - functions[0] * (share @ (square * functions[0]))
        functions.append(square / np.sqrt(share @ square**2))
    return np.column_stack(functions)


def _of_products(products: FloatArray, nominal: list[bool]) -> list[Form]:
    """Largest squared correlations of functions: of all levels, of ranks with and without their squares."""
    rows, columns = (
        [(size, size - 1)] if flat else [(count, count) for count in range(1, size + 1)]
        for size, flat in zip(products.shape, nominal, strict=True)
    )
    return [
        (np.array(np.linalg.norm(products[:i, :j], 2) ** 2), np.array(float(a * b)))
        for i, a in rows
        for j, b in columns
    ]
