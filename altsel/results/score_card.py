"""A score card: integer points of a few features, and the risk of each total."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from altsel._types import FloatArray
from altsel.display.renderers import renderer
from altsel.errors import DataError, absence, of_kind
from altsel.results.base import Readable
from altsel.results.feature_set import Proof
from altsel.results.stop import Stop
from altsel.results.text import number_of


@dataclass(frozen=True)
class CardItem:
    """A line of a score card.

    Attributes
    ----------
    name
        What is looked at, such as ``"age >= 60"``.
    points
        What it adds to the total if it holds; of a column as it is, per unit.
    column
        The column of the table.
    at_least
        It holds where the column is at least so much; None: it is of another kind.
    level
        It holds where the column is this level, as text; None: it is of another kind.

    Examples
    --------
    >>> item = CardItem("age >= 60", 2, "age", at_least=60.0)
    >>> item.values(pd.DataFrame({"age": [59, 60, 71]}))
    array([0., 1., 1.])
    """

    name: str
    points: int
    column: str
    at_least: float | None = None
    level: str | None = None

    def values(self, table: pd.DataFrame) -> FloatArray:
        """Return 1 where it holds, else 0; the column itself if it is taken as it is; shape (rows,).

        Raises
        ------
        DataError
            If the table lacks the column, or a value is missing or no number.
        """
        if self.column not in table:
            raise DataError(f"no column {self.column!r}{absence(self.column, map(str, table.columns), {})}")
        column = table[self.column]
        if bool(column.isna().any()):
            raise DataError(f"{self.column!r} has missing values; fill them, or leave these rows out")
        if self.level is not None:
            return np.asarray(column.astype(str) == self.level, dtype=float)
        try:
            values = column.to_numpy(dtype=float)
        except (TypeError, ValueError):
            raise DataError(f"{self.column!r} must hold numbers") from None
        return values if self.at_least is None else np.asarray(values >= self.at_least, dtype=float)


@dataclass(frozen=True)
class TotalRisk:
    """A total that rows have.

    Attributes
    ----------
    total
        The sum of the points.
    risk
        Probability of the second class, by the card.
    rows
        Weight of the rows with this total, 1 each without weights.
    share
        Share of the second class among them.

    Examples
    --------
    >>> TotalRisk(3, 0.8, 10.0, 0.7).total
    3
    """

    total: int
    risk: float
    rows: float
    share: float


@dataclass(frozen=True)
class ScoreCard(Readable):
    """Integer points of a few features; their sum tells the risk.

    ``risk = 1 / (1 + exp(-(intercept + per_point * total)))``.

    Attributes
    ----------
    items
        Lines with points other than 0; none if no card is better than the share of the classes alone.
    intercept, per_point
        Log odds of a total of 0, and what a point adds.
    totals
        All totals of the rows, with risks and shares of the second class.
    loss, null
        The loss that was minimised, ridge included, and that of the constant alone.
    bound
        No card of the question has a smaller loss.
    proof
        ``OPTIMAL`` if bound and loss are the same to within 1e-9 of `null`, else ``FEASIBLE``.
    stop
        Why the search ended.
    target, classes
        Name of the target, and its two classes; risks are those of the second.
    candidates
        How many features there were to choose from: thresholds, levels and columns.
    question
        What was asked, in words.

    Examples
    --------
    >>> import altsel
    >>> data = altsel.Dataset({"a": [0, 0, 1, 1] * 9, "b": [0, 1] * 18}, [0, 0, 0, 1] * 9)
    >>> card = altsel.score_card(data, k=2)
    >>> [(item.name, item.points) for item in card.items], card.proof.value
    ([('a', 1), ('b', 1)], 'optimal')
    >>> card.total(data.X)[:4].tolist(), card.predict(data.X)[:4].tolist()
    ([0, 1, 1, 2], ['0', '0', '0', '1'])
    """

    items: tuple[CardItem, ...]
    intercept: float
    per_point: float
    totals: tuple[TotalRisk, ...]
    loss: float
    null: float
    bound: float
    proof: Proof
    stop: Stop
    target: str
    classes: tuple[str, str]
    candidates: int
    question: str
    _called: ClassVar[str] = "a score card"

    def __repr__(self) -> str:
        totals = number_of(len(self.totals), "total")
        return f"<ScoreCard: {number_of(len(self.items), 'feature')}, {totals}, {self.proof.value}>"

    def __str__(self) -> str:
        return str(renderer("text", self)(self))

    @property
    def gap(self) -> float:
        """How much smaller a loss might be, as a share of this one; 0 if the card is proved best."""
        return 0.0 if self.proof is Proof.OPTIMAL else max(self.loss - self.bound, 0.0) / self.loss

    @property
    def explained(self) -> float:
        """Share of the loss without features that the card explains."""
        return 1.0 - self.loss / self.null

    @property
    def columns(self) -> tuple[str, ...]:
        """Columns of the table that the card looks at, each once."""
        return tuple(dict.fromkeys(item.column for item in self.items))

    def total(self, X: Any) -> np.ndarray[Any, np.dtype[np.int64]]:
        """Add up the points of each row of a table with the columns of the card, shape (rows,).

        Raises
        ------
        DataError
            If a column is missing, or holds what it must not.
        """
        of_kind("X", X, pd.DataFrame, "a pandas DataFrame with the columns of the card")
        total = np.zeros(len(X))
        for item in self.items:
            total += item.points * item.values(X)
        return np.rint(total).astype(np.int64)

    def risk(self, X: Any) -> FloatArray:
        """Return the probability of the second class of each row, shape (rows,)."""
        return np.asarray(self.risk_of(self.total(X)))

    def risk_of(self, total: Any) -> Any:
        """Return the risk of totals."""
        u = self.intercept + self.per_point * np.asarray(total, dtype=float)
        return np.exp(-np.logaddexp(0.0, -u))

    def predict(self, X: Any) -> np.ndarray[Any, Any]:
        """Return the likelier class of each row, as text, shape (rows,)."""
        return np.asarray(np.array(self.classes)[(self.risk(X) >= 0.5).astype(int)])

    def to_frame(self) -> pd.DataFrame:
        """Return the lines of the card: name, points, column, at_least and level."""
        head = ["name", "points", "column", "at_least", "level"]
        return pd.DataFrame([[getattr(item, name) for name in head] for item in self.items], columns=head)

    def risks(self) -> pd.DataFrame:
        """Return the totals of the rows: total, risk, rows and share of the second class."""
        head = ["total", "risk", "rows", "share"]
        return pd.DataFrame([[getattr(one, name) for name in head] for one in self.totals], columns=head)
