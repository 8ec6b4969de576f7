"""Association against scipy's tests of ranks and tables, its null behaviour, and what it finds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import altsel
from altsel import Dataset, dependence
from altsel.measures import Association, association
from benchmarks.generated import KINDS, TARGETS, WIDE, drawn
from tests.pairs import paired

PLAIN = Association(squared=False)
pytestmark = pytest.mark.filterwarnings("ignore::altsel.DataWarning")  # of categories with many levels


def of_p(p: float, rows: int) -> float:
    """Return the correlation that has a two-sided p."""
    return float(np.sqrt(stats.norm.isf(p / 2) ** 2 / (rows - 1)))


@given(st.integers(0, 10_000), st.integers(2, 6), st.integers(2, 5))
@pytest.mark.slow
def test_two_categories_have_the_p_of_pearsons_chi_square(seed: int, first: int, second: int) -> None:
    random = np.random.default_rng(seed)
    a, b = random.integers(0, first, 120), random.integers(0, second, 120)
    a[:first], b[:second] = range(first), range(second)
    table = pd.crosstab(a, b).to_numpy()
    chi_square = stats.chi2_contingency(table, correction=False)
    p = stats.chi2.sf(chi_square.statistic * 119 / 120, chi_square.dof)
    found = PLAIN([f"a{one}" for one in a], [f"b{one}" for one in b])
    most = min(first, second) - 1
    assert found**2 == pytest.approx(1 - (1 - of_p(p, 120) ** 2 / most) ** most, abs=1e-7)
    assert found == PLAIN([f"b{one}" for one in b], [f"a{one}" for one in a])


@pytest.mark.slow
@given(st.integers(0, 10_000), st.integers(2, 5), st.booleans())
def test_a_number_across_classes_has_the_p_of_kruskal_and_wallis(seed: int, classes: int, ties: bool) -> None:
    """Twice that, for the choice between the straight and the curved form; or that of the curved one."""
    random = np.random.default_rng(seed)
    group = np.resize(np.arange(classes), 90)
    x = random.normal(size=90) + group * random.uniform(0, 1.5)
    x = np.round(x) if ties else x
    _, p = stats.kruskal(*(x[group == one] for one in range(classes)))
    found = PLAIN(x, [f"g{one}" for one in group])
    assert found >= of_p(min(2 * p, 1.0), 90) - 1e-7
    ranks = stats.rankdata(x)
    basis = np.linalg.qr(np.column_stack([np.ones(90), ranks, ranks**2]))[0][:, 1:]
    sums = np.array([basis[group == one].sum(axis=0) / np.sqrt(sum(group == one)) for one in range(classes)])
    curved = np.linalg.norm(sums, 2) ** 2
    curved_p = stats.chi2.sf(89 * curved, 2 * (classes - 1))
    assert found == pytest.approx(of_p(min(2 * min(p, curved_p), 1.0), 90), abs=1e-6)


@pytest.mark.slow
@given(st.integers(0, 10_000), st.floats(0, 2))
def test_straight_relations_of_numbers_have_nearly_spearmans_correlation(seed: int, slope: float) -> None:
    random = np.random.default_rng(seed)
    x = random.normal(size=200)
    y = slope * x + random.normal(size=200)
    found, rho = PLAIN(x, y), abs(float(stats.spearmanr(x, y)[0]))
    assert found >= of_p(min(4 * stats.norm.sf(rho * np.sqrt(199)) * 2, 1.0), 200) - 1e-7
    assert PLAIN(np.exp(x), -(y**3)) == pytest.approx(found)
    if rho > 0.4:
        assert rho - 0.05 < found < rho + 0.05


@pytest.mark.slow
@pytest.mark.parametrize("levels", [20, 200, 1000])
@pytest.mark.parametrize("target", ["number", "two", "three"])
def test_columns_of_many_levels_gain_nothing(levels: int, target: str) -> None:
    """In squares (n - 1) times the mean is 1 for one coefficient; of information it grew with the levels."""
    found = []
    for seed in range(60):
        random = np.random.default_rng(seed)
        y: Any = {
            "number": random.normal(size=400),
            "two": np.array(["a", "b"])[random.integers(0, 2, 400)],
            "three": np.array(["a", "b", "c"])[random.integers(0, 3, 400)],
        }[target]
        found.append(association([f"p{one}" for one in random.integers(0, levels, 400)], y))
    assert 399 * np.mean(found) < 2
    assert 399 * association([f"p{one}" for one in range(400)], y) < 1


@pytest.mark.parametrize(("kind", "target"), paired([*KINDS], [*TARGETS], 3))
def test_features_that_matter_are_found_among_noise(kind: str, target: str) -> None:
    """Of five 4.6 in the mean over kinds and targets, at 300 rows; nearest neighbours find 2.8."""
    hits, wide = [], []
    for seed in range(4):
        table, y = drawn(kind, target, 300, seed)
        relevance = dependence(Dataset(table, y), association).relevance
        best = relevance.nlargest(5).index
        hits.append(sum(one.startswith("t") for one in best))
        wide.append(bool(WIDE.get(kind, set()) & set(best)))
    assert np.mean(hits) >= 3.75
    assert not any(wide)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("kind", ["categories", "mixed", "ordinal"])
def test_relevance_redundancy_and_pairs_agree(kind: str, target: str) -> None:
    table, y = drawn(kind, target, 120, 1)
    measured = dependence(Dataset(table, y, keep=list(table)), association)
    pairs = measured.redundancy
    assert (pairs.to_numpy() == pairs.to_numpy().T).all()
    assert pairs.to_numpy().max() <= 1
    for a in list(table)[::3]:
        assert measured.relevance[a] == pytest.approx(association(table[a], y), abs=1e-12)
        for b in list(table)[::4]:
            assert pairs.loc[a, b] == pytest.approx(association(table[a], table[b]), abs=1e-12)
    order = np.random.default_rng(0).permutation(120)
    again = dependence(Dataset(table.iloc[order], y.iloc[order], keep=list(table)), association).relevance
    np.testing.assert_allclose(again[list(table)], measured.relevance[list(table)], atol=1e-12)


@pytest.mark.parametrize("bins", [None, 5])
@pytest.mark.parametrize("target", TARGETS)
def test_a_scan_gives_the_same_of_what_is_counted(target: str, bins: int | None, tmp_path: Path) -> None:
    table, y = drawn("mixed", target, 300, 0)
    table.assign(y=y).to_csv(tmp_path / "table.csv", index=False)
    task: Any = "regression" if target == "number" else None
    names = list(table)
    scan = Dataset.scan(tmp_path / "table.csv", "y", task, bins=bins, keep=names)
    scanned = dependence(scan, association)
    held = dependence(Dataset(table, y, task, keep=names), association)
    text = [name for name in table if not pd.api.types.is_numeric_dtype(table[name])]
    close = 0.06 if target == "number" else 1e-9  # of the target moments, and ranks, or bins
    np.testing.assert_allclose(scanned.relevance[text], held.relevance[text], atol=close)
    np.testing.assert_allclose(scanned.redundancy.loc[text, text], held.redundancy.loc[text, text], atol=1e-9)
    np.testing.assert_allclose(scanned.relevance, held.relevance[list(scanned.relevance.index)], atol=0.1)


def test_curved_relations_are_found_and_constants_are_not() -> None:
    x = np.random.default_rng(0).normal(size=300)
    assert association(x, x**2) > 0.64
    assert altsel.measures.absolute_spearman(x, x**2) < 0.2
    assert association(x, np.where(np.abs(x) > 1, "far", "near")) > 0.36
    assert association(np.ones(9), np.arange(9)) == 0
    assert association(["a"] * 9, np.arange(9)) == 0
    assert association([0, 1] * 5, [0, 1] * 5) == pytest.approx(1, abs=0.15)
    assert association(x, x**3) == pytest.approx(PLAIN(x, x) ** 2)


def test_wrong_arguments_are_named() -> None:
    with pytest.raises(altsel.DataError, match="two columns of the same length"):
        association([1, 2], [1, 2, 3])
    with pytest.raises(altsel.ArgumentError, match="squared"):
        Association(squared="yes")  # type: ignore[arg-type]
