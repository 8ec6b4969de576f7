"""Python as Pyodide has it: without ``_multiprocessing`` and ``resource``; nothing starts a thread."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import altsel
from altsel.runtime import no_processes

AS_IN_PYODIDE = """
import importlib.abc, os, subprocess, sys, threading

class Refusing(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name in {"_multiprocessing", "_posixshmem", "fcntl", "resource"}:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

def no_thread(*arguments, **options):
    raise RuntimeError("can't start new thread")

def no_process(*arguments, **options):
    raise OSError(138, "emscripten does not support processes.")

sys.meta_path.insert(0, Refusing())
for name in ("_start_new_thread", "_start_joinable_thread"):
    if hasattr(threading, name):
        setattr(threading, name, no_thread)
subprocess.Popen.__init__ = no_process
del os.fork
"""
USE = """
import altsel, numpy as np
a, b, c, noise = np.random.default_rng(0).normal(size=(4, 60))
data = altsel.Dataset({"a": a, "b": b, "copy": 2 * b, "c": c, "d": a - c}, (a + b + noise > 0).astype(int))
different = altsel.Dice(.5)
for criterion in (altsel.Univariate, altsel.MRMR, altsel.CFS, altsel.LinearFit, altsel.ModelFit):
    print(criterion.__name__, len(altsel.sequential(altsel.Problem(criterion(data), k=2), different, 1)))
problem = altsel.Problem(altsel.Univariate(data), k=2)
found = altsel.sequential(problem, different, 1)
print("list", len(altsel.near_optimal(problem, altsel.RelativeLoss(.2))) > 0)
print("front", len(altsel.pareto_front(problem, altsel.Dice(0))) > 0)
by_highs = altsel.sequential(problem, different, 1, solver="highs")
print("solver", [one.score for one in by_highs] == [one.score for one in found])
print("blankets", len(altsel.blankets.tmfbs(altsel.independence.auto(data))) > 0)
print("stability", len(altsel.stability(lambda table: [table.features[:2]], data, 2)))
print("audit", altsel.audit(found, problem, different).verdict)
found.certificate("proof.json.gz")
page = found.report("page.html", data=data, certificate="proof.json.gz", audit=True)
print("report", page.stat().st_size > 1e5)
"""


@pytest.mark.slow
def test_searches_blankets_and_reports_need_no_processes_and_no_threads(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", AS_IN_PYODIDE + USE],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={"PYTHONPATH": str(Path(altsel.__file__).parents[1]), "OMP_NUM_THREADS": "1"},
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    said = dict(line.split() for line in ran.stdout.splitlines())
    counts = dict.fromkeys(["Univariate", "MRMR", "CFS", "LinearFit", "ModelFit", "stability"], "2")
    holds = dict.fromkeys(["list", "front", "solver", "blankets", "report"], "True")
    assert said == {**counts, **holds, "audit": "confirmed"}


def test_a_thread_that_cannot_start_is_a_fault_where_there_are_processes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fails(_: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr("threading.Thread.start", fails)
    with pytest.raises(RuntimeError, match="can't start new thread"):
        no_processes.started(lambda: None)
    monkeypatch.setattr(no_processes, "has_processes", lambda: False)
    assert no_processes.started(lambda: None) is None
