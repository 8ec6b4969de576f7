"""Rankings of many columns keep few arrays, and find the same."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

import numpy as np
import pytest

import altsel
from altsel import ranking
from altsel.search.ranking import greedy
from altsel.stats.independence.cache import Memory


@pytest.mark.parametrize("rank", [ranking.mrmr, ranking.jmi, ranking.disr, ranking.cife])
def test_what_is_forgotten_is_found_again(rank: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two hundred arrays of a million numbers were kept, of which the sums would do."""
    random = np.random.default_rng(8)
    X = random.integers(0, 3, (200, 12))
    data = altsel.Dataset(X, (X[:, 0] + X[:, 1] > 2).astype(int))
    whole = rank(data, 8, bins=3)[0].path
    held: list[int] = []

    class Seen(Memory[Any]):
        def __call__(self, key: Hashable, make: Callable[[], Any]) -> Any:
            found = super().__call__(key, make)
            held.append(len(self._values))
            return found

    monkeypatch.setattr(greedy, "Memory", Seen)
    monkeypatch.setattr(greedy, "REMEMBERED", 24)
    few = rank(data, 8, bins=3)[0].path
    assert [step.feature for step in few] == [step.feature for step in whole]
    np.testing.assert_allclose([step.score for step in few], [step.score for step in whole], rtol=1e-12)
    assert max(held) == 2
