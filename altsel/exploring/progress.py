"""What an answer under way says of itself: the sets until now, and messages of the engines at work."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from altsel.errors import printable
from altsel.runtime.progress import told_every

Tell = Callable[[dict[str, Any]], None]
"""Takes what is said, as plain data."""
EVERY = 0.3
"""Seconds between two messages."""
NUMBER = r"(-?\d[\d.e+-]*|-?inf)"
AHEAD = re.compile(rf"best {NUMBER}, bound {NUMBER}|best R2 {NUMBER}, bound {NUMBER}")
"""How trees say the best score until now, and what no set scores more than."""


class _Passing(logging.Handler):
    """Passes messages on, no more often than somebody can read them."""

    def __init__(self, tell: Tell) -> None:
        super().__init__(logging.INFO)
        self._tell, self._last = tell, time.perf_counter()

    def emit(self, record: logging.LogRecord) -> None:
        now = time.perf_counter()
        if now - self._last < EVERY or record.name == "altsel.data":
            return
        self._last = now
        text = record.getMessage()
        self._tell({"message": printable(text), **ahead(text)})


def ahead(message: str) -> dict[str, float]:
    """Return the best score and the bound that an engine's message names; nothing if it names none.

    Examples
    --------
    >>> ahead("branch and bound: best 0.5, bound 0.75, 120 nodes")
    {'best': 0.5, 'bound': 0.75}
    >>> ahead("still solving, 3 s")
    {}
    """
    found = AHEAD.search(message)
    if found is None:
        return {}
    best, bound = (float(one) for one in found.groups() if one is not None)
    numbers = {"best": best, "bound": bound}
    return {name: value for name, value in numbers.items() if abs(value) != float("inf")}


@contextmanager
def passed_on(tell: Tell) -> Iterator[None]:
    """Pass on what altsel logs meanwhile."""
    logger = logging.getLogger("altsel")
    handler, level = _Passing(tell), logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        with told_every(EVERY):
            yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)
