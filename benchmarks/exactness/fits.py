"""The fit of linear models as data: what a set explains, by singular values, and what altsel is given."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cached_property
from math import log
from random import Random
from typing import Any

import numpy as np
import pandas as pd

import altsel

KIND = "linear fit"
STYLES = (
    "plain", "factors", "copies", "sums", "near copies", "scales", "far from 0", "few rows", "integers",
    "constants", "two classes", "noise free", "nearly dependent",
)  # fmt: skip
DEPENDENT, UNCLEAR = 1e-9, 8e-6
"""Singular value below which a column is surely a combination of others, and from which it surely is none."""
ADDS, AS_LONG = 1e-6, 1 - 1e-9
"""Length left up to which the definition leaves a column out, and share of the longest that is as long."""


@dataclass(frozen=True)
class Fit:
    """Columns and a target of linear models, with ridge, weights of rows and columns always included."""

    style: str
    table: tuple[tuple[float, ...], ...]
    target: tuple[float, ...]
    ridge: float = 0.0
    weights: tuple[float, ...] | None = None
    given: tuple[tuple[float, ...], ...] = ()
    penalty: str | None = None
    kind: str = KIND

    @property
    def n(self) -> int:
        """Number of features."""
        return len(self.table[0])

    @cached_property
    def _prepared(self) -> tuple[Any, Any, float]:
        """Centre and scale in long double; project out what is given."""
        root = np.sqrt(np.array(self.weights or [1.0] * len(self.target), dtype=np.longdouble))
        given = _unit(np.array(self.given, dtype=np.longdouble).reshape(-1, len(root)).T, root)
        columns = _unit(np.array(self.table, dtype=np.longdouble), root)
        y = _unit(np.array(self.target, dtype=np.longdouble)[:, None], root)[:, 0]
        basis = np.linalg.svd(given.astype(float), full_matrices=False)
        span = basis[0][:, basis[1] > 1e-6]
        y, columns = y.astype(float), columns.astype(float)
        rest = y - span @ (span.T @ y)
        if span.shape[1]:
            columns = columns - span @ (span.T @ columns)
            columns = columns - span @ (span.T @ columns)
            lengths = np.sqrt((columns**2).sum(axis=0))
            columns = np.where(lengths > 1e-6, columns / np.where(lengths > 0, lengths, 1), 0.0)
        return columns, rest, 1.0 - float(rest @ rest)

    @cached_property
    def _found(self) -> dict[int, Any]:
        return {}

    def value(self, mask: int) -> Any:
        """Project the target on the span of a set, given by bits."""
        from benchmarks.exactness.criteria import Value, members  # noqa: PLC0415  (which builds these)

        if mask in self._found:
            return self._found[mask]
        columns, rest, offset = self._prepared
        chosen = columns[:, members(mask)]
        chosen = chosen[:, np.abs(chosen).sum(axis=0) > 0]
        chosen = np.vstack([chosen, np.sqrt(self.ridge) * np.eye(chosen.shape[1])])
        if self.style == "nearly dependent":
            explained, least = _by_definition(chosen, rest)
            worth, steepness = self._worth(offset + explained, mask.bit_count())
            return self._found.setdefault(mask, Value(worth, steepness * (1.0 + 0.1 / least) + abs(worth)))
        left, sizes, _ = np.linalg.svd(chosen, full_matrices=False)
        along = left[: len(rest), sizes > UNCLEAR].T @ rest
        unclear = bool(((sizes > DEPENDENT) & (sizes < UNCLEAR)).any())
        least = float(sizes[sizes > UNCLEAR].min(initial=1.0))
        worth, steepness = self._worth(offset + float(along @ along), mask.bit_count())
        found = Value(worth, 1e12 if unclear else steepness * (1.0 + 0.1 / least) + abs(worth))
        self._found[mask] = found
        return found

    def _worth(self, explained: float, size: int) -> tuple[float, float]:
        """Return the worth by the textbook's formula, and how much it rises with what is explained."""
        if self.penalty is None:
            return explained, 1.0
        m = sum(one > 0 for one in self.weights or [1.0] * len(self.target))
        p, left = 1 + len(self.given) + size, 1 - explained
        if self.penalty == "adjusted":
            return 1 - left * (m - 1) / (m - p), (m - 1) / (m - p)
        price = {"aic": 2.0, "bic": log(m)}[self.penalty]
        return -(m * log(max(left, 1e-6)) + price * p), m / max(left, 1e-6)

    def build(self) -> Any:
        """Make altsel's objective."""
        names = [f"x{i}" for i in range(self.n)]
        always = [f"g{i}" for i in range(len(self.given))]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", altsel.DataWarning)
            frame = pd.DataFrame(np.array(self.table), columns=names)
            for name, column in zip(always, self.given, strict=True):
                frame[name] = column
            data = altsel.Dataset(frame, np.array(self.target), task="regression")
            weights = None if self.weights is None else list(self.weights)
            return altsel.LinearFit(data, self.ridge, penalty=self.penalty, weights=weights, given=always)


def _by_definition(columns: Any, target: Any) -> tuple[float, float]:
    """Leave out what is a millionth of its length outside others, the longest first; in long double."""
    work = columns.astype(np.longdouble)
    rest = np.concatenate([target, np.zeros(len(work) - len(target))]).astype(np.longdouble)
    longest = float(np.sqrt((work**2).sum(axis=0).max(initial=0.0)))
    total, least, basis = 0.0, 1.0, np.zeros((len(work), 0), dtype=np.longdouble)
    for _ in range(work.shape[1]):
        left = np.sqrt((work**2).sum(axis=0))
        if left.max() <= ADDS * longest:
            break
        unit = work[:, int(np.argmax(left >= AS_LONG * left.max()))] / left.max()
        unit = unit - basis @ (basis.T @ unit)
        unit = unit / np.sqrt((unit**2).sum())
        total += float(unit @ rest) ** 2
        least = min(least, float(left.max()) / longest)
        basis = np.column_stack([basis, unit])
        for _ in range(2):
            work = work - unit[:, None] * (unit @ work)
    return total, least


def _unit(table: Any, root: Any) -> Any:
    share = root**2 / (root**2).sum()
    before = np.abs(table).max(axis=0, initial=0.0)
    for _ in range(2):
        table = table - share @ table
    table = table * root[:, None]
    lengths = np.sqrt((table**2).sum(axis=0))
    return np.where(lengths > 1e-12 * before, table / np.where(lengths > 0, lengths, 1), 0)


def draw_fit(rng: Random, n: int) -> Fit:
    """Draw columns of n features of one style, and a target that hangs on few of them."""
    draws = np.random.default_rng(rng.getrandbits(64))
    style = rng.choice(STYLES)
    rows = rng.randint(3, n) if style == "few rows" else rng.randint(n + 3, 45)
    table = draws.normal(size=(rows, n))
    noise = 0.0 if style == "noise free" else rng.choice([0.3, 1.0, 3.0])
    target = noise * draws.normal(size=rows)
    if style == "factors":
        table = rng.choice([0.1, 0.5]) * table + draws.normal(size=(rows, 2)) @ draws.normal(size=(2, n))
    if style == "integers":
        table = draws.integers(0, rng.choice([2, 3, 5]), (rows, n)).astype(float)
        table[0, (table == table[0]).all(axis=0)] += 1.0  # constant columns are no features
    i, j, h = (int(one) for one in draws.permutation(n)[:3])
    target += table[:, i] - table[:, h] * rng.choice([0.0, 1.0])
    if style == "copies":
        table[:, j] = rng.choice([-3.0, 1.0, 1e3]) * table[:, i]
    if style == "sums":
        table[:, j] = table[:, i] + table[:, h] * rng.choice([-1.0, 2.0])
    if style == "near copies":  # r = 1 - 1e-9
        table[:, j] = table[:, i] + 4.5e-5 * table[:, j]
        target += rng.choice([0.0, 1e4, 3e4]) * (table[:, j] - table[:, i])
    if style == "nearly dependent":
        for first, second in ((i, j), (i, h), (h, j))[: rng.choice([1, 2, 3])]:
            rest = 10.0 ** -rng.choice([3, 4, 5, 5.7, 6.3, 7, 8, 9, 10, 11, 12, 13, 14])
            others = table[:, first] * rng.choice([-2.0, 1.0]) + table[:, h if second == j else j]
            table[:, second] = (table[:, first] if rng.random() < 0.5 else others) + rest * table[:, second]
        target += rng.choice([0.0, 3.0]) * np.linalg.svd(table - table.mean(axis=0))[0][:, n - 1]
    if style == "scales":
        table = table * 10.0 ** draws.choice([-6, 0, 6], n)
    if style == "far from 0":
        table = table + 10.0 ** rng.choice([2, 4]) * draws.normal(size=n)
    if style == "two classes" or target.std() < 1e-9:
        target = (target > np.median(target)).astype(float)
        target[0], target[-1] = 0.0, 1.0
    ridge = rng.choice([0.0, 0.0, 0.001, 0.05, 1.0] if style != "few rows" else [0.0, 0.05, 0.5])
    weights = tuple(draws.choice([0.5, 1.0, 2.5], rows).tolist()) if rng.random() < 0.15 else None
    if style == "constants":  # but for a row without weight
        table[:-1, j] = rng.choice([0.0, 3.7, 1e6])
        weights = (*draws.choice([0.5, 1.0], rows - 1).tolist(), 0.0)
    given = tuple(map(tuple, draws.normal(size=(rng.choice([1, 2]), rows)).tolist()))
    rows_of = tuple(map(tuple, table.tolist()))
    given = given if rng.random() < 0.15 else ()
    penalty = rng.choice(["adjusted", "aic", "bic"]) if not ridge and rows > n + 5 else None
    penalty = penalty if rng.random() < 0.3 else None
    return Fit(style, rows_of, tuple(target.tolist()), ridge, weights, given, penalty)
