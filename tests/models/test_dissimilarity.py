from __future__ import annotations

from fractions import Fraction
from math import floor

import pyomo.environ as pyo
import pytest
from hypothesis import given
from hypothesis import strategies as st

import altsel
from altsel.models.dissimilarity import Dissimilarity, exact, largest_overlap, share_of
from altsel.models.overlap_rows import differ, differ_from
from altsel.models.problem import Problem, model_of_sets
from tests.oracles import brute_force

MEASURES = [(altsel.Dice, brute_force.dice), (altsel.Jaccard, brute_force.jaccard)]


@pytest.mark.parametrize("k", range(1, 51))
def test_overlap_is_exact_for_every_tau_of_the_grid(k: int) -> None:
    for j in range(k + 1):
        for tau in (j / k, 1 - (k - j) / k, float(f"{j / k:.15g}")):
            assert largest_overlap(altsel.Dice(tau), k, k) == k - j
            bound = Fraction(2 * (k - j) * k, 2 * k - j)  # 2k (1 - tau) / (2 - tau) in exact arithmetic
            assert largest_overlap(altsel.Jaccard(tau), k, k) == floor(bound)


@pytest.mark.parametrize(
    ("k", "tau", "overlap"), [(25, 0.28, 18), (25, 0.56, 11), (50, 0.14, 43), (10, 0.9, 1)]
)
def test_overlap_where_floats_are_off_by_one(k: int, tau: float, overlap: int) -> None:
    assert largest_overlap(altsel.Dice(tau), k, k) == overlap


def test_a_threshold_just_above_zero_keeps_sets_distinct() -> None:
    assert exact(0.0) == 0
    assert exact(1e-13) > 0
    assert largest_overlap(altsel.Dice(1e-13), 3, 3) == 2


@pytest.mark.parametrize(("make", "distance"), MEASURES)
@given(
    a=st.sets(st.sampled_from("abcdefgh"), min_size=1),
    b=st.sets(st.sampled_from("abcdefgh"), min_size=1),
    j=st.integers(0, 20),
)
def test_a_pair_fits_the_overlap_exactly_if_it_fits_the_distance(make, distance, a, b, j) -> None:  # type: ignore[no-untyped-def]
    measure = make(j / 20)
    assert measure(a, b) == pytest.approx(distance(frozenset(a), frozenset(b)))
    assert (len(a & b) <= largest_overlap(measure, len(a), len(b))) == (measure(a, b) >= j / 20 - 1e-9)


@pytest.mark.parametrize("make", [altsel.Dice, altsel.Jaccard])
@pytest.mark.parametrize("tau", [-0.1, 1.1, float("nan"), "0.5", True, None])
def test_tau_outside_its_range_is_refused(make: type[altsel.Dice], tau: float) -> None:
    with pytest.raises(altsel.ArgumentError, match="tau="):
        make(tau)


def test_exact_keeps_a_float_that_is_no_small_fraction() -> None:
    assert exact(1 / 3) == Fraction(1, 3)
    assert exact(0.123456789) == Fraction(0.123456789)


def _rows(constraints: pyo.Constraint) -> list[str]:
    return [str(row.expr) for row in constraints.values()]


def test_a_known_set_adds_one_row() -> None:
    problem = Problem(altsel.Univariate([4, 3, 2, 1]), k=2)
    model = model_of_sets(problem)
    block = model.sets[0]
    differ_from(altsel.Dice(0.5), block, ["x0", "x2"], (2, 2))
    assert _rows(block.differs_from) == ["sets[0].x[x0] + sets[0].x[x2]  <=  1"]


def test_a_known_set_adds_one_whole_row_for_free_sizes() -> None:
    problem = Problem(altsel.Univariate([4, 3, 2, 1]), k=(1, 3))
    model = model_of_sets(problem)
    block = model.sets[0]
    differ_from(altsel.Jaccard(0.5), block, ["x0", "x2"], (1, 3))
    (row,) = block.differs_from.values()  # 3 |F & x| - |x| <= |F|
    for f, weight in {"x0": 2, "x1": -1, "x2": 2, "x3": -1}.items():
        for x in block.x.values():
            x.set_value(0)
        block.x[f].set_value(1)
        assert pyo.value(row.body) == weight
    assert row.ub == 2


def test_two_unknown_sets_share_products_bounded_below_only() -> None:
    problem = Problem(altsel.Univariate([4, 3, 2]), k=1)
    model = model_of_sets(problem, 2)
    differ(altsel.Dice(1), model, (1, 1))
    assert _rows(model.both)[0] == "sets[1].x[x0] + sets[0].x[x0] - 1  <=  common[1,0,x0]"
    assert _rows(model.differ) == ["common[1,0,x0] + common[1,0,x1] + common[1,0,x2]  <=  0"]


def test_measures_satisfy_the_protocol() -> None:
    measures: list[Dissimilarity] = [altsel.Dice(0.5), altsel.Jaccard(0.5)]
    assert [share_of(m) for m in measures] == [Fraction(1, 4), Fraction(1, 3)]
