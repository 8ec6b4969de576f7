"""What a benchmark runs: every combination of what is listed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from enum import StrEnum
from itertools import product
from pathlib import Path

from altsel._version import __version__
from altsel.bench.changes import digest_of
from altsel.bench.criteria import default_measure_of, digest_of_criterion
from altsel.bench.question_cases import describe_question
from altsel.bench.rules import NamedRules
from altsel.catalogue import sizes
from altsel.errors import ArgumentError, DataError
from altsel.models.dissimilarity import exact

MODEL = "model file"
"""What stands for the criterion where an LP or MPS file is solved as it is."""
MODEL_ENDINGS = (".lp", ".mps")


class BenchSearch(StrEnum):
    """Searches of a benchmark; the sum and the minimum are simultaneous."""

    SEQUENTIAL = "sequential"
    SUM = "sum"
    MIN = "min"


class FileKind(StrEnum):
    """What the files of a benchmark hold."""

    TABLE = "table"
    MODEL = "model"
    QUESTION = "question"

    @classmethod
    def of(cls, path: str | Path) -> FileKind:
        """Return what a file holds, by its ending.

        Examples
        --------
        >>> FileKind.of("a.csv.gz"), FileKind.of("b.MPS.gz")
        (<FileKind.TABLE: 'table'>, <FileKind.MODEL: 'model'>)
        """
        plain = str(path).lower().removesuffix(".gz")
        if plain.endswith(".json"):
            return cls.QUESTION
        return cls.MODEL if plain.endswith(MODEL_ENDINGS) else cls.TABLE


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
    rules, stated
        Name of the file of rules, and what it states, as JSON; empty: no rules.
    own
        SHA-256 of the module of a criterion of one's own: what it was changed to is another case.
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
    rules: str = ""
    stated: str = ""
    own: str = ""

    @property
    def kind(self) -> FileKind:
        """What its file holds."""
        return FileKind.of(self.data)

    @property
    def name(self) -> str:
        """What is solved, in short, such as ``wdbc-mrmr-k5-sum3-t50``: three sets together, tau .5."""
        stem = stem_of(self.data)
        if self.kind is not FileKind.TABLE:
            return stem
        known = self.own or self.measure == default_measure_of(self.objective)
        parts = [stem, self.objective, *([] if known else [self.measure]), f"k{self.k.replace(':', 'to')}"]
        if self.alternatives:
            parts += [f"{self.search}{self.alternatives + 1}", f"t{round(100 * self.tau)}"]
        return "-".join([*parts, *([Path(self.rules).stem] if self.rules else [])])

    @property
    def key(self) -> str:
        """Hash of everything that decides the result; where the file is does not."""
        plain = asdict(self) | {"data": Path(self.data).name}
        for later in ("rules", "stated", "own"):  # what earlier editions did not have leaves their keys alone
            if not plain[later]:
                del plain[later]
        return hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True)
class Grid:
    """All combinations of what is listed; what is not described here is as in `Case`.

    Parameters
    ----------
    data
        Tables, as CSV or Parquet; questions in plain numbers, ``.json``; or models, ``.lp`` and ``.mps``,
        that solvers get as they are. Both may end in ``.gz`` besides; to these two, of what is listed below,
        only `solvers` and `repeats` matter.
    target
        Name of the target column in all tables.
    objectives
        Names of criteria; or ``"module:object"``, one's own: what a class or function of that module makes of
        relevances and redundancies, or of the data where it is ``of_data``, as an entry point of a package.
    solvers
        ``"auto"`` and names of profiles, also with settings, as ``"highs:presolve=off,threads=2"``; as every
        list, at least one.
    rules
        Rules on the sets, by name; None: none.

    Raises
    ------
    ArgumentError
        If a list is empty, a number is out of its range, or tables have no target.
    ConfigurationError
        If a criterion of one's own cannot be imported.
    DataError
        If a file cannot be read.
    """

    data: Sequence[Path]
    target: str = ""
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
    rules: Sequence[NamedRules | None] = (None,)
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
        for name in self.objectives:
            digest_of_criterion(name)
        if self.repeats < 1 or self.seed < 0 or any(a < 0 for a in self.alternatives):
            raise ArgumentError("repeats must be at least 1, seed and alternatives at least 0")
        if self.time_limit is not None and not self.time_limit > 0:
            raise ArgumentError(f"time_limit={self.time_limit!r}; use seconds above 0")
        if not self.target and any(FileKind.of(path) is FileKind.TABLE for path in self.data):
            raise ArgumentError("target: name the column of the target; only models need none")
        for path in self.data:
            try:
                self._digests[path] = digest_of(path)
            except OSError as fault:
                raise DataError(f"cannot read {path}: {fault}") from fault

    def cases(self) -> Iterator[Case]:
        """Yield every combination once, data sets in the outermost loop."""
        made = {
            FileKind.TABLE: self._of_table,
            FileKind.MODEL: self._of_model,
            FileKind.QUESTION: self._of_question,
        }
        for data in dict.fromkeys(self.data):
            for question in made[FileKind.of(data)](data):
                for solver, repeat in product(dict.fromkeys(self.solvers), range(self.repeats)):
                    yield replace(question, solver=solver, repeat=repeat)

    def _of_model(self, data: Path) -> Iterator[Case]:
        """Yield what is solved of a model."""
        yield Case(
            str(data),
            self._digests[data],
            "",
            "",
            MODEL,
            "",
            0.0,
            "",
            0,
            "",
            "",
            self.time_limit,
            seed=self.seed,
        )

    def _of_question(self, data: Path) -> Iterator[Case]:
        """Yield what a question file asks; one that cannot be read is an error when it is run."""
        asked = describe_question(data)
        yield Case(
            str(data), self._digests[data], solver="", time_limit=self.time_limit, seed=self.seed, **asked
        )

    def _of_table(self, data: Path) -> Iterator[Case]:
        """Yield all that is solved of a table."""
        parts = product(
            dict.fromkeys(self.measures),
            dict.fromkeys(self.objectives),
            dict.fromkeys(self.k),
            dict.fromkeys(self.tau),
            dict.fromkeys(self.alternatives),
            dict.fromkeys(self.searches),
            dict.fromkeys(self.rules),
        )
        for measure, objective, k, tau, alternatives, search, rules in parts:
            yield Case(
                str(data),
                self._digests[data],
                self.target,
                measure or default_measure_of(objective),
                objective,
                k,
                tau,
                self.dissimilarity,
                alternatives,
                str(search),
                "",
                self.time_limit,
                seed=self.seed,
                drop_missing=self.drop_missing,
                rules=rules.name if rules else "",
                stated=rules.stated if rules else "",
                own=digest_of_criterion(objective),
            )


def stem_of(path: str | Path) -> str:
    """Return the name of a file without folder and endings.

    Examples
    --------
    >>> stem_of("data/wine.red.csv.gz")
    'wine.red'
    """
    name = Path(path).name.removesuffix(".gz")
    return name.rpartition(".")[0] or name
