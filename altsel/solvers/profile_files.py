"""Where `solvers.toml` is looked for, and what a file that nobody chose may not do.

A file found from the working directory upwards may come with somebody else's data. It may choose among
solvers and limit them; it may not name programs or files.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from altsel.errors import ConfigurationError, checked_path, listing

NAME = "solvers.toml"
WORD = re.compile(r"[A-Za-z_]{1,20}")
"""What a text among the options of a file that nobody chose may be: no path, no file with an ending."""
KNOWN = (
    *("cbc", "glpk", "scip", "highs", "appsi_highs", "appsi_cbc", "appsi_cplex", "appsi_gurobi"),
    *(
        f"{name}{way}"
        for name in ("gurobi", "cplex", "xpress", "mosek")
        for way in ("", "_direct", "_persistent")
    ),
)
"""Pyomo's names of solvers that any file may choose; Pyomo takes an unknown name for a program."""
HARMLESS: dict[str, tuple[str, ...]] = {
    "highs": (
        "presolve",
        "parallel",
        "random_seed",
        "solver",
        "simplex_",
        "mip_",
        "primal_feasibility_tolerance",
        "dual_feasibility_tolerance",
    ),
    "cp-sat": (
        "random_seed",
        "num_workers",
        "num_search_workers",
        "cp_model_",
        "linearization_level",
        "symmetry_level",
        "search_branching",
        "optimize_with_",
        "max_memory_in_mb",
        "relative_gap_limit",
        "absolute_gap_limit",
        "use_",
    ),
    "scip": (
        "limits/",
        "randomization/",
        "presolving/",
        "separating/",
        "branching/",
        "nodeselection/",
        "propagating/",
        "conflict/",
        "numerics/",
        "heuristics/",
    ),
    "cbc": ("randomSeed", "randomCbcSeed", "presolve", "cuts", "heuristicsOnOff", "strategy", "maxNodes"),
    "glpk": ("cuts", "clique", "cover", "gomory", "mir", "fpump", "seed", "nopresol", "pcost", "memlim"),
    "gurobi": ("Seed", "MIPFocus", "Presolve", "Cuts", "Heuristics", "Method", "NodeLimit", "NumericFocus"),
}
"""Beginnings of options that no program reads or writes a file for, by engine or Pyomo's name."""


@dataclass(frozen=True)
class SolversFile:
    """A `solvers.toml`: its text, how it is called in messages, its path, and whether somebody chose it."""

    text: str
    label: str
    path: Path | None
    trusted: bool


def user_file() -> Path:
    """Path of the user's own `solvers.toml`, in the folder that the system has for configurations."""
    from platformdirs import user_config_path  # noqa: PLC0415  (needed where no other file is found)

    return user_config_path("altsel", appauthor=False) / NAME


def find(file: str | Path | None = None) -> SolversFile:
    """Find the file in force: given, by ``$ALTSEL_SOLVERS``, from here upwards, the user's, the package's.

    Raises
    ------
    ConfigurationError
        If it cannot be read.
    """
    given = os.environ.get("ALTSEL_SOLVERS") if file is None else checked_path("file", file)
    if given:
        if file is None and not Path(given).is_file():
            raise ConfigurationError(f"$ALTSEL_SOLVERS names {given!r}, which is no file")
        return SolversFile(_read(Path(given)), str(given), Path(given), trusted=True)
    own = user_file()
    here = Path.cwd()
    for folder in (here, *here.parents):
        path = folder / NAME
        if path.is_file():
            return SolversFile(_read(path), str(path), path, trusted=path == own)
    if own.is_file():
        return SolversFile(_read(own), str(own), own, trusted=True)
    text = resources.files("altsel").joinpath(NAME).read_text(encoding="utf-8")
    return SolversFile(text, "altsel's solvers.toml", None, trusted=True)


def refuse_untrusted(source: SolversFile, profiles: Mapping[str, Any]) -> None:
    """Refuse programs and files in a file that nobody chose.

    Raises
    ------
    ConfigurationError
        Names file, key, and how to allow it.
    """
    if source.trusted:
        return
    keys = [f"profiles.{name}.{key}" for name, profile in profiles.items() for key in _unsafe(profile)]
    if keys:
        raise ConfigurationError(
            f"{source.label} was found from the working directory upwards, not chosen by you, so that it may "
            f"not set {listing(keys)}: programs, files, and options that are not known to touch none; if you "
            f"trust it, set ALTSEL_SOLVERS={source.path}, "
            f"or move the profile to {user_file()}"
        )


def beside(source: SolversFile, executable: str | None) -> str | None:
    """Return a program's path, a relative one from the folder of its file; a bare name may be on the PATH."""
    if executable is None or source.path is None:
        return executable
    path = source.path.resolve().parent / Path(executable).expanduser()
    there = os.path.isfile(path)  # noqa: PTH113  (Path.is_file raises where a name is too long)
    return str(path) if there or len(Path(executable).parts) > 1 else executable


def _unsafe(profile: Any) -> list[str]:
    keys = ["executable"] if profile.executable is not None else []
    if profile.solver is not None and profile.solver not in KNOWN:
        keys.append("solver")
    return keys + [f"options.{key}" for key in unsafe_options(profile, profile.options)]


def unsafe_options(profile: Any, options: Mapping[str, Any]) -> list[str]:
    """Return the options that are not known to touch no file."""
    harmless = HARMLESS.get(profile.solver or profile.engine, ())
    return [
        key
        for key, value in options.items()
        if not (
            (not isinstance(value, str) or WORD.fullmatch(value))
            and key.startswith(harmless)
            and "file" not in key.lower()
        )
    ]


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as fault:
        raise ConfigurationError(f"cannot read {path}: {fault}") from fault
