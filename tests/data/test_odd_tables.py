"""Tables of any kind: every value is kept as it was, or the table is refused."""

from __future__ import annotations

import warnings
from math import isfinite
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import altsel
from altsel import AltselError, Dataset
from altsel.errors import hidden
from tests.oracles.odd_tables import FRAMES, tables

pytestmark = pytest.mark.filterwarnings("ignore::altsel.DataWarning")
USABLE = ("floats", "few floats", "whole", "bools", "decimals")


def made(kind: str, table: dict[str, list[Any]]) -> Any:
    """Make a frame, where its library can hold the cells at all."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return FRAMES[kind](table)
    except (TypeError, ValueError, OverflowError, pa.ArrowException):
        assume(False)


def same(cell: Any, value: Any) -> bool:
    """Return whether a value is that of a cell."""
    return float(cell) == value if isinstance(value, float) else cell == value


@pytest.mark.parametrize("kind", FRAMES)
@given(table=tables())
@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@pytest.mark.slow
def test_every_value_is_kept_or_the_table_is_refused(kind: str, table: dict[str, list[Any]]) -> None:
    frame, target = made(kind, table), list(table)[-1]
    try:
        data = Dataset(frame, target)
    except AltselError as fault:
        message = str(fault)
        assert message.isprintable()
        assert len(message) < 2000
        return
    assert set(data.features) | set(data.constant) | set(data.left_out) == set(table) - {target}
    for name, column in [*data.X.items(), (target, data.y)]:
        values = column.tolist()
        assert len(values) == len(table[str(name)])
        assert all(map(same, table[str(name)], values)), (name, values)
    assert all(len(set(map(str, table[name]))) >= 1 for name in data.constant)


@pytest.mark.slow
@given(table=tables(USABLE))
@settings(max_examples=20)
def test_what_a_table_is_made_of_makes_no_difference(table: dict[str, list[Any]]) -> None:
    prints = set()
    for kind in ("pandas", "nullable", "polars", "pyarrow"):
        try:
            prints.add(Dataset(made(kind, table), list(table)[-1]).fingerprint)
        except AltselError as fault:
            prints.add(type(fault).__name__)
    assert len(prints) == 1, prints


@pytest.mark.slow
@given(table=tables(USABLE, rows=30), measure=st.sampled_from(["mi", "su", "pearson", "spearman"]))
@settings(max_examples=30)
def test_a_table_that_is_taken_can_be_searched(table: dict[str, list[Any]], measure: str) -> None:
    chosen: Any = {
        "mi": altsel.measures.mutual_information,
        "su": altsel.measures.symmetric_uncertainty,
        "pearson": altsel.measures.absolute_pearson,
        "spearman": altsel.measures.absolute_spearman,
    }[measure]
    try:
        quality = altsel.MRMR(altsel.dependence(Dataset(pd.DataFrame(table), list(table)[-1]), chosen))
        found = altsel.sequential(altsel.Problem(quality, 1), altsel.Dice(0.5), 1)
    except AltselError as fault:
        assert not any(map(hidden, str(fault)))  # noqa: PT017
        return
    assert all(isfinite(subset.score) for subset in found)
    assert altsel.Solutions.from_json(found.to_json()) == found
    assert not any(map(hidden, str(found).replace("\n", "")))
