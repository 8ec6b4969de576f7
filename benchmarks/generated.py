"""Data of eight kinds with five features that matter, ten or more that do not, and what is in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from numpy.random import Generator

Drawn = tuple[dict[str, Any], Any]
WEIGHTS = np.array([0.9, 0.8, 0.7, 0.6, 0.5])
"""Effects of the five features t0 to t4, in logits per standard deviation."""


def _named(real: Any, noise: Any) -> dict[str, Any]:
    return {f"t{j}": column for j, column in enumerate(real.T)} | {
        f"n{j}": column for j, column in enumerate(noise.T)
    }


def _labels(code: Any) -> Any:
    return np.array([f"v{one}" for one in code])


def numbers(random: Generator, rows: int) -> Drawn:
    """Draw normal numbers with straight effects."""
    X = random.normal(size=(rows, 15))
    return _named(X[:, :5], X[:, 5:]), X[:, :5] @ WEIGHTS


def skewed(random: Generator, rows: int) -> Drawn:
    """Draw the same behind exponentials; one noise column has no variance (Cauchy)."""
    X = random.normal(size=(rows, 15))
    columns = _named(np.exp(1.5 * X[:, :5]), np.exp(1.5 * X[:, 5:]))
    return columns | {"n0": random.standard_cauchy(rows)}, X[:, :5] @ WEIGHTS


def ordinal(random: Generator, rows: int) -> Drawn:
    """Draw answers from 1 to 5."""
    X = np.clip(np.round(random.normal(size=(rows, 15)) * 1.2 + 3), 1, 5)
    return _named(X[:, :5].astype(int), X[:, 5:].astype(int)), (X[:, :5] - 3) @ WEIGHTS * 0.8


def categories(random: Generator, rows: int) -> Drawn:
    """Draw categories of 2 to 8 levels; noise of 2 to 50."""
    columns, eta = {}, np.zeros(rows)
    for j, levels in enumerate((2, 3, 4, 5, 8)):
        code, effects = random.integers(0, levels, rows), random.permutation(np.linspace(-1, 1, levels))
        columns[f"t{j}"] = _labels(code)
        eta += (effects / effects.std() * WEIGHTS[j])[code]
    for j, levels in enumerate((2, 3, 4, 5, 8, 12, 20, 30, 40, 50)):
        columns[f"n{j}"] = _labels(random.integers(0, levels, rows))
    return columns, eta


def many_levels(random: Generator, rows: int) -> Drawn:
    """Draw numbers, and noise categories of 50, 200 and 2,000 levels."""
    columns, eta = numbers(random, rows)
    for j, levels in enumerate((50, 200, 2000)):
        columns[f"n{9 - j}"] = _labels(random.integers(0, levels, rows))
    return columns, eta


def mixed(random: Generator, rows: int) -> Drawn:
    """Draw two numbers, two categories, answers; noise of all kinds, one of 200 levels."""
    X, three, four = random.normal(size=(rows, 8)), random.integers(0, 3, rows), random.integers(0, 4, rows)
    answer = np.clip(np.round(X[:, 7] * 1.2 + 3), 1, 5)
    columns = {
        "t0": X[:, 0],
        "t1": X[:, 1],
        "t2": _labels(three),
        "t3": _labels(four),
        "t4": answer.astype(int),
    }
    columns |= {f"n{j}": X[:, 2 + j] for j in range(5)}
    for j, levels in enumerate((3, 6, 12, 24, 200)):
        columns[f"n{5 + j}"] = _labels(random.integers(0, levels, rows))
    eta = X[:, 0] * 0.9 + X[:, 1] * 0.7 + np.array([-0.84, 0, 0.84])[three]
    return columns, eta + np.array([0.9, -0.9, 0.5, -0.5])[four] + (answer - 3) * 0.55


def curved(random: Generator, rows: int) -> Drawn:
    """Draw three features with effects like a U, two straight ones."""
    X = random.normal(size=(rows, 15))
    eta = (X[:, 0] ** 2 - 1) * 0.9 + (np.abs(X[:, 1]) - 0.8) * 1.4 + np.cos(2 * X[:, 2]) * 1.1
    return _named(X[:, :5], X[:, 5:]), eta + X[:, 3] * 0.8 + X[:, 4] * 0.6


def interactions(random: Generator, rows: int) -> Drawn:
    """Draw straight effects and products."""
    X = random.normal(size=(rows, 15))
    eta = X[:, 0] * X[:, 1] * 0.9 + X[:, 3] * X[:, 4] * 0.6 + X[:, :5] @ np.array([0.6, 0.6, 0.7, 0.7, 0.5])
    return _named(X[:, :5], X[:, 5:]), eta


KINDS: dict[str, Callable[[Generator, int], Drawn]] = {
    "numbers": numbers,
    "skewed": skewed,
    "ordinal": ordinal,
    "categories": categories,
    "many levels": many_levels,
    "mixed": mixed,
    "curved": curved,
    "interactions": interactions,
}
WIDE = {"many levels": {"n7", "n8"}, "mixed": {"n9"}}
"""Noise categories of 200 levels or more."""
TARGETS = ("two classes", "three classes", "number")


def drawn(kind: str, target: str, rows: int, seed: int) -> tuple[Any, Any]:
    """Draw a table, its columns in random order, and a target."""
    random = np.random.default_rng([seed, rows, list(KINDS).index(kind), TARGETS.index(target)])
    columns, eta = KINDS[kind](random, rows)
    if target == "number":
        y = eta + random.normal(size=rows) * 1.8
    else:
        cuts = [0.5] if target == "two classes" else [1 / 3, 2 / 3]
        y = np.digitize(eta + random.logistic(size=rows), np.quantile(eta, cuts)).astype(str)
    table = pd.DataFrame(columns)
    return table[random.permutation(table.columns).tolist()], pd.Series(y, name="y")
