"""Criteria of joint information, of interactions, and of a quotient."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from altsel._types import FloatArray
from altsel.search.ranking.greedy import Known

LEAST_REDUNDANCY = 1e-3
"""What a smaller mean redundancy counts for where relevance is divided by it."""


@dataclass
class JointMinimum:
    """``min_i I(X, F_i; C)``, or that as a share of ``H(X, F_i, C)``.

    Parameters
    ----------
    normalised
        Whether it is a share.
    """

    normalised: bool = False
    _known: Known | None = field(default=None, repr=False)
    _least: FloatArray = field(default_factory=lambda: np.empty(0), repr=False)
    _seen: int = 0

    def __call__(self, known: Known) -> FloatArray:
        """Score every feature."""
        if not known.selected:
            return known.relevance
        if known is not self._known:
            self._known, self._seen, self._least = known, 0, np.full(len(known.relevance), np.inf)
        for index in known.selected[self._seen :]:
            both = joint_with(known, index)
            if self.normalised:
                both = shares_of(both, known.joint_with(index))
            self._least = np.minimum(self._least, both)
        self._seen = len(known.selected)
        return self._least


def joint_with(known: Known, index: int) -> FloatArray:
    """``I(X, F; C)`` of one feature F."""
    given = known.conditional_with(index)  # they give I(X; F), too
    return np.asarray(known.relevance[index] + known.relevance - known.redundancy_with(index) + given)


def shares_of(both: FloatArray, entropy: FloatArray) -> FloatArray:
    """Return informations as shares of joint entropies; of none 0."""
    return np.asarray(np.divide(both, entropy, out=np.zeros_like(both), where=entropy > 0))


def symmetrical_relevance(known: Known) -> FloatArray:
    """``sum_i I(X, F_i; C) / H(X, F_i, C)``."""
    return known.total(_symmetrical_relevance_with) if known.selected else known.relevance


def _symmetrical_relevance_with(known: Known, index: int) -> FloatArray:
    return shares_of(joint_with(known, index), known.joint_with(index))


def capped_interaction(known: Known) -> FloatArray:
    """``I(X; C) - sum_i max(0, I(X; F_i) - I(X; F_i | C))``."""
    return known.relevance - known.total(_interaction_with)


def _interaction_with(known: Known, index: int) -> FloatArray:
    given = known.conditional_with(index)
    return np.asarray(np.maximum(known.redundancy_with(index) - given, 0.0))


def relevance_by_redundancy(known: Known) -> FloatArray:
    """``I(X; C) / (1/j sum_i I(X; F_i))``."""
    if not known.selected:
        return known.relevance
    mean = known.total(Known.redundancy_with) / len(known.selected)
    return np.asarray(known.relevance / np.maximum(mean, LEAST_REDUNDANCY))
