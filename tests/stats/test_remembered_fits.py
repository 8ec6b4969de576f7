"""Models that begin at a smaller one against those fitted alone."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import altsel
from altsel.stats.independence.glm.families import Categorical, Poisson
from altsel.stats.independence.glm.newton import Fitted, fit, fit_from
from altsel.stats.independence.remembered_fits import RememberedFits


def drawn(kind: str, seed: int) -> tuple[altsel.Dataset, list[float] | None]:
    """Draw four features, one a category, and a target that depends on three of them."""
    random = np.random.default_rng(seed)
    X = pd.DataFrame(random.normal(size=(150, 3)), columns=list("abc"))
    X["d"] = random.choice(list("uvw"), 150)
    score = X["a"] + X["b"] - (X["d"] == "u")
    noisy = score + random.logistic(size=150)
    y = {
        "two classes": noisy > 0,
        "three classes": np.digitize(noisy, [-1, 1]),
        "counts": random.poisson(np.exp(score / 3)),
        "weighted": noisy > 0,
        "separated": score > 0,
    }[kind]
    weights = random.integers(1, 4, 150).astype(float).tolist() if kind == "weighted" else None
    task = "regression" if kind == "counts" else None
    return altsel.Dataset(X, pd.Series(y, name="y").astype(int), task), weights


def sets() -> list[list[int]]:
    """List sets that grow by one, and one of which two parts are known."""
    return [[0], [0, 1], [0, 1, 3], [1, 3], [0, 1, 2, 3]]


@pytest.mark.parametrize("kind", ["two classes", "three classes", "counts", "weighted", "separated"])
@pytest.mark.parametrize("seed", range(2))
def test_a_model_is_the_same_from_wherever_it_begins(kind: str, seed: int) -> None:
    data, weights = drawn(kind, seed)
    test = altsel.independence.LikelihoodRatio(
        data, family=Poisson() if kind == "counts" else Categorical(), weights=weights
    )
    family, response = test._family()
    fits = RememberedFits(test._design)
    for known in sets():
        found = fits.model("y", known, family, response)  # type: ignore[arg-type]
        alone = fit(family, response, test._design.given(known), test.counts)  # type: ignore[arg-type]
        assert found.log_likelihood == pytest.approx(alone.log_likelihood, abs=1e-8)
        bound = 1e-5 if kind != "separated" else 1e-6 * np.abs(alone.eta).max()
        np.testing.assert_allclose(found.eta, alone.eta, atol=bound)


def test_models_begin_at_the_likeliest_smaller_one_unless_that_has_no_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun: list[float] = []

    def noted(smaller: Fitted, design: np.ndarray) -> Fitted:
        begun.append(smaller.log_likelihood)
        return fit_from(smaller, design)

    monkeypatch.setattr("altsel.stats.independence.remembered_fits.fit_from", noted)
    for kind, expected in (("three classes", True), ("separated", False)):
        test = altsel.independence.LikelihoodRatio(drawn(kind, 0)[0])
        family, response = test._family()
        fits = RememberedFits(test._design)
        models = {
            tuple(known): fits.model("y", known, family, response)  # type: ignore[arg-type]
            for known in ([0, 1, 3], [1, 2, 3], [0, 2])
        }
        begun.clear()
        fits.model("y", [0, 1, 2, 3], family, response)  # type: ignore[arg-type]
        values = [models[part].log_likelihood for part in ((0, 1, 3), (1, 2, 3))]
        assert begun == ([max(values)] if expected else [])
