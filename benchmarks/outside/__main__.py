"""What is fast and what is not: altsel and its peers in the same run, each question in a process of its own.

    python -m benchmarks.outside [--part WORD ...] [--seed 7] [--json FILE]

One thread. *Cold*: CPU seconds of a new process, imports and the first answer; *warm*: the second answer
(where the first took more than `ENOUGH` seconds, the first). The power is the slope of log seconds over the
log of the number; a step that costs `STEEP` times more than the number grows is a cliff. Peers that are not
installed are left out (alfese, abess: ``pip install``; leaps: R with its package). Once there is an answer to
every question it writes ``benchmarks/results/outside.md``.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

import numpy as np

from benchmarks.command import stamped, whole
from benchmarks.outside.questions import LIMIT, QUESTIONS, Question

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "benchmarks" / "results" / "outside.md"
REASONS = Path(__file__).with_name("reasons.csv")
ENOUGH = 5.0
STEEP = 10.0
SHORTEST = 0.005
"""CPU seconds below which times are the same."""
TIMES_THE_LIMIT = 6
"""A process is killed after so many limits of a search."""
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


@dataclass(frozen=True)
class Taken:
    """What an answer took: CPU seconds cold and warm, peak MB, and the answer in words; None: killed."""

    cold: float | None
    warm: float | None
    peak: float | None
    answer: str


def take(question: Question, value: float, ask: str, seed: int) -> Taken:
    """Ask in a new process."""
    given = {
        "data": question.data.replace("{v}", str(value)),
        "ask": ask.replace("{v}", str(value)),
        "seed": seed,
        "times": 2,
        "enough": ENOUGH,
    }
    command = [sys.executable, "-W", "ignore", "-m", "benchmarks.outside.asked"]
    try:
        done = subprocess.run(
            command,
            input=json.dumps(given),
            capture_output=True,
            text=True,
            timeout=TIMES_THE_LIMIT * LIMIT,
            env=os.environ | ONE_THREAD,
            cwd=ROOT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Taken(None, None, None, "killed")
    if done.returncode:
        return Taken(
            None, None, None, f"failed: {(done.stderr.splitlines() or [str(done.returncode)])[-1][:90]}"
        )
    told = json.loads(done.stdout.splitlines()[-1])
    times = told["times"]
    return Taken(told["imports"] + times[0], times[-1], told["peak"], told["answer"])


def peers_of(question: Question, value: float) -> dict[str, str]:
    """Return the expressions of peers that are here, and not too slow for the number."""
    here = {
        "leaps": shutil.which("Rscript") is not None,
        "alfese": find_spec("alfese") is not None,
        "abess": find_spec("abess") is not None,
    }
    return {
        name: ask for name, (ask, most) in question.peers.items() if value <= most and here.get(name, True)
    }


def measured(question: Question, seed: int) -> list[dict[str, Taken]]:
    """Ask altsel and peers, for every value."""
    rows = []
    for value in question.values:
        row = {"altsel": take(question, value, question.ask, seed)}
        for name, ask in peers_of(question, value).items():
            row[name] = take(question, value, ask, seed)
        rows.append(row)
        print(f"{question.part}: {question.name}, {question.symbol} {value:g}: {row}", flush=True)
    return rows


def section(question: Question, rows: list[dict[str, Taken]]) -> str:
    """Return the table of a question, its power, its cliffs and what is slower than a peer."""
    names = list(dict.fromkeys(name for row in rows for name in row))[1:]
    peers = "".join(f" {name} warm | {name} says |" for name in names)
    lines = [f"### {question.name}", "", f"| {question.symbol} | cold | warm | MB | altsel says |{peers}"]
    lines.append("|" + "---|" * (5 + 2 * len(names)))
    for value, row in zip(question.values, rows, strict=True):
        own = row["altsel"]
        cells = [f"{value:g}", _seconds(own.cold), _seconds(own.warm), _whole(own.peak), own.answer]
        for name in names:
            cells += [_seconds(row[name].warm), row[name].answer] if name in row else ["", ""]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join([*lines, "", *_remarks(question, rows)])


def _remarks(question: Question, rows: list[dict[str, Taken]]) -> list[str]:
    """Say how it grows, where it has cliffs, and where a peer is faster."""
    symbol, pairs = question.symbol, list(zip(question.values, rows, strict=True))
    points = [(value, _floored(row["altsel"].warm)) for value, row in pairs if row["altsel"].warm]
    longer = np.log([point for point in points if point[1] > SHORTEST])
    said = []
    if len(longer) > 2:
        said.append(f"Grows as {symbol}^{np.polyfit(longer[:, 0], longer[:, 1], 1)[0]:.1f}.")
    for (before, short), (after, long) in pairwise(points):
        if long > STEEP * short * max(after / before, 1.0):
            reason = _reasons().get((question.name, f"{after:g}"), "no reason is known")
            said.append(f"Cliff from {symbol} {before:g} to {after:g}, {long / short:.0f} times: {reason}.")
    slower = [
        f"{name} at {symbol} {value:g} ({taken.warm:.3g} s)"
        for value, row in pairs
        for name, taken in row.items()
        if taken.warm and _floored(taken.warm) < _floored(row["altsel"].warm)
    ]
    said += [f"Faster than altsel: {', '.join(slower)}."] if slower else []
    return [" ".join(said), ""] if said else []


def _floored(seconds: float | None) -> float:
    return np.inf if seconds is None else max(seconds, SHORTEST)


def _reasons() -> dict[tuple[str, str], str]:
    """Read why there are cliffs: a line a question and number."""
    lines = REASONS.read_text(encoding="utf-8").splitlines()[1:]
    return {(name, value): reason for name, value, reason in (line.split(";", 2) for line in lines)}


def _seconds(seconds: float | None) -> str:
    return "" if seconds is None else f"{seconds:.3g}" if seconds < 100 else f"{seconds:.0f}"


def _whole(number: float | None) -> str:
    return "" if number is None else f"{number:.0f}"


def page(found: dict[str, list[dict[str, Taken]]], seed: int) -> str:
    """Return the page."""
    text = [
        "# What is fast and what is not",
        "",
        f"`python -m benchmarks.outside --seed {seed}`: generated data, a process a question, one thread, "
        f"at most {LIMIT} s a search. *Cold*: CPU seconds of a new process with its imports, to the first "
        f"answer; *warm*: of the second answer (of the first, where that took more than {ENOUGH:g}). Answers "
        "are sums of scores; *open*: not proved. alfese proves to a relative gap of 1e-4, abess proves "
        "nothing. numba is installed, and has compiled in longer runs before. A cliff is a step that costs "
        f"{STEEP:g} times more than the number grows. Sums of sets one after another may be larger where an "
        "earlier set is worse, within alfese's gap.",
        "",
    ]
    for part in dict.fromkeys(question.part for question in QUESTIONS):
        sections = [section(q, found[q.name]) for q in QUESTIONS if q.part == part and q.name in found]
        text += [f"## {part}", "", *sections] if sections else []
    return stamped("\n".join(text))


def main() -> None:
    """Ask, and write the page."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument(
        "--part", nargs="+", help="only parts or questions whose names have one of these words"
    )
    parser.add_argument("--seed", type=whole(0), default=7)
    parser.add_argument("--json", type=Path, help="what was measured, to be kept and read again")
    given = parser.parse_args()
    wanted = [
        one
        for one in QUESTIONS
        if not given.part or any(word in f"{one.part}: {one.name}" for word in given.part)
    ]
    found: dict[str, list[dict[str, Taken]]] = _kept(given.json)
    for one in wanted:
        found[one.name] = measured(one, given.seed)
        if given.json:
            given.json.write_text(json.dumps(found, default=asdict), encoding="utf-8")
    text = page(found, given.seed)
    if all(one.name in found for one in QUESTIONS):
        PAGE.write_text(text, encoding="utf-8")
    else:
        print(text)


def _kept(path: Path | None) -> dict[str, list[dict[str, Taken]]]:
    """Read what earlier runs took."""
    if path is None or not path.exists():
        return {}
    kept = json.loads(path.read_text(encoding="utf-8"))
    return {
        name: [{who: Taken(**one) for who, one in row.items()} for row in rows] for name, rows in kept.items()
    }


if __name__ == "__main__":
    main()
