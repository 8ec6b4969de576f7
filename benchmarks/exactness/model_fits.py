"""Fits of models of classes, counts and times as data: all subsets by dense Newton steps."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb, log
from random import Random
from typing import Any

import numpy as np
import pandas as pd
from scipy.interpolate import CubicSpline

import altsel
from benchmarks.exactness.regularised import Loss, least_losses

FAMILIES = ("logistic", "multinomial", "poisson", "cox", "ordinal")
STYLES = ("plain", "factors", "copies", "near copies", "scales", "integers", "separated", "few rows", "noise")
KNOTS = (0.05, 0.35, 0.65, 0.95)
ROUNDING = 2e4
"""Rounding of a share, in units of that of a sum (1e-13): altsel looks for nothing closer than 1e-9."""


@dataclass(frozen=True)
class ModelFit:
    """Columns and a target of a regularised model, with what rows hold besides.

    Attributes
    ----------
    table
        Numbers, one row a tuple; those of a category are its levels.
    categories
        Indices of the columns that are categories.
    """

    style: str
    family: str
    table: tuple[tuple[float, ...], ...]
    target: tuple[float, ...]
    ridge: float
    penalty: str | None
    categories: tuple[int, ...] = ()
    weights: tuple[float, ...] | None = None
    offset: tuple[float, ...] | None = None
    event: tuple[bool, ...] | None = None
    given: tuple[tuple[float, ...], ...] = ()
    spline: bool = False
    kind: str = "model fit"

    @property
    def n(self) -> int:
        """Number of features."""
        return len(self.table[0])

    @cached_property
    def _kept(self) -> Any:
        return np.array(self.weights or [1.0] * len(self.target)) > 0

    @cached_property
    def loss(self) -> Loss:
        """The loss of the rows of positive weight."""
        kept, m = self._kept, len(self.target)
        weights = np.array(self.weights or [1.0] * m)[kept]
        offset = np.array(self.offset or [0.0] * m)[kept]
        event = np.array(self.event or [True] * m)[kept]
        target = np.array(self.target)[kept]
        if self.family in {"multinomial", "ordinal"}:
            target = np.unique(target, return_inverse=True)[1].astype(float)
        return Loss(self.family, target, weights, offset, event)

    @cached_property
    def _blocks(self) -> tuple[list[Any], list[Any]]:
        """Columns of mean 0 and variance 1 of the given ones and of the features, shape (columns, rows)."""
        table = np.array(self.table)
        features = [self._block(table[:, j], j in self.categories) for j in range(self.n)]
        return [self._block(np.array(one), False) for one in self.given], features

    def _block(self, column: Any, category: bool) -> Any:
        column, weights = column[self._kept], self.loss.weights
        if category:
            several = (column[:, None] == np.unique(column)).astype(float)
        elif self.spline and len(np.unique(np.quantile(column, KNOTS))) == len(KNOTS):
            several = _natural(column)
        else:
            several = column[:, None] / np.abs(column).max()
        share = weights / weights.sum()
        for _ in range(2):
            several = several - share @ several
        left, sizes, _ = np.linalg.svd(several * np.sqrt(share)[:, None], full_matrices=False)
        left = left[:, sizes > 1e-9 * max(sizes[0], 1e-3)]
        return (left / np.sqrt(share)[:, None]).T

    @cached_property
    def _found(self) -> dict[int, Any]:
        return {}

    @cached_property
    def null(self) -> float:
        """The loss of constants alone."""
        nothing = np.zeros((1, 0, len(self.loss.response)))
        return float(least_losses(self.loss, nothing, self.ridge)[0])

    def columns_of(self, mask: int) -> Any:
        """Return the columns of a set, those that are given first."""
        given, features = self._blocks
        chosen = [features[j] for j in range(self.n) if mask >> j & 1]
        return np.vstack([np.zeros((0, len(self.loss.response))), *given, *chosen])

    def value(self, mask: int) -> Any:
        """Fit a set, given by bits, and all others of its size."""
        from benchmarks.exactness.criteria import Value  # noqa: PLC0415  (which builds these)

        if mask not in self._found:
            size = mask.bit_count()
            masks = [sum(1 << j for j in one) for one in combinations(range(self.n), size)]
            masks = masks if comb(self.n, size) <= 4000 else [mask]
            columns = [self.columns_of(one) for one in masks]
            widest = max(map(len, columns))
            filled = np.zeros((len(masks), widest, len(self.loss.response)))
            for row, one in zip(filled, columns, strict=True):
                row[: len(one)] = one
            losses = least_losses(self.loss, filled, self.ridge)
            for one, loss, held in zip(masks, losses, columns, strict=True):
                self._found[one] = Value(*self._worth(float(loss), len(held), size))
        return self._found[mask]

    def _worth(self, loss: float, columns: int, size: int) -> tuple[float, float]:
        """Return the worth by the textbook's formula, and its rounding."""
        if self.penalty is None:
            return 1.0 - loss / self.null, ROUNDING
        classes = len(np.unique(self.loss.response))
        times = classes - 1 if self.family == "multinomial" else 1
        constants = {"cox": 0, "multinomial": times, "ordinal": classes - 1}.get(self.family, 1)
        cases = float(self.loss.weights[self.loss.event].sum())
        price = 2.0 if self.penalty == "aic" else log(max(cases, 1.0))
        several = 2.0 * log(comb(self.n, size)) if self.penalty == "ebic" else 0.0
        worth = -(2.0 * loss + price * (constants + times * columns) + several)
        return worth, ROUNDING * 2.0 * max(self.null, abs(worth) / 10)

    def build(self) -> Any:
        """Make altsel's objective."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", altsel.DataWarning)
            frame = pd.DataFrame(np.array(self.table), columns=[f"x{j}" for j in range(self.n)])
            for j in self.categories:
                frame[f"x{j}"] = frame[f"x{j}"].map(lambda level: f"l{level:g}")
            for index, column in enumerate(self.given):
                frame[f"g{index}"] = column
            target, task = np.array(self.target), "regression"
            if self.family in {"logistic", "multinomial"}:
                task = "binary" if len(set(self.target)) == 2 else "multiclass"
                target = np.array([f"c{level:g}" for level in target])
            rows = {"weights": self.weights, "offset": self.offset, "event": self.event}
            return altsel.ModelFit(
                altsel.Dataset(frame, target, task=task),
                self.family,
                self.ridge,
                penalty=self.penalty,
                given=[f"g{index}" for index in range(len(self.given))],
                expand="spline" if self.spline else None,
                **{name: None if one is None else np.array(one) for name, one in rows.items()},
            )


def _natural(column: Any) -> Any:
    """Return a basis of natural cubic splines of four knots, linear outside of them."""
    knots = np.quantile(column, KNOTS)
    basis = CubicSpline(knots, np.eye(4), bc_type="natural")
    inside = np.clip(column, knots[0], knots[-1])
    slopes = np.where((column < knots[0])[:, None], basis(knots[0], 1), basis(knots[-1], 1))
    return basis(inside) + (column - inside)[:, None] * slopes


def draw_model_fit(rng: Random, n: int) -> ModelFit:
    """Draw columns of one style, and a target that hangs on few of them."""
    draws = np.random.default_rng(rng.getrandbits(64))
    family, style = rng.choice(FAMILIES), rng.choice(STYLES)
    rows = rng.randint(8, n + 8) if style == "few rows" else rng.randint(20, 120 if n < 10 else 60)
    table = draws.normal(size=(rows, n))
    if style == "factors":
        table = rng.choice([0.1, 0.5]) * table + draws.normal(size=(rows, 2)) @ draws.normal(size=(2, n))
    if style == "integers":
        table = draws.integers(0, rng.choice([2, 3, 5]), (rows, n)).astype(float)
        table[:2] = [[0.0], [1.0]]
    i, j, h = (int(one) for one in draws.permutation(n)[:3])
    trend = rng.choice([0.5, 1.0, 2.0]) * (table[:, i] - rng.choice([0.0, 1.0]) * table[:, h])
    if style == "noise":
        trend = 0.0 * trend
    if style == "separated":
        trend = 30.0 * table[:, i] if family in {"logistic", "multinomial", "ordinal"} else 2.0 * trend
    if style == "copies":
        table[:, j] = rng.choice([-3.0, 1.0, 1e3]) * table[:, i]
    if style == "near copies":
        table[:, j] = table[:, i] + 10.0 ** -rng.choice([2, 4, 6]) * table[:, j]
    if style == "scales":
        table = table * 10.0 ** draws.choice([-9, 0, 12], n)
    categories: tuple[int, ...] = ()
    if style != "scales" and rng.random() < 0.3:
        categories = tuple(sorted(rng.sample(range(n), rng.choice([1, 1, 2]))))
        for column in categories:
            table[:, column] = draws.integers(0, rng.choice([3, 4]), rows)
            table[:3, column] = [0.0, 1.0, 2.0]
    weights = draws.choice([0.0, 0.5, 1.0, 2.0], rows) if rng.random() < 0.25 else None
    offset = draws.normal(size=rows) if rng.random() < 0.2 and family != "multinomial" else None
    target, event = _target(rng, draws, family, trend)
    if weights is not None:
        weights[:6] = 1.0
    given = draws.normal(size=(rng.choice([1, 2]), rows)) if rng.random() < 0.15 else np.zeros((0, rows))
    return ModelFit(
        style,
        family,
        tuple(map(tuple, table.tolist())),
        tuple(target.tolist()),
        rng.choice([0.01, 0.1, 1.0, 1.0, 10.0, 100.0]),
        rng.choice([None, None, "aic", "bic", "ebic"]),
        categories,
        None if weights is None else tuple(weights.tolist()),
        None if offset is None else tuple(offset.tolist()),
        None if event is None else tuple(event.tolist()),
        tuple(map(tuple, given.tolist())),
        rng.random() < 0.1 and style not in {"scales", "near copies", "integers", "few rows"},
    )


def _target(rng: Random, draws: Any, family: str, trend: Any) -> tuple[Any, Any]:
    """Draw classes, counts, or times and events that hang on a trend."""
    noisy = trend + draws.logistic(size=len(trend))
    if family == "logistic":
        classes = (noisy > rng.choice([0.0, 1.5])).astype(float)
        classes[:2] = 0.0, 1.0
        return classes, None
    if family in {"multinomial", "ordinal"}:
        levels = rng.choice([2, 3, 4])
        classes = np.digitize(noisy, np.linspace(-1.5, 1.5, levels + 1)[1:-1]).astype(float)
        classes[:4] = np.arange(4) % levels
        return (classes * 3) % levels if family == "multinomial" and levels != 3 else classes, None
    if family == "poisson":
        counts = draws.poisson(np.exp(np.clip(0.4 * noisy + rng.choice([-1.0, 0.0, 2.0]), -4, 6)))
        counts[0] += 1
        return counts.astype(float), None
    times = draws.exponential(size=len(trend)) * np.exp(-np.clip(trend, -5, 5))
    if rng.random() < 0.5:
        times = np.ceil(rng.choice([1.0, 4.0]) * times)
    event = draws.random(len(trend)) < rng.choice([0.4, 0.8])
    event[0] = True
    return times, event if rng.random() < 0.8 else None
