"""What is explored: rows, or a problem of the user's own, and how a reader of copied code gets at it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from shlex import quote
from typing import Any

from altsel.data.dataset import Dataset
from altsel.errors import ArgumentError
from altsel.models.problem import Problem
from altsel.models.rule import title_of


@dataclass(frozen=True)
class TableOrigin:
    """Where rows are from: the file, and how it is read.

    Parameters
    ----------
    path, target
        As the command line was given them.
    reading
        Keys of ``table.toml`` that are not as usual.
    options
        The same, and what else was said of the rows, as options of the command line, quoted.
    grouping
        How copies were made one feature: an argument of ``Dataset.grouped``; None: not at all.
    holdout
        Share of the rows that are kept apart.
    """

    path: str
    target: str
    reading: Mapping[str, Any] = field(default_factory=dict)
    options: str = ""
    grouping: float | None = 1.0
    holdout: float = 0.0

    def python(self) -> list[str]:
        """Return the lines of Python that read the rows into ``data``, and those kept apart into ``held``."""
        told = f", {dict(self.reading)!r}" if self.reading else ""
        read = f"altsel.Dataset.from_table({self.path!r}, {self.target!r}{told})"
        if not self.reading:
            read = f"altsel.Dataset({self.path!r}, {self.target!r})"
        lines = [f"data = {read}"]
        if self.holdout:
            lines.append(f"data, held = data.split({self.holdout!r}, 0)")
        if self.grouping is not None:
            lines.append(f"data = data.grouped({'' if self.grouping == 1 else repr(self.grouping)})")
        return lines

    def command(self) -> str:
        """Return the arguments of a command that reads the rows."""
        parts = [quote(self.path), "--target", quote(self.target), self.options]
        return " ".join(filter(None, parts))


@dataclass(frozen=True)
class Subject:
    """What is explored.

    Parameters
    ----------
    data
        The rows; None if only a problem is known.
    problem
        A problem of the user's own: then its criterion is the only one, and its rules always hold.
    held
        Rows that no search sees, to judge sets by.
    origin
        Where the rows are from; None: a variable of the caller.

    Raises
    ------
    ArgumentError
        If there are neither rows nor a problem.
    """

    data: Dataset | None = None
    problem: Problem | None = None
    held: Dataset | None = None
    origin: TableOrigin | None = None

    def __post_init__(self) -> None:
        if self.data is None and self.problem is None:
            raise ArgumentError("give a Dataset, or a Problem, to explore")

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of all features."""
        if self.problem is not None:
            return tuple(self.problem.objective.features)
        assert self.data is not None
        return self.data.features

    @cached_property
    def number(self) -> Mapping[str, int]:
        """Place of each name."""
        return {name: j for j, name in enumerate(self.names)}

    @property
    def members(self) -> Mapping[str, tuple[str, ...]]:
        """Names that stand for the same feature, by the one in `names`."""
        known: Mapping[str, tuple[str, ...]] = {}
        if self.problem is not None:
            known = self.problem.objective.members
        elif self.data is not None:
            known = self.data.members
        return known

    @property
    def target(self) -> str | None:
        """Name of the target, if it is known."""
        if self.data is not None:
            return self.data.target
        assert self.problem is not None
        return self.problem.objective.target

    @property
    def kept_rules(self) -> Sequence[Any]:
        """Rules of the user's problem, which always hold."""
        return () if self.problem is None else self.problem.subject_to

    def words_of_rules(self) -> list[str]:
        """Return what these rules say, for a reader."""
        return [title_of(rule) for rule in self.kept_rules]

    def numbers(self, names: Sequence[str]) -> list[int]:
        """Return the places of some names."""
        return [self.number[name] for name in names]
