"""How much selections differ: Nogueira's measure of sets, and the best matching of collections of sets."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from altsel._types import BoolArray, FloatArray
from altsel.results.estimate import Estimate
from altsel.runtime.on_demand import OnDemand
from altsel.runtime.progress import counted

optimize: Any = OnDemand("scipy.optimize")
normal: Any = OnDemand("scipy.special")

Names = tuple[str, ...]


def nogueira(selected: npt.ArrayLike, confidence: float = 0.95) -> Estimate | None:
    """Return Nogueira's measure of the stability of selections, with its asymptotic interval.

    With ``p_f`` the share of M selections that have feature f of d, and k their mean size,
    ``phi = 1 - (M / (M - 1)) mean_f p_f (1 - p_f) / ((k / d) (1 - k / d))``: 1 for selections that are all
    the same, 0 expected of random ones of any sizes. Its variance is ``4 / M^2 sum_i (phi_i - mean phi)^2``.

    Parameters
    ----------
    selected
        Whether a selection has a feature; shape (selections, features).
    confidence
        Of the interval.

    Returns
    -------
    Estimate or None
        None where it is not defined: all features selected always, none ever, or fewer than two runs.

    References
    ----------
    Nogueira, Sechidis and Brown, Journal of Machine Learning Research 18 (2018), definition 4 and theorem 7.

    Examples
    --------
    >>> print(nogueira([[1, 1, 0], [0, 1, 1], [1, 0, 1]]))
    -0.5 ± 0
    """
    table = np.asarray(selected, dtype=float)
    runs, number = table.shape
    share, sizes = table.mean(axis=0), table.sum(axis=1) / number
    mean = float(sizes.mean())
    expected = mean * (1 - mean)
    if runs < 2 or expected <= 0:
        return None
    value = 1 - runs / (runs - 1) * float((share * (1 - share)).mean()) / expected
    own = (table * share).mean(axis=1) - sizes * mean + value / 2 * (2 * mean * sizes - sizes - mean + 1)
    own /= expected
    return _with_interval(value, 4 / runs**2 * float(((own - own.mean()) ** 2).sum()), confidence)


def dice(first: BoolArray, second: BoolArray) -> FloatArray:
    """Return the similarity ``2 |A n B| / (|A| + |B|)`` of all pairs of sets, 1 for two empty ones.

    Parameters
    ----------
    first, second
        Membership; shapes (sets, features).

    Returns
    -------
    array
        Shape (sets of the first, sets of the second).

    Examples
    --------
    >>> dice(np.array([[True, True, False]]), np.array([[True, False, False], [False, False, True]])).round(3)
    array([[0.667, 0.   ]])
    """
    common = first.astype(float) @ second.astype(float).T
    sizes = first.sum(axis=1)[:, None] + second.sum(axis=1)[None]
    return np.where(sizes > 0, 2 * common / np.maximum(sizes, 1), 1.0)


def matching(first: BoolArray, second: BoolArray) -> float:
    """Return how similar two collections of sets are: the best matching of their sets, by Dice.

    ``S(A, B) = max_m sum_{(a, b) in m} Dice(a, b) / max(|A|, |B|)`` over the one-to-one matchings m of
    sets of A with sets of B. Sets left over where one collection has more count as 0. Two collections without
    sets have similarity 1, one without sets and one with any 0. It is 1 if and only if the
    collections are the same, in whatever order.

    Parameters
    ----------
    first, second
        Membership of the sets; shapes (sets, features).

    References
    ----------
    Kuhn, Naval Research Logistics 2 (1955), for the assignment problem.

    Examples
    --------
    >>> a, b = np.array([[True, False], [False, True]])
    >>> matching(np.array([a, b]), np.array([b, a])), matching(np.array([a, b]), np.array([a]))
    (1.0, 0.5)
    """
    largest = max(len(first), len(second))
    if not largest:
        return 1.0
    if not len(first) or not len(second):
        return 0.0
    similar = dice(first, second)
    return float(similar[optimize.linear_sum_assignment(similar, maximize=True)].sum()) / largest


def stability_of_collections(collections: Sequence[BoolArray], confidence: float = 0.95) -> Estimate | None:
    """Return the mean similarity by `matching` of all pairs of collections, with its interval.

    The mean over pairs is a U-statistic U of degree two; with ``h_i`` the mean similarity of collection i and
    the others, its variance is about ``4 / (M (M - 1)) sum_i (h_i - U)^2`` (Hoeffding 1948).

    Returns
    -------
    Estimate or None
        None for fewer than two collections.

    Examples
    --------
    >>> a, b = np.array([[[True, False]], [[False, True]]])
    >>> print(stability_of_collections([a, a, b]))
    0.333 ± 0.65
    """
    runs = len(collections)
    if runs < 2:
        return None
    similar = np.zeros((runs, runs))
    for i in counted(range(runs), runs, "rows of similarities"):
        for j in range(i):
            similar[i, j] = similar[j, i] = matching(collections[i], collections[j])
    own = similar.sum(axis=1) / (runs - 1)
    value = float(own.mean())
    return _with_interval(value, 4 / (runs * (runs - 1)) * float(((own - value) ** 2).sum()), confidence)


def membership(sets: Collection[Names], features: Sequence[str]) -> BoolArray:
    """Return which set has which feature; shape (sets, features).

    Examples
    --------
    >>> membership([("b",)], ["a", "b"]).tolist()
    [[False, True]]
    """
    rows = [[name in held for name in features] for held in map(frozenset, sets)]
    return np.array(rows, dtype=bool).reshape(len(sets), len(features))


def _with_interval(value: float, variance: float, confidence: float) -> Estimate:
    reach = float(normal.ndtri((1 + confidence) / 2)) * variance**0.5
    return Estimate(value, value - reach, value + reach)
