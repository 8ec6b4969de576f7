"""Several sets at once: so few features that no such sets exist, by counting alone."""

from __future__ import annotations

from math import comb, floor, inf
from typing import Any

import numpy as np

from altsel.exact.question import Question
from altsel.models.cliques import core
from altsel.models.dissimilarity import Dice, Jaccard, largest_overlap, share_of
from altsel.models.problem import Problem


def why_no_count(question: Question) -> str | None:
    """Return why counting does not show that there are no such sets; None if it does, whatever the criterion.

    With t features in all sets together, of n that can be in one, pairs of sets have at least as many in
    common as where every feature is in ``t / n`` of them, rounded: ``sum_j r_j (r_j - 1) / 2`` is least
    there. The dissimilarity allows ``sum over pairs`` of the largest overlap (Johnson 1962).
    """
    if (why := question.why_not_together()) is not None:
        return why
    if question.problem.across or (question.problem.subject_to and question.structure.rules is None):
        return "a rule is more than rows, and may be of the sizes too"
    return None if _too_few(question) else "there may be such sets"


def _too_few(question: Question) -> bool:
    """Return whether counting leaves no number of features that the sets could have together."""
    low, sets = question.problem.sizes[0], question.count
    n = usable(question)
    if n < low:
        return True
    if sets > most_apart(question.problem, question.distance):
        return True
    # Of the least number of memberships: more of them share more features each, but may not.
    often, more = divmod(sets * low, n)
    least = more * comb(often + 1, 2) + (n - more) * comb(often, 2)
    return least > _most_common(question, sets * low)


def most_apart(problem: Problem, diversity: Any) -> float:
    """Bound how many sets can differ as wanted, by their sizes alone (Johnson 1962).

    With sets of k features or more out of n, any two of which share at most o < k, o + 1 features are
    together in one of them at most: there are no more than ``C(n, o + 1) / C(k, o + 1)``, and by the sets
    that hold one feature, and so on, than ``floor(n / k floor((n - 1) / (k - 1) ...))``, o + 1 factors.

    Examples
    --------
    >>> from altsel import Dice, Problem, Univariate
    >>> most_apart(Problem(Univariate([1] * 7), k=3), Dice(0.6))
    7
    """
    n, (low, high) = len(problem.objective.features), problem.sizes
    if not isinstance(diversity, Dice | Jaccard):
        return inf
    shared = largest_overlap(diversity, high, high)
    if shared >= low:
        return inf
    most = 1
    for taken in range(shared, -1, -1):
        most = (n - taken) * most // (low - taken)
    return most


def _most_common(question: Question, together: int) -> int:
    """Return how many common features all pairs of sets may have, added up, at most."""
    (low, high), sets, share = question.problem.sizes, question.count, share_of(question.distance)
    assert share is not None
    if low == high:
        return comb(sets, 2) * min(low, floor(share * 2 * low))
    return floor(share * (sets - 1) * together)  # each set is in so many pairs


def usable(question: Question) -> int:
    """Count the features that a set of the smallest size may have, by conditions and single rows."""
    objective = question.problem.objective
    low = question.problem.sizes[0]
    able = np.ones(len(objective.features), dtype=bool)
    if objective.conditional and objective.conflict is not None:
        able &= core(objective.conflict, low)
    for row, _, most in question.structure.rows or []:
        if (row >= 0).all():
            able &= row <= most + 1e-9 * abs(most)
    return int(able.sum())
