"""Learn how long each engine takes, from times measured alone; write the table of constants.

    python -m benchmarks.portfolio --seed 3001 --questions 900 --limit 3 --json TIMES
    python -m benchmarks.learn_seconds TIMES ... [--write]

Times of several sets only, of engines that are neither asked at once nor last. What an engine has not settled
within the limit counts as the `MOST` seconds.
"""

from __future__ import annotations

import argparse
import json
import warnings
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np

from altsel.exact.auto import ENGINES
from altsel.exact.predicted_seconds import LEARNT, QUANTITIES, family, quantities
from altsel.exact.run import Run
from benchmarks.portfolio import Drawn, engine_name

LEAST, MOST = 0.001, 6.0
"""Seconds between which times are told apart."""
RIDGE = 3.0
"""Weight of the squared coefficients, of quantities with a standard deviation of 1."""
FEWEST = 12
"""Measured questions of a family, below which nothing is learnt."""


def learnt(rows: list[dict[str, Any]]) -> dict[str, dict[str, tuple[float, ...]]]:
    """Return the coefficients of every engine in every family."""
    measured: dict[tuple[str, str], list[tuple[Any, float]]] = defaultdict(list)
    for row in rows:
        drawn = Drawn(**{**row["question"], "k": tuple(row["question"]["k"])})
        if drawn.total == "one by one" or drawn.alternatives == 0 or not row["alone"]:
            continue
        problem = drawn.problem()
        question = Run(problem, None, "learn").question(
            drawn.diversity(), drawn.alternatives + 1, drawn.total
        )
        if question.by_rows:
            continue  # rows across sets: models alone answer
        known = quantities(question)
        for engine in ENGINES:
            name = engine_name(engine)
            if engine.why_not(question) is None and 0 < _expected(engine, question) < np.inf:
                measured[family(question), name].append((known, row["alone"].get(name, MOST)))
    found: dict[str, dict[str, tuple[float, ...]]] = defaultdict(dict)
    for (group, name), pairs in sorted(measured.items()):
        if len(pairs) >= FEWEST:
            found[group][name] = _fitted(*map(np.array, zip(*pairs, strict=True)))
    return dict(found)


def _expected(engine: Any, question: Any) -> float:
    return float(engine.expected_seconds(question))


def _fitted(table: Any, seconds: Any) -> tuple[float, ...]:
    """Fit logs of seconds by ridge regression, and write the coefficients for the quantities as they are."""
    logs = np.log(np.clip(seconds, LEAST, MOST))
    free = table[:, 1:]
    means, scales = free.mean(axis=0), free.std(axis=0)
    scales[scales < 1e-9] = np.inf  # of what was always the same nothing is learnt
    standard = (free - means) / scales
    ridge = standard.T @ standard + RIDGE * np.eye(free.shape[1])
    weights = np.linalg.solve(ridge, standard.T @ (logs - logs.mean())) / scales
    return tuple(float(f"{one:.3g}") for one in (logs.mean() - weights @ means, *weights))


def written(found: dict[str, dict[str, tuple[float, ...]]]) -> str:
    """Write the file of constants: a line an engine and family."""
    lines = [",".join(["family", "engine", *QUANTITIES])]
    lines += [
        ",".join([group, name, *map(str, values)])
        for group, engines in found.items()
        for name, values in engines.items()
    ]
    return "\n".join([*lines, ""])


def main() -> None:
    """Learn, print the table, and write it where that is wanted."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("times", type=Path, nargs="+")
    parser.add_argument("--write", action="store_true", help="replace altsel/exact/learnt_seconds.csv")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    text = written(learnt([row for path in given.times for row in json.loads(path.read_text("utf-8"))]))
    if given.write:
        LEARNT.write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
