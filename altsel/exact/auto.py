"""How ``"auto"`` chooses: one table of engines, the first that can answer does.

Each engine says in words why it cannot answer a question. One that gives up on the way, or leaves a gap, or
whose turn is over, leaves the rest to those after it, with the sets and the bound that it has found.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from math import inf

import numpy as np

from altsel.errors import AltselError, ArgumentError, SolverError
from altsel.exact.families.counts.engine import Counts
from altsel.exact.families.lists.engine import Lists
from altsel.exact.kinds_of_questions import (
    counted_sum,
    few_sets,
    free_poorest_sum,
    free_sum,
    no_nested_sum,
    no_plain_sum,
    no_sum,
    not_yet_listed,
    one_set,
    plain_sum,
    poorest_pairs,
    poorest_sum,
    ruled_sum,
    sum_under_conditions,
    too_few_features,
    unlisted_pairs,
)
from altsel.exact.partial_answers import better, is_settled, unproved
from altsel.exact.quality_floor import least_quality, settled, without_floor
from altsel.exact.question import Answer, Question, Structure
from altsel.exact.rules.evaluated_rules import EvaluatedRules
from altsel.exact.run import Run, log
from altsel.exact.shared_structures import NAME, keep, proved_before
from altsel.exact.sources.every_set.engine import AllSets, are_listed
from altsel.exact.sources.model.engine import Model
from altsel.exact.sources.quadratic.source import Quadratic
from altsel.exact.sources.table import SOURCES, OneSet, source_of
from altsel.exact.starts.warm_start import good_sets, proposed_sets
from altsel.exact.turns import Engine, Turn, ask
from altsel.exact.verification.infeasibility_check import refuse_false_infeasible
from altsel.exact.verification.neighbour_check import refuse_beaten
from altsel.models.dissimilarity import Dice
from altsel.models.objective import Kind
from altsel.results.stop import Stop
from altsel.runtime.clock import OutOfTimeError, grace
from altsel.solvers import Outcome

QUADRATIC, NESTED, ONE_LIST = OneSet(Quadratic()), Lists(nested=True), Lists()
ENGINES: tuple[Engine, ...] = (
    Turn(Counts(), inf, too_few_features),
    Turn(AllSets(), 0.15, few_sets),
    Turn(Counts(), 0.2, free_sum),
    Turn(Counts(), 0.1, free_poorest_sum),
    Turn(NESTED, 0.2, plain_sum),
    Turn(ONE_LIST, 0.15, no_nested_sum),
    Turn(Model(), 0.4, poorest_sum),
    Turn(AllSets(), 0.3, few_sets),
    Turn(NESTED, inf, sum_under_conditions),
    Turn(NESTED, inf, no_sum),
    Turn(ONE_LIST, 0.15, unlisted_pairs),
    Turn(AllSets(), 0.05, poorest_pairs),
    Turn(Model(), 0.4, poorest_pairs),
    Turn(Counts(), 0.3, ruled_sum),
    Turn(NESTED, inf, plain_sum),
    Turn(Counts(), inf, counted_sum),
    Turn(Counts(), 0.4, unlisted_pairs),
    Turn(QUADRATIC, 0.1, not_yet_listed),
    Turn(AllSets(), inf, are_listed),
    Turn(ONE_LIST, inf, no_plain_sum),
    Turn(Counts(), inf, sum_under_conditions),  # what lists leave of a sum under conditions
    *map(OneSet, SOURCES),
    Model(),  # everything but black boxes
    Turn(AllSets(), inf, one_set),  # what a model leaves open, where sets are few
)
"""Who is asked, in order; the CPU seconds of turns that measured best (``benchmarks.portfolio``)."""


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
    known = proved_before(question)
    if known is not None:
        run.engines[NAME] = None
        return known
    found = _proved(question, run)
    keep(question, found)
    return found


def _proved(question: Question, run: Run) -> Answer:
    """Answer a question that was not asked before."""
    if question.by_rows:
        return _stated(question, run)
    while True:
        before, rules = question.structure.withdrawn, question.structure.evaluated
        if rules is None or are_listed(question):
            found = _answered_by_rows(question, run)
        else:
            found = _evaluated(question, run, rules)
        if question.structure.withdrawn == before:
            return refuse_false_infeasible(question, refuse_beaten(question, found))
        question.structure.evaluate_again()  # a cut was wrong: better sets may keep the rules


def _stated(question: Question, run: Run) -> Answer:
    """Answer a question whose dissimilarity is stated by rows: from a list of all sets, or as a rule."""
    every = AllSets()
    if question.stated.diversity == Dice(0) and are_listed(question):
        run.engines[every.name] = None
        found = every.answer(question, run)
        if is_settled(found):
            return found
        run.incumbent = found.sets
        return better(question, run, answer(question.stated, run), found)
    return replace(answer(question.stated, run), following=list)


def _evaluated(question: Question, run: Run, rules: EvaluatedRules) -> Answer:
    """Answer a question with rules that are evaluated on sets: without them, with cuts for what breaks them.

    1. Answer the question by the rules that are rows, and the cuts known. 2. Evaluate the sets found. 3. If
    one breaks a rule, cut it off, with all that break it for the same reason, and begin again; else the sets
    are the best.
    """
    while True:
        narrowed = replace(question, structure=Structure(rules.narrowed()))
        found = _answered_by_rows(narrowed, run)
        broken = [one for one in found.sets if not rules.keeps(one)]
        if not broken:
            return replace(found, following=list)  # those are not evaluated
        for one in broken:
            rules.cut(one)
        for other in question.structure.breaking():
            if not any(cut.removes(other) for cut in rules.cuts):
                rules.cut(other)
        log.info("%d sets cut off that break a rule", len(rules.cuts))
        if found.outcome.stop is not Stop.EXHAUSTED:
            return Answer([], Outcome.unfinished(found.outcome.stop, None, found.outcome.bound))


def _answered_by_rows(question: Question, run: Run) -> Answer:
    """Answer a question by the table, if it can be without a rule on the least quality."""
    least = least_quality(question)
    if least is not None:
        found = settled(question, least, _answered(without_floor(question), run))
        if found is not None:
            return replace(found, following=list)  # those may be below the floor
    return _answered(question, run)


def _answered(question: Question, run: Run) -> Answer:
    """Answer a question by the table."""
    run.incumbent = proposed_sets(question, run.start) if run.start else []
    best = unproved(question, run.incumbent, Stop.LIMIT) if run.incumbent else None
    best, refused = ask(ENGINES, question, run, best)
    if best is not None and (best.sets or refused is None):
        return best
    raise refused or _refusal(question)


def at_hand(question: Question, run: Run) -> Answer:
    """Return the best sets met, or made in no time, where the clock has ended the search."""
    question = question.stated
    sets = run.incumbent if len(run.incumbent) == question.count else []
    plain = question.soft is None and not question.problem.across
    if not sets:
        with grace(), suppress(OutOfTimeError):
            sets = proposed_sets(question, run.start) if run.start else []
            if not sets and plain and question.kind is not Kind.BLACK_BOX:
                sets = good_sets(question, np.arange(len(question.problem.index)))
    with grace(), suppress(OutOfTimeError):  # rules may take long to evaluate
        if sets and question.keeps_all(sets):
            return unproved(question, sets, run.stop)
    return Answer([], Outcome.unfinished(run.stop))


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
