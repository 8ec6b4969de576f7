"""Why there is no set: a smallest set of conditions in conflict, and what would fix it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from altsel.errors import ArgumentError, flags, listing, of_kind
from altsel.exact.auto_solver import SolverLike
from altsel.exact.families.counts.too_few_features import most_apart
from altsel.exact.run import checked_question, log
from altsel.exact.verification.verified_solutions import plain_diversity, plain_rule
from altsel.models.dissimilarity import Dice, Dissimilarity
from altsel.models.feasibility_only import FeasibilityOnly, conditions_only
from altsel.models.predicate import Learned
from altsel.models.problem import Problem
from altsel.models.rule import title_of
from altsel.models.rules_alone import rules_on_quality
from altsel.models.soft_diversity import Average, Diversity, SoftDiversity
from altsel.results.explanation import Explanation, Repair
from altsel.results.solutions import Solutions
from altsel.results.stop import Stop
from altsel.runtime.clock import OutOfTimeError, limited
from altsel.runtime.progress import parts
from altsel.search.alternatives.explain.conflict import Condition, smallest_conflict
from altsel.search.alternatives.explain.repair import MOST_SOUGHT, fewer_alternatives, repairs
from altsel.search.alternatives.sequential import sequential
from altsel.search.alternatives.simultaneous import simultaneous

MORE = 20
"""Features more than wanted, up to which sizes are tried one by one."""


def explain(
    problem: Problem,
    dissimilarity: Diversity,
    alternatives: int,
    solver: SolverLike = None,
    found: Solutions | None = None,
    time_limit: float | None = None,
    *,
    together: bool = False,
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
    flags(together=together)
    of_kind("found", found, Solutions | None, "the Solutions of that search")
    _refuse_another_search(found, problem, dissimilarity)
    with limited(time_limit), parts():
        try:
            if together:
                return _explained_together(problem, dissimilarity, alternatives, solver)
            if found is None:
                found = sequential(problem, dissimilarity, alternatives, solver)
            if found.stop is not Stop.INFEASIBLE:
                return Explanation((), found.stop)
            return _explained(problem, dissimilarity, alternatives, solver, found)
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


def _explained(
    problem: Problem, dissimilarity: Diversity, alternatives: int, solver: SolverLike, found: Solutions
) -> Explanation:
    """Find the conflict and the repairs of a search that found no further set."""
    known = tuple(subset.features for subset in found)
    stated = problem.after(known)
    exists = partial(_another, stated, dissimilarity, solver)
    conditions = [*_of_a_set(stated), *_distances(dissimilarity, known)]
    conflict, irreducible, smallest = _smallest_of_parts(conditions, exists)
    log.info("%d conditions are in conflict; looking for repairs", len(conflict))

    def works(changed: Problem, diversity: Diversity, count: int) -> bool:
        if count > MOST_SOUGHT or count >= most_apart(changed, diversity):
            return False
        single = changed.after([])
        if _another(single, diversity, solver, _of_a_set(single)) is False:
            return False  # there is not even one set, whatever its quality
        return sequential(changed, diversity, count, solver).stop is Stop.COUNT

    kinds = _kinds(conflict, conditions)
    kinds = kinds | {"k"} if known else kinds - {"tau"}  # another k has other sets before
    offers = repairs(problem, dissimilarity, alternatives, works, kinds)
    offers += (Repair("alternatives", len(known) - 1),) if known else ()
    what = "no set" if not known else f"no set number {len(known) + 1} of {alternatives + 1}"
    return Explanation(_names(conflict), found.stop, what, irreducible, smallest, offers)


def _explained_together(
    problem: Problem, dissimilarity: Diversity, alternatives: int, solver: SolverLike
) -> Explanation:
    conditions = [*_of_a_set(problem), _all_differ(dissimilarity, alternatives + 1)]
    exists = partial(_at_once, problem, dissimilarity, alternatives, solver)
    any_sets = exists(conditions)
    if any_sets is not False:
        return Explanation((), Stop.COUNT if any_sets else Stop.LIMIT)
    conflict, irreducible, smallest = _smallest_of_parts(conditions, exists)

    def works(changed: Problem, diversity: Diversity, count: int) -> bool:
        if count >= most_apart(changed, diversity):
            return False
        wanted = [*_of_a_set(changed), _all_differ(diversity, count + 1)]
        return _at_once(changed, diversity, count, solver, wanted) is True

    most = fewer_alternatives(problem, dissimilarity, alternatives, works)
    kinds = _kinds(conflict, conditions) - (set() if most is not None else {"tau"})
    offers = repairs(problem, dissimilarity, alternatives, works, kinds)
    offers += () if most is None else (Repair("alternatives", most),)
    what = f"no {alternatives + 1} sets" if alternatives else "no set"
    return Explanation(_names(conflict), Stop.INFEASIBLE, what, irreducible, smallest, offers)


def _of_a_set(problem: Problem) -> list[Condition]:
    """List the conditions on a single set: rules last, so that they are left out first."""
    low, high = problem.sizes
    size = f"k = {low}" if low == high else f"k = {low} to {high}"
    own = [Condition(f"what {problem.objective.name} admits")] if problem.objective.conditional else []
    names: dict[str, int] = {}

    def label(rule: object) -> str:
        name = title_of(rule)
        names[name] = names.get(name, 0) + 1
        return name if names[name] == 1 else f"{name} ({names[name]})"

    rules = [Condition(label(rule), rule) for rule in problem.subject_to]
    joint = [Condition(label(rule), across=rule) for rule in problem.across]
    return [Condition(size), *own, *rules, *joint]


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


def _distances(diversity: Diversity, known: tuple[tuple[str, ...], ...]) -> list[Condition]:
    if not known:
        return []
    if isinstance(diversity, Average):
        return [Condition(f"the sets before differ by {_words(diversity.distance)} on average", known=known)]
    if isinstance(diversity, SoftDiversity):
        return [Condition("the set is none of those before", known=known)]
    return [
        Condition(f"differs from set {i} by {_words(diversity)}", known=(subset,))
        for i, subset in enumerate(known)
    ]


def _kinds(conflict: Sequence[Condition], conditions: Sequence[Condition]) -> set[str]:
    """Return which conditions can resolve a conflict: only members of it."""
    kinds = {"k"} if conditions[0] in conflict else set()
    return kinds | ({"tau"} if any(condition.known for condition in conflict) else set())


def _all_differ(diversity: Diversity, count: int) -> Condition:
    measure = diversity.distance if isinstance(diversity, SoftDiversity) else diversity
    mean = " on average" if isinstance(diversity, Average) else ""
    return Condition(f"the {count} sets differ by {_words(measure)}{mean}", known=((),))


def _words(measure: Dissimilarity) -> str:
    return f"{type(measure).__name__} of at least {measure.tau:g}"


def _stated(problem: Problem, conditions: Sequence[Condition]) -> Problem:
    """State the problem that some conditions make up."""
    rules = [condition.rule for condition in conditions if condition.rule is not None]
    joint = [condition.across for condition in conditions if condition.across is not None]
    names = {condition.name for condition in conditions}
    size, *rest = _of_a_set(problem)
    k = problem.k if size.name in names else (1, len(problem.objective.features))
    wanted = any(
        condition.name in names and condition.rule is None and condition.across is None for condition in rest
    )
    stated = replace(problem, k=k, subject_to=rules, across=joint)
    if rules_on_quality(stated):
        return stated
    return replace(stated, objective=conditions_only(problem.objective, wanted))


def _another(
    problem: Problem, diversity: Diversity, solver: SolverLike, conditions: Sequence[Condition]
) -> bool | None:
    """Return whether there is a set that keeps some conditions."""
    known = [subset for condition in conditions for subset in condition.known]
    stated = _stated(problem, conditions)

    def exists(stated: Problem) -> bool | None:
        return _exists(sequential(stated, diversity, 1 if known else 0, solver, known))

    widest = problem.sizes[1] + MORE
    if not isinstance(stated.objective, FeasibilityOnly) or stated.sizes[1] <= widest:
        return exists(stated)
    # With the size left out, pairs of features are looked at for sets that are not much larger only.
    if exists(replace(stated, objective=conditions_only(problem.objective, wanted=False))) is False:
        return False
    return True if exists(replace(stated, k=(1, widest))) else None


def _at_once(
    problem: Problem,
    diversity: Diversity,
    alternatives: int,
    solver: SolverLike,
    conditions: Sequence[Condition],
) -> bool | None:
    """Return whether there are sets that keep some conditions; each for itself, one set is enough."""
    stated = _stated(problem, conditions)
    if not any(condition.known for condition in conditions) and stated.across:
        diversity = Dice(0)
    elif not any(condition.known for condition in conditions):
        return _exists(sequential(stated, diversity, 0, solver))
    return _exists(simultaneous(stated, diversity, alternatives, "sum", solver))


def _exists(found: Solutions) -> bool | None:
    if found.sets:
        return True
    return False if found.stop is Stop.INFEASIBLE else None


def _names(conditions: Sequence[Condition]) -> tuple[str, ...]:
    return tuple(condition.name for condition in conditions)
