"""Interchangeable solvers: profiles, engines, and what they answer."""

from altsel.solvers.engine import Ability, SolveLimits
from altsel.solvers.named import Found, profiles, solver, tagged
from altsel.solvers.outcome import CLOSED, Outcome, Solver
from altsel.solvers.profile import Profile

__all__ = [
    "CLOSED",
    "Ability",
    "Found",
    "Outcome",
    "Profile",
    "SolveLimits",
    "Solver",
    "profiles",
    "solver",
    "tagged",
]
