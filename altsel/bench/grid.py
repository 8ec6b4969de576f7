"""What a benchmark runs: every combination of what is listed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, fields
from enum import StrEnum
from itertools import product
from pathlib import Path

from altsel._version import __version__
from altsel.catalogue import default_measure, sizes
from altsel.errors import ArgumentError, DataError
from altsel.models.dissimilarity import exact


class BenchSearch(StrEnum):
    """Searches of a benchmark; the sum and the minimum are simultaneous."""

    SEQUENTIAL = "sequential"
    SUM = "sum"
    MIN = "min"


@dataclass(frozen=True)
class Case:
    """One run of a benchmark, in plain values.

    Attributes
    ----------
    data, digest
        Path of the file, and the SHA-256 of its content: other content is another case.
    target, measure, objective, k, tau, dissimilarity, alternatives, search, solver
        As on the command line.
    time_limit
        Seconds for each solver call.
    repeat
        Number of the repetition, from 0.
    seed
        Seed of everything random, the solver's too if it takes one.
    drop_missing
        Whether rows with missing values are dropped.
    version
        Version of altsel: another one is another case.
    """

    data: str
    digest: str
    target: str
    measure: str
    objective: str
    k: str
    tau: float
    dissimilarity: str
    alternatives: int
    search: str
    solver: str
    time_limit: float | None
    repeat: int = 0
    seed: int = 0
    drop_missing: bool = False
    version: str = __version__

    @property
    def key(self) -> str:
        """Hash of everything that decides the result; where the file is does not."""
        plain = asdict(self) | {"data": Path(self.data).name}
        return hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True)
class Grid:
    """All combinations of what is listed; what is not described here is as in `Case`.

    Parameters
    ----------
    data
        CSV or Parquet files.
    target
        Name of the target column in all of them.
    solvers
        ``"auto"`` and names of profiles, also with settings, as ``"highs:presolve=off,threads=2"``; as every
        list, at least one.

    Raises
    ------
    ArgumentError
        If a list is empty, or a number is out of its range.
    DataError
        If a file cannot be read.
    """

    data: Sequence[Path]
    target: str
    measures: Sequence[str | None] = (None,)
    objectives: Sequence[str] = ("univariate",)
    k: Sequence[str] = ("5",)
    tau: Sequence[float] = (0.5,)
    dissimilarity: str = "dice"
    alternatives: Sequence[int] = (3,)
    searches: Sequence[BenchSearch] = (BenchSearch.SEQUENTIAL,)
    solvers: Sequence[str] = ("auto",)
    time_limit: float | None = 60.0
    repeats: int = 1
    seed: int = 0
    drop_missing: bool = False
    _digests: dict[Path, str] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        for one in fields(self):
            value = getattr(self, one.name)
            if isinstance(value, (list, tuple)) and not value:
                raise ArgumentError(f"{one.name}: give at least one")
        for text in self.k:
            sizes(text)
        for tau in self.tau:
            exact(tau)
        if self.repeats < 1 or self.seed < 0 or any(a < 0 for a in self.alternatives):
            raise ArgumentError("repeats must be at least 1, seed and alternatives at least 0")
        if self.time_limit is not None and not self.time_limit > 0:
            raise ArgumentError(f"time_limit={self.time_limit!r}; use seconds above 0")
        for path in self.data:
            try:
                self._digests[path] = digest_of(path)
            except OSError as fault:
                raise DataError(f"cannot read {path}: {fault}") from fault

    def cases(self) -> Iterator[Case]:
        """Yield every combination once, data sets in the outermost loop."""
        parts = product(
            dict.fromkeys(self.data),
            dict.fromkeys(self.measures),
            dict.fromkeys(self.objectives),
            dict.fromkeys(self.k),
            dict.fromkeys(self.tau),
            dict.fromkeys(self.alternatives),
            dict.fromkeys(self.searches),
            dict.fromkeys(self.solvers),
            range(self.repeats),
        )
        for data, measure, objective, k, tau, alternatives, search, solver, repeat in parts:
            yield Case(
                str(data),
                self._digests[data],
                self.target,
                measure or default_measure(objective),
                objective,
                k,
                tau,
                self.dissimilarity,
                alternatives,
                str(search),
                solver,
                self.time_limit,
                repeat,
                self.seed,
                self.drop_missing,
            )


def digest_of(path: str | Path) -> str:
    """Hash the bytes of a file."""
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()
