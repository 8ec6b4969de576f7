"""Ten designs for `benchmarks.discoveries`: tables of which it is known which features tell nothing more."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestRegressor

import altsel

Random = np.random.Generator
Drawn = tuple[pd.DataFrame, np.ndarray, np.ndarray]
"""Features, target, and which features are independent of the target given all others."""


@dataclass(frozen=True)
class Design:
    """A way to draw tables, and how discoveries are made in them."""

    name: str
    words: str
    draw: Callable[[Random], Drawn]
    promised: bool = True
    options: dict[str, Any] = field(default_factory=dict)
    draws: int = 20

    def table(self, rng: Random) -> tuple[altsel.Dataset, np.ndarray]:
        """Draw a data set, and which of its features are false."""
        frame, target, false = self.draw(rng)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return altsel.Dataset(frame, target), false


def named(values: np.ndarray) -> pd.DataFrame:
    """Name the columns."""
    return pd.DataFrame(values, columns=[f"x{j}" for j in range(values.shape[1])])


def chain(rng: Random, rows: int, features: int, rho: float) -> np.ndarray:
    """Draw Gaussian features whose correlations fall by a factor a step."""
    noise = rng.normal(size=(rows, features))
    values = noise.copy()
    for j in range(1, features):
        values[:, j] = rho * values[:, j - 1] + np.sqrt(1 - rho**2) * noise[:, j]
    return values


def weights(rng: Random, features: int, true: int, size: float) -> np.ndarray:
    """Draw which features tell of the target, with signs."""
    found = np.zeros(features)
    found[rng.choice(features, true, replace=False)] = size * rng.choice([-1, 1], true)
    return found


def linear(rng: Random, values: np.ndarray, true: int, size: float) -> Drawn:
    """Add a target that is linear in some features, with noise of variance 1."""
    beta = weights(rng, values.shape[1], true, size)
    standard = (values - values.mean(axis=0)) / values.std(axis=0)
    return named(values), standard @ beta + rng.normal(size=len(values)), beta == 0


def gaussian(rng: Random) -> Drawn:
    """Draw 150 features, of which 50 tell of the target."""
    return linear(rng, chain(rng, 500, 150, 0.5), 50, 0.3)


def factors(rng: Random) -> Drawn:
    """Draw features that share five factors."""
    values = rng.normal(size=(500, 5)) @ rng.normal(size=(5, 150)) / np.sqrt(5) + rng.normal(size=(500, 150))
    return linear(rng, values, 50, 0.4)


def mixed(rng: Random) -> Drawn:
    """Draw numbers, columns of two values and of three classes, cut from a chain."""
    latent = chain(rng, 500, 100, 0.5)
    beta = weights(rng, 100, 45, 0.45)
    columns, share = {}, latent.copy()
    for j in range(100):
        if j % 3 == 1:
            share[:, j] = latent[:, j] > 0.3
        if j % 3 == 2:
            share[:, j] = np.digitize(latent[:, j], [-0.5, 0.7])
        columns[f"x{j}"] = np.array(["a", "b", "c"])[share[:, j].astype(int)] if j % 3 == 2 else share[:, j]
    standard = (share - share.mean(axis=0)) / share.std(axis=0)
    return pd.DataFrame(columns), standard @ beta + rng.normal(size=500), beta == 0


def classes(rng: Random) -> Drawn:
    """Draw a target of two classes, logistic in a chain."""
    values = chain(rng, 800, 120, 0.3)
    beta = weights(rng, 120, 45, 0.6)
    target = rng.random(800) < 1 / (1 + np.exp(-values @ beta))
    return named(values), np.where(target, "yes", "no"), beta == 0


def skewed(rng: Random) -> Drawn:
    """Draw log-normal features."""
    return linear(rng, np.exp(chain(rng, 500, 150, 0.5)), 50, 0.3)


def copies(rng: Random) -> Drawn:
    """Draw 50 features that tell of the target, each with a near copy that tells nothing more."""
    values = chain(rng, 500, 100, 0.3)
    near = 0.95 * values[:, :50] + np.sqrt(1 - 0.95**2) * rng.normal(size=(500, 50))
    beta = np.concatenate([rng.choice([-0.5, 0.5], 50), np.zeros(100)])
    both = np.hstack([values, near])
    return named(both), both @ beta + rng.normal(size=500), beta == 0


def wide(rng: Random) -> Drawn:
    """Draw more features than rows."""
    return linear(rng, chain(rng, 300, 600, 0.3), 50, 0.35)


def weak(rng: Random) -> Drawn:
    """Draw features that tell little."""
    return linear(rng, chain(rng, 500, 150, 0.5), 50, 0.15)


def interactions(rng: Random) -> Drawn:
    """Draw a target of products of pairs, and of single features."""
    values = rng.normal(size=(800, 60))
    pairs = values[:, 0:24:2] * values[:, 1:24:2]
    target = pairs.sum(axis=1) + values[:, :24].sum(axis=1) + rng.normal(size=800)
    return named(values), target, np.arange(60) >= 24


def bent(rng: Random) -> Drawn:
    """Draw false features that are squares of true ones, of which the target has the squares."""
    values = rng.normal(size=(500, 100))
    squares = values[:, :50] ** 2 + 0.5 * rng.normal(size=(500, 50))
    beta = np.concatenate([np.full(50, 0.4), np.zeros(100)])
    target = (values[:, :50] ** 2) @ beta[:50] + values[:, 50:75].sum(axis=1) + rng.normal(size=500)
    beta[50:75] = 1
    return named(np.hstack([values, squares])), target, beta == 0


LEVELS = (0.05, 0.1, 0.2)
WAYS = ("e-BH", "e-BH, run level = level", "one filter")
"""How features are selected."""
FOREST = RandomForestRegressor(30, max_features=0.3, min_samples_leaf=5, random_state=0)
DESIGNS = (
    Design("Gaussian", "500 x 150, correlations .5, .25, …; 50 tell of the target", gaussian),
    Design("factors", "500 x 150, five common factors; 50 tell", factors),
    Design("mixed", "500 x 100, numbers, two values, three classes; 45 tell", mixed),
    Design("classes", "800 x 120, two classes; 45 tell", classes),
    Design("skewed", "500 x 150, log-normal; 50 tell", skewed),
    Design("near copies", "500 x 150; 50 tell, 50 are correlated with these by .95 and tell no more", copies),
    Design("p > n", "300 x 600; 50 tell", wide),
    Design("weak signals", "500 x 150, half as strong; 50 tell", weak),
    Design(
        "interactions",
        "800 x 60; 24 tell, in 12 products and alone; forest of 30 trees",
        interactions,
        options={"statistic": FOREST},
        draws=10,
    ),
    Design(
        "squares",
        "500 x 150; 75 tell; 50 are squares of such, with noise, and tell no more: no Gaussian copula",
        bent,
        promised=False,
    ),
)
