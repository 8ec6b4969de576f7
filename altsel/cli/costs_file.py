"""Costs of features from a table: a column of features, and one of costs."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from math import isfinite
from pathlib import Path

from altsel.errors import ArgumentError, listing

EXAMPLE = "feature,cost"
"""The head of a file of costs."""
SIGNS = ",;\t"
"""What may stand between columns."""


def read_costs(path: str | Path) -> list[dict[str, float]]:
    """Read what features cost: the first column names them, the second has their cost.

    Further columns are costs that decide where those before them are the same.

    Parameters
    ----------
    path
        A text file with a head, columns separated by commas, semicolons or tabs.

    Returns
    -------
    list of dict
        Costs by feature, once a column.

    Raises
    ------
    ArgumentError
        If the file cannot be read, has no such columns, names a feature twice, or a cost is no number.
    """
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as fault:
        raise ArgumentError(f"--best: cannot read {path}: {fault}") from fault
    first = text.split("\n", 1)[0]
    sign = max(SIGNS, key=first.count)
    try:
        rows = [row for row in csv.reader(text.splitlines(), delimiter=sign) if any(map(str.strip, row))]
    except csv.Error as fault:
        raise ArgumentError(f"--best: {path} is no table: {fault}") from fault
    columns = len(rows[0]) if rows else 0
    if columns < 2 or _is_number(rows[0][1]):
        raise ArgumentError(
            f"--best: {path} needs a head, a column of features and one of costs, such as {EXAMPLE!r}"
        )
    return _costs(rows[1:], columns, path)


def _costs(rows: Sequence[Sequence[str]], columns: int, path: str | Path) -> list[dict[str, float]]:
    costs: list[dict[str, float]] = [{} for _ in range(columns - 1)]
    for number, row in enumerate(rows, 2):
        if len(row) != columns:
            raise ArgumentError(f"--best: {path}, row {number} has {len(row)} cells, not {columns}")
        name, *values = row
        wrong = [value for value in values if not _is_number(value)]
        if wrong:
            raise ArgumentError(f"--best: {path}, {name!r}: {listing(wrong)} is no finite number, as 2.5 is")
        if name in costs[0]:
            raise ArgumentError(f"--best: {path} names {name!r} twice")
        for cost, value in zip(costs, values, strict=True):
            cost[name] = float(value)
    return costs


def _is_number(text: str) -> bool:
    try:
        return isfinite(float(text))
    except ValueError:
        return False
