"""Ranges of importance, against all sets of small problems one by one: no claim exceeds what was shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations
from math import inf

import numpy as np
import pytest

import altsel
from altsel import AbsoluteLoss, ArgumentError, Problem, RelativeLoss, Solutions, Stop
from altsel.analysis.substitutions import exchanges
from altsel.domain import at_most, budget, forbid, require
from altsel.models.objective import Objective
from altsel.results import ImportanceRanges, Known, LeastLoss, RangeClass, Stability
from altsel.results.importance_range_text import spread

Sets = dict[frozenset[str], float]
KEEPS: dict[str, Callable[[frozenset[str]], bool]] = {
    "nothing": lambda one: True,
    "x0 is required": lambda one: "x0" in one,
    "x1 is forbidden": lambda one: "x1" not in one,
    "one of x0, x1": lambda one: len(one & {"x0", "x1"}) <= 1,
}
RULES = {
    "nothing": [],
    "x0 is required": [require("x0")],
    "x1 is forbidden": [forbid("x1")],
    "one of x0, x1": [at_most(1, ["x0", "x1"])],
}


def every_set(objective: Objective, sizes: tuple[int, int], rule: str) -> Sets:
    """Score all admissible sets, one by one."""
    names, made = objective.features, {}
    for size in range(sizes[0], sizes[1] + 1):
        for places in combinations(range(len(names)), size):
            mask = np.zeros(len(names), dtype=bool)
            mask[list(places)] = True
            made[frozenset(names[j] for j in places)] = float(objective.score(mask))
    return {one: score for one, score in made.items() if KEEPS[rule](one)}


def least_loss(sets: Sets, name: str, *, held: bool) -> float:
    """Return the loss of the best of all sets that have a feature, or lack it; infinite if there is none."""
    best = max(sets.values())
    return min((best - score for one, score in sets.items() if (name in one) is held), default=inf)


def holds(claim: LeastLoss, loss: float) -> bool:
    """Return whether what is claimed of a loss is true."""
    if claim.known is Known.NO_SET:
        return loss == inf
    value = claim.value
    if claim.known is Known.NOTHING or value is None:
        return value is None
    near = 1e-9 * max(abs(value), 1.0)
    return {
        Known.EXACTLY: abs(loss - value) <= near,
        Known.MORE_THAN: loss > value,
        Known.AT_LEAST: loss >= value - near,
        Known.AT_MOST: loss <= value + near,
    }[claim.known]


def criteria(random: np.random.Generator, p: int) -> Iterator[Objective]:
    """Yield criteria of random numbers; the first has many ties."""
    yield altsel.Univariate(
        dict(zip((f"x{j}" for j in range(p)), random.integers(0, 5, p) + 0.0, strict=True))
    )
    columns = random.normal(size=(p, 40))
    columns[1] = columns[0] + 0.1 * columns[1]
    table = {f"x{j}": column for j, column in enumerate(columns)}
    data = altsel.Dataset(table, columns[0] + columns[2] + random.normal(size=40))
    yield altsel.MRMR(data)
    yield altsel.CFS(data)
    yield altsel.LinearFit(data)


def questions(seed: int) -> Iterator[tuple[Problem, Sets]]:
    """Yield problems with all their sets."""
    random = np.random.default_rng(seed)
    for objective in criteria(random, int(random.integers(4, 8))):
        rule = str(random.choice(list(RULES)))
        low = int(random.integers(1, 3))
        sizes = (low, low + int(random.integers(0, 3)))
        yield Problem(objective, sizes, RULES[rule]), every_set(objective, sizes, rule)


def refuse_false_claims(ranges: ImportanceRanges, found: Solutions, sets: Sets) -> None:
    """Compare all that is said of features with the sets of the list, and with all sets there are."""
    best = max(one.score for one in found)
    for one in ranges:
        has = [one.feature in subset for subset in found]
        kind = RangeClass.CORE if all(has) else RangeClass.SOMETIMES if any(has) else RangeClass.NEVER
        assert (one.sets, one.share, one.range_class) == (sum(has), sum(has) / len(has), kind)
        for held, claim, most in (
            (True, one.holding, one.most_holding),
            (False, one.without, one.most_without),
        ):
            assert holds(claim, least_loss(sets, one.feature, held=held)), (one, found.stop)
            losses = [best - s.score for s, member in zip(found, has, strict=True) if member is held]
            assert most == (pytest.approx(max(losses)) if losses else None)


def within(random: np.random.Generator, sets: Sets) -> AbsoluteLoss | RelativeLoss:
    spread_of_scores = max(sets.values()) - min(sets.values())
    share = float(random.choice([0.0, 0.1, 0.3, 0.6]))
    return RelativeLoss(share) if random.random() < 0.5 else AbsoluteLoss(share * spread_of_scores)


@pytest.mark.parametrize("seed", range(12))
def test_complete_lists_say_what_all_sets_say(seed: int) -> None:
    random = np.random.default_rng(1000 + seed)
    for problem, sets in questions(seed):
        found = altsel.near_optimal(problem, within(random, sets), limit=100_000)
        ranges = altsel.importance_range(found)
        assert ranges.complete
        refuse_false_claims(ranges, found, sets)
        for one in ranges:
            open_ends = [claim for claim in (one.without, one.holding) if not claim.exact]
            assert all(claim.known is Known.MORE_THAN for claim in open_ends)
            assert len(open_ends) == (one.range_class is not RangeClass.SOMETIMES)
        solved = altsel.importance_range(found, problem)
        refuse_false_claims(solved, found, sets)
        assert all(one.without.exact and one.holding.exact for one in solved)
        for one in solved:
            for held, score in ((True, one.best_with), (False, one.best_without)):
                scores = [score for subset, score in sets.items() if (one.feature in subset) is held]
                assert score == (pytest.approx(max(scores)) if scores else None)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.slow
def test_lists_that_are_not_complete_claim_less(seed: int) -> None:
    random = np.random.default_rng(2000 + seed)
    for problem, sets in questions(100 + seed):
        loss = AbsoluteLoss(0.5 * (max(sets.values()) - min(sets.values())))
        whole = altsel.near_optimal(problem, loss, limit=100_000)
        limit = int(random.integers(1, 6))
        parts = {
            Known.AT_LEAST: altsel.near_optimal(problem, loss, limit=limit),
            Known.NOTHING: altsel.near_optimal(problem, loss, dissimilarity=altsel.Dice(0.4)),
            Known.AT_MOST: replace(whole, sets=whole.sets[:limit], stop=Stop.TIME),
            None: replace(whole, sets=whole.sets[-limit:], stop=Stop.INTERRUPT),
        }
        for known, found in parts.items():
            if found.stop is Stop.EXHAUSTED and known is Known.AT_LEAST:
                continue  # the list had no more sets than that
            ranges = altsel.importance_range(found)
            assert not ranges.complete
            if known is None and len(whole) > limit:  # sets that are not the best bound no loss
                continue
            refuse_false_claims(ranges, found, sets)
            claims = [claim for one in ranges for claim in (one.without, one.holding)]
            assert not any(claim.known is Known.MORE_THAN for claim in claims)
            if known is Known.AT_LEAST:
                assert all(claim.known in (Known.EXACTLY, Known.AT_LEAST) for claim in claims)
            solved = altsel.importance_range(found, problem)
            refuse_false_claims(solved, found, sets)
            assert all(one.without.exact and one.holding.exact for one in solved)


def test_part_of_a_list_says_nothing_of_all_sets() -> None:
    problem = Problem(altsel.Univariate([5, 4, 3, 1]), k=2)
    found = altsel.near_optimal(problem, AbsoluteLoss(3))
    for part in (found.without(["x0"]), found.cheapest(dict.fromkeys(found.universe, 0.0) | {"x0": 1.0})):
        ranges = altsel.importance_range(part, problem)
        assert not ranges.complete
        assert ranges.tolerance is None
        assert {claim.known for one in ranges for claim in (one.without, one.holding)} == {Known.NOTHING}
    assert altsel.importance_range(found.without([])).complete
    unproved = [replace(one, proof=altsel.Proof.FEASIBLE) for one in found]
    ended = replace(found, sets=tuple(unproved), stop=Stop.LIMIT)
    assert {one.without.known for one in altsel.importance_range(ended, problem)} == {Known.NOTHING}


@pytest.mark.parametrize("seed", range(6))
def test_pairs_are_those_of_all_pairs_of_sets(seed: int) -> None:
    random = np.random.default_rng(3000 + seed)
    for problem, sets in questions(200 + seed):
        found = altsel.near_optimal(problem, within(random, sets), limit=100_000)
        known = {frozenset(one) for one in found}
        expected = {}
        for a, b in combinations(found.universe, 2):
            one_of_two = sum((a in one) != (b in one) for one in known)
            count = sum(a in one and b not in one and (one - {a}) | {b} in known for one in known)
            several = all(0 < sum(name in one for one in known) < len(known) for name in (a, b))
            if count or (several and one_of_two == len(known)):
                expected[a, b] = (one_of_two, count)
        pairs = altsel.importance_range(found).pairs
        assert {(one.first, one.second): (one.exactly_one, one.exchanges) for one in pairs} == expected
        assert [one.exchanges for one in pairs] == sorted((one.exchanges for one in pairs), reverse=True)
        assert {pair: n for pair, (_, n) in expected.items() if n} == dict(exchanges(found))


def test_what_a_rule_holds_is_told_apart() -> None:
    problem = Problem(altsel.Univariate([5, 4, 3, 2, 1]), 2, [require("x4"), forbid("x0")])
    ranges = altsel.importance_range(altsel.near_optimal(problem, AbsoluteLoss(1)), problem)
    assert [one.feature for one in ranges if one.ruled] == ["x0", "x4"]
    assert ranges["x4"].without == ranges["x0"].holding == LeastLoss(Known.NO_SET)
    assert "by a rule of the search, which tells nothing of them: 'x0', 'x4'" in str(ranges)
    costs = dict.fromkeys(["x0", "x1", "x2", "x3", "x4"], 1.0)
    priced = Problem(altsel.Univariate([5, 4, 3, 2, 1]), 2, [budget({**costs, "x0": 9.0}, 5)])
    ranges = altsel.importance_range(altsel.near_optimal(priced, AbsoluteLoss(0)), priced)
    assert ranges["x0"].holding.known is Known.NO_SET  # no budget allows it
    assert ranges["x1"].without == LeastLoss(Known.EXACTLY, 2.0)


def test_a_feature_of_several_names_is_one() -> None:
    a, b, c, noise = np.random.default_rng(0).normal(size=(4, 200))
    data = altsel.Dataset({"a": a, "twice": 2 * a, "b": b, "c": c}, a + b + noise).grouped([["a", "twice"]])
    problem = Problem(altsel.LinearFit(data), 2)
    ranges = altsel.importance_range(altsel.near_optimal(problem, RelativeLoss(0.1)), problem)
    assert [one.names for one in ranges] == [("a", "twice"), ("b",), ("c",)]
    assert ranges["twice"] is ranges["a"]
    assert ranges["a"].range_class is RangeClass.CORE
    assert ranges["a"].best_without == pytest.approx(
        altsel.sequential(replace(problem, subject_to=[forbid("a", "twice")]), altsel.Dice(0), 0)[0].score
    )
    ruled = replace(problem, subject_to=[forbid("a", "twice")])
    ranges_ruled = altsel.importance_range(altsel.near_optimal(ruled, RelativeLoss(0.1)), ruled)
    assert ranges_ruled["a"].ruled
    assert ranges_ruled["a"].holding.known is Known.NO_SET
    assert "without a feature of several names is without all of them" in str(ranges)


@pytest.mark.slow
def test_resamples_say_how_stable_the_classes_are() -> None:
    random = np.random.default_rng(4)
    a, b, c, d, noise = random.normal(size=(5, 80))
    data = altsel.Dataset({"a": a, "near": a + 0.2 * c, "b": b, "d": d}, a + b + noise)

    def search(rows: altsel.Dataset) -> Solutions:
        return altsel.near_optimal(Problem(altsel.LinearFit(rows), 2), RelativeLoss(0.1))

    found, drawn = search(data), altsel.stability(search, data, resamples=15)
    ranges = altsel.importance_range(found, stability=drawn)
    assert ranges.resamples == 15
    for one in ranges:
        shares = [sum(one.feature in held for held in sets) / len(sets) for sets in drawn.collections]
        counts = [sum(s == 1 for s in shares), sum(0 < s < 1 for s in shares), sum(s == 0 for s in shares)]
        assert one.resamples == pytest.approx([count / 15 for count in counts])
        assert one.same_class == (one.resamples or ())[list(RangeClass).index(one.range_class)]
    table = ranges.to_frame()
    assert table["core in resamples"].tolist() == [one.resamples[0] for one in ranges if one.resamples]
    assert "same class" in str(ranges)
    other = altsel.stability(lambda rows: [("d",)], data, resamples=2)
    for wrong in (other, replace(drawn, features=("a", "b"))):
        with pytest.raises(ArgumentError, match="stability is of another search than the list"):
            altsel.importance_range(found, stability=wrong)
    empty = Stability(drawn.features, drawn.reference, (), "by hand", None, None, None)
    assert altsel.importance_range(found, stability=empty)["a"].resamples is None


def test_another_search_and_another_problem_are_refused() -> None:
    problem = Problem(altsel.Univariate([5, 4, 3, 1]), k=2)
    found = altsel.near_optimal(problem, AbsoluteLoss(1))
    with pytest.raises(ArgumentError, match=r"takes the list of altsel\.near_optimal"):
        altsel.importance_range(altsel.sequential(problem, altsel.Dice(0.5), 1))
    with pytest.raises(ArgumentError, match="the list has no sets"):
        altsel.importance_range(replace(found, sets=()))
    for other, what in (
        (replace(problem, k=3), "other sizes than that of the list"),
        (replace(problem, subject_to=[forbid("x0")]), "other rules"),
        (Problem(altsel.Univariate([5, 4, 3, 2, 1]), 2), "other features"),
        (Problem(altsel.Univariate([5, 3, 3, 1]), 2), "other numbers"),
        (Problem(altsel.MRMR(altsel.Dependence([5, 4, 3, 1], np.eye(4))), 2), "other criterion than"),
    ):
        with pytest.raises(ArgumentError, match=what):
            altsel.importance_range(found, other)
    with pytest.raises(ArgumentError, match=r"lacks 'x1', 'x2' with a loss of 0"):
        altsel.importance_range(found, Problem(altsel.Univariate([5, 4, 5, 1]), 2))  # of the best set as good


def test_time_that_is_up_leaves_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = Problem(altsel.Univariate([9, 4, 3, 2, 1]), k=2)
    found = altsel.near_optimal(problem, AbsoluteLoss(1))
    ranges = altsel.importance_range(found, problem, time_limit=1e-9)
    assert ranges["x0"].without == LeastLoss(Known.MORE_THAN, 1.0)


def test_a_share_of_a_score_whose_0_means_nothing_is_not_told() -> None:
    a, b, noise = np.random.default_rng(5).normal(size=(3, 60))
    data = altsel.Dataset({"a": a, "b": b}, a + noise)
    problem = Problem(altsel.LinearFit(data, penalty="aic"), (1, 2))
    ranges = altsel.importance_range(altsel.near_optimal(problem, AbsoluteLoss(3)))
    assert not ranges.relative
    assert "share lost" not in str(ranges)
    assert ranges.to_frame()["share lost without"].isna().all()


def test_what_is_shown() -> None:
    problem = Problem(altsel.Univariate([9, 4, 3, 1]), k=2)
    ranges = altsel.importance_range(altsel.near_optimal(problem, AbsoluteLoss(2)))
    lines = str(ranges).splitlines()
    assert lines[0] == "all 2 sets, which lose at most 2 (15 %) of 13"
    assert [line.split() for line in lines[3:6]] == [
        ["x0", "core", "100", "%", ">", "2", ">", "15", "%", "0", "to", "1"],
        ["x1", "sometimes", "50", "%", "1", "7.7", "%", "0"],
        ["x2", "sometimes", "50", "%", "0", "0", "%", "1"],
    ]
    assert "1 feature never: x3" in lines
    many = Problem(altsel.Univariate([9, 8, *range(30, 0, -1)][::-1]), k=1)
    told = str(altsel.importance_range(altsel.near_optimal(many, AbsoluteLoss(0.5)))).splitlines()
    names = [f"x{j}" for j in range(32) if j != 29]
    assert f"31 features never: {', '.join(names[:20])}, … and 11 more" in told
    assert repr(ranges) == "<ImportanceRanges: 1 core, 2 sometimes, 1 never; 2 sets>"
    assert ranges.exchanges().to_numpy().tolist() == [["x1", "x2", 2, 1]]
    table = ranges.to_frame().set_index("feature")
    assert table["class"].tolist() == ["core", "sometimes", "sometimes", "never"]
    assert list(table.loc["x0", ["loss without", "least loss without"]]) == ["more than", 2.0]
    assert list(table["best without"])[1:] == [12.0, 13.0, 13.0]
    assert [spread(LeastLoss(known, 1.0), None) for known in Known] == ["1", "> 1", "≥ 1", "≤ 1", "1", "1"]
    with pytest.raises(KeyError):
        ranges["x9"]
    cut = altsel.importance_range(altsel.near_optimal(problem, AbsoluteLoss(9), limit=2))
    assert str(cut).startswith("the best 2 sets, which lose at most 1 (7.7 %) of 13")
    assert "the list ended at its limit: core and never are of the best sets alone" in str(cut)
