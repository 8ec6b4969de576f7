"""What a scan answers: the same as rows in memory, or an error that says how to get rows."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import altsel
from altsel import catalogue
from altsel.catalogue import BlanketMethod, FilterName, IndependenceName, MeasureName, ObjectiveName
from altsel.data import Scan, binned
from altsel.errors import AltselError
from altsel.results.solutions import Solutions

BINS = 3
ALPHA = 0.05


def discrete(rows: int = 400, seed: int = 0) -> pd.DataFrame:
    """Two causes, a copy of one but for noise, and others; classes of several kinds."""
    random = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "a": random.integers(0, 2, rows),
            "b": random.choice(["low", "mid", "top"], rows),
            "c": random.integers(-1, 3, rows),
            "d": random.choice([0.5, 1.5], rows),
            "e": random.integers(0, 4, rows),
        }
    )
    noise = random.random(rows)
    frame["copy"] = np.where(noise < 0.9, frame["a"], 1 - frame["a"])
    chance = 0.1 + 0.4 * frame["a"] + 0.4 * (frame["b"] == "top")
    frame["y"] = np.where(random.random(rows) < chance, "yes", "no")
    return frame


def mixed(rows: int = 400, seed: int = 0) -> pd.DataFrame:
    """Add numbers, some with ties, one far from 0."""
    random = np.random.default_rng(seed + 1)
    frame = discrete(rows, seed)
    goal = (frame["y"] == "yes").to_numpy()
    frame.insert(0, "x", random.normal(size=rows) + goal)
    frame.insert(2, "ties", (random.normal(size=rows) + 0.5 * goal).round(1))
    frame.insert(4, "far", 1e7 + frame["x"] + 0.3 * random.normal(size=rows))
    return frame


def numeric(rows: int = 400, seed: int = 0) -> pd.DataFrame:
    """Numbers and two values, and a number as the target."""
    random = np.random.default_rng(seed + 2)
    frame = mixed(rows, seed)[["x", "ties", "far", "d", "a"]]
    frame["y"] = 3e4 + frame["x"] - 0.5 * frame["ties"] + 0.2 * frame["a"] + random.normal(size=rows)
    return frame


TABLES: dict[str, Callable[..., pd.DataFrame]] = {"discrete": discrete, "mixed": mixed, "numeric": numeric}


def scan_of(frame: pd.DataFrame, bins: int | None = None, size: int = 37, order: int | None = None) -> Scan:
    """Scan the rows in batches, in another order of batches if one is given."""
    batches = pa.Table.from_pandas(frame, preserve_index=False).to_batches(max_chunksize=size)
    if order is not None:
        batches = [batches[j] for j in np.random.default_rng(order).permutation(len(batches))]
    return altsel.Dataset.scan(batches, "y", bins=bins, batch_rows=size)


@cache
def pair(name: str, bins: int | None = None) -> tuple[Scan, altsel.Dataset]:
    """Return a scan, and the same rows in memory."""
    frame = TABLES[name]()
    data = altsel.Dataset(frame, "y")
    return scan_of(frame, bins), data if bins is None else binned(data, bins)


def plain(data: altsel.Dataset, name: str) -> altsel.Dataset:
    """Return numbers as they are, which moments are of, whether they are cut or not."""
    return altsel.Dataset(TABLES[name](), "y") if data.bins is not None else data  # type: ignore[attr-defined]


COUNTS = {MeasureName.MI, MeasureName.SU}
MOMENTS = {MeasureName.PEARSON}
BOTH = {MeasureName.RATIO}
ROWS = set(MeasureName) - COUNTS - MOMENTS - BOTH


@pytest.mark.parametrize("name", MeasureName)
@pytest.mark.parametrize(("table", "bins"), [("discrete", None), ("mixed", BINS), ("numeric", BINS)])
def test_measures_are_those_of_rows_or_name_the_sample(name: MeasureName, table: str, bins: int | None) -> None:
    scan, cut = pair(table, bins)
    measure = catalogue.measure(name, 0)
    data = cut if name in COUNTS else altsel.Dataset(TABLES[table](), "y")
    if name in ROWS:
        with pytest.raises(altsel.DataError, match=r"needs the rows.*scan\.sample\(100_000, random_state=0\)"):
            altsel.dependence(scan, measure)
        return
    try:
        expected = altsel.dependence(data, measure)
        redundancy = expected.redundancy
    except AltselError as fault:  # then a scan says the same
        with pytest.raises(type(fault), match="needs numbers or an order"):
            _ = altsel.dependence(scan, measure).redundancy
        return
    found = altsel.dependence(scan, measure)
    np.testing.assert_allclose(found.relevance, expected.relevance, atol=1e-12)
    np.testing.assert_allclose(found.redundancy, redundancy, atol=1e-12)
    assert list(found.relevance.index) == list(expected.relevance.index)
    again = altsel.dependence(scan.statistics(by_level=name in BOTH), measure)
    pd.testing.assert_series_equal(again.relevance, found.relevance)
    few = altsel.dependence(scan_of(TABLES[table](), bins).statistics(pairs=False, by_level=name in BOTH), measure)
    pd.testing.assert_series_equal(few.relevance, found.relevance)


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 80), st.integers(0, 100), st.sampled_from(sorted(TABLES)))
def test_answers_do_not_depend_on_how_rows_are_divided(seed: int, size: int, order: int, table: str) -> None:
    frame = TABLES[table](80, seed)
    frame.loc[:1, "y"] = frame["y"].unique()[:2]
    scan, data = scan_of(frame, BINS, size, order), altsel.Dataset(frame, "y")
    assert scan.fingerprint == scan_of(frame, BINS).fingerprint
    for measure, rows in (
        (altsel.measures.mutual_information, binned(data, BINS)),
        (altsel.measures.symmetric_uncertainty, binned(data, BINS)),
        (altsel.measures.correlation_ratio, data),
    ):
        found, expected = altsel.dependence(scan, measure), altsel.dependence(rows, measure)
        np.testing.assert_allclose(found.relevance, expected.relevance, atol=1e-12)
        np.testing.assert_allclose(found.redundancy, expected.redundancy, atol=1e-12)


TAKE_SCANS = {IndependenceName.AUTO, IndependenceName.G2, IndependenceName.CHI2, IndependenceName.CORRELATION}


def test_of(name: IndependenceName, data: Any) -> altsel.independence.Independence:
    return catalogue.independence_test(name, data, 0)


test_of.__test__ = False  # type: ignore[attr-defined]
