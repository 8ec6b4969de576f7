"""Wall time of one tree by one process and by two, on three hard questions.

    python -m benchmarks.tree_times  # writes benchmarks/results/tree_times.md; two minutes on an idle machine

Every answer is proved, and that of two processes is compared with that of one.
"""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import joblib
import psutil  # type: ignore[import-untyped]

import altsel
from altsel.parallel import run
from benchmarks.time_limits import correlated
from benchmarks.tree_workers import Found, compared, counted

RESULTS = Path(__file__).parent / "results" / "tree_times.md"


@dataclass(frozen=True)
class Hard:
    """A question that takes one process a minute or so."""

    name: str
    call: Callable[[], Found]


def hard() -> list[Hard]:
    """Make three hard questions: features that share twelve factors."""
    two, four = correlated(200), correlated(400)
    return [
        Hard("mRMR, n = 400, k = 10: the best set", lambda: _first(altsel.MRMR(four), 10)),
        Hard("CFS, n = 400, k = 10: the best set", lambda: _first(altsel.CFS(four), 10)),
        Hard("mRMR, n = 200, k = 10: all within 3 %", lambda: _near(altsel.MRMR(two), 10)),
    ]


def _first(objective: Any, k: int) -> Found:
    return altsel.sequential(altsel.Problem(objective, k), altsel.Dice(0.5), 0)


def _near(objective: Any, k: int) -> Found:
    return altsel.near_optimal(altsel.Problem(objective, k), altsel.RelativeLoss(0.03), 10_000)


def timed(question: Hard, workers: int) -> tuple[str, Found]:
    """Search one hard question; return a row of the table, and the answer."""
    before = _cpu()
    began = time.perf_counter()
    with counted() as rounds, joblib.parallel_config("loky", n_jobs=workers):
        found = question.call()
    wall = time.perf_counter() - began
    here, others = (after - one for after, one in zip(_cpu(), before, strict=True))
    cells = [f"{seconds:.1f}" for seconds in (wall, here, others)]
    cells += [f"{found.effort.nodes:,}", str(rounds.count), str(found[-1].proof), f"{os.getloadavg()[0]:.1f}"]
    return f"| {question.name} | {workers} | {' | '.join(cells)} |", found


def _cpu() -> tuple[float, float]:
    """Return CPU seconds of this process and of its workers."""
    spent = [one.cpu_times() for one in psutil.Process().children(recursive=True)]
    return time.process_time(), sum(one.user + one.system for one in spent)


def _start(number: int) -> int:
    return number


def page() -> str:
    """Search all of them, and return the page."""
    lines = [
        "# Time of one tree on two processes",
        "",
        "Run: python -m benchmarks.tree_times",
        "",
        TIME,
        "",
        TIMES,
    ]
    for question in hard():
        with joblib.parallel_config("loky", n_jobs=2):
            run(_start, {"0": 0, "1": 1}, n_jobs=2)
        answers = [timed(question, workers) for workers in (1, 2)]
        said = compared(answers[0][1], answers[1][1])
        assert not said, said
        lines += [row for row, _ in answers]
        print("\n".join(lines[-2:]), flush=True)
    return "\n".join([*lines, ""])


TIME = """Features share twelve factors (`benchmarks.time_limits`). Both answers are proved, and the same.
Wall seconds; CPU seconds of the process that called and of the others; the load average at the end, of a
machine of two cores: where it is far above 2, others used it too, and two processes get more of the cores
than one does; then read the CPU seconds, which say what sharing costs."""
TIMES = """| question | processes | wall | CPU here | CPU others | nodes | rounds | proof | load |
|---|---|---|---|---|---|---|---|---|"""


def main() -> None:
    """Write the page."""
    warnings.simplefilter("ignore")
    RESULTS.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
