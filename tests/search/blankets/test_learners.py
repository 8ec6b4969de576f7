"""Searches for Markov blankets: exact with an oracle, right where others are wrong, honest at limits."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import combinations

import networkx as nx
import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st

import altsel
from altsel import blankets as blanket
from tests.conftest import IONOSPHERE, ROOT
from tests.stats.test_oracle import random_dag

Learner = Callable[..., altsel.Solutions]

WHOLE: dict[str, Learner] = {
    "forward_backward": blanket.forward_backward,
    "FBED-1": partial(blanket.forward_backward_early_dropping, extra_runs=1),
    "FBED-inf": partial(blanket.forward_backward_early_dropping, extra_runs=None),
    "grow_shrink": blanket.grow_shrink,
    "grow_shrink by columns": partial(blanket.grow_shrink, candidate_order="columns"),
    "iamb": blanket.iamb,
    "inter_iamb": blanket.inter_iamb,
    "fast_iamb": blanket.fast_iamb,
    "kiamb": partial(blanket.kiamb, share=0.5),
    "mmmb": partial(blanket.mmmb, max_conditioning=None),
    "hiton_mb": partial(blanket.hiton_mb, max_conditioning=None),
    "pcmb": partial(blanket.pcmb, max_conditioning=None),
    "ipcmb": partial(blanket.ipcmb, max_conditioning=None),
    "stmb": partial(blanket.stmb, max_conditioning=None),
    "bamb": partial(blanket.bamb, max_conditioning=None),
    "eemb": partial(blanket.eemb, max_conditioning=None),
}
NEAR: dict[str, Learner] = {
    "mmpc": partial(blanket.mmpc, max_conditioning=None, symmetric=True),
    "hiton_pc": partial(blanket.hiton_pc, max_conditioning=None, symmetric=True),
    "pc_simple": partial(blanket.pc_simple, max_conditioning=None, symmetric=True),
}
EVERY = {**WHOLE, **NEAR}
BY_ROLE = ["mmmb", "hiton_mb", "pcmb", "ipcmb", "stmb", "bamb", "eemb"]
KEEPS_ONE = [name for name in EVERY if name != "pc_simple"]
"""Searches that keep one of two features that stand for each other."""


@pytest.fixture(params=EVERY, ids=list(EVERY))
def learner(request: pytest.FixtureRequest) -> Learner:
    return EVERY[request.param]


def truth(graph: nx.DiGraph, target: str) -> tuple[set[str], set[str]]:
    near = {*graph.predecessors(target), *graph.successors(target)}
    mates = {predecessor for child in graph.successors(target) for predecessor in graph.predecessors(child)}
    return near, mates - near - {target}


def check(name: str, graph: nx.DiGraph, target: str, **options: int) -> None:
    near, mates = truth(graph, target)
    test = altsel.independence.DSeparation(graph, target)
    found = EVERY[name](test, **options)
    one = found[0]
    assert set(one.features) == (near if name in NEAR else near | mates), (target, sorted(graph.edges))
    assert (found.stop, one.proof) == (altsel.Stop.COUNT, altsel.Proof.TESTED)
    if name in BY_ROLE:
        assert set(one.spouses) == mates
    if name not in NEAR:
        for verdict in one.rejected.values():  # what is said to separate does
            assert test([verdict.feature], verdict.given).independent(0.05)[0]


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("network", ["asia", pytest.param("alarm", marks=pytest.mark.long)])
def test_every_node_of_a_network_is_exact(name: str, network: str) -> None:
    graph = altsel.read_network(ROOT / "examples" / "data" / f"{network}.bif").graph()
    # sets of three separate everything here; without a bound ALARM takes minutes
    options = {"max_conditioning": 3} if name in {*BY_ROLE, *NEAR} else {}
    for target in list(graph) if network == "asia" else ["HR"]:
        check(name, graph, target, **options)


@settings(max_examples=20)
@given(seed=st.integers(0, 1_000_000), nodes=st.integers(2, 8))
@pytest.mark.parametrize("name", EVERY)
def test_every_random_graph_is_exact(name: str, seed: int, nodes: int) -> None:
    graph = random_dag(seed, nodes, 0.35)
    check(name, graph, "v0")


def test_without_symmetry_a_descendant_of_a_child_stays() -> None:
    # UV figure 6: given {B} or {A, B} the path over the collider B, or from B itself, is open
    graph = nx.DiGraph([("C", "B"), ("A", "B"), ("A", "D"), ("B", "D")])
    for search in (blanket.mmpc, blanket.hiton_pc, blanket.pc_simple):
        assert "D" in search(altsel.independence.DSeparation(graph, "C"))[0]
        assert "D" not in search(altsel.independence.DSeparation(graph, "C"), symmetric=True)[0]


@settings(max_examples=40)
@given(seed=st.integers(0, 1_000_000), nodes=st.integers(2, 9))
def test_pc_simple_is_the_definition_and_adds_descendants_only(seed: int, nodes: int) -> None:
    graph = random_dag(seed, nodes, 0.4)
    test = altsel.independence.DSeparation(graph, "v0")
    active, size = set(graph) - {"v0"}, 0
    while size < max(len(active), 1):  # algorithm 1, level by level
        active = {
            name
            for name in active
            if all(
                not nx.is_d_separator(graph, {"v0"}, {name}, set(some))
                for some in combinations(sorted(active - {name}), size)
            )
        }
        size += 1
    found = set(blanket.pc_simple(test, max_conditioning=None)[0])
    assert found == active
    assert truth(graph, "v0")[0] <= found <= truth(graph, "v0")[0] | nx.descendants(graph, "v0")


def test_pc_simple_finds_the_active_set_of_a_regression_whatever_the_order_of_columns() -> None:
    random = np.random.default_rng(3)
    table = pd.DataFrame(random.normal(size=(2000, 8)), columns=list("abcdefgh"))
    table["c"] += table["a"]
    table["d"] += table["a"] - table["b"]
    y = table["a"] + table["d"] - table["h"] + random.normal(size=len(table))
    for columns in ("abcdefgh", "hgfedcba", "dahcbgfe"):
        data = altsel.Dataset(table[list(columns)], y)
        found = blanket.pc_simple(altsel.independence.PartialCorrelation(data), 0.001)[0]
        assert set(found) == {"a", "d", "h"}
        assert {verdict.role for verdict in found.verdicts if verdict.feature in found} == {
            altsel.results.Role.NEIGHBOUR
        }


# -- bugs of other packages ----------------------------------------------------------------------


def linear(seed: int = 0, rows: int = 500) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    table = pd.DataFrame(random.normal(size=(rows, 6)), columns=list("abcdef"))
    table["y"] = table["a"] + random.normal(size=rows)
    return table


@pytest.mark.parametrize("name", KEEPS_ONE)
def test_of_a_collinear_pair_one_stays(name: str) -> None:
    table = linear()
    table["near"] = table["a"] + 1e-3 * np.random.default_rng(1).normal(size=len(table))
    found = EVERY[name](altsel.independence.PartialCorrelation(altsel.Dataset(table, "y")), 0.01)[0]
    assert len({"a", "near"} & set(found.features)) == 1


@pytest.mark.parametrize("name", KEEPS_ONE)
def test_exact_copies_leave_one_and_crash_nothing(name: str) -> None:
    table = linear()
    table["copy"] = table["a"]
    with pytest.warns(altsel.DataWarning, match="copies"):
        data = altsel.Dataset(table, "y")
    found = EVERY[name](altsel.independence.PartialCorrelation(data), 0.01)[0]
    assert len({"a", "copy"} & set(found.features)) == 1


def test_pc_simple_loses_both_of_two_copies_and_names_each_as_what_separates_the_other() -> None:
    table = linear()
    table["copy"] = table["a"]
    with pytest.warns(altsel.DataWarning, match="copies"):
        data = altsel.Dataset(table, "y")
    found = blanket.pc_simple(altsel.independence.PartialCorrelation(data), 0.01)[0]
    assert not {"a", "copy"} & set(found.features)
    assert (found.rejected["a"].given, found.rejected["copy"].given) == (("copy",), ("a",))


def test_a_blanket_of_a_single_feature_is_found(learner: Learner) -> None:
    hits = 0
    for seed in range(5):
        data = altsel.Dataset(linear(seed), "y")
        hits += learner(altsel.independence.PartialCorrelation(data), 0.001)[0].features == ("a",)
    assert hits >= 4  # five false candidates, each with a chance of a thousandth or so


@pytest.mark.parametrize("name", WHOLE)
def test_all_spouses_of_a_child_are_found(name: str) -> None:
    check(name, nx.DiGraph([("y", "child"), ("s1", "child"), ("s2", "child"), ("s3", "child")]), "y")


@pytest.mark.parametrize("name", WHOLE)
def test_neighbours_of_neighbours_are_no_spouses_without_a_test(name: str) -> None:
    check(
        name, nx.DiGraph([("y", "child"), ("child", "grandchild"), ("cause", "y"), ("cause", "other")]), "y"
    )


@pytest.mark.filterwarnings("ignore::altsel.errors.FalseDiscoveryWarning")
def test_alpha_reaches_the_tests(learner: Learner) -> None:
    table = linear(rows=60)
    test = altsel.independence.PartialCorrelation(altsel.Dataset(table, "y"))
    strict, loose = learner(test, 1e-30)[0], learner(test, 0.6)[0]
    assert (len(strict), "a" in loose) == (0, True)


@pytest.mark.parametrize("name", EVERY)
@settings(max_examples=3)
@given(seed=st.integers(0, 1000))
def test_the_order_of_columns_does_not_matter(name: str, seed: int) -> None:
    table = linear(seed)
    table["b"] += table["y"]
    mixed = table[list(np.random.default_rng(seed).permutation(table.columns))]
    one, two = (
        EVERY[name](altsel.independence.PartialCorrelation(altsel.Dataset(t, "y")), 0.01)[0]
        for t in (table, mixed)
    )
    assert set(one) == set(two)


# -- finite samples ------------------------------------------------------------------------------


@pytest.mark.parametrize("target", ["a08", "a33"])
def test_the_member_of_the_highest_p_leaves_first(target: str) -> None:
    """Removing the one of the lowest p above alpha first, as good by an oracle, gives other sets here."""
    columns = [f"a{j:02d}" for j in range(3, 19) if f"a{j:02d}" != target]
    table = pd.read_csv(IONOSPHERE)[[*columns, target]]
    left, leave_one_out = list(columns), []
    while True:  # backward elimination by the t tests of statsmodels
        fitted = sm.OLS(table[target].to_numpy(), sm.add_constant(table[left].to_numpy())).fit()
        p = dict(zip(left, fitted.pvalues[1:], strict=True))
        weakest = max(left, key=p.__getitem__)
        if p[weakest] <= 0.05:
            break
        leave_one_out.append(weakest)
        left.remove(weakest)
    test = altsel.independence.PartialCorrelation(altsel.Dataset(table, target))
    found = blanket.forward_backward(test, 0.05, order_variables=lambda search: search.open())[0]
    assert found.features == tuple(left)
    out = sorted(found.rejected.values(), key=lambda verdict: -len(verdict.given))
    assert [verdict.feature for verdict in out] == leave_one_out


def test_of_grow_shrink_no_member_is_independent_given_the_others() -> None:
    """One pass of removals leaves x10 here: it tells something until x11, tested after it, has left."""
    random = np.random.default_rng(167)
    columns = random.normal(size=(60, 12)) + random.normal(size=(60, 3)) @ random.normal(size=(3, 12))
    target = columns[:, :3].sum(axis=1) + random.normal(size=60) * 3
    data = altsel.Dataset({f"x{j}": columns[:, j] for j in range(12)}, target)
    found = blanket.grow_shrink(altsel.independence.PartialCorrelation(data), 0.05)[0].features
    model = sm.OLS(target, sm.add_constant(data.X[list(found)].to_numpy())).fit()
    assert model.pvalues[1:].max() <= 0.05


def hr(rows: int, seed: int) -> altsel.Dataset:
    table = altsel.read_network(ROOT / "examples" / "data" / "alarm.bif").sample(rows, seed)
    return altsel.Dataset(table.drop(columns="HR"), table["HR"])


@pytest.mark.filterwarnings("ignore::altsel.DataWarning")
@pytest.mark.slow
def test_alarm_hr_on_5000_rows_is_as_in_the_unified_view() -> None:
    alarm = altsel.read_network(ROOT / "examples" / "data" / "alarm.bif")
    near, whole = set(alarm.parents_and_children("HR")), set(alarm.blanket("HR"))
    for seed in range(3):
        test = altsel.independence.GSquare(hr(5000, seed), corrected=False)  # as there
        for search in (blanket.mmpc, blanket.hiton_pc):
            assert set(search(test, 0.01)[0].features) == near
        for search in (blanket.mmmb, blanket.hiton_mb):
            assert set(search(test, 0.01)[0].features) == whole
        found = blanket.iamb(test, 0.01, order_variables=blanket.dependent_by_association)
        by_iamb = set(found[0].features)
        assert by_iamb < whole
        assert len(by_iamb) == 6  # more cannot be tested with 5 rows a cell


@pytest.mark.filterwarnings("ignore::altsel.DataWarning")
def test_with_few_rows_untested_features_stay_near_and_are_not_added() -> None:
    test = altsel.independence.GSquare(hr(50, 0), corrected=False)
    assert len(blanket.iamb(test, 0.01)[0]) == 1
    near = blanket.hiton_pc(test, 0.01)[0]
    assert len(near) >= 4
    assert any(
        verdict.given == () and (verdict.p or 1) < 0.01
        for verdict in near.verdicts
        if verdict.feature in near
    )


@pytest.mark.parametrize(
    "search", [blanket.mmpc, blanket.hiton_pc, blanket.pcmb, blanket.pc_simple, blanket.ipcmb, blanket.stmb]
)
def test_sets_that_leave_too_few_rows_are_not_asked_about_with_more(search: Learner) -> None:
    random = np.random.default_rng(0)
    y = random.integers(0, 2, 60)
    noisy = {
        f"x{j}": np.where(random.random(60) < 0.9, y, 1 - y) * 3 + random.integers(0, 3, 60)
        for j in range(30)
    }
    data = altsel.Dataset(noisy, pd.Series(y, name="y"))
    counted = altsel.independence.Counted(altsel.independence.GSquare(data, corrected=False), remembered=0)
    found = search(counted, 0.01, max_conditioning=3, limits=altsel.blankets.Limits(max_seconds=1e5))
    assert found.stop.finished
    assert len(found[0]) >= 20  # six values each: nothing can be tested given any of them
    assert found.effort.tests < 60_000  # all subsets of three would be 4,000 times 30 times as many targets


def test_grow_shrink_adds_the_first_dependent_column_where_all_rows_serve_every_test() -> None:
    random = np.random.default_rng(5)
    close = random.normal(size=200)
    weak, target = close + random.normal(size=200), close + 0.1 * random.normal(size=200)
    columns = {"weak": weak, "close": close}
    numbers = altsel.independence.PartialCorrelation(altsel.Dataset(columns, target))
    signs = altsel.Dataset({name: column > 0 for name, column in columns.items()}, target > 0)
    for test, own in ((numbers, "columns"), (altsel.independence.GSquare(signs), "association")):
        for order in (None, "columns", "association"):
            found = blanket.grow_shrink(test, 0.01, candidate_order=order)
            assert "close" in found[0].features
            assert f"candidates by {order or own}" in found.search
    found = blanket.grow_shrink(altsel.independence.Counted(numbers), 0.01)  # the test within decides
    assert found[0].features == ("close",)  # `weak` came first, and left
    assert "by columns" in found.search
    with pytest.raises(altsel.errors.ArgumentError, match="candidate_order must be 'association', 'columns'"):
        blanket.grow_shrink(numbers, candidate_order="weakest")  # type: ignore[arg-type]
    with pytest.raises(altsel.errors.ArgumentError, match="candidate_order must be 'association', 'columns'"):
        blanket.grow_shrink(numbers, candidate_order=["columns"])  # type: ignore[arg-type]
