"""Interchangeable solvers: profiles, engines, and what they answer."""

from altsel.solvers.engine import Ability, SolveLimits
from altsel.solvers.outcome import CLOSED, Outcome, Solver
from altsel.solvers.profile import Found, Profile, profiles, solver

__all__ = ["CLOSED", "Ability", "Found", "Outcome", "Profile", "SolveLimits", "Solver", "profiles", "solver"]
