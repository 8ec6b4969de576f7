"""The branch and bound on regularised models, against all subsets by dense Newton steps."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize

import altsel
from altsel import AbsoluteLoss, Dice, ModelFit, Problem, Proof, RelativeLoss, Stop, domain
from altsel.exact import auto  # noqa: F401  (before lists are switched off)
from altsel.exact.question import Question, Structure
from altsel.exact.rules.limits import Limits
from altsel.exact.run import Run
from altsel.exact.sources.every_set import engine as all_sets
from altsel.exact.sources.generalised import node_bound, pairs
from altsel.exact.sources.generalised import tree as model_tree
from altsel.exact.sources.generalised.compiled import LOOPS as NODE_LOOPS
from altsel.exact.sources.generalised.node_bound import Choice, Relaxed, bounded
from altsel.exact.sources.generalised.pairs import hopeful_pairs
from altsel.exact.sources.generalised.source import Generalised
from altsel.exact.sources.generalised.tree import Tree
from altsel.exact.sources.source import Above
from altsel.search.alternatives.near_optimal import near_optimal
from altsel.stats.generalised.compiled import LOOPS
from altsel.stats.generalised.fit import Fits, fit_sets
from benchmarks.exactness.model_fits import ModelFit as Oracle
from tests.loops import choose_loops
from tests.pairs import paired

Members = tuple[int, ...]
FAMILIES = ["logistic", "multinomial", "poisson", "cox", "ordinal"]
CLOSE = 2e-9
SEARCH = "branch and bound on regularised models"


def case(family: str, seed: int, n: int = 8, rows: int = 40, **changes: Any) -> Oracle:
    """Draw columns of two factors, one a copy, and a target that hangs on two of them."""
    random = np.random.default_rng([seed, FAMILIES.index(family)])
    table = random.normal(size=(rows, n)) + random.normal(size=(rows, 2)) @ random.normal(size=(2, n))
    table[:, 5] = -2 * table[:, 4]
    trend = table[:, 0] - table[:, 3]
    noisy = trend + random.logistic(size=rows)
    target = {
        "logistic": (noisy > 0.5).astype(float),
        "multinomial": np.digitize(noisy, [-1.0, 1.0]) * 2.0 % 3,
        "ordinal": np.digitize(noisy, [-1.0, 1.0]).astype(float),
        "poisson": random.poisson(np.exp(np.clip(0.4 * noisy, -3, 4))).astype(float),
        "cox": np.ceil(4 * random.exponential(size=rows) * np.exp(-np.clip(trend, -3, 3))),
    }[family]
    event = tuple((random.random(rows) < 0.7).tolist()) if family == "cox" else None
    drawn = Oracle(
        "plain", family, tuple(map(tuple, table.tolist())), tuple(target.tolist()), 1.0, None, event=event
    )
    return replace(drawn, **changes)


def with_category(drawn: Oracle) -> Oracle:
    """Make column 1 a category of three levels that matters."""
    table = np.array(drawn.table)
    table[:, 1] = np.digitize(table[:, 0] + table[:, 1], [-1.0, 1.0])
    return replace(drawn, table=tuple(map(tuple, table.tolist())), categories=(1,))


def values(drawn: Oracle, *sizes: int) -> dict[Members, float]:
    """Return what each set is worth, by the oracle."""
    sets = [one for size in sizes for one in combinations(range(drawn.n), size)]
    return {one: drawn.value(sum(1 << j for j in one)).score for one in sets}


def unit(drawn: Oracle) -> float:
    """Return what a share of 1 is worth."""
    return 1.0 if drawn.penalty is None else 2 * drawn.null


def indices(one: altsel.FeatureSet) -> Members:
    return tuple(sorted(int(name[1:]) for name in one.features))


@pytest.fixture(autouse=True)
def no_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small problems would be answered by a list of all sets; nodes of few sets, and pairs, too."""
    monkeypatch.setattr(all_sets, "MOST_SETS", 0)
    monkeypatch.setattr(model_tree, "ALL", 0)
    monkeypatch.setattr(pairs, "FEW", 2)
    for loops in (LOOPS, NODE_LOOPS):
        choose_loops(loops, "numpy", monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize(("family", "penalty"), paired(FAMILIES, [None, "ebic"]))
def test_sets_one_after_another(family: str, penalty: str | None) -> None:
    weights = tuple((np.arange(40) % 3 / 2).tolist())
    drawn = with_category(case(family, 1, penalty=penalty, weights=weights))
    sizes = (3,) if penalty is None else (2, 3)
    worth = values(drawn, *sizes)
    found = altsel.sequential(Problem(drawn.build(), (sizes[0], sizes[-1])), Dice(0.5), 1)
    assert SEARCH in found.search
    known: list[Members] = []
    for subset in found:
        left = [v for s, v in worth.items() if all(4 * len({*s} & {*t}) <= len(s) + len(t) for t in known)]
        assert subset.score == pytest.approx(worth[indices(subset)], abs=CLOSE * unit(drawn))
        assert subset.score == pytest.approx(max(left), abs=CLOSE * unit(drawn))
        assert subset.proof is Proof.OPTIMAL
        known.append(indices(subset))


@pytest.mark.parametrize("by", ["numpy", "numba"])
@pytest.mark.parametrize("family", ["logistic", "poisson"])
@pytest.mark.slow
def test_lists_by_both_loops(family: str, by: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for loops in (LOOPS, NODE_LOOPS):
        choose_loops(loops, by, monkeypatch)
    drawn = case(family, 2, n=9, ridge=0.1)
    worth = values(drawn, 4)
    found = near_optimal(Problem(drawn.build(), 4), RelativeLoss(0.1), 1000)
    least = 0.9 * max(worth.values())
    assert found.stop is Stop.EXHAUSTED
    surely = {s for s, v in worth.items() if v > least + CLOSE}
    assert {*map(indices, found)} >= surely
    assert {*map(indices, found)} <= {s for s, v in worth.items() if v > least - CLOSE}


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_a_set_at_the_floor_is_listed_whatever_its_last_digits(family: str) -> None:
    quality = case(family, 3, n=6).build()
    problem = Problem(quality, 3)
    question, run = Question(Structure(problem), Dice(0)), Run(problem, None, "test")
    for members in combinations(range(6), 3):
        floor = quality.score(np.isin(np.arange(6), members)) + 1e-12
        listed, complete = Generalised().above(question, run, Above(floor, 1000))
        assert complete
        assert [*members] in [one.tolist() for part in listed for one in part]


RULES: list[tuple[Any, Any]] = [
    (domain.require("x2"), lambda s: 2 in s),
    (domain.mutually_exclusive(["x0", "x3", "x4"]), lambda s: len({*s} & {0, 3, 4}) <= 1),
    (
        domain.budget({f"x{j}": float(j % 3 + 1) for j in range(8)}, 6.0, other=0),
        lambda s: sum(j % 3 + 1 for j in s) <= 6,
    ),
    (domain.at_least(2, ["x5", "x6", "x7"]), lambda s: len({*s} & {5, 6, 7}) >= 2),
]


@pytest.mark.slow
@pytest.mark.parametrize(("number", "family"), [*enumerate(["multinomial", "poisson", "cox", "ordinal"])])
def test_rules_are_rows(number: int, family: str) -> None:
    rule, keeps = RULES[number]
    drawn = case(family, 3, penalty="bic")
    worth = {s: v for s, v in values(drawn, 3).items() if keeps(s)}
    problem = Problem(drawn.build(), 3, [rule])
    found = altsel.sequential(problem, Dice(0.5), 0)
    assert (found[0].proof, SEARCH in found.search) == (Proof.OPTIMAL, True)
    assert found[0].score == pytest.approx(max(worth.values()), abs=CLOSE * unit(drawn))
    near = near_optimal(problem, AbsoluteLoss(4.0), 1000)
    assert {*map(indices, near)} == {s for s, v in worth.items() if v >= max(worth.values()) - 4.0}


def test_all_features_and_no_set() -> None:
    quality = case("poisson", 4, n=6).build()
    whole = altsel.sequential(Problem(quality, 6), Dice(0.5), 0)
    assert (len(whole[0]), whole[0].proof) == (6, Proof.OPTIMAL)
    rules = [domain.require("x0"), domain.require("x1"), domain.mutually_exclusive(["x0", "x1"])]
    none = altsel.sequential(Problem(quality, 3, rules), Dice(0.5), 0)
    assert (len(none), none.stop) == (0, Stop.INFEASIBLE)


def test_a_named_solver_finds_the_same() -> None:
    drawn = case("logistic", 5, n=6)
    found = altsel.sequential(Problem(drawn.build(), 2), Dice(0.5), 0, "highs")
    assert found[0].score == pytest.approx(max(values(drawn, 2).values()), abs=1e-7)


def nodes(drawn: Oracle, seed: int, k: int = 4) -> Any:
    """Draw nodes, each with the costs of all its sets; relaxations begin where those before ended."""
    random, models = np.random.default_rng(seed), drawn.build().model_fit
    sets = np.array(list(combinations(range(drawn.n), k)))
    costs = models.cost(fit_sets(models.model, sets).loss, sets)
    width = models.model.family.channels
    start = Relaxed(np.zeros(0, dtype=np.int64), np.zeros((width, 0)), models.model.nothing[0][0])
    for _ in range(12):
        order = random.permutation(drawn.n)
        count, dropped = random.integers(0, 3), random.integers(0, 2)
        chosen, free = np.sort(order[:count]), np.sort(order[count : drawn.n - dropped])
        inside = np.array([{*chosen} <= {*one} <= {*chosen, *free} for one in sets.tolist()])
        cut = float(np.quantile(costs, random.choice([0.01, 0.2, 0.9, 1.0])))
        choice = Choice(k - len(chosen), cut, start.without(models.model, np.setdiff1d(order, free)))
        result = bounded(models.model, models.prices, chosen, free, choice)
        start = result.relaxed
        yield models, chosen, free, sets[inside], costs[inside], cut, result


@pytest.mark.parametrize("ridge", [0.01, 30.0])
@pytest.mark.parametrize("family", FAMILIES)
def test_no_set_of_a_node_is_below_its_bound_and_what_is_fixed_is_right(family: str, ridge: float) -> None:
    drawn = with_category(case(family, 6, ridge=ridge, penalty="bic"))
    for models, chosen, free, sets, costs, cut, result in nodes(drawn, 7):
        close = 1e-11 * models.model.null
        assert result.cost <= costs.min() + close
        for one in sets[costs < cut - close]:
            assert {*free[result.within]} | {*chosen} <= {*one}
            assert not {*free[result.without]} & {*one}


@pytest.mark.parametrize("by", ["numpy", pytest.param("numba", marks=pytest.mark.slow)])
@pytest.mark.parametrize("family", ["logistic", "poisson"])
@pytest.mark.parametrize("ridge", [0.01, 1.0, 30.0])
def test_no_pair_below_the_cutoff_is_dropped(
    family: str, ridge: float, by: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose_loops(NODE_LOOPS, by, monkeypatch)
    drawn, dropped = case(family, 8, n=10, ridge=ridge), 0
    for models, chosen, free, _, _, _, _ in nodes(drawn, 9):
        two = np.array(list(combinations(free, 2)))
        sets = np.hstack([np.tile(chosen, (len(two), 1)), two])
        costs = models.cost(fit_sets(models.model, sets).loss, sets)
        cut = float(np.quantile(costs, 0.3))
        found = hopeful_pairs(models, chosen, free, cut)
        assert found is not None
        kept, start = found
        assert {tuple(pair) for pair in two[costs < cut - 1e-11 * models.model.null]} <= {*map(tuple, kept)}
        dropped += len(two) - len(kept)
        again = fit_sets(models.model, np.hstack([np.tile(chosen, (len(kept), 1)), kept]), np.inf, start)
        assert again.gap.max() <= 1e-9 * models.model.null
    assert dropped > 20


@pytest.mark.slow
@pytest.mark.parametrize("family", ["logistic", "poisson"])
@pytest.mark.parametrize("ridge", [0.01, 1.0, 30.0])
def test_compiled_nodes_are_those_of_numpy(
    family: str, ridge: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    weights = tuple((np.arange(40) % 3 / 2).tolist())
    drawn = case(family, 12, n=10, ridge=ridge, penalty="aic", weights=weights)
    for models, chosen, free, _, _, cut, _ in nodes(drawn, 13):
        own, some = models.model.own[:, 0], free[::2]
        start = Relaxed(own[some], np.full((1, len(some)), 0.1), models.model.nothing[0][0])
        choice, found = Choice(4 - len(chosen), cut, start), []
        for by in ("numpy", "numba"):
            choose_loops(NODE_LOOPS, by, monkeypatch)
            result = bounded(models.model, models.prices, chosen, free, choice)
            found.append(
                [result.cost, *result.relaxed.lengths(models.model), *result.within, *result.without]
            )
        assert found[1] == pytest.approx(found[0], rel=1e-9, abs=1e-9 * models.model.null)


@pytest.mark.slow
def test_pairs_by_the_compiled_loop_are_those_by_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    loops, count = choose_loops(NODE_LOOPS, "numba", monkeypatch), 0
    for models, chosen, free, _, costs, _, _ in nodes(case("logistic", 14, n=10), 15):
        singles = pairs._singles(models.model, chosen, free, None)
        room, (first, second) = float(np.quantile(costs, 0.3)), np.triu_indices(len(free), 1)
        bounds = [singles.mixed(a, b, first, second) for a, b in pairs.MIXTURES]
        left = loops.hopeful(singles.mixable, np.array(pairs.MIXTURES), np.zeros(len(free)), room)
        told = [low for low, pair in zip(np.max(bounds, axis=0), left[first, second], strict=True) if pair]
        assert max(told, default=0.0) < room
        count += int(left.sum())
        assert left.sum() == pytest.approx(sum(np.max(bounds, axis=0) < room), abs=1)  # copies: no mixture
    assert count > 20


@pytest.mark.slow
@pytest.mark.parametrize("family", ["logistic", "poisson"])
def test_pairs_beside_a_category_begin_with_parameters_for_all_columns(family: str) -> None:
    """Where a category was chosen or fixed, fits of the others once had too few to begin with."""
    drawn = with_category(case(family, 10, n=11))
    models = drawn.build().model_fit
    for chosen in ([1, 2], [2, 6]):
        free = np.setdiff1d(np.arange(11), [*chosen, 1])
        found = hopeful_pairs(models, np.array(chosen), free, np.inf)
        assert found is not None
        sets = np.hstack([np.tile(chosen, (len(found[0]), 1)), found[0]])
        begun, cold = (fit_sets(models.model, sets, np.inf, start) for start in (found[1], None))
        assert begun.loss == pytest.approx(cold.loss, rel=1e-10)
    found_best = altsel.sequential(Problem(drawn.build(), 3), Dice(0.5), 0)
    assert found_best[0].score == pytest.approx(max(values(drawn, 3).values()), abs=CLOSE)


@pytest.mark.parametrize("family", FAMILIES)
def test_what_is_left_open_is_not_below_the_bound(family: str) -> None:
    drawn = case(family, 11, n=10, ridge=0.1)
    models, worth = drawn.build().model_fit, values(drawn, 5)
    none, bounds = Limits(np.zeros((0, 10)), np.zeros(0)), []
    for most in range(5):
        tree = Tree(models, 5, none, 1e-9 * models.model.null)
        stop, cost = tree.search(most)
        if stop is Stop.EXHAUSTED:
            break
        assert (stop, tree.nodes) == (Stop.LIMIT, most)
        assert models.worth(min(cost, tree.cost), 5) >= max(worth.values()) - CLOSE
        bounds.append(cost)
    assert bounds
    assert bounds == sorted(bounds)


@pytest.mark.slow
def test_an_interrupt_keeps_the_set_and_a_bound_that_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = case("cox", 12, n=10, ridge=0.1)
    looks, before = [0], node_bound.bounded

    def interrupted(*given: Any) -> Any:
        looks[0] += 1
        if looks[0] == 3:
            raise KeyboardInterrupt
        return before(*given)

    monkeypatch.setattr(model_tree, "bounded", interrupted)
    found = altsel.sequential(Problem(drawn.build(), 5), Dice(0.5), 0)
    best = max(values(drawn, 5).values())
    assert (found[0].proof, found.stop) == (Proof.FEASIBLE, Stop.INTERRUPT)
    assert found[0].bound is not None
    assert found[0].score - CLOSE <= best <= found[0].bound + CLOSE


def test_sets_whose_fits_ended_unfinished_are_not_proved_to_be_worse(monkeypatch: pytest.MonkeyPatch) -> None:
    """They once were: the loss reached, not its bound, was compared with the best."""
    drawn = case("logistic", 13)
    quality, models = drawn.build(), drawn.build().model_fit
    worth = values(drawn, 3)
    best = max(worth, key=lambda one: worth[one])

    def unfinished(model: Any, members: Any, *given: Any) -> Fits:
        fits = fit_sets(model, members, *given)
        some = np.isin(members, best).all(axis=1)
        return Fits(np.where(some, model.null, fits.loss), np.where(some, 0.0, fits.lower), fits.parameters)

    monkeypatch.setattr(model_tree, "fit_sets", unfinished)
    tree = Tree(models, 3, Limits(np.zeros((0, 8)), np.zeros(0)), 1e-9 * models.model.null)
    stop, cost = tree.search()
    assert stop is Stop.LIMIT
    assert models.worth(cost, 3) >= quality.score(np.isin(np.arange(8), best))
    assert tree.list_below(models.model.null, 1000) is Stop.LIMIT


def data(target: Any, task: str) -> altsel.Dataset:
    table = pd.DataFrame(np.random.default_rng(14).normal(size=(30, 3)), columns=["a", "b", "c"])
    return altsel.Dataset(table, np.array(target), task=task)


COUNTS = data(np.arange(30.0) % 5, "regression")
CLASSES = data(np.arange(30) % 3, "multiclass")


@pytest.mark.parametrize(
    ("given", "family", "options", "match"),
    [
        (COUNTS, "probit", {}, "family='probit'.*'logistic'"),
        (COUNTS, ["poisson"], {}, "family="),
        (COUNTS, "poisson", {"ridge": 0.0}, "ridge=0.0; use a number above 0"),
        (COUNTS, "poisson", {"ridge": float("nan")}, "ridge=nan"),
        (COUNTS, "poisson", {"ridge": True}, "ridge=True"),
        (COUNTS, "poisson", {"penalty": "cp"}, "penalty='cp'"),
        (COUNTS, "poisson", {"expand": "cubic"}, "expand='cubic'"),
        (COUNTS, "poisson", {"given": "a"}, r"give a list of names: \['a'\]"),
        (COUNTS, "poisson", {"given": ["d"]}, "no feature 'd'"),
        (COUNTS, "poisson", {"given": ["a", "b", "c"]}, "all features"),
        (COUNTS, "poisson", {"weights": np.zeros(30)}, "weights: all are 0"),
        (COUNTS, "poisson", {"weights": -np.ones(30)}, "weights: give 30 finite numbers of at least 0"),
        (COUNTS, "poisson", {"offset": np.ones(29)}, "offset: give 30 finite numbers"),
        (COUNTS, "poisson", {"offset": "d"}, "offset: there is no column 'd'"),
        (COUNTS, "poisson", {"event": np.ones(30)}, "event: only family='cox'"),
        (COUNTS, "cox", {"event": np.zeros(30)}, "no event was seen"),
        (COUNTS, "cox", {"event": np.full(30, 2)}, "event: give 1"),
        (COUNTS, "logistic", {}, "two classes; 'y' is a number"),
        (COUNTS, "multinomial", {}, "'y' is a number"),
        (CLASSES, "logistic", {}, "has 3: use 'multinomial'"),
        (CLASSES, "multinomial", {"offset": np.ones(30)}, "offset: several classes"),
        (data(np.arange(30) / 2, "regression"), "poisson", {}, r"counts; 'y' holds 0\.5"),
        (data(np.arange(30) - 2.0, "regression"), "cox", {}, "times of at least 0; 'y' holds -2"),
        (data(np.arange(30.0), "regression"), "ordinal", {}, "2 to 20 ordered classes; 'y' has 30"),
    ],
)
def test_arguments_that_cannot_be(given: Any, family: Any, options: dict[str, Any], match: str) -> None:
    with pytest.raises((altsel.ArgumentError, altsel.DataError), match=match):
        ModelFit(given, family, **options)


@pytest.mark.parametrize("seed", range(20))
def test_bounds_with_signs_are_below_all_sets_with_such_coefficients(seed: int) -> None:
    random = np.random.default_rng([seed, 77])
    x, signs = random.normal(size=(50, 7)) + random.normal(size=(50, 1)), random.integers(-1, 2, 7)
    y = (x[:, 0] - x[:, 1] + random.logistic(size=50) > 0).astype(int)
    table = pd.DataFrame(x, columns=[f"x{j}" for j in range(7)])
    model = ModelFit(altsel.Dataset(table, y)).model_fit.model
    columns = (x - x.mean(axis=0)) / x.std(axis=0)

    def loss(members: Members) -> float:
        held = columns[:, members]

        def of(v: Any) -> tuple[float, Any]:
            u = v[0] + held @ v[1:]
            rest = 1 / (1 + np.exp(-u)) - y
            value = float(np.logaddexp(0, u).sum() - u @ y + v[1:] @ v[1:] / 2)
            return value, np.append(rest.sum(), held.T @ rest + v[1:])

        ends = [(None, None), *((0 if signs[j] > 0 else None, 0 if signs[j] < 0 else None) for j in members)]
        found = minimize(of, np.zeros(1 + len(members)), jac=True, bounds=ends, options={"ftol": 1e-14})
        return float(found.fun)

    for chosen in ((), (int(random.integers(7)),)):
        free = np.setdiff1d(np.arange(7), chosen)
        count, none = 3 - len(chosen), np.zeros(0, dtype=np.int64)
        start = Relaxed(none, np.zeros((1, 0)), model.nothing[0][0])
        costs = {rest: loss((*chosen, *rest)) for rest in combinations(free.tolist(), count)}
        cut = float(np.quantile(list(costs.values()), 0.3))
        members = np.array(chosen, dtype=np.int64)
        for cutoff in (cut, np.inf):
            choice = Choice(count, cutoff, start, signs)
            found = bounded(model, np.zeros(7), members, free, choice)
            assert found.cost <= min(costs.values()) + 1e-7
            for rest, cost in costs.items():
                if cost < cutoff - 1e-7:
                    assert set(free[found.within].tolist()) <= set(rest)
                    assert not set(free[found.without].tolist()) & set(rest)
