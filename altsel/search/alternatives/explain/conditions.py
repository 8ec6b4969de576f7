"""Conditions on a set, or on several, and whether sets keep some of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from altsel.exact.auto_solver import SolverLike
from altsel.models.dissimilarity import Dice, Dissimilarity
from altsel.models.feasibility_only import FeasibilityOnly, conditions_only
from altsel.models.problem import Problem
from altsel.models.rule import title_of
from altsel.models.rules_alone import rules_on_quality
from altsel.models.soft_diversity import Average, Diversity, SoftDiversity
from altsel.results.solutions import Solutions
from altsel.results.stop import Stop
from altsel.search.alternatives.explain.conflict import Condition
from altsel.search.alternatives.sequential import sequential
from altsel.search.alternatives.simultaneous import simultaneous

MORE = 20
"""Features more than wanted, up to which sizes are tried one by one."""


def conditions_of_a_set(problem: Problem) -> list[Condition]:
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


def distances_from(diversity: Diversity, known: tuple[tuple[str, ...], ...]) -> list[Condition]:
    """List the distances from sets before."""
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


def all_differ(diversity: Diversity, count: int) -> Condition:
    """Return the condition that so many sets differ from each other."""
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
    size, *rest = conditions_of_a_set(problem)
    k = problem.k if size.name in names else (1, len(problem.objective.features))
    wanted = any(
        condition.name in names and condition.rule is None and condition.across is None for condition in rest
    )
    stated = replace(problem, k=k, subject_to=rules, across=joint)
    if rules_on_quality(stated):
        return stated
    return replace(stated, objective=conditions_only(problem.objective, wanted))


def another(
    problem: Problem, diversity: Diversity, solver: SolverLike, conditions: Sequence[Condition]
) -> bool | None:
    """Return whether there is a set that keeps some conditions."""
    known = [subset for condition in conditions for subset in condition.known]
    stated = _stated(problem, conditions)

    def exists(stated: Problem) -> bool | None:
        return _exists(sequential(stated, diversity, 1 if known else 0, solver, known))

    widest = problem.sizes[1] + MORE
    if stated.sizes[1] <= widest:
        return exists(stated)
    # With the size left out, sets that are not much larger are looked at first, as there mostly is one.
    if exists(replace(stated, k=(1, widest))):
        return True
    if not isinstance(stated.objective, FeasibilityOnly):
        return exists(stated)
    # Pairs of features are looked at for these only.
    rows = replace(stated, objective=conditions_only(problem.objective, wanted=False))
    return False if exists(rows) is False else None


def at_once(
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
