"""What a solve answers, in the same terms for every engine."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isfinite
from typing import Any, Protocol

from altsel.errors import SolverError
from altsel.result import Proof, Stop
from altsel.solvers.lowering import Rows

CLOSED = 1e-9
"""A gap up to this, relative to value, bound or the objective's largest term, counts as closed."""


@dataclass(frozen=True)
class Outcome:
    """The answer to one solve; the incumbent's values are on the model's variables.

    Attributes
    ----------
    stop
        ``EXHAUSTED`` (searched to the end), ``INFEASIBLE``, ``TIME``, ``LIMIT`` (nodes, memory, or the
        gap allowed) or ``INTERRUPT``.
    proof
        ``OPTIMAL``, ``FEASIBLE``, or None without an incumbent.
    value
        The incumbent's objective, recomputed from its rounded values; None without one.
    bound
        Proved bound on the objective; None if none was proved.
    seconds
        Wall time of translation and solve.
    """

    stop: Stop
    proof: Proof | None
    value: float | None
    bound: float | None
    seconds: float


class Solver(Protocol):
    """Anything that solves a Pyomo model.

    Values on the model's variables are the warm start; afterwards they are the incumbent.
    """

    @property
    def name(self) -> str:
        """Name of the profile."""
        ...

    def __call__(self, model: Any) -> Outcome:
        """Solve the model."""
        ...


def conclude(ended: Stop, value: float | None, bound: float, rows: Rows, seconds: float) -> Outcome:
    """Derive the outcome from incumbent and bound, not from the engine's word for it.

    Parameters
    ----------
    ended
        Why the engine says it stopped.
    value
        Objective of the incumbent, checked and recomputed; None without one.
    bound
        The engine's bound; infinite or NaN if it has none.
    rows
        The model: its sense, and its largest term as the measure of rounding.
    seconds
        Wall time.

    Raises
    ------
    SolverError
        If the engine calls a problem infeasible and has an incumbent, or neither stopped
        early nor answers, or its bound contradicts its incumbent.
    """
    sign = 1.0 if rows.maximise else -1.0
    proved = bound if isfinite(bound) else None
    if value is None:
        if ended is Stop.EXHAUSTED:
            raise SolverError("the solver ended without an answer")
        return Outcome(ended, None, None, proved if ended is not Stop.INFEASIBLE else None, seconds)
    if ended is Stop.INFEASIBLE:
        raise SolverError("the solver calls the model infeasible, yet its start is feasible")
    slack = sign * ((bound if proved is not None else sign * inf) - value)
    scale = max(abs(value), abs(proved or 0.0), rows.largest_term)
    if slack < -1e-6 * scale:
        raise SolverError(f"the solver's bound {bound!r} contradicts its incumbent {value!r}")
    if slack <= CLOSED * scale:
        return Outcome(Stop.EXHAUSTED, Proof.OPTIMAL, value, value, seconds)
    return Outcome(Stop.LIMIT if ended is Stop.EXHAUSTED else ended, Proof.FEASIBLE, value, proved, seconds)
