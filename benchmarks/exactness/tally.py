"""What a campaign saw: counts by family, solver and criterion; refusals; failures."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import altsel
from benchmarks.exactness.calls import kind_of

MEANING = """Random instances, put to altsel; every set,
proof, bound and reason to end is held against all sets, by a brute force that shares no code with it.
*Fine*: nothing that was claimed is wrong; *refused*: an error that says what is wrong with the input."""
ENDS = ("fine", "refused", "skipped", "wrong", "crash", "slow")


@dataclass(frozen=True)
class Verdict:
    """What came of one instance."""

    seed: int
    family: str
    number: int
    ended: str
    text: str
    message: str
    solver: str
    criterion: str
    cpu: float
    printed: str = ""
    search: str = ""

    @property
    def short(self) -> str:
        """What came, without the instance."""
        return f"{self.ended.upper()} seed {self.seed} {self.family}:{self.number} | {self.text}"

    def __str__(self) -> str:
        return f"{self.short} | {self.message}"


@dataclass
class Tally:
    """All verdicts, counted."""

    ends: Counter[tuple[str, str]] = field(default_factory=Counter)
    solvers: Counter[tuple[str, str]] = field(default_factory=Counter)
    criteria: Counter[tuple[str, str]] = field(default_factory=Counter)
    searches: Counter[tuple[str, str]] = field(default_factory=Counter)
    cpu: dict[str, float] = field(default_factory=dict)
    refusals: dict[str, list[Any]] = field(default_factory=dict)
    printed: dict[str, list[Any]] = field(default_factory=dict)
    failures: list[Verdict] = field(default_factory=list)

    def add(self, one: Verdict) -> None:
        """Count a verdict."""
        self.ends[one.family, one.ended] += 1
        self.solvers[one.solver, one.ended] += 1
        self.criteria[one.criterion, one.ended] += 1
        self.searches[one.search, one.ended] += 1
        self.cpu[one.family] = self.cpu.get(one.family, 0.0) + one.cpu
        where = f"{one.family}:{one.number}"
        if one.ended in {"refused", "slow"}:
            _first(self.refusals, f"{one.ended}: {kind_of(one.text)}", f"{where} {one.text}")
        if one.printed:
            _first(self.printed, f"{one.solver}: {kind_of(one.printed)}", f"{where} {one.printed!r}")
        if one.ended in {"wrong", "crash", "slow"}:
            self.failures.append(one)

    @property
    def refuted(self) -> bool:
        """Whether anything was wrong, or crashed."""
        return any(failure.ended in {"wrong", "crash"} for failure in self.failures)

    def join(self, other: Tally) -> None:
        """Add what another campaign saw."""
        for mine, theirs in ((self.ends, other.ends), (self.solvers, other.solvers)):
            mine.update(theirs)
        self.criteria.update(other.criteria)
        self.searches.update(other.searches)
        for name, seconds in other.cpu.items():
            self.cpu[name] = self.cpu.get(name, 0.0) + seconds
        for held, more in ((self.refusals, other.refusals), (self.printed, other.printed)):
            for kind, (number, example) in more.items():
                _first(held, kind, example, number)
        self.failures += other.failures

    def __str__(self) -> str:
        parts = [
            _table("family", self.ends, sorted(self.cpu), self.cpu),
            _table("solver", self.solvers, sorted({name for name, _ in self.solvers})),
            _table("search", self.searches, sorted({name for name, _ in self.searches})),
            _table("criterion", self.criteria, sorted({name for name, _ in self.criteria})),
        ]
        for title, held in (("refused or slow", self.refusals), ("printed", self.printed)):
            lines = [f"  {number} x, first {example}" for number, example in held.values()]
            parts += ["\n".join([f"{title}:", *lines])] if lines else []
        told = [one.short if one.ended == "slow" else str(one) for one in self.failures]
        return "\n\n".join([*parts, *(["\n".join(told)] if told else [])])

    def page(self, title: str, call: str) -> str:
        """Write what was seen as a page of the studies."""
        told = "Nothing was refuted." if not self.refuted else "Something was refuted."
        return (
            f"# {title}\n\n`{call}`, altsel {altsel.__version__}. {MEANING} {told}\n\n```text\n{self}\n```\n"
        )

    def write(self, path: Path) -> None:
        """Write the failures as JSON."""
        path.write_text(json.dumps([vars(failure) for failure in self.failures], indent=1), encoding="utf-8")


def _first(held: dict[str, list[Any]], kind: str, example: str, number: int = 1) -> None:
    entry = held.setdefault(kind, [0, example])
    entry[0] += number


def _table(
    head: str, counts: Counter[tuple[str, str]], rows: Iterable[str], cpu: dict[str, float] | None = None
) -> str:
    lines = [f"{head:16}" + "".join(f"{one:>9}" for one in ENDS) + ("   CPU s   a CPU s" if cpu else "")]
    for name in rows:
        numbers = [counts[name, one] for one in ENDS]
        line = f"{name:16}" + "".join(f"{number:9}" for number in numbers)
        if cpu:
            line += f"{cpu[name]:8.1f}{sum(numbers) / max(cpu[name], 1e-9):10.1f}"
        lines.append(line)
    return "\n".join(lines)
