"""Penalties of linear models: what sets must explain, and how fast their worth rises."""

from __future__ import annotations

import numpy as np
import pytest

from altsel.stats.information_criteria import PENALTIES, Penalty


@pytest.mark.parametrize("name", PENALTIES)
def test_worth_rises_as_fast_as_is_said(name: str) -> None:
    """A tolerance of the search hangs on it, which no optimum shows."""
    penalty, size, most = Penalty(name, 40, 2, 0.05), 5, 0.8
    explained = np.linspace(0.1, most, 701)
    slopes = np.diff(penalty.worth(explained, size)) / np.diff(explained)
    assert slopes.min() > 0
    assert slopes.max() == pytest.approx(penalty.steepness(most, size), rel=0.01)
    for share in (0.1, 0.5, most):
        assert penalty.needed(float(penalty.worth(share, size)), size) == pytest.approx(share)
