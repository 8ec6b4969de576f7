"""`solvers.toml`: named profiles, checked strictly, and the solvers made of them."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from altsel.errors import ConfigurationError, checked_path, listing, of_kind
from altsel.solvers.cpsat import CpSat
from altsel.solvers.engine import Ability, Engine, SolveLimits
from altsel.solvers.highs import Highs
from altsel.solvers.outcome import Solver
from altsel.solvers.profile_files import beside, find, refuse_untrusted
from altsel.solvers.row_solver import RowSolver
from altsel.solvers.scip import Scip
from altsel.validation import messages

if TYPE_CHECKING:
    from altsel.solvers.pyomo_solver import PyomoSolver

ENGINES: dict[str, type[Engine]] = {"highs": Highs, "cp-sat": CpSat, "scip": Scip}
INSTALL = {"highs": "highspy", "cp-sat": "altsel[cpsat]", "scip": "altsel[scip]"}


class Profile(BaseModel):
    """One profile of ``solvers.toml``; unknown keys are errors.

    Attributes
    ----------
    engine
        ``"highs"``, ``"cp-sat"``, ``"scip"`` or ``"pyomo"``.
    solver, executable
        For ``"pyomo"``: the solver's Pyomo name and, if it is not on the PATH, its program; a relative
        path is one from the folder of the file.
    time_limit
        Seconds a call; None: no limit.
    gap
        Relative gap at which to stop.
    threads
        Number of threads.
    options
        Native options.

    Examples
    --------
    >>> Profile(engine="highs", time_limit=60).gap
    0.0
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    engine: Literal["highs", "cp-sat", "scip", "pyomo"]
    solver: str | None = None
    executable: str | None = None
    time_limit: float | None = Field(default=None, gt=0, allow_inf_nan=False)
    gap: float = Field(default=0.0, ge=0, le=1)
    threads: int = Field(default=1, ge=1)
    options: dict[str, bool | int | float | str] = {}

    @model_validator(mode="after")
    def _solver_goes_with_pyomo(self) -> Profile:
        if (self.engine == "pyomo") != (self.solver is not None):
            raise ValueError("'solver' is needed with engine 'pyomo', and only there")
        return self

    def build(self, name: str, log: Path | None = None) -> RowSolver | PyomoSolver:
        """Make the solver, installed or not."""
        limits = SolveLimits(self.time_limit, self.gap, self.threads, self.options, log)
        if self.engine == "pyomo":
            from altsel.solvers.pyomo_solver import PyomoSolver  # noqa: PLC0415  (heavy)

            return PyomoSolver(name, str(self.solver), limits, self.executable)
        return RowSolver(name, ENGINES[self.engine](), limits)


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    default: str = "highs"
    profiles: dict[str, Profile]

    @model_validator(mode="after")
    def _default_exists(self) -> _File:
        if self.default not in self.profiles:
            raise ValueError(f"default {self.default!r} is not among the profiles {listing(self.profiles)}")
        return self


@dataclass(frozen=True)
class Found:
    """One line of ``altsel solvers``: a profile, what it runs, its version (None: not installed).

    Attributes
    ----------
    name
        Name of the profile.
    profile
        What it says.
    version
        Of the engine; None: not installed.
    abilities
        What it can do besides solving.

    Examples
    --------
    >>> highs = next(one for one in profiles() if one.name == "highs")
    >>> highs.profile.engine, highs.profile.threads
    ('highs', 1)
    """

    name: str
    profile: Profile
    version: str | None
    abilities: frozenset[Ability]


def solver(
    name: str | None = None,
    *,
    time_limit: float | None = None,
    gap: float | None = None,
    log: str | Path | None = None,
    file: str | Path | None = None,
) -> Solver:
    """Make a solver from a profile.

    Parameters
    ----------
    name
        Name of a profile; default: the one that ``solvers.toml`` calls default.
    time_limit
        Seconds a call, over the profile's.
    gap
        Relative gap, over the profile's.
    log
        File to which the engine appends its log.
    file
        A ``solvers.toml``; default: ``$ALTSEL_SOLVERS``, then upwards from the working directory
        (there it may not name programs or files), then the user's own, then the package's.

    Returns
    -------
    Solver
        A function of a Pyomo model.

    Raises
    ------
    ConfigurationError
        If the file or profile is wrong or unknown, or the engine is not installed.

    Examples
    --------
    >>> solver("highs", time_limit=10).name
    'highs'
    """
    of_kind("name", name, str | None, "the name of a profile, such as 'highs'")
    settings, path = _settings(file)
    wanted = name or settings.default
    if wanted not in settings.profiles:
        raise ConfigurationError(
            f"no solver profile {wanted!r} in {path}; there are {listing(settings.profiles, 20)}"
        )
    changes: dict[str, Any] = {"time_limit": time_limit, "gap": gap}
    for key, value in changes.items():
        of_kind(key, value, Real | None, "a number")
    given = {key: float(value) for key, value in changes.items() if value is not None}
    try:
        profile = Profile.model_validate({**settings.profiles[wanted].model_dump(), **given})
    except ValidationError as fault:
        raise ConfigurationError(f"solver {wanted!r}: {'; '.join(messages(fault))}") from fault
    made = profile.build(wanted, None if log is None else checked_path("log", log))
    version = made.engine.version() if isinstance(made, RowSolver) else made.version()
    if version is None:
        source = INSTALL.get(profile.engine)
        fix = f"pip install '{source}'" if source else f"install {profile.solver!r} or name its 'executable'"
        if profile.executable:
            fix = f"its 'executable' {profile.executable!r} is no program"
        raise ConfigurationError(f"solver {wanted!r} is not installed: {fix}")
    return made


def profiles(file: str | Path | None = None) -> Iterator[Found]:
    """List every profile with the version found, if any, and what it can do.

    Parameters
    ----------
    file
        A ``solvers.toml``; default: the one in force.

    Examples
    --------
    >>> [one.name for one in profiles() if one.profile.engine == "highs" and one.version]
    ['highs']
    """
    return _found(_settings(file)[0])


def _found(settings: _File) -> Iterator[Found]:
    for name, profile in settings.profiles.items():
        made = profile.build(name)
        engine: Any = made.engine if isinstance(made, RowSolver) else made
        yield Found(name, profile, engine.version(), engine.abilities)


def _settings(file: str | Path | None) -> tuple[_File, str]:
    source = find(file)
    try:
        settings = _read(source.text)
    except (tomllib.TOMLDecodeError, RecursionError) as fault:
        raise ConfigurationError(f"{source.label} is not TOML: {fault}") from fault
    except ValidationError as fault:
        raise ConfigurationError(
            f"{source.label}: {'; '.join(messages(fault, [*_File.model_fields]))}"
        ) from fault
    refuse_untrusted(source, settings.profiles)
    profiles = {
        name: profile.model_copy(update={"executable": beside(source, profile.executable)})
        for name, profile in settings.profiles.items()
    }
    return settings.model_copy(update={"profiles": profiles}), source.label


@lru_cache(maxsize=8)
def _read(text: str) -> _File:
    """Read a file once, not with every search; what is read is never changed."""
    return _File.model_validate(tomllib.loads(text))
