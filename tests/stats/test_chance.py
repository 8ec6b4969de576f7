"""What chance gives: the mean over all orders of the rows, by hand, brute force and scikit-learn."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations, product
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import hypergeom
from sklearn.metrics import adjusted_mutual_info_score, mutual_info_score
from sklearn.metrics.cluster import contingency_matrix, expected_mutual_information

from altsel import Dataset, dependence
from altsel.measures import CorrelationRatio, MutualInformation, SymmetricUncertainty
from altsel.stats.discrete.chance import Margins, expected_in_strata, expected_information
from altsel.stats.discrete.hypergeometric import EXACT, excess
from altsel.stats.discrete.information import information_of

Column = np.ndarray[Any, Any]
PLAIN_RATIO = CorrelationRatio(debiased=False)


def mean_over_orders(statistic: Callable[[Column, Column], float], a: Column, b: Column) -> float:
    """Mean over all orders of the rows of b."""
    return float(np.mean([statistic(a, b[list(order)]) for order in permutations(range(len(b)))]))


def words(codes: Column) -> Column:
    return np.array([f"level {code}" for code in codes])


def by_scikit_learn(a: Column, b: Column) -> float:
    return float(expected_mutual_information(contingency_matrix(a, b, sparse=True), len(a)))


A, B = np.array([0, 0, 0, 1, 1, 2]), np.array([0, 0, 1, 1, 1, 1])
X = np.array([1.0, 4.0, 2.0, 8.0, 5.0, 7.5])


@pytest.mark.slow
def test_information_is_less_its_mean_over_all_orders_of_the_rows() -> None:
    mean = mean_over_orders(mutual_info_score, A, B)
    first, second = (Margins.of([np.bincount(one)]) for one in (A, B))
    assert expected_information(first, second, 6) == pytest.approx(mean)
    plain = mutual_info_score(A, B)
    assert plain > mean  # else 0 would be right
    assert MutualInformation()(words(A), words(B)) == pytest.approx(plain - mean)


@pytest.mark.slow
def test_squares_of_ratios_have_the_mean_that_is_subtracted() -> None:
    numbers = {"eta": (X, words(A), 2 / 5), "v": (words(A), words(B), 2 / 5), "r": (X, X**2, 1 / 5)}
    for first, second, chance in numbers.values():
        square = PLAIN_RATIO(first, second) ** 2
        mean = mean_over_orders(lambda a, b: PLAIN_RATIO(a, b) ** 2, first, second)
        assert mean == pytest.approx(chance)  # (levels - 1) / (rows - 1)
        expected = max((square - chance) / (1 - chance), 0)
        assert CorrelationRatio()(first, second) == pytest.approx(np.sqrt(expected))


def test_ratios_by_hand() -> None:
    # means 1, 4 and 7 of three classes of two: between 36, total 39, 1 - 5/3 (3 / 39)
    values, classes = [0.5, 1.5, 3, 5, 6.5, 7.5], list("aabbcc")
    assert CorrelationRatio()(values, classes) ** 2 == pytest.approx(1 - 5 / 3 * 3 / 39)
    # chi^2 = 4 of 6 rows, 2 x 3 levels: V^2 = 2/3, chance 2/5
    assert CorrelationRatio()(list("xxxyyy"), list("aabbcc")) ** 2 == pytest.approx((2 / 3 - 2 / 5) / (3 / 5))


@pytest.mark.slow
@given(st.integers(0, 10_000), st.integers(2, 300))
@settings(max_examples=30)
def test_expected_information_is_scikit_learn_s(seed: int, rows: int) -> None:
    random = np.random.default_rng(seed)
    levels = random.integers(1, rows + 1, 4)
    columns = [np.unique(random.integers(0, one, rows), return_inverse=True)[1] for one in levels]
    columns.append(np.sort(random.poisson(3, rows)))
    columns[-1] = np.unique(columns[-1], return_inverse=True)[1]
    margins = Margins.of([np.bincount(one) for one in columns])
    table = expected_information(margins, margins, rows)
    expected = [[by_scikit_learn(a, b) for b in columns] for a in columns]
    assert table == pytest.approx(np.array(expected), abs=1e-5)
    assert (table >= -1e-15).all()


@pytest.mark.parametrize("rows", [3, 25, 130, 2000])
def test_cells_have_the_mean_of_a_hypergeometric_count(rows: int) -> None:
    sizes = np.unique(np.geomspace(1, rows, 14).astype(int))
    for a, b in product(sizes.tolist(), repeat=2):
        counts, mean = np.arange(min(a, b) + 1), a * b / rows
        terms = counts * np.log(np.maximum(counts, 1) / mean)
        expected = float(hypergeom(rows, a, b).pmf(counts) @ terms)
        found = float(excess(np.array([float(a)]), np.array([float(b)]), np.array([float(rows)]))[0])
        assert found == pytest.approx(expected, abs=1e-10 if mean < EXACT else 0.5 / mean**3)


def test_what_is_given_divides_the_rows_that_are_permuted() -> None:
    strata = np.array([0, 0, 0, 1, 1, 1])
    tables = [np.array([np.bincount(one[strata == s], minlength=4) for s in (0, 1)]).T for one in (A, B)]
    parts = [
        mean_over_orders(mutual_info_score, A[rows], B[rows]) * np.mean(rows)
        for rows in (strata == 0, strata == 1)
    ]
    found = expected_in_strata(tables[0], np.array([0]), tables[1])
    assert found == pytest.approx([sum(parts)])
    data = Dataset({"a": words(A), "b": words(B)}, words(strata))
    plain, debiased = (information_of(data, 5, one).with_feature_and_target(1)[1] for one in (False, True))
    assert plain[0] - debiased[0] == pytest.approx(sum(parts))
    pairs = information_of(data, 5, debiased=True).of_pairs(np.array([0]), np.array([1]))
    assert pairs[1] == pytest.approx(debiased[:1])


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::altsel.DataWarning")
@given(st.integers(0, 10_000), st.integers(8, 200))
@settings(max_examples=30)
def test_symmetric_uncertainty_is_adjusted_mutual_information(seed: int, rows: int) -> None:
    random = np.random.default_rng(seed)
    a = random.integers(0, random.integers(2, rows + 2), rows)
    b = (a + random.integers(0, random.integers(1, rows), rows)) % random.integers(2, 9)
    expected = adjusted_mutual_info_score(a, b)
    measure = SymmetricUncertainty()
    assert measure(words(a), words(b)) == pytest.approx(max(expected, 0), abs=1e-4)
    data = Dataset({"a": words(a), "b": words(b)}, random.integers(0, 2, rows), keep=["a", "b"])
    assert dependence(data, measure).redundancy.loc["a", "b"] == pytest.approx(max(expected, 0), abs=1e-4)


@pytest.mark.filterwarnings("ignore::altsel.DataWarning")
def test_copies_have_all_and_identifiers_nothing() -> None:
    random = np.random.default_rng(0)
    wide, y = words(random.integers(0, 30, 60)), words(random.integers(0, 3, 60))
    alone = words(np.arange(60))
    for measure in (SymmetricUncertainty(), CorrelationRatio()):
        assert measure(wide, wide) == pytest.approx(1)
        assert measure(alone, y) == measure(alone, wide) == measure(alone, random.normal(size=60)) == 0
    assert MutualInformation()(alone, y) == 0
    data = Dataset({"alone": alone, "wide": wide}, y, keep=["alone", "wide"])
    for one in (SymmetricUncertainty(), CorrelationRatio(), MutualInformation()):
        assert dependence(data, one).relevance["alone"] == 0


@pytest.mark.slow
def test_neighbours_need_no_correction() -> None:
    """Of a number and classes the estimate is 0 in the mean, however many classes there are."""
    random, found = np.random.default_rng(0), []
    for levels in (2, 200):
        classes = [words(random.integers(0, levels, 600)) for _ in range(40)]
        y = random.normal(size=600)
        data = Dataset(pd.DataFrame({f"c{j}": one for j, one in enumerate(classes)}), y)
        relevance = MutualInformation().relevance(data)
        found.append(float(relevance.mean()))
        assert np.median(relevance) < 0.015
        assert (relevance == 0).mean() > 0.3  # what is below 0 is 0
    assert found[1] < found[0] + 0.015


def test_levels_that_do_not_occur_count_for_nothing() -> None:
    sizes, other = [np.array([3, 0, 2]), np.array([3, 2])], Margins.of([np.array([1, 4])])
    with_, without = (expected_information(Margins.of([one]), other, 5) for one in sizes)
    assert with_ == pytest.approx(without)
    table = pa.table({"a": list("xxyzz"), "y": list("uvuvv")})
    scan, rows = Dataset.scan(table, "y").statistics(), Dataset(table.to_pandas(), "y")
    found, expected = (dependence(one, MutualInformation()).relevance["a"] for one in (scan, rows))
    assert found == pytest.approx(expected)
