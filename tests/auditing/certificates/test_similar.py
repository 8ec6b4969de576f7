from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from altsel import Average, Dice, Jaccard, Penalised
from altsel.auditing.certificates.similar import Similar, convex
from altsel.models.soft_diversity import SoftDiversity

SOFT = [Average(Dice(0.3)), Average(Jaccard(0.5)), Penalised(Dice(0.7), 0.3), Penalised(Jaccard(1), 1e6)]


@pytest.mark.parametrize("soft", SOFT, ids=str)
@pytest.mark.parametrize("sizes", [(1, 1), (3, 3), (7, 3), (3, 7), (10, 10)])
def test_loads_are_convex_and_hardly_below_what_is_paid(soft: SoftDiversity, sizes: tuple[int, int]) -> None:
    known, size = sizes
    paid = (soft.penalty or 1.0) * soft.similarities(known, size)
    loads = convex(paid, known + 1)
    assert len(loads) == known + 1
    exact = [*map(Fraction, loads.tolist())]
    rises = [b - a for a, b in pairwise(exact)]
    assert rises == sorted(rises)
    assert (loads[: len(paid)] <= paid + 1e-15 * paid.max()).all()
    assert loads[: len(paid)] == pytest.approx(paid, abs=1e-11 * max(paid.max(), 1e-300))


def test_no_loads_at_all() -> None:
    assert convex(np.zeros(3), 5).tolist() == [0.0] * 5


def test_further_common_features_cost_at_least_what_the_next_one_does() -> None:
    known = Similar(np.array([0, 2, 4]), np.array([0.0, 1.0, 3.0, 7.0]))
    assert known.load([4, 1, 0]) == 3.0
    assert known.added(np.array([4, 1]), 6).tolist() == [2.0, 0.0, 2.0, 0.0, 0.0, 0.0]
    assert known.added(np.array([0, 2, 4]), 6).tolist() == [0.0] * 6
