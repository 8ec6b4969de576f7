"""Lasso coefficients, by the conditions of their optima."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import altsel
from altsel.errors import ArgumentError
from altsel.knockoffs import LassoCoefficients
from altsel.stats.knockoffs.lasso import design_of

RNG = np.random.default_rng(3)
VALUES = RNG.normal(size=(120, 6))


def unit(columns: int) -> float:
    return float(np.sqrt(2 * np.log(columns) / 120) / 3)


def test_numbers_are_fitted_with_the_deviation_that_is_left() -> None:
    target = VALUES[:, 0] - VALUES[:, 1] + RNG.normal(size=120)
    data = altsel.Dataset(VALUES, target)
    found = LassoCoefficients().relevance(data)
    design = (VALUES - VALUES.mean(axis=0)) / VALUES.std(axis=0)
    centred = (target - target.mean()) / target.std()
    signs = np.sign(design.T @ centred)
    residuals = centred - design @ (signs * found)
    gradient = design.T @ residuals / 120
    penalty = unit(6) * np.sqrt(np.mean(residuals**2))
    assert gradient[found > 0] * signs[found > 0] == pytest.approx(penalty, rel=0.05)
    assert (np.abs(gradient) <= penalty * 1.05).all()


@pytest.mark.parametrize("classes", [2, 3])
def test_classes_are_fitted_each_against_the_rest(classes: int) -> None:
    codes = np.digitize(VALUES[:, 0] + 0.5 * RNG.normal(size=120), [0, 0.8][: classes - 1])
    data = altsel.Dataset(VALUES, np.array(["a", "b", "c"])[codes])
    found = LassoCoefficients().relevance(data)
    assert found.argmax() == 0
    # Penalties at which all coefficients are 0 are the largest gradients at the shares.
    design, _ = design_of(data)
    shares = [np.mean(codes == one) for one in range(classes)]
    gradients = [design.T @ ((codes == one) - share) / 120 for one, share in enumerate(shares)]
    scale = [np.sqrt(share * (1 - share)) for share in shares]
    largest = max(np.abs(one).max() / part for one, part in zip(gradients, scale, strict=True))
    assert LassoCoefficients(share=1.05 * largest / (3 * unit(6))).relevance(data) == pytest.approx(
        0, abs=1e-2
    )
    assert LassoCoefficients(share=0.9 * largest / (3 * unit(6))).relevance(data).max() > 1e-2


def test_a_category_is_the_sum_of_its_levels() -> None:
    frame = pd.DataFrame({"x": VALUES[:, 0], "kind": np.array(["a", "b", "c"])[RNG.integers(0, 3, 120)]})
    data = altsel.Dataset(frame, VALUES[:, 0] + (frame["kind"] == "b").to_numpy())
    design, owner = design_of(data)
    assert owner.tolist() == [0, 1, 1, 1]
    assert design.std(axis=0) == pytest.approx([1] * 4)
    assert (LassoCoefficients().relevance(data) > 0).all()
    with pytest.raises(ArgumentError, match="relevances only"):
        LassoCoefficients().redundancy(data)
