"""Solvers in one line of text, as the command line and benchmarks have them: a name, and settings."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from altsel.errors import ArgumentError
from altsel.exact.auto_solver import Auto, solver
from altsel.solvers import Ability, Solver
from altsel.solvers.named import refuse_unsafe

SETTINGS = ("time_limit", "gap", "threads", "seed")
"""What every solver is told by altsel's own names; all other names are options of the solver's own."""
Value = bool | int | float | str


def option(text: str) -> tuple[str, Value]:
    """Read ``NAME=VALUE``; a value is a number or true or false if it looks like one, else a text.

    Raises
    ------
    ArgumentError
        If it has another form.

    Examples
    --------
    >>> option("presolve=off"), option("mip_rel_gap=1e-3"), option("misc/catchctrlc=false")
    (('presolve', 'off'), ('mip_rel_gap', 0.001), ('misc/catchctrlc', False))
    """
    name, sign, value = (part.strip() for part in text.partition("="))
    if not (name and sign and value) or "," in text:
        raise ArgumentError(f"option {text!r}; use NAME=VALUE, as in presolve=off")
    if value.lower() in {"true", "false"}:
        return name, value.lower() == "true"
    for kind in (int, float):
        try:
            return name, kind(value)
        except ValueError:
            continue
    return name, value


def with_settings(text: str, more: list[str]) -> str:
    """Return the text of a solver with more settings, which win.

    Examples
    --------
    >>> with_settings("highs", ["threads=2"]), with_settings("highs:presolve=off", ["threads=2"])
    ('highs:threads=2', 'highs:presolve=off,threads=2')
    """
    return f"{text}{',' if ':' in text else ':'}{','.join(more)}" if more else text


def options_of(text: str, options: Sequence[str], names: Collection[str]) -> list[str]:
    """Return the options that are a solver's, of those given: ``NAME=VALUE``, or ``SOLVER.NAME=VALUE``.

    Parameters
    ----------
    text
        The solver, as its text names it.
    options
        Options of all solvers, and of one.
    names
        Profiles that an option may name.

    Examples
    --------
    >>> given = ["highs.presolve=off", "mip_rel_gap=0.0"]
    >>> options_of("highs", given, {"highs", "scip"}), options_of("scip:threads=1", given, {"highs", "scip"})
    (['presolve=off', 'mip_rel_gap=0.0'], ['mip_rel_gap=0.0'])
    """
    own, kept = text.partition(":")[0], []
    for one in options:
        name, dot, rest = one.partition(".")
        if not (dot and name in names):  # native names may have dots
            kept.append(one)
        elif name == own:
            kept.append(rest)
    return kept


def solver_of(text: str, seed: int = 0, file: str | Path | None = None, trusted: bool = True) -> Solver:
    """Build the solver that a text names: ``highs``, or with settings ``highs:presolve=off,threads=2``.

    Parameters
    ----------
    text
        ``"auto"`` or the name of a profile, and behind a colon settings: ``threads``, ``seed``, ``gap`` and
        ``time_limit``, or options of the solver's own.
    seed
        Seed of everything random: the solver's, too, if it is above 0 and the solver takes one.
    file
        A ``solvers.toml``; default: the one in force.
    trusted
        Whether the user gave the text; a file of solutions may come from anyone.

    Raises
    ------
    ArgumentError
        If the text has another form.
    ConfigurationError
        As `altsel.solver`; or if a text that is not trusted sets options that may touch files.

    Examples
    --------
    >>> solver_of("highs:presolve=off,threads=2").limits
    SolveLimits(time_limit=None, gap=0.0, threads=2, options={'presolve': 'off'}, log=None, seed=None)
    """
    name, _, rest = text.partition(":")
    given = dict(option(part) for part in rest.split(",")) if rest else {}
    settings: dict[str, Any] = {key: given.pop(key) for key in SETTINGS if key in given}
    if given:
        settings["options"] = given
        if not trusted and name != "auto":
            refuse_unsafe(name, given)
    made = solver(name, **settings, file=file)
    first = made.engine if isinstance(made, Auto) else made
    if seed <= 0 or "seed" in settings or Ability.SEED not in getattr(first, "abilities", ()):
        return made
    return solver(name, **settings, seed=seed, file=file)
