"""How ``"auto"`` chooses: a question passes stages, then engines have turns, the soonest first.

Each engine says in words why it cannot answer a question, and how long it will probably take. One that gives
up on the way, or leaves a gap, or whose turn is over, leaves the rest to the others, with the sets and the
bound that it has found.
"""

from __future__ import annotations

from dataclasses import dataclass

from altsel.errors import AltselError, ArgumentError, SolverError
from altsel.exact.families.counts.engine import Counts
from altsel.exact.families.lists.engine import Lists
from altsel.exact.partial_answers import answer_unproved
from altsel.exact.question import Answer, Question
from altsel.exact.run import Run
from altsel.exact.sources.every_set.engine import AllSets
from altsel.exact.sources.model.engine import Model
from altsel.exact.sources.table import SOURCES, OneSet, source_of
from altsel.exact.stages.confirmation import Confirmation
from altsel.exact.stages.dissimilarity_by_rows import DissimilarityByRows
from altsel.exact.stages.proved_before import ProvedBefore
from altsel.exact.stages.quality_floor import QualityFloor, least_quality, without_floor
from altsel.exact.stages.rules_by_cuts import RulesByCuts
from altsel.exact.stages.screening import Screening
from altsel.exact.stages.stage import Stage, through
from altsel.exact.starts.at_hand import SetsAtHand
from altsel.exact.starts.warm_start import proposed_sets
from altsel.exact.turns import Engine, ask, ask_soonest_first, in_order
from altsel.models.objective import Kind
from altsel.results.stop import Stop
from altsel.solvers import Outcome

ENGINES: tuple[Engine, ...] = (
    Counts(),
    Lists(nested=True),
    Lists(),
    *map(OneSet, SOURCES),
    Model(),  # everything but black boxes
    AllSets(),
)
"""Who is asked: in turns, those first that say that they will be the soonest, else in this order."""


STAGES: tuple[Stage, ...] = (
    ProvedBefore(),
    DissimilarityByRows(),
    Confirmation(),
    RulesByCuts(),
    QualityFloor(),
    Screening(),
)
"""What a question passes before it reaches the table, and its answer on the way back."""


AT_HAND: tuple[Engine, ...] = (SetsAtHand(),)
"""What is asked where the clock has ended the search."""


def answer(question: Question, run: Run) -> Answer:
    """Answer a question by the first engine that can, or by those after it where one leaves it open.

    Raises
    ------
    ArgumentError
        If no engine can: of a black box with too many sets.
    RangeError
        If its numbers range too widely for a model, and nothing else can answer.
    SolverError
        If a user's own criterion is not what its model, or what it declares, says.
    """
    return through(STAGES, by_table)(question, run)


def by_table(question: Question, run: Run) -> Answer:
    """Answer a question by the table, from sets to begin with."""
    run.incumbent = proposed_sets(question, run.start) if run.start else []
    best = answer_unproved(question, run.incumbent, Stop.LIMIT) if run.incumbent else None
    best, refused = ask_soonest_first(ENGINES, question, run, best)
    if best is not None and (best.sets or refused is None):
        return best
    raise refused or _refusal(question)


def best_known(question: Question, run: Run) -> Answer:
    """Return the best sets met, or made in no time, where the clock has ended the search."""
    found, _ = ask(AT_HAND, question.stated, run)
    return found or Answer([], Outcome.unfinished(run.stop))


@dataclass(frozen=True)
class Reason:
    """One row of the table.

    Attributes
    ----------
    engine
        Its name.
    why_not
        Why it cannot answer; None if it can.
    """

    engine: str
    why_not: str | None


def reasons(question: Question) -> tuple[Reason, ...]:
    """Return what every engine says to a question; the first without a reason answers it."""
    question = question.stated
    question = question if least_quality(question) is None else without_floor(question)
    said = [Reason(engine.name, engine.why_not(question)) for engine in in_order(ENGINES, question)]
    able = {one.engine: one for one in reversed(said) if one.why_not is None}
    rest = {one.engine: one for one in said if one.engine not in able}
    return tuple(one for one in said if one is able.get(one.engine, rest.get(one.engine)))


def refuse_black_box(question: Question) -> None:
    """Refuse a black box whose sets cannot all be evaluated.

    Raises
    ------
    ArgumentError
        Says why.
    """
    known = source_of(question) is not None or AllSets().why_not(question) is None
    if question.kind is Kind.BLACK_BOX and not known:
        raise _refusal(question)


def _refusal(question: Question) -> AltselError:
    """Return why no engine answers."""
    if question.kind is not Kind.BLACK_BOX:
        return SolverError("no engine could answer; name a solver, such as solver='highs'")
    why = AllSets().why_not(question)
    together = ", together=True" if question.count > 1 else ""
    return ArgumentError(
        f"{question.problem.objective.name} is a black box, and not all sets can be evaluated: {why}; "
        f"use wrapper(...{together})"
    )
