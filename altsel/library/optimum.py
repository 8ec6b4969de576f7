"""The optimum of a question: found and proved by `auto`, and confirmed by a certificate or another engine."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from altsel.errors import AltselError, SolverError
from altsel.exact.auto_solver import solver
from altsel.exact.interchange.question_files import ReadQuestion
from altsel.models.cfs import CFS
from altsel.models.dissimilarity import Dice
from altsel.results.feature_set import Proof
from altsel.results.solutions import Solutions
from altsel.results.stop import Stop
from altsel.runtime.clock import OutOfTimeError, limited
from altsel.search.alternatives.sequential import sequential
from altsel.search.alternatives.simultaneous import simultaneous

AGREE = 1e-6
"""Relative difference of two values that is none: the tolerance of solvers."""
MOST_LEAVES = 20_000
"""Leaves of a certificate's tree: what needs more is left to another engine."""
ENGINES = ("highs", "cp-sat")
"""Solvers of models that confirm where no certificate does."""


@dataclass(frozen=True)
class Optimum:
    """What is known of a question.

    Attributes
    ----------
    status
        ``"opt"`` (proved), ``"best"`` (found), ``"inf"`` (proved to have no answer) or ``"unkn"``.
    score
        Sum or minimum of the scores of `sets`.
    sets
        The best that are known.
    proved
        Who proved it: ``"auto"``, a ``"certificate"`` that its checker verified, names of solvers.
    """

    status: str
    score: float | None
    sets: tuple[tuple[str, ...], ...]
    proved: tuple[str, ...]

    def in_file(self, question: ReadQuestion, form: str) -> float | None:
        """Return the optimum of a file, in its own sense: least for MPS, QUBO and BQM, largest for LP."""
        if self.score is None:
            return None
        value = self.score
        squared = isinstance(question.problem.objective, CFS) and question.problem.sizes[1] > 1
        if squared and form in {"lp", "mps"}:
            value = value**2
        return value if form in {"lp", "json"} else -value


def find(question: ReadQuestion, seconds: float, folder: Path | None = None) -> Optimum:
    """Find, prove and confirm, each within so many seconds.

    Parameters
    ----------
    question
        What is asked.
    seconds
        Limit of each search, and of each confirmation.
    folder
        Where a certificate is kept that its checker verified; None: nowhere.
    """
    found = _searched(question, "auto", seconds)
    status, score = _status(question, found)
    sets = tuple(tuple(one.features) for one in found) if score is not None else ()
    if status not in {"opt", "inf"}:
        return Optimum(status, score, sets, ())
    known = Optimum(status, score, sets, ("auto",))
    second = ("certificate",) if _certified(found, question, seconds, folder) else ()
    return replace(known, proved=("auto", *(second or _confirmed(question, known, seconds))))


def _searched(question: ReadQuestion, engine: str, seconds: float) -> Solutions:
    diversity: Any = question.dissimilarity or Dice(0)
    made = solver(engine)
    if not question.alternatives:
        return sequential(question.problem, diversity, 0, made, time_limit=seconds)
    return simultaneous(
        question.problem, diversity, question.alternatives, question.total, made, time_limit=seconds
    )


def _status(question: ReadQuestion, found: Solutions) -> tuple[str, float | None]:
    """Return what a search knows, and the value."""
    whole = len(found) == question.alternatives + 1
    if found.stop is Stop.INFEASIBLE and not len(found):
        return "inf", None
    if not whole:
        return "unkn", None
    scores = [one.score for one in found]
    value = float(min(scores) if question.total == "min" else sum(scores))
    return ("opt" if all(one.proof is Proof.OPTIMAL for one in found) else "best"), value


def _certified(found: Solutions, question: ReadQuestion, seconds: float, folder: Path | None) -> bool:
    """Write a certificate, and return whether its checker verifies all that is claimed."""
    diversity: Any = question.dissimilarity or Dice(0)
    with tempfile.TemporaryDirectory() as here:
        path = (folder or Path(here)) / f"{question.name or 'question'}.proof.json.gz"
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with limited(seconds):
                made = found.certificate(path, question.problem, diversity, most_leaves=MOST_LEAVES)
            if made.claims and not made.not_covered:
                return True  # what was written is checked before it is returned
        except (AltselError, OutOfTimeError):
            pass
        path.unlink(missing_ok=True)
    return False


def _confirmed(question: ReadQuestion, known: Optimum, seconds: float) -> tuple[str, ...]:
    """Return the solver of models that proves the same, if one does.

    Raises
    ------
    SolverError
        If one proves something else: at least one of the two is wrong.
    """
    for engine in ENGINES:
        try:
            status, score = _status(question, _searched(question, engine, seconds))
        except AltselError:
            continue
        if status not in {"opt", "inf"}:
            continue
        same = known.score is None or score is None or abs(score - known.score) <= _room(known.score)
        if status != known.status or not same:
            raise SolverError(
                f"{question.name}: {engine} proves {status} {score}, auto {known.status} {known.score}"
            )
        return (engine,)
    return ()


def _room(score: float) -> float:
    return AGREE * max(1.0, abs(score))
