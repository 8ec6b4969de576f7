"""Fits by information that is kept, against those that find it anew for every step."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from altsel.stats.independence.glm import newton_steps
from altsel.stats.independence.glm.derivatives import derivatives
from altsel.stats.independence.glm.families import Categorical, GLMFamily, Poisson
from altsel.stats.independence.glm.negative_binomial import NegativeBinomial
from altsel.stats.independence.glm.newton import Fitted, fit


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("family", [Categorical(), Poisson(), NegativeBinomial(0.5)])
def test_fits_end_where_newton_s_method_ends(
    family: GLMFamily, weighted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two predictors, blocks of two columns: of noise, of what tells much, and of what separates a class."""
    random = np.random.default_rng(0)
    rows, eta = 300, random.normal(size=300)
    design, noise = np.column_stack([np.ones(rows), eta]), random.normal(size=(rows, 2))
    strong = np.column_stack([eta + 0.3 * random.normal(size=rows), random.normal(size=rows)])
    blocks = np.stack([noise, strong], axis=1)
    response = random.poisson(np.exp(0.8 * eta + 0.5 * strong[:, 1]))[None].astype(float)
    if isinstance(family, Categorical):
        classes = np.digitize(eta + strong[:, 1] + random.logistic(size=rows), [-1, 1.5])
        response = (np.arange(1, 3)[:, None] == classes).astype(float)
        blocks = np.concatenate([blocks, np.column_stack([noise[:, 0], classes == 2])[:, None]], axis=1)
    counts = random.integers(1, 4, rows).astype(float) if weighted else None
    anew: list[int] = []

    def counted(model: Any, blocks: Any, eta: Any) -> Any:
        anew.append(blocks.shape[1])
        return derivatives(model, blocks, eta)

    monkeypatch.setattr(newton_steps, "derivatives", counted)
    monkeypatch.setattr(newton_steps, "KEEPING", 0)
    kept: Fitted = fit(family, response, design, counts)
    reached, eta_of, ended = kept.climbed(blocks)
    few = sum(anew)
    anew.clear()
    monkeypatch.setattr(newton_steps, "KEEPING", np.inf)
    renewed: Fitted = fit(family, response, design, counts)
    expected, eta_expected, ended_expected = renewed.climbed(blocks)
    assert kept.log_likelihood == pytest.approx(renewed.log_likelihood, rel=1e-11)
    np.testing.assert_allclose(reached[:2], expected[:2], rtol=1e-11)
    np.testing.assert_allclose(reached, expected, atol=1e-4)
    np.testing.assert_allclose(eta_of[:, :, :2], eta_expected[:, :, :2], atol=1e-5)
    assert ended.tolist() == ended_expected.tolist() == [True, True, False][: blocks.shape[1]]
    assert few < sum(anew)
