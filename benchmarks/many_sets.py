"""Many univariate sets at once: what is proved of their sum, or of the poorest, within a time limit.

Run: python -m benchmarks.many_sets [--seconds 30]; writes ``benchmarks/results/many_sets.md``.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np

import altsel
from altsel import Dice, Problem, Univariate

RESULTS = Path(__file__).parent / "results" / "many_sets.md"
CASES = [("sum", a, tau) for a in (7, 9, 12) for tau in (0.2, 0.5, 0.8)]
CASES += [("sum", 20, 0.5), ("min", 3, 0.5), ("min", 5, 0.5)]


def main() -> None:
    """Measure, and write the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=30.0)
    seconds = parser.parse_args().seconds
    quality = np.random.default_rng(0).beta(1, 6, 100)
    problem = Problem(Univariate(quality), 10)
    altsel.simultaneous(problem, Dice(0.8), 7, "sum", time_limit=seconds)  # compiles
    lines = [
        "# Many sets at once",
        "",
        f"`python -m benchmarks.many_sets --seconds {seconds:g}`: 100 features of quality beta(1, 6), k = 10,"
        " that many alternatives beside the first set, one thread; the limit is wall time, shared with others.",
        "",
        "| total | alternatives | tau | CPU s | result | by |",
        "|---|---|---|---|---|---|",
    ]
    for total, alternatives, tau in CASES:
        began = time.process_time()
        found = altsel.simultaneous(problem, Dice(tau), alternatives, total, time_limit=seconds)
        spent = time.process_time() - began
        result = (
            "proved" if found.proved else f"gap {100 * (found[0].gap or 0.0):.3f} %" if found else "no sets"
        )
        by = found.search.rpartition("; by ")[2]
        lines.append(f"| {total} | {alternatives} | {tau} | {spent:.1f} | {result} | {by} |")
        print(lines[-1], flush=True)
    RESULTS.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
