"""Pairs of cases: a part of them in every run of the tests, each of both at least once, the others `long`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pytest


def paired(first: Iterable[Any], second: Iterable[Any], share: int | None = None) -> list[Any]:
    """Return all pairs as parameters, of which one in ``share`` is not marked ``long``.

    Pairs are taken along diagonals, and ``share`` is at most the smaller number of both, which is the
    default: each one of ``first`` and each of ``second`` is in a pair of every run. Of mappings the keys
    are ids.
    """
    rows, columns = named(first), named(second)
    share = min(len(rows), len(columns), share or len(rows))
    return [
        pytest.param(a, b, id=f"{x}-{y}", marks=pytest.mark.long if (i + j) % share else ())
        for i, (x, a) in enumerate(rows)
        for j, (y, b) in enumerate(columns)
    ]


def named(cases: Iterable[Any]) -> list[tuple[str, Any]]:
    if isinstance(cases, Mapping):
        return [(str(name), case) for name, case in cases.items()]
    return [(getattr(case, "__name__", None) or str(case), case) for case in cases]
