"""Several thresholds and sizes in one call: the answers of single calls, and less work."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import altsel
from altsel import (
    MRMR,
    ArgumentError,
    Average,
    Dice,
    GroupDice,
    Jaccard,
    LinearFit,
    Problem,
    Stop,
    Univariate,
    domain,
    sequential,
    simultaneous,
    sweep,
)
from altsel.exact.question import Question
from altsel.exact.sources.every_set.engine import AllSets

TAUS = (0.2, 0.5, 0.9)
GROUPS = {f"f{j}": f"g{j // 3}" for j in range(14)}


@pytest.fixture(scope="module")
def table() -> altsel.Dataset:
    rng = np.random.default_rng(4)
    numbers = rng.normal(size=(60, 14))
    numbers[:, 1:] += 0.6 * numbers[:, :-1]
    target = numbers[:, ::4].sum(axis=1) + rng.normal(size=60)
    columns = {f"f{j}": numbers[:, j] for j in range(14)}
    return altsel.Dataset(columns, target, task="regression")


def objectives(table: altsel.Dataset) -> dict[str, Any]:
    measured = altsel.dependence(table, altsel.measures.absolute_pearson)
    return {"sum": Univariate(measured), "mrmr": MRMR(measured), "fit": LinearFit(table)}


DIFFERENT: list[Any] = [Dice, Jaccard, lambda tau: GroupDice(tau, GROUPS), lambda tau: Average(Dice(tau))]
SWEPT = [
    pytest.param(measure, kind, bool((i + j) % 2), marks=pytest.mark.long if (i + j) % 3 == 2 else ())
    for i, measure in enumerate(DIFFERENT)
    for j, kind in enumerate(["sum", "mrmr", "fit"])
]
"""Every measure with every criterion; each of both in turn and together, but not all three."""


@pytest.mark.parametrize(("measure", "kind", "together"), SWEPT)
def test_answers_are_those_of_single_calls(
    measure: Any, kind: str, together: bool, table: altsel.Dataset
) -> None:
    problem = Problem(objectives(table)[kind], 3, [domain.at_most(2, ["f0", "f4", "f8"])])
    sizes: Any = [3, (2, 4)] if isinstance(measure, type) else [3]
    by = [measure(tau) for tau in reversed(TAUS)]
    found = sweep(problem, by, 2, ks=sizes, together=together)
    assert list(found) == [(k, one) for k in sizes for one in by]
    for (k, one), sets in found.items():
        stated = Problem(problem.objective, k, problem.subject_to)
        alone = simultaneous(stated, one, 2) if together else sequential(stated, one, 2)
        scores, others = ([round(subset.score, 9) for subset in each] for each in (sets, alone))
        if together:  # families of the same sum are ties, and which engine finds one first depends on time
            assert sum(scores) == pytest.approx(sum(others), abs=1e-8)
        else:
            assert scores == others
        assert [subset.proof for subset in sets] == [subset.proof for subset in alone]
        assert sets.stop is alone.stop
        assert sets.request["diversity"] == alone.request["diversity"]


def test_lists_are_made_once_and_proofs_hold_further(
    table: altsel.Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Question] = []
    answer = AllSets.answer

    def counted(engine: AllSets, question: Question, run: Any) -> Any:
        asked.append(question)
        return answer(engine, question, run)

    monkeypatch.setattr(AllSets, "answer", counted)
    problem = Problem(objectives(table)["mrmr"], 3)
    found = sweep(problem, [Dice(tau) for tau in (0.1, 0.2, 0.3, 0.9)], 2)
    assert len({id(question.structure) for question in asked}) == 1
    assert len(asked) < 3 * len(found)  # the best set is asked for once
    assert "by what was proved for a smaller tau" in found[3, Dice(0.2)].search


def test_none_by_a_small_tau_is_none_by_a_larger_one() -> None:
    problem = Problem(Univariate([3, 2, 1]), 2)
    found = sweep(problem, [Dice(0.6), Dice(0.9)], 1)
    assert [sets.stop for sets in found.values()] == [Stop.INFEASIBLE] * 2


def test_time_is_shared(table: altsel.Dataset) -> None:
    problem = Problem(objectives(table)["mrmr"], 3)
    found = sweep(problem, [Dice(0.2), Dice(0.4)], 1, time_limit=1e-6)
    assert {sets.stop for sets in found.values()} == {Stop.TIME}


class Unhashable:
    """A measure that cannot be a key."""

    tau = 0.5
    share = Dice.share
    __hash__ = None  # type: ignore[assignment]

    def __call__(self, first: Any, second: Any) -> float:
        return Dice(0.5)(first, second)


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"ks": []}, r"ks=\[\]; give"),
        ({"ks": [0]}, "k=0"),
        ({"dissimilarities": []}, "a list of measures"),
        ({"dissimilarities": Dice(0.5)}, "a list of measures"),
        ({"dissimilarities": [0.5]}, "no dissimilarity"),
        ({"dissimilarities": [Unhashable()]}, "cannot be a key"),
        ({"total": "mean"}, "total='mean'"),
    ],
)
def test_wrong_arguments_are_named(changed: dict[str, Any], fault: str) -> None:
    given = {"dissimilarities": [Dice(0.5)], "alternatives": 1, **changed}
    with pytest.raises(ArgumentError, match=fault):
        sweep(Problem(Univariate([3, 2, 1]), 2), **given)
