"""What the rows of one part lose when a feature is replaced."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from altsel._types import FloatArray
from altsel.errors import ArgumentError, listing
from altsel.stats.independence.predictive.knockoffs import Knockoff
from altsel.stats.independence.predictive.losses import Loss
from altsel.stats.independence.predictive.models import Learner, Model
from altsel.stats.independence.predictive.parts import Part
from altsel.stats.independence.predictive.table import Change, Response, Table

NOISE = 1e-9
"""Losses that differ by no more than this share of their size differ by rounding only."""
CELLS = 1 << 21
"""Numbers in a stack of rows that are predicted at once."""


@dataclass(frozen=True, eq=False)
class Trial:
    """A target, and how its models are fitted, disturbed and judged.

    Attributes
    ----------
    table
        All variables.
    response
        The target.
    parts
        The divisions of the rows.
    learner, knockoff, loss
        How models are fitted, features replaced and predictions judged.
    """

    table: Table
    response: Response
    parts: tuple[Part, ...]
    learner: Learner
    knockoff: Knockoff
    loss: Loss

    def fitted(self, number: int, columns: Sequence[int]) -> Model:
        """Fit the model of one part.

        Raises
        ------
        ArgumentError
            If that fails; it names the part.
        """
        try:
            return self.learner.fit(self.table, columns, self.response, self.parts[number].train)
        except ArgumentError as fault:
            raise self._located(fault, number, columns) from fault

    def increases(
        self, number: int, model: Model, columns: Sequence[int], replaced: Sequence[int]
    ) -> FloatArray:
        """Return how much more each test row loses, on average, when a feature is replaced.

        Returns
        -------
        array
            Shape (replaced features, test rows); exactly 0 where that is rounding only.
        """
        part = self.parts[number]
        truth = self.response.values[part.test]
        rows = []
        try:
            for some in self._batches(part, columns, replaced):
                changes = [self._change(part, columns, variable) for variable in some]
                predicted = self._without_rounding(model.predict(self.table, part.test, changes), truth)
                losses = np.stack([self.loss(truth, copy) for copy in predicted])
                changed = losses[1:].reshape(len(some), -1, len(truth)).mean(axis=1)
                rows.append(_without_noise(changed, losses[0]))
        except ArgumentError as fault:
            raise self._located(fault, number, columns) from fault
        return np.concatenate(rows)

    def _without_rounding(self, predicted: Any, truth: Any) -> Any:
        """Return copies whose numbers differ from those of the rows themselves by rounding the latter."""
        if self.response.classes or truth.dtype.names:
            return predicted
        size = np.abs(self.response.values - self.response.values.mean()).max()
        same = np.abs(predicted - predicted[0]).max(axis=1) <= NOISE * size
        return np.where(same[:, None], predicted[0], predicted)

    def _change(self, part: Part, columns: Sequence[int], variable: int) -> Change:
        given = [other for other in columns if other != variable]
        return variable, self.knockoff.draws(self.table, part, variable, given)

    def _batches(
        self, part: Part, columns: Sequence[int], replaced: Sequence[int]
    ) -> Iterator[Sequence[int]]:
        size = max(1, CELLS // (part.shuffles.size * len(columns)))
        return (replaced[first : first + size] for first in range(0, len(replaced), size))

    def _located(self, fault: ArgumentError, number: int, columns: Sequence[int]) -> ArgumentError:
        names = listing(self.table.frame.columns[list(columns)])
        return ArgumentError(f"part {number + 1} of {len(self.parts)}, model of {names}: {fault}")


def _without_noise(changed: FloatArray, before: FloatArray) -> Any:
    increase = changed - before
    size = np.abs(before).mean() + np.abs(changed).mean(axis=1, keepdims=True)
    return np.where(np.abs(increase).max(axis=1, keepdims=True) <= NOISE * size, 0.0, increase)
