"""How well models predict by one feature set."""

from __future__ import annotations

from dataclasses import dataclass

from altsel.results.estimate import Estimate


@dataclass(frozen=True)
class SetPerformance:
    """How well models predict by one set.

    Attributes
    ----------
    features
        The set.
    score
        Mean score over the folds, of this set in each.
    difference
        What it scores more than set 0 on the same folds; None for set 0.
    nested
        Mean score over the folds of the set with the same number that the search finds in the rows to learn
        from; None if the search was not repeated, or found no such set in any fold.
    p_null
        Share of the searches of permuted targets, this one counted in, whose best set scores at least as
        well; None without permutations.
    nested_folds
        Numbers of the folds in which the search finds such a set.

    Examples
    --------
    >>> import numpy as np
    >>> from altsel import Dataset, performance
    >>> a, b, c = np.random.default_rng(0).normal(size=(3, 60))
    >>> result = performance([["a", "b"], ["a", "c"]], Dataset({"a": a, "b": b, "c": c}, a + b))
    >>> result.sets[1].features, result.sets[1].difference.value < 0
    (('a', 'c'), True)
    """

    features: tuple[str, ...]
    score: Estimate
    difference: Estimate | None = None
    nested: Estimate | None = None
    p_null: float | None = None
    nested_folds: tuple[int, ...] = ()

    @property
    def bias(self) -> float | None:
        """What the score gains by the search having seen the rows that are judged: score less nested.

        Both are those of the folds in which the search finds a set of this number.
        """
        if self.nested is None:
            return None
        same = [self.score.parts[fold] for fold in self.nested_folds] or [self.score.value]
        return sum(same) / len(same) - self.nested.value

    @property
    def searched_again(self) -> str:
        """In how many folds the search finds such a set, in words; nothing if in all."""
        found, folds = len(self.nested_folds), len(self.score.parts)
        return "" if self.nested is None or found in {0, folds} else f" ({found} of {folds} folds)"
