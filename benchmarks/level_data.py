"""Samples in which candidates and a target depend on some features, and on nothing else in common."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

import altsel
from altsel._types import IntArray

CANDIDATES = 20
Random = np.random.Generator


@dataclass(frozen=True)
class Drawn:
    """A table with candidates x0, x1, … and given features s0, s1, …; whether events were seen."""

    data: altsel.Dataset
    event: Any = None


def _drawn(columns: dict[str, Any], y: Any, classes: bool, event: Any = None) -> Drawn:
    """Make the table, without columns of one value."""
    varied = {name: np.asarray(column) for name, column in columns.items() if len(np.unique(column)) > 1}
    flat = {name: "categorical" for name, column in varied.items() if column.dtype.kind == "i"}
    frame = pd.DataFrame(varied)
    task = None if classes else "regression"
    return Drawn(altsel.Dataset(frame, pd.Series(y, name="y"), task, kinds=flat), event)


def _named(candidates: Any, given: Any) -> dict[str, Any]:
    columns = {f"x{j}": column for j, column in enumerate(candidates)}
    return columns | {f"s{j}": column for j, column in enumerate(given)}


def _of_codes(random: Random, codes: IntArray, levels: int, start: npt.ArrayLike) -> IntArray:
    """Draw a column of classes, whose probabilities differ with a code."""
    logits = np.asarray(start) + 0.7 * random.normal(size=(int(codes.max()) + 1, levels))
    share = np.exp(logits)
    ends = np.cumsum(share / share.sum(axis=1, keepdims=True), axis=1)[:, :-1]
    return np.asarray((random.random((len(codes), 1)) > ends[codes]).sum(axis=1))


def tables(
    levels: int, shares: tuple[float, ...], of_given: int, random: Random, rows: int, given: int
) -> Drawn:
    """Discrete columns: candidates of some levels, a target of classes with some shares."""
    s = random.integers(0, of_given, size=(given, rows))
    codes = (s * (of_given ** np.arange(given))[:, None]).sum(axis=0) if given else np.zeros(rows, dtype=int)
    y = _of_codes(random, codes, len(shares), np.log(np.array(shares, dtype=float)))
    skew = -0.6 * np.arange(levels) if len(set(shares)) > 1 else np.zeros(levels)
    x = [_of_codes(random, codes, levels, skew) for _ in range(CANDIDATES)]
    return _drawn(_named(x, s), y, classes=True)


def numbers(kind: str, random: Random, rows: int, given: int) -> Drawn:
    """Numbers that depend linearly on the given ones with normal or skewed errors, or not linearly."""
    s = random.normal(size=(given, rows))
    effect = (np.exp(s) if kind.startswith("nonlinear") else s).sum(axis=0) * 0.6
    size = (CANDIDATES + 1, rows)
    errors = random.lognormal(size=size) if kind == "skewed" else random.normal(size=size)
    *x, y = effect + errors
    if kind == "nonlinear, classes":
        y = (y > np.median(y)).astype(int)
    return _drawn(_named(x, s), y, classes=kind == "nonlinear, classes")


def mixed(target: str, random: Random, rows: int, given: int) -> Drawn:
    """Candidates that are numbers, or categories of 2 to 4 levels; so are the given ones."""
    s: list[Any] = [random.normal(size=rows), *(random.integers(0, k, rows) for k in (3, 2))][:given]
    effect = np.zeros(rows)
    for column, size in zip(s, ([0.8], [0.0, 0.8, -0.8], [0.0, 0.8]), strict=False):
        effect += column * size[0] if len(size) == 1 else np.array(size)[column]
    x: list[Any] = [0.8 * effect + random.normal(size=rows) for _ in range(CANDIDATES)]
    for j in range(CANDIDATES):
        if j % 4:
            x[j] = np.digitize(x[j], np.quantile(x[j], np.arange(1, j % 4 + 1) / (j % 4 + 1)))
    latent = 0.8 * effect + random.logistic(size=rows)
    seen = random.random(rows) < 0.7
    y: dict[str, Any] = {
        "classes": (latent > 0.3).astype(int),
        "rare": (latent > np.quantile(latent, 0.9)).astype(int),
        "3 classes": np.digitize(latent, [-0.5, 1.0]),
        "number": 0.8 * effect + random.normal(size=rows),
        "counts": random.poisson(np.exp(0.5 * effect)),
        "times": random.exponential(np.exp(0.8 * effect)),
    }
    classes = target not in {"number", "counts", "times"}
    return _drawn(_named(x, s), y[target], classes, seen if target == "times" else None)


DATA: dict[str, Callable[[Random, int, int], Drawn]] = {
    "normal": partial(numbers, "normal"),
    "skewed": partial(numbers, "skewed"),
    "nonlinear": partial(numbers, "nonlinear"),
    "nonlinear, classes": partial(numbers, "nonlinear, classes"),
    "discrete": partial(tables, 3, (1 / 3, 1 / 3, 1 / 3), 2),
    "rare classes": partial(tables, 6, (0.79, 0.133, 0.068, 0.009), 2),
    "many levels": partial(tables, 12, (1 / 6,) * 6, 4),
    "mixed": partial(mixed, "classes"),
    "mixed, rare class": partial(mixed, "rare"),
    "mixed, 3 classes": partial(mixed, "3 classes"),
    "mixed, number": partial(mixed, "number"),
    "mixed, counts": partial(mixed, "counts"),
    "survival": partial(mixed, "times"),
}
"""Samples of a number of rows and of given features, by what is in them."""
