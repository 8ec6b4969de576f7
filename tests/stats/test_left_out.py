import numpy as np
import pandas as pd
import pytest

import altsel
from altsel._types import FloatArray
from altsel.stats.independence.glm.bartlett import bartlett_factor, factor_of_added
from altsel.stats.independence.glm.families import Categorical, Poisson
from altsel.stats.independence.glm.left_out import LeftOut
from altsel.stats.independence.glm.newton import fit


def problem(kind: str, seed: int) -> tuple[Categorical | Poisson, FloatArray, FloatArray, FloatArray | None]:
    """Draw a design whose second column is nearly the first, and a target of it."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(120, 5))
    X[:, 1] = X[:, 0] + 1e-3 * random.normal(size=120)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    score = X @ random.normal(size=5)
    noisy = score + random.normal(size=120)
    y = {
        "two classes": noisy > 0,
        "three classes": pd.cut(noisy, 3, labels=False),
        "counts": random.poisson(np.exp(score / 3)),
        "separated": score > 0,
        "weighted": noisy > 0,
    }[kind]
    family = Poisson() if kind == "counts" else Categorical()
    counts = random.integers(1, 4, 120).astype(float) if kind == "weighted" else None
    return family, family.response(pd.Series(y).astype(float)), np.hstack([np.ones((120, 1)), X]), counts


@pytest.mark.parametrize("kind", ["two classes", "three classes", "counts", "separated", "weighted"])
@pytest.mark.parametrize("seed", range(3))
def test_models_without_each_block_are_those_fitted_from_scratch(kind: str, seed: int) -> None:
    family, response, design, counts = problem(kind, seed)
    whole = fit(family, response, design, counts)
    blocks = [np.array([1]), np.array([2, 3]), np.array([4]), np.array([5])]
    models = LeftOut(whole, blocks)
    for j, block in enumerate(blocks):
        part, added = models.part(j), models.added(j)
        plain = fit(family, response, np.delete(design, block, axis=1), counts)
        assert part.log_likelihood == pytest.approx(plain.log_likelihood, abs=1e-5)
        assert part.log_likelihood == models.log_likelihoods[j]
        assert part.columns + added.shape[1] == whole.columns
        weights = np.ones(len(design)) if counts is None else counts
        inner = (added * weights[:, None]).T @ np.hstack([added, part.design]) / weights.sum()
        np.testing.assert_allclose(inner, np.eye(len(inner), inner.shape[1]), atol=1e-7)
        if kind != "separated":
            expected = bartlett_factor(plain, design[:, block])
            assert factor_of_added(part, added) == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize("kind", ["two classes", "three classes", "counts", "weighted"])
@pytest.mark.parametrize("held", [(1 << 22, 1 << 21), (1000, 300), (1, 1)])
def test_factors_together_are_those_of_each_model(
    kind: str, held: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Blocks of one to three columns; also so few at a time that coefficients of a block are divided."""
    family, response, design, counts = problem(kind, 7)
    whole = fit(family, response, design, counts)
    models = LeftOut(whole, [np.array([1]), np.array([2, 3]), np.array([4]), np.array([3, 4, 5])])
    alone = [bartlett_factor(models.part(j), design[:, block]) for j, block in enumerate(models.blocks)]
    assert min(alone) > 1
    monkeypatch.setattr("altsel.stats.independence.glm.bartlett.CELLS", held[0])
    monkeypatch.setattr("altsel.stats.independence.glm.cumulants.MATRICES", held[1])
    found = np.array(models.factors(range(4)))
    np.testing.assert_allclose(found - 1, np.array(alone) - 1, rtol=1e-6)
    assert models.factors([2]) == pytest.approx(alone[2:3], rel=1e-8)


@pytest.mark.parametrize(("kind", "alone"), [("two classes", 0), ("three classes", 0), ("separated", 4)])
def test_models_are_fitted_together_unless_classes_are_separated(
    kind: str, alone: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    family, response, design, _ = problem(kind, 0)
    if kind != "separated":  # weaker, so that no model is far from the whole one
        response = response[:, np.random.default_rng(1).permutation(response.shape[1])]
    whole = fit(family, response, design)
    alone_fitted: list[FloatArray] = []

    def noted(*given: FloatArray) -> object:
        alone_fitted.append(given[2])
        return fit(*given)  # type: ignore[arg-type]

    monkeypatch.setattr("altsel.stats.independence.glm.left_out.fit", noted)
    assert np.isfinite(LeftOut(whole, [np.array([j]) for j in (2, 3, 4, 5)]).log_likelihoods).all()
    assert len(alone_fitted) == alone


@pytest.mark.parametrize("seed", range(4))
def test_the_least_dependent_feature_is_among_those_tested(seed: int) -> None:
    random = np.random.default_rng(seed)
    X = pd.DataFrame(random.normal(size=(150, 12))).rename(columns=lambda j: f"x{j}")
    X["group"] = random.choice(list("uvw"), 150)
    y = (X["x0"] + X["x1"] + random.normal(size=150) > 1).astype(int)
    test = altsel.independence.LikelihoodRatio(altsel.Dataset(X, y.rename("y")))
    names = list(X.columns[::-1])
    every, some = test.leave_one_out(names), test.least_dependent(names)
    assert 0 < len(some.candidates) < len(names)
    assert some.candidates[int(np.argmax(some.log_p))] == every.candidates[int(np.argmax(every.log_p))]
    known = dict(zip(every.candidates, every.statistic, strict=True))
    assert [known[name] for name in some.candidates] == pytest.approx(some.statistic.tolist())
    alone = test([names[3]], names[:3] + names[4:])
    assert every.effect[3] == pytest.approx(alone.effect[0], rel=1e-4)
