"""Bounds on the error of any classifier that sees a set of discrete features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.data.dataset import Dataset, checked_dataset
from altsel.errors import ArgumentError, DataError, absence, list_of_names, listing, of_kind
from altsel.results.feature_set import ErrorBounds, FeatureSet
from altsel.results.solutions import Solutions
from altsel.runtime.on_demand import OnDemand
from altsel.stats.discrete.information import discretised

optimize: Any = OnDemand("scipy.optimize")

ROWS = 10
"""Rows for each class but one that combinations of values must have, in the mean, to bound an error."""


def error_bounds(data: Dataset, features: Sequence[str], *, bins: int = 5) -> tuple[ErrorBounds, ErrorBounds]:
    """Bound the Bayes error of classifying the target by some features, from ``H(C | S)``.

    Above by ``P_err <= H(C | S) / 2`` in bits (Hellman and Raviv), and by the share of all classes
    but the most frequent one; below by Fano's inequality ``H(C | S) <= h(P_err) + P_err log2(r - 1)``
    for r classes. The plug-in entropy is too small, and for sets of many values far too small:
    the correction of Miller and Madow adds ``(cells of (S, C) - cells of S) / 2n`` nats, capped
    at H(C). With fewer than ``10 (r - 1)`` rows for each combination of values neither says anything (of
    five numbers and 300 rows 1.8 % for a true 26 %), and there are no bounds. Numbers are cut into bins, and
    a classifier that sees them uncut may err less, so that the lower bound of a set with numbers is 0.

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
        If the target holds no classes, or combinations of values have fewer rows than that in the mean.
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
    counts, exact = _count_classes(data, features, bins)
    if not _enough_rows(counts):
        raise DataError(
            f"no bound on the error: {len(counts):,} combinations of values in {counts.sum():,} rows, and "
            f"each needs {_needed(counts)}; altsel.performance measures the error of a model"
        )
    return _bounds_of(counts, exact)


def _needed(counts: IntArray) -> int:
    """Rows that each combination of values needs; counts have shape (combinations, classes)."""
    return ROWS * max(int(counts.shape[1]) - 1, 1)


def _enough_rows(counts: IntArray) -> bool:
    return int(counts.sum()) >= _needed(counts) * len(counts)


def _count_classes(data: Dataset, features: Sequence[str], bins: int) -> tuple[IntArray, bool]:
    """Count the classes of each combination of values that occurs; tell whether no number was cut."""
    checked_dataset("error_bounds", data)
    if not data.discrete_target:
        raise DataError(f"error bounds need classes; the target {data.target!r} holds numbers")
    index = {name: j for j, name in enumerate(data.features)}
    names = list_of_names("features", features)
    absent = [name for name in names if name not in index]
    if absent:
        why = absence(absent[0], index, data.absent)
        raise ArgumentError(f"there is no feature {listing(absent)}{why}")
    columns, target = discretised(data, bins)
    strata, number = columns.strata([index[name] for name in names])
    classes = int(target.max()) + 1
    counts = np.bincount(strata * classes + target, minlength=number * classes).reshape(number, classes)
    uncut = data.discrete()
    return counts[counts.any(axis=1)], all(uncut[index[name]] for name in names)


def _bounds_of(counts: IntArray, exact: bool) -> tuple[ErrorBounds, ErrorBounds]:
    """Compute both bounds of counts."""
    classes, shares = counts.shape[1], counts.sum(axis=0) / counts.sum()
    most = _entropy_of(shares)
    plug_in = min(_conditional_entropy(counts), most)
    cells = int((counts > 0).sum()) - len(counts)
    corrected = float(min(plug_in + cells / (2 * counts.sum() * np.log(2)), most))
    trivial = float(1 - shares.max())
    first, second = (
        ErrorBounds(entropy, fano(entropy, classes) if exact else 0.0, min(entropy / 2, trivial), better)
        for entropy, better in ((plug_in, False), (corrected, True))
    )
    return first, second


def with_error_bounds(found: Solutions, data: Dataset, *, bins: int = 5) -> Solutions:
    """Add the error bounds of every set to a result; sets with too few rows for them get none.

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
    return replace(found, sets=tuple(_with_bounds(subset, data, bins) for subset in found))


def _with_bounds(subset: FeatureSet, data: Dataset, bins: int) -> FeatureSet:
    counts, exact = _count_classes(data, subset.features, bins)
    return replace(subset, error=_bounds_of(counts, exact) if _enough_rows(counts) else ())


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
