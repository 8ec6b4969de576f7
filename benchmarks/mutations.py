"""How many small changes of the code the tests notice: each is made in a copy, and the tests are run there.

Run: python -m benchmarks.mutations --seed 0 --number 150 --output benchmarks/results/mutations.md

A first run of all tests notes which of them call which functions (``--record`` keeps the notes for later
runs). For each change those that call the changed function, or a loop with which numba compiles it, are run,
fastest first, until one fails; where none does, those that call files which import the changed one. Loops
that numba compiles are compiled before tests are noted, as no test would be fast that has to; a change of one
is compiled anew, as names of compiled code hold a digest of its sources, and gets time for that. A run of
pytest that ends otherwise than by tests passing or failing is an error, not a change noticed. Reasons why a
change that no test noticed is left so are written by hand into the last column of the table; a later run
keeps them.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from benchmarks.command import stamped
from benchmarks.executed import COMPILED
from benchmarks.mutants import Mutant, candidates, mutant

ROOT = Path(__file__).parents[1]
PLACES = ["models", "altsel/exact", "altsel/search", "altsel/solvers", "altsel/stats"]
LEFT = (".git", ".venv", "__pycache__", ".*_cache", "*.egg-info", "build", "dist")
PYTEST = ["-m", "pytest", "-q", "-pno:cacheprovider", "-pno:randomly", "-pbenchmarks.executed"]
USUAL, ALL = ["-m", "not long and not slow"], ["-m", ""]
"""Which tests are noted; those chosen by name are run whatever they are."""
START, SLOWER, COMPILING = 60.0, 1.5, 150.0
"""Seconds to begin, how many times as long as noted tests may take before they count as stuck, and seconds
more where loops are compiled anew.

Noted ones take about twice as long as others, for the noting."""
COMPILES = ["tests/exact/test_kernels.py"]
"""Tests that compile the loops of exact engines."""
KILLED, SURVIVED, STUCK, ERROR = "killed", "survived", "timed out", "error"
PASSED, FAILED, NONE_LEFT = 0, 1, 5
"""Exit codes of pytest; others tell that tests were not run, or not to their end."""
Reasons = dict[tuple[str, str, str], str]


class Tree:
    """A copy of the checkout to change and test.

    Parameters
    ----------
    folder
        Where the copy goes.
    seconds
        Most seconds of tests a mutant, as noted.
    """

    def __init__(self, folder: Path, seconds: float) -> None:
        self.root, self.seconds = folder / "tree", seconds
        shutil.copytree(ROOT, self.root, symlinks=True, ignore=shutil.ignore_patterns(*LEFT))
        self._chosen = folder / "chosen.json"
        self.tests: dict[str, dict[str, Any]] = {}

    def note(self, record: Path, files: list[str], marked: Sequence[str] = USUAL) -> None:
        """Compile loops, then run tests that a file has no notes of, and note what they call."""
        self._python([*PYTEST, *ALL, *COMPILES], {}, None)
        done = self._python([*PYTEST, *marked, *files], {"TESTS_RECORD": str(record.resolve())}, None)
        if done.returncode not in {PASSED, FAILED, NONE_LEFT}:
            raise RuntimeError(f"pytest ended with {done.returncode}:\n{done.stdout[-3000:]}")

    def know(self, record: Path) -> None:
        """Take the tests that a file has notes of, if they passed."""
        message = json.loads(record.read_text())
        self.tests = {name: one for name, one in message.items() if one["passed"]}
        print(
            f"{len(message)} tests, {len(message) - len(self.tests)} of them skipped or failing", flush=True
        )

    def try_out(self, one: Mutant) -> tuple[str, str]:
        """Run the tests that reach a mutant: what became of it, and what noticed it or how many ran."""
        tests, number = self.reaching(one)
        if not number:
            return SURVIVED, "no test calls it"
        ran = f"{len(tests)} of {number} tests"
        self._chosen.write_text(json.dumps(tests))
        file = self.root / one.file
        kept = file.read_bytes()
        file.write_text(one.source)
        try:
            limit = START + SLOWER * sum(self.tests[name]["seconds"] for name in tests)
            limit += COMPILING * is_compiled(self.root, one.file)
            files = dict.fromkeys(name.split("::")[0] for name in tests)
            done = self._python([*PYTEST, *ALL, "-x", *files], {"TESTS_CHOSEN": str(self._chosen)}, limit)
            # a test that cannot be collected is named without its function, and ends pytest -x with 1 too
            noticed = re.search(r"^(?:FAILED|ERROR) (\S+\.py::.*?)(?: - |$)", done.stdout, re.MULTILINE)
            if done.returncode == FAILED and noticed:
                return KILLED, noticed[1]
            return self._not_run(one, done) if done.returncode else (SURVIVED, ran)
        except subprocess.TimeoutExpired:
            return STUCK, ran
        finally:
            file.write_bytes(kept)

    def _not_run(self, one: Mutant, done: subprocess.CompletedProcess[str]) -> tuple[str, str]:
        """Tell a mutant that cannot be imported from tests that could not be run."""
        if self._python(["-W", "error", "-c", f"import {module_of(one.file)}"], {}, START).returncode:
            return KILLED, "the file cannot be imported"
        said = [line for line in done.stdout.splitlines() if re.match(r"E  |ERROR|!!!|INTERNAL", line)]
        return ERROR, f"pytest ended with {done.returncode}: {' '.join(said[:3])}"

    def reaching(self, one: Mutant) -> tuple[list[str], int]:
        """Name the tests that call a function, or its file, as far as time allows; count them all."""
        keys = {f"{one.file}::{one.function}", f"{one.file}::{COMPILED}"}
        within = {
            name: message
            for name, message in self.tests.items()
            if one.function and not keys.isdisjoint(message["calls"])
        }
        if not within:  # code at the top of a file
            near = importing(self.root, one.file)
            far = near.union(*(importing(self.root, file) for file in near))
            within = self._calling({one.file}) or self._calling(far)
        left = self.seconds
        chosen: list[str] = []
        for name, message in sorted(within.items(), key=lambda item: float(item[1]["seconds"])):
            left -= message["seconds"]
            if left >= 0 or not chosen:
                chosen.append(name)
        return chosen, len(within)

    def _calling(self, files: set[str]) -> dict[str, dict[str, Any]]:
        """Return the tests that call anything of some files."""
        called = {
            name: {call.split("::")[0] for call in message["calls"]} for name, message in self.tests.items()
        }
        return {name: message for name, message in self.tests.items() if called[name] & files}

    def _python(
        self, arguments: list[str], settings: dict[str, str], limit: float | None
    ) -> subprocess.CompletedProcess[str]:
        """Run Python in the copy, without bytecode: a changed file may look as old and large as before."""
        paths = {"PYTHONPATH": str(self.root), "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, *arguments]
        given = {**os.environ, **paths, **settings}
        with subprocess.Popen(
            command, cwd=self.root, env=given, text=True, stdout=-1, stderr=-2, start_new_session=True
        ) as run:
            try:
                out, _ = run.communicate(timeout=limit)
            except BaseException:
                os.killpg(run.pid, signal.SIGKILL)  # with what the tests started
                raise
        return subprocess.CompletedProcess(command, run.returncode, out)


def module_of(file: str) -> str:
    """Name the module that a file is."""
    parts = Path(file).with_suffix("").parts
    return ".".join(parts if parts[0] == "altsel" else ("altsel", *parts)).removesuffix(".__init__")


def importing(root: Path, file: str) -> set[str]:
    """Name the files that import one, as a whole or something of it."""
    module = module_of(file)
    folder, _, name = re.escape(module).rpartition(r"\.")
    among = rf"(?:.*|\([^)]*)\b{name}\b"
    wanted = re.compile(rf"^ *from (?:{re.escape(module)} |{folder} import {among})", re.MULTILINE)
    paths = [path for index in ("altsel", "models") for path in (root / index).rglob("*.py")]
    return {str(path.relative_to(root)) for path in paths if wanted.search(path.read_text())}


def is_compiled(root: Path, file: str) -> bool:
    """Return whether a file has loops to compile: a file ``compiled.py`` imports it, or it is one."""
    return any(Path(name).name == "compiled.py" for name in {file} | importing(root, file))


def drawn(root: Path, files: Iterable[str], number: int, seed: int) -> list[Mutant]:
    """Draw mutants evenly over files: every so many of all candidates, from a random one on."""
    everything = [name for file in sorted(files) for name in candidates(file, (root / file).read_text())]
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
    lines = file.read_text().splitlines() if file.exists() else []
    rows = [cells(row) for row in lines if row.startswith("| `")]
    return {(row[0].split(":")[0], row[1], row[2]): row[4] for row in rows if len(row) == 5 and row[4]}


def table(message: list[tuple[Mutant, str, str]], reasons: Reasons, head: str) -> Iterator[str]:
    """Write counts, then what no test noticed, then reasons of earlier runs for what is still there."""
    counts = Counter(state for _, state, _ in message)
    yield f"# Mutations\n\n{head}\n"
    yield "| mutants | killed | timed out | survived | error |\n|---|---|---|---|---|"
    yield f"| {len(message)} | {' | '.join(str(counts[one]) for one in (KILLED, STUCK, SURVIVED, ERROR))} |\n"
    yield "What was timed out counts as noticed, errors (pytest did not run its tests) do not. What no test"
    yield "noticed:\n"
    yield "| line | before | after | run | reason |\n|---|---|---|---|---|"
    left = dict(reasons)
    for one, state, note in sorted(message, key=lambda item: (item[0].file, item[0].line)):
        reason = left.pop((one.file, one.before, one.after), "")
        if state in {SURVIVED, ERROR}:
            yield _row(f"{one.file}:{one.line}", one.before, one.after, note, reason)
    for (name, before, after), reason in left.items():
        file = ROOT / name
        if file.exists() and before in file.read_text():
            yield _row(name, before, after, "in an earlier run", reason)


def _row(index: str, before: str, after: str, note: str, reason: str) -> str:
    quoted = [f"` {part.replace('|', chr(92) + '|')} `" for part in (before, after)]
    return f"| `{index}` | {quoted[0]} | {quoted[1]} | {note} | {reason.replace('|', chr(92) + '|')} |"


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
    parser.add_argument("--seconds-per-mutant", type=float, default=240.0, help="of tests, as noted")
    parser.add_argument("--record", type=Path, help="file to keep notes of tests in; delete it for new ones")
    parser.add_argument("--tests", nargs="+", default=[], help="test files to note; default: all")
    parser.add_argument("--long", action="store_true", help="note tests that are marked as long, too")
    parser.add_argument("--jobs", type=int, default=1, help="mutants tried at the same time")
    given = parser.parse_args()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # tests send it, shells make jobs ignore it
    indices = [path for index in PLACES for path in (ROOT / index).rglob("*.py")]
    files = given.files or [str(path.relative_to(ROOT)) for path in indices]
    reasons, message = known_reasons(given.output), []
    wanted = f"--seed {given.seed} --number {given.number} --seconds-per-mutant {given.seconds_per_mutant:g}"
    head = f"`python -m benchmarks.mutations {wanted}`: " + (
        "small changes of the code, drawn evenly over its files, each with the tests that call the function."
    )
    trees: SimpleQueue[Tree] = SimpleQueue()

    def tried(one: Mutant) -> tuple[Mutant, str, str]:
        tree, began = trees.get(), time.perf_counter()
        state, note = tree.try_out(one)
        trees.put(tree)
        what = f"{one.file}:{one.line}: {one.before} -> {one.after} ({note})"
        print(f"{time.perf_counter() - began:.0f} s, {state}: {what}", flush=True)
        return one, state, note

    with ExitStack() as stack:
        folders = [Path(stack.enter_context(tempfile.TemporaryDirectory())) for _ in range(given.jobs)]
        record = given.record or folders[0] / "record.json"
        for folder in folders:
            tree = Tree(folder, given.seconds_per_mutant)
            if folder is folders[0]:
                tree.note(record, given.tests, ALL if given.long else USUAL)
            tree.know(record)
            trees.put(tree)
        pool = stack.enter_context(ThreadPoolExecutor(given.jobs))
        for one in pool.map(tried, drawn(tree.root, files, given.number, given.seed)):
            message.append(one)
            given.output.write_text(stamped("\n".join(table(message, reasons, head))))


if __name__ == "__main__":
    main()
