"""Draws of a number given other variables, by least squares on the numbers or on their normal scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from altsel._types import FloatArray
from altsel.runtime.on_demand import OnDemand
from altsel.stats.independence.predictive.linear import Block
from altsel.stats.independence.predictive.parts import Part
from altsel.stats.independence.predictive.table import Table

special: Any = OnDemand("scipy.special")

EXACT = 1e-12
"""A share of the variance left by least squares that is rounding."""


def drawn_by_least_squares(table: Table, part: Part, variable: int, given: Sequence[int]) -> FloatArray:
    r"""Draw a number for the test rows: what the given variables predict, and the error of another test row.

    The number x is regressed on the given ones, categories by indicators, and numbers by themselves and by
    their normal scores ``s = Phi^-1((rank - 1/2) / n)``. Instead of x its own scores are regressed, and
    draws brought back by the quantiles of x, if that is likelier: if
    ``log(1 - R_s^2) / 2 < log(1 - R_x^2) / 2 + J(x)`` with the negentropy J, how far x is from normal. So
    skewed features are drawn where they can be, and sums of given ones are recognised as such.

    Returns
    -------
    array
        Shape (shuffles, test rows); the values themselves if the given variables determine them.
    """
    blocks = [Block.of(table, j, part.train).columns(table.coded[:, j]) for j in given]
    scores = [table.scores[:, [j]] for j in given if table.levels[j] is None]
    design = np.hstack([*blocks, *scores])
    design = design - design[part.train].mean(axis=0)
    x, own = table.coded[:, variable], table.scores[:, variable]
    targets = np.column_stack([(x - x[part.train].mean()) / table.spread[variable], own])
    targets = targets - targets[part.train].mean(axis=0)
    weights = np.linalg.lstsq(design[part.train], targets[part.train], rcond=None)[0]
    errors = targets - design @ weights
    variance = (targets[part.train] ** 2).mean(axis=0)
    left = np.where(variance > 0, (errors[part.train] ** 2).mean(axis=0), 1.0)
    left /= np.where(variance > 0, variance, 1.0)
    values = x[part.test]
    if left[0] <= EXACT or np.log(left[1]) / 2 >= np.log(left[0]) / 2 + table.negentropy[variable]:
        error = errors[part.test, 0] * table.spread[variable]
        if np.abs(error).max() <= EXACT**0.5 * np.abs(values - values.mean()).max():
            return np.asarray(np.broadcast_to(values, part.shuffles.shape))
        return np.asarray(values - error + error[part.shuffles])
    error = errors[part.test, 1]
    share = special.ndtr(own[part.test] - error + error[part.shuffles])
    rows = len(x)
    return np.asarray(np.sort(x)[np.minimum((share * rows).astype(np.int64), rows - 1)])
