"""What only HiGHS does: its greeting on stdout, its scheduler of threads."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import altsel
from altsel import Problem, Stop, Univariate
from altsel.models.problem import model_of_sets
from altsel.solvers.engine import SolveLimits
from altsel.solvers.highs import _without_a_long_presolve
from altsel.solvers.standard_form import to_rows
from tests.conftest import IONOSPHERE
from tests.solvers.test_solvers import knapsack

MANY = """
import os, threading, time, altsel
problem = altsel.Problem(altsel.Univariate([3, 2, 1]), k=1)
solve = lambda: altsel.sequential(problem, altsel.Dice(1), 1, "highs")
threads = [threading.Thread(target=solve) for _ in range(3)]
for thread in threads:
    thread.start()
while any(thread.is_alive() for thread in threads):
    os.write(1, b"mine\\n")
    time.sleep(0.001)
for name in ("highs", "cp-sat", "highs"):
    assert altsel.sequential(problem, altsel.Dice(1), 1, name).proved
import sys
assert "scipy.stats" not in sys.modules  # Pyomo loads it where it looks for scipy, and nothing here needs it
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "first", ["ortools.sat.python.cp_model", pytest.param("highspy", marks=pytest.mark.long)]
)
def test_engines_live_together_in_either_order_and_write_nothing_on_stdout(first: str) -> None:
    """highspy 1.16 introduces itself on file descriptor 1 where it is made; in threads, too."""
    pytest.importorskip("ortools")
    done = subprocess.run([sys.executable, "-c", f"import {first}{MANY}"], capture_output=True, check=True)
    assert set(done.stdout.split(b"\n")) == {b"mine", b""}
    assert done.stderr == b""


@pytest.mark.slow
def test_results_in_a_pipe_are_whole() -> None:
    call = [sys.executable, "-m", "altsel", "select", str(IONOSPHERE), "--target", "target", "-k", "3"]
    call += ["--alternatives", "1", "--solver", "highs", "--format", "json"]
    done = subprocess.run(call, capture_output=True, check=True)
    assert len(json.loads(done.stdout)["sets"]) == 2


def test_a_log_is_written_all_the_same(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "solve.log"
    altsel.solver("highs", log=log)(knapsack())
    assert "Solving report" in log.read_text()
    assert capfd.readouterr().out == ""


def test_the_number_of_threads_may_change_from_one_solve_to_the_next() -> None:
    """HiGHS keeps a scheduler for each thread, of one number of threads; here each solve has its own."""
    for threads in (1, 2, 1, 3):
        solver = altsel.solvers.Profile(engine="highs", threads=threads).build("highs")
        assert solver(knapsack()).stop is Stop.EXHAUSTED


def test_presolve_is_left_out_where_it_would_outlast_the_limit() -> None:
    """Rows "at most one of these" take it about as long as they have pairs: 20 s beyond a limit of 5."""
    rows = to_rows(model_of_sets(Problem(Univariate(range(500)), 2, [at_most_one])))
    options = [_without_a_long_presolve(rows, SolveLimits(time_limit=limit)).options for limit in (0.1, 60.0)]
    assert options == [{"presolve": "off"}, {}]


def at_most_one(block: Any) -> Any:
    return sum(block.x.values()) <= 1
