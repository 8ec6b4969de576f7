"""One profile of `solvers.toml`, checked strictly, and the solver made of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from altsel.errors import ConfigurationError, listing
from altsel.runtime.entries import Entry, Table
from altsel.solvers.engine import Ability, Engine, SolveLimits
from altsel.solvers.pyomo_names import INSTALL, NATIVE, instead_of
from altsel.solvers.row_solver import RowSolver

if TYPE_CHECKING:
    from altsel.solvers.pyomo_solver import PyomoSolver

PYOMO = "pyomo"


@dataclass(frozen=True, eq=False)
class EngineEntry(Entry):
    """A class of engines, called without arguments.

    Parameters
    ----------
    install
        What pip is asked for.
    """

    install: str = ""


ENGINES = Table(
    "engine",
    "altsel.solvers",
    (
        EngineEntry("highs", "altsel.solvers.highs:Highs", install="highspy"),
        EngineEntry("cp-sat", "altsel.solvers.cpsat:CpSat", install="ortools"),
        EngineEntry("scip", "altsel.solvers.scip:Scip", install="'altsel[scip]'"),
    ),
    page="guide/solvers",
    taken=[PYOMO],
)


class Profile(BaseModel):
    """One profile of ``solvers.toml``; unknown keys are errors.

    Attributes
    ----------
    engine
        ``"highs"``, ``"cp-sat"``, ``"scip"``, ``"pyomo"``, or one that another package adds.
    solver, executable
        For ``"pyomo"``: the solver's Pyomo name and, if it is not on the PATH, its program; a relative
        path is one from the folder of the file.
    time_limit
        Seconds a call; None: no limit.
    gap
        Relative gap at which to stop.
    threads
        Number of threads.
    seed
        Seed of what the solver draws at random; None: the solver's own.
    options
        Native options, over all others.
    tags
        Words by which `altsel bench` chooses several profiles.

    Examples
    --------
    >>> Profile(engine="highs", time_limit=60).gap
    0.0
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    engine: str
    solver: str | None = None
    executable: str | None = None
    time_limit: float | None = Field(default=None, gt=0, allow_inf_nan=False)
    gap: float = Field(default=0.0, ge=0, le=1)
    threads: int = Field(default=1, ge=1)
    seed: int | None = Field(default=None, ge=0, le=2_000_000_000)
    options: dict[str, bool | int | float | str] = {}
    tags: list[str] = []

    @field_validator("engine")
    @classmethod
    def _engine_exists(cls, name: str) -> str:
        if name != PYOMO and name not in ENGINES:
            raise ValueError(f"{ENGINES.unknown(name)} and 'pyomo'")
        return name

    @model_validator(mode="after")
    def _solver_goes_with_pyomo(self) -> Profile:
        if (self.engine == PYOMO) != (self.solver is not None):
            raise ValueError("'solver' is needed with engine 'pyomo', and only there")
        return self

    def build(self, name: str, log: Path | None = None) -> RowSolver | PyomoSolver:
        """Build the solver, installed or not.

        Raises
        ------
        ConfigurationError
            If altsel does not use that interface of Pyomo's, or the solver takes no such setting.
        """
        if self.solver is not None and (why := instead_of(self.solver)) is not None:
            raise ConfigurationError(f"solver {name!r}: altsel does not use Pyomo's {self.solver!r}: {why}")
        limits = SolveLimits(self.time_limit, self.gap, self.threads, self.options, log, self.seed)
        if self.engine == PYOMO:
            from altsel.solvers.pyomo_solver import PyomoSolver  # noqa: PLC0415  (heavy)

            made: RowSolver | PyomoSolver = PyomoSolver(name, str(self.solver), limits, self.executable)
        else:
            made = RowSolver(name, _engine(self.engine), limits)
        self._refuse_what_it_cannot(name, made.abilities)
        return made

    def _refuse_what_it_cannot(self, name: str, abilities: frozenset[Ability]) -> None:
        """Refuse a setting that would not reach the solver."""
        wanted = {
            Ability.TIME: self.time_limit is not None,
            Ability.GAP: self.gap > 0,
            Ability.THREADS: self.threads > 1,
            Ability.SEED: self.seed is not None,
        }
        for setting, is_wanted in wanted.items():
            if is_wanted and setting not in abilities:
                known = self.engine != PYOMO or self.solver in NATIVE
                fix = "leave it out" if known else "give it among its own 'options'"
                runs = self.solver or self.engine
                who = repr(name) if name == runs else f"{name!r} ({runs})"
                raise ConfigurationError(f"solver {who} takes no {setting}; {fix}")

    @property
    def install(self) -> str:
        """How to install what it runs."""
        if self.executable:
            return f"its 'executable' {self.executable!r} is no program"
        if self.solver is None:
            entry = ENGINES[self.engine]
            return f"pip install {entry.install}" if entry.install else f"see package {entry.package}"
        return INSTALL.get(self.solver) or f"install {self.solver!r} or name its 'executable'"


def _engine(name: str) -> Engine:
    """Build an engine; refuse what another package added, and is none."""
    entry = ENGINES[name]
    made: Engine = entry.make()
    missing = [part for part in ("package", "abilities", "version", "solve") if not hasattr(made, part)]
    if missing:
        raise entry.refused(f"is no engine: it has no {listing(missing)}; see altsel.solvers.engine.Engine")
    if entry.package:
        entry.run(made.version)  # whose fault is told of here
    return made
