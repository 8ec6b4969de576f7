"""A data set as a table for notebooks."""

from __future__ import annotations

from altsel.data.dataset import Dataset
from altsel.display.html import Table, name_cell, page
from altsel.display.names import short
from altsel.errors import listing


def of_dataset(data: Dataset) -> str:
    """Show the features with kind and number of values, and what is left out."""
    rows = (
        [name_cell(feature, data.features), data.kinds[feature].value, f"{data.X[feature].nunique():,}"]
        for feature in data.features
    )
    table = Table("Features", ["feature", "kind", "values"], rows, len(data.features), "feature", {0, 1})
    classes = f" of {len(data.classes)} classes" if data.classes else ""
    parts = [f"target {short(data.target)!r}: {data.target_kind.value}{classes}"]
    parts += [f"constant, left out: {listing(data.constant)}"] if data.constant else []
    parts += [f"{data.dropped:,} rows with missing values left out"] if data.dropped else []
    parts += [f"left out: {listing(data.left_out)}"] if data.left_out else []
    parts += [f"{len(data.members)} features go by several names"] if data.members else []
    return page(f"{len(data.y):,} rows, {len(data.features):,} features", [*parts, table])
