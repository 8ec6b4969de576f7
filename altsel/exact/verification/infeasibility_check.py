"""A cheap test of the claim that there is no set: some sets are tried by the user's own definitions."""

from __future__ import annotations

import random
from collections.abc import Iterator

from altsel.errors import SolverError
from altsel.exact.question import Answer, Question
from altsel.exact.starts.nearest_valid import dissimilar_enough
from altsel.models.objective import is_own
from altsel.models.predicate import Predicate
from altsel.models.rule import title_of
from altsel.results.stop import Stop
from altsel.runtime.clock import OutOfTimeError, clock

TRIED = 200
"""Sets that are tried before the claim is believed."""


def refuse_false_infeasible(question: Question, found: Answer) -> Answer:
    """Refuse to say that there is no set where one keeps all conditions by the user's own definitions.

    Solvers know a dissimilarity of the user's own by ``share`` or ``rows``, and a predicate that is declared
    monotone by that.

    Raises
    ------
    SolverError
        Names the set, and what may be wrong.
    """
    causes = _own_words(question)
    if found.sets or found.outcome.stop is not Stop.INFEASIBLE or question.count > 1 or not causes:
        return found
    try:
        allowed = next((one for one in _draw_sets(question) if _keeps_all(question, one)), None)
    except OutOfTimeError:
        return found
    if allowed is None:
        return found
    raise SolverError(
        f"there was to be no set, and {allowed!r} keeps all conditions: {'; or '.join(causes)}; or the "
        "solver is wrong"
    )


def _own_words(question: Question) -> list[str]:
    """Return what is solved by a declaration of the user's, which may be wrong."""
    causes = [
        f"the rows or the share of {type(one).__name__} forbid what its __call__ allows; "
        "altsel.models.check_dissimilarity finds where"
        for one in question.own_measures[:1]
    ]
    monotone = [rule for rule in question.problem.subject_to if isinstance(rule, Predicate) and rule.monotone]
    causes += [f"rule {title_of(rule)!r} is not monotone={rule.monotone!r}" for rule in monotone[:1]]
    if is_own(question.problem.objective):
        causes.append(
            f"express of {question.problem.objective.name} adds conditions that is_feasible has not"
        )
    return causes


def _draw_sets(question: Question) -> Iterator[tuple[str, ...]]:
    """Draw sets: the same each time."""
    draw, problem = random.Random(0), question.problem
    features, (low, high) = list(problem.objective.features), problem.sizes
    for _ in range(TRIED):
        clock().check()
        yield problem.ordered(draw.sample(features, draw.randint(low, high)))


def _keeps_all(question: Question, names: tuple[str, ...]) -> bool:
    problem = question.problem
    differ = dissimilar_enough(question.diversity, list(question.pairs([names])))
    return differ and problem.objective.checked_feasible(problem.mask(names)) and question.keeps_all([names])
