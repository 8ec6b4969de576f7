"""Where sets lie on the map."""

from __future__ import annotations

import numpy as np

from altsel.exploring.tradeoffs import map_of


def test_distances_that_a_plane_holds_are_kept() -> None:
    sets = np.array([[1, 1, 0, 0], [1, 0, 1, 0], [0, 0, 1, 1]], dtype=float)  # three points lie in a plane
    places = map_of(sets)
    for i in range(3):
        for j in range(3):
            dice = 1 - 2 * sets[i] @ sets[j] / (sets[i].sum() + sets[j].sum())
            assert np.isclose(np.linalg.norm(places[i] - places[j]), dice)


def test_one_set_and_equal_sets_have_a_place() -> None:
    assert map_of(np.ones((1, 3))).tolist() == [[0, 0]]
    assert np.allclose(map_of(np.ones((4, 3))), 0)
