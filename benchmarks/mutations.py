"""How many small changes of the code the tests notice: each is made in a copy, and the tests are run there.

Run: python -m benchmarks.mutations --seed 0 --number 150 --output benchmarks/results/mutations.md

A first run of all tests notes which of them call which functions. For each change those that call the
changed function are run, fastest first, until one fails. Reasons why a change that no test noticed
is left so are written by hand into the last column of the table; a later run keeps them.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from benchmarks.mutants import Mutant, candidates, mutant

ROOT = Path(__file__).parents[1]
PLACES = ["models", "altsel/search", "altsel/solvers", "altsel/stats"]
LEFT = (".git", ".venv", "__pycache__", ".*_cache", "*.egg-info", "build", "dist", "results")
PYTEST = [
    sys.executable,
    "-m",
    "pytest",
    "-q",
    "-m",
    "not slow",
    "-p",
    "no:cacheprovider",
    "-p",
    "no:randomly",
]
START, SLOWER = 60.0, 1.5
"""Seconds to begin, and how many times as long as noted tests may take before they count as stuck.

Noted ones take about twice as long as others, for the noting."""
KILLED, SURVIVED, STUCK = "killed", "survived", "timed out"
Reasons = dict[tuple[str, str, str], str]


class Tree:
    """A copy of the checkout to change and test.

    Parameters
    ----------
    folder
        Where the copy goes.
    seconds
        Most seconds a mutant.
    """

    def __init__(self, folder: Path, seconds: float) -> None:
        self.root, self.seconds = folder / "tree", seconds
        shutil.copytree(ROOT, self.root, symlinks=True, ignore=shutil.ignore_patterns(*LEFT))
        self._chosen, record = folder / "chosen.json", folder / "record.json"
        self._pytest({"TESTS_RECORD": str(record)}, [], None)
        told = json.loads(record.read_text())
        self.tests = {name: one for name, one in told.items() if one["passed"]}
        print(f"{len(told)} tests, {len(told) - len(self.tests)} of them skipped or failing", flush=True)

    def try_out(self, one: Mutant) -> tuple[str, str]:
        """Run the tests that reach a mutant: what became of it, and what noticed it or how many ran."""
        tests, number = self.reaching(one)
        if not number:
            return SURVIVED, "no test calls it"
        self._chosen.write_text(json.dumps(tests))
        file = self.root / one.file
        kept = file.read_bytes()
        file.write_text(one.source)
        try:
            expected = sum(self.tests[name]["seconds"] for name in tests)
            limit = min(self.seconds, START + SLOWER * expected)
            files = list(dict.fromkeys(name.split("::")[0] for name in tests))
            done = self._pytest({"TESTS_CHOSEN": str(self._chosen)}, ["-x", *files], limit)
        except subprocess.TimeoutExpired:
            return STUCK, f"{len(tests)} of {number} tests"
        finally:
            file.write_bytes(kept)
        if done.returncode == 0:
            return SURVIVED, f"{len(tests)} of {number} tests"
        noticed = re.search(r"^(?:FAILED|ERROR) (.*?)(?: - |$)", done.stdout, re.MULTILINE)
        return KILLED, noticed[1] if noticed else "the package cannot be imported"

    def reaching(self, one: Mutant) -> tuple[list[str], int]:
        """Name the tests that call a function, or its file, as far as time allows; count them all."""
        key = f"{one.file}::{one.function}"
        within = {name: told for name, told in self.tests.items() if one.function and key in told["calls"]}
        if not within:  # code at the top of a file, or compiled
            begin = f"{one.file}::"
            within = {n: t for n, t in self.tests.items() if any(c.startswith(begin) for c in t["calls"])}
        left, chosen = (self.seconds - START) / SLOWER, []
        for name, told in sorted(within.items(), key=lambda item: float(item[1]["seconds"])):
            left -= told["seconds"]
            if left >= 0:
                chosen.append(name)
        return chosen, len(within)

    def _pytest(
        self, settings: dict[str, str], arguments: list[str], limit: float | None
    ) -> subprocess.CompletedProcess[str]:
        """Run pytest in the copy, without bytecode: a changed file may look as old and large as before."""
        paths = {"PYTHONPATH": str(self.root), "PYTHONDONTWRITEBYTECODE": "1"}
        command = [*PYTEST, "-p", "benchmarks.executed", *arguments]
        given = {**os.environ, **paths, **settings}
        with subprocess.Popen(
            command, cwd=self.root, env=given, text=True, stdout=-1, stderr=-2, start_new_session=True
        ) as run:
            try:
                out, _ = run.communicate(timeout=limit)
            except BaseException:
                os.killpg(run.pid, 9)  # with what the tests started
                raise
        return subprocess.CompletedProcess(command, run.returncode, out)


def drawn(root: Path, files: Iterable[str], number: int, seed: int) -> list[Mutant]:
    """Draw mutants evenly over files: every so many of all candidates, from a random one on."""
    everything = [one for file in sorted(files) for one in candidates(file, (root / file).read_text())]
    chance = random.Random(seed)
    step = max(len(everything) / number, 1.0)
    first = chance.random() * step
    found = {}
    for i in range(min(number, len(everything))):
        for one in everything[int(first + i * step) :]:  # the next one that is a program
            made = mutant(one, (root / one.file).read_text())
            if made and (made.file, made.source) not in found:
                found[made.file, made.source] = made
                break
    order = list(found.values())
    chance.shuffle(order)
    return order


def cells(row: str) -> list[str]:
    """Split a row of a Markdown table."""
    parts = re.split(r"(?<!\\)\|", row.strip())[1:-1]
    return [part.strip().strip("`").replace("\\|", "|").strip() for part in parts]


def known_reasons(file: Path) -> Reasons:
    """Read the reasons of an earlier table."""
    rows = (
        [cells(row) for row in file.read_text().splitlines() if row.startswith("| `")]
        if file.exists()
        else []
    )
    return {(row[0].split(":")[0], row[1], row[2]): row[4] for row in rows if len(row) == 5 and row[4]}


def table(told: list[tuple[Mutant, str, str]], reasons: Reasons, head: str) -> Iterator[str]:
    """Write counts, then what no test noticed, then reasons of earlier runs for what is still there."""
    counts = Counter(state for _, state, _ in told)
    yield f"# Mutations\n\n{head}\n"
    yield "| mutants | killed | timed out | survived |\n|---|---|---|---|"
    yield f"| {len(told)} | {counts[KILLED]} | {counts[STUCK]} | {counts[SURVIVED]} |\n"
    yield "What was timed out counts as noticed. What no test noticed:\n"
    yield "| place | before | after | run | reason |\n|---|---|---|---|---|"
    left = dict(reasons)
    for one, state, note in sorted(told, key=lambda item: (item[0].file, item[0].line)):
        reason = left.pop((one.file, one.before, one.after), "")
        if state == SURVIVED:
            yield _row(f"{one.file}:{one.line}", one.before, one.after, note, reason)
    for (name, before, after), reason in left.items():
        file = ROOT / name
        if file.exists() and before in file.read_text():
            yield _row(name, before, after, "in an earlier run", reason)


def _row(place: str, before: str, after: str, note: str, reason: str) -> str:
    quoted = [f"` {part.replace('|', chr(92) + '|')} `" for part in (before, after)]
    return f"| `{place}` | {quoted[0]} | {quoted[1]} | {note} | {reason.replace('|', chr(92) + '|')} |"


def main() -> None:
    """Try mutants and write the table, anew after each."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--number", type=int, default=150)
    parser.add_argument("--output", type=Path, default=ROOT / "benchmarks/results/mutations.md")
    parser.add_argument(
        "--files", nargs="+", help="files to change; default: models, searches, solvers, statistics"
    )
    parser.add_argument("--seconds-per-mutant", type=float, default=240.0)
    given = parser.parse_args()
    places = [path for place in PLACES for path in (ROOT / place).rglob("*.py")]
    files = given.files or [str(path.relative_to(ROOT)) for path in places]
    reasons, told = known_reasons(given.output), []
    head = f"`python -m benchmarks.mutations --seed {given.seed} --number {given.number}`: " + (
        "small changes of the code, drawn evenly over its files, each with the tests that call the function."
    )
    with tempfile.TemporaryDirectory() as folder:
        tree = Tree(Path(folder), given.seconds_per_mutant)
        for one in drawn(tree.root, files, given.number, given.seed):
            began = time.perf_counter()
            state, note = tree.try_out(one)
            told.append((one, state, note))
            seconds = time.perf_counter() - began
            print(
                f"{seconds:.0f} s, {state}: {one.file}:{one.line}: {one.before} -> {one.after} ({note})",
                flush=True,
            )
            given.output.write_text("\n".join(table(told, reasons, head)) + "\n")


if __name__ == "__main__":
    main()
