"""Stability selection: features of which few are selected wrongly, in the mean."""

from __future__ import annotations

from enum import StrEnum

import numpy as np

from altsel.analysis.resampling import Scheme
from altsel.errors import ArgumentError, listing, no_negative, of_kind
from altsel.results.stability import Stability
from altsel.results.stable_selection import StableFeature, StableSelection
from altsel.stats.stable_selection import ROUNDING, r_concave, unimodal, worst_case


class Assumption(StrEnum):
    """What is assumed of the share of pairs in which a wrong feature is selected.

    Examples
    --------
    >>> Assumption("unimodal").value
    'unimodal'
    """

    NONE = "none"
    UNIMODAL = "unimodal"
    R_CONCAVE = "r-concave"


COUNTED = ("any set", "first set")
"""Which features of a half count as selected."""


def stable_selection(
    stability: Stability,
    errors: float = 1.0,
    *,
    threshold: float | None = None,
    assumption: Assumption | str = Assumption.UNIMODAL,
    of: str = "any set",
) -> StableSelection:
    r"""Select features that a search finds in many halves of the rows, with a bound on wrong ones.

    Rows are split into halves B times. Selected are the features in a share of at least :math:`\tau` of the
    2B halves. With q of p features in a half, in the mean, *wrong* are those that the search selects in a
    half with a probability of at most q / p. For any search, data and dependence among features, at most
    :math:`q^2 / (p (2 \tau - 1))` wrong ones are selected in the mean (per-family error rate); fewer if
    the share of pairs whose halves both select such a feature has a distribution with one peak, or an
    r-concave one. A feature that tells nothing is wrong in this sense unless the search prefers it to the
    average one.

    Parameters
    ----------
    stability
        What `altsel.stability` returned with ``scheme="complementary-pairs"``.
    errors
        Wanted bound on the mean number of wrong features: :math:`\tau` is the smallest threshold that keeps
        to it.
    threshold
        :math:`\tau`, above 0.5 and up to 1, instead.
    assumption
        ``"none"``, ``"unimodal"``, the default, or ``"r-concave"``: which bound is kept.
    of
        ``"any set"``: features that any set found in a half has, so the bound is of the whole family;
        ``"first set"``: those of the first.

    Returns
    -------
    StableSelection
        The features, their shares and all three bounds.

    Raises
    ------
    ArgumentError
        If the resamples are no complementary pairs, or an argument is wrong.

    References
    ----------
    Shah and Samworth, J. R. Stat. Soc. B 75 (2013); Meinshausen and Bühlmann, J. R. Stat. Soc. B 72 (2010).

    Examples
    --------
    >>> import altsel
    >>> random = np.random.default_rng(0)
    >>> values = random.normal(size=(100, 12))
    >>> data = altsel.Dataset(values, values[:, :2].sum(axis=1) + random.normal(size=100))
    >>> search = lambda rows: [altsel.ranking.mim(rows, 3)[0].features]
    >>> found = altsel.stability(search, data, 40, scheme="complementary-pairs")
    >>> stable_selection(found, errors=0.5).selected
    ('x0', 'x1')
    """
    of_kind("stability", stability, Stability, "what altsel.stability returned")
    kept = _assumption(assumption)
    if of not in COUNTED:
        raise ArgumentError(f"of={of!r}; use {listing(COUNTED)}")
    pairs = _pairs(stability)
    shares = stability.frequencies()[f"in {'the first set' if of == 'first set' else 'any set'}"].to_numpy()
    size, count = float(shares.sum()), len(shares)
    if threshold is None:
        no_negative("errors", errors)
        least = _smallest(float(errors), size, count, pairs, kept)
    else:
        least = _checked(threshold)
    worst, peak, concave = (None, None, None) if least is None else _bounds(size, count, least, pairs)
    chosen = shares >= (np.inf if least is None else least - ROUNDING)
    stable = zip(stability.features, shares.tolist(), chosen.tolist(), strict=True)
    return StableSelection(
        tuple(StableFeature(*one) for one in stable),
        least,
        None if least is None else _bound(size, count, least, pairs, kept),
        kept.value,
        worst,
        peak,
        concave,
        size,
        pairs,
        of,
        stability.target,
    )


def _assumption(given: Assumption | str) -> Assumption:
    try:
        return Assumption(given)
    except ValueError as fault:
        raise ArgumentError(f"assumption={given!r}; use {listing(Assumption)}") from fault


def _pairs(stability: Stability) -> int:
    number = len(stability)
    if stability.scheme != Scheme.PAIRS or number < 2 or number % 2:
        raise ArgumentError(
            f"the bounds are for complementary pairs, not for {number} resamples by {stability.scheme!r}: "
            "altsel.stability(search, data, 100, scheme='complementary-pairs')"
        )
    return number // 2


def _checked(threshold: float) -> float:
    number = isinstance(threshold, (int, float)) and not isinstance(threshold, bool)
    if not number or not 0.5 < threshold <= 1:
        raise ArgumentError(f"threshold={threshold!r}; use a number above 0.5 and up to 1")
    return float(threshold)


def _bounds(size: float, count: int, threshold: float, pairs: int) -> tuple[float, float | None, float]:
    """Return the bounds without assumptions, for one peak, and for r-concave shares."""
    known = (size, count, threshold)
    return worst_case(*known), unimodal(*known, pairs), r_concave(*known, pairs)


def _bound(size: float, count: int, threshold: float, pairs: int, kept: Assumption) -> float:
    """Return the bound under an assumption, that of none where it is smaller or the other is not for it."""
    worst = worst_case(size, count, threshold)
    if kept is Assumption.NONE:
        return worst
    one = (unimodal if kept is Assumption.UNIMODAL else r_concave)(size, count, threshold, pairs)
    return worst if one is None else min(one, worst)


def _smallest(errors: float, size: float, count: int, pairs: int, kept: Assumption) -> float | None:
    """Return the smallest threshold that keeps to a number of errors; bounds fall with it."""
    first, last = pairs + 1, 2 * pairs
    if _bound(size, count, 1.0, pairs, kept) > errors:
        return None
    while first < last:
        middle = (first + last) // 2
        if _bound(size, count, middle / (2 * pairs), pairs, kept) <= errors:
            last = middle
        else:
            first = middle + 1
    return last / (2 * pairs)
