"""The choice among configurations and taus, from losses that are written down."""

from __future__ import annotations

import numpy as np
import pytest

from altsel.results.estimate import Estimate
from altsel.results.study import TriedTau
from altsel.studying.grid import configurations
from altsel.studying.plan import Plan
from altsel.studying.tuning import Tuned, choose_tau, largest_tau, mean_estimate

PLAN = Plan(
    loss="squared", criteria=["mrmr"], measures=["association"], sizes=[2], learners=[], models=["linear"],
    tau=[0.2, 0.4], bootstrap=100,
)  # fmt: skip
TRIED = configurations(PLAN)


def tuned(means: list[float]) -> Tuned:
    """Return losses with some means, of no features, two, and all."""
    rows = np.random.default_rng(0).normal(0, 0.01, size=(40, 1))
    losses = rows - rows.mean() + np.array(means)
    return Tuned(PLAN, TRIED, {"squared": losses, "absolute": 2 * losses}, np.array([0.0, 2, 5]))


def test_the_least_loss_is_best_and_ties_go_to_the_simplest() -> None:
    assert (tuned([1, 0.5, 0.6]).best, tuned([1, 0.5, 0.4]).best, tuned([0.5, 0.5, 0.5]).best) == (1, 2, 0)
    assert {tuned([1, a, b]).shown for a, b in ((0.5, 0.4), (0.4, 0.5), (2, 0.1))} == {1}


def test_the_summary_says_what_was_tried() -> None:
    found = tuned([1, 0.5, 0.4]).summary()
    assert found["tried"][2].chosen == 1
    assert [one.loss for one in found["tried"]] == pytest.approx([1, 0.5, 0.4])
    assert found["corrected"].value == pytest.approx(0.4, abs=0.01)
    assert found["corrected_shown"].value == pytest.approx(0.5, abs=0.01)
    assert found["gain"].value == pytest.approx(0.6, abs=0.01)
    assert found["beside"]["mean absolute error"].value == pytest.approx(0.8, abs=0.02)


def test_a_tau_costs_the_mean_difference_of_the_rows() -> None:
    folds = [(np.array([1, 3]), np.array([0, 2])), (np.array([0, 2]), np.array([1, 3]))]
    first = np.array([1.0, 2, 3, 4])
    tried = choose_tau(PLAN, first, folds, [[[2.0, 4.0], None], [[3.0, 7.0], [9.0, 9.0]]])
    assert [tried[0].added, tried[0].error] == pytest.approx([1.5, 0.5])
    assert tried[1] == TriedTau(0.4, None, None)


def test_no_tau_is_cheap() -> None:
    assert largest_tau([TriedTau(0.2, 0.3, 0.1), TriedTau(0.4, None, None)]) == (0.2, False)


def test_a_single_row_has_no_interval() -> None:
    assert mean_estimate(np.array([0.5]), 0.95).low is None


def test_a_gain_of_nothing_is_zero() -> None:
    found = tuned([0.5, 0.6, 0.7]).summary()  # the best is to take no features
    assert found["gain"] == Estimate(0.0, 0.0, 0.0)
