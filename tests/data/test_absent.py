"""Names of columns that are no features: every error says why they are none, and what keeps them."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

import altsel
from altsel import ArgumentError, Dataset, DataWarning, Dice, Problem, domain

ROWS = 120
KEPT = {
    "agent": r"names of rows\); keep=\['agent'\] \(--keep agent\)",
    "nr": r"row numbers\); keep=\['nr'\] \(--keep nr\)",
    "seen": r"dates or times\); kinds=\{'seen': 'date'\} \(--kind seen=date\)",
    "price": r"numbers with '€'\); kinds=\{'price': 'numeric'\} \(--kind price=numeric\)",
    "gappy": r"too many values missing\); keep=\['gappy'\] \(--keep gappy\)",
    "one": "constant in the rows in use",
    "z": r"left out by drop= \(--drop\)",
}
"""Columns that are left out, and what is said of them."""


def table() -> pd.DataFrame:
    r = np.random.default_rng(3)
    rows = pd.DataFrame(r.normal(size=(ROWS, 4)), columns=["a", "b", "c", "z"])
    gappy = rows["a"].where(np.arange(ROWS) % 2 == 0)
    return rows.assign(
        agent=[f"agent {number}" for number in r.permutation(ROWS)],
        nr=np.arange(ROWS),
        seen=pd.date_range("2024-01-01", periods=ROWS).astype(str),
        price=[f"{value:.3f} €" for value in r.normal(50, 9, ROWS)],
        gappy=gappy,
        one=1,
        y=(rows["a"] + r.normal(size=ROWS) > 0).astype(int),
    )


@pytest.fixture(scope="module")
def data() -> Dataset:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        return Dataset(table(), "y", drop=["z"], most_missing=0.3)


def searched(quality: Any, *rules: Any, across: Any = ()) -> Any:
    return altsel.sequential(Problem(quality, 2, rules, across), Dice(0.5), 1)


DOORS: dict[str, Callable[[Dataset, str], Any]] = {
    "forbid": lambda data, name: searched(altsel.Univariate(data), domain.forbid(name)),
    "require": lambda data, name: searched(altsel.CFS(data), domain.require(name)),
    "budget": lambda data, name: searched(altsel.MRMR(data), domain.budget({name: 1}, 2, other=1)),
    "fit": lambda data, name: searched(altsel.LinearFit(data), domain.at_most(1, [name, "a"])),
    "fcbf": lambda data, name: searched(altsel.FCBF(data), domain.implies("a", name)),
    "function": lambda data, name: searched(altsel.Univariate(data), lambda b: b.x[name] + b.x["a"] <= 1),
    "across": lambda data, name: searched(altsel.Univariate(data), across=[domain.in_at_most(1, [name])]),
    "known": lambda data, name: altsel.sequential(
        Problem(altsel.Univariate(data), 2), Dice(0.5), 1, known=[["a", name]]
    ),
    "part": lambda data, name: searched(altsel.Univariate(data.split(0.3)[0]), domain.forbid(name)),
    "grouped": lambda data, name: data.grouped([["a", name]]),
    "costs": lambda data, name: data.grouped(costs={name: 1}),
    "given": lambda data, name: altsel.LinearFit(data, given=[name]),
    "fit's weights": lambda data, name: altsel.LinearFit(data, weights=name),
    "test's groups": lambda data, name: altsel.independence.LikelihoodRatio(data, weights=name),
    "exclude": lambda data, name: altsel.blankets.iamb(
        altsel.independence.PartialCorrelation(data), limits=altsel.blankets.Limits(exclude=[name])
    ),
    "test": lambda data, name: altsel.independence.PartialCorrelation(data)([name], []),
    "bounds": lambda data, name: altsel.blankets.error_bounds(data, [name]),
    "split": lambda data, name: data.split(0.3, groups=name),
}


@pytest.mark.parametrize("door", DOORS)
def test_each_door_says_why_a_column_is_no_feature(data: Dataset, door: str) -> None:
    with pytest.raises((ArgumentError, altsel.DataError), match=KEPT["agent"]):
        DOORS[door](data, "agent")
    with pytest.raises(ArgumentError, match=r"did you mean 'b'|there are 'a', 'b'") as fault:
        DOORS[door](data, "B")
    assert "left out" not in str(fault.value)


@pytest.mark.parametrize("name", KEPT)
def test_each_reason_is_said_with_what_keeps_the_column(data: Dataset, name: str) -> None:
    with pytest.raises(ArgumentError, match=KEPT[name]):
        DOORS["forbid"](data, name)


def test_what_keeps_a_column_does(data: Dataset) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        kept = Dataset(
            table(), "y", keep=["agent", "nr"], kinds={"seen": "date", "price": "numeric"}, drop=["gappy"]
        )
    assert {"agent", "nr", "seen", "price"} <= {*kept.features}
    assert "agent" not in DOORS["forbid"](kept, "agent")[0]


def test_a_scan_says_the_same() -> None:
    pa = pytest.importorskip("pyarrow")
    batches = [pa.RecordBatch.from_pandas(table().drop(columns=["gappy", "seen", "price"]))]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        scan = Dataset.scan(batches, "y", bins=4, drop=["z"])
    for name in ("agent", "nr", "one", "z"):
        with pytest.raises(ArgumentError, match=KEPT[name]):
            searched(altsel.CFS(altsel.dependence(scan, criterion=altsel.CFS)), domain.forbid(name))
