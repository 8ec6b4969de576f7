"""The benchmark: every case once, whatever kills it; profiles by hand; files for people and programs."""

from __future__ import annotations

import gzip
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from functools import partial
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import joblib
import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import altsel
from altsel.bench import BenchSearch, Grid, bench, profile, question, report, summary
from altsel.bench import run as runs_module
from altsel.bench.claims import Runner
from altsel.bench.comparison import seconds
from altsel.bench.run import STORE, UNTIMED
from altsel.bench.store import Store
from altsel.cli.app import app
from altsel.runtime.phases import Spent
from altsel.runtime.processes import this_machine
from altsel.solvers.pyomo_solver import PyomoSolver
from tests.conftest import IONOSPHERE

SMALL = ["--target", "target", "-k", "3", "-k", "4", "--objective", "mrmr"]
SMALL += ["--measure", "symmetric-uncertainty"]
SMALL += ["--solver", "auto", "--solver", "highs", "--tau", "0.5", "--alternatives", "1", "--jobs", "2"]


SAME: dict[str, Any] = {
    "k": ("3", "4"),
    "objectives": ("mrmr",),
    "measures": ("symmetric-uncertainty",),
    "solvers": ("auto", "highs"),
    "alternatives": (1,),
}


def call(folder: Path) -> list[str]:
    return [sys.executable, "-m", "altsel", "bench", str(IONOSPHERE), *SMALL, "--output", str(folder)]


def results(folder: Path) -> pd.DataFrame:
    return pd.read_csv(folder / "runs.csv").drop(columns=list(UNTIMED))


def stored(folder: Path) -> int:
    if not (folder / STORE).is_file():
        return 0
    try:
        with closing(sqlite3.connect(folder / STORE, timeout=10)) as base, base:
            return int(base.execute("SELECT count(*) FROM runs").fetchone()[0])
    except sqlite3.OperationalError:
        return 0  # the table is not there yet


KILLED = """
import os, signal, sys
from altsel.bench.store import Store
from altsel.cli.app import main

saved = Store.save

def save(*given):
    saved(*given)
    os.kill(os.getpid(), signal.SIGKILL)

Store.save = save
main()
"""


@pytest.mark.skipif(os.name != "posix", reason="needs signals of POSIX")
@pytest.mark.long
def test_killed_and_started_again_it_gives_the_same_table(tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    report(bench(Grid([IONOSPHERE], "target", **SAME), whole), whole)
    running = subprocess.run(
        [sys.executable, "-c", KILLED, *call(parts)[3:]], check=False, capture_output=True
    )
    assert running.returncode == -signal.SIGKILL
    assert stored(parts) == 1
    again = CliRunner().invoke(app, [*call(parts)[3:], "--jobs", "1"])
    assert again.exit_code == 0, again.output
    assert "of 4 cases are done already" in again.stderr
    pd.testing.assert_frame_equal(results(parts), results(whole), rtol=1e-9)
    assert (results(whole)["status"] == "proved").all()
    names = {file.name for file in whole.iterdir()}
    assert {"runs.csv", "runs.parquet", "summary.md", "performance_profile.png"} <= names
    assert {"performance_profile.svg", "time_to_optimality.svg", "time_to_optimality.png"} <= names


@pytest.mark.long
def test_runs_that_share_a_folder_share_the_work(tmp_path: Path) -> None:
    folder = tmp_path / "shared"
    both = [
        subprocess.Popen(call(folder), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    message = [one.communicate()[1] for one in both]
    assert [one.returncode for one in both] == [0, 0]
    assert sum(one.count("s left:") for one in message) == 4  # each case once, by one or the other
    assert len(results(folder)) == 4
    with closing(sqlite3.connect(folder / STORE)) as base, base:
        assert base.execute(
            "SELECT (SELECT count(*) FROM claims) + (SELECT count(*) FROM runners)"
        ).fetchone() == (0,)


def test_claims_of_the_dead_are_void(tmp_path: Path) -> None:
    store = Store(tmp_path / STORE)
    first, second = Runner(store), Runner(store)
    first.beat()
    assert (first.claim("a"), second.claim("a"), second.claim("b"), first.claim("a")) == (
        True,
        False,
        True,
        True,
    )
    first.release("a")
    assert second.claim("a")
    first.claim("c")
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    for row in ((this_machine(), child.pid, time.time()), ("elsewhere", os.getpid(), time.time() - 61)):
        with store.writing() as base:
            base.execute("INSERT OR REPLACE INTO runners VALUES (?, ?, ?, ?)", (first.name, *row))
            base.execute("INSERT OR REPLACE INTO claims VALUES ('c', ?)", (first.name,))
        assert second.claim("c")


def test_ctrl_c_says_how_to_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(runs_module, "outcome", interrupted)
    done = CliRunner().invoke(
        app, ["bench", str(IONOSPHERE), "--target", "target", "--output", str(tmp_path)]
    )
    assert done.exit_code == 130
    assert "the same command goes on" in done.stderr


def test_what_is_done_is_not_done_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    grid = Grid([IONOSPHERE], "target", k=("2", "2:3"), searches=tuple(BenchSearch))
    first = bench(grid, tmp_path)
    assert first["status"].tolist() == ["proved"] * 6
    with pytest.warns(altsel.DataWarning, match="a02"):
        data = altsel.Dataset(IONOSPHERE, "target")
    direct = altsel.Problem(altsel.Univariate(altsel.dependence(data)), 2)
    for search, add in (("sum", sum), ("min", min)):
        found = altsel.simultaneous(direct, altsel.Dice(0.5), 3, search)
        row = first[(first["search"] == search) & (first["k"] == "2")].iloc[0]
        assert row["objective_value"] == pytest.approx(add(subset.score for subset in found))
    monkeypatch.setattr(runs_module, "outcome", lambda case: pytest.fail("was done already"))
    pd.testing.assert_frame_equal(bench(grid, tmp_path), first)


def test_limits_and_faults_are_results(tmp_path: Path) -> None:
    other = tmp_path / "other.csv"
    pd.DataFrame({"a": [1, 2, 3], "y": [0, 1, 0]}).to_csv(other, index=False)
    grid = Grid([other], "y", k=("1", "2"), alternatives=(1,), tau=(1.0,))
    found = bench(grid, tmp_path / "out")
    assert found["status"].tolist() == ["proved", "error"]  # one set, and proved that there is no other
    assert found["stop"].tolist()[0] == "infeasible"
    assert "only 1 features" in found["message"][1]
    assert "only 1 features" in summary(found)
    found["message"] = "<script>alert(1)</script> a | b"
    assert r"- \<script\>alert(1)\</script\> a \| b (1)" in summary(found)
    for retry in (False, True):  # what failed is tried again only if that is wanted
        times = bench(grid, tmp_path / "out", retry_errors=retry)["finished"]
        assert (times > found["finished"]).tolist() == [False, retry]


class GurobiError(Exception):
    """A class of a package that altsel knows nothing of."""


class TooSmallALicence:
    """What Pyomo gives where the licence is limited in size."""

    def __init__(self) -> None:
        self.options: dict[str, Any] = {}

    def available(self, exception_flag: bool) -> bool:
        return not exception_flag

    def version(self) -> tuple[int, ...]:
        return (13, 0, 3)

    def solve(self, *_: Any, **__: Any) -> Any:
        raise GurobiError("Model too large for size-limited license; visit a page")


@pytest.mark.slow
def test_a_licence_that_is_too_small_is_a_row_and_the_next_solver_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(PyomoSolver, "_factory", lambda self: TooSmallALicence())
    grid = Grid([IONOSPHERE], "target", k=("2",), alternatives=(0,), solvers=("gurobi", "highs"))
    with caplog.at_level("WARNING", logger="altsel.bench"):
        found = bench(grid, tmp_path)
    assert found["solver"].tolist() == ["gurobi", "highs"]
    assert found["status"].tolist() == ["error", "proved"]
    assert found["solver_version"].tolist() == ["gurobi 13.0.3", f"highs {metadata.version('highspy')}"]
    said = "solver 'gurobi' (gurobi 13.0.3) failed: GurobiError: Model too large for size-limited license"
    assert said in found["message"][0]
    assert said in summary(found)
    assert "ionosphere.csv.gz" in caplog.text  # the case is named by what it is, not by a hash
    assert "univariate by association, k=2, tau=0.5, 0 alternatives, sequential, gurobi" in caplog.text
    report(found, tmp_path)
    row = next(line for line in summary(found).splitlines() if "| gurobi |" in line)
    assert row.startswith("| univariate | sequential | gurobi | 1 | 0 | 0 | 0 | 0 | 1 |")


@pytest.mark.parametrize("fault", [ZeroDivisionError("in a search"), MemoryError(), RecursionError("deep")])
def test_whatever_a_case_raises_is_a_row(
    fault: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    search = question.search

    def failing(case: Any, *given: Any) -> Any:
        if case.k == "1":
            raise fault
        return search(case, *given)

    monkeypatch.setattr(runs_module, "search", failing)
    found = bench(Grid([IONOSPHERE], "target", k=("1", "2"), alternatives=(0,)), tmp_path)
    assert found["status"].tolist() == ["error", "proved"]
    assert found["message"][0].startswith(type(fault).__name__)


def test_options_of_a_solver_are_compared(tmp_path: Path) -> None:
    solvers = ("highs", "highs:presolve=off", "highs:no_such=1", "highs:threads=2,mip_rel_gap=0.5")
    grid = Grid([IONOSPHERE], "target", k=("2",), alternatives=(0,), solvers=solvers)
    found = bench(grid, tmp_path)
    assert found["solver"].tolist() == list(solvers)
    assert found["status"].tolist() == ["proved", "proved", "error", "proved"]
    assert found["message"][2] == "HiGHS has no option 'no_such'"
    with pytest.raises(altsel.ConfigurationError, match="no solver profile 'quantum'"):
        bench(Grid([IONOSPHERE], "target", solvers=("quantum:presolve=off",)), tmp_path)
    with pytest.raises(altsel.ConfigurationError, match="'glpk' takes no threads"):
        bench(Grid([IONOSPHERE], "target", solvers=("glpk:threads=2",)), tmp_path)
    with pytest.raises(altsel.ConfigurationError, match="options are one solver's own"):
        bench(Grid([IONOSPHERE], "target", solvers=("auto:presolve=off",)), tmp_path)


def test_every_case_has_a_name_of_its_own(tmp_path: Path) -> None:
    other = tmp_path / IONOSPHERE.name
    other.write_bytes(gzip.compress(gzip.decompress(IONOSPHERE.read_bytes()) + b""))
    grid = Grid(
        [IONOSPHERE, other],
        "target",
        k=("2", "3"),
        tau=(0.4, 0.5),
        alternatives=(0, 1),
        searches=tuple(BenchSearch),
        measures=(None, "symmetric-uncertainty"),
        objectives=("mrmr", "fcbf"),
        solvers=("highs", "highs:presolve=off"),
        repeats=2,
    )
    cases = list(grid.cases())
    assert len({runs_module._told(case) for case in cases}) == len({case.key for case in cases}) == 576


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::altsel.DataWarning")
def test_the_command_compares_options_and_reports_errors(tmp_path: Path) -> None:
    ask = ["bench", str(IONOSPHERE), "--target", "target", "-k", "2", "--alternatives", "0"]
    ask += ["--solver", "highs", "--solver", "highs:presolve=off", "--threads", "2"]
    ask += ["--option", "mip_rel_gap=0.0", "--output", str(tmp_path)]
    done = CliRunner().invoke(app, ask)
    assert done.exit_code == 0, done.output
    solvers = pd.read_csv(tmp_path / "runs.csv")["solver"].tolist()
    assert solvers == ["highs:threads=2,mip_rel_gap=0.0", "highs:presolve=off,threads=2,mip_rel_gap=0.0"]
    failing = [*ask[:-6], "--option", "mip_rel_gap=off", "--output", str(tmp_path / "other")]
    done = CliRunner().invoke(app, failing)
    assert done.exit_code == 1
    assert "HiGHS refuses the value 'off' of its option 'mip_rel_gap'" in done.stdout
    again = CliRunner().invoke(app, failing)
    assert "2 cases ended in an error before; --retry-errors" in again.stderr
    assert "2 cases ended" not in CliRunner().invoke(app, [*failing, "--retry-errors"]).stderr


def test_a_profile_by_hand() -> None:
    times = pd.DataFrame({"a": [1.0, 4.0, np.inf], "b": [2.0, 2.0, np.inf]})
    shares = profile(times, np.array([1.0, 2.0]))
    assert shares["a"].tolist() == pytest.approx([1 / 3, 2 / 3])
    assert shares["b"].tolist() == pytest.approx([1 / 3, 2 / 3])
    with pytest.raises(altsel.ArgumentError, match="at least 1"):
        profile(times, np.array([0.5]))


@pytest.mark.slow
def test_unproved_runs_count_as_infinite(tmp_path: Path) -> None:
    plain = dict.fromkeys(("data", "target", "measure", "objective", "k", "dissimilarity", "search"), "x")
    plain |= {"tau": 0.5, "alternatives": 1, "message": ""}  # type: ignore[dict-item]
    runs = pd.DataFrame(
        [
            {**plain, "solver": "a", "status": "proved", "cpu": 1.0},
            {**plain, "solver": "a", "status": "proved", "cpu": 3.0},
            {**plain, "solver": "b", "status": "feasible", "cpu": 9.0},
        ]
    )
    table = seconds(runs)
    assert table["a"].tolist() == [2.0]
    assert table["b"].tolist() == [np.inf]
    assert "| x | x | b | 1 | 0 | 0 | 1 | 0 | 0 |  |  |  |" in summary(runs)
    assert len(report(runs, tmp_path)) == 10


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"k": ("five",)}, "-k 'five'"),
        ({"tau": (1.5,)}, "tau=1.5"),
        ({"solvers": ()}, "solvers: give at least one"),
        ({"repeats": 0}, "repeats"),
        ({"time_limit": 0.0}, "time_limit"),
    ],
)
def test_a_wrong_grid_is_refused(wrong: dict[str, object], message: str) -> None:
    with pytest.raises(altsel.ArgumentError, match=message):
        Grid([IONOSPHERE], "target", **wrong)  # type: ignore[arg-type]


def test_unknown_solvers_files_and_stores_are_refused(tmp_path: Path) -> None:
    with pytest.raises(altsel.ConfigurationError, match="no solver profile 'quantum'"):
        bench(Grid([IONOSPHERE], "target", solvers=("quantum",)), tmp_path / "out")
    with pytest.raises(altsel.DataError, match="cannot read"):
        Grid([tmp_path / "nowhere.csv"], "target")
    (tmp_path / STORE).write_text("something else, long enough to be no empty database")
    with pytest.raises(altsel.ArgumentError, match="no store"):
        bench(Grid([IONOSPHERE], "target"), tmp_path)
    with pytest.raises(altsel.ArgumentError, match="n_jobs=0"):
        bench(Grid([IONOSPHERE], "target"), tmp_path / "none", n_jobs=0)


def test_cases_run_where_the_caller_configured_and_this_process_alone_saves_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[str] = []

    def noted(case: Any) -> dict[str, Any]:
        threads.append(threading.current_thread().name)
        return {"status": "proved", "k": case.k, "finished": time.time()}

    monkeypatch.setattr(runs_module, "outcome", noted)
    grid = Grid([IONOSPHERE], "target", k=("1", "2", "3", "4"), alternatives=(1,))
    with joblib.parallel_config("threading", n_jobs=2):
        found = bench(grid, tmp_path / "threads")
    assert "MainThread" not in threads
    assert found["k"].tolist() == bench(grid, tmp_path / "here")["k"].tolist()
    assert threads[4:] == ["MainThread"] * 4


@pytest.mark.skipif(os.name != "posix", reason="needs signals of POSIX")
@pytest.mark.long
def test_cases_of_a_killed_worker_are_run_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs_module, "outcome", partial(_killed_once, tmp_path))
    grid = Grid([IONOSPHERE], "target", k=("1", "2", "3", "4"), alternatives=(1,))
    found = bench(grid, tmp_path / "out", n_jobs=2)
    assert (tmp_path / "killed").exists()
    assert found["status"].tolist() == ["proved"] * 4


def _killed_once(folder: Path, case: Any) -> dict[str, Any]:
    """Kill the worker that runs one case for the first time."""
    if case.k == "2" and not (folder / "killed").exists():
        (folder / "killed").touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return {"status": "proved", "k": case.k, "finished": time.time()}


def test_an_error_is_tried_once_though_the_clock_is_set_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other.csv"
    pd.DataFrame({"a": [1, 2, 3], "y": [0, 1, 0]}).to_csv(other, index=False)
    tried: list[Any] = []

    def failing(case: Any) -> dict[str, Any]:
        tried.append(case)
        return {"status": "error", "message": "no", "finished": 0.0}

    monkeypatch.setattr(runs_module, "outcome", failing)
    found = bench(Grid([other], "y", k=("1",), alternatives=(1,)), tmp_path / "out", retry_errors=True)
    assert (len(tried), found["status"].tolist()) == (1, ["error"])


@pytest.mark.slow
def test_names_in_the_table_are_no_formulas(tmp_path: Path) -> None:
    other = tmp_path / "=1+1.csv"
    pd.DataFrame({"a": [1, 2, 3], "=cmd|calc": [0, 1, 0]}).to_csv(other, index=False)
    report(bench(Grid([other], "=cmd|calc", k=("1",), alternatives=(0,)), tmp_path / "out"), tmp_path / "out")
    text = (tmp_path / "out" / "runs.csv").read_text()
    assert not any(cell.startswith("=") for line in text.splitlines() for cell in line.split(","))


def test_a_damaged_result_is_told(tmp_path: Path) -> None:
    grid = Grid([IONOSPHERE], "target", k=("2",), alternatives=(0,))
    bench(grid, tmp_path)
    with closing(sqlite3.connect(tmp_path / STORE)) as base, base:
        base.execute("UPDATE runs SET result = '{bad'")
    with pytest.raises(altsel.ArgumentError, match="damaged"):
        bench(grid, tmp_path)
    with pytest.raises(altsel.ArgumentError, match="cannot be a folder"):
        bench(grid, tmp_path / STORE)


def test_a_file_that_changes_under_way_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    pd.DataFrame({"a": range(9), "b": [0, 1, 1] * 3, "y": [0, 1, 0] * 3}).to_csv(path, index=False)
    grid = Grid([path], "y", k=("1",), alternatives=(0,))
    cases = list(grid.cases())
    assert len(cases) == 1
    pd.DataFrame({"a": range(9), "b": [0, 1, 0] * 3, "y": [0, 1, 1] * 3}).to_csv(path, index=False)
    found = bench(grid, tmp_path / "out")
    assert found["status"].tolist() == ["error"]
    assert "changed after the benchmark began" in found["message"][0]


def test_what_a_case_is_the_first_to_import_is_not_charged_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    passed = SimpleNamespace(seconds=0.0)
    monkeypatch.setitem(sys.modules, "altsel_passed", passed)
    monkeypatch.setattr(Spent, "now", lambda: Spent(passed.seconds, passed.seconds))
    (tmp_path / "altsel_slow_engine.py").write_text("import altsel_passed\naltsel_passed.seconds += 300.0\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    search = question.search

    def importing(*given: object) -> object:
        import altsel_slow_engine  # type: ignore[import-not-found] # noqa: F401, PLC0415

        passed.seconds += 2.0
        return search(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(runs_module, "search", importing)
    runs = bench(Grid(data=[IONOSPHERE], target="target", k=["2"], alternatives=[0]), tmp_path / "results")
    assert list(runs["status"]) == ["proved"]
    assert list(runs["cpu"]) == [2.0]
