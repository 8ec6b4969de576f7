"""Linear fits with a category of many levels: what they are, and that neither memory nor floats run out."""

from __future__ import annotations

import warnings
from itertools import combinations
from typing import Any

import numpy as np
import pytest

import altsel
from altsel.exact.kernels.conditioning import steepest
from altsel.stats import least_squares


def wide_fit(levels: int) -> altsel.LinearFit:
    """A fit with a category of so many levels."""
    r = np.random.default_rng(5)
    columns: dict[str, Any] = {f"x{j}": r.normal(size=700) for j in range(5)}
    columns["many"] = [f"l{value}" for value in [*range(levels), *r.integers(0, levels, 700 - levels)]]
    target = columns["x0"] + 0.5 * columns["x1"] + r.normal(size=700)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", altsel.DataWarning)
        return altsel.LinearFit(altsel.Dataset(columns, target, keep=["many"]))


def test_many_levels_are_scored_as_by_the_definition() -> None:
    quality = wide_fit(60)
    design = quality.design
    for k in (1, 2, 3):
        sets = np.array(list(combinations(range(6), k)))
        defined = [design.explained(design.columns_of(one)) for one in sets]
        np.testing.assert_allclose(quality.scores(sets), defined, atol=1e-13)


def test_the_products_of_all_sets_are_not_held_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    quality = wide_fit(60)
    sets = np.array(list(combinations(range(6), 3)))
    whole, held, swept = quality.scores(sets), list[int](), least_squares._swept

    def seen(gram: Any, along: Any, members: Any, largest: float) -> Any:
        held.append(len(members) * members.shape[1] ** 2)
        return swept(gram, along, members, largest)

    monkeypatch.setattr(least_squares, "_swept", seen)
    monkeypatch.setattr(least_squares, "PRODUCTS", 40)
    np.testing.assert_array_equal(quality.scores(sets), whole)
    assert max(held) <= 40


def test_coefficients_of_many_columns_have_a_bound() -> None:
    assert np.isfinite(steepest(5000))
    assert steepest(6) == pytest.approx(2.2e7, rel=0.02)
