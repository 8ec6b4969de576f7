"""Residuals of variables given others, each computed once and shared by all tests that need them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.stats.independence.cache import Memory
from altsel.stats.independence.covariance.learners import Learner, Residuals, Smoother
from altsel.stats.independence.covariance.variables import Columns

NUMBERS = 1 << 25
"""Numbers of residuals that are remembered, about; 256 MB."""
MODELS = 64
"""Conditioning sets whose regressions are remembered."""
DETERMINED = 1e-6
"""A variable of which no more than this share of variance is left is determined by what is given."""

WHOLE = "all rows"


@dataclass(frozen=True, eq=False)
class Remembered:
    """Residuals by conditioning set, part of the rows and variable.

    Attributes
    ----------
    columns
        The variables.
    learner
        What makes regressions.
    parts
        Rows by the name of the part.
    """

    columns: Columns
    learner: Learner
    parts: dict[str, IntArray] = field(default_factory=dict)
    _smoothers: Memory[Smoother] = field(default_factory=lambda: Memory[Smoother](MODELS))
    _residuals: Memory[Residuals] = field(init=False)

    def __post_init__(self) -> None:
        most = max(NUMBERS // self.columns.rows, 64)
        object.__setattr__(self, "_residuals", Memory[Residuals](most))

    def forget(self) -> None:
        """Drop all."""
        self._smoothers.forget()
        self._residuals.forget()

    def rows(self, part: str = WHOLE) -> IntArray:
        """Return the rows of a part."""
        return np.arange(self.columns.rows) if part == WHOLE else self.parts[part]

    def smoother(self, known: Sequence[int], part: str = WHOLE) -> Smoother:
        """Return regressions on known variables in a part of the rows."""
        key = tuple(sorted(known))
        return self._smoothers(
            (part, key), lambda: self.learner.smoother(self.columns, list(key), self.rows(part))
        )

    def of(self, variables: Sequence[int], known: Sequence[int], part: str = WHOLE) -> list[Residuals]:
        """Return residuals of variables given others; those that are missing are regressed together."""
        key = (part, tuple(sorted(known)))
        found = {j: self._residuals.get((*key, j)) for j in variables}
        missing = [j for j, one in found.items() if one is None]
        if missing:
            rows = self.rows(part)
            blocks = [self.columns.response(j)[rows] for j in missing]
            together = self.smoother(known, part).residuals(np.hstack(blocks))
            ends = np.cumsum([block.shape[1] for block in blocks])
            for j, block, end in zip(missing, blocks, ends.tolist(), strict=True):
                own = without_rest(together.columns(slice(end - block.shape[1], end)), block)
                found[j] = self._residuals((*key, j), lambda own=own: own)  # type: ignore[misc]
        return [one for j in variables if (one := found[j]) is not None]


def without_rest(left: Residuals, responses: FloatArray) -> Residuals:
    """Set residuals to 0 of columns that are determined by what is given: they are of rounding or of bias."""
    share = (left.values**2).mean(axis=0) / np.maximum(responses.var(axis=0), 1e-300)
    return Residuals(np.where(share > DETERMINED, left.values, 0.0), left.kept)
