"""What the scores of sets are beside the best one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from altsel.results.feature_set import Proof

if TYPE_CHECKING:
    from altsel.results.solutions import Solutions

WITHOUT_ZERO = ("aic", "bic", "cp", "ebic")
"""Penalties of criteria whose 0 means nothing, and so does a share of them."""


def shares_of_best(found: Solutions) -> list[float]:
    """Scores as shares of the best one; none where that says nothing.

    So it is of a single set, of scores below 0, and of AIC, BIC and Cp, whose 0 means nothing.

    Examples
    --------
    >>> from altsel import Dice, Problem, Univariate, sequential
    >>> shares_of_best(sequential(Problem(Univariate([4, 3, 2, 1]), k=2), Dice(0.5), 1))
    [1.0, 0.8571428571428571]
    """
    scores = [one.score for one in found.sets]
    if len(scores) < 2 or min(scores) < 0 or max(scores) <= 0 or found.sets[0].proof is Proof.TESTED:
        return []
    return [score / max(scores) for score in scores] if share_means_something(found) else []


def share_means_something(found: Solutions) -> bool:
    """Return whether the 0 of the criterion means something: not that of AIC, BIC, EBIC and Cp."""
    criterion = found.request.get("criterion")
    return not (isinstance(criterion, dict) and criterion.get("penalty") in WITHOUT_ZERO)
