"""Counts of many discrete columns at once equal counts by pandas, by every way of counting."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import altsel
from altsel.stats.discrete import counts as counting
from altsel.stats.discrete.coding import CodedTable, coded
from altsel.stats.discrete.compiled import LOOPS
from altsel.stats.discrete.counts import Columns, compact, ranges
from altsel.stats.discrete.levels import level_totals
from tests.loops import choose_loops


def drawn(seed: int, rows: int, levels: list[int]) -> np.ndarray:
    random = np.random.default_rng(seed)
    codes = [random.integers(0, top, rows) for top in levels]
    for code, top in zip(codes, levels, strict=True):
        code[:top] = np.arange(top)  # every level occurs
    return np.array(codes)


@pytest.mark.slow
@pytest.mark.parametrize("kernel", ["numpy", "numba"])
@pytest.mark.parametrize("groups", [1, 2, 12, 13, 200])
@pytest.mark.parametrize("indices", [[0], [3, 1], [0, 1, 2, 3, 4]])
def test_counts_equal_a_cross_table(
    kernel: str, groups: int, indices: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    choose_loops(LOOPS, kernel, monkeypatch)
    columns = Columns(drawn(1, 501, [2, 3, 4, 2, 70]))
    group = np.random.default_rng(2).integers(0, groups, 501)
    table = columns.counts(group, groups, np.array(indices))
    expected = [
        [int(((columns.codes[j] == level) & (group == g)).sum()) for g in range(groups)]
        for j in indices
        for level in range(columns.levels[j])
    ]
    assert table.tolist() == expected


@given(st.integers(0, 10_000), st.lists(st.integers(2, 5), min_size=1, max_size=6), st.integers(6, 80))
def test_strata_number_the_combinations(seed: int, levels: list[int], rows: int) -> None:
    codes = drawn(seed, rows, levels)
    columns = Columns(codes)
    strata, number = columns.strata(range(len(levels)))
    assert strata.max() < number <= counting.SPREAD * rows + 64
    theirs = pd.DataFrame(codes.T)
    groups = pd.DataFrame({"mine": strata, "theirs": theirs.groupby(list(theirs)).ngroup()})
    assert len(groups.drop_duplicates()) == groups["mine"].nunique() == groups["theirs"].nunique()
    assert columns.strata(range(len(levels)))[0] is strata


def test_strata_of_many_columns_stay_few() -> None:
    codes = drawn(0, 300, [5] * 40)
    strata, number = Columns(codes).strata(range(40))
    assert number <= counting.SPREAD * 300 + 64
    assert len(np.unique(strata)) == len(np.unique(codes, axis=1).T)


def test_the_most_frequent_level_comes_first() -> None:
    assert Columns([[0, 1, 1, 2, 1]]).codes.tolist() == [[1, 0, 0, 2, 0]]


def test_compact_sorts_where_codes_are_spread() -> None:
    codes, number = compact(np.array([10**12, 5, 10**12, 7]), 10**12 + 1)
    assert (codes.tolist(), number) == ([2, 0, 2, 1], 3)


def test_ranges_may_be_empty() -> None:
    assert ranges(np.array([4, 9, 2]), np.array([1, 0, 2])).tolist() == [4, 2, 3]


@pytest.mark.parametrize("levels", [1, 2, 3, 12, 13, 300])
def test_totals_of_levels(levels: int) -> None:
    codes = np.random.default_rng(levels).integers(0, levels, (30, 400))
    codes[:, :levels] = np.arange(levels)
    sizes = np.full(30, levels)
    sizes[3], codes[3] = 1, 0
    expected = [int(count) for code in codes for count in np.bincount(code)]
    assert level_totals(codes, sizes).tolist() == expected


@pytest.mark.parametrize("cells", [1, 400, 1 << 18])
def test_codes_that_are_not_held_are_counted_as_those_that_are(
    cells: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two bytes a cell were taken besides the table: a million columns of 2,000 rows had no room in 4 GB."""
    random = np.random.default_rng(3)
    table = pd.DataFrame({f"b{j}": random.random(100) < random.random() for j in range(9)})
    table["x"], table["many"] = random.normal(size=100), random.permutation(100) % 40
    table["text"] = pd.Categorical(random.choice(["u", "v", "w"], 100))
    data = altsel.Dataset(table, random.integers(0, 3, 100), kinds={"many": "categorical"})
    held = Columns(coded(data, 4))
    monkeypatch.setattr(counting, "CELLS", cells)
    columns = Columns(CodedTable(data.X, list(data.kinds.values()), 4))
    for groups in (2, 3, 12):
        group = random.integers(0, groups, 100)
        for indices in (None, np.array([10, 0, 3])):
            found = columns.counts(group, groups, indices)
            np.testing.assert_array_equal(found, held.counts(group, groups, indices))
    np.testing.assert_array_equal(columns.strata([3, 10])[0], held.strata([3, 10])[0])
    np.testing.assert_array_equal(columns.code(11), held.codes[11])
    assert "codes" not in vars(columns)
    np.testing.assert_array_equal(columns.counts(group, 13), held.counts(group, 13))
    np.testing.assert_array_equal(columns.codes, held.codes)
    np.testing.assert_array_equal(columns.totals, held.totals)
    np.testing.assert_array_equal(columns.levels, held.levels)
