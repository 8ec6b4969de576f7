"""Correlations a part of the rows at a time: those of numpy, whatever the numbers, and in little room."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from altsel import Dataset
from altsel.independence import PartialCorrelation
from altsel.measures import absolute_pearson, absolute_spearman
from altsel.stats import gram
from altsel.stats.gram import correlations, parts_of_array, parts_of_table
from altsel.stats.independence import partial_correlation

RNG = np.random.default_rng(20261127)
PLAIN = RNG.normal(size=(1_000, 5)) @ RNG.normal(size=(5, 5))


@pytest.mark.parametrize(
    ("shift", "scale"),
    [(0.0, 1.0), (1e6, 1.0), (-1e9, 1e-3), (0.0, 1e200), (0.0, 1e-200), (1e250, 1e240), (3.0, 1e-7)],
)
@pytest.mark.parametrize("rows", [7, 300, 5_000])
def test_as_numpy_whatever_the_numbers(
    shift: float, scale: float, rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gram, "CELLS", rows * PLAIN.shape[1])
    monkeypatch.setattr(gram, "LEAST_ROWS", 1)
    columns = shift + scale * PLAIN
    centred = columns.astype(np.longdouble) - columns.astype(np.longdouble).mean(axis=0)
    unit = (centred / np.sqrt((centred**2).sum(axis=0))).astype(float)
    expected = unit.T @ unit
    np.testing.assert_allclose(correlations(parts_of_array(columns)), expected, rtol=0, atol=1e-12)
    against = correlations(parts_of_array(columns[:, :-1]), columns[:, -1])
    np.testing.assert_allclose(against, expected[:-1, -1], rtol=0, atol=1e-12)


def test_sorted_columns_and_first_rows_unlike_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gram, "CELLS", 50)
    monkeypatch.setattr(gram, "LEAST_ROWS", 10)
    rows = np.arange(2_000.0)
    late = np.where(rows < 10, 1e8, RNG.normal(size=2_000))
    early = np.where(rows < 1_990, 0.0, 1 + RNG.random(2_000))  # nothing in the first rows
    columns = np.column_stack([rows, rows**2, late, early, np.full(2_000, 0.1)])
    found = correlations(parts_of_array(columns))
    np.testing.assert_allclose(found[:4, :4], np.corrcoef(columns[:, :4], rowvar=False), rtol=0, atol=1e-12)
    assert not found[4].any()
    assert not found[:, 4].any()


def test_constant_columns_of_any_size_are_flat(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gram, "LEAST_ROWS", 3)
    monkeypatch.setattr(gram, "CELLS", 1)
    for value in (0.0, 0.1, 1e300, -1e-300):
        columns = np.column_stack([np.full(11, value), np.arange(11.0)])
        assert correlations(parts_of_array(columns)).tolist() == [[0.0, 0.0], [0.0, 1.0]]
        assert correlations(parts_of_array(columns[:, 1:]), columns[:, 0]).tolist() == [0.0]


def test_copies_and_their_negatives_have_the_largest_correlation() -> None:
    columns = np.column_stack([PLAIN[:, 0], -3 * PLAIN[:, 0] + 1, PLAIN[:, 1]])
    found = correlations(parts_of_array(columns))
    assert found[0, 1] == pytest.approx(-1, abs=1e-14)
    assert np.abs(found).max() <= 1


def test_tables_of_all_types_by_measure_and_test(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = 400
    monkeypatch.setattr(gram, "CELLS", 4 * 64)
    monkeypatch.setattr(gram, "LEAST_ROWS", 64)
    table = pd.DataFrame(
        {
            "number": RNG.normal(size=rows),
            "integer": RNG.integers(0, 50, rows),
            "two": RNG.integers(1, 3, rows),
            "order": pd.Categorical(RNG.choice(["a", "b", "c"], rows), ["c", "a", "b"], ordered=True),
        }
    )
    target = table["number"] + table["two"] + RNG.normal(size=rows)
    data = Dataset(table, target)
    values = np.column_stack([*(table[f] for f in ("number", "integer", "two")), table["order"].cat.codes])
    expected = np.abs(np.corrcoef(np.column_stack([values, target]), rowvar=False))
    np.testing.assert_allclose(absolute_pearson.redundancy(data), expected[:-1, :-1], rtol=0, atol=1e-13)
    np.testing.assert_allclose(absolute_pearson.relevance(data), expected[:-1, -1], rtol=0, atol=1e-13)
    ranks = pd.DataFrame(values).corr("spearman").abs().to_numpy()
    np.testing.assert_allclose(absolute_spearman.redundancy(data), ranks, rtol=0, atol=1e-13)

    summed = PartialCorrelation(data)(["two", "order"], ["number", "integer"])
    monkeypatch.setattr(partial_correlation, "SHORT", np.inf)
    by_rows = PartialCorrelation(data)(["two", "order"], ["number", "integer"])
    np.testing.assert_allclose(summed.effect, by_rows.effect, rtol=0, atol=1e-12)
    np.testing.assert_allclose(summed.log_p, by_rows.log_p, rtol=1e-10)


def test_parts_hold_few_rows_at_a_time() -> None:
    table = pd.DataFrame(np.zeros((2_000_000, 2)))
    assert max(part.size for part in parts_of_table(table)()) <= gram.CELLS


def test_a_table_of_floats_in_one_array_is_not_copied() -> None:
    together = pd.DataFrame(PLAIN + 3).add_prefix("x")
    apart = together[["x0", "x1"]].assign(**{name: together[name] for name in ("x2", "x3", "x4")})
    single = together.astype({"x4": np.float32})
    for table, held in ((together, True), (together.iloc[:, :0], False), (apart, False), (single, False)):
        part = next(parts_of_table(table)())
        assert np.shares_memory(part, table.iloc[:, :1].to_numpy()) == held
        assert part.tolist() == table.to_numpy().tolist()
        np.testing.assert_allclose(
            correlations(parts_of_table(table)),
            correlations(parts_of_array(table.to_numpy(dtype=float))),
            atol=1e-14,
        )
