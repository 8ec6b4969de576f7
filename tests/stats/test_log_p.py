"""Logarithms of tail probabilities, where scipy still has the probability and beyond."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special, stats

from altsel.stats.log_p import (
    log_chi_square,
    log_correlation,
    log_normal,
    log_variance_ratio,
)


def test_chi_square_equals_scipy_where_that_does_not_underflow() -> None:
    statistic, dof = np.meshgrid([0.0, 0.1, 3, 50, 600], [1, 2, 7, 40, 900])
    assert log_chi_square(statistic, dof) == pytest.approx(
        stats.chi2.logsf(statistic, dof), rel=1e-9, abs=1e-12
    )


@pytest.mark.parametrize("dof", [2, 4, 10, 40])
def test_chi_square_of_even_dof_equals_its_closed_form_far_out(dof: int) -> None:
    for statistic in (1500.0, 4000.0, 1e5):
        terms = [i * np.log(statistic / 2) - special.gammaln(i + 1) for i in range(dof // 2)]
        assert log_chi_square(statistic, dof) == pytest.approx(
            special.logsumexp(terms) - statistic / 2, rel=1e-12
        )


@pytest.mark.parametrize("dof", [1, 3, 30, 1000, 20000])
def test_chi_square_is_continuous_where_its_method_changes(dof: int) -> None:
    near = float(stats.chi2.isf(1e-290, dof))
    below, above = log_chi_square([near * (1 - 1e-9), near * (1 + 1e-9)], dof)
    assert above < below
    assert above == pytest.approx(below, rel=1e-6)


def test_chi_square_without_degrees_of_freedom_has_p_of_one() -> None:
    assert log_chi_square([0.0, 5.0], 0).tolist() == [0.0, 0.0]


def test_correlation_equals_the_t_distribution() -> None:
    r, dof = np.meshgrid([0.0, -0.3, 0.7, 0.99], [1, 5, 60, 300])
    t = r * np.sqrt(dof / (1 - r**2))
    expected = np.log(2 * stats.t.sf(np.abs(t), dof))
    assert log_correlation(r, dof) == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_correlation_far_out_agrees_with_one_degree_less_and_more() -> None:
    # log p is very nearly linear in dof: second differences vanish where p itself underflows
    values = log_correlation(0.9, [4999, 5000, 5001])
    assert values[1] == pytest.approx(-4156.20714138, rel=1e-9)
    assert values[0] - 2 * values[1] + values[2] == pytest.approx(0, abs=1e-6)
    assert np.isfinite(log_correlation([1.0, -1.0], 70)).all()


def test_variance_ratio_equals_the_f_distribution() -> None:
    rest, extra = np.meshgrid([1.0, 0.9, 0.5, 0.01], [1, 2, 6])
    expected = stats.f.logsf((1 / rest - 1) * 40 / extra, extra, 40)
    assert log_variance_ratio(rest, extra, 40) == pytest.approx(expected, rel=1e-9, abs=1e-12)
    assert log_variance_ratio(0.5, 0, 40) == 0.0


def test_normal_is_two_sided() -> None:
    assert log_normal([-1.5, 1.5]).tolist() == pytest.approx([np.log(2 * stats.norm.sf(1.5))] * 2)
