"""Rows that a search keeps apart, and that every later command keeps apart with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import altsel
from altsel.cli.messages import note
from altsel.errors import ArgumentError, DataError
from altsel.results.request import read_request

Parted = tuple[altsel.Dataset, altsel.Dataset | None]
"""The rows that a search learns from, and those that it keeps apart, if any."""


def parted(table: altsel.Dataset, share: float, seed: int, groups: str | None = None) -> Parted:
    """Keep a share of the rows apart, of every class alike or whole groups; none if it is 0."""
    if not 0 <= share < 1:
        raise ArgumentError(f"--holdout {share}; use a share of at least 0 and below 1")
    if not share:
        return table, None
    try:
        return table.split(share, seed, groups=groups)
    except ArgumentError as fault:
        raise ArgumentError(f"--holdout {share}: {fault}") from fault


def print_rows_apart(train: altsel.Dataset, held: altsel.Dataset | None, what: str) -> None:
    """Print how many rows are kept apart, and what that means for a command."""
    if held is not None:
        rows = len(train.y) + len(held.y)
        note(f"{len(held.y)} of {rows} rows are kept apart (--holdout): {what}")


def describe_rows_apart(
    held: altsel.Dataset | None, share: float, seed: int, groups: str | None
) -> dict[str, Any]:
    """Write as plain data which rows a search kept apart, so that they are found again."""
    if held is None:
        return {}
    own = {} if groups is None else {"groups": groups}
    rows = {"rows": len(held.y), "data": held.fingerprint}
    return {"holdout": {"share": share, "seed": seed, **own, **rows}}


def parted_as(request: Mapping[str, Any], table: altsel.Dataset) -> Parted:
    """Keep the rows apart that a search kept apart.

    Raises
    ------
    DataError
        If they are others in this table.
    """
    before = read_request(request).get("holdout")
    if before is None:
        return table, None
    train, held = parted(table, before["share"], before["seed"], before.get("groups"))
    if held is None or held.fingerprint != before["data"]:
        raise DataError(
            f"the search kept {before['rows']} rows apart, and they are others in this table: give the whole "
            "table of the search; if other data are meant, say so: --other-data"
        )
    return train, held


def like(table: altsel.Dataset, held: altsel.Dataset | None) -> altsel.Dataset | None:
    """Return rows kept apart with the columns that a table has after it was grouped."""
    return None if held is None else table.holdout(held.X, held.y)
