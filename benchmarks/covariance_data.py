"""Samples for tests of conditional independence: a candidate x, a target y, and what is given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

import altsel

Random = np.random.Generator


@dataclass(frozen=True)
class Parts:
    """What is given, what it does to x and y, and their errors."""

    given: dict[str, Any]
    of_x: Any
    of_y: Any
    error_x: Any
    error_y: Any


def numbers(kind: str, random: Random, rows: int) -> Parts:
    """Return three numbers that are given, or ten, with effects and errors of a kind."""
    s = random.normal(size=(10 if kind == "ten given" else 3, rows))
    ex, ey = random.lognormal(size=(2, rows)) - 1.65 if kind == "skewed" else random.normal(size=(2, rows))
    effect = {
        "linear": s.sum(axis=0) * 0.6,
        "skewed": s.sum(axis=0) * 0.6,
        "curved": np.exp(s[0]) * 0.6 + np.sin(2 * s[1]) + 0.5 * s[2] ** 2,
        "ten given": (s[:8].sum(axis=0) + np.sin(2 * s[8:]).sum(axis=0)) * 0.4,
        "heteroscedastic": s.sum(axis=0) * 0.6,
        "interaction": s[0] * s[1],
    }[kind]
    if kind == "heteroscedastic":
        scale = np.exp(0.7 * s[0]) / 1.3
        ex, ey = ex * scale, ey * scale
    return Parts({f"s{j}": column for j, column in enumerate(s)}, effect, effect, ex, ey)


def mixed(random: Random, rows: int) -> Parts:
    """Return a number, a category of three levels and one of two that are given."""
    s, level, two = random.normal(size=rows), random.integers(0, 3, rows), random.integers(0, 2, rows)
    effect = np.sin(2 * s) + np.array([0.0, 0.8, -0.8])[level] + 0.6 * two
    given = {"s0": s, "s1": np.array(["a", "b", "c"])[level], "s2": two}
    return Parts(given, effect, effect, *random.normal(size=(2, rows)))


def sample(base: str, effect: str, as_x: str, as_y: str, random: Random, rows: int) -> altsel.Dataset:
    """Draw a sample; the effect is of the error of x, so that it is none that the given features have."""
    part = mixed(random, rows) if base == "mixed" else numbers(base, random, rows)
    x, e = part.of_x + part.error_x, part.error_x
    first = part.given["s0"]
    added = {
        "none": 0.0 * e,
        "line": 0.18 * e,
        "square": 0.18 * (e**2 - 1),
        "sign": 0.3 * np.sign(first) * e,
        "product": 0.25 * e * first,
        "variance": part.error_y * (np.exp(0.5 * e) - 1),
    }[effect]
    y = part.of_y + part.error_y + added
    x = {"number": lambda: x, "levels": lambda: _levels(x, ("p", "q", "r"))}[as_x]()
    y = {
        "number": lambda: y,
        "classes": lambda: (y > np.median(y)).astype(int),
        "3 classes": lambda: _levels(y, ("u", "v", "w")),
    }[as_y]()
    task = "regression" if as_y == "number" else None
    return altsel.Dataset(pd.DataFrame({"x": x, **part.given}), pd.Series(y, name="y"), task)


def _levels(values: Any, names: tuple[str, ...]) -> Any:
    return np.array(names)[np.digitize(values, np.quantile(values, np.arange(1, 3) / 3))]


Draw = Callable[[Random, int], altsel.Dataset]
NULLS: dict[str, Draw] = {
    "linear": partial(sample, "linear", "none", "number", "number"),
    "linear, skewed errors": partial(sample, "skewed", "none", "number", "number"),
    "linear, heteroscedastic": partial(sample, "heteroscedastic", "none", "number", "number"),
    "curved": partial(sample, "curved", "none", "number", "number"),
    "curved, y of two classes": partial(sample, "curved", "none", "number", "classes"),
    "curved, x of three levels": partial(sample, "curved", "none", "levels", "number"),
    "ten given": partial(sample, "ten given", "none", "number", "number"),
    "product of two given": partial(sample, "interaction", "none", "number", "number"),
    "mixed": partial(sample, "mixed", "none", "number", "number"),
    "mixed, three levels and classes": partial(sample, "mixed", "none", "levels", "3 classes"),
}
ALTERNATIVES: dict[str, Draw] = {
    "linear + line": partial(sample, "linear", "line", "number", "number"),
    "linear, heteroscedastic + line": partial(sample, "heteroscedastic", "line", "number", "number"),
    "curved + line": partial(sample, "curved", "line", "number", "number"),
    "curved + line, y of two classes": partial(sample, "curved", "line", "number", "classes"),
    "ten given + line": partial(sample, "ten given", "line", "number", "number"),
    "mixed + line, three levels and classes": partial(sample, "mixed", "line", "levels", "3 classes"),
    "curved + square": partial(sample, "curved", "square", "number", "number"),
    "curved + changing sign": partial(sample, "curved", "sign", "number", "number"),
    "curved + product with a given": partial(sample, "curved", "product", "number", "number"),
    "linear + variance only": partial(sample, "linear", "variance", "number", "number"),
}
