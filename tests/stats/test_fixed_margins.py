"""The mean of G-square given the margins, and the test that is corrected by it."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import altsel
from altsel.errors import ArgumentError
from altsel.independence import ChiSquare, GSquare
from altsel.stats.discrete.compiled import LOOPS
from altsel.stats.discrete.counts import count_logs
from altsel.stats.discrete.fixed_margins import MANY, mean_log
from tests.loops import choose_loops


def g_square(x: np.ndarray, y: np.ndarray) -> float:
    counts = np.zeros((x.max() + 1, y.max() + 1))
    np.add.at(counts, (x, y), 1)
    expected = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / len(x)
    return float(2 * sum(c * np.log(c / e) for c, e in zip(counts.flat, expected.flat, strict=True) if c))


@settings(max_examples=60)
@given(rows=st.integers(2, 200), first=st.integers(1, 200), second=st.integers(1, 200))
def test_the_mean_of_a_cell_is_that_of_the_hypergeometric_distribution(
    rows: int, first: int, second: int
) -> None:
    a, b = min(first, rows), min(second, rows)
    k = np.arange(rows + 1)
    logs = count_logs(rows)
    exact = float((stats.hypergeom(rows, a, b).pmf(k) * logs).sum())
    found = float(mean_log(np.array([rows]), np.array([a]), np.array([b]), logs)[0])
    assert found == pytest.approx(exact, rel=1e-4 if a * b / rows >= MANY else 1e-7, abs=1e-9)


def test_the_mean_of_all_permutations_is_the_degrees_of_freedom() -> None:
    x, y = np.array([0, 0, 0, 1, 1, 2, 2]), np.array([0, 0, 1, 1, 1, 0, 1])
    every = [g_square(x, y[list(order)]) for order in permutations(range(7))]
    answers = GSquare(altsel.Dataset({"x": x}, y, kinds={"x": "categorical"}))(["x"])
    mean, free = np.mean(every), 2
    assert mean > free
    assert answers.statistic[0] == pytest.approx(g_square(x, y))
    assert answers.p[0] == pytest.approx(stats.chi2.sf(g_square(x, y), mean), rel=1e-9)


def test_strata_with_one_possible_value_are_left_out() -> None:
    random = np.random.default_rng(4)
    x, y = random.integers(0, 2, (2, 40))
    plain = GSquare(altsel.Dataset({"x": x}, y))
    pairs = np.arange(40, 60) // 2  # ten strata of two rows, in which both differ: G-square 2.77 each
    longer = altsel.Dataset(
        {"x": [*x, *([0, 1] * 10)], "s": pd.Categorical([*([0] * 40), *pairs])}, [*y, *([0, 1] * 10)]
    )
    told = GSquare(longer)(["x"], ["s"])
    assert told.p[0] == pytest.approx(plain(["x"]).p[0], rel=1e-9)
    assert (
        GSquare(longer, corrected=False, samples_per_cell=0)(["x"], ["s"]).p[0] < 0.01
    )  # certain, and wrong


def test_both_ways_of_computing_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(0)
    codes = [random.integers(0, levels, 300) for levels in (2, 3, 7, 12, 4)]
    data = altsel.Dataset(
        dict(zip("abcde", codes, strict=True)), (codes[0] + codes[2]) % 3, task="multiclass"
    )
    contexts: list[list[str]] = [[], ["b"], ["b", "c", "e"]]
    choose_loops(LOOPS, "numba", monkeypatch)
    compiled = [GSquare(data)(["a", "d"], known).log_p for known in contexts]
    choose_loops(LOOPS, "numpy", monkeypatch)
    plain = [GSquare(data)(["a", "d"], known).log_p for known in contexts]
    for one, other in zip(compiled, plain, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-7)


def test_with_many_rows_it_is_the_classical_test() -> None:
    random = np.random.default_rng(1)
    x, y = random.integers(0, 3, (2, 20_000))
    data = altsel.Dataset({"x": x}, y, kinds={"x": "categorical"}, task="multiclass")
    assert GSquare(data)(["x"]).p[0] == pytest.approx(GSquare(data, corrected=False)(["x"]).p[0], rel=1e-3)


@pytest.mark.long
def test_the_level_is_kept_where_the_classical_test_loses_it() -> None:
    rejected = np.zeros(2)
    for seed in range(300):
        random = np.random.default_rng(seed)
        s = random.integers(0, 3, (60, 3))
        x, y = (s[:, 0] + random.integers(0, 3, 60)) % 3, (s[:, 1] + random.integers(0, 3, 60)) % 3
        data = altsel.Dataset({"x": x, "a": s[:, 0], "b": s[:, 1], "c": s[:, 2]}, y, task="multiclass")
        tests = GSquare(data), GSquare(data, corrected=False, samples_per_cell=0)
        rejected += [test(["x"], ["a", "b", "c"]).p[0] <= 0.05 for test in tests]
    assert rejected[0] <= 26  # 15 expected; more than 26 has probability .003
    assert rejected[1] >= 35


def test_options_that_contradict_each_other_are_refused() -> None:
    data = altsel.Dataset({"x": [0, 1] * 10}, [0, 0, 1, 1] * 5)
    with pytest.raises(ArgumentError, match="corrected=False"):
        GSquare(data, adjusted=False)
    with pytest.raises(ArgumentError, match="expected_counts=True"):
        ChiSquare(data, corrected=True)
