"""The best score card: at most k features, integer points, and the scale that fits them best."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import expit

from altsel._types import FloatArray
from altsel.data.columns import level_numbers
from altsel.data.dataset import Dataset, checked_dataset, of_columns
from altsel.errors import ArgumentError, DataError, checked_integer, list_of_names
from altsel.exact.rules.limits import limits_of
from altsel.exact.sources.generalised.card_tree import CardTree
from altsel.exact.sources.generalised.integer_points import Card, Table
from altsel.exact.sources.generalised.source import CLOSE
from altsel.models.model_fit import ModelFit
from altsel.results.feature_set import Proof
from altsel.results.score_card import CardItem, ScoreCard, TotalRisk
from altsel.results.stop import Stop
from altsel.runtime.clock import limited
from altsel.search.score_cards.candidates import Thresholds, candidates
from altsel.search.score_cards.card_rules import CardRules, checked_cards
from altsel.stats.standardised import row_weights

MOST_POINTS = 100
"""Largest points: each is tried."""
NEWTON = 8
"""Steps of the last fit of a card, which begins at five digits."""


def score_card(  # noqa: PLR0913 (options)
    data: Dataset,
    k: int = 5,
    points: int = 5,
    *,
    thresholds: Thresholds = 4,
    as_is: Collection[str] = (),
    require: Collection[str] = (),
    forbid: Collection[str] = (),
    signs: Mapping[str, int] | None = None,
    per_column: int | None = None,
    different_from: Sequence[ScoreCard] = (),
    shared: int = 0,
    ridge: float = 1.0,
    weights: Any = None,
    time_limit: float | None = None,
) -> ScoreCard:
    """Find the score card of the smallest logistic loss, with a proof.

    ``min L(c + m X v) + ridge/2 sum_j (m sd_j v_j)^2`` over integers ``-points <= v_j <= points``, at most k
    of them other than 0, and all real c and ``m >= 0``; L is minus the log-likelihood of two classes, sd_j
    the standard deviation of a candidate. The scale m and the constant c are free: no grid of scales is
    searched, and the proof is over all of them. Branch and bound on sets by the models of free coefficients
    (`altsel.ModelFit`), and within a set on the points, one after another.

    Parameters
    ----------
    data
        Columns of any kind, and a target of two classes.
    k
        Most features of the card.
    points
        Largest size of the points.
    thresholds
        How many thresholds ``x >= cut`` a column of numbers gives, at its quantiles; or cuts by name of the
        column, the others at four quantiles. Categories give one candidate for each level.
    as_is
        Columns of integers whose points are per unit.
    require, forbid
        Columns, or single candidates such as ``"age >= 60"``, of which the card has one at least, or none.
    signs
        1 or -1 by column or candidate: the sign of its points. A column with sign 1 raises the risk.
    per_column
        Most candidates of one column; None: any number.
    different_from
        Cards; at most `shared` features of this one are of columns of each of them.
    shared
        See `different_from`.
    ridge
        Above 0: of standardised coefficients, as in `altsel.ModelFit`. It keeps the scale finite where
        features separate the classes.
    weights
        One a row, at least 0, or the name of their column: as often as a row counts.
    time_limit
        Seconds; then the best card found is returned, with a bound.

    Returns
    -------
    ScoreCard
        Of no features, if no card is better than the share of the classes.

    Raises
    ------
    ArgumentError, DataError
        If an argument is none of these, the target has not two classes, or no card keeps the rules.

    References
    ----------
    B. Ustun and C. Rudin, Learning optimized risk scores, Journal of Machine Learning Research 20 (2019); J.
    Liu, C. Zhong, B. Li, M. Seltzer and C. Rudin, FasterRisk, NeurIPS 2022.

    Examples
    --------
    >>> import altsel
    >>> card = score_card(altsel.Dataset(altsel.example("heart"), "disease"), k=3, signs={"age": 1})
    >>> [(item.name, item.points) for item in card.items], card.proof.value
    ([('chest_pain = none', 1), ('vessels >= 1', 1), ('thallium_scan = normal', -1)], 'optimal')
    """
    checked_dataset("score_card", data)
    rules = CardRules(
        checked_integer("k", k, 1),
        checked_integer("points", points, 1),
        list_of_names("require", require),
        list_of_names("forbid", forbid),
        {} if signs is None else signs,
        None if per_column is None else checked_integer("per_column", per_column, 1),
        checked_cards(different_from),
        checked_integer("shared", shared, 0),
    )
    if points > MOST_POINTS:
        raise ArgumentError(f"points={points}; use at most {MOST_POINTS}")
    if len(data.classes) != 2:
        raise DataError(f"a score card takes a target of two classes, which {data.target!r} has not")
    names = [name for name in data.features if not (isinstance(weights, str) and name == weights)]
    held = row_weights(weights, data)
    question = _Question(data, candidates(data, names, thresholds, as_is, held > 0), held, ridge)
    with limited(time_limit):
        return _searched(question, rules)


@dataclass(frozen=True, eq=False)
class _Question:
    """The candidates as columns."""

    data: Dataset
    items: Sequence[CardItem]
    weights: FloatArray
    ridge: float

    @cached_property
    def values(self) -> FloatArray:
        """Of each candidate in the rows of positive weight, shape (candidates, rows)."""
        return np.array([item.values(self.data.X) for item in self.items])[:, self.weights > 0]

    @cached_property
    def held(self) -> FloatArray:
        """The positive weights."""
        return self.weights[self.weights > 0]

    @cached_property
    def mean(self) -> FloatArray:
        """Weighted means of the candidates."""
        return np.asarray(self.values @ self.held / self.held.sum())

    @cached_property
    def fit(self) -> ModelFit:
        """The models of free coefficients."""
        table = pd.DataFrame({item.name: item.values(self.data.X) for item in self.items})
        target = pd.Series(self.data.target_values().astype(np.int64), name=self.data.target)
        return ModelFit(of_columns(table, target, "binary", {}), ridge=self.ridge, weights=self.weights)

    @cached_property
    def nothing(self) -> Card:
        """The card without features."""
        model, none = self.fit.model_fit.model, np.zeros(0, dtype=np.int64)
        return Card(none, none, model.null, 0.0, float(model.nothing[0][0, 0]))

    @cached_property
    def table(self) -> Table:
        """The candidates, for the search of points."""
        spread = np.sqrt(((self.values - self.mean[:, None]) ** 2) @ self.held / self.held.sum())
        codes = np.array([level_numbers(row) for row in self.values])
        return Table(self.fit.model_fit.model, codes, spread)


def _searched(question: _Question, rules: CardRules) -> ScoreCard:
    """Search the cards of each size.

    1. Greedy sets of all sizes, the largest first, whose cards are mostly the better ones; 2. all sets of
    each size, the smallest first, which end soonest.
    """
    items, models = question.items, question.fit.model_fit
    points, limits = rules.point_rules(items), limits_of(rules.rows(items), len(items))
    close, null = CLOSE * models.model.null, models.model.null
    sizes = rules.sizes(items)

    def tree(size: int) -> CardTree:
        found = CardTree(models, size, limits, close, table=question.table, rules=points)
        found.card, found.cost = (best, best.loss) if best is not None else (None, null)
        return found

    best: Card | None = None
    bound, stop = inf, Stop.EXHAUSTED
    for size in reversed(sizes):
        first = tree(size)
        first.start()
        best = first.card
    for size in sizes:
        whole = tree(size)
        ended, open_cost = whole.search()
        best = whole.card
        if ended is not Stop.EXHAUSTED:
            bound, stop = min(bound, open_cost), ended
    if best is None and rules.require:
        late = stop is not Stop.EXHAUSTED
        raise ArgumentError(
            "no card that keeps the rules "
            + ("was found in time; allow more time_limit" if late else "is better than none")
        )
    return _made(question, rules, best or question.nothing, (min(bound, best.loss if best else null), stop))


def _refitted(question: _Question, card: Card) -> Card:
    """Fit constant and scale of a card anew: the last digits do not tell which loops have found it.

    Newton steps from the first digits of what was found.
    """
    if not len(card.members):
        return card
    model = question.fit.model_fit.model
    family: Any = model.family
    y, w = family.response, family.weights
    sums = card.points @ (question.values[card.members] - question.mean[card.members, None])
    columns = np.vstack([np.ones(len(sums)), sums])
    squares = (card.points * question.table.spread[card.members]) ** 2
    ridge = np.diag([0.0, model.ridge * float(squares.sum())])
    b = np.array([float(f"{value:.5g}") for value in (card.constant, card.per_point)])
    for _ in range(NEWTON):
        p = expit(b @ columns)
        bend = (columns * (w * p * (1 - p))) @ columns.T + ridge
        b = b - np.linalg.solve(bend, columns @ (w * (p - y)) + ridge @ b)
    u = b @ columns
    loss = float(w @ (np.logaddexp(0.0, u) - y * u) + b @ ridge @ b / 2)
    if not abs(loss - card.loss) <= CLOSE * model.null:  # of steps that went astray
        return card
    return replace(card, constant=float(b[0]), per_point=float(b[1]), loss=loss)


def _made(question: _Question, rules: CardRules, card: Card, ended: tuple[float, Stop]) -> ScoreCard:
    """Write the card that was found."""
    bound, stop = ended
    null, before = question.fit.model_fit.model.null, card.loss
    card = _refitted(question, card)
    bound = card.loss if bound >= before else bound
    items = [
        replace(question.items[j], points=int(v)) for j, v in zip(card.members, card.points, strict=True)
    ]
    intercept = card.constant - card.per_point * float(card.points @ question.mean[card.members])
    total = np.rint(card.points @ question.values[card.members]).astype(np.int64)
    target, held = question.data.target_values()[question.weights > 0], question.held
    made = ScoreCard(
        tuple(sorted(items, key=lambda item: -item.points)),
        intercept,
        card.per_point,
        (),
        card.loss,
        null,
        bound,
        Proof.OPTIMAL if card.loss - bound <= CLOSE * null else Proof.FEASIBLE,
        stop,
        question.data.target,
        (str(question.data.classes[0]), str(question.data.classes[1])),
        len(question.items),
        rules.words(question.ridge),
    )
    totals = []
    for one in np.unique(total).tolist():
        weight = held[total == one]
        share = float(weight @ target[total == one] / weight.sum())
        totals.append(TotalRisk(one, float(made.risk_of(one)), float(weight.sum()), share))
    return replace(made, totals=tuple(totals))
