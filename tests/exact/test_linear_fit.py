"""The branch and bound on least squares, against all subsets by numpy's singular values."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import highspy
import numpy as np
import pandas as pd
import pyomo.environ as pyo
import pytest

import altsel
from altsel import Dice, LinearFit, Problem, Proof, RelativeLoss, Stop, domain
from altsel.compiling import Loops
from altsel.exact import auto  # noqa: F401  (before lists are switched off)
from altsel.exact.kernels import conditioning, fit_list, fit_steps
from altsel.exact.kernels.conditioning import steepest
from altsel.exact.kernels.fit_data import Left, Portion, empty_levels, empty_listing
from altsel.exact.rules.limits import Limits
from altsel.exact.sources.every_set import engine as all_sets
from altsel.exact.sources.least_squares import compiled, pairs, prices
from altsel.exact.sources.least_squares import tree as least_squares_tree
from altsel.exact.sources.least_squares.compiled import LISTS, LOOPS, PLAIN, for_list, for_tree
from altsel.exact.sources.least_squares.diagonal import root
from altsel.exact.sources.least_squares.tree import Tree
from altsel.runtime.clock import limited
from altsel.search.alternatives.near_optimal import near_optimal

CLOSE = 1e-9
Members = tuple[int, ...]
KINDS = ["plain", "copies", "sums", "near copies", "scales", "far from 0", "factors"]


@dataclass(frozen=True)
class Case:
    """Data, and what every set of columns explains, by singular values and not by altsel."""

    objective: LinearFit
    data: altsel.Dataset
    columns: np.ndarray
    target: np.ndarray
    ridge: float

    def value(self, members: Members) -> float:
        chosen = self.columns[:, list(members)]
        chosen = np.vstack([chosen, np.sqrt(self.ridge) * np.eye(len(members))])
        left, sizes, _ = np.linalg.svd(chosen, full_matrices=False)
        along = left[: len(self.target), sizes > 1e-6].T @ self.target
        return float(along @ along)

    def values(self, size: int) -> dict[Members, float]:
        return {one: self.value(one) for one in combinations(range(self.columns.shape[1]), size)}


def case(kind: str, seed: int, n: int = 8, rows: int = 30, ridge: float = 0.0) -> Case:
    rng = np.random.default_rng([seed, KINDS.index(kind)])
    table = rng.normal(size=(rows, n))
    if kind == "factors":
        table = 0.3 * table + rng.normal(size=(rows, 2)) @ rng.normal(size=(2, n))
    if kind == "copies":
        table[:, 1], table[:, 5] = -3 * table[:, 0], 1e3 * table[:, 4]
    if kind == "sums":
        table[:, 2] = table[:, 0] + table[:, 1]
        table[:, 6] = table[:, 3] - table[:, 4] + table[:, 5]
    if kind == "near copies":
        table[:, 1] = table[:, 0] + 4.5e-5 * table[:, 1]  # r = 1 - 1e-9
    target = table[:, 0] / table[:, 0].std() - table[:, 3] / table[:, 3].std() + rng.normal(size=rows)
    if kind == "near copies":
        target += 3e4 * (table[:, 1] - table[:, 0])
    if kind == "scales":
        table *= 10.0 ** rng.choice([-6, 0, 6], n)
    if kind == "far from 0":
        table += 1e4 * rng.normal(size=n)
    exact = table.astype(np.longdouble)
    exact = exact - exact.mean(axis=0)
    columns = (exact / np.sqrt((exact**2).sum(axis=0))).astype(float)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", altsel.DataWarning)
        data = altsel.Dataset(pd.DataFrame(table, columns=[f"x{j}" for j in range(n)]), target)
    y = target - target.mean()
    return Case(LinearFit(data, ridge), data, columns, y / np.linalg.norm(y), ridge)


def indices(one: altsel.FeatureSet) -> Members:
    return tuple(sorted(int(name[1:]) for name in one.features))


@pytest.fixture(autouse=True)
def no_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small problems would be answered by a list of all sets."""
    monkeypatch.setattr(all_sets, "MOST_SETS", 0)


@pytest.fixture(params=["list", "tree"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """All sets of small problems are listed at once; as if that were more work than a tree, in its turn."""
    if request.param == "tree":
        monkeypatch.setattr(least_squares_tree, "AT_ONCE", 0.0)
        monkeypatch.setattr(least_squares_tree, "BOUND", 0.0)
        monkeypatch.setattr(least_squares_tree, "ENTRY", 0.0)
        monkeypatch.setattr(least_squares_tree, "AGAIN", 0.0)
    return str(request.param)


@pytest.mark.parametrize("kind", KINDS)
def test_a_tree_finds_the_best_set_and_lists_good_ones_by_itself(kind: str, way: str) -> None:
    """Searches notice that a set is missing, and answer in another way: here nothing stands behind it."""
    one, none = case(kind, 51), Limits(np.zeros((0, 8)), np.zeros(0))
    values = one.values(4)
    best = max(values.values())
    tree, other = (Tree(one.objective.design, 4, none, using=PLAIN) for _ in range(2))
    assert tree.search(1e-10) == (Stop.EXHAUSTED, -np.inf)
    assert tree.value == pytest.approx(best, abs=CLOSE)
    stop, sets, _ = other.listed(0.8 * best, 1000)
    found = {tuple(sorted(members)) for members in sets.tolist()}
    assert stop is Stop.EXHAUSTED
    assert {s for s, v in values.items() if v > 0.8 * best + CLOSE} <= found
    assert found <= {s for s, v in values.items() if v > 0.8 * best - CLOSE}
    assert (min(tree.nodes, other.nodes) > 1) == (way == "tree")


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("ridge", [0.0, 0.02])
@pytest.mark.parametrize("kind", KINDS)
def test_sets_one_after_another(kind: str, ridge: float) -> None:
    one = case(kind, 1, ridge=ridge)
    values = one.values(4)
    found = altsel.sequential(Problem(one.objective, 4), Dice(0.5), 2)
    assert found.search.endswith("by branch and bound on least squares")
    known: list[Members] = []
    for subset in found:
        left = [v for s, v in values.items() if all(len({*s} & {*t}) <= 2 for t in known)]
        assert subset.score == pytest.approx(values[indices(subset)], abs=CLOSE)
        assert subset.score == pytest.approx(max(left), abs=CLOSE)
        assert subset.proof is Proof.OPTIMAL
        known.append(indices(subset))


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("kind", KINDS)
def test_all_sets_within_a_loss(kind: str) -> None:
    one = case(kind, 2)
    values = one.values(4)
    found = near_optimal(Problem(one.objective, 4), RelativeLoss(0.1), 1000)
    least = 0.9 * max(values.values())
    assert found.stop is Stop.EXHAUSTED
    surely = {s for s, v in values.items() if v > least + CLOSE}
    assert (
        surely <= {indices(subset) for subset in found} <= {s for s, v in values.items() if v > least - CLOSE}
    )


@pytest.mark.parametrize("total", ["sum", "min"])
def test_sets_together(total: str) -> None:
    one = case("factors", 3, n=7)
    values = one.values(3)
    found = altsel.simultaneous(Problem(one.objective, 3), Dice(0.6), 1, total)
    assert found.search.endswith("by lists above a floor")
    add: Any = sum if total == "sum" else min
    best = max(add([v, w]) for s, v in values.items() for t, w in values.items() if len({*s} & {*t}) <= 1)
    assert add([subset.score for subset in found]) == pytest.approx(best, abs=CLOSE)
    assert found.proved


def test_two_sets_that_cannot_differ_enough_but_for_the_first_one() -> None:
    """A floor of minus infinity was once taken for the wish for one best set."""
    one = case("plain", 4, n=5)
    sizes = {s: v for k in (2, 3) for s, v in one.values(k).items()}
    found = altsel.simultaneous(Problem(one.objective, (2, 3)), Dice(1), 1, "min")
    pairs = [min(v, w) for s, v in sizes.items() for t, w in sizes.items() if not {*s} & {*t}]
    assert min(subset.score for subset in found) == pytest.approx(max(pairs), abs=CLOSE)


RULES: list[tuple[Any, Any]] = [
    (domain.require("x2"), lambda s: 2 in s),
    (domain.forbid("x0"), lambda s: 0 not in s),
    (domain.mutually_exclusive(["x0", "x3", "x4"]), lambda s: len({*s} & {0, 3, 4}) <= 1),
    (
        domain.budget({f"x{j}": float(j % 3 + 1) for j in range(8)}, 6.0, other=0),
        lambda s: sum(j % 3 + 1 for j in s) <= 6,
    ),
    (domain.at_least(2, ["x5", "x6", "x7"]), lambda s: len({*s} & {5, 6, 7}) >= 2),
]


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("number", range(len(RULES)))
def test_rules_are_rows(number: int) -> None:
    rule, keeps = RULES[number]
    one = case("factors", 5)
    values = {s: v for k in (3, 4) for s, v in one.values(k).items() if keeps(s)}
    problem = Problem(one.objective, (3, 4), [rule])
    found = altsel.sequential(problem, Dice(0.5), 0)
    assert found[0].score == pytest.approx(max(values.values()), abs=CLOSE)
    assert found[0].proof is Proof.OPTIMAL
    least = 0.8 * max(values.values())
    near = near_optimal(problem, RelativeLoss(0.2), 1000)
    assert len(near) == sum(v >= least for v in values.values())
    assert near.search.endswith("list of the sets above a floor")


def test_more_columns_than_rows_with_a_ridge() -> None:
    one = case("plain", 6, n=11, rows=8, ridge=0.1)
    found = altsel.sequential(Problem(one.objective, 4), Dice(0.5), 0)
    assert found[0].score == pytest.approx(max(one.values(4).values()), abs=CLOSE)
    assert found[0].proof is Proof.OPTIMAL


def test_no_set_keeps_the_rules() -> None:
    one = case("plain", 7)
    rules = [domain.require("x0"), domain.require("x1"), domain.mutually_exclusive(["x0", "x1"])]
    found = altsel.sequential(Problem(one.objective, 3, rules), Dice(0.5), 0)
    assert (len(found), found.stop) == (0, Stop.INFEASIBLE)


@pytest.mark.parametrize("kind", KINDS)
def test_the_diagonal_and_its_bound_hold(kind: str) -> None:
    one = case(kind, 8)
    design = one.objective.design
    found = root(design.columns, design.target, 3, 4e-15)
    products = design.columns @ design.columns.T
    assert np.linalg.eigvalsh(products - np.diag(found.d))[0] > -1e-13
    assert found.bound >= max(one.values(3).values()) - CLOSE
    constant, price, _ = prices.priced(
        products, design.columns @ design.target, found.d, found.z, 4e-15, steepest(3)
    )
    for members, value in one.values(3).items():
        assert value <= constant + price[list(members)].sum() + CLOSE


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("rest", [1e-5, 1.5e-6, 1e-8, 1e-13])
def test_columns_that_nearly_depend_on_others_keep_nothing_from_a_proof(rest: float) -> None:
    """A pair of near copies was once left undecided, and with it all sets."""
    rng = np.random.default_rng([9, int(-np.log10(rest))])
    table = rng.normal(size=(40, 8))
    table[:, 1] = table[:, 0] + rest * table[:, 1]
    table[:, 6] = table[:, 2] - 2 * table[:, 3] + rest * table[:, 6]
    table[:, 7] = 3 * table[:, 0] + rest * rng.normal(size=40)
    hidden = (table[:, 1] - table[:, 0]) / rest
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", altsel.DataWarning)
        data = altsel.Dataset(table, table[:, 0] + table[:, 6] + 0.5 * hidden + rng.normal(size=40))
    quality = LinearFit(data)
    values = {s: quality.score(np.isin(np.arange(8), s)) for s in combinations(range(8), 5)}
    found = altsel.sequential(Problem(quality, 5), Dice(0.5), 1)
    assert found[0].score == pytest.approx(max(values.values()), abs=1e-10)
    assert [subset.proof for subset in found] == [Proof.OPTIMAL, Proof.OPTIMAL]
    near = near_optimal(Problem(quality, 5), altsel.AbsoluteLoss(0.05))
    assert near.stop is Stop.EXHAUSTED
    assert {indices(subset) for subset in near} == {
        s for s, v in values.items() if v >= found[0].score - 0.05
    }


def test_what_is_left_of_nearly_dependent_columns_is_found_in_pairs_of_floats() -> None:
    rng = np.random.default_rng(24)
    first = rng.normal(size=7)
    second = first + 2.0**-45 * rng.normal(size=7)
    rows = [[Fraction(number) for number in column] for column in (first, second)]
    share = dot(rows[0], rows[1]) / dot(rows[0], rows[0])
    left = [b - share * a for a, b in zip(*rows, strict=True)]
    size = float(dot(left, left)) ** 0.5
    basis, low, _ = conditioning.exact_basis(np.array([first, second]), np.array([0]), 1.0)
    rest, rest_low, length = conditioning.remainder(second, basis, low, 1)
    assert length == pytest.approx(size / float(dot(rows[1], rows[1])) ** 0.5, rel=1e-13)
    assert (rest + rest_low) / size == pytest.approx([float(one) / size for one in left], abs=1e-13)


def test_no_coefficient_is_larger_than_the_bound_says() -> None:
    """Kahan's matrix: remainders of the longest first fall much slower than the least singular value."""
    for k, angle in [(3, 0.01), (6, 0.1), (10, 0.35)]:
        c, s = np.cos(angle), np.sin(angle)
        kahan = np.diag(s ** np.arange(k)) @ (np.eye(k) - c * np.triu(np.ones((k, k)), 1))
        inverse = np.linalg.inv(kahan)
        assert np.linalg.norm(inverse, axis=1).max() * kahan[-1, -1] <= conditioning.steepest(k) * 1e-6


def test_what_a_column_explains_is_bounded_by_what_is_left_of_it() -> None:
    """The target of length 1 less the fit is longest if the column lies in its direction."""
    for length in 10.0 ** -np.arange(3, 13):
        for largest in (1.0, 1e3, 1e7):
            part = length * largest
            assert part * (2 + part) <= conditioning.hidden(length, largest) <= 2.1 * part * (1 + part)


def test_columns_whose_rounding_has_grown_are_good_enough_whatever_their_products_say() -> None:
    levels, listing = empty_levels(2, 3), empty_listing(2, 3, 0)
    levels.a[0], levels.b[0], levels.rounding[0] = np.diag([1.0, 1e-12]), [0.1, 1e-9], 4e-15
    listing.positions[0], listing.target_growth[0], listing.growth[0] = 2, 1.0, [1.0, 10.0]
    listing.same[:] = range(2)
    assert fit_list.good_ones(levels, listing, 0, 0.5) == 1
    assert (listing.first[0], listing.most[0]) == (1, np.inf)
    for good_pairs in (fit_steps.good_pairs, pairs.good_pairs):
        listing.most[0] = 0.0
        assert good_pairs(levels, listing, 0, 0.5, 0.0) == 1
        assert (listing.first[0], listing.second[0], listing.most[0]) == (1, 0, np.inf)


def test_a_step_of_a_path_adds_to_the_rounding_of_what_follows_it() -> None:
    columns = np.random.default_rng(51).normal(size=(4, 20))
    levels, listing = empty_levels(4, 3), empty_listing(4, 3, 0)
    levels.a[0], levels.b[0], levels.rounding[0] = columns @ columns.T, columns @ np.ones(20), 4e-15
    listing.positions[0], listing.target_growth[0], listing.growth[0] = 3, 1.0, 1.0
    assert fit_list.opened(levels, listing, 0)
    assert levels.rounding[0] == 4e-15 < levels.rounding[1]
    assert levels.base[1] == pytest.approx(levels.b[0, 3] ** 2 / levels.a[0, 3, 3])
    assert listing.growth[1, :3].min() > 1.0 < listing.target_growth[1]


@pytest.mark.slow
@pytest.mark.parametrize("rest", [1e-5, 1e-6, 3e-7, 3e-8, 3e-9, 0.0])
def test_all_ways_use_one_definition_of_what_adds_nothing(rest: float) -> None:
    """A list once left out another of two near copies than the score, and the branch and bound a third."""
    for seed in range(8):
        rng = np.random.default_rng([19, seed])
        table = rng.normal(size=(30, 6))
        table[:, 1] = table[:, 0] + rest * table[:, 1]
        table[:, 4] = table[:, 2] + table[:, 3] + rest * table[:, 4]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", altsel.DataWarning)  # of nearly dependent columns
            quality = LinearFit(altsel.Dataset(table, table[:, 0] + table[:, 4] + rng.normal(size=30)))
            found = altsel.sequential(Problem(quality, 4), Dice(0.5), 0)[0]
        members = np.array(list(combinations(range(6), 4)))
        each = [quality.score(np.isin(np.arange(6), one)) for one in members]
        assert quality.scores(members) == pytest.approx(each, abs=1e-11)
        assert found.proof is Proof.OPTIMAL
        assert found.score == pytest.approx(max(each), abs=1e-10)


def large(seed: int = 0, n: int = 60) -> LinearFit:
    rng = np.random.default_rng(seed)
    factors = rng.normal(size=(300, 5))
    table = factors @ rng.normal(size=(5, n)) + rng.normal(size=(300, n))
    return LinearFit(altsel.Dataset(table, factors @ rng.normal(size=5) + 2 * rng.normal(size=300)))


@pytest.mark.slow
def test_a_search_cut_short_keeps_its_set_and_a_bound_that_holds() -> None:
    quality = large()
    short = altsel.sequential(Problem(quality, 12), Dice(0.5), 0, time_limit=0.05)
    tree = Tree(quality.design, 12, Limits(np.zeros((0, 60)), np.zeros(0)), using=PLAIN)
    stop, bound = tree.search(1e-10, most_nodes=12)
    assert stop is Stop.LIMIT
    assert tree.nodes <= 12
    assert bound >= short[0].score
    assert short[0].proof is Proof.FEASIBLE
    assert short[0].bound is not None
    assert short[0].bound >= short[0].score


class Interrupted:
    """Loops of which the user stops the third portion."""

    portions = 0

    def searched(self, *tables: Any) -> None:
        self.portions += 1
        if self.portions == 3:
            raise KeyboardInterrupt
        PLAIN.searched(*tables[:-1], Portion(1, 2e5, 12, 5e3, 7.0, 0.5))


def test_a_list_that_is_cut_short_keeps_its_set_and_a_bound_that_holds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(least_squares_tree, "AT_ONCE", np.inf)
    quality = large()
    for using, ended in ((None, Stop.TIME), (Interrupted(), Stop.INTERRUPT)):
        using_: Any = using
        tree = Tree(quality.design, 9, Limits(np.zeros((0, 60)), np.zeros(0)), using=using_)
        with limited(0.2 if using is None else None):
            stop, bound = tree.search(1e-10)
        assert stop is ended
        assert tree.best is not None
        assert tree.value == pytest.approx(quality.design.explained(tree.best))
        assert tree.value < bound <= quality.design.whole


def test_lists_do_not_evaluate_sets_with_copies(monkeypatch: pytest.MonkeyPatch) -> None:
    """One of two copies explains what both do; else each pair of them would be evaluated with all others."""
    evaluated: list[Members] = []
    offered = fit_list.offered

    def noted(fit: Any, members: Any, found: Any) -> bool:
        evaluated.append(tuple(members))
        return offered(fit, members, found)

    monkeypatch.setattr(fit_list, "offered", noted)
    rng = np.random.default_rng(27)
    table = rng.normal(size=(40, 14))
    table[:, 7:10] = table[:, :3] * [1.0, -2.0, 1e3]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", altsel.DataWarning)
        quality = LinearFit(altsel.Dataset(table, table[:, :5].sum(axis=1) + rng.normal(size=40)))
    tree = Tree(quality.design, 4, Limits(np.zeros((0, 14)), np.zeros(0)), using=PLAIN)
    assert tree.search(1e-10)[0] is Stop.EXHAUSTED
    best = max(quality.design.explained(np.array(one)) for one in combinations(range(14), 4))
    assert tree.value == pytest.approx(best, abs=1e-12)
    assert len(evaluated) < 60


@pytest.mark.long
@pytest.mark.parametrize("pair", [LOOPS, LISTS], ids=["trees", "lists"])
@pytest.mark.parametrize("kind", KINDS)
def test_compiled_loops_do_what_plain_ones_do(kind: str, pair: Any) -> None:
    loops = pair.compiled
    if loops is None:
        pytest.skip("numba is not installed")
    one = case(kind, 10)
    none = Limits(np.zeros((0, 8)), np.zeros(0))
    trees = [Tree(one.objective.design, 4, none, using=using) for using in (PLAIN, loops)]
    ends = [tree.search(1e-10) for tree in trees]
    assert ends[0] == ends[1]
    assert trees[0].value == pytest.approx(trees[1].value, abs=1e-13)
    lists = [tree.listed(0.5, 10_000) for tree in trees]
    assert (lists[0][1] == lists[1][1]).all()
    atol = 1e-10 if kind == "near copies" else 1e-13  # 4.5e-5 apart: rounding counts for 2e4 times as much
    assert np.allclose(lists[0][2], lists[1][2], atol=atol, rtol=0)


def test_where_trees_are_not_compiled_lists_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    tree, lists = replace(PLAIN), replace(PLAIN)
    for name, seconds, make in (("LOOPS", 30.0, lambda: tree), ("LISTS", 3.0, lambda: lists)):
        fresh: Loops[Any] = Loops(PLAIN, compiled.SOURCES, len, seconds, make)
        vars(fresh)["_kept"] = False
        monkeypatch.setattr(compiled, name, fresh)
    monkeypatch.setattr("altsel.compiling.installed", lambda: True)
    assert for_list(5.0, count=False) is PLAIN  # half of it counts
    assert for_list(7.0, count=False) is lists
    assert for_tree(0.1) is lists  # its nodes have lists, too
    assert for_list(70.0) is tree
    assert for_tree(0.1) is tree


class Turns:
    """Loops that take turns, as they would if compiled ones were loaded in the middle of a node."""

    def __init__(self) -> None:
        self.calls = 0

    def searched(self, *tables: Any) -> None:
        self.calls += 1
        (LOOPS.compiled if self.calls % 2 and LOOPS.compiled else PLAIN).searched(*tables)


@pytest.mark.parametrize(
    "using", [PLAIN, pytest.param(Turns(), marks=pytest.mark.long)], ids=["numpy", "in turn"]
)
@pytest.mark.parametrize("kind", ["plain", "copies"])  # copies are ties, which each sorts as it likes
@pytest.mark.parametrize("k", [1, 2, 3])
def test_a_list_is_whole_if_a_node_has_more_sets_than_there_is_room(
    k: int, kind: str, using: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = case(kind, 12)
    none = Limits(np.zeros((0, 8)), np.zeros(0))
    right = {s for s, value in one.values(k).items() if value >= 0.05}
    for room in (1, 2, 3, 5, 64):
        monkeypatch.setattr("altsel.exact.sources.least_squares.tree.ROOM", room)
        stop, sets, values = Tree(one.objective.design, k, none, using=using).listed(0.05, len(right))
        assert stop is Stop.EXHAUSTED
        assert set(map(tuple, sets.tolist())) == right
        assert values == pytest.approx([one.value(tuple(s)) for s in sets.tolist()], abs=1e-9)
    stop, sets, _ = Tree(one.objective.design, k, none, using=using).listed(0.05, 2)
    assert (stop, len(sets) > 2) == (Stop.LIMIT, True)


def worths(one: Case, name: str) -> dict[Members, float]:
    """What sets of one to five columns are worth less a price, by the textbook."""
    rows, n = len(one.target), one.columns.shape[1]
    left = {s: 1 - v for k in range(1, n + 1) for s, v in one.values(k).items()}
    unit = left[tuple(range(n))] / (rows - n - 1)
    formulas = {
        "adjusted": lambda u, p: 1 - u * (rows - 1) / (rows - p),
        "aic": lambda u, p: -(rows * np.log(u) + 2 * p),
        "bic": lambda u, p: -(rows * np.log(u) + np.log(rows) * p),
        "cp": lambda u, p: -(u / unit - rows + 2 * p),
    }
    return {s: formulas[name](u, len(s) + 1) for s, u in left.items() if len(s) <= 5}


@pytest.mark.parametrize("name", ["adjusted", "aic", "bic", "cp"])
def test_free_sizes_at_a_price(name: str) -> None:
    one = case("scales", 11, n=7)
    quality = LinearFit(one.data, penalty=name)
    worth = worths(one, name)
    problem = Problem(quality, (1, 5))
    found = altsel.sequential(problem, Dice(0.6), 1)
    differing = [
        w for s, w in worth.items() if 2 * len({*s} & {*indices(found[0])}) <= 0.4 * (len(s) + len(found[0]))
    ]
    assert [subset.score for subset in found] == pytest.approx(
        [max(worth.values()), max(differing)], abs=1e-8
    )
    assert all(subset.proof is Proof.OPTIMAL for subset in found)
    loss = 0.02 if name == "adjusted" else 3.0
    near = near_optimal(problem, altsel.AbsoluteLoss(loss))
    assert {indices(subset) for subset in near} == {
        s for s, w in worth.items() if w >= max(worth.values()) - loss
    }
    solver = "cp-sat" if name == "aic" else "highs"  # which needs bounds on all variables
    modelled = altsel.sequential(Problem(quality, (1, 2)), Dice(0.5), 0, solver)
    assert modelled[0].score == pytest.approx(max(w for s, w in worth.items() if len(s) <= 2), abs=1e-7)


@pytest.mark.parametrize("penalty", [None, "bic"])
@pytest.mark.slow
def test_rows_of_sets_met_are_added_to_a_model(penalty: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("altsel.models.rows_of_sets.FEW_SETS", 0)
    one = case("sums", 16, n=7)
    found = altsel.sequential(Problem(LinearFit(one.data, penalty=penalty), 2), Dice(0.5), 1, "highs")
    worth = worths(one, penalty) if penalty else one.values(2)
    left = [w for s, w in worth.items() if len(s) == 2]
    best = indices(found[0])
    after = [w for s, w in worth.items() if len(s) == 2 and len({*s} & {*best}) <= 1]
    assert [subset.score for subset in found] == pytest.approx([max(left), max(after)], abs=1e-8)
    assert found.effort.solves > 3


@pytest.mark.parametrize("penalty", [None, "bic"])
def test_a_file_of_the_model_is_whole(penalty: str | None, tmp_path: Path) -> None:
    one = case("factors", 15, n=6)
    problem = Problem(LinearFit(one.data, penalty=penalty), (2, 3), [domain.forbid("x0")])
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.readModel(str(altsel.export(problem, tmp_path / "model.lp")))
    solver.run()
    worth = worths(one, penalty) if penalty else {s: v for k in (2, 3) for s, v in one.values(k).items()}
    best = max(w for s, w in worth.items() if len(s) in {2, 3} and 0 not in s)
    assert abs(solver.getInfo().objective_function_value) == pytest.approx(abs(best), abs=1e-6)
    with pytest.raises(altsel.ArgumentError, match="a row a set"):
        altsel.export(Problem(large(), 4), tmp_path / "large.lp")


@pytest.mark.parametrize("seed", range(12))
def test_no_set_is_missing_where_all_columns_left_hang_together(seed: int) -> None:
    """With three rows two columns explain all, and the third of a set nothing more."""
    rng = np.random.default_rng(seed)
    table, target = rng.normal(size=(3, 8)), rng.normal(size=3)
    quality = LinearFit(altsel.Dataset(table, target, task="regression"))
    tree = Tree(quality.design, 3, Limits(np.zeros((0, 8)), np.zeros(0)), using=PLAIN)
    assert len(tree.listed(0.3, 1000)[1]) == 56


def test_columns_far_from_0_are_not_rounded() -> None:
    """Dividing by the largest number once rounded them."""
    rng = np.random.default_rng(17)
    table = 1e6 + rng.normal(size=(20, 3))
    target = (table - 1e6) @ [1.0, 2.0, -1.0] + rng.normal(size=20)
    exact = [[Fraction(number) for number in column] for column in (*table.T, target)]
    exact = [[number - sum(column, Fraction(0)) / 20 for number in column] for column in exact]
    *columns, left = exact
    whole = sum(number * number for number in left)
    for i, unit in enumerate(columns):
        for j in range(i + 1, 3):
            share = dot(columns[j], unit) / dot(unit, unit)
            columns[j] = [a - share * b for a, b in zip(columns[j], unit, strict=True)]
        share = dot(left, unit) / dot(unit, unit)
        left = [a - share * b for a, b in zip(left, unit, strict=True)]
    quality = LinearFit(altsel.Dataset(table, target))
    assert quality.score(np.ones(3, dtype=bool)) == pytest.approx(
        float(1 - dot(left, left) / whole), abs=3e-15
    )


def dot(a: list[Fraction], b: list[Fraction]) -> Fraction:
    return sum((x * y for x, y in zip(a, b, strict=True)), Fraction(0))


@pytest.mark.parametrize("rest", [0.0, 1e-7, 3e-7])
def test_columns_that_depend_on_others_do_not_change_the_unit_of_cp(rest: float) -> None:
    """The variance that all columns leave was once too small by the directions of rounding."""
    rng = np.random.default_rng(18)
    table = rng.normal(size=(60, 5))
    target = table[:, 0] + rng.normal(size=60)
    near = table[:, 4] + rest * rng.normal(size=60)
    more = np.column_stack([table, -3 * table[:, 4], table[:, 3] + table[:, 4], near])
    left = target - target.mean()
    unit = variance(table, left)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", altsel.DataWarning)
        quality = LinearFit(altsel.Dataset(more, target), penalty="cp")
        given = LinearFit(altsel.Dataset(more, target), penalty="cp", given=["x5", "x6"])
    for members in [(0,), (0, 1), (1, 2, 3)]:
        chosen = table[:, list(members)] - table[:, list(members)].mean(axis=0)
        u = left - chosen @ np.linalg.lstsq(chosen, left, rcond=None)[0]
        expected = -(u @ u / unit - 60 + 2 * (len(members) + 1))
        assert quality.score(np.isin(np.arange(8), members)) == pytest.approx(expected, abs=1e-9 + 10 * rest)
    plain = LinearFit(altsel.Dataset(table, target)).design
    assert given.penalty is not None
    assert given.penalty.unit * (60 - 6) == pytest.approx(1 - plain.explained(np.arange(5)), abs=1e-12 + rest)


def variance(table: np.ndarray, left: np.ndarray) -> float:
    """Return the residual variance of all columns and a constant."""
    whole = table - table.mean(axis=0)
    rest = left - whole @ np.linalg.lstsq(whole, left, rcond=None)[0]
    return float(np.dot(rest, rest)) / float(len(left) - table.shape[1] - 1)


def test_prices_that_cannot_be() -> None:
    one = case("plain", 12, rows=9)
    with pytest.raises(altsel.ArgumentError, match="ridge"):
        LinearFit(one.data, 0.1, penalty="aic")
    with pytest.raises(altsel.ArgumentError, match="'adjusted', 'aic', 'bic', 'cp'"):
        LinearFit(one.data, penalty="AICc")
    with pytest.raises(altsel.DataError, match="Cp"):
        LinearFit(one.data, penalty="cp")
    with pytest.raises(altsel.ArgumentError, match="more rows than 9; use k with which a set has at most 7"):
        altsel.sequential(Problem(LinearFit(one.data, penalty="bic"), (2, 8)), Dice(0.5), 0)


def with_categories(seed: int) -> tuple[altsel.Dataset, dict[str, np.ndarray]]:
    """Return data with categories, and the columns of each feature by pandas."""
    rng = np.random.default_rng([26, seed])
    frame = pd.DataFrame(rng.normal(size=(40, 4)), columns=["a", "b", "c", "d"])
    frame["colour"] = rng.choice(["red", "green", "blue", "grey"], 40)
    frame["shape"] = rng.choice(["round", "square", "other"], 40)
    frame["both"] = frame["shape"].where(frame["a"] > 0, "none")  # its levels and those of shape overlap
    frame["sex"] = rng.choice(["m", "f"], 40)
    target = frame["a"] + 2 * (frame["colour"] == "red") - (frame["shape"] == "other") + rng.normal(size=40)
    columns = {
        str(name): pd.get_dummies(frame[name], drop_first=True).to_numpy(float)
        if frame[name].dtype.kind not in "fi"
        else frame[[name]].to_numpy(float)
        for name in frame
    }
    return altsel.Dataset(frame, target), columns


def explained_by(columns: list[np.ndarray], target: np.ndarray, ridge: float = 0.0) -> float:
    """Fit blocks of columns; with a ridge each block is orthonormal."""
    blocks = [np.linalg.svd(one - one.mean(axis=0), full_matrices=False)[0] for one in columns]
    y = target - target.mean()
    table = np.hstack([*blocks, np.zeros((len(y), 0))])
    wide = np.vstack([table, np.sqrt(ridge) * np.eye(table.shape[1])])
    long = np.concatenate([y, np.zeros(table.shape[1])])
    rest = long - wide @ np.linalg.lstsq(wide, long, rcond=1e-9)[0]
    return float(1 - rest @ rest / (y @ y))


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(1, 6))])
@pytest.mark.parametrize("penalty", [None, "ridge", "bic"])
def test_levels_of_a_category_enter_together(seed: int, penalty: str | None) -> None:
    data, columns = with_categories(seed)
    ridge = 0.05 if penalty == "ridge" else 0.0
    quality = LinearFit(data, ridge, penalty="bic" if penalty == "bic" else None)
    y, size = data.target_values(), (1, 4) if penalty == "bic" else 3

    def worth(members: tuple[str, ...]) -> float:
        value = explained_by([columns[name] for name in members], y, ridge)
        p = 1 + sum(columns[name].shape[1] for name in members)
        return -(40 * np.log(1 - value) + np.log(40) * p) if penalty == "bic" else value

    sizes = range(1, 5) if penalty == "bic" else [3]
    values = {s: worth(s) for k in sizes for s in combinations(sorted(columns), k)}
    masks = [np.isin(quality.features, s) for s in values]
    assert [quality.score(one) for one in masks] == pytest.approx(list(values.values()), abs=1e-9)
    triples = [s for s in values if len(s) == 3]
    members = np.array([[quality.features.index(f) for f in s] for s in triples])
    assert quality.scores(members) == pytest.approx([values[s] for s in triples], abs=1e-9)

    exclusive = [
        domain.mutually_exclusive(["colour", "sex"]),
        domain.budget({"a": 2.0, "shape": 1.0}, 2.0, other=0),
    ]
    for rules in ([], exclusive):
        out = [{"colour", "sex"}, {"a", "shape"}] if rules else []
        left = {s: v for s, v in values.items() if not any(pair <= {*s} for pair in out)}
        problem, best = Problem(quality, size, rules), max(left.values())
        found = altsel.sequential(problem, Dice(0.5), 1)
        assert found.search.endswith("by branch and bound on least squares")
        after = [v for s, v in left.items() if 4 * len({*s} & {*found[0]}) <= len(s) + len(found[0])]
        assert [one.score for one in found] == pytest.approx([best, max(after)], abs=1e-9)
        assert [one.proof for one in found] == [Proof.OPTIMAL, Proof.OPTIMAL]
        loss = 8.0 if penalty == "bic" else 0.1
        near = near_optimal(problem, altsel.AbsoluteLoss(loss), 1000)
        assert near.stop is Stop.EXHAUSTED
        assert {tuple(sorted(one)) for one in near} == {s for s, v in left.items() if v >= best - loss}
    if not seed:
        small = (1, 2) if penalty == "bic" else 2
        by_model = altsel.sequential(Problem(quality, small), Dice(0.5), 0, "highs")[0].score
        pairs = [worth(s) for k in ([1, 2] if penalty == "bic" else [2]) for s in combinations(columns, k)]
        assert by_model == pytest.approx(max(pairs), abs=1e-7)


@pytest.mark.parametrize("solver", [None, "highs"])
@pytest.mark.parametrize("penalty", [None, "bic"])
def test_a_set_may_be_all_features_with_a_category_among_them(
    penalty: str | None, solver: str | None
) -> None:
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"a": rng.normal(size=20), "b": rng.normal(size=20), "c": list("uvwxu" * 4)})
    target = table["a"] + table["b"] + 5 * (table["c"] == "u") + 0.1 * rng.normal(size=20)
    quality = LinearFit(altsel.Dataset(table, target), penalty=penalty)
    found = altsel.sequential(Problem(quality, (2, 3)), Dice(0.1), 0, solver)
    assert [(one.features, one.proof) for one in found] == [(("a", "b", "c"), Proof.OPTIMAL)]
    assert quality.scores(np.zeros((0, 2), dtype=int)).shape == (0,)


def test_a_category_may_always_be_in_and_its_rows_count_more() -> None:
    data, columns = with_categories(7)
    weights = np.arange(40) % 3
    quality = LinearFit(data, weights=weights, given=["colour"], penalty="adjusted")
    rows = np.repeat(np.arange(40), weights)
    y = data.target_values()[rows]
    for members in combinations(["a", "shape", "both", "sex"], 2):
        value = explained_by([columns[name][rows] for name in ("colour", *members)], y)
        p, m = 4 + sum(columns[name].shape[1] for name in members), int((weights > 0).sum())
        mask = np.isin(quality.features, members)
        assert quality.score(mask) == pytest.approx(1 - (1 - value) * (m - 1) / (m - p), abs=1e-9)


@pytest.mark.parametrize(
    ("wrong", "match"),
    [
        ({"weights": "age"}, "no column 'age'"),
        ({"weights": "x1"}, "'x1' must hold finite numbers of at least 0"),
        ({"weights": "x1", "given": ["x1"]}, "'x1' holds the weights"),
        ({"weights": np.ones(30) * 1j}, "30 finite numbers"),
        ({"weights": ["a"] * 30}, "30 finite numbers"),
        ({"weights": [None, [1]] * 15}, "30 finite numbers"),
        ({"weights": np.ones(29)}, "30 finite numbers"),
        ({"given": ["x1", "x0", "x1"]}, "'x1' more than once"),
    ],
)
def test_arguments_that_cannot_be(wrong: dict[str, Any], match: str) -> None:
    with pytest.raises(altsel.ArgumentError, match=match):
        LinearFit(case("plain", 12).data, **wrong)


def test_columns_that_count_as_constant_are_named() -> None:
    one = case("plain", 21)
    table = one.data.X.to_numpy() + np.array([0, 1e14, 0, 0, 0, 0, 0, 0])
    with pytest.warns(altsel.DataWarning, match="constant but for rounding.*: 'x1';"):
        LinearFit(altsel.Dataset(table, one.data.target_values()))


def test_a_rule_that_names_a_given_column_says_so() -> None:
    quality = LinearFit(case("plain", 22).data, given=["x1"])
    for rule in [domain.require("x1"), domain.budget({f"x{j}": 1.0 for j in range(8)}, 3.0, other=0)]:
        with pytest.raises(altsel.ArgumentError, match=r"'x1'.*given"):
            altsel.sequential(Problem(quality, 2, [rule]), Dice(0.5), 0)


def test_a_model_of_conditions_alone_has_no_rows_of_the_fit() -> None:
    one = case("copies", 13, n=6)

    def some_of(block: Any) -> None:
        block.helper = pyo.Var(domain=pyo.Binary)
        block.rule = pyo.Constraint(expr=block.x["x0"] + block.x["x1"] <= block.helper)

    assert len(altsel.sample_valid(Problem(one.objective, (2, 3), [some_of]), 3).sets) == 3


def test_rows_that_count_more_and_columns_that_are_always_there() -> None:
    rng = np.random.default_rng(14)
    table, weights = rng.normal(size=(25, 6)), rng.choice([0.0, 1.0, 2.0], 25)
    target = table @ rng.normal(size=6) + rng.normal(size=25)
    quality = LinearFit(altsel.Dataset(table, target), weights=weights, given=["x2"])
    rows = np.repeat(np.arange(25), weights.astype(int))  # as often as they count
    y = target[rows] - target[rows].mean()
    for members in combinations([0, 1, 3, 4, 5], 2):
        chosen = np.column_stack([np.ones(len(rows)), table[rows][:, [2, *members]]])
        rest = y - chosen @ np.linalg.lstsq(chosen, y, rcond=None)[0]
        mask = np.isin([int(name[1:]) for name in quality.features], members)
        assert quality.score(mask) == pytest.approx(1 - rest @ rest / (y @ y), abs=1e-12)
    found = altsel.sequential(Problem(quality, 2), Dice(0.5), 0)
    assert found[0].proof is Proof.OPTIMAL
    assert "x2" not in found[0].features
    named = pd.DataFrame(table, columns=[f"x{j}" for j in range(6)]).assign(w=weights)
    by_name = LinearFit(altsel.Dataset(named, target), weights="w", given=["x2"])
    assert by_name.features == quality.features
    again = altsel.sequential(Problem(by_name, 2), Dice(0.5), 0)
    assert (again[0].features, again[0].score) == (found[0].features, found[0].score)
    assert again.request["criterion"] == {"name": "LinearFit", "weights": "w", "given": "x2"}


@pytest.mark.slow
def test_all_near_a_good_set_are_listed_at_once_and_half_the_time_is_left_if_not() -> None:
    one = case("factors", 5, n=12)
    problem = Problem(one.objective, 5)
    near = near_optimal(problem, RelativeLoss(0.05), 1000)
    best = max(one.values(5).values())
    assert near.stop is Stop.EXHAUSTED
    assert len(near) == sum(value >= 0.95 * best for value in one.values(5).values())
    few = near_optimal(problem, RelativeLoss(0.05), 3, time_limit=1e5)
    best_three = sorted(one.values(5).values(), reverse=True)[:3]
    assert [subset.score for subset in few] == pytest.approx(best_three, abs=CLOSE)
    assert few.stop is Stop.COUNT


@pytest.mark.parametrize("penalty", ["bic", "adjusted"])
def test_exchanges_do_not_score_a_set_with_a_member_twice(penalty: str) -> None:
    """With a category of several columns such a set had more coefficients than rows, and the search ended."""
    rng = np.random.default_rng(7)
    table = pd.DataFrame(rng.normal(size=(7, 6))).add_prefix("x")
    table["kind"] = list("abcdabc")
    quality = LinearFit(altsel.Dataset(table, rng.normal(size=7)), penalty=penalty)
    members = np.array([quality.features.index("kind"), 0, 1])
    values = quality.exchanged(members)
    others = np.setdiff1d(np.arange(7), members)
    mask = np.isin(np.arange(7), [*members[1:], others[0]])
    assert values[0, others[0]] == pytest.approx(quality.score(mask))


@pytest.mark.parametrize(
    "using", [PLAIN, pytest.param(None, marks=pytest.mark.long)], ids=["numpy", "compiled"]
)
def test_a_price_that_is_far_larger_than_the_others_hides_none_of_them(using: Any) -> None:
    """What sets without a feature explain was the bound less its price: of 1e10, millionths of rounding."""
    loops = using or LOOPS.compiled or PLAIN
    for seed in range(30):
        along = np.append(1.0, np.sort(np.random.default_rng(seed).random(5))[::-1] / 2)
        own = np.append(1e-10, np.ones(5))
        enough = float((along**2)[1:4].sum())
        for need, chosen in ((enough - 1e-9, -1), (enough + 1e-9, 0)):
            groups = np.full(6, -1), np.zeros(0, dtype=int)
            left = Left(np.arange(6), np.eye(6), along, own, *groups, np.zeros(0), 0.0, 1e6)
            assert loops.bounded(left, np.zeros(6), 3, need, 1)[-1] == chosen
