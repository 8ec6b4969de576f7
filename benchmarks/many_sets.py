"""Many univariate sets at once: what is proved of their sum, or of the poorest, within CPU seconds.

Run: python -m benchmarks.many_sets [--seconds 60] [--rows FILE]

One thread; the limit is CPU seconds of this process, at which a search is interrupted. With ``--rows`` what
was measured is kept, and not measured again. Writes ``benchmarks/results/many_sets.md``.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

os.environ |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")

import numpy as np
from sklearn.datasets import load_breast_cancer

import altsel
from altsel import MRMR, Dice, Problem, Univariate
from altsel.exact.families.counts.compiled import ANNEALINGS, REALISATIONS
from benchmarks.command import stamped
from benchmarks.correlated import dependence, digits

RESULTS = Path(__file__).parent / "results" / "many_sets.md"
CASES = [("sum", a, tau) for a in (7, 9, 12) for tau in (0.8, 0.5, 0.2)]
CASES += [("min", 3, 0.5), ("min", 5, 0.5), ("sum", 20, 0.5)]
INTRODUCTION = """# Many sets at once

`python -m benchmarks.many_sets --seconds {seconds:g}`: 100 features of quality beta(1, 6), one draw; k = 10,
so many alternatives beside the first set; one thread of a shared machine. The limit is CPU seconds, at which
a search is interrupted. A gap is that of the bound to the total, relative to the total.

| total | alternatives | tau | CPU s | result | value | by |
|---|---|---|---|---|---|---|
"""
OTHERS = """
mRMR by absolute correlations: wdbc (30 features) with k = 5 and the redundancy over k^2; digits (64
features, of which 61 vary, odd or even) with k = 10.

| total | alternatives | tau | CPU s | result | value | by |
|---|---|---|---|---|---|---|
"""


@contextmanager
def cpu_limit(seconds: float, again: float = 0.0) -> Iterator[None]:
    """Interrupt after CPU seconds; `again` so many later, as code that is compiled may swallow the first."""

    def ring(*_: Any) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, seconds, again)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def result(found: altsel.Solutions, total: str) -> tuple[str, float]:
    """Tell what was proved, and the total."""
    scores = [one.score for one in found]
    if not scores:
        return "no sets", 0.0
    value = sum(scores) if total == "sum" else min(scores)
    if found.proved:
        return "proved", value
    rises = [one.bound - one.score for one in found if one.bound is not None]
    return (f"gap {100 * min(rises) / value:.3f} %" if rises else "no bound"), value


def measured(problem: Problem, case: tuple[str, int, float], seconds: float) -> str:
    """Make one search; return its line."""
    total, alternatives, tau = case
    began = time.process_time()
    with cpu_limit(seconds):
        found = altsel.simultaneous(problem, Dice(tau), alternatives, total)
    spent = time.process_time() - began
    said, value = result(found, total)
    by = found.search.rpartition("; by ")[2]
    return f"| {total} | {alternatives} | {tau} | {spent:.1f} | {said} | {value:.5f} | {by} |"


def others() -> Iterator[tuple[Problem, tuple[str, int, float]]]:
    """Yield questions of mRMR on real data."""
    bunch = load_breast_cancer(as_frame=True)
    names = [name.replace(" ", "_") for name in bunch.data]
    wdbc = dependence(bunch.data.set_axis(names, axis=1), bunch.target)
    yield Problem(MRMR(wdbc, "k^2"), 5), ("min", 5, 0.8)
    yield Problem(MRMR(digits()), 10), ("sum", 3, 0.5)


def main() -> None:
    """Measure, and write the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--rows", type=Path)
    given = parser.parse_args()
    problem = Problem(Univariate(np.random.default_rng(0).beta(1, 6, 100)), 10)
    for loops in (ANNEALINGS, REALISATIONS):
        loops.compiled  # noqa: B018  (compiled, or loaded, before the clock starts)
    with cpu_limit(given.seconds):
        altsel.simultaneous(problem, Dice(0.8), 7, "sum")
    known = given.rows and given.rows.exists()
    lines: dict[str, str] = json.loads(given.rows.read_text()) if known else {}
    for case in CASES:
        if str(case) not in lines:
            lines[str(case)] = measured(problem, case, given.seconds)
            print(lines[str(case)], flush=True)
            if given.rows:
                given.rows.write_text(json.dumps(lines))
    text = INTRODUCTION.format(seconds=given.seconds) + "\n".join(lines.values()) + "\n" + OTHERS
    text += "".join(f"{measured(*one, given.seconds)}\n" for one in others())
    RESULTS.write_text(stamped(text), encoding="utf-8")


if __name__ == "__main__":
    main()
