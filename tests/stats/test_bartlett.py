"""Bartlett's factor against formulas by hand, Lawley's sums spelled out, and means of simulated ratios."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import altsel
from altsel.stats.independence.glm import bartlett
from altsel.stats.independence.glm.families import Categorical, Gaussian, Poisson, ProportionalOdds
from altsel.stats.independence.glm.fitting import fit_model
from altsel.stats.independence.glm.negative_binomial import NegativeBinomial
from altsel.stats.independence.glm.newton import Fitted, fit


def test_two_groups_by_hand() -> None:
    # e of one mean is (1 - pq) / (6 pq n) for yes or no, and 1 / (6 n mean) for counts
    group = np.repeat([0.0, 1.0], [12, 18])
    apart = 1 / 12 + 1 / 18 - 1 / 30
    yes = np.tile([1.0, 0, 0], 10)[None]
    model = fit(Categorical(), yes, np.ones((30, 1)))
    expected = 1 + (1 - 2 / 9) / (6 * 2 / 9) * apart
    assert bartlett.bartlett_factor(model, group[:, None]) == pytest.approx(expected, rel=1e-6)
    counts = np.tile([0.0, 1, 2], 10)[None]
    model = fit(Poisson(), counts, np.ones((30, 1)))
    assert bartlett.bartlett_factor(model, group[:, None]) == pytest.approx(1 + apart / 6, rel=1e-6)


def lawley(model: Fitted, columns: Any) -> float:
    """Sum all cumulants of the score, row by row and class by class."""
    outer, mean = np.multiply.outer, model.family.mean(model.eta)
    size = columns.shape[1] * len(mean)
    second, third, fourth = (np.zeros((size,) * order) for order in (2, 3, 4))
    for row, own in zip(columns, mean.T, strict=True):
        share = np.append(own, 1 - own.sum())
        scores = [np.kron(one - own, row) for one in np.eye(len(share), len(own))]
        pairs = sum(p * outer(v, v) for p, v in zip(share, scores, strict=True))
        second += pairs
        third += sum(p * outer(outer(v, v), v) for p, v in zip(share, scores, strict=True))
        fourth += sum(p * outer(outer(v, v), outer(v, v)) for p, v in zip(share, scores, strict=True))
        both = outer(pairs, pairs)
        fourth -= both + both.transpose(0, 2, 1, 3) + both.transpose(0, 2, 3, 1)
    k = np.linalg.inv(second)
    inner = np.einsum("rst,abc,ra,sb,tc", third, third, k, k, k, optimize=True) / 6
    outer_ = np.einsum("rst,abc,rs,ta,bc", third, third, k, k, k, optimize=True) / 4
    return float(inner + outer_ - np.einsum("rstu,rs,tu", fourth, k, k) / 4)


@pytest.mark.parametrize("classes", [2, 3, 4])
def test_the_factor_is_that_of_lawley(classes: int) -> None:
    random = np.random.default_rng(classes)
    design = np.column_stack([np.ones(45), random.normal(size=45)])
    block = np.column_stack([random.normal(size=45), random.random(45) < 0.3])
    response = (np.arange(1, classes)[:, None] == random.integers(0, classes, 45)).astype(float)
    model = fit(Categorical(), response, design)
    excess = lawley(model, np.hstack([design, block])) - lawley(model, design)
    expected = 1 + excess / (2 * (classes - 1))
    assert bartlett.bartlett_factor(model, block) == pytest.approx(expected, rel=1e-8)
    doubled = np.hstack([block, design[:, 1:] + 2])  # what is determined already changes nothing
    assert bartlett.bartlett_factor(model, doubled) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("family", [Categorical(), Poisson()])
def test_integer_weights_are_repeated_rows(family: Any) -> None:
    random = np.random.default_rng(5)
    times = random.integers(1, 4, 25)
    design = np.column_stack([np.ones(25), random.normal(size=25)])
    block = np.column_stack([random.normal(size=25), random.random(25) < 0.3])
    classes = np.arange(1, 3)[:, None] == random.integers(0, 3, 25)
    counts = random.poisson(1.5, (1, 25))
    response = (classes if isinstance(family, Categorical) else counts).astype(float)

    def factor(times: Any, rows: Any = slice(None)) -> float:
        model = fit(family, response[:, rows], design[rows], times)
        return bartlett.bartlett_factor(model, block[rows])

    weighted = factor(times.astype(float))
    assert weighted == pytest.approx(factor(None, np.repeat(np.arange(25), times)), rel=1e-9)
    assert weighted > factor(2.0 * times.astype(float)) > 1.0


@pytest.mark.parametrize("family", [ProportionalOdds(), NegativeBinomial(0.5)])
def test_families_without_a_correction_have_none(family: Any) -> None:
    random = np.random.default_rng(5)
    model = fit_model(family, random.integers(0, 3, (1, 25)).astype(float), np.ones((25, 1)))
    assert bartlett.bartlett_factor(model, random.normal(size=(25, 1))) == 1.0


def test_many_rows_a_linear_model_and_separated_classes_have_bounds() -> None:
    random = np.random.default_rng(0)
    x, many = random.normal(size=(30, 1)), random.normal(size=(4000, 1))
    linear = fit(Gaussian(), random.normal(size=(1, 30)), np.ones((30, 1)))
    assert bartlett.bartlett_factor(linear, x) == 1.0
    wide = fit(Categorical(), (random.random((1, 4000)) < 0.5).astype(float), np.ones((4000, 1)))
    assert bartlett.bartlett_factor(wide, many) == 1.0
    known = np.column_stack([np.ones(30), np.repeat([-1.0, 1.0], 15)])
    apart = fit(Categorical(), np.repeat([0.0, 1.0], 15)[None], known)
    assert 1.0 <= bartlett.bartlett_factor(apart, x) <= bartlett.MOST


SLOWER = [pytest.param(kind, marks=pytest.mark.long) for kind in ("three classes", "counts")]


@pytest.mark.parametrize("kind", ["two classes", *SLOWER])
@pytest.mark.slow
def test_ratios_have_their_mean_on_few_rows(kind: str) -> None:
    random = np.random.default_rng(3)
    ratios: dict[bool, list[float]] = {True: [], False: []}
    for _ in range(25):
        s = random.normal(size=40)
        frame = pd.DataFrame({f"x{j}": random.integers(0, 4, 40) for j in range(12)}).assign(s=s)
        latent = 0.7 * s + random.logistic(size=40)
        y = {
            "two classes": (latent > 0).astype(int),
            "three classes": np.digitize(latent, [-0.7, 0.7]),
            "counts": random.poisson(np.exp(0.5 * s - 0.5)),
        }[kind]
        kinds = {f"x{j}": "categorical" for j in range(12)}
        task = "regression" if kind == "counts" else None
        data = altsel.Dataset(frame, pd.Series(y, name="y"), task, kinds=kinds)
        family = Poisson() if kind == "counts" else None
        for corrected, found in ratios.items():
            test = altsel.independence.LikelihoodRatio(
                data, family=family, samples_per_parameter=2, bartlett=corrected
            )
            answers = test(sorted(kinds), ["s"])
            assert answers.tested.all()
            found.extend((answers.statistic / answers.dof).tolist())
    error = np.std(ratios[True]) / np.sqrt(300)
    assert np.mean(ratios[True]) == pytest.approx(1, abs=3.5 * error)
    assert np.mean(ratios[False]) > np.mean(ratios[True]) + 0.01
    if kind != "counts":
        assert np.mean(ratios[False]) > 1 + 2 * error  # it would be noticed without the correction
