"""The level of noise, and the sizes and thresholds that are found where none is given."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest

import altsel
from altsel import CFS, FCBF, MRMR, ArgumentError, Dice, LinearFit, Problem, Univariate
from altsel.models.objective import SizedBy
from altsel.runtime.clock import Clock, in_force
from altsel.search.alternatives.noise import PermutedTargets

PAIRS = (Univariate, FCBF, MRMR, CFS)


def drawn(seed: int, rows: int = 120, noise: int = 4) -> altsel.Dataset:
    """Two features that matter, a copy with an error, and noise."""
    random = np.random.default_rng(seed)
    a, b, error = random.normal(size=(3, rows))
    table = {"a": a, "b": b, "near a": a + 0.3 * error}
    table |= {f"noise {j}": random.normal(size=rows) for j in range(noise)}
    return altsel.Dataset(pd.DataFrame(table), pd.Series(a + b + random.normal(size=rows), name="y"))


def best_by_hand(problem: Problem, data: altsel.Dataset, number: int) -> float:
    """Return the best score for one permuted target, by trying all sets; redundancies stay."""
    order = np.random.default_rng((0, number)).permutation(len(data.y))
    shuffled = altsel.Dataset(data.X, data.y.iloc[order].reset_index(drop=True), data.task)
    kind: Any = type(problem.objective)
    if kind is LinearFit:
        objective = LinearFit(shuffled)
    else:
        given = altsel.dependence(data, criterion=kind)
        relevance = altsel.dependence(shuffled, criterion=kind).relevance
        objective = kind(altsel.Dependence(relevance, given.redundancy))
    scores = []
    for one in combinations(range(len(data.features)), problem.sizes[0]):
        mask = np.isin(np.arange(len(data.features)), one)
        if objective.is_feasible(mask):
            scores.append(objective.score(mask))
    return max(scores, default=-np.inf)


@pytest.mark.parametrize("criterion", [*PAIRS, LinearFit])
def test_the_level_is_the_best_of_all_sets_for_permuted_targets(criterion: Any) -> None:
    data = drawn(1)
    problem = Problem(criterion(data), 2)
    level = altsel.noise_level(problem, data, targets=4)
    assert level.targets == 4
    best = max(best_by_hand(problem, data, number) for number in range(4))
    assert (-np.inf if level.score is None else level.score) == pytest.approx(best)


def test_normalised_relevances_have_a_level_on_their_scale() -> None:
    data = drawn(2)
    plain = altsel.noise_level(Problem(Univariate(data), 2), data)
    scaled = Univariate(data, normalised=True)
    total = float(np.sum(Univariate(data).relevance))
    assert altsel.noise_level(Problem(scaled, 2), data).score == pytest.approx((plain.score or 0) / total)


@pytest.mark.slow
def test_rules_hold_for_permuted_targets_too() -> None:
    data = drawn(3)
    rule = altsel.domain.require("noise 0")
    levels = (altsel.noise_level(Problem(MRMR(data), 2, rules), data).score for rules in ([], [rule]))
    free, ruled = (one if one is not None else -np.inf for one in levels)
    assert ruled <= free


@pytest.mark.long  # a simulation
def test_noise_is_seldom_above_its_level() -> None:
    """By permutation at most one in twenty; 30 tables without any effect."""
    above = 0
    for seed in range(30):
        random = np.random.default_rng(seed)
        data = altsel.Dataset(random.normal(size=(40, 6)), random.normal(size=40))
        problem = Problem(Univariate(data), 2)
        best = altsel.sequential(problem, Dice(0.5), 0)[0].score
        above += altsel.noise_level(problem, data, random_state=seed).exceeded_by(best)
    assert above <= 5  # 1.5 expected; 6 or more in .3 % of such samples


def test_another_measure_or_other_rows_are_refused() -> None:
    data, problem = (
        drawn(1),
        Problem(Univariate(altsel.dependence(drawn(1), altsel.measures.correlation_ratio)), 2),
    )
    with pytest.raises(ArgumentError, match="are not association of these data; give k, or the measure"):
        altsel.noise_level(problem, data)
    assert altsel.noise_level(problem, data, altsel.measures.correlation_ratio).score
    with pytest.raises(ArgumentError, match="are not correlation ratio"):
        altsel.noise_level(problem, drawn(4), altsel.measures.correlation_ratio)
    with pytest.raises(ArgumentError, match="give what makes a dissimilarity of a tau"):
        altsel.choose_tau(problem, Dice(0.5), 1)  # type: ignore[arg-type]
    own = Problem(altsel.BlackBox(len, data.features), 2)
    with pytest.raises(ArgumentError, match="has no relevances to measure for another target"):
        altsel.noise_level(own, data)


class Least(altsel.models.Objective):
    """The smallest relevance: a criterion of one's own, which no exchange search goes through."""

    name, sized_by = "smallest relevance", SizedBy.ITSELF

    def __init__(self, data: altsel.Dataset) -> None:
        self.features = data.features
        self.relevance = np.asarray(altsel.dependence(data).relevance, dtype=float)

    def score(self, mask: Any) -> float:
        assert self.relevance is not None
        return float(self.relevance[mask].min())

    def express(self, block: Any, sizes: tuple[int, int]) -> None:
        raise AssertionError("solved")


def test_nothing_is_said_of_the_noise_or_size_of_a_criterion_of_ones_own() -> None:
    data = drawn(1)
    with pytest.raises(ArgumentError, match=r"a criterion of your own, .*altsel\.shadow"):
        altsel.noise_level(Problem(Least(data), 2), data)
    choice = altsel.choose_size(Least(data), data)
    assert (choice.value, choice.reason) == (5, "smallest relevance does not tell how many; 5 is usual")


@pytest.mark.parametrize(
    ("criterion", "size", "why"),
    [
        (Univariate, 3, "3 of 7 features are more relevant than any is for 19 shuffled targets"),
        (MRMR, 2, "3 of 7 features .*; after 2 features none tells more than it repeats; .* are left out"),
        (FCBF, 2, "3 of 7 features .*, 2 of them predominant"),
        (CFS, 2, "CFS by association is highest with 2 of 1 to 7 features"),
        (LinearFit, 2, r"linear fit of y \(BIC\) is highest with 2 of 1 to 7 features"),
    ],
)
def test_the_size_is_what_the_criterion_tells(criterion: Any, size: int, why: str) -> None:
    data = drawn(0, rows=300)
    choice = altsel.choose_size(criterion(data), data)
    assert choice.value == size
    assert pd.Series([choice.reason]).str.fullmatch(why).all(), choice.reason


def test_mrmr_is_searched_without_features_that_are_no_more_than_noise() -> None:
    """Noise repeats nothing: a fifth of the features of its best sets was noise."""
    data = drawn(7, rows=150, noise=12)
    quality = MRMR(data)
    choice = altsel.choose_size(quality, data)
    assert set(choice.left_out) >= {f"noise {j}" for j in range(10)}
    assert not {"a", "b"} & set(choice.left_out)
    without = altsel.domain.forbid(*choice.left_out)
    found = altsel.sequential(Problem(quality, int(choice.value), [without]), Dice(0.5), 0)
    assert not any(name.startswith("noise") for name in found[0].features)
    wanted = altsel.choose_size(quality, data, [altsel.domain.require(choice.left_out[0])])
    assert wanted.left_out == ()
    assert "left out" not in wanted.reason
    assert altsel.choose_size(Univariate(data), data).left_out == ()


def test_rules_may_ask_for_more_features_and_few_rows_allow_few() -> None:
    data = drawn(0, rows=300)
    four = altsel.domain.require("a", "b", "noise 0", "noise 1")
    assert altsel.choose_size(MRMR(data), data, [four]).value == 4
    few = drawn(0, rows=12, noise=9)
    assert altsel.choose_size(LinearFit(few), few).value == 1


def test_what_given_columns_explain_has_no_level() -> None:
    data = drawn(0)
    with pytest.raises(ArgumentError, match="what the given columns explain would be shuffled too"):
        altsel.noise_level(Problem(LinearFit(data, given=["a"]), 2), data)


def test_a_size_that_is_best_by_itself_is_the_best_of_all() -> None:
    data = drawn(5)
    for quality in (CFS(data), LinearFit(data, penalty="bic"), LinearFit(data, penalty="adjusted")):
        found = altsel.sequential(Problem(quality, (1, len(data.features))), Dice(0.5), 0)[0]
        assert altsel.choose_size(quality, data).value == len(found)


def test_sizes_keep_rules_and_the_most_that_is_wanted() -> None:
    data = drawn(0, rows=300)
    costs = dict.fromkeys(data.features, 1.0)
    choice = altsel.choose_size(Univariate(data), data, [altsel.domain.budget(costs, 2, other=0)])
    assert choice.value == 2
    assert choice.reason.endswith("and the rules allow 2")
    few = altsel.choose_size(Univariate(data), data, most=2)
    assert few.value == 2
    assert "no more than 2 are chosen" in few.reason
    noise = altsel.Dataset(
        np.random.default_rng(0).normal(size=(50, 3)), np.random.default_rng(1).normal(size=50)
    )
    assert altsel.choose_size(Univariate(noise), noise).value == 1
    black = altsel.BlackBox(len, data.features)
    assert black.sized_by is SizedBy.NOTHING
    assert altsel.choose_size(black, data).value == 5


def by_hand(problem: Problem, alternatives: int, share: float) -> float:
    """Return the largest tau of k steps at which no alternative loses more, or the smallest of all."""
    k, good = problem.sizes[0], []
    for step in range(1, k + 1):
        found = altsel.sequential(problem, Dice(step / k), alternatives)
        floor = found[0].score - share * abs(found[0].score)
        if len(found) <= alternatives or min(one.score for one in found) < floor - 1e-12:
            break
        good.append(step / k)
    return max(good, default=1 / k)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("share", [0.05, 0.3])
def test_tau_is_the_largest_that_loses_little(seed: int, share: float) -> None:
    data = drawn(seed, noise=8)
    for quality in (Univariate(data), MRMR(data)):
        problem = Problem(quality, 3)
        choice = altsel.choose_tau(problem, Dice, 2, altsel.RelativeLoss(share))
        assert choice.value == by_hand(problem, 2, share)
        assert f"{100 * share:g} %" in choice.reason


def test_a_search_that_ends_early_is_the_last() -> None:
    problem = Problem(MRMR(drawn(1)), 3)
    with in_force(Clock(until=0.0)):
        choice = altsel.choose_tau(problem, Dice, 2)
    assert choice.reason == "the search ended before a larger difference was tried"


def test_relevances_are_measured_once_for_size_and_level() -> None:
    data, calls = drawn(1), []

    def counted(x: Any, y: Any) -> float:
        calls.append(1)
        return float(abs(np.corrcoef(x, y)[0, 1]))

    measure: Any = counted

    quality = Univariate(altsel.dependence(data, measure))
    targets = PermutedTargets(data, measure)
    calls.clear()
    targets.most_relevant(quality)
    targets.level(Problem(quality, 2))
    assert len(calls) == len(data.features) * (19 + 1)
