"""Whether sets keep what a user's rule says: evaluated as it was written, its own variables tried out.

0/1 and logical variables take all their values in turn, and so do the segments of piecewise functions and the
windows of ordered sets. What is left is linear in the other variables: SciPy looks for the point that misses
the rows least. A convex row is held against its least value on the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product
from typing import Any

import numpy as np
import pyomo.environ as pyo
from scipy.optimize import Bounds, LinearConstraint, milp

from benchmarks.exactness.rules import RELATIVE
from benchmarks.exactness.written.curved import least_value
from benchmarks.exactness.written.reading import Reading, Row

CLEAR = 1e-4
"""Miss of rows by variables of the rule's own that is no matter of a solver's tolerance."""
OTHER = 1.7
"""A value at which rows are tried for being linear."""
Verdict = bool | None


def decide(reading: Reading, sets: Sequence[frozenset[str]], quality: float = 0.0) -> Verdict:
    """Return whether sets keep a rule; None if that is a matter of rounding."""
    for (i, f), x in reading.x.items():
        x.set_value(int(f in sets[i]), skip_validation=True)
    reading.quality.set_value(quality, skip_validation=True)
    if not all(reading.truths) or not all(low <= x.value <= high for x, low, high in reading.moved):
        return False
    fixed = [row for row in reading.rows if row.owner is None and row.known]
    said = _every(_kept(row) for row in fixed)
    if said is False or not (reading.binaries or reading.booleans or reading.tied or _has_more(reading)):
        return said
    verdicts = (_every([said, one]) for one in _by_choices(reading, fixed))
    return _any(verdicts)


def _has_more(reading: Reading) -> bool:
    return bool(reading.choices or reading.numbers or reading.logic or reading.disjunctions)


def _by_choices(reading: Reading, fixed: list[Row]) -> Iterator[Verdict]:
    """Decide for each way to choose 0/1 variables, logic, segments and windows."""
    left = [row for row in reading.rows if not any(row is one for one in fixed)]
    free = [*reading.binaries, *reading.booleans]
    for values in product([0, 1], repeat=len(free)):
        for v, value in zip(free, values, strict=True):
            v.set_value(bool(value) if v.ctype is pyo.BooleanVar else value, skip_validation=True)
        for v in reading.tied:
            v.set_value(pyo.value(v.get_associated_binary()) > 0.5, skip_validation=True)
        if not _logic_holds(reading):
            continue
        rows = [row for row in left if row.owner is None or pyo.value(row.owner.binary_indicator_var) > 0.5]
        for parts in product(*reading.choices):
            yield _linear(reading, [*rows, *(row for part in parts for row in part)])


def _logic_holds(reading: Reading) -> bool:
    def is_on(owner: Any) -> bool:
        return owner is None or pyo.value(owner.binary_indicator_var) > 0.5

    for one, owner in reading.logic:
        if is_on(owner) and not pyo.value(one.body):
            return False
    for one, owner in reading.disjunctions:
        number = sum(pyo.value(part.binary_indicator_var) > 0.5 for part in one.disjuncts)
        if is_on(owner) and (number != 1 if one.xor else number < 1):
            return False
    return True


def _linear(reading: Reading, rows: Sequence[Row]) -> Verdict:
    """Decide whether the numbers of a rule can be chosen so that rows hold."""
    said = _every(_kept(row) for row in rows if not row.own)
    held = [row for row in rows if row.own]
    if said is False or not held:
        return said
    curved = [row for row in held if row.is_curved]
    if curved:
        return _every([said, _curved(reading, curved[0], [row for row in held if row not in curved])])
    table, low, high = _table(reading.numbers, held)
    fuzzy = np.array([row.fuzzy for row in held])
    if not _can_be(reading.numbers, table, low, high, np.full(len(held), CLEAR)):
        return False
    sure = _can_be(reading.numbers, table, low, high, np.where(fuzzy, -CLEAR, 0.0))
    return said if sure else None


def _table(numbers: Sequence[Any], held: Sequence[Row]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the coefficients and ends of rows that are linear in the numbers of a rule."""
    place = {id(v): j for j, v in enumerate(numbers)}
    table = np.zeros((len(held), len(numbers)))
    low, high = np.full(len(held), -np.inf), np.full(len(held), np.inf)
    for i, row in enumerate(held):
        constant, weights = _affine(row)
        table[i, [place[id(v)] for v in row.own]] = weights
        _, least, most = row.bounded
        low[i] = -np.inf if least is None else least - constant
        high[i] = np.inf if most is None else most - constant
    return table, low, high


def _curved(reading: Reading, row: Row, held: Sequence[Row]) -> Verdict:
    """Decide whether a convex row can be kept beside linear ones; it is the only one of its rule."""
    constant, linear, form = _quadratic(row, reading.numbers)
    _, low, high = row.bounded
    most = high if high is not None else 0.0
    if low is not None:  # the row the other way round
        constant, linear, form, most = -constant, -linear, -form, -low
    table, low_ends, high_ends = _table(reading.numbers, held)
    ends = np.array([[v.lb, v.ub] for v in reading.numbers], dtype=float)
    value = least_value(form, linear, LinearConstraint(table, low_ends, high_ends), ends)
    miss = None if value is None else value + constant - most
    return None if miss is None or abs(miss) <= CLEAR * (1 + abs(most)) else miss < 0


def _quadratic(row: Row, numbers: Sequence[Any]) -> tuple[float, np.ndarray, np.ndarray]:
    """Return constant, linear and quadratic coefficients of a row in the numbers of a rule."""

    def at(values: np.ndarray) -> float:
        for v, value in zip(numbers, values.tolist(), strict=True):
            v.set_value(value, skip_validation=True)
        return float(pyo.value(row.bounded[0]))

    unit = np.eye(len(numbers))
    constant = at(np.zeros(len(numbers)))
    ahead, back = (np.array([at(sign * one) - constant for one in unit]) for sign in (1, -1))
    form = np.diag((ahead + back) / 2)
    for i, j in combinations(range(len(numbers)), 2):
        form[i, j] = form[j, i] = (at(unit[i] + unit[j]) - constant - ahead[i] - ahead[j]) / 2
    return constant, (ahead - back) / 2, form


def _affine(row: Row) -> tuple[float, list[float]]:
    """Return constant and coefficients of a row that is linear in the numbers of a rule."""
    body = row.bounded[0]

    def at(values: Sequence[float]) -> float:
        for v, value in zip(row.own, values, strict=True):
            v.set_value(value, skip_validation=True)
        return float(pyo.value(body))

    zero = [0.0] * len(row.own)
    constant = at(zero)
    weights = [at([float(i == j) for i in range(len(zero))]) - constant for j in range(len(zero))]
    other = at([OTHER] * len(zero))
    if abs(other - constant - OTHER * sum(weights)) > RELATIVE * max(1.0, abs(other)):
        raise ValueError(f"the brute force takes linear rows only: {body}")
    return constant, weights


def _can_be(
    numbers: Sequence[Any], table: np.ndarray, low: np.ndarray, high: np.ndarray, slack: np.ndarray
) -> bool:
    """Return whether numbers can be chosen so that rows are missed by no more than a slack."""
    equal = low == high
    least = [-np.inf if v.lb is None else v.lb for v in numbers]
    most = [np.inf if v.ub is None else v.ub for v in numbers]
    found = milp(
        np.zeros(len(numbers)),
        integrality=np.array([int(v.is_integer()) for v in numbers]),
        bounds=Bounds(least, most),
        constraints=LinearConstraint(
            table, np.where(equal, low, low - slack), np.where(equal, high, high + slack)
        ),
    )
    if found.status not in {0, 2}:
        raise ValueError(f"the brute force cannot tell: {found.message}")
    return bool(found.status == 0)


def _kept(row: Row) -> Verdict:
    """Return whether a row without unknown numbers holds."""
    body, low, high = row.bounded
    value = float(pyo.value(body))
    ends = [abs(end) for end in (low, high) if end is not None]
    hair = RELATIVE * max([1.0, abs(value), *ends])
    miss = max(-np.inf if low is None else low - value, -np.inf if high is None else value - high)
    if abs(miss) <= hair and (row.fuzzy or miss > 0):
        return None
    return bool(miss <= 0)


def _every(verdicts: Any) -> Verdict:
    return _decided(verdicts, by=False)


def _any(verdicts: Any) -> Verdict:
    return _decided(verdicts, by=True)


def _decided(verdicts: Iterable[Verdict], by: bool) -> Verdict:
    """Return the verdict that one alone decides, or the other; None if some might have been that one."""
    unsure = False
    for one in verdicts:
        if one is by:
            return by
        unsure |= one is None
    return None if unsure else not by
