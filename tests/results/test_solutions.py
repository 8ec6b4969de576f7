from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import altsel
from altsel import ArgumentError, DataError, Dice, FeatureSet, Problem, Proof, Solutions, Stop, Univariate
from altsel.errors import printable
from altsel.report.content import content
from altsel.report.parts import Parts
from altsel.results.text import text_table
from tests.display.shown_objects import everything


@pytest.fixture
def found() -> Solutions:
    return altsel.sequential(Problem(Univariate([0.5, 0.4, 0.2, 0.1]), k=2), Dice(0.5), alternatives=2)


def test_a_result_reads_like_a_sequence(found: Solutions) -> None:
    assert len(found) == 3
    assert found[0].features == ("x0", "x1")
    assert "x1" in found[0]
    assert [len(subset) for subset in found[1:]] == [2, 2]
    assert found.proved
    assert found.effort.nodes
    assert found.versions["altsel"] == altsel.__version__


def test_tables(found: Solutions) -> None:
    frame = found.to_frame()
    assert list(frame) == ["features", "size", "score", "bound", "gap", "proof", "seconds"]
    assert frame["score"].tolist() == [0.9, 0.7, pytest.approx(0.6)]
    indicator = found.indicator()
    assert list(indicator.columns) == ["x0", "x1", "x2"]
    assert indicator.to_numpy().sum(axis=1).tolist() == [2, 2, 2]
    assert found.dissimilarities(Dice(0.5)).to_numpy().tolist() == [
        [0, 0.5, 0.5],
        [0.5, 0, 0.5],
        [0.5, 0.5, 0],
    ]


RESULTS = {name: one for name, one in everything(["a", "b", "c"], 2).items() if hasattr(one, "to_json")}


@pytest.mark.parametrize("name", RESULTS)
@pytest.mark.parametrize("given", ["found.json", Path("found.json"), True, -1, 2.0, 10**9])
def test_json_is_indented_by_a_number_and_written_to_no_path(name: str, given: Any) -> None:
    with pytest.raises(
        ArgumentError, match=r"^indent=.*use a number of spaces, at most 80, or None"
    ) as refused:
        RESULTS[name].to_json(given)
    fix = "Path('found.json').write_text(result.to_json(), encoding='utf-8') writes a file"
    assert (fix in str(refused.value)) is isinstance(given, str | Path)
    assert RESULTS[name].to_json(None).count("\n") == 0


@pytest.mark.parametrize("name", [name for name, one in RESULTS.items() if hasattr(type(one), "from_json")])
def test_no_number_of_a_file_is_infinite(name: str) -> None:
    """Each number in turn is 1e999, which Python reads as infinity."""
    result = RESULTS[name]
    text = result.to_json(None)
    numbers = list(re.finditer(r"(?<=[:\[ ])-?\d+(\.\d+)?(?=[,\]}])", text))
    assert numbers
    for number in numbers:
        with pytest.raises(DataError):
            type(result).from_json(text[: number.start()] + "1e999" + text[number.end() :])


def test_json_has_the_agreed_form(found: Solutions) -> None:
    plain = json.loads(found.to_json())
    first = plain["sets"][0]
    assert first["features"] == ["x0", "x1"]
    assert (first["score"], first["bound"], first["gap"], first["proof"]) == (0.9, 0.9, 0.0, "optimal")
    assert first["seconds"] >= 0
    assert plain["stop"] == "count"


def test_json_round_trip(found: Solutions) -> None:
    assert Solutions.from_json(found.to_json()) == found
    assert Solutions.from_json(found.to_json(indent=None)) == found


names = st.text(min_size=1, max_size=8)


@pytest.mark.slow
@given(
    st.lists(names, min_size=1, max_size=5, unique=True),
    st.sampled_from(list(Proof)),
    st.sampled_from(list(Stop)),
)
def test_json_round_trip_of_any_names(features: list[str], proof: Proof, stop: Stop) -> None:
    one = FeatureSet(tuple(features), 0.1, proof, None, None, 0.5, holdout=0.25)
    result = Solutions((one,), stop, tuple(features), "any", seed=3)
    if any("\ud800" <= c <= "\udfff" for f in features for c in f):
        return
    assert Solutions.from_json(result.to_json()) == result
    lines = str(result).split("\n")
    assert len(lines) == 5  # title, head, one set, two ends: no name can break a line


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", "3", '{"sets": [{"features": ["a"]}], "stop": "count"}', '{"sets": 3}']
)
def test_other_json_is_refused(text: str) -> None:
    with pytest.raises(DataError, match="not the JSON"):
        Solutions.from_json(text)


def test_holdout_scores_come_from_the_same_formula(found: Solutions) -> None:
    held = found.with_holdout(Univariate([1, 2, 3, 4]))
    assert [one.holdout for one in held] == [3, 4, 5]
    assert held.to_frame()["holdout"].tolist() == [3, 4, 5]
    said, _ = content(held, Parts())
    names = {one["name"]: one["meaning"] for one in said["columns"]}
    assert "how models predict there: altsel performance" in names["score, kept apart"]
    assert '"holdout": 3.0' in held.to_json()
    for shown in (str(held), held._repr_html_()):
        assert "score, kept apart" in shown
        assert "rows that the search did not see; how models predict there" in shown
        assert "hold-out" not in shown
    with pytest.raises(DataError, match="'x2'"):
        found.with_holdout(Univariate([1, 2]))


def test_the_text_table_reads_well(found: Solutions) -> None:
    lines = str(found).splitlines()
    assert lines[0] == "sum of given numbers"
    assert lines[1] == "set  features  score  of best  proof"
    assert lines[2] == "  0  x0, x1      0.9    100 %  optimal"
    assert re.match(r"3 sets of 4 features; stop: count; \d+ nodes, ", lines[-1])


def test_layout_counts_what_is_seen() -> None:
    assert printable("a\tb\x1b[31m\u202e") == "a\\tb\\x1b[31m\\u202e"
    lines = text_table(["n", "m"], [["日本", "1"], ["e\u0301", "22"]], right={1})
    assert lines == ["n      m", "日本   1", "e\u0301     22"]


def test_scores_are_recomputed_and_disagreement_is_an_error() -> None:
    class Liar(Univariate):
        def score(self, mask: np.ndarray) -> float:
            return 2 * super().score(mask)

    with pytest.raises(altsel.SolverError, match=r"formula|yet"):
        altsel.sequential(Problem(Liar([3, 2, 1]), k=1), Dice(1), 0)


THIRD = np.float64(1 / 3)
"""Written with sixteen digits."""
PROBLEM = Problem(Univariate([0.5, 0.4, 0.2, 0.1, 0.1]), k=3)
SEARCHES: dict[str, Any] = {
    "sequential": lambda: altsel.sequential(PROBLEM, Dice(float(THIRD)), 1),
    "numpy's tau": lambda: altsel.sequential(PROBLEM, Dice(THIRD), 1),
    "penalised": lambda: altsel.sequential(PROBLEM, altsel.Penalised(Dice(1 / 3), 2 / 3), 1),
    "on average": lambda: altsel.sequential(PROBLEM, altsel.Average(Dice(1 / 3)), 1),
    "simultaneous": lambda: altsel.simultaneous(PROBLEM, Dice(1 / 3), 1),
    "near-optimal": lambda: altsel.near_optimal(
        PROBLEM, altsel.RelativeLoss(1 / 3), dissimilarity=Dice(1 / 3)
    ),
    "most different": lambda: altsel.most_different(PROBLEM, Dice(1 / 3), 1, altsel.RelativeLoss(1 / 3)),
    "together": lambda: altsel.most_different(
        PROBLEM, altsel.Average(Dice(1 / 3)), 1, altsel.RelativeLoss(1 / 3), together=True
    ),
    "greedy": lambda: altsel.greedy.replacement(PROBLEM, Dice(1 / 3), 1),
}


@pytest.mark.parametrize("name", SEARCHES)
def test_numbers_are_rounded_wherever_words_say_them(name: str) -> None:
    found = SEARCHES[name]()
    assert "0.3333" in found.search
    said, _ = content(found, Parts())
    shown = [found.search, str(found), found._repr_html_(), said["search"], *map(str, said["asked"])]
    assert not re.findall(r"\d\.\d{7,}|np\.float", " ".join(shown))
    assert found.request["diversity"]["tau"] == 1 / 3
    assert Solutions.from_json(found.to_json()) == found
