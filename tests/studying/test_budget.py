"""What a study will take is counted as it is done."""

from __future__ import annotations

import numpy as np
import pytest

import altsel
from altsel.studying.budget import budget
from altsel.studying.plan import Plan

X = np.random.default_rng(0).normal(size=(60, 4))


@pytest.mark.slow
def test_searches_and_fits_are_counted() -> None:
    data = altsel.Dataset(X, X[:, 0] + 0.1 * X[:, 1])
    plan = Plan(
        folds=3, models=["linear", "tree"], criteria=["univariate"], measures=["absolute-pearson"],
        sizes=[1, 2], learners=[], alternatives=2, tau=[0.5], stability=4,
    )  # fmt: skip
    takes = budget(data, plan)
    assert takes.searches == 3 * 4 + 3 * 1 + 4  # none, two sizes and all; a tau; halves
    assert takes.fits == 3 * 3 * 2 + 3 * 1 * 2  # three sets of features by two models; two alternatives
    assert 5 < takes.seconds < 500
    assert str(takes).startswith("19 searches, at most 24 fits, about ")
