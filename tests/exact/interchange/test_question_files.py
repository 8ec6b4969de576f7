"""Question files: what is read back is the same question, with the same scores; and answers, judged."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import altsel
from altsel.bench import Grid, bench
from altsel.cli.app import app
from altsel.interchange import ReadQuestion, judged, read_answer, read_question
from tests.conftest import IONOSPHERE


def table(classes: bool = False) -> altsel.Dataset:
    rng = np.random.default_rng(5)
    x = rng.normal(size=(60, 6)) + rng.normal(size=(60, 1))
    y = x[:, 0] - x[:, 1] + rng.normal(size=60)
    frame = pd.DataFrame(x, columns=[f"x{j}" for j in range(6)])
    return altsel.Dataset(frame, (y > 0).astype(int) if classes else y)


def criteria() -> dict[str, Any]:
    given = altsel.dependence(table(), altsel.measures.absolute_pearson)
    return {
        "sum": altsel.Univariate(given),
        "fcbf": altsel.FCBF(given),
        "mrmr": altsel.MRMR(given),
        "mrmr k^2": altsel.MRMR(given, "k^2"),
        "cfs": altsel.CFS(given),
        "linear fit": altsel.LinearFit(table()),
        "linear fit, ridge": altsel.LinearFit(table(), 0.3),
        "logistic fit": altsel.ModelFit(table(classes=True), ridge=2.0),
    }


@pytest.mark.parametrize(
    "kind",
    [pytest.param(one, marks=pytest.mark.slow if "fit" in one else ()) for one in criteria()],
)
def test_a_question_that_is_read_back_has_the_same_scores(kind: str, tmp_path: Path) -> None:
    quality = criteria()[kind]
    rules = [altsel.domain.forbid("x5"), altsel.domain.budget({"x0": 2.5, "x1": 1.25}, 3.75, other=0)]
    problem = altsel.Problem(quality, (2, 3), rules)
    path = altsel.export(problem, tmp_path / "asked.json", altsel.Jaccard(0.6), 2, "min")
    read = read_question(path)
    assert (read.name, read.alternatives, read.total) == ("asked", 2, "min")
    assert read.dissimilarity == altsel.Jaccard(0.6)
    assert read.problem.sizes == (2, 3)
    assert read.criterion == kind.partition(",")[0].partition(" k")[0]
    for bits in range(1, 64):
        mask = np.array([bits >> j & 1 for j in range(6)], dtype=bool)
        assert read.problem.objective.is_feasible(mask) == quality.is_feasible(mask)
        score = quality.score(mask)
        assert read.problem.objective.score(mask) == pytest.approx(score, rel=1e-9, abs=1e-10)
    ask = {"dissimilarity": altsel.Dice(0.5), "alternatives": 0}
    first, second = (altsel.sequential(one, **ask) for one in (problem, read.problem))  # type: ignore[arg-type]
    assert [one.features for one in first] == [one.features for one in second]


def test_what_question_files_cannot_have_is_refused(tmp_path: Path) -> None:
    data, path = table(), tmp_path / "q.json"
    sums = altsel.Univariate(altsel.dependence(data))
    with pytest.raises(altsel.ArgumentError, match="not known to question files"):
        altsel.export(altsel.Problem(altsel.LinearFit(data, penalty="bic"), k=2), path)
    rule = altsel.domain.predicate(lambda features: len(features) > 1, "more")
    with pytest.raises(altsel.ArgumentError, match="more than a linear row"):
        altsel.export(altsel.Problem(sums, 2, [rule]), path)
    weighted = altsel.WeightedDice(0.5, dict.fromkeys(sums.features, 1.0))
    with pytest.raises(altsel.ArgumentError, match="dice or jaccard"):
        altsel.export(altsel.Problem(sums, 2), path, weighted, 1)
    for text in ("{}", "[1]", "no json", '{"format": "altsel question", "version": 1}'):
        path.write_text(text)
        with pytest.raises(altsel.DataError, match=r"question"):
            read_question(path)


def test_answers_in_all_forms(tmp_path: Path) -> None:
    problem = altsel.Problem(altsel.Univariate({"a 1": 3.0, "b": 2.0, "c": 1.0}), k=2)
    highs = "Optimal\n\n# Primal values\n# Columns 3\nset1_x_a_1 1\nset1_x_b 0\nset1_x_c 1\n"
    cbc = "Optimal - objective value 4\n      0 set1_x_a_1  1   3\n      2 set1_x_c  0.9999  1\n"
    forms = {
        "bits": "101",
        "spaced": "[1, 0, 1]",
        "slacks": "1 0 1 1 1",
        "highs": highs,
        "cbc": cbc,
        "names": '["a 1", "c"]',
        "sets": '{"sets": [["c", "a 1"]]}',
        "sample": '{"sample": {"a 1": 1, "b": 0, "c": 1, "slack 0 bit 0": 1}}',
    }
    for name, text in forms.items():
        (file := tmp_path / name).write_text(text)
        answer = read_answer(file, problem)
        assert answer.sets == (("a 1", "c"),), name
        assert (answer.total, answer.faults) == (4.0, ())
    (packed := tmp_path / "answer.gz").write_bytes(gzip.compress(b"110"))
    assert read_answer(packed, problem).total == 5.0
    for text, message in (
        ('["d"]', "'d' is no feature"),
        ("hello", "holds no answer"),
        ("10", "holds no answer"),
    ):
        (file := tmp_path / "wrong").write_text(text)
        with pytest.raises(altsel.DataError, match=message):
            read_answer(file, problem)


def test_answers_are_judged() -> None:
    quality = altsel.FCBF(
        altsel.Dependence(
            pd.Series({"a": 3.0, "b": 2.0, "c": 1.0}),
            pd.DataFrame([[9, 2.5, 0], [2.5, 9, 0], [0, 0, 9]], index=list("abc"), columns=list("abc")),
        )
    )
    problem = altsel.Problem(quality, 2, [altsel.domain.require("c")])
    question = ReadQuestion(problem, altsel.Dice(0.5), 1, "sum", [["a", "c"]])
    answer = judged(question, [["a", "b"], ["c"], []])
    assert answer.scores == (None, 1.0, 0.0)
    assert answer.total is None
    assert set(answer.faults) == {
        "3 sets instead of 2",
        "set 1: the criterion does not admit it",
        "set 1 breaks a rule",
        "set 2 has 1 features; 2 to 2 are wanted",
        "set 3 has 0 features; 2 to 2 are wanted",
        "set 3 breaks a rule",
        "set 2 and known set 1 differ by less than 0.5",
    }
    good = judged(ReadQuestion(problem), [["b", "c"]])
    assert (good.total, good.faults) == (3.0, ())


@pytest.mark.slow
def test_benchmarks_take_question_files(tmp_path: Path) -> None:
    problem = altsel.Problem(criteria()["mrmr"], k=2)
    one = altsel.export(problem, tmp_path / "one.json")
    two = altsel.export(problem, tmp_path / "two.json", altsel.Dice(0.5), 1, "min")
    (wrong := tmp_path / "wrong.json").write_text("{}")
    found = bench(Grid([one, two, wrong], solvers=("auto", "highs")), tmp_path / "out")
    assert found["status"].tolist() == ["proved"] * 4 + ["error"] * 2
    assert found["name"].tolist() == ["one"] * 2 + ["two"] * 2 + ["wrong"] * 2
    best = altsel.sequential(problem, altsel.Dice(0.5), 0)[0].score
    assert found["objective_value"].tolist()[:2] == pytest.approx([best] * 2)
    assert found["search"].tolist()[2] == "min"


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::altsel.DataWarning")
def test_the_command_writes_and_judges(tmp_path: Path) -> None:
    ask = ["export", str(IONOSPHERE), "--target", "target", "-k", "2", "--measure", "absolute-pearson"]
    qubo = tmp_path / "q.txt"
    done = CliRunner().invoke(app, [*ask, "--format", "qubo", "--output", str(qubo)])
    assert done.exit_code == 0, done.output
    assert "p qubo 0 " in qubo.read_text()
    (answer := tmp_path / "answer.json").write_text(json.dumps(["a03", "a05"]))
    done = CliRunner().invoke(app, [*ask, "--answer", str(answer)])
    assert done.exit_code == 0, done.output
    assert "a03, a05" in done.stdout
    answer.write_text(json.dumps(["a03"]))
    done = CliRunner().invoke(app, [*ask, "--answer", str(answer)])
    assert done.exit_code == 1
    assert "set 1 has 1 features; 2 to 2 are wanted" in done.stderr
    assert CliRunner().invoke(app, ask).exit_code != 0
