"""Why there is no set: a smallest set of conditions in conflict, and what would fix it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from altsel.errors import ArgumentError, flags, listing, of_kind
from altsel.exact.auto_solver import SolverLike
from altsel.exact.families.counts.too_few_features import most_apart
from altsel.exact.run import checked_question, log
from altsel.exact.verification.verified_solutions import plain_diversity, plain_rule
from altsel.models.predicate import Learned
from altsel.models.problem import Problem
from altsel.models.soft_diversity import Diversity
from altsel.results.explanation import Explanation, Repair
from altsel.results.solutions import Solutions
from altsel.results.stop import Stop
from altsel.runtime.clock import OutOfTimeError, limited
from altsel.runtime.progress import parts
from altsel.search.alternatives.explain.conditions import (
    all_differ,
    another,
    at_once,
    conditions_of_a_set,
    distances_from,
)
from altsel.search.alternatives.explain.conflict import Condition, smallest_conflict
from altsel.search.alternatives.explain.repair import MOST_SOUGHT, fewer_alternatives
from altsel.search.alternatives.explain.repair import repairs as repairs_of
from altsel.search.alternatives.sequential import sequential


def explain(  # noqa: PLR0913  (the search's arguments, and two of its own)
    problem: Problem,
    dissimilarity: Diversity,
    alternatives: int,
    solver: SolverLike = None,
    found: Solutions | None = None,
    time_limit: float | None = None,
    *,
    together: bool = False,
    repairs: bool = True,
) -> Explanation:
    """Explain why a sequential search finds no further set, and what would fix it.

    The conditions (the size, every domain constraint, the criterion's own conditions, the distance from
    every set before) are left out one after another, each for good if no set exists without it: what
    is left cannot hold together, and no part of it can be left out. Smaller conflicts are then
    looked for. Repairs are found by further searches.

    Parameters
    ----------
    problem, dissimilarity, alternatives, solver
        As in `sequential`.
    found
        What that search found, if it is at hand.
    time_limit
        Seconds for the whole call; what is not settled by then is not claimed.
    together
        Whether the sets are found at once: then it is said why there are not so many.
    repairs
        Whether it is looked for what would fix it, which may take longer than the conflict.

    Returns
    -------
    Explanation
        The conflict, empty if there is none, and the nearest repairs. ``str()`` tells them in words.

    Raises
    ------
    ArgumentError, ConfigurationError, SolverError
        If an argument, the solver's profile or the model is wrong.

    Examples
    --------
    >>> from altsel import Dice, Problem, Univariate, domain, explain
    >>> rules = [domain.require("x0"), domain.forbid("x3"), domain.mutually_exclusive(["x0", "x1"])]
    >>> print(explain(Problem(Univariate([3, 2, 1, 1]), k=3, subject_to=rules), Dice(0.5), alternatives=0))
    There is no set: these conditions cannot hold together:
    - k = 3
    - forbid 'x3'
    - at most one of 'x0', 'x1'
    Each of them is needed for the conflict.
    Feasible if k = 2.
    >>> print(explain(Problem(Univariate([3, 2, 1, 1]), k=2), Dice(1), alternatives=2, together=True))
    There are no 3 sets: these conditions cannot hold together:
    - k = 2
    - the 3 sets differ by Dice of at least 1
    Each of them is needed for the conflict.
    Feasible if tau <= 0.5, k = 1 or alternatives <= 1.
    """
    checked_question(problem, dissimilarity)
    flags(together=together, repairs=repairs)
    of_kind("found", found, Solutions | None, "the Solutions of that search")
    _refuse_another_search(found, problem, dissimilarity)
    with limited(time_limit), parts():
        try:
            if together:
                return _explained_together(problem, dissimilarity, alternatives, solver, repairs)
            if found is None:
                found = sequential(problem, dissimilarity, alternatives, solver)
            if found.stop is not Stop.INFEASIBLE:
                return Explanation((), found.stop)
            why = _conflict(problem, dissimilarity, solver, found, alternatives)
            return _with_repairs(why, problem, dissimilarity, alternatives, solver) if repairs else why.told
        except OutOfTimeError:
            return Explanation((), Stop.TIME)


def _refuse_another_search(found: Solutions | None, problem: Problem, diversity: Diversity) -> None:
    """Refuse what a search for other sets found, as far as it says what was requested."""
    stated = {} if found is None else found.request
    asked = {
        "k": list(problem.sizes),
        "diversity": plain_diversity(diversity),
        "rules": [plain_rule(rule) for rule in problem.subject_to],
        "across": [plain_rule(rule) for rule in problem.across],
        "data": getattr(problem.objective, "fingerprint", None),
    }
    other = [key for key, value in asked.items() if value is not None and stated.get(key, value) != value]
    if other:
        raise ArgumentError(f"found is of another search (other {listing(other)}): give what this one found")


@dataclass(frozen=True)
class _Conflict:
    """What cannot hold together, among which conditions, and after which sets."""

    told: Explanation
    members: list[Condition]
    conditions: list[Condition]
    known: tuple[tuple[str, ...], ...]


def _conflict(
    problem: Problem, dissimilarity: Diversity, solver: SolverLike, found: Solutions, alternatives: int
) -> _Conflict:
    """Find the conflict of a search that found no further set."""
    known = tuple(subset.features for subset in found)
    stated = problem.after(known)
    exists = partial(another, stated, dissimilarity, solver)
    conditions = [*conditions_of_a_set(stated), *distances_from(dissimilarity, known)]
    members, irreducible, smallest = _smallest_of_parts(conditions, exists)
    what = "no set" if not known else f"no set number {len(known) + 1} of {alternatives + 1}"
    told = Explanation(_names(members), found.stop, what, irreducible, smallest, (), False)
    return _Conflict(told, members, conditions, known)


def _with_repairs(
    why: _Conflict, problem: Problem, dissimilarity: Diversity, alternatives: int, solver: SolverLike
) -> Explanation:
    """Look for what would fix it."""
    log.info("%d conditions are in conflict; looking for repairs", len(why.members))

    def works(changed: Problem, diversity: Diversity, count: int) -> bool:
        if count > MOST_SOUGHT or count >= most_apart(changed, diversity):
            return False
        single = changed.after([])
        if another(single, diversity, solver, conditions_of_a_set(single)) is False:
            return False  # there is not even one set, whatever its quality
        return sequential(changed, diversity, count, solver).stop is Stop.COUNT

    kinds = _kinds(why.members, why.conditions)
    kinds = kinds | {"k"} if why.known else kinds - {"tau"}  # another k has other sets before
    offers = repairs_of(problem, dissimilarity, alternatives, works, kinds)
    offers += (Repair("alternatives", len(why.known) - 1),) if why.known else ()
    return replace(why.told, repairs=offers, sought=True)


def _explained_together(
    problem: Problem, dissimilarity: Diversity, alternatives: int, solver: SolverLike, repairs: bool
) -> Explanation:
    conditions = [*conditions_of_a_set(problem), all_differ(dissimilarity, alternatives + 1)]
    exists = partial(at_once, problem, dissimilarity, alternatives, solver)
    any_sets = exists(conditions)
    if any_sets is not False:
        return Explanation((), Stop.COUNT if any_sets else Stop.LIMIT)
    conflict, irreducible, smallest = _smallest_of_parts(conditions, exists)
    what = f"no {alternatives + 1} sets" if alternatives else "no set"
    told = Explanation(_names(conflict), Stop.INFEASIBLE, what, irreducible, smallest, (), False)
    if not repairs:
        return told

    def works(changed: Problem, diversity: Diversity, count: int) -> bool:
        if count >= most_apart(changed, diversity):
            return False
        wanted = [*conditions_of_a_set(changed), all_differ(diversity, count + 1)]
        return at_once(changed, diversity, count, solver, wanted) is True

    most = fewer_alternatives(problem, dissimilarity, alternatives, works)
    kinds = _kinds(conflict, conditions) - (set() if most is not None else {"tau"})
    offers = repairs_of(problem, dissimilarity, alternatives, works, kinds)
    offers += () if most is None else (Repair("alternatives", most),)
    return replace(told, repairs=offers, sought=True)


def _smallest_of_parts(
    conditions: list[Condition], exists: Callable[[Sequence[Condition]], bool | None]
) -> tuple[list[Condition], bool, bool]:
    """Find a smallest conflict, where a rule on blankets in it is told by what it has learned until then."""
    found = smallest_conflict(conditions, exists)
    if not any(isinstance(one.rule, Learned) for one in found[0]):
        return found
    apart: list[Condition] = []
    for one in conditions:
        told = one.rule.parts() if isinstance(one.rule, Learned) else ()
        apart += [Condition(name, rule) for name, rule in told] or [one]
    return smallest_conflict(apart, exists) if exists(apart) is False else found


def _kinds(conflict: Sequence[Condition], conditions: Sequence[Condition]) -> set[str]:
    """Return which conditions can resolve a conflict: only members of it."""
    kinds = {"k"} if conditions[0] in conflict else set()
    return kinds | ({"tau"} if any(condition.known for condition in conflict) else set())


def _names(conditions: Sequence[Condition]) -> tuple[str, ...]:
    return tuple(condition.name for condition in conditions)
