"""How ``"auto"`` chooses: a question passes stages, then one table: the first engine that can answers it.

Each engine says in words why it cannot answer a question. One that gives up on the way, or leaves a gap, or
whose turn is over, leaves the rest to those after it, with the sets and the bound that it has found.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from altsel.errors import AltselError, ArgumentError, SolverError
from altsel.exact.families.counts.engine import Counts
from altsel.exact.families.lists.engine import Lists
from altsel.exact.kinds_of_questions import (
    counted_sum,
    few_free_sets,
    few_sets,
    few_sets_of_sums,
    free_poorest_sum,
    free_sum,
    many_ruled_sums,
    many_similar_sums,
    no_nested_sum,
    no_plain_sum,
    no_sum,
    not_yet_listed,
    one_set,
    plain_sum,
    poorest_pairs,
    poorest_sum,
    several_ruled_sums,
    sum_under_conditions,
    sums_under_conditions,
    too_few_features,
    unlisted_pairs,
)
from altsel.exact.partial_answers import answer_unproved
from altsel.exact.question import Answer, Question
from altsel.exact.run import Run
from altsel.exact.sources.every_set.engine import AllSets, are_listed
from altsel.exact.sources.model.engine import Model
from altsel.exact.sources.quadratic.source import Quadratic
from altsel.exact.sources.table import SOURCES, OneSet, source_of
from altsel.exact.stages.confirmation import Confirmation
from altsel.exact.stages.dissimilarity_by_rows import DissimilarityByRows
from altsel.exact.stages.proved_before import ProvedBefore
from altsel.exact.stages.quality_floor import QualityFloor, least_quality, without_floor
from altsel.exact.stages.rules_by_cuts import RulesByCuts
from altsel.exact.stages.stage import Stage, through
from altsel.exact.starts.at_hand import SetsAtHand
from altsel.exact.starts.warm_start import proposed_sets
from altsel.exact.turns import Engine, Turn, ask, rounds
from altsel.models.objective import Kind
from altsel.results.stop import Stop
from altsel.solvers import Outcome

QUADRATIC, NESTED, ONE_LIST = OneSet(Quadratic()), Lists(nested=True), Lists()
COUNTS, ALL, MODEL = Counts(), AllSets(), Model()
ENGINES: tuple[Engine, ...] = (
    Turn(COUNTS, inf, too_few_features),
    Turn(ALL, 0.02, few_free_sets),
    Turn(ALL, 0.04, few_sets_of_sums),
    *rounds(many_similar_sums, {NESTED: 0.2, COUNTS: 0.05, ALL: 0.1}),
    *rounds(free_sum, {COUNTS: 0.1, NESTED: 0.1, ALL: 0.1}),
    Turn(COUNTS, 0.02, free_poorest_sum),
    *rounds(poorest_sum, {ONE_LIST: 0.08, ALL: 0.05, MODEL: 0.15}),
    *rounds(several_ruled_sums, {ONE_LIST: 0.06, COUNTS: 0.1, MODEL: 0.15, ALL: 0.1}),
    *rounds(many_ruled_sums, {NESTED: 0.15, COUNTS: 0.1, MODEL: 0.15, ALL: 0.1}),
    Turn(ALL, 0.15, few_sets),
    Turn(ONE_LIST, 0.15, no_nested_sum),
    Turn(ALL, 0.3, few_sets),
    *rounds(sums_under_conditions, {ONE_LIST: 0.4, ALL: 0.05, NESTED: 0.2, COUNTS: 0.1}),
    Turn(NESTED, inf, sum_under_conditions),
    Turn(NESTED, inf, no_sum),
    *rounds(poorest_pairs, {ONE_LIST: 0.06, ALL: 0.1, MODEL: 0.3}),
    Turn(COUNTS, 0.4, unlisted_pairs),
    Turn(QUADRATIC, 0.1, not_yet_listed),
    Turn(ALL, inf, are_listed),
    Turn(NESTED, inf, plain_sum),
    Turn(COUNTS, inf, counted_sum),
    Turn(ONE_LIST, inf, no_plain_sum),
    Turn(COUNTS, inf, sum_under_conditions),  # what lists leave of a sum under conditions
    *map(OneSet, SOURCES),
    MODEL,  # everything but black boxes
    Turn(ALL, inf, one_set),  # what a model leaves open, where sets are few
)
"""Who is asked, in order; the CPU seconds of turns that measured best (``benchmarks.portfolio``)."""


STAGES: tuple[Stage, ...] = (
    ProvedBefore(),
    DissimilarityByRows(),
    Confirmation(),
    RulesByCuts(),
    QualityFloor(),
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
    best, refused = ask(ENGINES, question, run, best)
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
    said = [Reason(engine.name, _why_not(engine, question)) for engine in ENGINES]
    able = {one.engine: one for one in reversed(said) if one.why_not is None}
    rest = {one.engine: one for one in said if one.engine not in able}
    return tuple(one for one in said if one is able.get(one.engine, rest.get(one.engine)))


def _why_not(engine: Engine, question: Question) -> str | None:
    """Return why an engine is not asked: its own reason, if it has one, else that it has no turn."""
    why = engine.why_not(question)
    return why if why is None else getattr(engine, "engine", engine).why_not(question) or why


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
