"""Hill climbing over black boxes: valid, at a local optimum, within its budget; exact on small problems."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import make_scorer, matthews_corrcoef
from sklearn.model_selection import GroupKFold, StratifiedShuffleSplit, cross_val_score
from sklearn.tree import DecisionTreeClassifier

import altsel
from altsel import (
    Average,
    BlackBox,
    CrossValidated,
    Dice,
    HillClimbing,
    Penalised,
    Problem,
    Proof,
    Stop,
    domain,
    wrapper,
)
from tests.models.test_domain import RULES
from tests.oracles import brute_force as bf
from tests.pairs import paired

NAMES = [f"x{j}" for j in range(7)]


def rugged(seed: int) -> BlackBox:
    """Make a quality without any structure."""

    def quality(names: Sequence[str]) -> float:
        return float(np.random.default_rng([seed, *(int(name[1:]) for name in names)]).random())

    return BlackBox(quality, NAMES)


def neighbours(one: bf.Set, pairs: bool) -> list[bf.Set]:
    flipped = [one ^ {f} for f in NAMES]
    if not pairs:
        return flipped
    return [one - {f} | {g} for f in one for g in set(NAMES) - one]


@pytest.mark.slow
@given(
    seed=st.integers(0, 99),
    names=st.lists(st.sampled_from(sorted(set(RULES) - {"panels"})), max_size=2, unique=True),
    k=st.sampled_from([3, (2, 4)]),
    diversity=st.sampled_from([Dice(0.5), Average(Dice(0.6)), Penalised(Dice(1), 0.3)]),
)
@settings(max_examples=6)
def test_sets_are_valid_and_no_change_helps(seed: int, names: list[str], k: Any, diversity: Any) -> None:
    problem = Problem(rugged(seed), k, [RULES[name][0] for name in names])
    found = wrapper(problem, diversity, 2, HillClimbing(random_state=seed))
    distance = altsel.Dice(0)
    known: list[bf.Set] = []

    def valid(one: bf.Set) -> bool:
        apart = [distance(one, other) for other in known]
        tau = 0.5 if isinstance(diversity, Dice) else 0.6 if isinstance(diversity, Average) else 0
        far = not apart or (np.mean(apart) if isinstance(diversity, Average) else min(apart)) >= tau - 1e-9
        fits = problem.sizes[0] <= len(one) <= problem.sizes[1] and one not in known
        return bool(far) and fits and all(RULES[name][1](one) for name in names)

    def worth(one: bf.Set) -> float:
        penalty = sum(1 - distance(one, other) for other in known) * 0.3
        return problem.objective.score(problem.mask(one)) - (
            penalty if isinstance(diversity, Penalised) else 0
        )

    for subset in map(frozenset, found):
        assert valid(subset)
        near = [other for other in neighbours(subset, isinstance(k, int)) if valid(other)]
        assert all(worth(other) <= worth(subset) for other in near)
        known.append(subset)
    if len(found) < 3:
        assert found.stop is Stop.INFEASIBLE
        assert not any(valid(subset) for subset in bf.all_sets(NAMES, problem.sizes))


@pytest.mark.slow
@pytest.mark.parametrize(("diversity", "total"), paired([Average(Dice(0.6)), Dice(0.5)], ["sum", "min"]))
def test_families_are_valid_and_good(total: str, diversity: Any) -> None:
    problem = Problem(rugged(3), 3, [domain.at_most(1, ["x0", "x1"])])
    found = wrapper(
        problem, diversity, 1, total=total, climb=HillClimbing(max_iters=500, restarts=5), together=True
    )
    distance = Dice(0)(set(found[0]), set(found[1]))
    assert distance >= (0.5 if isinstance(diversity, Dice) else 0.6)
    assert all(len(set(subset) & {"x0", "x1"}) <= 1 for subset in found)
    scores = bf.scored(problem.objective, [s for s in bf.all_sets(NAMES, (3, 3)) if not {"x0", "x1"} <= s])
    add: Any = {"sum": sum, "min": min}[total]
    tau = 0.5 if isinstance(diversity, Dice) else 0.6
    best = bf.best_together(scores, 2, bf.dice, tau, add)
    assert add([subset.score for subset in found]) == pytest.approx(
        best
    )  # so many hills reach the optimum here


def test_single_flips_are_repaired_by_the_closest_set() -> None:
    problem = Problem(rugged(5), 3, [domain.all_or_none(["x0", "x1", "x2"])])
    found = wrapper(problem, Dice(0.5), 1, HillClimbing(pairs=False, start=[["x0", "x3", "x4"]]))
    assert all(len(set(subset) & {"x0", "x1", "x2"}) in {0, 3} for subset in found)
    assert found.effort.solves > 0
    assert found[0].proof is Proof.HEURISTIC


def test_attempts_are_limited_and_the_seed_decides() -> None:
    quality = rugged(8)
    found = wrapper(Problem(quality, 3), Dice(0.5), 0, HillClimbing(max_iters=6, random_state=4))
    assert quality.evaluated <= 6
    again = wrapper(Problem(rugged(8), 3), Dice(0.5), 0, HillClimbing(max_iters=6, random_state=4))
    assert [subset.features for subset in found] == [one.features for one in again]
    more = wrapper(Problem(rugged(8), 3), Dice(0.5), 0, HillClimbing(max_iters=500, restarts=30))
    assert more[0].score == max(bf.scored(quality, list(bf.all_sets(NAMES, (3, 3)))).values())


def test_few_sets_are_all_evaluated_and_many_are_refused() -> None:
    problem = Problem(rugged(1), 3)
    found = altsel.sequential(problem, Dice(0.5), 1)
    assert found.proved
    assert found[0].score == max(bf.scored(problem.objective, list(bf.all_sets(NAMES, (3, 3)))).values())
    large = BlackBox(len, [f"x{j}" for j in range(200)])
    with pytest.raises(altsel.ArgumentError, match="use wrapper"):
        altsel.sequential(Problem(large, 10), Dice(0.5), 1)
    with pytest.raises(altsel.ArgumentError, match="use wrapper"):
        altsel.sequential(problem, Dice(0.5), 1, solver="highs")


def test_an_interrupt_gives_the_best_set_so_far() -> None:
    calls = []

    def quality(names: tuple[str, ...]) -> float:
        calls.append(names)
        if len(calls) == 5:
            raise KeyboardInterrupt
        return float(len(calls))

    found = wrapper(Problem(BlackBox(quality, NAMES), 3), Dice(0.5), 3)
    assert found.stop is Stop.INTERRUPT
    assert [subset.score for subset in found] == [4.0]


def test_an_interrupt_of_the_first_evaluation_gives_nothing() -> None:
    calls = []

    def quality(names: tuple[str, ...]) -> float:
        calls.append(names)
        raise KeyboardInterrupt

    found = wrapper(Problem(BlackBox(quality, NAMES), 3), Dice(0.5), 1)
    assert (len(found), found.stop, len(calls)) == (0, Stop.INTERRUPT, 1)


@pytest.mark.slow
def test_cross_validation_is_scikit_learns(ionosphere: altsel.Dataset) -> None:
    tree, names = DecisionTreeClassifier(random_state=0), ("a05", "a06")
    X, y = ionosphere.X[list(names)].to_numpy(), ionosphere.target_values()
    quality = CrossValidated(ionosphere, tree, "matthews_corrcoef", cv=4)
    assert quality(names) == pytest.approx(
        cross_val_score(tree, X, y, scoring="matthews_corrcoef", cv=4).mean()
    )
    groups = np.arange(len(y)) % 9
    grouped = CrossValidated(ionosphere, tree, make_scorer(matthews_corrcoef), GroupKFold(3), groups)
    expected = cross_val_score(tree, X, y, groups=groups, scoring="matthews_corrcoef", cv=GroupKFold(3))
    assert grouped(names) == pytest.approx(expected.mean())
    once = CrossValidated(ionosphere, tree, cv=StratifiedShuffleSplit(1, test_size=0.2, random_state=25))
    problem = Problem(BlackBox(once), 3)
    found = wrapper(problem, Dice(0.5), 1, HillClimbing(max_iters=30))
    assert (found.criterion, found.target) == ("cross-validated score of DecisionTreeClassifier", "target")
    assert found[0].score == once(found[0].features)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda d: CrossValidated(d, "tree"), "no scikit-learn estimator"),
        (lambda d: CrossValidated(d, DecisionTreeClassifier(), "nonsense"), "scoring='nonsense'"),
        (lambda d: CrossValidated(d, DecisionTreeClassifier(), cv=1), "cv=1"),
        (lambda d: CrossValidated(d, DecisionTreeClassifier(), cv=GroupKFold(3)), "groups"),
        (lambda d: CrossValidated(d, DecisionTreeClassifier(), groups=[1, 2]), "groups has 2 entries"),
        (lambda d: BlackBox(len), "names of all"),
        (lambda d: HillClimbing(max_iters=0), "max_iters=0"),
        (lambda d: HillClimbing(restarts=True), "restarts=True"),
    ],
)
def test_wrong_arguments_are_refused(wrong: Any, message: str, ionosphere: altsel.Dataset) -> None:
    with pytest.raises(altsel.ArgumentError, match=message):
        wrong(ionosphere)


def test_a_quality_that_is_no_number_and_rules_on_it() -> None:
    problem = Problem(BlackBox(lambda names: float("nan"), NAMES), 2)
    with pytest.raises(altsel.DataError, match="must be a finite number"):
        wrapper(problem, Dice(0.5), 0)
    with pytest.raises(altsel.ArgumentError, match="rules on the quality"):
        wrapper(Problem(rugged(1), 2, [domain.minimum_quality(0.5)]), Dice(0.5), 0)
    with pytest.raises(altsel.ArgumentError, match="start has 1 sets"):
        wrapper(Problem(rugged(1), 2), Dice(0.5), 1, climb=HillClimbing(start=[["x0", "x1"]]), together=True)


def test_pairs_may_be_exchanged_though_sizes_are_free() -> None:
    def few(names: Sequence[str]) -> float:
        return -float(len(names))

    start = [["x0", "x1", "x2"]]
    for pairs, size in ((True, 3), (False, 1), (None, 1)):
        problem = Problem(BlackBox(few, NAMES), (1, 3))
        assert len(wrapper(problem, Dice(0), 0, HillClimbing(pairs=pairs, start=start))[0]) == size
