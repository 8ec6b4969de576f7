"""Rejected features that those given all but determine: tests could see next to nothing of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache
from math import sqrt

import numpy as np

from altsel._types import FloatArray
from altsel.data.columns import codes, moderate, numbers
from altsel.data.dataset import Dataset
from altsel.data.schema import Kind
from altsel.errors import DataWarning, listing
from altsel.results.feature_set import Role, Verdict
from altsel.runtime.caller import warn_caller
from altsel.stats.independence.base import innermost
from altsel.stats.independence.protocol import Independence

NEAR = 0.999
"""Multiple correlation with those given from which a feature is all but determined by them."""
UNSEEN = 1e-9
"""Share of a feature's variance below which tests take it for determined."""
NUMBERS = 100_000_000
"""Numbers that are looked at: of wider tables only features of p = 1 are."""
ROUNDING = 100 * np.finfo(float).eps
"""What rounding leaves of a column that others determine, relative to its largest value."""


def with_near_dependence(test: Independence, verdicts: Iterable[Verdict]) -> tuple[Verdict, ...]:
    """Return verdicts with the multiple correlation of rejected features and those given, above .999.

    Where given features that are no exact copies leave so little that p is 1 whatever the target, it warns.
    """
    words = tuple(verdicts)
    data = getattr(innermost(test), "data", None)
    if not isinstance(data, Dataset):
        return words
    separated = [one for one in words if one.role is Role.REJECTED and one.given and one.log_p is not None]
    if len(data.y) * sum(1 + len(one.given) for one in separated) > NUMBERS:
        separated = [one for one in separated if one.log_p == 0.0]
    column, known, unseen = _columns(data), dict[str, float](), list[str]()
    for one in separated:
        x, others = column(one.feature), [column(name) for name in one.given]
        if x is None or test.target == one.feature:
            continue
        held = [other for other in others if other is not None]
        left = _left(x, np.column_stack(held)) if held else 1.0
        correlation = sqrt(max(1.0 - left, 0.0))
        if correlation > NEAR:
            known[one.feature] = correlation
            if one.log_p == 0.0 and _by_rounding(data, one.feature) < left <= UNSEEN:
                unseen.append(one.feature)
    if unseen:
        warn_caller(
            f"of {listing(unseen)} those given leave so little that no test could see it (p = 1), though "
            "they are no copies: if they are powers or products of a column far from 0, such as a year, "
            "subtract its mean before; else leave out one of them",
            DataWarning,
        )
    return tuple(
        replace(one, determined=known[one.feature]) if one.feature in known else one for one in words
    )


def _columns(data: Dataset) -> Callable[[str], FloatArray | None]:
    """Return what finds a column of numbers, centred and of length 1; None of categories and other names."""
    kinds = {**data.kinds, data.target: data.target_kind}

    @cache
    def column(name: str) -> FloatArray | None:
        if kinds.get(name, Kind.CATEGORICAL) is Kind.CATEGORICAL:
            return None
        values = data.y if name == data.target else data.X[name]
        x = codes(values).astype(float) if kinds[name] is Kind.BINARY else moderate(numbers(values))
        x = x - x.mean()
        return np.asarray(x / np.sqrt(x @ x))

    return column


def _left(x: FloatArray, others: FloatArray) -> float:
    """Return the share of the squared length of a column that others leave."""
    rest = x - others @ np.linalg.lstsq(others, x, rcond=1e-14)[0]
    return float(rest @ rest)


def _by_rounding(data: Dataset, name: str) -> float:
    """Return the share that rounding alone leaves of an exact copy."""
    values = data.X[name] if name in data.features else data.y
    if not np.issubdtype(values.to_numpy().dtype, np.number):
        return ROUNDING**2
    x = values.to_numpy(dtype=float)
    scale = float(np.abs(x).max()) / max(float(x.std()), np.finfo(float).tiny)
    return (ROUNDING * max(scale, 1.0)) ** 2
