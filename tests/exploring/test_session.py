"""The session's answers are the library's own."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

import altsel
from altsel.exploring.session import Session
from altsel.exploring.subject import Subject
from tests.exploring.tables import data

TABLE = data()
COUNT = 3
BASE = {"smallest": 3, "largest": 3, "tau": 0.5, "alternatives": COUNT}


@pytest.fixture(scope="module")
def session() -> Session:
    return Session(Subject(TABLE))


def answer(session: Session, do: str, settings: dict[str, Any], **more: Any) -> Any:
    told = session.handle({"do": do, "settings": {**BASE, **settings}, **more})
    assert json.loads(json.dumps(told, allow_nan=False)) == told
    assert "answer" in told, told
    return told["answer"]


def own(settings: dict[str, Any]) -> altsel.Problem:
    """Return the problem of settings, made without the explorer."""
    criterion = {"univariate": altsel.Univariate, "mrmr": altsel.MRMR, "linear-fit": altsel.LinearFit}
    rules, stated = [], settings.get("rules", {})
    rules += [altsel.domain.require(*stated["require"])] if stated.get("require") else []
    rules += [altsel.domain.forbid(*stated["forbid"])] if stated.get("forbid") else []
    rules += [
        altsel.domain.budget(one["cost"], one["limit"], other=one["other"])
        for one in stated.get("budget", [])
    ]
    sizes = settings.get("smallest", 3), settings.get("largest", 3)
    return altsel.Problem(criterion[settings.get("objective", "univariate")](TABLE), sizes, rules)


def scores(sets: Any) -> list[float]:
    return [one["score"] for one in sets]


def clicks(seed: int, steps: int) -> list[dict[str, Any]]:
    """Return settings after each of some random clicks."""
    draw, now, seen = random.Random(seed), dict[str, Any](rules={}), list[dict[str, Any]]()
    for _ in range(steps):
        what = draw.choice(["require", "forbid", "tau", "size", "criterion", "budget", "undo"])
        if what in {"require", "forbid"}:
            name, other = draw.choice(TABLE.features), {"require": "forbid", "forbid": "require"}[what]
            rules = {key: [one for one in now["rules"].get(key, []) if one != name] for key in (what, other)}
            rules[what] = [*rules[what], name][-2:]
            now = {**now, "rules": {**now["rules"], **rules}}
        elif what == "tau":
            now = {**now, "tau": draw.choice([0.0, 0.25, 0.5, 0.7, 1.0])}
        elif what == "size":
            low = draw.randint(1, 4)
            now = {**now, "smallest": low, "largest": low + draw.randint(0, 1)}
        elif what == "criterion":
            now = {**now, "objective": draw.choice(["univariate", "mrmr", "linear-fit"])}
        elif what == "budget":
            cost = {name: draw.randint(0, 4) for name in draw.sample(TABLE.features, 5)}
            budget = [{"limit": draw.randint(2, 9), "cost": cost, "other": 1}]
            now = {**now, "rules": {**now["rules"], "budget": budget}}
        elif seen:
            now = draw.choice(seen)
        seen.append(now)
    return seen


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(1, 31))])
def test_random_clicks_are_answered_as_the_library_does(session: Session, seed: int) -> None:
    for settings in clicks(seed, 12):
        told = answer(session, "sets", settings)
        kind = altsel.Dice(settings.get("tau", 0.5))
        found = altsel.sequential(own(settings), kind, COUNT)
        assert told["stop"] == found.stop.value
        assert scores(told["sets"]) == pytest.approx([one.score for one in found], rel=1e-9)
        assert [one["proof"] for one in told["sets"]] == [one.proof.value for one in found]


def test_sets_come_one_after_another(session: Session) -> None:
    said: list[Any] = []
    told = session.handle({"do": "sets", "settings": {**BASE, "objective": "mrmr", "tau": 0.4}}, said.append)
    steps = [len(one["sets"]) for one in said if "sets" in one]
    assert steps == sorted(steps)
    assert steps[0] == 1
    sets = told["answer"]["sets"]
    assert all(one["sets"] == sets[: len(one["sets"])] for one in said if "sets" in one)


def test_what_was_answered_before_is_not_searched_again(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = answer(session, "sets", {"tau": 0.25})
    monkeypatch.setattr("altsel.exploring.session.sequential", None)
    assert answer(session, "sets", {"tau": 0.25, "loss": 0.1})["sets"] == first["sets"]


@pytest.mark.slow
def test_why_there_is_none_names_single_rules(session: Session) -> None:
    settings = {"rules": {"require": ["f0", "f1"], "forbid": ["f2", "f1"]}}
    assert answer(session, "sets", settings)["rules"][3] == {
        "key": "forbid",
        "place": 1,
        "words": "forbid 'f1'",
    }
    why = answer(session, "why", settings)
    assert [(one["words"], one["rule"]) for one in why["conflict"]] == [
        ("require 'f1'", 1),
        ("forbid 'f1'", 3),
    ]
    sooner = answer(session, "why", settings, repairs=False)
    assert (sooner["conflict"], sooner["repairs"]) == (why["conflict"], [])
    why = answer(session, "why", {"tau": 1.0, "alternatives": 9})
    own_words = altsel.explain(own({}), altsel.Dice(1), 9)
    assert [(one["name"], one["value"]) for one in why["repairs"]] == [
        (one.name, one.value) for one in own_words.repairs
    ]


def test_front_and_near_optimal_sets_are_those_of_the_library(session: Session) -> None:
    told, front = answer(session, "front", {}), altsel.pareto_front(own({}), altsel.Dice(0))
    assert [(one["dissimilarity"], one["quality"]) for one in told["points"]] == [
        (point.dissimilarity, pytest.approx(point.quality)) for point in front
    ]
    assert told["proved"]
    near = answer(session, "near", {"loss": 0.2})
    found = altsel.near_optimal(own({}), altsel.RelativeLoss(0.2))
    assert scores(near["sets"]) == pytest.approx([one.score for one in found])
    assert {
        TABLE.features[one["feature"]]: round(one["share"] * len(found)) for one in near["features"]
    } == dict(found.counts())
    assert near["never"] == len(TABLE.features) - len(found.counts())
    assert len(near["points"]) == len(found)


@pytest.mark.slow
def test_two_sets_are_compared(session: Session) -> None:
    told = answer(session, "compare", {}, pinned=[[0, 1, 2], [0, 1, 3]])
    sets = [["f0", "f1", "f2"], ["f0", "f1", "f3"]]
    scored, tested = altsel.performance(sets, TABLE), altsel.equivalence(sets, TABLE)
    assert (told["gone"], told["come"], told["both"]) == ([2], [3], [0, 1])
    assert told["dissimilarity"] == pytest.approx(1 / 3)
    table = altsel.dependence(TABLE).redundancy
    assert told["alike"] == [[pytest.approx(table.loc["f2", "f3"])]]
    values = [one["value"] for one in told["performance"]["sets"]]
    assert values == pytest.approx([one.score.value for one in scored.sets])
    assert told["equivalence"]["equivalent"] == tested.pairs[0].equivalent
    for wrong in ([[0]], [[0], [99]], [[0], []], "ab", [[0, 0], [1]], [["f0"], ["f1"]]):
        assert "fault" in session.handle({"do": "compare", "settings": BASE, "pinned": wrong})


def test_relevances_stand_beside_what_noise_reaches(session: Session) -> None:
    told = answer(session, "relevances", {})
    assert told["values"] == pytest.approx(altsel.dependence(TABLE).relevance.tolist())
    assert 0 < told["noise"] < max(told["values"])
    assert answer(session, "relevances", {"objective": "linear-fit"}) == told


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ({}, "no message to"),
        ({"do": "eval"}, "no message to"),
        ({"do": ["sets"]}, "no message to"),
        ("sets", "a message is a table"),
        ({"do": "sets", "settings": {"tau": 2}}, "tau"),
        ({"do": "sets", "settings": {"objective": "mrmmr"}}, "did you mean 'mrmr'"),
        ({"do": "sets", "settings": {"measure": "none-such"}}, "none-such"),
        ({"do": "sets", "settings": {"objective": "linear-fit", "measure": "association"}}, "no measure"),
        ({"do": "sets", "settings": {"smallest": 5, "largest": 3}}, "smallest before largest"),
        ({"do": "sets", "settings": {"smallest": 99, "largest": 99}}, "12 features"),
        ({"do": "sets", "settings": {"rules": {"forbid": ["F1"]}}}, "did you mean 'f1'"),
        ({"do": "sets", "settings": {"rules": {"at_most": [{"number": -1, "of": ["f1"]}]}}}, "at_most"),
        ({"do": "save", "form": "../found.json"}, "form="),
    ],
)
def test_what_is_wrong_is_one_clear_fault(session: Session, message: Any, words: str) -> None:
    told = session.handle(message)
    assert words in told["fault"]["message"]
    assert "\n" not in told["fault"]["message"]


def test_a_problem_of_ones_own_keeps_its_criterion_and_rules() -> None:
    problem = altsel.Problem(altsel.Univariate({"a": 3, "b": 2, "c": 1}), 1, [altsel.domain.forbid("a")])
    session = Session(Subject(problem=problem))
    start = session.handle({"do": "start"})["answer"]
    assert (start["names"], start["kept_rules"]) == (["a", "b", "c"], ["forbid 'a'"])
    settings = {**start["settings"], "tau": 1.0}
    told = session.handle({"do": "sets", "settings": settings})["answer"]
    assert [one["features"] for one in told["sets"]] == [[1], [2]]
    settings["rules"] = {"forbid": ["b"]}
    told = session.handle({"do": "sets", "settings": settings})["answer"]
    assert [one["features"] for one in told["sets"]] == [[2]]
    assert session.handle({"do": "relevances", "settings": settings})["answer"]["values"] == [3, 2, 1]


def test_a_fault_of_ones_own_criterion_is_told() -> None:
    class Broken(altsel.models.Objective):
        name, features = "broken", ("a", "b")

        def score(self, mask: Any) -> float:
            raise ZeroDivisionError("divided")

        def express(self, block: Any, sizes: Any) -> None:
            block.quality = 0

    session = Session(Subject(problem=altsel.Problem(Broken(), 1)))
    told = session.handle({"do": "sets", "settings": {"objective": "given", "smallest": 1, "largest": 1}})
    assert told["fault"]["message"]


def test_rows_kept_apart_score_the_sets() -> None:
    train, held = TABLE.split(0.3)
    session = Session(Subject(train, held=held))
    told = answer(session, "sets", {})
    expected = altsel.Univariate(held)
    problem = altsel.Problem(expected, 3)
    names = [[TABLE.features[j] for j in one["features"]] for one in told["sets"]]
    assert [one["holdout"] for one in told["sets"]] == pytest.approx(
        [expected.score(problem.mask(one)) for one in names]
    )
    assert answer(session, "near", {})["sets"][0]["holdout"] == told["sets"][0]["holdout"]
