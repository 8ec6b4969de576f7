"""What the test wants of models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from altsel._types import IntArray
from altsel.stats.independence.predictive.table import Change, Response, Table


class Model(Protocol):
    """A fitted model."""

    def uses(self, variable: int) -> bool:
        """Return whether predictions may depend on a variable; if not, it is a model of the others, too."""

    def predict(self, table: Table, rows: IntArray, changes: Sequence[Change] = ()) -> Any:
        """Predict some rows as they are, then once for every copy of every change.

        Returns
        -------
        array
            Shape (1 + copies, rows) for numbers, (1 + copies, rows, classes) for classes.
        """


class Learner(Protocol):
    """What fits models."""

    @property
    def name(self) -> str:
        """The models in words."""

    def fit(self, table: Table, columns: Sequence[int], response: Response, rows: IntArray) -> Model:
        """Fit a model by some variables, on some rows."""
