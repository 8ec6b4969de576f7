"""What pairs of columns explain given those of a path, in numpy; see `altsel.exact.kernels.fit_steps`."""

from __future__ import annotations

import numpy as np

from altsel.exact.kernels.fit_data import INFLATED, UNCLEAR, Levels, Listing


def conditioned(levels: Levels, listing: Listing, t: int, i: int) -> float:
    """Fill the products and the growth of the columns before i, given i too; return the least that is left.

    That is the least diagonal entry over the square of its growth.
    """
    row, own = levels.a[t, i, :i], levels.a[t, i, i]
    factor = row / own
    levels.a[t + 1, :i, :i] = levels.a[t, :i, :i] - factor[:, None] * row
    levels.b[t + 1, :i] = levels.b[t, :i] - factor * levels.b[t, i]
    growth = listing.growth[t + 1]
    growth[:i] = listing.growth[t, :i] + np.abs(factor) * listing.growth[t, i]
    return float((levels.a[t + 1, :i, :i].diagonal() / growth[:i] ** 2).min())


def good_pairs(levels: Levels, listing: Listing, t: int, need: float, copied: float) -> int:
    """Note the pairs that may explain more than needed, and what each explains at most; return how many.

    With e what the second column has with the target given the first, and `left` what is left of it, a pair
    explains ``b_i^2 / a_ii + e^2 / left``. Its rounding is that of the products, times the square of the
    target's growth. Where the products do not tell a column, any pair may be good enough, but for copies,
    of which one explains what both do.
    """
    w, rounding = listing.positions[t], levels.rounding[t]
    a, b, growth = levels.a[t, :w, :w], levels.b[t, :w], listing.growth[t, :w]
    own = a.diagonal()
    hidden = own <= UNCLEAR * rounding * growth**2
    safe = np.where(hidden, 1.0, own)
    alone, coefficient = b * b / safe, b / safe
    first, second = np.tril_indices(w, -1)
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
