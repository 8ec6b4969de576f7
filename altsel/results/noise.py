"""The level of noise: what the best set of a criterion reaches where the target tells nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from altsel.results.text import number_of

if TYPE_CHECKING:
    from altsel.results.feature_set import FeatureSet


@dataclass(frozen=True)
class NoiseLevel:
    """The highest score of the best sets for permuted targets.

    A set that scores more has ``p <= 1 / (1 + targets)`` by permutation: .05 for 19.

    Attributes
    ----------
    score
        The highest of the scores; None if no permuted target has a set that keeps all conditions.
    targets
        Number of permuted targets.

    Examples
    --------
    >>> from altsel import Dice, Problem, Univariate, sequential
    >>> found = sequential(Problem(Univariate([3, 2, 1]), k=1), Dice(1), alternatives=2)
    >>> print(NoiseLevel(1.5, 19).about(found))
    noise reaches 1.5 (the best of 19 shuffled targets); set 2 is not above it
    """

    score: float | None
    targets: int

    def exceeded_by(self, score: float) -> bool:
        """Return whether a score is above the level."""
        return self.score is None or score > self.score

    def about(self, sets: Sequence[FeatureSet]) -> str:
        """Report which sets are above the level, in one sentence."""
        if self.score is None:
            return (
                f"none of {number_of(self.targets, 'shuffled target')} has such a set: noise reaches nothing"
            )
        level = f"noise reaches {self.score:.6g} (the best of {number_of(self.targets, 'shuffled target')})"
        below = [str(index) for index, one in enumerate(sets) if not self.exceeded_by(one.score)]
        if not below:
            return f"{level}; {'every set' if len(sets) > 1 else 'the set'} is above it"
        if len(below) == len(sets):
            return f"{level}; {'no set is' if len(sets) > 1 else 'the set is not'} above it"
        named = f"set {below[0]} is" if len(below) == 1 else f"sets {', '.join(below)} are"
        return f"{level}; {named} not above it"
