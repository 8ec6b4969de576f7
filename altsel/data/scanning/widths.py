"""Whether counts of all pairs of levels have room, and what helps where they have none."""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt

from altsel.errors import ArgumentError, listing
from altsel.runtime.memory import require, size_text, tables

WIDEST_TABLE = 400_000_000
"""Bytes that the table of all pairs may take."""
CELL = 8
"""Bytes of a cell."""
SQUARES = 7
"""Tables of all pairs of numbers held while their products are summed; found by measuring."""
NAMED = 3
"""So many columns are named, if they have most of the levels."""


def too_wide(sizes: Sequence[int], names: Sequence[str], pairs: bool) -> str | None:
    """Return why counts would take too many bytes, and what helps; None if they do not.

    Parameters
    ----------
    sizes
        Levels of each column, the target last.
    names
        The columns.
    pairs
        Whether all pairs are counted, or each column with the target.

    Examples
    --------
    >>> too_wide([5] * 3000 + [2], [f"f{j}" for j in range(3000)] + ["y"], pairs=True)[:63]
    'counts of 15,002 levels of 3,001 columns need 1.8 GB, more than'
    >>> too_wide([5] * 1000 + [2], [f"f{j}" for j in range(1000)] + ["y"], pairs=True) is None
    True
    """
    levels, needed = sum(sizes), bytes_of(sizes, pairs)
    if needed <= WIDEST_TABLE:
        return None
    what = f"counts of {levels:,} levels"
    takes = f"need {size_text(needed)}, more than the {size_text(WIDEST_TABLE)} that they may take"
    widest = _widest(sizes, names)
    if widest:
        found = f"{what}, most of them of {listing(widest)}, {takes}: leave out columns that name the rows "
        found += "(drop=)"
    else:
        found = f"{what} of {len(names):,} columns {takes}: cut numbers into fewer bins (bins=), leave out "
        found += "columns (drop=), or use scan.sample(100_000, random_state=0)"
    if not pairs:
        return found
    most = isqrt(WIDEST_TABLE // CELL)
    alone = "counts with the target alone: scan.statistics(pairs=False)"
    return f"{found}; all pairs of {most:,} levels have room, or {alone}"


def _widest(sizes: Sequence[int], names: Sequence[str]) -> list[str]:
    """Return the few columns that have most of the levels; none if these are more than a few."""
    order = sorted(range(len(sizes)), key=lambda j: -sizes[j])[:NAMED]
    found = [j for rank, j in enumerate(order) if 2 * sum(sizes[one] for one in order[:rank]) <= sum(sizes)]
    return [names[j] for j in found] if 2 * sum(sizes[j] for j in found) > sum(sizes) else []


def refuse_wide(sizes: Sequence[int], names: Sequence[str], pairs: bool) -> None:
    """Raise an ArgumentError if counts would take too many bytes, or more than there are."""
    found = too_wide(sizes, names, pairs)
    if found is not None:
        raise ArgumentError(found)
    fix = "cut numbers into fewer bins (bins=), or leave out columns (drop=)"
    require(3 * bytes_of(sizes, pairs), f"counts of {sum(sizes):,} levels", fix)


def refuse_many_numbers(numbers: int) -> None:
    """Raise an ArgumentError if sums of products of so many numbers would take more bytes than there are."""
    needed, what = tables(numbers + 1, SQUARES)
    require(needed, f"sums of products: {what}", "leave out columns (drop=)")


def bytes_of(sizes: Sequence[int], pairs: bool) -> int:
    """Return how many bytes the counts take."""
    return CELL * sum(sizes) * (sum(sizes) if pairs else sizes[-1])
