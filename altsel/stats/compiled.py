"""Counting compiled by numba, where that is installed (``pip install "altsel[fast]"``)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

Kernel = Callable[[Any, Any, Any, Any], None]


@cache
def compiled() -> Kernel | None:
    """Compile the counting kernel, or give None if numba is not installed.

    The kernel adds 1 to ``table[levels[e], groups[rows[e]]]`` for every entry e.
    """
    try:
        import numba  # noqa: PLC0415  (optional, and slow to import)
    except ImportError:
        return None
    return numba.njit(cache=True, nogil=True)(_count)  # type: ignore[no-any-return]


def _count(levels: Any, rows: Any, groups: Any, table: Any) -> None:
    for e in range(len(levels)):
        table[levels[e], groups[rows[e]]] += 1
