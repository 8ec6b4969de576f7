"""What pairs of columns explain given those of a path, in numpy; see `altsel.exact.kernels.fit_steps`."""

from __future__ import annotations

import numpy as np

from altsel._types import IntArray
from altsel.exact.kernels.fit_data import EXCESS, INFLATED, LOOSE, UNCLEAR, Levels, Listing

FAR = 1e300
"""In the place of infinity, which times nothing is no number."""
BLOCK = 64
"""Rows of pairs at a time: their tables stay in the cache."""


def conditioned(levels: Levels, listing: Listing, t: int, i: int) -> float:
    """Fill the products and the growth of the columns before i, given i too; return the least that is left.

    That is the least diagonal entry over the square of its growth.
    """
    row, own = levels.a[t, i, :i], levels.a[t, i, i]
    factor = row / own
    given = levels.a[t + 1, :i, :i]
    np.multiply(factor[:, None], row, out=given)
    np.subtract(levels.a[t, :i, :i], given, out=given)
    levels.b[t + 1, :i] = levels.b[t, :i] - factor * levels.b[t, i]
    growth = listing.growth[t + 1]
    growth[:i] = listing.growth[t, :i] + np.abs(factor) * listing.growth[t, i]
    return float((levels.a[t + 1, :i, :i].diagonal() / growth[:i] ** 2).min())


def good_pairs(levels: Levels, listing: Listing, t: int, need: float, copied: float) -> int:
    """Note the pairs that may explain more than needed, and what each explains at most; return how many.

    With e what the second column has with the target given the first, and `left` what is left of it, a pair
    explains ``b_i^2 / a_ii + e^2 / left``. Its rounding is that of the products, times the square of the
    target's growth. Where the products do not tell a column, any pair may be good enough, but for copies,
    of which one explains what both do. Only pairs that may be good enough by a condition without a division
    are bounded.
    """
    first, second = _possible(levels, listing, t, need)
    if not len(first):
        return 0
    w, rounding = listing.positions[t], levels.rounding[t]
    a, b, growth = levels.a[t, :w, :w], levels.b[t, :w], listing.growth[t, :w]
    own = a.diagonal()
    hidden = own <= UNCLEAR * rounding * growth**2
    safe = np.where(hidden, 1.0, own)
    alone, coefficient = b * b / safe, b / safe
    factor = a[first, second] / safe[first]
    left = own[second] - factor * a[first, second]
    grown = growth[second] + np.abs(factor) * growth[first]
    unclear = (left <= UNCLEAR * rounding * grown**2) | hidden[first]
    rest = b[second] - factor * b[first]
    share = rest / np.where(unclear, 1.0, left)
    blur = listing.target_growth[t] + np.abs(coefficient[first]) * growth[first] + np.abs(share) * grown
    most = alone[first] + rest * share + INFLATED * rounding * blur**2
    copies = (listing.same[first] == listing.same[second]) & ~hidden[first] & ~hidden[second]
    larger = np.maximum(alone[first], alone[second])
    most[unclear] = np.where(copies[unclear], larger[unclear] + copied, np.inf)
    good = np.flatnonzero(most > need)
    count = len(good)
    listing.first[:count], listing.second[:count] = first[good], second[good]
    listing.most[:count] = most[good]
    return count


def _possible(levels: Levels, listing: Listing, t: int, need: float) -> tuple[IntArray, IntArray]:
    """Find the pairs that may be good enough by the condition of the twin, or that products do not tell.

    The growth of a pair is taken as that of the worst one of its row: that finds more pairs, and few.
    """
    w, rounding = listing.positions[t], levels.rounding[t]
    a, b, growth = levels.a[t, :w, :w], levels.b[t, :w], listing.growth[t, :w]
    own, vague = a.diagonal(), UNCLEAR * rounding
    hidden = own <= vague * growth**2
    inverse = 1.0 / np.where(hidden, 1.0, own)
    along, grown = b * inverse, growth * inverse
    blur = listing.target_growth[t] + np.abs(along) * growth
    missing = np.maximum(need - b * along - LOOSE * rounding * blur**2, -FAR)
    found = []
    for low in range(0, w, BLOCK):
        rows, wide = slice(low, low + BLOCK), min(low + BLOCK, w)
        row = a[rows, :wide]
        largest = np.abs(row).max(axis=1)
        left = row * row
        left *= inverse[rows, None]
        np.subtract(own[:wide], left, out=left)
        good = left <= (vague * (growth[:wide].max() + largest * grown[rows]) ** 2)[:, None]
        rest = row * along[rows, None]
        np.subtract(b[:wide], rest, out=rest)
        rest *= rest
        rest *= EXCESS
        left *= missing[rows, None]
        good |= rest > left
        good |= hidden[rows, None]
        first, second = np.nonzero(good)
        before = second < first + low
        found.append((first[before] + low, second[before]))
    firsts, seconds = zip(*found, strict=True)
    return np.concatenate(firsts), np.concatenate(seconds)
