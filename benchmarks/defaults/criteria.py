"""Sets of features that altsel chooses."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TypeVar

import altsel
from altsel.models import Objective

LIMIT = 10
"""Seconds of a search; what is best by then counts."""
Make = Callable[..., Objective]
CRITERIA: dict[str, Make] = {"sum": altsel.Univariate, "mRMR": altsel.MRMR, "CFS": altsel.CFS}
T = TypeVar("T")


def best(criterion: Objective, k: int, left_out: Sequence[str] = ()) -> list[str]:
    """Return the best set of k features, fewer if no more are left."""
    rules = [altsel.domain.forbid(*left_out)] if left_out else []
    k = min(k, len(criterion.features) - len(left_out))
    found = altsel.sequential(altsel.Problem(criterion, k, rules), altsel.Dice(0.5), 0, time_limit=LIMIT)
    return list(found[0].features)


def timed(action: Callable[..., T], *arguments: object) -> tuple[T, float]:
    """Return what a function gives, and its CPU seconds."""
    began = time.process_time()
    return action(*arguments), time.process_time() - began
