"""Solvers by name: the profiles of the `solvers.toml` in force, and the solvers made of them."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from numbers import Integral, Real
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from altsel.errors import ConfigurationError, NotInstalledError, checked_path, listing, of_kind
from altsel.solvers.engine import Ability, SolveLimits
from altsel.solvers.highs import Highs
from altsel.solvers.outcome import Solver
from altsel.solvers.profile import ENGINES, Profile
from altsel.solvers.profile_files import beside, find, refuse_untrusted, unsafe_options
from altsel.solvers.row_solver import RowSolver
from altsel.validation import messages


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
    refused
        Why it cannot be used as it is stated; empty if it can.

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
    refused: str = ""


def solver(  # noqa: PLR0913  (one setting each)
    name: str | None = None,
    *,
    time_limit: float | None = None,
    gap: float | None = None,
    threads: int | None = None,
    seed: int | None = None,
    options: Mapping[str, Any] | None = None,
    log: str | Path | None = None,
    file: str | Path | None = None,
) -> Solver:
    """Build a solver from a profile.

    Parameters
    ----------
    name
        Name of a profile; default: the one that ``solvers.toml`` calls default.
    time_limit
        Seconds a call, over the profile's.
    gap
        Relative gap, over the profile's.
    threads
        Number of threads, over the profile's.
    seed
        Seed of what the solver draws at random, over the profile's.
    options
        Native options, beside the profile's and over them and all other settings.
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
        If the file or profile is wrong or unknown, the engine is not installed, or it takes no such setting.

    Examples
    --------
    >>> solver("highs", time_limit=10, seed=1, options={"presolve": "off"}).name
    'highs'
    """
    of_kind("name", name, str | None, "the name of a profile, such as 'highs'")
    wanted, base = _stated(name, file)
    changes = {"time_limit": _plain(time_limit, float), "gap": _plain(gap, float)}
    changes |= {"threads": _plain(threads, int), "seed": _plain(seed, int)}
    given: dict[str, Any] = {key: value for key, value in changes.items() if value is not None}
    if options is not None:
        given["options"] = {**base.options, **options} if isinstance(options, Mapping) else options
    try:
        profile = Profile.model_validate({**base.model_dump(), **given})
    except ValidationError as fault:
        raise ConfigurationError(f"solver {wanted!r}: {'; '.join(messages(fault))}") from fault
    made = profile.build(wanted, None if log is None else checked_path("log", log))
    if made.version() is None:
        raise NotInstalledError(f"solver {wanted!r} is not installed: {profile.install}")
    return made


def row_solver() -> RowSolver:
    """Return a solver of rows: the default profile if its engine takes rows, else HiGHS.

    Examples
    --------
    >>> row_solver().name
    'highs'
    """
    made = solver()
    return made if isinstance(made, RowSolver) else RowSolver("highs", Highs(), SolveLimits())


def refuse_unsafe(name: str, options: Mapping[str, Any]) -> None:
    """Refuse options that nobody chose, as of a file of solutions, unless they are known to touch no file.

    Raises
    ------
    ConfigurationError
        Names them.
    """
    wanted, profile = _stated(name, None)
    if keys := unsafe_options(profile, options):
        raise ConfigurationError(
            f"solver {wanted!r}: a file asks for its options {listing(keys)}, which are not known to touch "
            "no file; search again with them yourself"
        )


def _stated(name: str | None, file: str | Path | None) -> tuple[str, Profile]:
    """Return the name and the profile that is wanted, as the file in force states it."""
    settings, path = _settings(file)
    wanted = name or settings.default
    if wanted in settings.profiles:
        return wanted, settings.profiles[wanted]
    profiles = _with_added(settings)
    if wanted not in profiles:
        raise ConfigurationError(f"no solver profile {wanted!r} in {path}; there are {listing(profiles, 20)}")
    return wanted, profiles[wanted]


def _with_added(settings: _File) -> dict[str, Profile]:
    """Return the profiles, and one for each further engine that another package adds."""
    further = {*ENGINES} - {*ENGINES.own, *settings.profiles}
    return {**settings.profiles, **{name: Profile(engine=name) for name in sorted(further)}}


def _plain(value: Any, kind: type[float | int]) -> Any:
    """Return a number of any library as one of Python's own; what is none, for the profile to refuse."""
    number = isinstance(value, Integral if kind is int else Real) and not isinstance(value, bool)
    return kind(value) if number else value


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
    return _found(_with_added(_settings(file)[0]))


def tagged(tag: str, file: str | Path | None = None) -> list[str]:
    """Return the names of the profiles with a tag, installed or not.

    Parameters
    ----------
    tag
        As in ``tags`` of a profile.
    file
        A ``solvers.toml``; default: the one in force.

    Raises
    ------
    ConfigurationError
        If no profile has it; it names the tags that there are.

    Examples
    --------
    >>> "highs" in tagged("open")
    True
    """
    settings, path = _settings(file)
    names = [name for name, profile in settings.profiles.items() if tag in profile.tags]
    if not names:
        known = sorted({one for profile in settings.profiles.values() for one in profile.tags})
        raise ConfigurationError(f"no profile in {path} has the tag {tag!r}; there are {listing(known, 20)}")
    return names


def _found(profiles: Mapping[str, Profile]) -> Iterator[Found]:
    for name, profile in profiles.items():
        try:
            made = profile.build(name)
        except ConfigurationError as fault:
            yield Found(name, profile, None, frozenset(), str(fault))
        else:
            yield Found(name, profile, made.version(), made.abilities)


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
