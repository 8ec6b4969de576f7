"""Which features can be in an optimum at all, when the objective is a sum of weights."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.models.objective import Kind
from altsel.models.problem import Problem
from altsel.models.rule_block import impose_across
from altsel.models.rules_alone import rules_alone
from altsel.pyomo_on_demand import expressions, pyo


def candidates(
    problem: Problem, known: Sequence[Collection[str]], count: int, touched: set[str] | None = None
) -> IntArray | None:
    """Find the indices of the features that suffice for an optimum; None if no reduction is known.

    Features that are in the same known sets, and in no domain constraint, differ by their
    weight only: exchanging one for a better one keeps every size, overlap and constraint.
    So of each such class only the `count` best can be needed. Features that a domain
    constraint mentions are all kept.

    Parameters
    ----------
    problem
        The problem; reduced only if its objective is a plain sum.
    known
        The sets to differ from.
    count
        Largest number of features of one class in a solution.
    touched
        What `mentioned` says of the problem, if it is known already.

    Returns
    -------
    array of int or None
        Sorted indices in ``problem.objective.features``.

    Examples
    --------
    >>> from altsel import Univariate
    >>> candidates(Problem(Univariate([1, 4, 3, 2]), k=2), [], 2).tolist()
    [1, 2]
    """
    objective = problem.objective
    if objective.kind is not Kind.SUM:
        return None
    touched = mentioned(problem) if touched is None else touched
    if touched is None:
        return None
    index = problem.index
    kept = {index[f] for f in touched}
    classes: dict[tuple[bool, ...], list[int]] = {}
    for f in set().union(*known) - touched:
        classes.setdefault(tuple(f in subset for subset in known), []).append(index[f])
    for members in classes.values():
        kept.update(sorted(members, key=lambda j: (-objective.weights[j], j))[:count])
    elsewhere = kept.union(*classes.values())
    kept.update(_best(objective.weights, elsewhere, count))
    return np.array(sorted(kept), dtype=np.int64)


def mentioned(problem: Problem, sets: int = 1) -> set[str] | None:
    """Names of the features that domain constraints mention, fix or bound, for so many sets.

    All of them if a rule names the quality, of which every feature is a part. None if a rule is evaluated on
    sets: what it looks at is not known.
    """
    names = _mentioned_across(problem, sets) if problem.across else set()
    if not problem.subject_to:
        return names
    alone = rules_alone(problem)
    if any(alone.evaluated):
        return None
    name_of = {id(x): f for f, x in alone.block.x.items()}
    for row in alone.rows:
        for v in expressions.identify_variables(row.body, include_fixed=True):
            if v is alone.block.unknown:
                return set(problem.objective.features)
            names.update([name_of[id(v)]] if id(v) in name_of else [])
    for given, _, _ in alone.given:
        names.update(problem.objective.features[j] for j in np.flatnonzero(given).tolist())
    return names


def _mentioned_across(problem: Problem, sets: int) -> set[str]:
    """Names of the features that rules across sets mention."""
    model = pyo.ConcreteModel()
    model.x = pyo.Var(range(sets), problem.objective.features, domain=pyo.Binary)
    name_of = {id(x): f for (_, f), x in model.x.items()}
    impose_across(model, problem.across, [{f: model.x[i, f] for f in problem.index} for i in range(sets)])
    rows = model.component_data_objects(pyo.Constraint, active=True, descend_into=True)
    found = (v for row in rows for v in expressions.identify_variables(row.body, include_fixed=True))
    return {name_of[id(v)] for v in found if id(v) in name_of}


def _best(weights: FloatArray, without: set[int], count: int) -> list[int]:
    """Find the indices of the largest weights outside some, ties: first index; linear in features."""
    number = min(len(weights), count + len(without))
    if number < len(weights):
        edge = np.partition(weights, len(weights) - number)[len(weights) - number]
        pool = np.flatnonzero(weights >= edge)
    else:
        pool = np.arange(len(weights))
    order = pool[np.lexsort((pool, -weights[pool]))]
    return [int(j) for j in order if int(j) not in without][:count]
