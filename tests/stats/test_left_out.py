import numpy as np
import pandas as pd
import pytest

from altsel._types import FloatArray
from altsel.stats.independence.glm.bartlett import bartlett_factor, factor_of_added
from altsel.stats.independence.glm.families import Categorical, Poisson
from altsel.stats.independence.glm.left_out import without_each
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
    for block, (part, added) in zip(blocks, without_each(whole, blocks), strict=True):
        plain = fit(family, response, np.delete(design, block, axis=1), counts)
        assert part.log_likelihood == pytest.approx(plain.log_likelihood, abs=1e-5)
        assert part.columns + added.shape[1] == whole.columns
        weights = np.ones(len(design)) if counts is None else counts
        inner = (added * weights[:, None]).T @ np.hstack([added, part.design]) / weights.sum()
        np.testing.assert_allclose(inner, np.eye(len(inner), inner.shape[1]), atol=1e-7)
        if kind != "separated":
            expected = bartlett_factor(plain, design[:, block])
            assert factor_of_added(part, added) == pytest.approx(expected, rel=1e-4)


def test_a_fit_begins_near_where_little_is_lost_and_anew_where_much_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    random = np.random.default_rng(0)
    design = np.hstack([np.ones((120, 1)), random.normal(size=(120, 3))])
    family = Categorical()
    response = family.response(pd.Series(design[:, 1] + random.normal(size=120) > 0).astype(float))
    starts: list[bool] = []

    def noted(*given: FloatArray) -> object:
        starts.append(given[4] is not None)
        return fit(*given)  # type: ignore[arg-type]

    monkeypatch.setattr("altsel.stats.independence.glm.left_out.fit", noted)
    list(without_each(fit(family, response, design), [np.array([j]) for j in (1, 2, 3)]))
    assert starts == [False, True, True]
