"""Which features can be in an optimum at all, when the objective is a sum of weights."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import nan
from typing import Any

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.models.black_box import BlackBox
from altsel.models.objective import Kind
from altsel.models.problem import Problem, formulate
from altsel.models.rule import impose
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


def mentioned(problem: Problem) -> set[str] | None:
    """Names of the features that domain constraints mention, fix or bound.

    None if a rule does more than add to the model: if it switches the size off or changes
    the quality, no feature may be left out.
    """
    if not problem.subject_to and not problem.across:
        return set()
    model = formulate(Problem(problem.objective, problem.k))
    block = model.sets[0]
    own = {id(row) for row in model.component_data_objects(pyo.Constraint)}
    quality = block.quality.expr
    impose(block, problem.subject_to)
    for joint in problem.across:
        joint(model, [block.x])
    if not block.cardinality.active or block.quality.expr is not quality or not model.total.active:
        return None
    name_of = {id(x): f for f, x in block.x.items()}
    found = {f for f, x in block.x.items() if x.fixed or x.lb != 0 or x.ub != 1 or not x.is_binary()}
    for row in model.component_data_objects(pyo.Constraint, active=True):
        if id(row) not in own:
            terms = expressions.identify_variables(row.body, include_fixed=True)
            found.update(name_of[id(v)] for v in terms if id(v) in name_of)
    return found


def rules_alone(problem: Problem) -> Any | None:
    """Build the model of one set with its size and the domain constraints, and no objective.

    A constraint on the quality then holds a variable besides ``x``. None if a rule does
    more than add to the model, or names components of the objective's own model.
    """
    unknown = BlackBox(lambda names: nan, problem.objective.features)
    plain = Problem(unknown, problem.k, problem.subject_to)
    try:
        return None if mentioned(plain) is None else formulate(plain)
    except AttributeError:
        return None


def rules_on_quality(problem: Problem) -> bool:
    """Return whether a domain constraint may name the quality, or more of the objective's model."""
    if not problem.subject_to:
        return False
    model = rules_alone(problem)
    if model is None:
        return True
    rows = model.component_data_objects(pyo.Constraint, active=True)
    return any(v is model.sets[0].unknown for row in rows for v in expressions.identify_variables(row.body))


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
