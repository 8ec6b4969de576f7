"""Data whose target several sets of features explain equally well, as in the introduction of TMFBS."""

from __future__ import annotations

import numpy as np

import altsel


def several_solutions(rows: int, seed: int = 0) -> altsel.Dataset:
    """Return two causes, each measured three times with hardly any error: nine sets explain the target."""
    random = np.random.default_rng(seed)
    causes = random.normal(size=(2, rows))
    table = {f"{'ab'[c]}{i}": causes[c] + 0.03 * random.normal(size=rows) for c in range(2) for i in range(3)}
    table |= {f"noise{i}": random.normal(size=rows) for i in range(3)}
    return altsel.Dataset(table, causes.sum(axis=0) + random.normal(size=rows))
