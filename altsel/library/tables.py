"""Tables drawn by seeds, of kinds that are hard in different ways."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from altsel._types import FloatArray

ROWS = 400
Table = Callable[[np.random.Generator, int], tuple[FloatArray, FloatArray]]


def independent(rng: np.random.Generator, features: int) -> tuple[FloatArray, FloatArray]:
    """Draw features that have nothing in common; each tells a little of the target."""
    table = rng.normal(size=(ROWS, features))
    return table, table @ rng.normal(size=features) + features**0.5 * rng.normal(size=ROWS)


def factors(rng: np.random.Generator, features: int) -> tuple[FloatArray, FloatArray]:
    """Draw features that share twelve factors, with noise of 1.2, as most tables of measurements do."""
    shared = rng.normal(size=(ROWS, 12))
    table = shared @ rng.normal(size=(12, features)) + 1.2 * rng.normal(size=(ROWS, features))
    return table, shared @ rng.normal(size=12) + rng.normal(size=ROWS)


def collinear(rng: np.random.Generator, features: int) -> tuple[FloatArray, FloatArray]:
    """Draw features in threes that are nearly copies of each other (r of about .98)."""
    causes = rng.normal(size=(ROWS, -(-features // 3)))
    table = np.repeat(causes, 3, axis=1)[:, :features] + 0.15 * rng.normal(size=(ROWS, features))
    return table, causes @ rng.normal(size=causes.shape[1]) + rng.normal(size=ROWS)


def omics(rng: np.random.Generator, features: int) -> tuple[FloatArray, FloatArray]:
    """Draw few rows of many features, in modules of 25 with one activity each; four tell the target."""
    rows, size = 120, 25
    modules = -(-features // size)
    activity = rng.normal(size=(rows, modules))
    loads = rng.uniform(0.2, 0.9, size=features)
    own = activity[:, np.arange(features) // size] * loads
    table = own + np.sqrt(1 - loads**2) * rng.normal(size=(rows, features))
    return table, activity[:, :4].sum(axis=1) + 2 * rng.normal(size=rows)


def spectra(rng: np.random.Generator, features: int) -> tuple[FloatArray, FloatArray]:
    """Draw spectra of eight smooth peaks at fixed places: neighbours along the axis are nearly equal."""
    axis = np.linspace(0, 1, features)
    centres, widths = rng.uniform(0, 1, 8), rng.uniform(0.03, 0.12, 8)
    peaks = np.exp(-0.5 * ((axis - centres[:, None]) / widths[:, None]) ** 2)
    amounts = rng.gamma(2.0, size=(ROWS, 8))
    table = amounts @ peaks + 0.05 * rng.normal(size=(ROWS, features))
    return table, amounts[:, :3] @ rng.normal(size=3) + 0.5 * rng.normal(size=ROWS)


DRAWN: dict[str, Table] = {
    "independent": independent,
    "factors": factors,
    "collinear": collinear,
    "omics": omics,
    "spectra": spectra,
}
"""Kinds of tables by name."""


def drawn(kind: str, features: int, seed: int) -> tuple[FloatArray, FloatArray]:
    """Draw a table of a kind, shape (rows, features), and its target.

    Examples
    --------
    >>> table, target = drawn("factors", 20, 1)
    >>> table.shape, target.shape
    ((400, 20), (400,))
    """
    return DRAWN[kind](np.random.default_rng([seed, features]), features)
