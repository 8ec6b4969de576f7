"""Mutual information by nearest neighbours from all distances of all rows, one formula a line."""

from __future__ import annotations

import numpy as np
from scipy.special import digamma


def noisy(column: np.ndarray, draws: np.ndarray) -> np.ndarray:
    """Scale a column and break its ties."""
    scaled = column / column.std()
    return np.asarray(scaled + 1e-10 * max(1.0, np.abs(scaled).mean()) * draws)


def kraskov(first: np.ndarray, second: np.ndarray, k: int, seed: int = 0) -> float:
    """Estimate two numbers; `first` is the column that is less, byte by byte."""
    draws = np.random.RandomState(seed).standard_normal((2, len(first)))
    x, y = (np.abs(v[:, None] - v) for v in (noisy(first, draws[0]), noisy(second, draws[1])))
    k = min(k, len(first) - 1)
    radius = np.sort(np.maximum(x, y), axis=1)[:, [k]]
    near = [digamma((distance < radius).sum(axis=1)).mean() for distance in (x, y)]
    return max(0.0, float(digamma(len(first)) + digamma(k) - sum(near)))


def ross(number: np.ndarray, classes: np.ndarray, k: int, seed: int = 0) -> float:
    """Estimate a number and classes."""
    value = noisy(number, np.random.RandomState(seed).standard_normal(len(number)))
    kept = np.array([(classes == one).sum() > 1 for one in classes])
    value, classes, terms = value[kept], classes[kept], []
    for i in range(len(value)):
        distance = np.abs(value - value[i])
        own = np.sort(distance[classes == classes[i]])
        near = min(k, len(own) - 1)
        terms.append(digamma(near) - digamma(len(own)) - digamma((distance < own[near]).sum()))
    return max(0.0, float(digamma(len(value)) + np.mean(terms))) if terms else 0.0
