"""The library: optima by brute force and a checker without altsel, files in their own sense, archives."""

from __future__ import annotations

import gzip
import json
import tarfile
from importlib import import_module
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import altsel
from altsel.cli.app import app
from altsel.errors import SolverError
from altsel.exact.interchange.question_files import ReadQuestion, question_of
from altsel.interchange import read_qubo, read_question
from altsel.library import gap, hard, make, optimum
from altsel.library.archive import archived, solu
from altsel.library.files import model_of, path_of, without_model, without_qubo, write
from altsel.library.gap import summary
from altsel.library.numbers import question
from altsel.library.optimum import Optimum, find
from altsel.library.records import records
from altsel.library.templates import TEMPLATES, Template, seeded
from altsel.solvers.read_models import read_model
from altsel.tools import check_answer as program
from tests.conftest import ROOT

check_answer: Any = program
SMALL = (
    Template("factors", 8, "sum", (3, 3)),
    Template("factors", 8, "mrmr", (3, 3)),
    Template("factors", 8, "cfs", (2, 3)),
    Template("collinear", 9, "fcbf", (3, 3)),
    Template("spectra", 8, "linear fit", (2, 2)),
    Template("factors", 6, "logistic fit", (2, 2)),
    Template("independent", 7, "sum", (3, 3), 2, "min"),
    Template("factors", 20, "sum", (3, 3), rules="impossible"),
)


def asked(template: Template) -> tuple[ReadQuestion, dict[str, Any]]:
    plain = json.loads(json.dumps(question(template, 1)))
    return question_of(plain), plain


def best(read: ReadQuestion) -> float | None:
    """Return the best score of one set, or the best minimum of two, by looking at all."""
    problem, names = read.problem, read.problem.objective.features
    low, high = problem.sizes
    if problem.subject_to:
        return None
    every = [one for k in range(low, high + 1) for one in combinations(names, k)]
    scores = {
        one: problem.objective.score(mask)
        for one in every
        if problem.objective.is_feasible(mask := problem.mask(one))
    }
    if not read.alternatives:
        return max(scores.values(), default=None)
    pairs = ((a, b) for a, b in combinations(scores, 2) if 4 * len({*a} & {*b}) <= len(a) + len(b))
    return max(min(scores[a], scores[b]) for a, b in pairs)


@pytest.mark.parametrize(
    "template",
    [pytest.param(one, marks=pytest.mark.slow if "fit" in one.criterion else ()) for one in SMALL],
    ids=lambda one: str(one.name(1)),
)
def test_optima_are_those_of_the_files(template: Template, tmp_path: Path) -> None:
    read, plain = asked(template)
    missing = write(read, plain, tmp_path)
    known = find(read, 60.0)
    value = best(read)
    assert known.status == ("inf" if value is None else "opt")
    assert known.score == (None if value is None else pytest.approx(value, rel=1e-9))
    assert known.proved[0] == "auto"
    assert len(known.proved) == 2
    for form in {"lp", "mps"} - {*missing}:
        model = read_model(path_of(tmp_path, form, read.name))
        outcome = altsel.solver("highs")(model.pyomo)
        wanted = known.in_file(read, form)
        assert outcome.value == (None if wanted is None else pytest.approx(wanted, rel=1e-6, abs=1e-7))
    assert ("qubo" in missing) == (
        template.criterion in {"cfs", "linear fit", "logistic fit"} or template.sets > 1
    )
    if template.criterion == "mrmr":
        made = read_qubo(_unpacked(path_of(tmp_path, "qubo", read.name), tmp_path))
        points = np.array([[x >> j & 1 for j in range(8)] for x in range(256)])
        assert made.energies(points).min() == pytest.approx(known.in_file(read, "qubo"))


def _unpacked(path: Path, folder: Path) -> Path:
    (plain := folder / "plain").write_bytes(gzip.decompress(path.read_bytes()))
    return plain


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("library")
    assert make(folder, number=3, most=2).left == 1
    made = make(folder, number=3)
    assert (made.questions, made.left) == (3, 0)
    return folder


@pytest.mark.slow
def test_archives_are_made_alike(small: Path) -> None:
    [archive] = small.glob("*.tar.gz")
    first = archive.read_bytes()
    path, checksum = archived(small, list(records(small)))
    assert path.read_bytes() == first
    assert checksum in (small / f"{archive.name}.sha256").read_text()
    with tarfile.open(archive) as tar:
        names = {name.partition("/")[2] for name in tar.getnames()}
        sums = tar.extractfile("library-2026.12/SHA256SUMS")
        assert sums is not None
        assert len(sums.read().splitlines()) == len(names) - 1
    assert {"README.md", "LICENSE", "CITATION.cff", "optima.csv", "check_answer.py", "mps.solu"} <= names
    assert "mps/factors-20-1-cfs-k5.mps.gz" in names


def test_what_is_there_is_not_made_again(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = import_module("altsel.library.make")
    monkeypatch.setattr(module, "find", lambda *_: pytest.fail("was made already"))
    assert make(small, number=3).questions == 3


@pytest.mark.slow
def test_tables_that_are_given_are_asked_about(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(40, 6)), columns=[f"c {j}" for j in range(6)])
    frame.assign(target=frame["c 1"] > 0).to_csv(tmp_path / "mine.csv", index=False)
    made = make(tmp_path / "out", 0, tables=[tmp_path / "mine.csv"])
    assert made.questions == 4
    names = [one["name"] for one in records(tmp_path / "out")]
    assert "mine-6-mrmr-k2" in names
    assert read_question(path_of(tmp_path / "out", "json", names[0])).problem.sizes == (2, 2)


def test_trials_on_a_busy_machine_do_not_count(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = import_module("altsel.library.hard")
    rows = iter([("feasible", 2.0), ("feasible", 5.0), ("open", 4.2), ("feasible", 4.9)])

    def tried(*_: object) -> dict[str, object]:
        status, cpu = next(rows)
        return {"status": status, "value": None, "cpu": cpu, "message": ""}

    monkeypatch.setattr(module, "_tried", tried)
    assert sorted(hard(small, 5.0)["kind"]) == ["hard", "hard", "starved"]
    assert sorted(hard(small, 5.0)["kind"]) == ["hard", "hard", "hard"]  # the starved one again, no other


@pytest.mark.slow
def test_solvers_are_measured_on_the_files(small: Path) -> None:
    first = hard(small, 30.0, most=1)
    assert len(first) == 1
    found = hard(small, 30.0)
    assert found["kind"].tolist() == ["easy"] * 3
    assert found["agrees"].tolist() == [True] * 3
    assert (pd.read_csv(small / "hard.csv")["limit"] == 30.0).sum() == 3
    assert set(hard(small, 30.0, "no-such")["status"]) == {"error"}


def test_gaps_of_answers(small: Path, tmp_path: Path) -> None:
    known = {one["name"]: one for one in records(small)}
    name = "factors-20-1-mrmr-k5"
    sets = known[name]["sets"][0]
    other = [*sets[:-1], next(f"x{j}" for j in range(20) if f"x{j}" not in sets)]
    rows = [
        ["auto", name, " ".join(sets), 1.0],
        ["near", name, " ".join(other), 0.5],
        ["short", name, " ".join(sets[:2]), 0.5],
        ["alien", name, "nobody", 0.5],
    ]
    path = tmp_path / "answers.csv"
    pd.DataFrame(rows, columns=["method", "name", "sets", "seconds"]).to_csv(path, index=False)
    table = gap(small, path)
    assert table["valid"].tolist() == [True, True, False, False]
    assert table["gap"].tolist()[0] == pytest.approx(0.0, abs=1e-12)
    assert table["gap"].tolist()[1] > 1e-4
    assert table["rank"].tolist()[:2] == [1.0, 2.0]
    assert "set 1 has 2 features" in table["message"][2]
    assert "'nobody'" in table["message"][3]
    assert summary(table).loc["auto", "optimal"] == 1
    done = CliRunner().invoke(app, ["library", "gap", str(path), "--library", str(small)])
    assert done.exit_code == 0, done.output
    assert "auto" in done.stdout
    assert CliRunner().invoke(app, ["library", "gap", str(path)]).exit_code != 0
    pd.DataFrame({"name": ["who"], "sets": ["a"]}).to_csv(path, index=False)
    with pytest.raises(altsel.ArgumentError, match="no question 'who'"):
        gap(small, path)
    path.write_text("a\n1\n")
    with pytest.raises(altsel.ArgumentError, match="no column 'name' and 'sets'"):
        gap(small, path)


def test_proofs_that_contradict_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    read, _ = asked(SMALL[0])
    wrong = Optimum("opt", 99.0, (), ("auto",))
    with pytest.raises(SolverError, match="highs proves opt"):
        optimum._confirmed(read, wrong, 30.0)
    monkeypatch.setattr(optimum, "ENGINES", ("no-such",))
    assert optimum._confirmed(read, wrong, 30.0) == ()


def test_the_checker_without_altsel_agrees(tmp_path: Path) -> None:
    for template in SMALL[:7]:
        read, plain = asked(template)
        rng = np.random.default_rng(2)
        features = read.problem.objective.features
        for _ in range(5):
            mask = np.zeros(len(features), dtype=bool)
            mask[rng.permutation(len(features))[: read.problem.sizes[0]]] = True
            told = check_answer.score(plain["criterion"], np.flatnonzero(mask).tolist())
            if not read.problem.objective.is_feasible(mask):
                assert told is None
            else:
                assert told == pytest.approx(read.problem.objective.score(mask), rel=1e-7, abs=1e-9)


def test_the_checker_judges_files(small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = "factors-20-1-mrmr-k5"
    asked_file = str(path_of(small, "json", name))
    known = {one["name"]: one for one in records(small)}[name]
    (optima := tmp_path / "optima.csv").write_text(
        f"name,status,score,proved_by,sets\n{name},opt,{known['score']},,\n"
    )
    (answer := tmp_path / "answer").write_text(" ".join(known["sets"][0]))
    assert check_answer.main([asked_file, str(answer), str(optima)]) == 0
    assert "(0.000%)" in capsys.readouterr().out
    optima.write_text(f"name,status,score,proved_by,sets\n{name},opt,0.01,,\n")
    assert check_answer.main([asked_file, str(answer), str(optima)]) == 3
    answer.write_text(json.dumps(["x0", "x1"]))
    assert check_answer.main([asked_file, str(answer)]) == 1
    assert "set 1 has 2 features; 5 to 5 are wanted" in capsys.readouterr().out
    answer.write_text("x0 nobody")
    assert check_answer.main([asked_file, str(answer)]) == 2
    assert check_answer.main([]) == 2


def test_the_checker_judges_rules_and_distances() -> None:
    _, plain = asked(Template("factors", 20, "sum", (3, 3), 2, rules="impossible"))
    told = [*check_answer.faults(plain, [[0, 1, 2], [0, 1, 3]])]
    assert sum("breaks a rule" in text for text in told) == 2
    assert "two sets have a dice dissimilarity below 0.5" in told


def test_questions_have_names_of_their_own_and_begin_with_each_kind() -> None:
    names = [template.name(seed) for template, seed in seeded(500)]
    assert len({*names}) == 500
    assert {seed for _, seed in seeded(len(TEMPLATES))} == {1}


def test_what_is_no_model_says_why() -> None:
    read, _ = asked(Template("factors", 30, "linear fit", (5, 5)))
    assert "a row for each of 142506 sets" in without_model(read)
    read, _ = asked(Template("factors", 8, "cfs", (3, 3), 2))
    assert "square of a ratio" in without_model(read)
    assert without_qubo(read) == "a QUBO is of one set"
    square = model_of(asked(SMALL[2])[0])
    assert not square.sets[0].below.active


def test_sums_are_written_as_miplib_writes_them() -> None:
    told = [
        {"name": "a", "status": "best", "files": {"lp": 0.5}},
        {"name": "b", "status": "unkn", "files": {"lp": None, "mps": None}},
    ]
    assert solu(told, "lp") == "=best= a 0.5\n=unkn= b\n"
    assert solu(told, "mps") == "=unkn= b\n"


def test_the_checker_needs_the_standard_library_only() -> None:
    text = (ROOT / "tools" / "check_answer.py").read_text()
    imports = {line.split()[1] for line in text.splitlines() if line.startswith(("import ", "from "))}
    assert imports == {"csv", "gzip", "json", "math", "sys", "fractions", "itertools"}


def test_wrong_arguments_are_refused(tmp_path: Path) -> None:
    with pytest.raises(altsel.ArgumentError, match="number=-1"):
        make(tmp_path, -1)
    with pytest.raises(altsel.ArgumentError, match="seconds=0"):
        make(tmp_path, 1, 0)
    (tmp_path / "records").mkdir()
    (tmp_path / "records" / "a.json").write_text("{")
    with pytest.raises(altsel.DataError, match="is damaged"):
        list(records(tmp_path))
