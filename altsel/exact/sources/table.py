"""The sources there are, and what they give once a problem."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from altsel._types import IntArray
from altsel.errors import listing
from altsel.exact.question import Answer, Question, Sets
from altsel.exact.rules.linear_rules import keeps_rows
from altsel.exact.run import Run, log
from altsel.exact.sources.generalised.source import Generalised
from altsel.exact.sources.least_squares.source import LeastSquares
from altsel.exact.sources.plain_sum.source import PlainSum
from altsel.exact.sources.quadratic.source import Quadratic
from altsel.exact.sources.source import Above, Source
from altsel.models.objective import Kind
from altsel.results.feature_set import Proof
from altsel.solvers import CLOSED

SOURCES: tuple[Source, ...] = (PlainSum(), LeastSquares(), Generalised(), Quadratic())
"""Who is asked, in order."""
WORTH_A_LIST = 0.07
"""CPU seconds of a search for one set before very many are listed."""


def source_of(question: Question) -> Source | None:
    """Return the source that reads a question's criterion; None if there is none."""
    return next((source for source in SOURCES if source.reads(question)), None)


def why_no_list(question: Question) -> str | None:
    """Return why no source finds and lists a question's sets, one at a time; None if one does."""
    if question.named:
        return "a solver is named"
    source, alone = source_of(question), replace(question, count=1, total="min")
    if source is None:
        return f"a {question.kind} has no source of its sets"
    return source.why_not(alone) or source.why_no_list(alone)


@dataclass(frozen=True)
class OneSet:
    """A source as an engine: for one set at a time, without a solver."""

    source: Source

    @property
    def name(self) -> str:
        """The way in words."""
        return self.source.name

    def why_not(self, question: Question) -> str | None:
        """Return why it cannot answer, if it cannot."""
        if (why := question.why_not_alone()) is not None:
            return why
        if not self.source.reads(question):
            return f"a {question.kind} is no {self.source.criterion}"
        return self.source.why_not(question)

    def expected_seconds(self, question: Question) -> float:
        """Return the CPU seconds of one set that a list of very many is not worth; 0: nothing is sooner."""
        return 0.0 if question.kind is Kind.SUM else WORTH_A_LIST

    def answer(self, question: Question, run: Run) -> Answer | None:
        """Find the best set after the known ones."""
        return self.source.best_after(question, run)


def best_after(question: Question, known: Sets, run: Run) -> Answer | None:
    """Find the best set that differs from known ones; what was proved is kept for the next who asks."""
    key = ("best after", question.distance, tuple(map(frozenset, known)))
    if key not in question.structure.kept:
        after = replace(question, known=known, count=1, total="min")
        source = source_of(after)
        found = None if source is None or source.why_not(after) else source.best_after(after, run)
        if found is None or found.outcome.proof is not Proof.OPTIMAL:
            return found
        question.structure.kept[key] = found
    answer = question.structure.kept[key]
    assert isinstance(answer, Answer)
    return answer


def list_above(
    question: Question, run: Run, wanted: Above, known: Sequence[Collection[str]] = ()
) -> tuple[list[IntArray], bool]:
    """List all admissible sets of at least a score; `why_no_list` has nothing against it.

    Parameters
    ----------
    question, run, wanted
        As in `altsel.exact.sources.source.Source.above`.
    known
        Sets that have been met: a list that lacks one that belongs to it is worth nothing.

    Returns
    -------
    list of array
        Indices of the features, one array of shape (sets, size) a size.
    bool
        Whether these are all.
    """
    source = source_of(question)
    assert source is not None
    sets, complete = source.above(question, run, wanted)
    lost = _find_lost(question, sets, wanted.floor, known) if complete else None
    if lost is None:
        return sets, complete
    log.warning("a list lacks the set %s, which is known: it is given up", listing(lost))
    return [np.empty((0, question.problem.sizes[0]), dtype=np.int64)], False


def _find_lost(
    question: Question, sets: list[IntArray], floor: float, known: Sequence[Collection[str]]
) -> Collection[str] | None:
    """Return a known set that keeps the rules and is clearly above the floor, but is not in the list."""
    problem, rows = question.problem, question.structure.rows or []
    for subset in known:
        mask = problem.mask(subset)
        if not keeps_rows(rows, mask) or not problem.objective.checked_feasible(mask):
            continue
        score = problem.objective.checked_score(mask)
        here = [members for members in sets if members.shape[1] == len(subset)]
        above = score > floor + CLOSED * max(abs(score), abs(floor))
        if above and not any((members == np.flatnonzero(mask)).all(axis=1).any() for members in here):
            return subset
    return None
