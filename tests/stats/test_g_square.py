"""G-square and chi-square against tables computed by hand and scipy, and what they do with too few rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import altsel
from altsel.stats.discrete import contingency as tables
from altsel.stats.discrete import counts as counting
from altsel.stats.discrete import g_tests as direct
from altsel.stats.discrete.compiled import LOOPS
from tests.loops import choose_loops
from tests.oracles.synthetic_tables import classes, numbers


def test_g_square_and_chi_square_equal_a_table_computed_by_hand() -> None:
    # x:     0   1          G2 = 2 (30 ln 1.5 + 10 ln 0.5 + 10 ln 0.5 + 30 ln 1.5), X2 = 4 * 100 / 20
    # y = 0  30  10
    # y = 1  10  30
    x = [0] * 30 + [1] * 10 + [0] * 10 + [1] * 30
    data = altsel.Dataset({"x": x}, [0] * 40 + [1] * 40)
    g, chi = altsel.independence.GSquare(data)(["x"]), altsel.independence.ChiSquare(data)(["x"])
    assert g.statistic[0] == pytest.approx(2 * (60 * np.log(1.5) + 20 * np.log(0.5)), rel=1e-12)
    assert chi.statistic[0] == pytest.approx(20, rel=1e-12)
    assert g.dof[0] == chi.dof[0] == 1
    assert g.effect[0] == pytest.approx(g.statistic[0] / 160)


@pytest.mark.parametrize("given_names", [[], ["b"], ["b", "c"], ["b", "c", "d"]])
@pytest.mark.parametrize(
    ("make", "scheme"),
    [(altsel.independence.GSquare, "log-likelihood"), (altsel.independence.ChiSquare, "pearson")],
)
def test_statistics_equal_scipy_summed_over_the_strata(
    make: Any, scheme: str, given_names: list[str]
) -> None:
    data = classes()
    answers = make(data, samples_per_cell=0)(["a"], given_names)
    statistic, dof = 0.0, 0
    frame = data.X.assign(y=data.y)
    for _, part in frame.groupby(given_names) if given_names else [((), frame)]:
        table = pd.crosstab(part["a"], part["y"]).to_numpy()
        if min(table.shape) > 1:
            found = stats.chi2_contingency(table, correction=False, lambda_=scheme)  # type: ignore[call-overload]
            statistic, dof = statistic + found.statistic, dof + found.dof
    assert answers.statistic[0] == pytest.approx(statistic, rel=1e-10)
    assert answers.dof[0] == dof
    assert answers.p[0] == pytest.approx(stats.chi2.sf(statistic, dof), rel=1e-9)


def test_full_degrees_of_freedom_count_every_cell() -> None:
    answers = altsel.independence.GSquare(classes(), corrected=False, adjusted=False, samples_per_cell=0)(
        ["a"], ["b", "c"]
    )
    assert answers.dof[0] == (3 - 1) * (3 - 1) * 2 * 4


def test_two_by_two_strata_have_no_yates_correction() -> None:
    random = np.random.default_rng(5)
    data = altsel.Dataset(
        {"x": random.integers(0, 2, 60), "s": random.integers(0, 2, 60)}, random.integers(0, 2, 60)
    )
    plain = altsel.independence.GSquare(data, corrected=False)(["x"], ["s"])
    assert plain.p[0] == pytest.approx(stats.chi2.sf(plain.statistic[0], 2), rel=1e-9)


def test_an_empty_stratum_does_not_make_p_nan() -> None:
    x, s, y = [0, 1] * 30, [0] * 30 + [2] * 30, [0, 1, 1] * 20
    data = altsel.Dataset({"x": x, "s": s}, y)
    data_with_level = altsel.Dataset(
        {"x": x, "s": pd.Categorical.from_codes(s, categories=pd.Index(list("abc")))}, y
    )
    assert altsel.independence.GSquare(data)(["x"], ["s"]).p == pytest.approx(
        altsel.independence.GSquare(data_with_level)(["x"], ["s"]).p
    )


@pytest.mark.filterwarnings("ignore:features determine the target:altsel.DataWarning")
def test_p_that_underflows_still_ranks() -> None:
    random = np.random.default_rng(0)
    y = random.integers(0, 3, 5000)
    table = {
        "copy": y,
        "near": np.where(random.random(5000) < 0.9, y, 0),
        "other": random.integers(0, 2, 5000),
    }
    data = altsel.Dataset(table, y)
    answers = altsel.independence.GSquare(data)(["other", "near", "copy"])
    assert answers.p[1] == answers.p[2] == 0.0
    assert answers.order().tolist() == [2, 1, 0]


def test_equal_columns_tie_in_their_order_whatever_the_rounding() -> None:
    random = np.random.default_rng(1)
    y, x = random.integers(0, 3, 700), random.integers(0, 4, 700)
    with pytest.warns(altsel.DataWarning, match="copies"):
        data = altsel.Dataset({"one": x, "renamed": (x + 1) % 4, "two": x}, y)
    answers = altsel.independence.GSquare(data)(["renamed", "two", "one"])
    assert answers.order().tolist() == [0, 1, 2]


@pytest.mark.filterwarnings("ignore:features determine the target:altsel.DataWarning")
class TestTooFewRows:
    def data(self) -> altsel.Dataset:
        random = np.random.default_rng(2)
        y = random.integers(0, 3, 50)
        return altsel.Dataset(
            {"wide": (y * 2 + random.integers(0, 2, 50)) % 6, "b": random.integers(0, 2, 50)}, y
        )

    def test_skipped_says_that_nothing_was_tested(self) -> None:
        answers = altsel.independence.GSquare(self.data(), corrected=False)(["wide", "b"])
        assert answers.tested.tolist() == [False, True]
        assert not answers.dependent(0.05)[0]
        assert not answers.independent(0.05)[0]

    def test_other_choices_decide(self) -> None:
        found = {
            choice: altsel.independence.GSquare(self.data(), corrected=False, untestable=choice)(["wide"])
            for choice in ("independent", "dependent", "permuted")
        }
        assert all(answers.tested.all() for answers in found.values())
        assert found["independent"].p[0] == 1
        assert found["dependent"].dependent(1e-9)[0]
        assert found["permuted"].p[0] < 1e-6  # a real dependence, far beyond what 999 permutations reach

    def test_no_minimum_tests_always(self) -> None:
        assert altsel.independence.GSquare(self.data(), samples_per_cell=0)(["wide"]).tested.all()

    def test_the_rule_counts_cells_of_the_full_table(self) -> None:
        test = altsel.independence.GSquare(self.data(), samples_per_cell=50 / (3 * 2))
        assert test(["b"]).tested.all()
        assert not altsel.independence.GSquare(self.data(), samples_per_cell=50 / (3 * 2) + 0.01)(
            ["b"]
        ).tested.any()


def test_permutations_agree_with_the_asymptotic_p_and_repeat() -> None:
    data = classes(3)
    settings = altsel.independence.Permutations(500, random_state=7)
    permuted = altsel.independence.GSquare(data, permutations=settings)
    one, two = permuted(["b", "c"], ["d"]), permuted(["c", "b"], ["d"])
    assert one.log_p.tolist() == two.log_p[::-1].tolist()
    assert one.p == pytest.approx(
        altsel.independence.GSquare(data)(["b", "c"], ["d"]).p, abs=4 * np.sqrt(0.25 / 500)
    )


def test_permutations_stay_within_the_strata() -> None:
    s = np.repeat([0, 1], 40)
    data = altsel.Dataset({"x": s.copy() ^ ([0] * 79 + [1]), "s": s}, s ^ ([1] + [0] * 79))
    answers = altsel.independence.GSquare(data, permutations=altsel.independence.Permutations(200))(
        ["x"], ["s"]
    )
    assert answers.p[0] > 0.5  # x and y agree only through s


def test_numbers_are_refused_by_name() -> None:
    with pytest.raises(altsel.DataError, match="'a', 'b', 'c', 'd', 'y'"):
        altsel.independence.GSquare(numbers())
    with pytest.raises(altsel.ArgumentError, match="untestable='maybe'"):
        altsel.independence.GSquare(classes(), untestable="maybe")


@pytest.mark.parametrize(
    "option", [{"permutations": 99}, {"fallback": 5}, {"corrected": "yes"}, {"expected_counts": "a"}]
)
def test_options_of_another_kind_are_refused(option: dict[str, Any]) -> None:
    with pytest.raises(altsel.ArgumentError, match=f"{next(iter(option))}=.*; give"):
        altsel.independence.GSquare(altsel.Dataset({"a": [0, 1, 1, 0]}, [0, 1, 0, 1]), **option)


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "levels"), [(60, [2, 3, 5, 2]), (900, [2, 300, 7, 4]), (900, [2, 3, 2, 2])])
@pytest.mark.parametrize("corrected", [True, False])
def test_straight_from_the_rows_it_is_what_tables_give(
    rows: int, levels: list[int], corrected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = np.random.default_rng(rows + sum(levels))
    codes = np.array([random.permutation(np.arange(rows) ** 2 % top) for top in levels])
    codes = np.array([np.unique(code, return_inverse=True)[1] for code in codes])
    codes[3] = np.where(random.random(rows) < 0.5, codes[3], codes[0])  # dependent
    columns = counting.Columns(codes)
    for given in ([], [0], [2], [0, 2], [1]):
        indices = np.array([j for j in range(3) if j not in given])
        tests = []
        for kind in ("numpy", "numba"):
            choose_loops(LOOPS, kind, monkeypatch)
            rest = tables.crossed(columns, indices, columns.codes[3], given)
            tests.append(np.hstack([table.g_tests(corrected) for table in rest]))
        plain, expected = tests
        found = direct.g_tests(columns, indices, 3, given, corrected)
        assert found is not None
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-8)
        np.testing.assert_allclose(found, plain, rtol=1e-3, atol=1e-3)
        np.testing.assert_allclose(found[:2], plain[:2], rtol=1e-9, atol=1e-8)


def test_both_kernels_count_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    data = classes()
    choose_loops(LOOPS, "numba", monkeypatch)
    fast = altsel.independence.GSquare(data, samples_per_cell=0)(["a", "d"], ["b", "c"])
    choose_loops(LOOPS, "numpy", monkeypatch)
    plain = altsel.independence.GSquare(data, samples_per_cell=0)(["a", "d"], ["b", "c"])
    assert fast.statistic == pytest.approx(plain.statistic, rel=1e-10)
    assert fast.dof.tolist() == plain.dof.tolist()


@pytest.mark.parametrize("numba", [True, False])
@pytest.mark.parametrize(
    "options",
    [{}, {"corrected": False}, {"permutations": altsel.independence.Permutations(19)}],
    ids=["corrected", "classical", "permuted"],
)
def test_leaving_one_out_answers_as_one_call_for_each(
    options: dict[str, Any], numba: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose_loops(LOOPS, "numba" if numba else "numpy", monkeypatch)
    data = classes()
    test = altsel.independence.GSquare(data, **options)
    names = data.features[:5]
    for members in (names, names[:2], names[:1], ()):
        together = test.leave_one_out(members)
        assert together.candidates == tuple(members)
        for j, name in enumerate(members):
            alone = test([name], [other for other in members if other != name])
            for part in ("log_p", "statistic", "dof", "effect", "tested"):
                assert getattr(together, part)[j] == getattr(alone, part)[0], (name, part)


def test_so_many_given_features_that_their_cells_are_no_number_are_too_many() -> None:
    random = np.random.default_rng(0)
    table = pd.DataFrame(random.integers(0, 3, (40, 700))).add_prefix("x")
    data = altsel.Dataset(table, random.integers(0, 2, 40))
    answers = altsel.independence.GSquare(data, corrected=False)(["x0"], list(table.columns[1:]))
    assert not answers.tested[0]
