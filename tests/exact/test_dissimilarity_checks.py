"""Dissimilarities of many sets at once, against pairs one by one."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from altsel import Average, Dice, Jaccard, Penalised
from altsel.exact.verification.dissimilarity_checks import distance, distances


@pytest.mark.parametrize("together", [True, False])
@pytest.mark.parametrize("measure", [Dice(0.3), Jaccard(0.4), Average(Dice(0.5)), Penalised(Dice(0.5), 1.0)])
def test_many_sets_as_pairs_one_by_one(measure: Any, together: bool) -> None:
    rng = np.random.default_rng(3)
    every = [tuple(f"x{j}" for j in rng.permutation(9)[: rng.integers(1, 5)]) for _ in range(12)]
    known, sets = ([], every) if together else (every[:3], every[3:])
    checks = list(distances(measure, sets, known, together))
    groups = [list(combinations(every, 2))]
    if not together:
        groups = [[(before, every[i]) for before in every[:i]] for i in range(3, 12)]
    own = getattr(measure, "distance", measure)
    holds = []
    for pairs in groups:
        apart = [distance(own, *pair) for pair in pairs]
        if own is measure:
            holds.append(min(apart) >= Fraction(str(measure.tau)))
        else:
            holds.append(not any(set(a) == set(b) for a, b in pairs))
            if isinstance(measure, Average):
                holds.append(sum(apart) / len(apart) >= Fraction(str(own.tau)))
    assert [check.holds for check in checks] == holds
