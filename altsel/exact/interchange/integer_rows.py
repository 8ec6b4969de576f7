"""Linear rules as rows of integers, which penalties need: a broken one is broken by 1 or more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor, gcd, inf, lcm

import numpy as np

from altsel.errors import ArgumentError
from altsel.exact.rules.linear_rules import rule_rows
from altsel.models.problem import Problem
from altsel.models.rule import Row

MOST_DIGITS = 10**6
"""Largest common denominator of a row's numbers, which are taken as the decimals that they print as."""
LARGEST = 10**12
"""Integers of a row are below: with more digits, numbers would not be the decimals that they print as."""
SCALES = range(-40, 41)
"""Powers of two by which rows may have been scaled."""


@dataclass(frozen=True)
class IntegerRow:
    """``sum_j c_j x_j <= limit``, or ``==``.

    Attributes
    ----------
    terms
        Coefficients that are not 0, by the index of the feature.
    limit
        The most that they may sum to.
    equal
        Whether they must sum to just that.
    """

    terms: dict[int, int]
    limit: int
    equal: bool = False

    @property
    def least(self) -> int:
        """Smallest sum that any features have."""
        return sum(c for c in self.terms.values() if c < 0)

    @property
    def most(self) -> int:
        """Largest sum that any features have."""
        return sum(c for c in self.terms.values() if c > 0)


def rows_of_rules(problem: Problem) -> list[Row] | None:
    """Return the rules of a problem as rows, without that of the size; None if they are more than rows."""
    rows = rule_rows(problem)
    if rows is None:
        return None
    return [(row, low, high) for row, low, high in rows if (low, high) != problem.sizes or (row != 1).any()]


def integer_rows(rows: Sequence[Row]) -> Iterator[IntegerRow]:
    """Yield rows of rules as rows of integers; those that nothing breaks are left out.

    Raises
    ------
    ArgumentError
        If a row has numbers of more than six decimals.

    Examples
    --------
    >>> list(integer_rows([(np.array([0.5, 1.25]), -inf, 1.5)]))
    [IntegerRow(terms={0: 2, 1: 5}, limit=6, equal=False)]
    """
    for row, low, high in rows:
        if low == high:
            yield _as_integers(row, high, equal=True)
            continue
        sides = [(row, high)] if high < inf else []
        sides += [(-row, -low)] if low > -inf else []
        for coefficients, limit in sides:
            made = _as_integers(coefficients, limit)
            if made.most > made.limit:
                yield made


def _as_integers(row: np.ndarray, limit: float, equal: bool = False) -> IntegerRow:
    """Write a row in integers, by the power of two that gives its numbers the fewest digits."""
    numbers = [*row[row != 0].tolist(), float(limit)]
    found = None
    for power in SCALES:
        decimals = [Fraction(repr(number * 2.0**power)) for number in numbers]
        common = lcm(*(one.denominator for one in decimals))
        short = common <= MOST_DIGITS and max(abs(one) * common for one in decimals) < LARGEST
        if short and (found is None or common < found[0]):
            found = common, decimals
        if short and common == 1:
            break
    if found is None:
        raise ArgumentError(
            "a rule has numbers of more than six decimals, and penalties need integers: round its numbers"
        )
    common, decimals = found
    whole = [int(one * common) for one in decimals]
    divisor = gcd(*whole[:-1]) or 1
    terms = {int(j): c // divisor for j, c in zip(np.flatnonzero(row), whole[:-1], strict=True)}
    exact = whole[-1] % divisor == 0
    if equal and not exact:  # no features sum to it: an equality that nothing keeps
        return IntegerRow(terms, sum(max(c, 0) for c in terms.values()) + 1, True)
    return IntegerRow(terms, floor(Fraction(whole[-1], divisor)), equal)
