"""Bounds on the error of any classifier that sees a set of discrete features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.data.dataset import Dataset, checked_dataset
from altsel.errors import ArgumentError, DataError, list_of_names, listing, of_kind
from altsel.results.feature_set import ErrorBounds
from altsel.results.solutions import Solutions
from altsel.runtime.on_demand import OnDemand
from altsel.stats.discrete.information import discretised

optimize: Any = OnDemand("scipy.optimize")


def error_bounds(data: Dataset, features: Sequence[str], *, bins: int = 5) -> tuple[ErrorBounds, ErrorBounds]:
    """Bound the Bayes error of classifying the target by some features, from ``H(C | S)``.

    Above by ``P_err <= H(C | S) / 2`` in bits (Hellman and Raviv), and by the share of all classes
    but the most frequent one; below by Fano's inequality ``H(C | S) <= h(P_err) + P_err log2(r - 1)``
    for r classes. The plug-in entropy is too small, and for sets of many values far too small:
    the correction of Miller and Madow adds ``(cells of (S, C) - cells of S) / 2n`` nats, capped
    at H(C).

    Parameters
    ----------
    data
        A target of classes; numbers among the features are cut into bins of equal frequency.
    features
        The set S.
    bins
        Number of bins.

    Returns
    -------
    tuple
        Bounds from the plug-in entropy, and from the corrected one.

    Raises
    ------
    DataError
        If the target holds no classes.
    ArgumentError
        If a feature is unknown.

    References
    ----------
    Yu, Liu and Li (2021), equation 14 and section 6; Hellman and Raviv, IEEE Transactions on Information
    Theory 16 (1970); Miller, 1955.

    Examples
    --------
    >>> import altsel
    >>> data = altsel.Dataset({"a": [0, 0, 1, 1] * 5, "b": [0, 1] * 10}, [0, 0, 0, 1] * 5)
    >>> plug_in, corrected = error_bounds(data, ["a"])
    >>> round(plug_in.lower, 4), plug_in.upper, round(corrected.entropy, 4)
    (0.11, 0.25, 0.5361)
    """
    checked_dataset("error_bounds", data)
    if not data.discrete_target:
        raise DataError(f"error bounds need classes; the target {data.target!r} holds numbers")
    index = {name: j for j, name in enumerate(data.features)}
    names = list_of_names("features", features)
    absent = [name for name in names if name not in index]
    if absent:
        raise ArgumentError(f"there is no feature {listing(absent)}")
    columns, target = discretised(data, bins)
    strata, number = columns.strata([index[name] for name in names])
    classes = int(target.max()) + 1
    counts = np.bincount(strata * classes + target, minlength=number * classes).reshape(number, classes)
    counts = counts[counts.any(axis=1)]
    shares = np.bincount(target) / len(target)
    most = _entropy_of(shares)
    plug_in = min(_conditional_entropy(counts), most)
    cells = int((counts > 0).sum()) - len(counts)
    corrected = float(min(plug_in + cells / (2 * len(target) * np.log(2)), most))
    trivial = float(1 - shares.max())
    return _bounds(plug_in, classes, trivial, False), _bounds(corrected, classes, trivial, True)


def with_error_bounds(found: Solutions, data: Dataset, *, bins: int = 5) -> Solutions:
    """Add the error bounds of every set to a result.

    Parameters
    ----------
    found
        Any solutions.
    data
        A target of classes; see `error_bounds`.
    bins
        Number of bins for numbers.

    Examples
    --------
    >>> from altsel import Dataset, blankets, independence
    >>> data = Dataset({"a": [0, 1, 0, 1, 1] * 20, "b": [0, 0, 1, 1, 1] * 20}, [0, 1, 0, 1, 0] * 20)
    >>> found = blankets.iamb(independence.GSquare(data))
    >>> plug_in, corrected = with_error_bounds(found, data)[0].error
    >>> round(plug_in.upper, 3) + 0
    0.2
    """
    of_kind("found", found, Solutions, "the Solutions of a search")
    sets = tuple(replace(subset, error=error_bounds(data, subset.features, bins=bins)) for subset in found)
    return replace(found, sets=sets)


def _bounds(entropy: float, classes: int, trivial: float, corrected: bool) -> ErrorBounds:
    return ErrorBounds(entropy, fano(entropy, classes), min(entropy / 2, trivial), corrected)


def fano(entropy: float, classes: int) -> float:
    """Find the smallest error rate that admits a conditional entropy, in bits.

    Examples
    --------
    >>> round(fano(1.0, 2), 6), fano(0.0, 2)
    (0.5, 0.0)
    """
    most = (classes - 1) / classes

    def excess(error: float) -> float:
        binary = _entropy_of(np.array([error, 1 - error]))
        return binary + error * float(np.log2(max(classes - 1, 1))) - entropy

    if entropy <= 0:
        return 0.0
    return most if excess(most) <= 0 else float(optimize.brentq(excess, 0.0, most, xtol=1e-14))


def _entropy_of(shares: FloatArray) -> float:
    shares = shares[shares > 0]
    return float(-(shares * np.log2(shares)).sum())


def _conditional_entropy(counts: IntArray) -> float:
    """``H(C | S)`` in bits, from counts of shape (strata, classes)."""
    sizes = counts.sum(axis=1, keepdims=True)
    shares = counts / sizes
    logs = np.log2(shares, out=np.zeros_like(shares), where=counts > 0)
    return float(max(-(counts * logs).sum() / counts.sum(), 0.0))
