"""Hypothesis strategies: tables of any library, with odd names, extreme numbers and all sorts of cells."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from decimal import Decimal
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
from hypothesis import strategies as st

NAMES = st.one_of(
    st.sampled_from(
        ["a", "b", "target ", "=1+1", "</svg>", "x\x1b[31m", "\u202egnp", "two\nlines", "ü", "0", "x" * 300]
    ),
    st.text(min_size=1, max_size=8),
)
EXTREME = [0.0, -0.0, 1.0, -1.5, 1e-320, 1e-170, 1e155, 1e308, -1e308, 0.1]
WHOLE = [0, 1, -1, 7, 2**31, 2**53, 2**53 + 1, 2**63 - 1, -(2**63), 2**64]

CELLS: dict[str, st.SearchStrategy[Any]] = {
    "floats": st.one_of(st.sampled_from(EXTREME), st.floats(allow_nan=False, allow_infinity=False)),
    "few floats": st.sampled_from(EXTREME[:4]),
    "not finite": st.sampled_from([1.0, 2.0, float("inf"), float("nan")]),
    "whole": st.one_of(st.sampled_from(WHOLE[:6]), st.integers(-9, 9)),
    "very large": st.sampled_from(WHOLE),
    "bools": st.booleans(),
    "texts": st.one_of(st.sampled_from(["yes", "no", "yes ", "1,5", "NA", "?", ""]), st.text(max_size=3)),
    "dates": st.dates(date(2000, 1, 1), date(2001, 1, 1)),
    "decimals": st.sampled_from([Decimal("0.5"), Decimal(3), Decimal("1e-9")]),
    "missing": st.sampled_from([1.0, 2.0, None]),
    "lists": st.sampled_from([[1], [1, 2]]),
}

FRAMES: dict[str, Callable[[dict[str, list[Any]]], Any]] = {
    "pandas": pd.DataFrame,
    "nullable": lambda table: pd.DataFrame(table).convert_dtypes(),
    "arrow in pandas": lambda table: pa.table(table).to_pandas(types_mapper=pd.ArrowDtype),
    "categories": lambda table: pd.DataFrame(table).astype("category"),
    "polars": lambda table: pl.DataFrame(table, strict=False),
    "pyarrow": pa.table,
}


@st.composite
def tables(draw: Any, kinds: tuple[str, ...] = tuple(CELLS), rows: int = 12) -> dict[str, list[Any]]:
    """Columns by name; the last one is the target."""
    names = draw(st.lists(NAMES, min_size=2, max_size=5, unique=True))
    cells = [CELLS[draw(st.sampled_from(kinds))] for _ in names]
    return {
        name: draw(st.lists(cell, min_size=rows, max_size=rows))
        for name, cell in zip(names, cells, strict=True)
    }
