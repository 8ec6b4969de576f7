"""Cochran's rule on tables by hand and by scipy, and p by permutations where it does not hold."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import altsel
from altsel.independence import ChiSquare, GSquare, Permutations
from altsel.runtime.clock import OutOfTimeError, limited
from altsel.stats.discrete.contingency import crossed
from altsel.stats.discrete.counts import Columns
from altsel.stats.discrete.random_tables import Margins
from altsel.stats.independence.permutations import HITS


def rows_of(counts: Any) -> tuple[list[int], list[int]]:
    """Return x and y of a table with a row for each value of x."""
    cells = [(x, y) for (x, y), count in np.ndenumerate(np.array(counts)) for _ in range(count)]
    return [x for x, _ in cells], [y for _, y in cells]


def data_of(counts: Any) -> altsel.Dataset:
    x, y = rows_of(counts)
    return altsel.Dataset({"x": x}, pd.Series(y, name="y"), kinds={"x": "categorical"})


def enough(x: Any, y: Any, *given: Any) -> bool:
    columns = Columns([x, *given, y])
    (table,) = crossed(columns, np.array([0]), columns.codes[-1], list(range(1, len(given) + 1)))
    return bool(table.expected_enough()[0])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("counts", "holds"),
    [
        ([[10, 10], [10, 10]], True),  # all 10
        ([[5, 5], [5, 5]], True),  # all 5: not below
        ([[4, 4], [4, 4]], False),  # all 4: more than a fifth below 5
        ([[16, 4], [24, 6], [24, 6], [24, 6], [24, 6]], True),  # one of ten is 4
        ([[4, 1], [96, 24], [96, 24], [96, 24], [96, 24]], True),  # one of ten is 1, one is 4: a fifth
        ([[8, 2], [8, 2], [24, 6], [24, 6], [24, 6]], True),  # two of ten are 2: a fifth
        ([[8, 2], [8, 2], [8, 2], [24, 6], [24, 6]], False),  # three of ten
        ([[3, 0], [97, 25], [96, 25], [96, 25], [96, 25]], False),  # one is 0.65
    ],
)
def test_the_rule_by_hand(counts: list[list[int]], holds: bool) -> None:
    expected = stats.contingency.expected_freq(np.array(counts))
    assert (expected.min() >= 1 and (expected < 5).mean() <= 0.2) == holds
    assert enough(*rows_of(counts)) == holds


@pytest.mark.slow
def test_the_rule_in_strata_equals_scipy() -> None:
    random = np.random.default_rng(0)
    seen = set()
    for _ in range(40):
        rows = int(random.integers(60, 900))
        s, x = random.integers(0, 3, rows), random.integers(0, int(random.integers(2, 5)), rows)
        y = random.integers(0, 2, rows)
        y[s == 2], x[s == 1] = 1, np.minimum(x[s == 1], int(random.integers(0, 2)))
        cells: list[float] = []
        for stratum in range(3):
            table = pd.crosstab(x[s == stratum], y[s == stratum]).to_numpy()
            if min(table.shape) > 1:
                cells += stats.contingency.expected_freq(table).ravel().tolist()
        values = np.array(cells)
        holds = bool((values >= 1).all() and 5 * (values < 5).sum() <= len(values))
        assert enough(x, y, s) == holds
        seen.add(holds)
    assert seen == {True, False}


CLASSICAL = partial(GSquare, corrected=False)


@pytest.mark.parametrize(("make", "scheme"), [(ChiSquare, "pearson"), (CLASSICAL, "log-likelihood")])
def test_where_it_holds_p_is_that_of_scipy(make: Any, scheme: str) -> None:
    counts = [[40, 25], [20, 31], [33, 30]]
    found = stats.chi2_contingency(np.array(counts), correction=False, lambda_=scheme)  # type: ignore[call-overload]
    assert make(data_of(counts), expected_counts=True)(["x"]).p[0] == pytest.approx(found.pvalue, rel=1e-10)


def test_small_tables_are_tested_by_permutations() -> None:
    answer = ChiSquare(data_of([[8, 1], [2, 7]]))(["x"])  # 18 rows; it said that nothing was tested
    assert answer.tested.all()
    exact = stats.fisher_exact(np.array([[8, 1], [2, 7]])).pvalue
    assert answer.p[0] == pytest.approx(exact, rel=0.35)


@pytest.mark.parametrize("make", [ChiSquare, CLASSICAL])
@pytest.mark.slow
def test_where_it_does_not_p_is_that_of_all_tables_with_these_margins(make: Any) -> None:
    counts = np.array([[30, 1], [14, 5]])  # expects 2.3 in a cell
    scheme = "pearson" if make is ChiSquare else "log-likelihood"
    values, shares = [], []
    for cell in range(7):  # of six in the second column
        table = np.array([[31 - cell, cell], [13 + cell, 6 - cell]])
        values.append(stats.chi2_contingency(table, correction=False, lambda_=scheme).statistic)  # type: ignore[call-overload]
        shares.append(stats.hypergeom.pmf(cell, 50, 6, 31))
    p = sum(share for share, value in zip(shares, values, strict=True) if value >= values[1] - 1e-9)
    if make is ChiSquare:
        assert p == pytest.approx(float(stats.fisher_exact(counts)[1]))
    settings = Permutations(10_000)
    exact = make(data_of(counts), permutations=settings)(["x"])
    fallback = make(data_of(counts), expected_counts=True, fallback=settings)(["x"])
    assert exact.p[0] == pytest.approx(p, abs=4 * np.sqrt(p * (1 - p) / 10_000))
    assert fallback.p[0] == pytest.approx(p, rel=4 / np.sqrt(HITS))
    plain = make(data_of(counts), expected_counts=False)(["x"])
    assert plain.p[0] == pytest.approx(stats.chi2.sf(plain.statistic[0], 1))
    assert plain.statistic[0] == pytest.approx(values[1])
    assert fallback.statistic[0] == pytest.approx(values[1])


@pytest.mark.parametrize("shape", [(2, 2), (3, 2), (4, 3)])
def test_drawn_tables_have_the_margins_and_moments_of_permutations(shape: tuple[int, int]) -> None:
    random = np.random.default_rng(1)
    x, y = random.integers(0, shape[0], 25), random.integers(0, shape[1], 25)
    counts = pd.crosstab(x, y).to_numpy()
    margins = Margins.of(counts[:, :, None])
    (drawn,) = margins.draws((4000,), np.random.default_rng(0))
    assert (drawn.sum(axis=3) == margins.levels).all()
    assert (drawn.sum(axis=2) == margins.classes).all()
    n, r, c = 25, counts.sum(axis=1), counts.sum(axis=0)
    levels, classes = len(r), len(c)
    # mean and variance given the margins: Haldane 1940, Dawson 1954
    v = [(k - 1) * (n - k) / (n - 1) for k in (levels, classes)]
    w = [((n / m).sum() - len(m) ** 2) / (n - 2) for m in (r, c)]
    mean = n / (n - 1) * (levels - 1) * (classes - 1)
    variance = 2 * n / (n - 3) * (v[0] - w[0]) * (v[1] - w[1]) + n * n / (n - 1) * w[0] * w[1]
    values = margins.chi_square(drawn)
    assert values.mean() == pytest.approx(mean, abs=4 * np.sqrt(variance / 4000))
    assert values.var() == pytest.approx(variance, rel=0.15)
    some = drawn[0, 0]
    assert values[0] == pytest.approx(stats.chi2_contingency(some, correction=False).statistic)
    g = stats.chi2_contingency(some, correction=False, lambda_="log-likelihood").statistic
    assert margins.g_square(drawn)[0] == pytest.approx(g)


def rare(seed: int, candidates: int = 400) -> altsel.Dataset:
    random = np.random.default_rng(seed)
    s = random.integers(0, 2, 300)
    y = (random.random(300) < 0.01 + 0.04 * s).astype(int)
    shares = [0.6, 0.2, 0.1, 0.06, 0.04]
    frame = {f"x{j}": random.choice(5, 300, p=shares if j % 2 else shares[::-1]) for j in range(candidates)}
    columns = {name: (code + s) % 5 for name, code in frame.items()}
    kinds = dict.fromkeys(columns, "categorical")
    return altsel.Dataset(pd.DataFrame(columns).assign(s=s), pd.Series(y, name="y"), kinds=kinds)


@pytest.mark.long
def test_rare_classes_are_rejected_at_the_level() -> None:
    rates, samples = {}, [rare(seed, 150) for seed in range(8)]
    tests: dict[str, Any] = {
        "new": ChiSquare,
        "g": partial(GSquare, expected_counts=True),
        "old": partial(ChiSquare, expected_counts=False),
    }
    for name, make in tests.items():
        found = [make(data)(data.features[:-1], ["s"]).p for data in samples]
        rates[name] = [float((np.concatenate(found) <= alpha).mean()) for alpha in (0.05, 0.01)]
    for alpha, new, g, old in zip((0.05, 0.01), rates["new"], rates["g"], rates["old"], strict=True):
        error = np.sqrt(alpha * (1 - alpha) / 1200)
        assert abs(new - alpha) < 4 * error
        assert abs(g - alpha) < 4 * error
        assert old > alpha + 4 * error


def test_seeds_make_p_and_are_told() -> None:
    data = rare(0, 12)
    names = list(data.features[:-1])
    one, again, other = (
        ChiSquare(data, fallback=Permutations(random_state=seed))(names, ["s"]).log_p for seed in (1, 1, 2)
    )
    assert one.tolist() == again.tolist()
    assert one.tolist() != other.tolist()
    alone = [ChiSquare(data, fallback=Permutations(random_state=1))([name], ["s"]).log_p[0] for name in names]
    assert alone == one.tolist()
    assert ChiSquare(data).seed == 0
    assert ChiSquare(data, fallback=Permutations(random_state=7)).seed == 7
    assert ChiSquare(data, expected_counts=False).seed is None
    assert GSquare(data).seed is None
    found = altsel.blankets.iamb(ChiSquare(data, fallback=Permutations(random_state=7)), 0.01)
    assert found.seed == 7


def test_p_does_not_depend_on_codes_or_the_order_of_columns() -> None:
    data = rare(3, 4)
    renamed = altsel.Dataset(
        pd.DataFrame({name: (data.X[name].astype(int) * 2 + 1) % 5 for name in data.features[:-1]}).assign(
            s=1 - data.X["s"].astype(int)
        )[list(data.features[::-1])],
        data.y,
        kinds=dict.fromkeys(data.features[:-1], "categorical"),
    )
    names = list(data.features[:-1])
    assert ChiSquare(data)(names, ["s"]).log_p == pytest.approx(ChiSquare(renamed)(names, ["s"]).log_p)


def test_searches_below_what_permutations_reach() -> None:
    random = np.random.default_rng(4)
    y = (random.random(300) < 0.04).astype(int)
    x = np.where(y, 2, random.choice(3, 300, p=[0.5, 0.4, 0.1]))
    data = altsel.Dataset({"x": x, "z": random.integers(0, 3, 300)}, y)
    test = ChiSquare(data)
    assert not enough(data.X["x"].to_numpy(), y)
    assert altsel.blankets.iamb(test, 1e-4)[0].features == ("x",)  # 999 permutations alone reach .001
    with pytest.raises(altsel.ArgumentError, match=r"no p of the chi-square test is below 0\.01"):
        altsel.blankets.iamb(ChiSquare(data, permutations=Permutations(99)), 0.001)


def test_permutations_look_at_the_clock() -> None:
    data = rare(1, 60)
    test = ChiSquare(data, untestable="permuted")
    with limited(1e-9), pytest.raises(OutOfTimeError):
        test(data.features[:-1], ["s"])
