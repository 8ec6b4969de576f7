"""Quasi-Newton steps against the maxima that linear algebra finds."""

from __future__ import annotations

import numpy as np

from altsel.stats.independence.glm.secants import REMEMBERED, Secants


def test_steps_lead_to_the_maxima_of_several_functions() -> None:
    """Quadratic functions whose curvatures the first guess misses by up to twenty times; some end sooner."""
    random = np.random.default_rng(0)
    size, models = 6, 4
    roots = random.normal(size=(models, size, size))
    curvatures = roots @ roots.transpose(0, 2, 1) + 0.5 * np.eye(size)
    target = random.normal(size=(size, models))
    expected = np.column_stack([np.linalg.solve(a, b) for a, b in zip(curvatures, target.T, strict=True)])
    found, left, steps = np.zeros((size, models)), np.arange(models), Secants()
    scale = np.array([np.linalg.eigvalsh(a).max() for a in curvatures])
    taken = 0
    while len(left):
        held = left
        gradient = target[:, held] - np.einsum("mij,jm->im", curvatures[held], found[:, held])
        step = steps.step(gradient, lambda slope, held=held: slope / scale[held])  # type: ignore[misc]
        found[:, held] += step
        going = np.abs(gradient).max(axis=0) > 1e-10
        left, steps, taken = held[going], steps.of(going), taken + 1
        assert len(steps.pairs) <= REMEMBERED
        assert taken < 100
    np.testing.assert_allclose(found, expected, atol=1e-8)
    plain = np.zeros((size, models))
    for _ in range(taken):
        plain += (target - np.einsum("mij,jm->im", curvatures, plain)) / scale
    assert np.abs(plain - expected).max() > 1e-6  # the guess alone is much slower


def test_a_step_that_changed_nothing_says_nothing() -> None:
    steps = Secants()
    gradient = np.ones((2, 1))
    for _ in range(3):
        assert steps.step(gradient, lambda slope: slope).tolist() == [[1.0], [1.0]]
