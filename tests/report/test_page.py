"""The page: what it holds is what was found, and nothing in a name is more than text."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import partial
from html import unescape
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import altsel
from altsel import ArgumentError, DataError, Front, Solutions
from altsel.cli.app import app
from altsel.display.document import digest
from altsel.report import evidence
from altsel.report.content import content
from altsel.report.layered import layered
from altsel.report.page import page
from altsel.report.parts import Numbers, Parts
from altsel.results.dual import Dual, Evidence, FailedRemoval
from altsel.results.estimate import Estimate
from altsel.results.front import Point
from altsel.results.performance import Performance, SetPerformance
from altsel.results.stability import Stability
from tests.report.samples import HOSTILE, few, hostile, many


@pytest.fixture(scope="module")
def front() -> Front:
    return altsel.pareto_front(altsel.Problem(altsel.Univariate([5, 4, 4, 3]), k=2), altsel.Dice(0))


@pytest.fixture(scope="module")
def searched(ionosphere: altsel.Dataset) -> Solutions:
    relevant = altsel.Univariate(altsel.dependence(ionosphere, altsel.measures.absolute_spearman))
    return altsel.sequential(altsel.Problem(relevant, k=3), altsel.Dice(0.3), alternatives=2)


def shown(found: Solutions | Front, **parts: Any) -> dict[str, Any]:
    return content(found, Parts(**parts))[0]


def embedded(text: str, name: str) -> str:
    found = re.search(rf'<script type="application/json" id="{name}">(.*?)</script>', text, re.DOTALL)
    assert found is not None
    return found.group(1)


class Tags(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, tuple[str, ...]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, tuple(name for name, _ in attrs)))


def test_names_add_no_element_and_no_attribute() -> None:
    plain, harmful = page(few()), page(hostile(), title="</title><script>")
    assert Tags(harmful).found == Tags(plain).found
    assert harmful.count("</script>") == 4
    assert not {"\u2028", "\u2029", "\u202e"} & set(harmful)


def test_the_policy_allows_this_script_and_style_and_nothing_else() -> None:
    text = page(few())
    policy = unescape(re.findall(r'Content-Security-Policy" content="([^"]*)"', text)[0])
    script = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    style = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    assert f"script-src {digest(script[0])};" in policy
    assert f"style-src {digest(style[0])};" in policy
    assert (len(script), len(style)) == (1, 1)
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    assert not re.search(
        r"innerHTML|outerHTML *=|insertAdjacent|document\.write|eval\(|https?://(?!www\.w3)", script[0]
    )


@pytest.mark.parametrize("found", [few(), hostile(), replace(few(), sets=())], ids=["few", "hostile", "none"])
def test_the_embedded_solutions_are_the_solutions(found: Solutions) -> None:
    assert Solutions.from_json(embedded(page(found), "found")) == found


def test_what_is_shown_is_what_was_found() -> None:
    found = few()
    made = shown(found)
    assert [[made["names"][j] for j in one] for one in made["sets"]] == [list(one) for one in found]
    columns = {one["name"]: one["values"] for one in made["columns"]}
    assert columns["score"] == [one.score for one in found]
    assert columns["bound"] == [one.bound for one in found]
    ways = {(row[0][0], tuple(row[1]), tuple(row[2]), row[3]) for row in made["substitutions"]["rows"]}
    index = {name: j for j, name in enumerate(found.universe)}
    assert ways == {
        (index[f], tuple(index[x] for x in along), tuple(index[x] for x in entering), sets)
        for f, along, entering, sets, _, _ in altsel.substitutions(found).itertuples(index=False)
    }


@pytest.mark.parametrize("found", [few(), hostile(), many(150, 60)], ids=["few", "hostile", "many"])
def test_every_set_is_the_union_of_the_boxes_it_passes(found: Solutions) -> None:
    graph = altsel.msg(found)
    nodes = {node.name: node for node in graph.nodes}
    for one in found:
        steps = graph.steps_of(one.features)
        taken = [name for n, a in steps if n > 1 for name in nodes[n].alternatives[a]]
        assert sorted(taken) == sorted(one)
        path = graph.nodes_of(one.features[::-1])
        assert set(pairwise(path)) <= set(graph.edges)
        assert (path[0], path[-1]) == (0, 1)
    with pytest.raises(ArgumentError, match="no solution of 'zz'"):
        graph.nodes_of(["zz"])


@pytest.mark.parametrize("found", [few(), hostile(), many(150, 60)], ids=["few", "hostile", "many"])
def test_boxes_do_not_overlap_and_lines_run_to_the_right(found: Solutions) -> None:
    graph = altsel.msg(found)
    sizes = {node.name: (20.0 + 7 * (node.name % 5), 14.0 + 16 * (node.name % 4)) for node in graph.nodes}
    drawn = layered(sizes, graph.edges)
    boxes = [(*drawn.positions[name], *sizes[name]) for name in sizes]
    for i, (x, y, w, h) in enumerate(boxes):
        assert 0 <= x <= drawn.width - w + 1e-6
        assert -1e-6 <= y <= drawn.height - h + 1e-6
        for u, v, s, t in boxes[:i]:
            assert x >= u + s or u >= x + w or y >= v + t - 1e-6 or v >= y + h - 1e-6
    for points in drawn.routes.values():
        assert all(a[0] < b[0] for a, b in pairwise(points))


@pytest.mark.slow
def test_data_add_tests_of_sets_and_features(searched: Solutions, ionosphere: altsel.Dataset) -> None:
    made = shown(searched, data=ionosphere)
    compared = altsel.equivalence(searched, ionosphere)
    assert made["equivalence"]["classes"] == compared.classes()
    verdicts = next(one["values"] for one in made["columns"] if one["name"] == "beside set 0")
    assert verdicts == [None, *map(compared.verdict, compared)]
    test = altsel.independence.auto(ionosphere)
    classes = altsel.taxonomy(searched, test, equivalent=compared)
    assert [row[1] for row in made["taxonomy"]["rows"]] == [one.feature_class.value for one in classes]
    assert [note.strip(".") for note in made["taxonomy"]["notes"]] == [
        note[0].upper() + note[1:] for note in classes.notes()
    ]
    assert not classes.judged
    assert made["substitutions"]["rows"] == []  # no set is equivalent to the first
    assert made["substitutions"]["note"].startswith("No other set is known to be equivalent to set 0")
    assert "not tested" in shown(searched)["substitutions"]["note"]
    a, b, c, noise = np.random.default_rng(0).normal(size=(4, 200))
    copied = altsel.Dataset({"a": a, "near": a + 0.01 * c, "b": b, "c": c}, a + b + noise)
    found = altsel.sequential(altsel.Problem(altsel.LinearFit(copied), 2), altsel.Dice(0.5), 2)
    made = shown(found, data=copied)
    assert made["substitutions"]["note"] is None
    ways = {(tuple(row[0]), tuple(row[2])) for row in made["substitutions"]["rows"]}
    assert ways == {((0,), (1,)), ((1,), (0,))}
    assert all(row[5] is not None for row in made["substitutions"]["rows"])


def test_a_near_optimal_list_shows_which_features_it_needs() -> None:
    problem = altsel.Problem(altsel.Univariate([9, 4, 3, 1]), k=2)
    found = altsel.near_optimal(problem, altsel.AbsoluteLoss(2))
    made = shown(found)["importance"]
    ranges = altsel.importance_range(found)
    heads = [[[0], "core", 1.0], [[1], "sometimes", 0.5], [[2], "sometimes", 0.5]]
    assert [row[:3] for row in made["rows"]] == heads
    losses = [[one["text"] for one in row[3]] for row in made["rows"]]
    assert losses == [["> 2", "0 to 1"], ["1", "0"], ["0", "1"]]
    assert [row[4:] for row in made["rows"]] == [["> 15 %", None], ["7.7 %", None], ["0 %", None]]
    assert (made["tolerance"], made["notes"]) == (ranges.tolerance, ["1 feature never: x3"])
    assert str(ranges).startswith(made["title"])
    assert "same class" not in made["said"]
    drawn = Stability(
        found.universe, tuple(map(tuple, found)), ((("x0", "x1"),),), "by hand", None, None, None
    )
    assert [row[5] for row in shown(found, stability=drawn)["importance"]["rows"]] == [1.0, 0.0, 0.0]
    assert shown(altsel.sequential(problem, altsel.Dice(0), 1))["importance"] is None
    assert shown(replace(found, sets=()))["importance"] is None


@pytest.mark.slow
def test_score_cards_of_the_same_target_are_shown() -> None:
    heart = altsel.Dataset(altsel.example("heart"), "disease")
    found = altsel.sequential(altsel.Problem(altsel.ModelFit(heart), k=2), altsel.Dice(0.5), 0)
    first = altsel.score_card(heart, k=2)
    second = altsel.score_card(heart, k=2, different_from=[first])
    made = shown(found, score_cards=[first, second])["cards"]
    assert [card["points"] for card in made] == [
        [[item.name, item.points] for item in card.items] for card in (first, second)
    ]
    assert [row[0] for row in made[0]["totals"]] == [one.total for one in first.totals]
    assert made[0]["totals"][0][1:] == [first.totals[0].risk, first.totals[0].rows, first.totals[0].share]
    assert all(note in str(first) for note in made[0]["notes"])
    assert shown(found)["cards"] == []
    with pytest.raises(ArgumentError, match="tells the risk of 'other', and the sets explain 'disease'"):
        shown(found, score_cards=[replace(first, target="other")])
    with pytest.raises(ArgumentError, match=r"a list of what altsel\.score_card returned"):
        shown(found, score_cards=["card"])


@pytest.mark.slow
def test_measurements_come_through_files(
    searched: Solutions, ionosphere: altsel.Dataset, tmp_path: Path
) -> None:
    from sklearn.naive_bayes import GaussianNB  # noqa: PLC0415  (heavy)

    scored = altsel.performance(searched, ionosphere, GaussianNB(), cv=3)
    relevances = altsel.dependence(ionosphere, altsel.measures.absolute_spearman)
    front = altsel.pareto_front(altsel.Problem(altsel.Univariate(relevances), k=3), altsel.Dice(0))
    stable = Stability(
        searched.universe,
        tuple(one.features for one in searched),
        ((searched[0].features,), (searched[1].features,)),
        "by hand",
        None,
        None,
        None,
        searched.target,
        351,
    )
    assert Performance.from_json(scored.to_json()) == scored
    assert Stability.from_json(stable.to_json()) == stable
    again = Front.from_json(front.to_json())
    assert again.to_frame().equals(front.to_frame())
    assert (again.stop, again.measure, again.reference) == (front.stop, front.measure, front.reference)
    made = shown(searched, performance=scored, stability=stable, front=front)
    columns = {one["name"]: one["values"] for one in made["columns"]}
    assert columns["models"] == [one.score.value for one in scored.sets]
    assert columns["found again"] == [0.5, 0.5, 0.0]
    assert [point["y"] for point in made["front"]["points"]] == [point.quality for point in front]
    files: dict[str, Any] = {"found": searched, "performance": scored, "stability": stable, "front": front}
    for name, result in files.items():
        (tmp_path / f"{name}.json").write_text(result.to_json(), encoding="utf-8")
    options = [word for name in list(files)[1:] for word in (f"--{name}", str(tmp_path / f"{name}.json"))]
    out = tmp_path / "out.html"
    run("report", tmp_path / "found.json", *options, "--title", "T", "--output", out)
    assert out.read_text(encoding="utf-8") == page(searched, Parts(None, scored, stable, again), title="T")
    run("report", tmp_path / "front.json", "--output", out)
    assert Front.from_json(embedded(out.read_text(encoding="utf-8"), "found")).to_json() == front.to_json()


def run(*words: Any) -> None:
    app([str(word) for word in words], standalone_mode=False)


def test_a_front_shows_its_sets(front: Front, tmp_path: Path) -> None:
    made = shown(front)
    assert [made["sets"][point["known"][0]] for point in made["front"]["points"]] == made["sets"]
    assert front.report(tmp_path / "f.html").stat().st_size > 10_000
    none = Front((), altsel.Stop.INFEASIBLE, "Dice", "sum")
    assert shown(none)["sets"] == []


def test_requests_say_how_to_audit(searched: Solutions) -> None:
    command = {
        "name": "select",
        "options": {"target": "a b", "k": "3", "drop": ["x", "y"], "normalize": False, "group_copies": False},
    }
    made = shown(replace(searched, request={**searched.request, "command": command}))
    assert made["command"] == "altsel select DATA --target 'a b' -k 3 --drop x --drop y --no-group-copies"
    assert made["audit"] == "altsel audit FILE DATA"
    assert ["k", "[3, 3]"] in shown(searched)["asked"]
    assert "altsel.audit" in shown(searched)["audit"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"path": "page.txt"}, "end its name in .html"),
        ({"path": 3}, "path=3; give a file"),
        ({"path": "no/such/folder/page.html"}, "cannot be written"),
        ({"title": 3}, "title=3; give a text"),
        ({"data": "table.csv"}, "data='table.csv'; give a Dataset"),
        ({"performance": 3}, "performance=3; give what altsel.performance"),
        ({"stability": Stability(("q",), (), (), "", None, None, None)}, "stability has 'q', no features"),
        ({"stability": Stability(("a",), (), (), "", None, None, None, "t")}, "stability is for 't'"),
        ({"front": few()}, "front=<Solutions"),
    ],
)
def test_what_does_not_belong_is_refused(arguments: dict[str, Any], message: str, tmp_path: Path) -> None:
    given = {"path": tmp_path / "page.html", **arguments}
    if isinstance(given["path"], str):
        given["path"] = tmp_path / given["path"]
    with pytest.raises(ArgumentError, match=re.escape(message)):
        few().report(**given)
    assert list(tmp_path.iterdir()) == []


def test_other_data_and_other_sets_are_refused(
    front: Front, searched: Solutions, ionosphere: altsel.Dataset
) -> None:
    with pytest.raises(DataError, match="another fingerprint"):
        page(replace(searched, request={"data": "0"}), Parts(ionosphere))
    with pytest.raises(ArgumentError, match="front is of other criterion than the solutions"):
        page(few(), Parts(front=front))
    with pytest.raises(ArgumentError, match="front has 'x0'"):
        page(few(), Parts(front=replace(front, quality=few().criterion)))
    alone = altsel.results.SetPerformance(("a",), altsel.results.Estimate(1.0))
    scored = Performance((alone,), alone.score, alone.score, None, (), "m", "s")
    with pytest.raises(ArgumentError, match="performance is of other sets"):
        page(few(), Parts(performance=scored))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "a.json: not the JSON of Solutions: Invalid JSON"),
        ("sets", "a.json is not JSON; write solutions or a front with --format json"),
        ('{"points": 3}', "not the JSON of a front: measure: is missing"),
        ("[]", "not the JSON"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(text)
    with pytest.raises(DataError, match=re.escape(message)):
        run("report", tmp_path / "a.json", "--output", tmp_path / "b.html")
    with pytest.raises(ArgumentError, match="read by the command"):
        run("report", tmp_path / "a.html", "--output", tmp_path / "a.html")
    assert len(HOSTILE) == 48


@pytest.mark.slow
def test_what_was_measured_of_other_data_is_refused(
    searched: Solutions, ionosphere: altsel.Dataset, tmp_path: Path
) -> None:
    rows = altsel.Dataset(ionosphere.X.iloc[:300], ionosphere.y.iloc[:300])
    other = rows.fingerprint
    relevances = altsel.dependence(rows, altsel.measures.absolute_spearman)
    problem = altsel.Problem(altsel.Univariate(relevances), k=3)
    parts: dict[str, Any] = {
        "performance": altsel.performance(searched, rows, cv=3, other_data=True),
        "stability": altsel.stability(lambda table: [table.features[:2]], rows, resamples=2),
        "front": altsel.pareto_front(problem, altsel.Dice(0)),
    }
    (tmp_path / "found.json").write_text(searched.to_json(), encoding="utf-8")
    for name, part in parts.items():
        again = type(part).from_json(part.to_json())
        assert (part.data, again.data) == (other, other)
        assert json.loads(part.to_json())["versions"]["altsel"] == altsel.__version__
        with pytest.raises(ArgumentError, match=f"^{name} is of other data than the solutions"):
            searched.report(tmp_path / "page.html", **{name: again})
        file = tmp_path / f"{name}.json"
        file.write_text(part.to_json(), encoding="utf-8")
        out = ["--output", tmp_path / "page.html"]
        with pytest.raises(ArgumentError, match=re.escape(f"{file} (--{name}) is of other data")):
            run("report", tmp_path / "found.json", f"--{name}", file, *out)
        assert not (tmp_path / "page.html").exists()
    with pytest.raises(ArgumentError, match="performance is of other data than the data"):
        shown(replace(searched, request={}), data=ionosphere, performance=parts["performance"])
    with pytest.raises(ArgumentError, match="front is for 'z', the solutions for 'target'"):
        shown(replace(searched, request={}), front=replace(parts["front"], target="z"))
    run(
        "report",
        tmp_path / "found.json",
        "--performance",
        tmp_path / "performance.json",
        "--other-data",
        *out,
    )
    assert searched.report(tmp_path / "page.html", **parts, other_data=True).exists()


def test_a_front_of_another_question_is_refused(searched: Solutions) -> None:
    point = replace(searched, request={**searched.request, "k": [9, 9]})
    front = Front((Point(0.5, 1.0, point),), altsel.Stop.EXHAUSTED, "Dice", searched.criterion)
    with pytest.raises(ArgumentError, match="front is of other sizes than the solutions"):
        shown(searched, front=front)


@pytest.mark.filterwarnings("ignore:features determine the target:altsel.DataWarning")
def test_files_that_json_or_their_own_lengths_refute_are_refused() -> None:
    rows = altsel.Dataset({"a": [0.0, 1, 2, 3] * 9, "b": [1.0, 0, 0, 1] * 9}, [0.1, 1.0, 2.2, 3.1] * 9)
    scored = altsel.performance([["a"], ["b"]], rows, cv=3)
    assert Performance.from_json(scored.to_json()) == scored
    plain = json.loads(scored.to_json())
    plain["no_features"]["value"] = float("nan")
    with pytest.raises(DataError, match="a performance: NaN is no number"):
        Performance.from_json(json.dumps(plain))
    plain = json.loads(scored.to_json())
    plain["comparisons"]["pairs"][0]["adjusted"] = [0.5]
    with pytest.raises(DataError, match="a pair has no p for each test"):
        Performance.from_json(json.dumps(plain))
    plain["comparisons"]["pairs"] = []
    with pytest.raises(DataError, match="has 0 entries; 2 sets have 1"):
        Performance.from_json(json.dumps(plain))


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"bound": -1.0}, "set 0 contradicts itself: its bound -1 is below its score"),
        ({"bound": 99.0}, "it is called optimal, yet its bound 99 is above its score"),
        ({"gap": -0.5, "proof": altsel.Proof.FEASIBLE}, "its gap -0.5 is negative"),
        ({"score": float("nan")}, "score nan"),
        ({"features": ("zz",)}, "it has 'zz', which the universe does not"),
    ],
)
def test_sets_that_contradict_themselves_are_refused(
    searched: Solutions, changed: dict[str, Any], message: str
) -> None:
    with pytest.raises(DataError, match=re.escape(message)):
        shown(replace(searched, sets=(replace(searched[0], **changed), *searched.sets[1:])))


def test_fronts_that_contradict_themselves_are_refused(searched: Solutions) -> None:
    points = (Point(0.0, 1.0, searched), Point(0.5, 1.0, searched))
    front = Front(points, altsel.Stop.EXHAUSTED, "Dice", "sum")
    with pytest.raises(DataError, match="of points 0 and 1 one is as different as the other and no worse"):
        shown(front)
    nothing = replace(front, points=(Point(0.5, 1.0, replace(searched, sets=())),))
    with pytest.raises(DataError, match="point 0 has no set"):
        shown(nothing)


def test_a_stability_of_another_search_is_refused(searched: Solutions, ionosphere: altsel.Dataset) -> None:
    sets = tuple(one.features for one in searched)
    known = Stability(searched.universe, sets, (sets,), "by hand", None, None, None, searched.target)
    assert shown(searched, stability=known)["stability"]["resamples"] == 1
    asked = dict(searched.request)
    assert shown(searched, stability=replace(known, request=asked))["stability"]
    other = replace(known, reference=sets[1:])
    requested = replace(known, request={**asked, "alternatives": 9})  # the same sets in all rows
    for wrong in (other, requested):
        with pytest.raises(ArgumentError, match="stability is of another search than the solutions"):
            page(searched, Parts(stability=wrong))
    assert shown(replace(searched, stop=altsel.Stop.TIME), stability=other)["stability"]
    data = altsel.Dataset(ionosphere.X[["a01", "a03", "a05"]], ionosphere.y)
    measured = altsel.stability(partial(altsel.ranking.mim, k=2), data, 2)
    one = altsel.ranking.mim(data, k=1)
    with pytest.raises(ArgumentError, match="of another search"):  # from Python alike
        one.report("page.html", stability=measured)


def test_a_performance_whose_repeated_searches_are_of_another_one_is_refused(searched: Solutions) -> None:
    score = Estimate(0.8, 0.7, 0.9, (0.8,))
    sets = tuple(SetPerformance(one.features, score, nested=score) for one in searched)
    asked = {**searched.request, "alternatives": 9}
    scored = Performance(sets, score, score, None, (), "trees", "accuracy", request=asked)
    with pytest.raises(ArgumentError, match="performance is of another search than the solutions"):
        page(searched, Parts(performance=scored))
    alone = replace(scored, sets=tuple(replace(one, nested=None) for one in sets))
    assert shown(searched, performance=alone)["performance"]  # of the same sets, whoever found them


@pytest.mark.filterwarnings("ignore:.* rows are copies:altsel.DataWarning")
def test_a_front_beside_blankets_is_refused(ionosphere: altsel.Dataset) -> None:
    data = altsel.Dataset(ionosphere.X[["a01", "a03", "a05", "a07"]], ionosphere.y)
    front = altsel.pareto_front(altsel.Problem(altsel.Univariate(data), k=1), altsel.Dice(0))
    found = altsel.blankets.iamb(altsel.independence.auto(data))
    with pytest.raises(ArgumentError, match="front is of other criterion than the solutions"):
        page(found, Parts(front=front))


def test_a_certificate_is_told_in_words_with_the_smallest_of_its_removals() -> None:
    names = tuple(f"x{j}" for j in range(250))
    failed = [
        FailedRemoval(names[j : j + 1 + j % 3], (names[-1],), Evidence.NEEDED, names[j], -9.0)
        for j in range(240)
    ]
    failed[7] = FailedRemoval(names[7:9], ())
    found = Solutions(
        (), altsel.Stop.HEURISTIC, names, "test", dual=Dual(tuple(failed), True, missed=2, attempts=5)
    )
    told = shown(found)["certificate"]
    assert (
        told["lines"][0]
        == "Certificate: complete, no other set has a feature of each of 240 failed removals."
    )
    assert "1 of 240 failed removals not confirmed: no test confirms it." in told["lines"]
    assert (
        "5 attempts to refute it by searches of random features: 2 blankets had been missed." in told["lines"]
    )
    assert "group them: --group-above 0.99, in Python data.grouped(0.99)" in told["lines"][-1]
    assert (len(told["rows"]), told["more"]) == (200, 40)
    assert told["rows"][0] == [[0], "a removed feature tells something given all others", [0], -9.0, [249]]
    assert [[7, 8], "no test confirms it", [], None, []] in told["rows"]
    assert "BlanketProblem(test, alpha)" in shown(found)["audit"]
    assert shown(few())["certificate"] is None


def test_costs_are_columns_of_the_matrix() -> None:
    rules = [
        altsel.domain.budget({"x0": 4, "x1": 2.5}, 6, other=1),
        altsel.domain.budget({"x2": 3}, 5, other=0),
    ]
    found = altsel.sequential(
        altsel.Problem(altsel.Univariate([4, 3, 2, 1]), k=2, subject_to=rules), altsel.Dice(0.5), 1
    )
    columns = {one["name"]: one["values"] for one in content(found, Parts())[0]["columns"]}
    assert [*columns][:4] == ["score", "of best", "cost", "cost 2"]
    assert [*zip(columns["cost"], columns["cost 2"], strict=True)] == [one.spent for one in found]
    assert len(found) == 2


def test_what_replaces_what_is_of_a_bounded_number_of_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evidence, "REPLACED", 3)
    found = altsel.near_optimal(
        altsel.Problem(altsel.Univariate([5, 4, 3, 2, 1]), 2), altsel.RelativeLoss(0.5)
    )
    assert len(found) > 3
    made = evidence.substitutions_of(found, Numbers(found.universe), evidence.Tested())
    cut = replace(found, sets=found.sets[:3])
    first = evidence.substitutions_of(cut, Numbers(found.universe), evidence.Tested())
    assert made["rows"] == first["rows"]
    assert made["note"].endswith(f"These are the ways among the first 3 sets of {len(found)}.")
    assert "first" not in first["note"]


def words(sentences: list[list[Any]], names: list[str]) -> str:
    """Write sentences of a page as its script does."""
    parts = [part for one in sentences for part in (*one, " ")]
    return "".join(part if isinstance(part, str) else ", ".join(names[j] for j in part) for part in parts)


def cards(made: dict[str, Any]) -> dict[str, tuple[str, str]]:
    return {one["question"]: (one["known"], one["text"]) for one in made["summary"]["checks"]}


def test_the_summary_says_in_words_what_was_found() -> None:
    found = altsel.sequential(altsel.Problem(altsel.Univariate([4, 3, 2, 1]), k=2), altsel.Dice(0.5), 1)
    made = shown(found)
    told = words(made["summary"]["result"], made["names"])
    assert told.startswith("2 sets of 2 features: the highest score, 7, has set 0: x0, x1. ")
    assert told.endswith(
        "The other one has 86 % of that score and lacks 1 of its features; in all sets: x0. "
    )
    assert "made without the table" in words(made["summary"]["data"], made["names"])
    assert {question: known for question, (known, _) in cards(made).items()} == {
        "Proved best?": "good",
        "Are others as good?": "open",
        "Do they predict?": "open",
        "Stable?": "open",
        "Audited?": "open",
        "Certified?": "open",
    }
    assert cards(shown(found, audit=True))["Audited?"][0] == "good"
    with pytest.raises(ArgumentError, match="altsel report FILE --data TABLE --audit"):
        shown(Solutions.from_json(found.to_json()), audit=True)
    none = shown(replace(found, sets=(), stop=altsel.Stop.INFEASIBLE))["summary"]
    assert none == {**none, "checks": [], "result": [["No set was found (proved: there is no further one)."]]}
    assert cards(shown(few()))["Proved best?"] == (
        "mixed",
        "0 of 10 sets proved best. A set could score at most 10 % more than the one found.",
    )


@pytest.mark.filterwarnings("ignore:.*:altsel.DataWarning")
def test_the_summary_says_what_was_dropped_and_which_sets_are_as_good() -> None:
    a, b, noise = np.random.default_rng(0).normal(size=(3, 60))
    table = {"a": a, "b": b, "near": b + noise / 50, "one": np.ones(60), "c": noise}
    table["a"][:3] = np.nan
    y = np.where(np.nan_to_num(a) + b + noise > 0, "yes", "no")
    data = altsel.Dataset(pd.DataFrame(table), pd.Series(y, name="ill"), missing="drop rows")
    found = altsel.sequential(altsel.Problem(altsel.Univariate(data), k=2), altsel.Dice(0.5), 2)
    made = shown(found, data=data)
    told = words(made["summary"]["data"], made["names"])
    shares = ", ".join(f"{name} {n} ({100 * n / 57:.2g} %)" for name, n in data.y.value_counts().items())
    assert f"57 rows and 4 columns to choose from; ill: {shares}." in told
    assert "3 of 60 rows (5 %) were dropped, as they miss a value." in told
    assert "1 column left out: one." in told
    verdicts = next(one["values"] for one in made["columns"] if one["name"] == "beside set 0")[1:]
    known, text = cards(made)["Are others as good?"]
    assert known == ("good" if {"equal", "better"} & set(verdicts) else "bad")
    assert all(f"{verdicts.count(one)} {one}" in text for one in verdicts)
    tested = altsel.equivalence(found, data)
    holds = [[p > tested.alpha for p in pair.adjusted] for pair in tested]
    assert made["equivalence"]["holds"] == holds


@pytest.mark.filterwarnings("ignore:features determine the target:altsel.DataWarning")
def test_columns_are_measured_and_counted_by_class() -> None:
    a = np.repeat([0.0, 1.0, 2.0, 9.0], 10)
    wide = np.linspace(-3, 3, 40)
    y = ["no"] * 20 + ["yes"] * 20
    data = altsel.Dataset({"a": a, "wide": wide, "c": ["u", "v"] * 20}, y)
    found = altsel.sequential(altsel.Problem(altsel.Univariate(data), k=3), altsel.Dice(0), 0)
    made = shown(found, data=data)["table"]
    assert made["groups"] == ["no", "yes"]
    spread = {found.universe[one["feature"]]: one for one in made["spread"]}
    assert spread["a"]["levels"] == ["0", "1", "2", "9"]
    assert spread["a"]["shares"] == [[0.5, 0.5, 0, 0], [0, 0, 0.5, 0.5]]
    assert spread["c"]["shares"] == [[0.5, 0.5], [0.5, 0.5]]
    assert spread["wide"]["medians"] == pytest.approx([np.median(wide[:20]), np.median(wide[20:])])
    no, yes = spread["wide"]["shares"]
    assert (max(*no, *yes), no[12:], yes[:12]) == (100, [0] * 12, [0] * 12)
    measured = altsel.dependence(data, altsel.measures.association)
    relevance = {found.universe[j]: value for j, value in made["relevances"]["rows"]}
    assert relevance == pytest.approx(measured.relevance.to_dict(), abs=1e-6)
    assert 0 < made["relevances"]["noise"] < relevance["wide"]
    order = [found.universe[j] for j in made["pairs"]["features"]]
    expected = measured.redundancy.loc[order, order].to_numpy()
    assert np.array(made["pairs"]["values"]) == pytest.approx(expected, abs=1e-3)
    numbers = altsel.Dataset({"a": a, "wide": wide}, wide + a)
    assert (
        shown(
            altsel.sequential(altsel.Problem(altsel.Univariate(numbers), k=1), altsel.Dice(0), 0),
            data=numbers,
        )["table"]["groups"][1]
        == "middle third"
    )
    assert shown(found)["table"] is None
