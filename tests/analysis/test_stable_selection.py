"""Stability selection: complementary pairs, thresholds by a loop, and how many are selected wrongly."""

from __future__ import annotations

import numpy as np
import pytest

import altsel
from altsel.analysis.resampling import Resampling, Scheme
from altsel.errors import ArgumentError, DataError
from altsel.results import StableSelection
from altsel.stats.stable_selection import r_concave, unimodal, worst_case

RNG = np.random.default_rng(1)
VALUES = RNG.normal(size=(121, 20))
DATA = altsel.Dataset(VALUES, VALUES[:, :3].sum(axis=1) + RNG.normal(size=121))


def search(rows: altsel.Dataset) -> list[tuple[str, ...]]:
    """Return the four most relevant features, in two sets."""
    first = altsel.ranking.mim(rows, 4)[0].features
    return [first[:3], (first[0], first[3])]


STABILITY = altsel.stability(search, DATA, 40, scheme="complementary-pairs")


def test_both_halves_are_searched_and_share_no_row() -> None:
    task = Resampling(DATA, Scheme.PAIRS, 0)
    for pair in range(3):
        first, second = task.rows(2 * pair), task.rows(2 * pair + 1)
        assert len(first) == len(second) == 60
        assert not set(first) & set(second)
    assert (task.rows(0) == task.rows(0)).all()
    assert set(task.rows(0)) != set(task.rows(2))
    rare = altsel.Dataset(VALUES, np.arange(121) == 5)
    with pytest.raises(DataError, match="has one value only in 100 draws"):
        Resampling(rare, Scheme.PAIRS, 0).rows(0)


@pytest.mark.slow
@pytest.mark.parametrize("of", ["any set", "first set"])
@pytest.mark.parametrize("assumption", ["none", "unimodal", "r-concave"])
@pytest.mark.parametrize("errors", [0.2, 1.0])
def test_the_threshold_is_the_smallest_that_keeps_to_the_errors(
    of: str, assumption: str, errors: float
) -> None:
    found = altsel.stable_selection(STABILITY, errors, assumption=assumption, of=of)
    size = 4 if of == "any set" else 3
    assert found.size == pytest.approx(size)
    kept = []
    for threshold in np.arange(21, 41) / 40:
        bound = worst_case(size, 20, threshold)
        if assumption == "unimodal":
            bound = min(bound, unimodal(size, 20, threshold, 20) or np.inf)
        if assumption == "r-concave":
            bound = min(bound, r_concave(size, 20, threshold, 20))
        if bound <= errors:
            kept.append((threshold, bound))
    if not kept:
        assert (found.threshold, found.selected) == (None, ())
        assert "No threshold keeps to so few errors" in str(found)
        return
    assert found.threshold == pytest.approx(kept[0][0])
    assert found.errors == pytest.approx(kept[0][1])
    shares = STABILITY.frequencies()[f"in {'the first set' if of == 'first set' else of}"]
    assert found.selected == tuple(shares.index[shares >= kept[0][0] - 1e-9])


def test_what_is_found_again_is_selected_and_read_back() -> None:
    found = altsel.stable_selection(STABILITY, threshold=0.9)
    assert {"x0", "x1", "x2"} >= set(found.selected) > set()
    assert found.worst_case == pytest.approx(16 / (20 * 0.8))
    assert StableSelection.from_json(found.to_json()) == found
    assert list(found.to_frame().columns) == ["feature", "share", "selected"]
    assert "if shares of pairs have one peak" in str(found)
    assert "in 90 % of the halves or more" in str(found)


def test_what_has_no_bound_is_refused() -> None:
    other = altsel.stability(search, DATA, 4)
    with pytest.raises(ArgumentError, match="not for 4 resamples by 'subsample'"):
        altsel.stable_selection(other)
    with pytest.raises(ArgumentError, match="resamples=5: complementary pairs need an even number"):
        altsel.stability(search, DATA, 5, "complementary-pairs")
    for wrong, why in (
        ({"threshold": 0.5}, "threshold=0.5; use a number above 0.5"),
        ({"errors": -1}, "errors=-1; use a finite number"),
        ({"assumption": "convex"}, "assumption='convex'; use"),
        ({"of": "all"}, "of='all'; use 'any set', 'first set'"),
    ):
        with pytest.raises(ArgumentError, match=why):
            altsel.stable_selection(STABILITY, **wrong)


@pytest.mark.long
def test_few_wrong_features_are_selected_in_the_mean() -> None:
    wrong: list[int] = []
    bounds: list[float] = []
    for number in range(60):
        random = np.random.default_rng([4, number])
        values = random.normal(size=(100, 60))
        target = values[:, :5] @ np.full(5, 0.4) + random.normal(size=100)
        data = altsel.Dataset(values, target)
        halves = altsel.stability(
            lambda rows: [altsel.ranking.mim(rows, 10)[0].features], data, 20, "complementary-pairs"
        )
        found = altsel.stable_selection(halves, threshold=0.6, assumption="none")
        wrong.append(sum(int(name[1:]) >= 5 for name in found.selected))
        bounds.append(found.unimodal or 0.0)
    assert 0 < np.mean(wrong) <= np.mean(bounds)
