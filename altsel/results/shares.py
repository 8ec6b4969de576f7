"""What the scores of sets are beside the best one."""

from __future__ import annotations

from collections.abc import Sequence

from altsel.results.feature_set import FeatureSet, Proof


def shares_of_best(sets: Sequence[FeatureSet]) -> list[float]:
    """Scores as shares of the best one; none where that says nothing: a single set, or scores below 0.

    Examples
    --------
    >>> from altsel import Dice, Problem, Univariate, sequential
    >>> shares_of_best(sequential(Problem(Univariate([4, 3, 2, 1]), k=2), Dice(0.5), 1).sets)
    [1.0, 0.8571428571428571]
    """
    scores = [one.score for one in sets]
    if len(scores) < 2 or min(scores) < 0 or max(scores) <= 0 or sets[0].proof is Proof.TESTED:
        return []
    return [score / max(scores) for score in scores]
