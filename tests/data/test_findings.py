"""What a column is: each fault once, with what fixes it, and nothing of honest measurements."""

from __future__ import annotations

import shlex
from typing import Any

import numpy as np
import pandas as pd
import pytest

from altsel.data.findings import Effect, recognise
from altsel.data.findings.numerals import numerals
from altsel.data.findings.rows import surprising_copies

ROWS = 200
RANDOM = np.random.default_rng(0)
CLASSES = RANDOM.integers(0, 2, ROWS)


def found(target: Any = CLASSES, **columns: Any) -> dict[str, str]:
    """Return what each column is called, beside a measurement and a target."""
    frame = pd.DataFrame({**columns, "x": RANDOM.normal(size=len(target)), "y": target})
    return {name: one.kind for one in recognise(frame, "y") for name in one.columns}


def words(number: int) -> list[str]:
    return [" ".join(RANDOM.choice(list("abcdefgh"), 6)) for _ in range(number)]


FAULTS: dict[str, tuple[Any, str]] = {
    "Unnamed: 0": (range(ROWS), "row number"),
    "steps": (np.arange(ROWS)[::-1] * 10 + 7, "row number"),
    "unix time": (np.cumsum(RANDOM.integers(1, 10**6, ROWS)), "row number"),
    "case": (RANDOM.permutation(ROWS) + 5000, "id"),
    "nearly dense": (RANDOM.choice(2 * ROWS, ROWS, replace=False), "id"),
    "customer id": (RANDOM.choice(10**8, ROWS, replace=False), "id"),
    "with gaps": ([None if j == 7 else j for j in range(ROWS)], "row number"),
    "email": ([f"a{j}@b.c" for j in RANDOM.permutation(ROWS)], "id"),
    "remark": (words(ROWS), "free text"),
    "Unnamed: 9": ([None] * ROWS, "unnamed and empty"),
    "nothing": ([None] * ROWS, "empty"),
    "same": ([1] * ROWS, "constant"),
    "day": (pd.date_range("2020", periods=ROWS), "date"),
    "written day": ([f"{1 + j % 28:02d}.03.2024" for j in range(ROWS)], "date"),
    "price": ([f"{x:.2f} €" for x in RANDOM.normal(50, 9, ROWS)], "currency"),
    "dollars": ([f"${x:,.2f}" for x in RANDOM.normal(50_000, 9, ROWS)], "currency"),
    "share": ([f"{x:.1f} %".replace(".", ",") for x in RANDOM.normal(50, 9, ROWS)], "percent"),
    "size": ([f"{x}M" for x in RANDOM.integers(1, 9, ROWS)], "number with unit"),
    "installs": ([f"{x:,}+" for x in 10 ** RANDOM.integers(3, 7, ROWS)], "number as text"),
    "account": ([f"{x:.2f}-" if x > 1 else f"{x:.2f}" for x in RANDOM.random(ROWS) * 3], "number as text"),
    "km": ([f"{x:,} km" for x in RANDOM.integers(1000, 90_000, ROWS)], "number with unit"),
    "population": ([f"{x:,}" for x in RANDOM.integers(1000, 90_000, ROWS)], "thousands"),
    "temperature": ([f"{x:.1f}".replace(".", ",") for x in RANDOM.normal(37, 1, ROWS)], "decimal comma"),
    "lab": ([*RANDOM.random(ROWS - 2).round(3).astype(str), "k.A.", "k.A."], "missing token"),
    "region": (["north", "North ", "south", "east"] * (ROWS // 4), "label"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_each_fault_is_found(name: str) -> None:
    values, kind = FAULTS[name]
    assert found(**{name: values}) == {name: kind}


@pytest.mark.parametrize(
    "values",
    [
        RANDOM.normal(size=ROWS),
        np.arange(ROWS) * 0.5,
        np.arange(float(ROWS)),
        RANDOM.choice(90_000, 60, replace=False) + 30_000,
        RANDOM.permutation(12),
        [2000 + j for j in range(20)],
        RANDOM.poisson(30, ROWS),
        [f"patient {j % 60}" for j in range(ROWS)],
        ["1A", "2B", "3C", "10D"] * 50,
        ["32A", "34B", "36C", "34C"] * 50,
        ["4wd", "2wd"] * 100,
        ["12-14", "15-17", "18-20"] * 60,
        ["1:20", "1:80", "2:20"] * 60,
        ["<5", "5 to 9", "more"] * 60,
    ],
    ids=str,
)
def test_measurements_and_categories_are_left_in_peace(values: Any) -> None:
    assert found(np.resize(CLASSES, len(values)), v=values) == {}


def test_a_row_number_tells_a_sorted_target() -> None:
    frame = pd.DataFrame({"nr": range(ROWS), "x": RANDOM.normal(size=ROWS), "y": np.sort(CLASSES)})
    by_kind = {one.kind: one for one in recognise(frame, "y")}
    assert "the rows are sorted by 'y', which it would tell" in by_kind["row number"].message
    assert by_kind["sorted by target"].effect is Effect.REMARK


def test_options_can_be_pasted() -> None:
    frame = pd.DataFrame(
        {"Start Date": ["2020-01-01", "2021-01-01"] * 20, "it's": words(40), "y": [0, 1] * 20}
    )
    fixes = {one.kind: shlex.split(one.fix) for one in recognise(frame, "y") if one.columns}
    assert fixes["date"] == ["--kind", "Start Date=date"]
    assert fixes["free text"] == ["--keep", "it's"]


def test_what_is_kept_is_not_spoken_of() -> None:
    frame = pd.DataFrame({name: values for name, (values, _) in FAULTS.items() if len(values) == ROWS})
    kinds = {one.kind for one in recognise(frame, keep=[*FAULTS]) if one.columns}
    assert kinds == {"missing values", "constant"}


def test_a_word_that_is_missing_or_a_level() -> None:
    frame = pd.DataFrame({"masonry": [None] * 120 + ["brick", "stone"] * 40, "y": CLASSES})
    tokens = {"masonry": {"None": 120}, "lot": {"NA": 3}}
    (one,) = [one for one in recognise(frame, "y", tokens=tokens) if one.kind == "None as category"]
    assert one.message == "'None' is 60 % of 'masonry': missing, or a category?"
    assert one.fix == "--na NA"
    assert not [one for one in recognise(frame, "y") if one.kind == "None as category"]


def test_a_word_that_is_the_only_gap_may_be_a_level() -> None:
    frame = pd.DataFrame({"cellar": [*[None] * 20, *["good", "fair", "poor"] * 60], "y": CLASSES})

    def said(rows: pd.DataFrame, counts: dict[str, dict[str, int]]) -> list[str]:
        return [one.message for one in recognise(rows, "y", tokens=counts) if one.kind == "None as category"]

    message = "'cellar' holds 'NA' in 20 cells and no empty one: missing, or a category?"
    assert said(frame, {"cellar": {"NA": 20}}) == [message]
    assert not said(frame, {"cellar": {"NA": 12, "?": 2}})  # and empty cells
    lot = frame.assign(lot=[np.nan, *range(ROWS - 1)])
    assert not said(lot, {"cellar": {"NA": 20}, "lot": {"NA": 1}})


def test_ids_are_found_among_copies_of_rows() -> None:
    frame = pd.DataFrame({"case": RANDOM.permutation(ROWS), "x": RANDOM.normal(size=ROWS), "y": CLASSES})
    both = {one.kind: one for one in recognise(pd.concat([frame, frame.iloc[:12]]), "y")}
    assert both["id"].columns == ("case",)
    assert both["duplicate rows"].message.startswith("12 of 212 rows are copies of others")
    assert both["duplicate rows"].fix == "--unique-rows"


def test_copies_of_rows_that_chance_makes_are_not_spoken_of() -> None:
    few = pd.DataFrame(RANDOM.integers(0, 3, (500, 4)))
    rounded = pd.DataFrame(RANDOM.normal(0, 8, (500, 2)).round())
    assert (surprising_copies(few), surprising_copies(rounded)) == (0, 0)
    shifted = rounded.assign(f=rounded[0] * 1.8 + 32, k=rounded[1] + 273)  # one measurement in two units
    assert surprising_copies(shifted) == 0
    cells = pd.DataFrame({"a": RANDOM.integers(0, 2, 5000), "b": RANDOM.integers(0, 4, 5000)})
    levels = pd.DataFrame({"a": RANDOM.integers(0, 100, 5000), "y": RANDOM.integers(0, 2, 5000)})
    assert (surprising_copies(cells), surprising_copies(levels), surprising_copies(levels[["a"]])) == (
        0,
        0,
        0,
    )
    fine = pd.DataFrame(RANDOM.normal(size=(100, 3)).round(2))
    assert surprising_copies(pd.concat([fine, fine.iloc[:5]])) == 5
    wide = pd.DataFrame(RANDOM.integers(0, 3, (100, 12)))
    assert surprising_copies(pd.concat([wide, wide])) == 100


@pytest.mark.parametrize(
    ("labels", "values"),
    [
        (["1.234,50 €", "99,00 €", "-12.000 €"], [1234.5, 99, -12000]),
        (["($1,234.50)", "$5", "$7.25"], [-1234.5, 5, 7.25]),
        (["19M", "404k", "7"], [19e6, 404e3, 7]),
        (["36,5", "0,123", "1,234"], [36.5, 0.123, 1.234]),
        (["1’234", "5’678.5", "9"], [1234, 5678.5, 9]),
        (["1e3 g", "2.5 g", ".5 g"], [1000, 2.5, 0.5]),
        (["1.234,5", "12.000", "7", "-3,25"], [1234.5, 12000, 7, -3.25]),
        (["1e-3", "2.5", "+7", "1 kg"], [0.001, 2.5, 7, 1]),
        (["10,000+", "500+", "−5+"], [10000, 500, -5]),
        (["1.20-", "0.83", "-2.5"], [-1.2, 0.83, -2.5]),
        (["1.234,50-", "0,83−", "7,5 -"], [-1234.5, -0.83, -7.5]),
        (["1.234,50- €", "0,83 €", "12,5-€"], [-1234.5, 0.83, -12.5]),
        (["5,-", "1.200,-", "-3,-"], [5, 1200, -3]),
        (["2-fach", "3-fach", "10-fach"], [2, 3, 10]),
    ],
)
def test_numbers_as_they_are_written(labels: list[str], values: list[float]) -> None:
    read = numerals(labels)
    assert read is not None
    assert read.scaled().tolist() == values


LIMITS = [f"{j / 10}" for j in range(5, 45)] * 5
"""Measurements as a laboratory writes them."""


@pytest.mark.parametrize("limit", ["<0.5", "<0,5", "< 0.5", "<=.5", ">100", "≥ 100", "≤0.5"])
def test_values_beyond_a_limit_are_no_missing_values(limit: str) -> None:
    rows = [limit if j % 20 == 0 else value for j, value in enumerate(LIMITS)]
    frame = pd.DataFrame({"crp": rows, "x": RANDOM.normal(size=ROWS), "y": CLASSES})
    (one,) = (one for one in recognise(frame, "y") if "crp" in one.columns)
    assert (one.kind, one.fix, one.argument) == (
        "limit",
        "--kind crp=half-limit",
        "kinds={'crp': 'half-limit'}",
    )
    assert f"10 values beyond a limit ({limit!r})" in one.message
    assert "at-limit" in one.message


def test_limits_and_a_token_are_two_faults() -> None:
    rows = ["<0.5" if j % 20 == 0 else "k.A." if j % 20 == 1 else value for j, value in enumerate(LIMITS)]
    frame = pd.DataFrame({"crp": rows, "x": RANDOM.normal(size=ROWS), "y": CLASSES})
    kinds = {one.kind: one.fix for one in recognise(frame, "y") if "crp" in one.columns}
    assert kinds == {"missing token": "--na k.A.", "limit": "--kind crp=half-limit"}


@pytest.mark.parametrize(
    "classes",
    [
        ["<18", "18-65", ">65"],
        ["<=50K", ">50K"],
        ["<1", "1", "2", ">3"],
        ["< 1 year", "1 year", "2 years", "3 years", "4 years", "10+ years"],
    ],
)
def test_classes_that_begin_with_a_limit_stay_classes(classes: list[str]) -> None:
    assert "c" not in found(c=RANDOM.choice(classes, ROWS))
