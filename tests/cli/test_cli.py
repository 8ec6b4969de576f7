"""The command line as a user meets it: a process, its two streams, its exit code."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_digits

import altsel
from altsel.cli.app import main
from altsel.exact.run import Run as SearchRun
from altsel.exact.turns import Turn
from altsel.stats.dependence import MutualInformation
from tests.conftest import IONOSPHERE

SELECT = ["select", str(IONOSPHERE), "--target", "target"]


@dataclass(frozen=True)
class Done:
    returncode: int
    stdout: str
    stderr: str


class Run(Protocol):
    def __call__(self, *arguments: str, folder: Path | None = None) -> Done: ...


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the command line in this process, which spares a second of imports a call."""

    def call(*arguments: str, folder: Path | None = None) -> Done:
        monkeypatch.setenv("COLUMNS", "120")
        monkeypatch.chdir(folder or Path.cwd())
        monkeypatch.setattr(sys, "argv", ["altsel", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        return Done(int(ended.value.code or 0), out, err)

    return call


@pytest.fixture
def small(tmp_path: Path) -> Path:
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.random((40, 4)).round(3), columns=["a b", 'it\'s "q"', "two\nlines", "größe"])
    table["y"] = (table["a b"] + rng.random(40) > 1).astype(int)
    table.to_csv(tmp_path / "small.csv", index=False)
    return tmp_path


def test_select_prints_a_table_and_notes_apart(run: Run) -> None:
    done = run(*SELECT, "-k", "5", "--alternatives", "5", "--tau", "0.4")
    assert done.returncode == 0
    assert done.stdout.count("optimal") == 6
    assert done.stdout.splitlines()[0] == "sum of association with target"
    # a slow machine shows progress too
    notes = [line for line in done.stderr.splitlines() if not line.startswith("[")]
    assert notes == ["note: constant columns are left out and never selected: 'a02'"]


@pytest.mark.slow
def test_json_is_what_python_gives(run: Run, ionosphere: altsel.Dataset) -> None:
    options = ("--measure", "mutual-information", "--format", "json", "--seed", "3")
    done = run(*SELECT, "-k", "4", "--alternatives", "2", "--tau", "0.5", *options)
    message = altsel.Solutions.from_json(done.stdout)
    measure = MutualInformation(random_state=3)
    problem = altsel.Problem(altsel.Univariate(altsel.dependence(ionosphere, measure)), k=4)
    found = altsel.sequential(problem, altsel.Dice(0.5), 2)
    assert [(one.features, one.score) for one in message] == [
        (subset.features, subset.score) for subset in found
    ]
    assert (message.seed, message.stop, message.target) == (3, altsel.Stop.COUNT, "target")


@pytest.mark.slow
def test_the_same_seed_gives_the_same_result(run: Run) -> None:
    wanted = [*SELECT, "-k", "3", "--format", "json", "--measure", "importances", "--seed", "5"]
    results = [json.loads(run(*wanted).stdout)["sets"] for _ in range(2)]
    assert [result["score"] for result in results[0]] == [result["score"] for result in results[1]]


@pytest.mark.parametrize("search", ["sequential", "simultaneous", "greedy-replacement", "greedy-balancing"])
@pytest.mark.parametrize("measure", ["absolute-pearson", "symmetric-uncertainty"])
def test_searches_and_measures(run: Run, search: str, measure: str) -> None:
    done = run(
        *SELECT, "-k", "4", "--alternatives", "1", "--search", search, "--measure", measure, "--total", "min"
    )
    assert done.returncode == 0
    assert ("heuristic" if "greedy" in search else "optimal") in done.stdout


@pytest.mark.slow
def test_importances_have_no_redundancy_for_mrmr(run: Run) -> None:
    done = run(*SELECT, "-k", "2", "--objective", "mrmr", "--measure", "importances")
    assert done.returncode == 2
    assert "relevances only" in done.stderr


def test_ranges_jaccard_csv_output_and_holdout(run: Run, small: Path) -> None:
    whole = pd.read_csv(small / "small.csv")
    whole.iloc[:25].to_csv(small / "train.csv", index=False)
    whole.iloc[25:].to_csv(small / "test.csv", index=False)
    done = run(
        *(
            "select",
            "train.csv",
            "--target",
            "y",
            "-k",
            "1:2",
            "--alternatives",
            "1",
            "--dissimilarity",
            "jaccard",
        ),
        *("--format", "csv", "--output", "out.csv", "--holdout-data", "test.csv", "--normalize"),
        folder=small,
    )
    assert done.returncode == 0
    assert "score, kept apart" in done.stdout
    table = pd.read_csv(small / "out.csv")
    assert table["holdout"].notna().all()
    assert all(set(json.loads(names)) <= set(whole.columns) for names in table["features"])
    assert sorted(path.name for path in small.iterdir()) == ["out.csv", "small.csv", "test.csv", "train.csv"]


@pytest.mark.slow
def test_an_infeasible_alternative_is_told_with_what_was_found(run: Run) -> None:
    done = run(*SELECT, "-k", "10", "--alternatives", "5", "--tau", "1")
    assert done.returncode == 3
    assert done.stdout.count("optimal") == 3
    assert "There is no set number 4 of 6" in done.stderr
    assert "differs from sets 0, 1, 2 by" in done.stderr
    assert "Feasible if tau <=" in done.stderr


def test_no_admissible_set_at_all_is_told_as_such(run: Run) -> None:
    done = run(*SELECT, "-k", "5", "--objective", "fcbf")
    assert done.returncode == 3
    assert "cannot hold together:\n- k = 5\n- what FCBF by symmetric uncertainty" in done.stderr


WRONG = {
    "no such file": (["select", "none.csv", "--target", "y", "-k", "1"], 2),
    "no column 'z'": (["select", "small.csv", "--target", "z", "-k", "1"], 2),
    "only 4 features": (["select", "small.csv", "--target", "y", "-k", "9"], 2),
    "-k 'five'": (["select", "small.csv", "--target", "y", "-k", "five"], 2),
    "-k '1:2:3'": (["select", "small.csv", "--target", "y", "-k", "1:2:3"], 2),
    "k=0": (["select", "small.csv", "--target", "y", "-k", "0"], 2),
    "tau=1.5": (["select", "small.csv", "--target", "y", "-k", "1", "--tau", "1.5"], 2),
    "tau=nan": (["select", "small.csv", "--target", "y", "-k", "1", "--tau", "nan"], 2),
    "alternatives=-1": (["select", "small.csv", "--target", "y", "-k", "1", "--alternatives", "-1"], 2),
    "no solver profile 'magic'": (
        ["select", "small.csv", "--target", "y", "-k", "1", "--solver", "magic"],
        2,
    ),
    "time_limit": (["select", "small.csv", "--target", "y", "-k", "1", "--time-limit", "0"], 2),
    "cannot be written": (["select", "small.csv", "--target", "y", "-k", "1", "--output", "no/where.csv"], 2),
    "--seed -1": (["select", "small.csv", "--target", "y", "-k", "1", "--seed", "-1"], 2),
    "Missing option": (["select", "small.csv", "-k", "1"], 2),
    "'foo' is not one of": (["select", "small.csv", "--target", "y", "-k", "1", "--measure", "foo"], 2),
    "missing values in 'a' (1)": (["select", "holes.csv", "--target", "y", "-k", "1"], 1),
    "infinite values in 'a'": (["select", "infinite.csv", "--target", "y", "-k", "1"], 1),
    "more than once: 'a'": (["select", "twice.csv", "--target", "y", "-k", "1"], 1),
    "one value only": (["select", "one.csv", "--target", "y", "-k", "1"], 1),
    "the file is empty": (["select", "empty.csv", "--target", "y", "-k", "1"], 1),
    "'a' hold categories": (
        ["select", "words.csv", "--target", "y", "-k", "1", "--measure", "absolute-pearson"],
        1,
    ),
    "lack the features": (
        ["select", "small.csv", "--target", "y", "-k", "1", "--holdout-data", "words.csv"],
        1,
    ),
    "not TOML": (["solvers", "--file", "broken.toml"], 2),
}
FILES = {
    "holes.csv": "a,b,y\n1,2,0\n,3,1\n",
    "infinite.csv": "a,b,y\n1,2,0\ninf,3,1\n",
    "twice.csv": "a,a,y\n1,2,0\n2,3,1\n",
    "one.csv": "a,b,y\n1,2,0\n2,3,0\n",
    "empty.csv": "",
    "words.csv": "a,b,y\nu,2,0\nv,3,1\nw,4,0\n",
    "broken.toml": "[profiles",
}


@pytest.mark.parametrize("message", WRONG)
def test_a_wrong_call_is_one_message_and_the_right_code(run: Run, message: str, small: Path) -> None:
    for name, text in FILES.items():
        (small / name).write_text(text, encoding="utf-8")
    before = sorted(small.iterdir())
    arguments, code = WRONG[message]
    done = run(*arguments, folder=small)
    assert message in done.stderr
    assert (done.returncode, done.stdout) == (code, "")
    assert "Traceback" not in done.stderr
    if "Usage:" not in done.stderr:
        assert done.stderr.count("altsel:") == 1
    assert sorted(small.iterdir()) == before


@pytest.mark.slow
def test_solvers_explain_which_engine_answers(run: Run, tmp_path: Path) -> None:
    wanted = ("solvers", "--explain", str(IONOSPHERE), "--target", "target", "-k", "8", "--objective", "mrmr")
    lines = run(*wanted).stdout.splitlines()
    assert lines[0] == "the best set, 8 of 33 features"
    assert next(line for line in lines if "chosen" in line).startswith("branch and bound")
    assert any("13,884,156 sets are more than 1,000,000" in line for line in lines)
    both = run(*wanted, "--search", "simultaneous", "--alternatives", "2")
    assert "3 sets together" in both.stdout
    profiles = tmp_path / "mine.toml"
    profiles.write_text('default = "mine"\n[profiles.mine]\nengine = "highs"\n')
    named = run(*wanted, "--file", str(profiles), "--solver", "mine")
    assert "a solver is named" in named.stdout
    assert run(*wanted, "--file", str(tmp_path / "none.toml")).returncode == 2
    for wrong in (wanted[:3], ("solvers", "-k", "5"), (*wanted, "--search", "greedy-balancing")):
        assert run(*wrong).returncode == 2


@pytest.mark.slow
def test_solvers_lists_every_profile(run: Run) -> None:
    done = run("solvers")
    assert done.returncode == 0
    for profile in altsel.profiles():
        (line,) = [text for text in done.stdout.splitlines() if text.startswith(profile.name + " ")]
        assert (profile.version or "not installed") in line


def test_help_and_version(run: Run) -> None:
    assert "select" in run("--help").stdout
    assert "--alternatives" in run("select", "--help").stdout
    assert run("--version").stdout == f"altsel {altsel.__version__}\n"


@pytest.fixture
def hard(tmp_path: Path) -> list[str]:
    """A search no solver finishes soon: the fairest six sets of ten pixels, two in common at most."""
    digits = load_digits()
    table = pd.DataFrame(digits.data[:400], columns=[f"p{j}" for j in range(64)])
    table.assign(y=digits.target[:400] % 2).to_csv(tmp_path / "digits.csv", index=False)
    wanted = ["-k", "10", "--search", "simultaneous", "--total", "min", "--measure", "absolute-pearson"]
    wanted += ["--tau", "0.8"]
    return ["select", str(tmp_path / "digits.csv"), "--target", "y", *wanted]


def test_a_time_limit_gives_what_was_found_with_its_gap(
    run: Run, hard: list[str], let_pass: Callable[[float], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = Turn.answer

    def late(turn: Turn, question: Any, search: SearchRun) -> Any:
        let_pass(1e6)
        return answer(turn, question, search)

    monkeypatch.setattr(Turn, "answer", late)
    done = run(*hard, "--time-limit", "100000", "--format", "json")
    assert done.returncode == 4
    found = altsel.Solutions.from_json(done.stdout)
    assert [subset.proof for subset in found] == [altsel.Proof.FEASIBLE] * 6
    assert all(subset.gap is not None and subset.gap > 0 for subset in found)
    assert "a limit was reached" in done.stderr


SIGNALLED = """
import os, signal
from altsel.cli.app import main
from altsel.exact.turns import Turn

answer = Turn.answer

def signalled(turn, question, search):
    os.kill(os.getpid(), {number})
    return answer(turn, question, search)

Turn.answer = signalled
signal.signal(signal.SIGINT, signal.default_int_handler)  # what is begun in the background ignores it
main()
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="needs signals of POSIX")
@pytest.mark.parametrize(
    ("number", "code"), [pytest.param(signal.SIGINT, 130, marks=pytest.mark.long), (signal.SIGTERM, 143)]
)
def test_a_signal_gives_what_was_found(number: int, code: int, hard: list[str]) -> None:
    call = [sys.executable, "-c", SIGNALLED.format(number=int(number)), *hard]
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    assert done.returncode == code
    assert "interrupted" in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout.count("feasible") == 6


@pytest.mark.skipif(os.name != "posix", reason="needs signals of POSIX")
@pytest.mark.slow
def test_a_signal_before_anything_is_found_is_said(tmp_path: Path) -> None:
    (table := tmp_path / "t.csv").write_text("a,b,y\n1,2,0\n2,1,1\n")
    early = SIGNALLED.replace(
        "altsel.exact.turns import Turn", "altsel.cli.reading_options import ReadingOptions"
    )
    early = early.replace("Turn.answer", "ReadingOptions.dataset").replace(
        "(turn, question, search)", "(*given)"
    )
    call = [
        sys.executable,
        "-c",
        early.format(number=int(signal.SIGINT)),
        "rank",
        str(table),
        "--target",
        "y",
        "-k",
        "1",
    ]
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "interrupted\n")
