"""Weights of features less those of permuted copies, which tell nothing of the target."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from altsel._types import FloatArray
from altsel.errors import ArgumentError

DRAWS = 3
"""How often copies are made: their mean differs less from run to run than one draw."""


def above_shadows(table: FloatArray, weigh: Callable[[FloatArray], FloatArray], seed: int) -> FloatArray:
    """Weigh features beside shadows: copies whose rows are permuted together; return the mean differences.

    A feature that is independent of all else, and its shadow, may be exchanged: so its difference is 0 in the
    mean, whatever its levels, and however many rows or features there are.

    Parameters
    ----------
    table
        Shape (rows, features).
    weigh
        Gives a weight to each column of a table: the features, then their shadows.
    seed
        Seed of the permutations.

    Raises
    ------
    ArgumentError
        If there is another number of weights than of columns.

    References
    ----------
    Sandri and Zuccolotto, Journal of Computational and Graphical Statistics 17 (2008); Nembrini, König and
    Wright, Bioinformatics 34 (2018), for Gini importances.

    Examples
    --------
    >>> table = np.array([[0.0, 5], [1, 5], [0, 5], [1, 5]])
    >>> above_shadows(table, lambda columns: columns.mean(axis=0), seed=0).tolist()  # rewards large numbers
    [0.0, 0.0]
    """
    count, total = table.shape[1], np.zeros(table.shape[1])
    for draw in range(DRAWS):
        order = np.random.default_rng([seed, draw]).permutation(len(table))
        weights = weigh(np.hstack([table, table[order]]))
        if len(weights) != 2 * count:
            raise ArgumentError(
                f"the estimator has {len(weights)} importances of {2 * count} columns, features and permuted "
                "copies: use importances(estimator, debiased=False)"
            )
        total += weights[:count] - weights[count:]
    return total / DRAWS
