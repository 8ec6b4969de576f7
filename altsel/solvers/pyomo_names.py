"""What altsel knows of solvers by their Pyomo names: native options, abilities, and what to use instead."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

WEAK = 2e-7
"""Relative difference of objectives that a solver takes for none: GLPK's is 1e-7, and has no option."""
TIGHT = 1e-9
"""Tolerance on rows and integers that solvers are given where they take one."""


@dataclass(frozen=True)
class Native:
    """How a solver is told what every solver is told.

    Attributes
    ----------
    time, gap, threads, seed
        Its own names of these options; None: it takes none.
    always
        Options that it is always given.
    starts, bounds
        Whether it takes a warm start through Pyomo, and gives a bound where it stops early.
    precision
        Relative difference of objectives below which it takes them for the same.
    log
        Its own option for a log file, where Pyomo's does not reach it.
    """

    time: str
    gap: str
    threads: str | None = None
    seed: str | None = None
    always: Mapping[str, float] = field(default_factory=dict)
    starts: bool = True
    bounds: bool = True
    precision: float = WEAK
    log: str | None = None


_GUROBI = Native(
    *("TimeLimit", "MIPGap", "Threads", "Seed"),
    {"MIPGapAbs": 0.0, "FeasibilityTol": TIGHT, "IntFeasTol": TIGHT, "OptimalityTol": TIGHT},
    precision=0.0,
)
_CPLEX = Native(
    *("timelimit", "mip_tolerances_mipgap", "threads", "randomseed"),
    {
        "mip_tolerances_absmipgap": 0.0,
        "mip_tolerances_integrality": 0.0,
        "simplex_tolerances_feasibility": TIGHT,
        "simplex_tolerances_optimality": TIGHT,
    },
    precision=0.0,
)
_XPRESS = Native(
    *("maxtime", "miprelstop", "threads", "randomseed"),
    {"mipabsstop": 0.0, "feastol": TIGHT, "optimalitytol": TIGHT, "miptol": TIGHT},  # the last by the others
    precision=0.0,
)
NATIVE = {
    "cbc": Native("sec", "ratioGap", "threads", "randomCbcSeed"),
    "glpk": Native("tmlim", "mipgap", starts=False, bounds=False),  # it draws nothing at random
    "gurobi": _GUROBI,
    "gurobi_direct": replace(_GUROBI, log="LogFile"),
    "cplex": _CPLEX,
    "cplex_direct": _CPLEX,
    "xpress": _XPRESS,
    "xpress_direct": _XPRESS,
}
"""By Pyomo's name of the solver; of others nothing is known, so that their options are the user's."""

INSTALL = {
    "cbc": "coinor-cbc by the system's packages, or pip install pulp",
    "glpk": "pip install 'altsel[glpk]'",
    "gurobi": "pip install gurobipy",
    "gurobi_direct": "pip install gurobipy",
    "cplex_direct": "pip install cplex",
    "xpress": "pip install xpress",
    "xpress_direct": "pip install xpress",
}
"""How to install a solver, by Pyomo's name; without a licence the last ones solve small models only."""

OWN = {"highs": "engine = 'highs'", "scip": "engine = 'scip'"}
"""Solvers that altsel speaks to itself."""
LIVE = ("_persistent", "_v2", "_minlp")
"""Endings of interfaces that keep a model, or are of Pyomo's new kind."""


def instead_of(solver: str) -> str | None:
    """Return why an interface of Pyomo's is not used, and what to name instead; None if it is used.

    Interfaces that keep a model need it set before the first solve, and gain nothing where each question has
    a model of its own; those of Pyomo's newer kinds take limits in another way. Either would be used with
    limits that do not reach the solver.
    """
    kept = solver.endswith(LIVE) or solver.startswith("appsi_")
    base = solver.removeprefix("appsi_")
    for ending in (*LIVE, "_direct"):
        base = base.removesuffix(ending)
    if base in OWN and (kept or solver in {"highs", "scip_direct"}):
        return f"altsel has an interface of its own: use {OWN[base]} without 'solver'"
    if not kept:
        return None
    plain = f"{base}_direct" if f"{base}_direct" in NATIVE else base
    return f"it keeps a model between solves, which altsel does not: use solver = {plain!r}"
