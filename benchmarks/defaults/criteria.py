"""Sets of features that altsel chooses."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

import altsel
from altsel.models import Objective

LIMIT = 10
"""Seconds of a search; what is best by then counts."""
Make = Callable[..., Objective]
CRITERIA: dict[str, Make] = {"sum": altsel.Univariate, "mRMR": altsel.MRMR, "CFS": altsel.CFS}
T = TypeVar("T")


def best(criterion: Objective, k: int) -> list[str]:
    """Return the best set of k features."""
    found = altsel.sequential(altsel.Problem(criterion, k), altsel.Dice(0.5), 0, time_limit=LIMIT)
    return list(found[0].features)


def timed(action: Callable[..., T], *arguments: object) -> tuple[T, float]:
    """Return what a function gives, and its CPU seconds."""
    began = time.process_time()
    return action(*arguments), time.process_time() - began
