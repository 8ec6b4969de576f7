"""Tables of few levels by bits equal cross tables, those of matrix products and scikit-learn's."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import mutual_info_score

from altsel.stats.discrete import bit_planes, entropies
from altsel.stats.discrete.bit_planes import in_both, packed, planes, tables
from altsel.stats.discrete.entropies import Coded, mutual_information_table


def drawn(rows: int, levels: list[int], seed: int = 0) -> list[np.ndarray]:
    random = np.random.default_rng(seed)
    columns = [random.integers(0, top, rows) for top in levels]
    for column, top in zip(columns, levels, strict=True):
        column[:top] = np.arange(top)  # every level occurs
    return columns


def test_a_table_by_hand() -> None:
    first, second = (
        planes([np.array([0, 1, 2, 1, 0])], np.array([3])),
        planes([np.array([0, 1, 1, 0, 0])], np.array([2])),
    )
    found = tables(first, second, (np.array([3]), np.array([2])), 5)
    assert found.tolist() == [[2, 0], [1, 1], [0, 1]]


@pytest.mark.parametrize("rows", [12, 63, 64, 65, 1000])
@pytest.mark.parametrize("words", [1, 3, 1 << 14])
def test_tables_equal_cross_tables(rows: int, words: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bit_planes, "WORDS", words)
    one, other = [2, 3, 10, 2], [4, 2, 7]
    first, second = drawn(rows, one), drawn(rows, other, 1)
    bits = planes(first, np.array(one)), planes(second, np.array(other))
    expected = [
        np.hstack([pd.crosstab(a, b).to_numpy() for b in columns])
        for columns in (second, first)
        for a in first
    ]
    found = tables(*bits, (np.array(one), np.array(other)), rows)
    assert (found == np.vstack(expected[:4])).all()
    same = tables(bits[0], bits[0], (np.array(one), np.array(one)), rows)
    assert (same == np.vstack(expected[4:])).all()


def test_sets_are_counted_exactly_where_they_hold_all_rows() -> None:
    sets = packed(np.ones((2, 3_000_001), dtype=bool))
    assert in_both(sets, sets).tolist() == [[3_000_001] * 2] * 2


def test_information_by_bits_is_that_of_products_and_of_scikit_learn(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = [*drawn(5000, [2, 3, 10, 11, 2, 40, 70, 5]), np.zeros(5000, dtype=int)]
    columns[1] = np.where(np.random.default_rng(3).random(5000) < 0.9, columns[4], columns[1])
    by_bits = mutual_information_table(Coded(columns), Coded(columns[:6]))
    same = Coded(columns)
    table = mutual_information_table(same, same)
    assert same.few.tolist() == [True, True, True, False, True, False, False, True, False]
    for i, a in enumerate(columns):
        for j, b in enumerate(columns[:6]):
            assert by_bits[i, j] == pytest.approx(max(mutual_info_score(a, b), 0.0), abs=1e-10)
    assert table[:, :6] == pytest.approx(by_bits, abs=1e-12)
    monkeypatch.setattr(entropies, "MANY", 10**9)
    monkeypatch.setattr("altsel.stats.discrete.binary_pairs.MANY", 10**9)
    products = mutual_information_table(Coded(columns), Coded(columns[:6]))
    assert (products == by_bits).all()  # the same counts


def test_few_levels_of_many_rows_need_no_indicators(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Coded, "one_hot", None)  # numbers for each level of each row
    columns = Coded(drawn(20_000, [3, 4, 3]))
    assert mutual_information_table(columns, columns).shape == (3, 3)
