"""What a solve answers, in the same terms for every engine."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor, inf, isfinite
from typing import Any, Protocol

from altsel.errors import SolverError
from altsel.results.feature_set import Proof
from altsel.results.stop import Stop
from altsel.solvers.rows import NEGLIGIBLE_TERM, Rows

CLOSED = 1e-9
"""A gap up to this, relative to the value, counts as closed."""
TERM_GAP = 1e-11
"""The same relative to the terms that make up the value: it counts where they cancel."""


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
        Proved bound on the objective, with what rounding may hide; None if none was proved.
    seconds
        Wall time of translation and solve.
    largest_term
        Largest absolute value that one variable can bring to the objective, where known.
    rounding
        What rounding may make of the incumbent's own terms: no smaller difference is seen.

    Examples
    --------
    >>> from altsel import Problem, Univariate, formulate, solver
    >>> model = formulate(Problem(Univariate([3, 2, 1]), k=2))
    >>> outcome = solver("highs")(model)
    >>> outcome.value, outcome.bound, outcome.proof.value
    (5.0, 5.0, 'optimal')
    """

    stop: Stop
    proof: Proof | None
    value: float | None
    bound: float | None
    seconds: float
    largest_term: float = 0.0
    rounding: float = 0.0

    def slack(self, value: float) -> float:
        """Return how far a value may be from what others make of the same, for the rounding of its terms."""
        return 1e-6 * max(abs(value), 1e-3 * self.largest_term)

    @classmethod
    def infeasible(cls, seconds: float = 0.0) -> Outcome:
        """Return the outcome that there is no solution."""
        return cls(Stop.INFEASIBLE, None, None, None, seconds)

    @classmethod
    def optimal(cls, value: float | None, seconds: float = 0.0, largest_term: float = 0.0) -> Outcome:
        """Return the outcome of a solution that was shown to be the best."""
        return cls(Stop.EXHAUSTED, Proof.OPTIMAL, value, value, seconds, largest_term)

    @classmethod
    def unfinished(
        cls, stop: Stop, value: float | None = None, bound: float | None = None, seconds: float = 0.0
    ) -> Outcome:
        """Return an outcome that shows nothing but perhaps a bound; with a value if a solution was found."""
        return cls(stop, None if value is None else Proof.FEASIBLE, value, bound, seconds)


class Solver(Protocol):
    """Anything that solves a Pyomo model.

    Values on the model's variables are the warm start; afterwards they are the incumbent.

    Examples
    --------
    >>> from altsel import Dice, Problem, Univariate, sequential, solver
    >>> class Noted:
    ...     name = "noted"
    ...     def __call__(self, model):
    ...         print("one solve")
    ...         return solver("highs")(model)
    >>> sequential(Problem(Univariate([3, 2, 1]), k=2), Dice(0.5), 0, solver=Noted())[0].features
    one solve
    ('x0', 'x1')
    """

    @property
    def name(self) -> str:
        """Name of the profile."""
        ...

    def __call__(self, model: Any) -> Outcome:
        """Solve the model."""
        ...


def conclude(
    ended: Stop,
    value: float | None,
    bound: float,
    rows: Rows,
    seconds: float,
    own: float = 0.0,
    precision: float = 0.0,
) -> Outcome:
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
    own
        Sum of the absolute terms that make up the value.
    precision
        Relative difference of objectives below which the engine takes them for the same.

    Raises
    ------
    SolverError
        If the engine calls a problem infeasible and has an incumbent, or neither stopped
        early nor answers, or its bound contradicts its incumbent.
    """
    sign = 1.0 if rows.maximise else -1.0
    hidden = rows.error + precision * max(abs(value or 0.0), rows.largest_term)
    honest = _honest(bound, value, rows, hidden)
    proved = honest if isfinite(honest) else None
    if value is None:
        if ended is Stop.EXHAUSTED:
            raise SolverError("the solver ended without an answer")
        bounded = proved if ended is not Stop.INFEASIBLE else None
        return Outcome.unfinished(ended, None, bounded, seconds)
    if ended is Stop.INFEASIBLE:
        raise SolverError("the solver calls the model infeasible, yet its start is feasible")
    if not isfinite(value):
        raise SolverError(f"the solver's answer has the value {value!r}")
    term = rows.largest_term
    slack = inf if proved is None else sign * (proved - value)
    if slack < -1e-6 * max(abs(value), abs(proved or 0.0), term):
        raise SolverError(f"the solver's bound {bound!r} contradicts its incumbent {value!r}")
    if slack <= max(CLOSED * abs(value), TERM_GAP * own):
        return Outcome(Stop.EXHAUSTED, Proof.OPTIMAL, value, value, seconds, term, TERM_GAP * own)
    shown = None if proved is None else sign * max(sign * proved, sign * value)
    # searched to the end by the engine, but numbers too far apart hide more than may be claimed
    close = ended is Stop.EXHAUSTED and slack <= 10 * hidden + CLOSED * abs(value)
    stop = ended if close or ended is not Stop.EXHAUSTED else Stop.LIMIT
    return Outcome(stop, Proof.FEASIBLE, value, shown, seconds, term, TERM_GAP * own)


def _honest(bound: float, value: float | None, rows: Rows, hidden: float) -> float:
    """Move a bound out by what an engine's tolerance may hide, and in to the next value there is.

    Where numbers range too widely, an engine does not see the small ones at all, and takes any answer
    for the best: then its bound says nothing.
    """
    sign = 1.0 if rows.maximise else -1.0
    if not isfinite(bound) or (
        value is not None and rows.too_wide(value, NEGLIGIBLE_TERM) and not rows.step > 0
    ):
        return sign * inf
    open_gap = value is None or sign * (bound - value) + hidden > CLOSED * abs(value)
    if open_gap and rows.step > 10 * hidden:
        steps = floor(sign * (bound - rows.offset) / rows.step + 1e-3)
        return rows.offset + sign * steps * rows.step
    return bound + sign * hidden


def refuse_infeasible(rows: Rows) -> None:
    """Refuse to call a model infeasible on the word of an engine that does not see its numbers.

    Raises
    ------
    SolverError
        If the numbers range too widely.
    """
    if rows.unbelievable:
        raise SolverError(
            "it calls the model infeasible, but the numbers range too widely to believe that; "
            "limit what stands for 'never'"
        )
