"""Small questions, each asked by a new process: with numba, with nothing compiled yet, and without numba.

Run: OMP_NUM_THREADS=1 python -m benchmarks.cold  (needs pip install "altsel[fast]")
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from benchmarks.command import stamped, whole

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "benchmarks" / "results" / "cold.md"
WAYS = ("without numba", "compiled before", "not yet compiled")
CLOSE = 1.10
"""Times as long as without numba that a question may take with it."""
HEADER = """\
import resource, sys
if {hidden}:
    sys.modules["numba"] = None
import numpy as np
import pandas as pd
import altsel
from altsel import *
"""
FOOTER = """
used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
print("\\n", sum(one.ru_utime + one.ru_stime for one in used), int(sys.modules.get("numba") is not None))
"""
DRAWN = "v = np.random.default_rng(0).random({n}).round(3)"
TABLE = """
rng = np.random.default_rng(0)
X = pd.DataFrame(rng.normal(size=({rows}, {n})) @ (np.eye({n}) + .3 * rng.normal(size=({n}, {n}))))
X.columns = [f"x{{j}}" for j in range({n})]
y = pd.Series((X.iloc[:, :4].sum(axis=1) + rng.normal(size={rows}) > 0).astype(int), name="y")
data = Dataset(X, y)
"""
FACTORS = """
rng = np.random.default_rng(0)
shared = rng.normal(size=({rows}, 6))
X = pd.DataFrame(shared[:, rng.integers(0, 6, {n})] + .7 * rng.normal(size=({rows}, {n})))
X.columns = [f"x{{j}}" for j in range({n})]
y = pd.Series(shared.sum(axis=1) + rng.normal(size={rows}), name="y")
data = Dataset(X, y)
"""
ALARM = """
table = altsel.read_network("{alarm}").sample({rows}, 0)
data = Dataset(table.drop(columns="HR"), table["HR"])
"""
COMMAND = """
import contextlib, io, os
os.chdir("{folder}")
from altsel.cli.app import main
sys.argv = ["altsel", *{words!r}]
with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
    try:
        main()
    except SystemExit as end:
        assert not end.code
"""


@dataclass(frozen=True)
class Question:
    """What a process does: lines of Python, the first ones to make what is asked of."""

    name: str
    data: str
    lines: str


@dataclass
class Times:
    """CPU seconds of a question by each way, the least of its runs, and where numba was loaded."""

    seconds: dict[str, float] = field(default_factory=dict)
    loaded: set[str] = field(default_factory=set)


def questions() -> Iterator[Question]:
    """List the small questions."""
    folder, alarm = ROOT / "examples" / "data", ROOT / "examples" / "data" / "alarm.bif"
    for k in (5, 8, 10):
        words = ["select", "ionosphere.csv.gz", "--target", "target", "-k", str(k), "--tau", "0.4"]
        yield Question(f"`altsel select` ionosphere, k = {k}", "", COMMAND.format(folder=folder, words=words))
    words = ["select", "heart.csv.gz", "--target", "disease", "-k", "4", "--objective", "mrmr"]
    yield Question("`altsel select` heart, mRMR, k = 4", "", COMMAND.format(folder=folder, words=words))
    yield Question(
        "chain of 11 sets, 8 of 34", DRAWN.format(n=34), "sequential(Problem(Univariate(v), 8), Dice(.5), 10)"
    )
    yield Question(
        "chain of 6 sets, 10 of 200",
        DRAWN.format(n=200),
        "sequential(Problem(Univariate(v), 10), Dice(.5), 5)",
    )
    yield Question(
        "chain under a budget, 6 of 60",
        DRAWN.format(n=60),
        "p = Univariate(v)\n"
        "cost = dict(zip(p.features, np.random.default_rng(1).random(60).round(2).tolist()))\n"
        "sequential(Problem(p, 6, [altsel.domain.budget(cost, 2.5, other=0)]), Dice(.5), 5)",
    )
    for sets in (3, 5):
        yield Question(
            f"{sets} sets together, 6 of 40",
            DRAWN.format(n=40),
            f"simultaneous(Problem(Univariate(v), 6), Dice(.5), {sets - 1})",
        )
    yield Question(
        "poorest of 3 sets, 6 of 40",
        DRAWN.format(n=40),
        'simultaneous(Problem(Univariate(v), 6), Dice(.5), 2, total="min")',
    )
    for name, criterion in (("mRMR", "MRMR"), ("CFS", "CFS"), ("FCBF", "FCBF")):
        yield Question(
            f"{name}, 4 sets, 6 of 40",
            TABLE.format(rows=200, n=40),
            f"sequential(Problem({criterion}(data), 6), Dice(.5), 3)",
        )
    for name in ("MRMR", "CFS"):
        yield Question(
            f"{name}, sharing factors, 6 of 40",
            FACTORS.format(rows=300, n=40),
            f"sequential(Problem({name}(data), 6), Dice(.5), 1)",
        )
    yield Question(
        "8 sets together, 6 of 40", DRAWN.format(n=40), "simultaneous(Problem(Univariate(v), 6), Dice(.2), 7)"
    )
    yield Question(
        "poorest of 5 sets, 6 of 40",
        DRAWN.format(n=40),
        'simultaneous(Problem(Univariate(v), 6), Dice(.5), 4, total="min")',
    )
    yield Question(
        "linear fit, 3 sets, 5 of 30",
        TABLE.format(rows=200, n=30),
        "sequential(Problem(LinearFit(data), 5), Dice(.5), 2)",
    )
    yield Question(
        "nearest-neighbour information, mRMR, 4 of 20",
        TABLE.format(rows=200, n=20),
        "from altsel.measures import MutualInformation\n"
        "sequential(Problem(MRMR(altsel.dependence(data, MutualInformation())), 4), Dice(.5), 2)",
    )
    for rows in (500, 5000):
        yield Question(
            f"IAMB by G-square, ALARM, {rows:,} rows",
            ALARM.format(alarm=alarm, rows=rows),
            "altsel.blankets.iamb(altsel.independence.GSquare(data))",
        )
    yield Question(
        "TMFBS by G-square, ALARM, 500 rows",
        ALARM.format(alarm=alarm, rows=500),
        "altsel.blankets.tmfbs(altsel.independence.GSquare(data))",
    )


def asked(question: Question, way: str) -> tuple[float, bool]:
    """Ask a question in a new process; return its CPU seconds, and whether numba was loaded."""
    text = HEADER.format(hidden=way == WAYS[0]) + question.data + "\n" + question.lines + FOOTER
    with tempfile.TemporaryDirectory() as kept:
        own = {"NUMBA_CACHE_DIR": kept} if way == WAYS[2] else {}
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", text],
            env=os.environ | own,
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode:
        raise RuntimeError(f"{question.name}: {done.stderr}")
    seconds, loaded = done.stdout.split()[-2:]
    return float(seconds), loaded == "1"


def measured(question: Question, runs: int) -> Times:
    """Ask a question by all ways in turn."""
    found = Times()
    for _ in range(runs):
        for way in WAYS:
            seconds, loaded = asked(question, way)
            found.seconds[way] = min(seconds, found.seconds.get(way, seconds))
            found.loaded |= {way} if loaded else set()
    return found


TEXT = f"""# What numba costs small questions

`python -m benchmarks.cold`: CPU seconds of a new process a question, its start and imports included, the
least of {{runs}}. *{WAYS[0]}*: as an installation without the extra `fast`. *{WAYS[1]}*: with it.
*{WAYS[2]}*: with it, and an empty folder of compiled code, as after an installation. A question is to take at
most {CLOSE} times as long with numba: it is loaded only once loops have worked for a second, and loops are
compiled only once they have worked as long as compiling takes, where a limit leaves four times that. Taken on
{{date}}.

| question | {" | ".join(WAYS)} | largest ratio | numba loaded |
|---|---|---|---|---|---|
"""


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--runs", type=whole(1), default=3, help="processes a question and way; the least counts"
    )
    runs, lines, ratios = parser.parse_args().runs, list[str](), list[float]()
    for question in questions():
        times = measured(question, runs)
        plain, *others = (times.seconds[way] for way in WAYS)
        ratios.append(max(others) / plain)
        cells = [f"{one:.2f}" for one in (plain, *others, ratios[-1])]
        lines.append(f"| {question.name} | {' | '.join(cells)} | {'yes' if times.loaded else 'no'} |")
        print(lines[-1], flush=True)
    close, largest = sum(ratio <= CLOSE for ratio in ratios), max(ratios)
    end = (
        f"{close} of {len(ratios)} take at most {CLOSE} times as long; the largest ratio is {largest:.2f}.\n"
    )
    text = TEXT.format(runs=runs, date=date.today().isoformat())
    PAGE.write_text(stamped(text + "\n".join(lines) + "\n\n" + end), encoding="utf-8")


if __name__ == "__main__":
    main()
