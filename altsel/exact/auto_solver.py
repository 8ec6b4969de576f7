"""Solvers by name, and ``"auto"``: whichever way does best."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from altsel.errors import ConfigurationError, RangeError, SolverError
from altsel.solvers import Outcome, Solver
from altsel.solvers import solver as make_solver

log = logging.getLogger("altsel.search")

SolverLike = Solver | str | None
"""A solver, the name of a profile of ``solvers.toml``, or None or ``"auto"`` for what does best."""


@dataclass(frozen=True)
class Auto:
    """Whichever engine of `altsel.exact.auto` does best, with these solvers for models.

    What one of the solvers refuses, or fails at, is asked of the other.

    Parameters
    ----------
    engine
        The solver for models.
    packing
        The solver for the minimum over several sets, where another one is better at it.
    time_limit
        Seconds a question, whichever way it is answered.
    """

    engine: Solver
    packing: Solver | None = None
    time_limit: float | None = None

    name = "auto"

    def __call__(self, model: Any) -> Outcome:
        """Solve a model."""
        return self.solve(model)[0]

    def solve(self, model: Any, packing: bool = False) -> tuple[Outcome, Solver]:
        """Solve a model, that of the minimum over several sets or another; return also which solver did.

        Raises
        ------
        SolverError
            If no solver can: what each of them said.
        """
        first, other = self.engine, self.packing
        if packing and other is not None:
            first, other = other, first
        try:
            return first(model), first
        except SolverError as fault:
            if other is None or other.name == first.name or isinstance(fault, RangeError):
                raise
            log.info("%s; asking %s", fault, other.name)
            with both_told(fault):
                return other(model), other

    def without(self, name: str) -> Auto | None:
        """Return the same choice without a solver; None if no other one is left."""
        left = [one for one in (self.engine, self.packing) if one is not None and one.name != name]
        return replace(self, engine=left[0], packing=None) if left else None


@contextmanager
def both_told(first: SolverError) -> Iterator[None]:
    """Ask a second solver after the first one's fault; where it fails too, tell what both said."""
    try:
        yield
    except SolverError as second:
        if str(second) in str(first):
            raise first from second
        raise type(second)(f"{first}; {second}") from second


def automatic(time_limit: float | None = None, **settings: Any) -> Auto:
    """Build the choice of solvers that measured best; a default of ``solvers.toml`` of one's own is kept.

    Parameters
    ----------
    time_limit
        Seconds a question.
    settings
        What else `solver` takes; not options, which are those of one solver.
    """
    if settings.pop("options", None):
        raise ConfigurationError("options are one solver's own: name it, as in solver('highs', options=…)")
    engine = make_solver(time_limit=time_limit, **settings)
    packing = None
    if engine.name == "highs":
        with suppress(ConfigurationError):
            packing = make_solver("cp-sat", time_limit=time_limit, **settings)
    limit = getattr(getattr(engine, "limits", None), "time_limit", None)
    return Auto(engine, packing, None if limit is None else float(limit))


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
    """Build a solver from a profile, or ``"auto"``: what does best, whichever way that is.

    Parameters
    ----------
    name
        Name of a profile, or ``"auto"``; default: the profile that ``solvers.toml`` calls default.
    time_limit
        Seconds a call, over the profile's; of ``"auto"``: seconds a question. A whole search is limited
        by its own argument ``time_limit``.
    gap
        Relative gap, over the profile's.
    threads
        Number of threads, over the profile's.
    seed
        Seed of what the solver draws at random, over the profile's: each engine has its own name for it.
    options
        Native options of the solver by name, beside the profile's; they win over all other settings. Not for
        ``"auto"``, which may call more than one solver.
    log
        File to which the engine appends its log.
    file
        A ``solvers.toml``; default: ``$ALTSEL_SOLVERS``, then upwards from the working directory (there
        it may not name programs or files), then the user's own, then the package's.

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
    >>> solver("highs", time_limit=10).name, solver("auto", threads=2).name
    ('highs', 'auto')
    >>> solver("glpk", threads=2)
    Traceback (most recent call last):
    altsel.errors.ConfigurationError: solver 'glpk' takes no threads; leave it out
    """
    settings: dict[str, Any] = {"time_limit": time_limit, "gap": gap, "threads": threads, "seed": seed}
    settings |= {"options": options, "log": log, "file": file}
    return automatic(**settings) if name == "auto" else make_solver(name, **settings)
