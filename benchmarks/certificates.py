"""Certificates: how large they are, what they cost, and whether forged ones are refused.

    OMP_NUM_THREADS=1 python -m benchmarks.certificates FOLDER --seconds 600 --seed 1

FOLDER holds data sets as CSV with a column ``target``. First certificates of real questions are written and
checked. Then the questions of `benchmarks.exactness` are searched, certified and checked, and each
certificate is forged: a leaf is dropped, a bound, price or number changed, a claim strengthened, a better
set hidden, a rule weakened, with the digest found anew. A forged file is wrongly accepted if it claims more
than brute force finds. Where there is node, the second checker, ``tools/check_certificate.js``, checks each
file too, and must say the same. Writes results/certificates.md; exit code 1 if anything is wrong.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import altsel
from altsel.auditing.certificates.bounds.pairs import PairsBounds
from altsel.auditing.certificates.bounds.sums import SumBounds
from altsel.tools import check_certificate
from benchmarks.certificate_forgeries import FORGERIES, claims_too_much, read_lines, write_lines
from benchmarks.certificate_questions import questions
from benchmarks.command import folder_of, stamped
from benchmarks.exactness.calls import attempt, mode
from benchmarks.exactness.families import FAMILIES
from benchmarks.exactness.instance import Instance, Ready
from benchmarks.second_checker import SecondChecker, available

CHECKER: Any = check_certificate
RESULTS = Path(__file__).parent / "results"
SEARCHED = (
    *("sequential", "chains", "simultaneous", "near_optimal", "satisfying", "linear_fit", "model_fit"),
    *("screened", "rules_in_trees", "correlated", "many", "lenient", "fronts", "most_different"),
)
HEAD = """# Certificates

`python -m benchmarks.certificates FOLDER --seconds {seconds:g} --seed {seed} --forgeries {forgeries}`: CPU
seconds of one thread, on a shared machine; writing includes that the checker accepts what was written.
Checking: by Python, and by the second checker in JavaScript.

| question | n | claims proved | leaves | search s | writing s | Python s | JavaScript s | kB |
|---|---|---|---|---|---|---|---|---|
"""
Second = SecondChecker | None


def first_checker(path: Path) -> tuple[int, list[str]]:
    """Check a file as the program in Python does: the exit code, and the lines that are told."""
    told: list[str] = []
    try:
        return CHECKER.check(path, told.append), told
    except (OSError, EOFError, UnicodeDecodeError, json.JSONDecodeError) as fault:
        return 2, [*told, f"not readable: {fault}"]
    except Exception as fault:
        return 1, [*told, f"refuted: {fault}"]


def row_of(name: str, search: Any, path: Path, second: Second) -> str:
    """Search, write and check; a row of the table."""
    times = [time.process_time()]
    found = search()
    times.append(time.process_time())
    written = found.certificate(path)
    times.append(time.process_time())
    code, told = first_checker(path)
    times.append(time.process_time())
    before = 0.0 if second is None else second.seconds
    assert second is None or second(path) == (code, told), name
    other = "–" if second is None else f"{second.seconds - before:.2f}"
    spent = " | ".join(f"{after - before:.2f}" for before, after in pairwise(times))
    proved = f"{len(written.claims)}" + (
        f" of {len(written.claims) + len(written.not_covered)}" if code else ""
    )
    size = path.stat().st_size / 1000
    seconds = f"{spent} | {other}"
    return f"| {name} | {len(found.universe)} | {proved} | {written.leaves:,} | {seconds} | {size:,.0f} |"


@dataclass
class Tally:
    """What a campaign saw."""

    answers: Counter[str] = field(default_factory=Counter)
    forged: Counter[tuple[str, str]] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    claims: int = 0
    both: int = 0
    seconds: float = 0.0

    def checked(self, path: Path, second: Second, name: str) -> int:
        """Check a file by both checkers, which are to say the same; return the exit code."""
        begun = time.process_time()
        code, told = first_checker(path)
        self.seconds += time.process_time() - begun
        if second is not None:
            self.both += 1
            other, lines = second(path)
            if other != code or (code in (0, 3) and lines != told):
                self.wrong.append(f"{name}: the checkers differ: {code}, {told[-1:]}; {other}, {lines[-1:]}")
        return code

    def page(self, second: Second) -> str:
        """Tabulate it."""
        kinds = sorted({kind for kind, _ in self.forged})
        ends = ("refused", "harmless", "wrong")
        rows = [f"| {kind} | {' | '.join(str(self.forged[kind, end]) for end in ends)} |" for kind in kinds]
        told = ", ".join(f"{number:,} {words}" for words, number in self.answers.most_common())
        differ = sum("the checkers differ" in line for line in self.wrong)
        seconds = 0.0 if second is None else second.seconds
        readings = (
            f" Both checkers read {self.both:,} files, answers and forgeries, in {self.seconds:.0f} s "
            f"(Python) and {seconds:.0f} s (JavaScript); of {differ} they did not say the same."
        )
        return (
            f"\n## A campaign\n\nAnswers: {told}; {self.claims:,} claims proved. *partly*: "
            "certificates do not cover some claims, and say so. *harmless*: the forged file proves what is "
            f"still true. Half of the trees are grown without leaves whose sets are looked at one by one."
            f"{readings if self.both else ''}\n\n"
            "| forged | refused | harmless | wrong |\n|---|---|---|---|\n" + "\n".join(rows) + "\n"
        )


@contextmanager
def of_bounds(only: bool) -> Iterator[None]:
    """Grow trees whose leaves are bounds, and not sets that are looked at, if wanted."""
    kinds: tuple[Any, ...] = (SumBounds, PairsBounds)
    usual = [kind.each for kind in kinds]
    for kind in kinds:
        kind.each = 1 if only else kind.each
    try:
        yield
    finally:
        for kind, each in zip(kinds, usual, strict=True):
            kind.each = each


def judge(tally: Tally, key: tuple[str, int, int], tries: int, path: Path, second: Second) -> None:
    """Search one question of a family, number and seed, certify it, check it, and forge it some times."""
    name, number, seed = key
    instance: Instance = replace(FAMILIES[name].draw(Random(f"{seed}:{name}:{number}")), solver="auto")
    with mode(instance.mode):
        called = attempt(lambda: FAMILIES[name].call(Ready(instance, "auto")))
    found = called.result
    first = found[0].found if isinstance(found, altsel.Front) and found.points else found
    if called.ended != "fine" or not isinstance(first, altsel.Solutions) or first.asked is None:
        tally.answers["not certified: no solutions of one search"] += 1
        return
    random = Random(f"{seed}:{name}:{number}:forged")
    try:
        with of_bounds(random.random() < 0.5):
            written = found.certificate(path, most_leaves=20_000)
    except Exception as fault:  # whatever it is, the campaign goes on
        tally.wrong.append(f"{name}:{number}: {fault!r}")
        return
    tally.answers["partly" if written.not_covered else "proved whole"] += 1
    tally.claims += len(written.claims)
    tally.checked(path, second, f"{name}:{number}")
    lines = read_lines(path)
    for kind in random.sample(sorted(FORGERIES), tries) if written.claims else ():
        forgery = FORGERIES[kind](lines, random)
        if forgery is None:
            continue
        write_lines(path, forgery)
        if tally.checked(path, second, f"{name}:{number}: {kind}") in (1, 2):
            tally.forged[kind, "refused"] += 1
            continue
        wrong = claims_too_much(forgery)
        tally.forged[kind, "wrong" if wrong else "harmless"] += 1
        if wrong:
            tally.wrong.append(f"{name}:{number}: {kind}: {wrong}")


def main() -> int:
    """Write the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=folder_of("*.csv.gz"))
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--forgeries", type=int, default=3, help="of each certificate")
    wanted = parser.parse_args()
    tally, number = Tally(), 0
    with tempfile.TemporaryDirectory() as scratch, ExitStack() as stack:
        second = stack.enter_context(SecondChecker()) if available() else None
        path = Path(scratch) / "one.proof.json.gz"
        rows = [
            row_of(name, search, path, second) for name, search in questions(wanted.folder, Path(scratch))
        ]
        plain, until = Path(scratch) / "one.proof.json", time.monotonic() + wanted.seconds
        while time.monotonic() < until:
            for name in SEARCHED:
                judge(tally, (name, number, wanted.seed), wanted.forgeries, plain, second)
            number += 1
    head = HEAD.format(seconds=wanted.seconds, seed=wanted.seed, forgeries=wanted.forgeries)
    page = head + "\n".join(rows) + "\n" + tally.page(second)
    (RESULTS / "certificates.md").write_text(stamped(page), encoding="utf-8")
    print(page, *tally.wrong, sep="\n")
    return 1 if tally.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
