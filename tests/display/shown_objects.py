"""Everything that shows itself in a notebook, with names and numbers of one's choice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

import altsel
from altsel import Dice, FeatureSet, Problem, Proof, Solutions, Stop, Univariate
from altsel.exact.verification.verifier import Check
from altsel.results.comparison import Comparison, Definition
from altsel.results.discoveries import Discoveries, TestedFeature
from altsel.results.dual import Dual, Evidence, FailedRemoval
from altsel.results.equivalence import Equivalence, Pair
from altsel.results.estimate import Estimate
from altsel.results.feature_report import Basis, FeatureClass, FeatureReport, Relevance
from altsel.results.feature_set import Role, Step, Verdict
from altsel.results.front import Front, Point
from altsel.results.importance_distribution import (
    FeatureDistribution,
    ImportanceDistribution,
    WorthInGoodSets,
)
from altsel.results.importance_range import ExchangedPair, FeatureRange, ImportanceRanges, RangeClass
from altsel.results.least_loss import Known, LeastLoss
from altsel.results.performance import Performance, SetPerformance
from altsel.results.removal_stability import RemovalStability
from altsel.results.score_card import CardItem, ScoreCard, TotalRisk
from altsel.results.shadow import Shadow, ShadowedFeature
from altsel.results.stability import Stability
from altsel.results.stable_selection import StableFeature, StableSelection
from altsel.results.study import Study, Tried, TriedTau
from altsel.results.taxonomy import Taxonomy

HALF = Estimate(0.5, 0.4, 0.6)


def solutions(names: Sequence[str], count: int, k: int = 4, *, mixed: bool = False) -> Solutions:
    """Return sets of neighbouring names; mixed ones have bounds, hold-out scores and other names."""
    sets = []
    for number in range(count):
        features = tuple(names[(number + j) % len(names)] for j in range(min(k, len(names))))
        score = 1.0 - number / 1000
        loose = mixed and number % 2 == 1
        proof = Proof.FEASIBLE if loose else Proof.OPTIMAL
        bound = score + 0.1 if loose else score
        held = score - 0.01 if mixed else None
        sets.append(FeatureSet(features, score, proof, bound, bound - score, holdout=held, p_null=held))
    members = {names[0]: (names[0], *(f"{names[0]}{j}" for j in range(9)))} if mixed else {}
    return Solutions(tuple(sets), Stop.COUNT, tuple(names), names[0], names[-1], members=members)


def front(names: Sequence[str], count: int) -> Front:
    """Return points that each swap one feature more for others."""
    points = []
    for number, one in enumerate(solutions(names, count)):
        found = Solutions((one,), Stop.COUNT, tuple(names), names[0], names[-1], request={"k": [4, 4]})
        points.append(Point(number / count, one.score, found))
    return Front(tuple(points), Stop.TIME, names[0], names[1], (tuple(names[:4]),))


def performance(names: Sequence[str], count: int) -> Performance:
    """Return scores of sets."""
    sets = tuple(SetPerformance(tuple(names[:40]), HALF, HALF, HALF, 0.05) for _ in range(count))
    return Performance(sets, HALF, HALF, None, (0.1, 0.2), names[0], names[1])


def stability(names: Sequence[str], count: int) -> Stability:
    """Return what a search selects from resamples."""
    sets = tuple(one.features for one in solutions(names, count))
    return Stability(tuple(names), sets, (sets, sets[::-1]), names[0], HALF, HALF, HALF, names[1], 99)


def discoveries(names: Sequence[str]) -> Discoveries:
    """Return features of which every other one is selected."""
    tested = tuple(
        TestedFeature(name, 0.5, 0.5, 99.0 * (j % 2), 1 - j % 2, j % 2 == 1) for j, name in enumerate(names)
    )
    return Discoveries(tested, 0.1, 0.05, 50, names[0], names[-1], names[0])


def study(names: Sequence[str], count: int) -> Study:
    """Return a study whose configurations, claims and findings are names."""
    tried = tuple(Tried(names[j % len(names)], float(j), 0.5, 0.5) for j in range(count))
    return Study(
        names[0], 99, 9, "Brier score", tried, 0, count - 1, HALF, HALF, HALF, {"log-loss": HALF}, HALF, HALF,
        0.5, (TriedTau(0.5, 0.1, 0.1),), tuple(names[:5]), tuple(names[:5]), solutions(names, count),
        performance(names, count), None, stability(names, count), discoveries(names),
    )  # fmt: skip


def ranges(names: Sequence[str], count: int) -> ImportanceRanges:
    """Return losses of each kind, and pairs of neighbouring names."""
    kinds = list(Known)
    features = tuple(
        FeatureRange(
            name,
            (name, f"{name}0"),
            sets=1,
            share=0.5,
            range_class=list(RangeClass)[j % 2],
            best_without=1.0,
            best_with=2.0,
            without=LeastLoss(kinds[j % 4], 0.25),
            holding=LeastLoss(kinds[4 + j % 2]),
            most_without=0.5,
            most_holding=None,
            ruled=j % 3 == 0,
            resamples=(0.5, 0.25, 0.25),
        )
        for j, name in enumerate(names)
    )
    pairs = tuple(ExchangedPair(*pair, 2, 1) for pair in pairwise(names[: count + 1]))
    stop, words = Stop.TIME, (names[0], names[-1])
    return ImportanceRanges(features, pairs, count, 2.0, 0.5, False, stop, True, 9, *words)


def distribution(names: Sequence[str], count: int) -> ImportanceDistribution:
    """Return what names are worth, and a resample whose list is not complete."""
    features = tuple(
        FeatureDistribution(name, 0.5, 0.0, 1.0, 0.0, 2.0, (0.5, 0.25, 0.25), (0.95 * (j % 2), 0.2, 0.2))
        for j, name in enumerate(names)
    )
    good = WorthInGoodSets(count, False, dict.fromkeys(names, (0.5,)))
    return ImportanceDistribution(features, good, (good, good), 0.95, names[0], names[1], names[2], 99)


def removals(names: Sequence[str], count: int) -> RemovalStability:
    """Return how often removals of neighbouring names fail."""
    sets = tuple((names[j % len(names)], names[(j + 1) % len(names)]) for j in range(count))
    return RemovalStability(sets, (True,) * count, (HALF,) * count, 99, names[0], names[1], 99)


def card(names: Sequence[str], count: int) -> ScoreCard:
    """Return a card of all names."""
    items = tuple(CardItem(f"{name} = {name}", 2, name, level=name) for name in names)
    totals = tuple(TotalRisk(total, 0.5, 9.0, 0.4) for total in range(count))
    words = (Proof.FEASIBLE, Stop.TIME, names[0], (names[1], names[2]), len(names), "at most so many")
    return ScoreCard(items, 0.0, 1.0, totals, 5.0, 6.0, 4.0, *words)


def family(names: Sequence[str], count: int) -> altsel.blankets.Blankets:
    """Return a family by failed removals of neighbouring names."""
    pairs = zip(names[::2], names[1::2], strict=False)
    failed = tuple(FailedRemoval(pair, (), Evidence.NEEDED) for pair in list(pairs)[:count])
    found = replace(solutions(names, 1), sets=())
    return altsel.blankets.Blankets(replace(found, dual=Dual(failed, complete=True)))


def everything(names: Sequence[str], count: int) -> dict[str, Any]:
    """Return one object of each kind, of so many sets."""
    found = solutions(names, count, mixed=True)
    rows = np.random.default_rng(0).integers(3, size=(50, min(len(names), 200)))
    table = dict(zip(names, rows.T, strict=False))
    data = altsel.Dataset(table, np.arange(50) % 2, kinds=dict.fromkeys(table, "categorical"))
    test = altsel.independence.GSquare(data)
    verdicts = tuple(Verdict(name, Role.MEMBER, -9.0, tuple(names)) for name in names)
    steps = tuple(Step(name, 0.5) for name in names)
    answer = Comparison(names[0], Definition.MODEL, 0.5, difference=0.1)
    pairs = tuple(Pair(0, second, (answer,), (0.5,), True) for second in range(1, count))
    reports = tuple(
        FeatureReport(name, list(FeatureClass)[j % 5], Relevance.WEAK, 0.5, Basis.TESTS, -9.0, tuple(names))
        for j, name in enumerate(names)
    )
    shadowed = tuple(ShadowedFeature(name, 0.5, 0.1, 0.05, 0.05) for name in names)
    rules = [altsel.domain.at_most(2, names[j : j + 3]) for j in range(min(count, len(names) - 3))]
    checks = tuple(Check(names[j % len(names)], [True, False, None][j % 3], names[0]) for j in range(count))
    return {
        "Solutions": found,
        "FeatureSet": FeatureSet(tuple(names), 1.0, Proof.TESTED, 2.0, 1.0, 0, 0.5, verdicts, steps),
        "Front": front(names, count),
        "MSG": altsel.msg(found),
        "Blankets": family(names, count),
        "Dual": Dual(
            tuple(FailedRemoval((name, *names), (), Evidence.NEEDED, name, -9.0) for name in names[:count]),
            complete=False,
            missed=2,
        ),
        "Taxonomy": Taxonomy(reports, 0.05, complete=False),
        "Equivalence": Equivalence(tuple(map(tuple, found)), pairs, (names[0],), 0.05),
        "Audit": altsel.auditing.Audit(checks, tuple(names)),
        "Performance": performance(names, count),
        "Stability": stability(names, count),
        "RemovalStability": removals(names, count),
        "ImportanceRanges": ranges(names, count),
        "ImportanceDistribution": distribution(names, count),
        "ScoreCard": card(names, count),
        "Discoveries": discoveries(names),
        "Study": study(names, count),
        "FamilyClaim": discoveries(names).claim([names[:2], names[-2:]]),
        "StableSelection": StableSelection(
            tuple(StableFeature(name, 0.75, True) for name in names),
            0.7,
            0.5,
            "unimodal",
            *(2.0, 0.5, None, 3.5),
            50,
            "any set",
            names[0],
        ),
        "Shadow": Shadow(shadowed, (0.1,) * 19, (0.5,) * 19, 0.05, names[0]),
        "Dataset": data,
        "Look": altsel.look({**table, "the answer": np.arange(50) % 2}, "the answer"),
        "Dependence": altsel.Dependence(dict.fromkeys(names, 0.5), measure=names[0], target=names[-1]),
        "Problem": Problem(Univariate(dict.fromkeys(names, 1.0)), 2, rules),
        "GSquare": test,
        "BenjaminiHochberg": altsel.independence.BenjaminiHochberg(test),
    }


def small() -> Solutions:
    """Return the sets of a real search."""
    return altsel.sequential(Problem(Univariate([3, 2, 2, 1]), k=2), Dice(0.5), alternatives=2)
