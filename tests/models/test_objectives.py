"""The one contract of all objectives: the solver's optimum is the best score over all admissible masks."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pyomo.environ as pyo
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import altsel
from altsel import CFS, FCBF, MRMR, Dependence, Dice, Jaccard, LinearFit, Problem, Univariate, catalogue
from altsel.exact.sources.every_set import engine as all_sets
from altsel.models import Objective
from altsel.models.cliques import clique_cover, core
from altsel.models.problem import holds, model_of_sets, start_from
from tests.conftest import FOUND
from tests.oracles import brute_force as bf
from tests.search.alternatives.test_exact_searches import WEAK, Tired, check_sequential, check_simultaneous

Make = Callable[[Dependence], Objective]


def cfs(dependence: Dependence, encoding: str = "parametric") -> CFS:
    """CFS wants redundancies of at least 0; relevances may be negative."""
    return CFS(Dependence(dependence.relevance - 0.2, dependence.redundancy.abs()), encoding)


def linear_fit(dependence: Dependence) -> LinearFit:
    """Take the numbers for data: relevances for the target, redundancies for rows; sometimes with a ridge."""
    r, q = dependence.redundancy.to_numpy(), dependence.relevance.to_numpy()
    n, ridge = len(q), 0.05 if q.sum() % 0.1 > 0.05 else 0.0
    rows = np.vstack([r, np.cos(5 * r + np.arange(n)[:, None]), np.eye(n)[::2]])
    table = pd.DataFrame(rows, columns=dependence.relevance.index)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", altsel.DataWarning)
        return LinearFit(
            altsel.Dataset(table, np.resize(q, len(rows)) + np.linspace(0, 1, len(rows)) ** 2), ridge
        )


OF_OTHER_NUMBERS: dict[str, Make] = {
    "cfs": cfs,
    "cfs-linearised": lambda dependence: cfs(dependence, "linearised"),
    "linear-fit": linear_fit,
}
OBJECTIVES: dict[str, Make] = {
    name: OF_OTHER_NUMBERS.get(name, partial(catalogue.objective, name))
    for name in catalogue.OBJECTIVES.own
    if name in OF_OTHER_NUMBERS or not catalogue.of_data(name)
}
"""Every entry of the catalogue, but fits less a penalty, which are tested in files of their own."""
EXCHANGEABLE = [
    name
    for name in OBJECTIVES
    if catalogue.OBJECTIVES[name].load().exchangeable and name != "univariate"  # a sum has no such need
]


@st.composite
def dependences(draw: st.DrawFn, most: int = 8) -> Dependence:
    n = draw(st.integers(4, most))
    low = draw(st.sampled_from([0, 0, -10]))  # negative redundancies too
    q = draw(st.lists(st.integers(0, 20), min_size=n, max_size=n))
    r = np.array(draw(st.lists(st.integers(low, 15), min_size=n * n, max_size=n * n)), dtype=float).reshape(
        n, n
    )
    names = [f"x{j}" for j in range(n)]
    table = pd.DataFrame((r + r.T) / 40, index=names, columns=names)
    return Dependence(pd.Series(np.array(q) / 20, index=names), table)


@st.composite
def problems(draw: st.DrawFn, make: Make, most: int = 8, largest: int = 4) -> Problem:
    dependence = draw(dependences(most))
    low = draw(st.integers(1, largest))
    high = draw(st.one_of(st.just(low), st.integers(low, largest)))
    return Problem(make(dependence), k=low if low == high else (low, high))


WAYS = ["auto", "auto without a pool", "highs"]


def prepared(way: str, patch: pytest.MonkeyPatch) -> str:
    """Switch the pool off, so that branch and bound and models are seen on small problems."""
    if way == "auto without a pool":
        patch.setattr(all_sets, "MOST_SETS", 0)
    return way.split(maxsplit=1)[0]


def not_both(b: Any) -> None:
    b.not_both = pyo.Constraint(expr=b.x["x0"] + b.x["x1"] <= 1)


def is_not_both(one: bf.Set) -> bool:
    return not {"x0", "x1"} <= one


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("make", OBJECTIVES.values(), ids=OBJECTIVES)
@given(data=st.data(), alternatives=st.integers(0, 2), tau=st.sampled_from([0.25, 0.5, 1.0]))
@settings(max_examples=4)
def test_sequential_search_is_exact(make: Make, way: str, data: Any, alternatives: int, tau: float) -> None:
    problem = data.draw(problems(make))
    rules, is_feasible = data.draw(st.sampled_from([([not_both], is_not_both), ([], None)]))
    problem = Problem(problem.objective, problem.k, rules)
    with pytest.MonkeyPatch.context() as patch:
        found = altsel.sequential(problem, Dice(tau), alternatives, prepared(way, patch))
    check_sequential(problem, Dice(tau), found, alternatives + 1, is_feasible)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("make", OBJECTIVES.values(), ids=OBJECTIVES)
@given(data=st.data(), total=st.sampled_from(["sum", "min"]), tau=st.sampled_from([0.0, 0.4, 0.5, 1.0]))
@settings(max_examples=4)
def test_simultaneous_search_is_exact(make: Make, way: str, data: Any, total: str, tau: float) -> None:
    problem = data.draw(problems(make, most=6, largest=3))
    with pytest.MonkeyPatch.context() as patch:
        found = altsel.simultaneous(problem, Jaccard(tau), 1, total, prepared(way, patch))
    check_simultaneous(problem, Jaccard(tau), found, 2, total)


@pytest.mark.slow
@pytest.mark.parametrize("make", OBJECTIVES.values(), ids=OBJECTIVES)
def test_every_solver_finds_the_optimum(make: Make, profile: Any) -> None:
    """Every criterion by every solver; each of both with one size and with several, but not all three."""
    rng = np.random.default_rng(5)
    r = rng.random((6, 6)) * 0.6
    names = [f"x{j}" for j in range(6)]
    dependence = Dependence(
        pd.Series(rng.random(6), index=names), pd.DataFrame((r + r.T) / 2, index=names, columns=names)
    )
    k: Any = (3, (2, 3))[([*OBJECTIVES.values()].index(make) + FOUND.index(profile)) % 2]
    problem = Problem(make(dependence), k)
    if getattr(problem.objective, "encoding", "") == "linearised" and profile.name == "cp-sat":
        with pytest.raises(altsel.SolverError, match="integers"):
            altsel.sequential(problem, Dice(0.5), 1, profile.name)
        return
    found = altsel.sequential(problem, Dice(0.5), 1, profile.name)
    check_sequential(problem, Dice(0.5), found, 2, weak=profile.name in WEAK)


def redundant(seed: int, n: int = 6) -> Dependence:
    """Make large redundancies: the formulas of mRMR for different sizes then lie far apart."""
    rng = np.random.default_rng(seed)
    r = rng.uniform(0.3, 1, (n, n))
    names = [f"x{j}" for j in range(n)]
    table = pd.DataFrame((r + r.T) / 2, index=names, columns=names)
    return Dependence(pd.Series(rng.random(n), index=names), table)


@pytest.mark.parametrize("make", OBJECTIVES.values(), ids=OBJECTIVES)
@pytest.mark.parametrize("seed", [8, 19])
def test_with_free_sizes_no_set_is_cut_off(make: Make, seed: int) -> None:
    """The formula of one size must not bound the quality of sets of another size."""
    problem = Problem(make(redundant(seed)), (2, 4))
    scores = bf.scored(problem.objective, list(bf.all_sets(problem.objective.features, (2, 4))))
    model = model_of_sets(problem)
    for one, score in scores.items():
        start_from(problem, model.sets[0], one)
        assert holds(model)
        assert pyo.value(model.sets[0].quality) == pytest.approx(score)
    check_sequential(problem, Dice(0.5), altsel.sequential(problem, Dice(0.5), 1, "highs"), 2)


@given(dependences(), st.floats(0, 1))
@settings(max_examples=12)
def test_the_bound_of_cfs_from_a_level_is_at_or_above_every_set(dependence: Dependence, share: float) -> None:
    quality, sizes = cfs(dependence), (1, 3)
    scores = bf.scored(quality, list(bf.all_sets(quality.features, sizes)))
    if not scores:
        return
    best = max(scores.values())
    level = share * best
    over = quality.parametric(level)
    excess = max(over.score(np.array([f in score for f in quality.features])) for score in scores)
    assert quality.bound_from_excess(level, excess, sizes) >= best - 1e-9


def test_the_bound_of_cfs_where_the_largest_numerator_has_a_large_denominator() -> None:
    q = pd.Series({"a": 0.9, "b": 0.8, "c": 0.8, "d": 0.8})
    r = pd.DataFrame(np.full((4, 4), 0.9), index=q.index, columns=q.index)
    r.loc["a", "b"] = r.loc["b", "a"] = 0.0
    quality = CFS(Dependence(q, r))
    best = 1.7 / np.sqrt(2)  # of a and b; all four have N = 3.3 and D = 4 + 2 * 5 * 0.9 = 13
    assert quality.score(np.array([True, True, False, False])) == pytest.approx(best)
    excess = quality.parametric(0).score(np.ones(4, dtype=bool))
    assert excess == pytest.approx(3.3**2)
    assert quality.bound_from_excess(0, excess, (2, 4)) >= best


@pytest.mark.parametrize("undecided", [1, 2, 3])
def test_profiles_left_undecided_bound_the_sum_and_no_more_is_claimed(undecided: int) -> None:
    """The bound is the sum of the first undecided profile, not of the last one."""
    problem = Problem(Univariate([0.5, 0.4, 0.3, 0.2, 0.1, 0.05]), 2)
    best = sum(subset.score for subset in altsel.simultaneous(problem, Dice(0.5), 2))
    found = altsel.simultaneous(problem, Dice(0.5), 2, solver=Tired(undecided, altsel.Stop.TIME))
    total = sum(subset.score for subset in found)
    assert found.proved == (total > best - 1e-9)  # the second profile is as good as the first
    for subset in found:
        assert subset.bound is not None
        assert total + subset.bound - subset.score >= best - 1e-12


@given(dependences())
def test_fcbf_admits_what_its_definition_says(dependence: Dependence) -> None:
    quality = FCBF(dependence)
    q, r = dependence.relevance.to_dict(), dependence.redundancy.to_numpy()
    index = {f: j for j, f in enumerate(quality.features)}
    for subset in bf.all_sets(quality.features, (1, 3)):
        mask = np.array([f in subset for f in quality.features])
        predominant = all(r[index[a], index[b]] < q[a] for a in subset for b in subset if a != b)
        assert quality.is_feasible(mask) == predominant


def test_a_feature_without_relevance_does_not_make_fcbf_infeasible() -> None:
    q = pd.Series({"a": 0.5, "b": 0.4, "c": 0.0})
    r = pd.DataFrame(np.eye(3), index=q.index, columns=q.index)
    found = altsel.sequential(Problem(FCBF(Dependence(q, r)), 2), Dice(1), 0)
    assert found[0].features == ("a", "b")


def test_mrmr_by_hand() -> None:
    q = pd.Series({"a": 0.6, "b": 0.5, "c": 0.1})
    r = pd.DataFrame([[1, 0.4, 0.1], [0.4, 1, 0.2], [0.1, 0.2, 1]], index=q.index, columns=q.index)
    everything = np.ones(3, dtype=bool)
    assert MRMR(Dependence(q, r), "k^2").score(everything) == pytest.approx(1.2 / 3 - (3 + 1.4) / 9)
    assert MRMR(Dependence(q, r)).denominator == "k(k-1)"
    assert MRMR(Dependence(q, r)).score(everything) == pytest.approx(1.2 / 3 - 1.4 / 6)
    assert MRMR(Dependence(q, r), "k(k-1)").score(np.array([True, False, False])) == 0.6
    with pytest.raises(altsel.ArgumentError, match="denominator"):
        MRMR(Dependence(q, r), "n")


NUMBERS = pd.DataFrame(np.random.default_rng(0).normal(size=(60, 4)).round(2), columns=list("abcd"))
CLASSES = (NUMBERS["a"] > 0).astype(int).rename("y")


def test_every_criterion_measures_a_data_set_by_its_own_measure() -> None:
    data = altsel.Dataset(NUMBERS, CLASSES)
    for criterion in (altsel.Univariate, altsel.MRMR, altsel.CFS, altsel.FCBF):
        wanted = "symmetric uncertainty" if criterion is altsel.FCBF else "association"
        assert wanted in criterion(data).name
        named = altsel.dependence(data, criterion=criterion)
        assert criterion(named).name == criterion(data).name
        assert criterion(data).fingerprint == data.fingerprint


@pytest.mark.filterwarnings("ignore:features determine the target:altsel.DataWarning")
def test_the_information_of_a_number_in_itself_is_not_used_silently() -> None:
    information = altsel.measures.mutual_information
    numbers = altsel.dependence(altsel.Dataset(NUMBERS, CLASSES), information)
    with pytest.warns(altsel.DataWarning, match=r"infinite; .*'a', 'b'.*denominator='k\(k-1\)'"):
        altsel.MRMR(numbers, "k^2")
    levels = altsel.Dataset((NUMBERS > 0).astype(int), CLASSES)  # entropies are finite
    assert altsel.MRMR(altsel.dependence(levels, information), "k^2").denominator == "k^2"
    altsel.MRMR(altsel.dependence(altsel.Dataset(NUMBERS, CLASSES), altsel.measures.absolute_pearson), "k^2")


def test_redundancies_larger_than_all_relevances_are_told() -> None:
    random = np.random.default_rng(1)
    one = random.normal(size=200)
    alike = pd.DataFrame({name: one + 0.1 * random.normal(size=200) for name in "abc"})
    data = altsel.Dataset(alike, (random.random(200) < 0.5 + 0.1 * (one > 0)).astype(int))
    dependence = altsel.dependence(data, altsel.measures.mutual_information)
    for criterion in (altsel.MRMR, altsel.FCBF, altsel.CFS):
        with pytest.warns(altsel.DataWarning, match="different scales: relevances are at most"):
            criterion(dependence)
        criterion(altsel.dependence(data, altsel.measures.symmetric_uncertainty))
        criterion(altsel.Dependence(dependence.relevance, dependence.redundancy))  # one's own numbers


def test_normalised_relevances_sum_to_one() -> None:
    data = altsel.Dataset(NUMBERS, CLASSES)
    whole = altsel.Univariate(data, normalised=True)
    assert whole.score(np.ones(4, dtype=bool)) == pytest.approx(1.0)
    assert whole.fingerprint == data.fingerprint
    assert altsel.Univariate([3.0, 1.0], normalised=True).relevance.tolist() == [0.75, 0.25]
    with pytest.raises(altsel.DataError, match="sum to 0"):
        altsel.Univariate([0.0, 0.0], normalised=True)


def test_multivariate_criteria_need_redundancies() -> None:
    for make in (FCBF, MRMR):
        with pytest.raises(altsel.ArgumentError, match="relevances only"):
            make(Dependence([0.5, 0.4]))


graphs = st.integers(2, 9).flatmap(
    lambda n: st.lists(st.booleans(), min_size=n * n, max_size=n * n).map(
        lambda bits: np.triu(np.array(bits).reshape(n, n), 1)
    )
)


@given(graphs)
def test_cliques_cover_all_conflicts_and_nothing_else(upper: np.ndarray) -> None:
    conflict = upper | upper.T
    covered = np.zeros_like(conflict)
    for clique in clique_cover(conflict):
        assert conflict[np.ix_(clique, clique)].sum() == len(clique) * (len(clique) - 1)
        covered[np.ix_(clique, clique)] = True
    np.fill_diagonal(covered, val=False)
    assert (covered == conflict).all()


@given(graphs, st.integers(1, 5))
def test_the_core_keeps_every_feature_of_a_compatible_set(upper: np.ndarray, k: int) -> None:
    conflict = upper | upper.T
    kept = core(conflict, k)
    names = [str(j) for j in range(len(conflict))]
    for subset in bf.all_sets(names, (k, k)):
        indices = sorted(map(int, subset))
        if not conflict[np.ix_(indices, indices)].any():
            assert kept[indices].all()


def test_cfs_by_hand() -> None:
    q = pd.Series({"a": 0.6, "b": 0.5, "c": -0.2})
    r = pd.DataFrame([[9, 0.4, 0.1], [0.4, 9, 0.2], [0.1, 0.2, 9]], index=q.index, columns=q.index)
    quality = CFS(Dependence(q, r))  # the diagonal is not used
    assert quality.score(np.ones(3, dtype=bool)) == pytest.approx(0.9 / np.sqrt(3 + 1.4))
    assert quality.score(np.array([True, False, False])) == 0.6
    assert not quality.is_feasible(np.array([False, False, True]))
    with pytest.raises(altsel.ArgumentError, match="encoding"):
        CFS(Dependence(q, r), "exact")
    with pytest.raises(altsel.DataError, match="negative for 'a', 'b'"):
        CFS(Dependence(q, r - 2 * 0.4 * (r == 0.4)))


def test_a_rule_on_the_quality_means_the_ratio() -> None:
    """Solved by levels, the quality would be the excess over the level."""
    q = pd.Series({"a": 0.6, "b": 0.5, "c": 0.2, "d": 0.1})
    r = pd.DataFrame(np.full((4, 4), 0.1), index=q.index, columns=q.index)

    def good(b: Any) -> None:
        b.good = pyo.Constraint(expr=b.quality >= 0.5)

    found = altsel.sequential(Problem(CFS(Dependence(q, r)), 2, [good]), Dice(0.5), 5)
    assert [subset.features for subset in found] == [("a", "b"), ("a", "c")]
    assert found.stop is altsel.Stop.INFEASIBLE


@pytest.mark.slow
@pytest.mark.parametrize("name", EXCHANGEABLE)
@given(data=st.data())
def test_exchanges_are_scored_as_the_formula_does(name: str, data: Any) -> None:
    objective: Any = OBJECTIVES[name](data.draw(dependences()))
    n = len(objective.features)
    members = np.array(data.draw(st.lists(st.integers(0, n - 1), min_size=1, max_size=4, unique=True)))
    scores = objective.exchanged(members)
    for i, j in np.argwhere(np.isfinite(scores)):
        if j not in members:
            changed = members.copy()
            changed[i] = j
            mask = np.zeros(n, dtype=bool)
            mask[changed] = True
            assert scores[i, j] == pytest.approx(objective.score(mask), abs=1e-9)
