"""Sums of products of pairs of columns against products written out, also in parts of the rows."""

from __future__ import annotations

import numpy as np
import pytest

from altsel.stats.independence.glm import bartlett, cumulants, derivatives, newton
from altsel.stats.independence.glm import pairs as products
from altsel.stats.independence.glm.families import Categorical, GLMFamily, Poisson
from altsel.stats.independence.glm.negative_binomial import NegativeBinomial


@pytest.mark.parametrize("cells", [1, 30, 1 << 16])
@pytest.mark.parametrize(("size", "number"), [(0, 2), (1, 1), (1, 3), (3, 1), (4, 9), (9, 2), (9, 4)])
def test_sums_are_those_of_products_written_out(
    size: int, number: int, cells: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(products, "CELLS", cells)
    monkeypatch.setattr(products, "LEAST", 3)
    random = np.random.default_rng(size)
    columns, weights = random.normal(size=(40, size)), random.normal(size=(number, 40))
    matrices = random.normal(size=(number, size, size))
    expected = np.einsum("ni,kn,nj->kij", columns, weights, columns)
    np.testing.assert_allclose(products.weighted_squares(columns, weights), expected, atol=1e-12)
    if size:
        expected = np.einsum("ni,kij,nj->kn", columns, matrices, columns)
        parts = list(products.row_squares(columns, matrices + matrices.transpose(0, 2, 1), 5))
        assert np.concatenate([np.arange(40)[rows] for rows, _ in parts]).tolist() == list(range(40))
        np.testing.assert_allclose(np.hstack([each for _, each in parts]), 2 * expected, atol=1e-12)


@pytest.mark.parametrize("family", [Categorical(), Poisson()])
def test_third_cumulants_are_changes_of_the_weights(family: Categorical | Poisson) -> None:
    random = np.random.default_rng(7)
    outputs = 3 if isinstance(family, Categorical) else 1
    eta, change, step = random.normal(size=(outputs, 6)), random.normal(size=(2, outputs, 6)), 1e-6
    third = family.third(family.mean(eta), change)
    for j in range(2):
        up, down = (family.weights(eta, family.mean(eta + sign * step * change[j])) for sign in (1, -1))
        np.testing.assert_allclose(third[j], (up - down) / (2 * step), atol=1e-7)


@pytest.mark.parametrize("family", [Categorical(), Poisson(), NegativeBinomial(0.4)])
@pytest.mark.parametrize(("models", "width"), [(1, 1), (1, 2), (4, 1), (4, 2)])
def test_derivatives_are_those_of_the_likelihood(family: GLMFamily, models: int, width: int) -> None:
    """Weighted rows, models at their own predictors and at the same ones, rows in parts."""
    random = np.random.default_rng(models + width)
    outputs = 2 if isinstance(family, Categorical) else 1
    classes = np.arange(1, 3)[:, None] == random.integers(0, 3, 30)
    response = classes if outputs == 2 else random.poisson(2.0, (1, 30))
    design = np.column_stack([np.ones(30), random.normal(size=(30, 2))])
    blocks, times = random.normal(size=(30, models, width)), random.integers(1, 4, 30).astype(float)
    own = 0.3 * random.normal(size=(outputs, 30, models))
    model = newton.Fitted(family, response.astype(float), design, own[:, :, 0], 0.0, times)
    size, step = outputs * (3 + width), 1e-5

    def likelihood(eta: np.ndarray, j: int, change: np.ndarray) -> float:
        known, new = np.split(change, [3 * outputs])
        moved = eta + known.reshape(outputs, 3) @ design.T + new.reshape(outputs, width) @ blocks[:, j].T
        return float(family.log_likelihood(model.response, moved, times))

    for eta in (own, own[:, :, :1]):
        gradient, information = derivatives.derivatives(model, blocks, eta)
        for j in range(models):
            one = eta[:, :, min(j, eta.shape[2] - 1)]
            value = {
                (a, b): likelihood(one, j, step * (np.eye(size)[a] + np.eye(size)[b]))
                for a in range(size)
                for b in range(size)
            }
            start = likelihood(one, j, np.zeros(size))
            alone = np.array([likelihood(one, j, step * unit) for unit in np.eye(size)])
            less = np.array([likelihood(one, j, -step * unit) for unit in np.eye(size)])
            np.testing.assert_allclose(gradient[j], (alone - less) / (2 * step), rtol=1e-5, atol=1e-5)
            second = np.array([[value[a, b] for b in range(size)] for a in range(size)])
            expected = -(second - alone[:, None] - alone + start) / step**2
            np.testing.assert_allclose(information[j], expected, rtol=2e-3, atol=2e-2)


def test_rows_in_parts_make_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(3)
    design = np.column_stack([np.ones(60), random.normal(size=(60, 3))])
    blocks = random.normal(size=(60, 3, 2))
    response = (np.arange(1, 4)[:, None] == random.integers(0, 4, 60)).astype(float)
    model = newton.fit(Categorical(), response, design)
    eta = np.repeat(model.eta[:, :, None], 3, axis=2)
    whole = derivatives.derivatives(model, blocks, eta)
    factor = bartlett.bartlett_factor(model, blocks[:, 0])
    assert factor > 1.001
    few = ((derivatives, "CELLS"), (bartlett, "CELLS"), (cumulants, "MATRICES"), (products, "LEAST"))
    for module, name in few:
        monkeypatch.setattr(module, name, 1)
    for part, expected in zip(derivatives.derivatives(model, blocks, eta), whole, strict=True):
        np.testing.assert_allclose(part, expected, rtol=1e-10, atol=1e-10)
    assert bartlett.bartlett_factor(model, blocks[:, 0]) == pytest.approx(factor, rel=1e-12)
