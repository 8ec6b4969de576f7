"""MVR by coordinates, against a general minimiser of the trace of the inverse."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

from altsel.stats.knockoffs.reconstructability import equal_mvr, equicorrelated, mvr


def correlation(features: int, seed: int) -> Any:
    values = np.random.default_rng(seed).normal(size=(features, 2 * features))
    return np.corrcoef(values + values[:1])


def trace_of_inverse(sigma: Any, s: Any) -> Any:
    both = np.block([[sigma, sigma - np.diag(s)], [sigma - np.diag(s), sigma]])
    values = np.linalg.eigvalsh(both)
    return float((1 / values).sum()) if values.min() > 0 else 1e9


@pytest.mark.parametrize("seed", [0, 1])
def test_each_s_minimises_the_trace(seed: int) -> None:
    sigma = correlation(4, seed)
    found = mvr(sigma)
    start = np.full(4, np.linalg.eigvalsh(sigma).min())
    least: Any = minimize
    best = least(lambda s: trace_of_inverse(sigma, s), start, method="Nelder-Mead", options={"xatol": 1e-6})
    assert found == pytest.approx(best.x, abs=2e-3)
    assert trace_of_inverse(sigma, found) <= best.fun + 1e-6


@pytest.mark.parametrize("features", [1, 5])
def test_an_equal_s_minimises_it_among_equal_ones(features: int) -> None:
    sigma = correlation(features, 3) if features > 1 else np.ones((1, 1))
    values: Any = np.linalg.eigvalsh(sigma)
    grid = np.linspace(0, 2 * values.min(), 2001)[1:-1]
    traces = [trace_of_inverse(sigma, np.full(features, s)) for s in grid]
    assert equal_mvr(values) == pytest.approx(grid[np.argmin(traces)], abs=2e-3)


def test_equicorrelated_s_is_the_largest_equal_one() -> None:
    sigma = correlation(5, 4)
    s = equicorrelated(np.linalg.eigvalsh(sigma))
    rest = np.linalg.eigvalsh(2 * sigma - s * np.eye(5))
    assert s == 1 or rest.min() == pytest.approx(0, abs=1e-10)
    assert equicorrelated(np.ones(3)) == 1
