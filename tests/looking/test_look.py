"""Messy files: each fault is found once, on one page, and the command that is proposed runs."""

from __future__ import annotations

import shlex
from collections import Counter
from html import escape
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import altsel
from altsel.cli.app import app
from altsel.data import Reading
from altsel.looking.result import Look
from altsel.looking.text import text
from altsel.results.fitting import fit_tables
from tests.looking.messy import NAMES, everything, written


def check(found: Look, wanted: set[tuple[str, tuple[str, ...]]], folder: Path) -> None:
    assert Counter((one.kind, one.columns) for one in found.findings) == Counter(wanted)
    for one in found.findings:
        assert f"  {one.kind}: {one.message}" in text(found)
        assert f"<b>{one.kind}</b>: {escape(one.message)}" in found.to_html()
    assert found.fault == ""
    kept = found.write(folder / "table.toml")
    said = {}
    for name, command in {"options": found.command(), "table": found.command(kept)}.items():
        output = folder / f"{name}.json"
        words = shlex.split(f"{command} --output {shlex.quote(str(output))}")
        done = CliRunner().invoke(app, words[1:])
        assert done.exit_code == 0, (command, done.exception, done.output)
        said[name] = altsel.Solutions.from_json(output.read_text(encoding="utf-8"))
    assert said["options"].sets == said["table"].sets
    data = altsel.Dataset.from_table(found.source, found.target, kept)
    assert data.grouped().fingerprint == said["table"].request["data"]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::altsel.DataWarning")
@pytest.mark.parametrize("name", NAMES)
def test_each_fault_is_found_once_and_the_command_runs(name: str, tmp_path: Path) -> None:
    path, wanted = written(name, tmp_path)
    check(altsel.look(path, "ill"), wanted, tmp_path)


@pytest.mark.filterwarnings("ignore::altsel.DataWarning")
@pytest.mark.slow
def test_all_faults_at_once_are_on_one_page(tmp_path: Path) -> None:
    path = tmp_path / "Bericht 2023.csv"
    wanted = everything(path)
    check(altsel.look(path, "ill"), wanted, tmp_path)


@pytest.mark.parametrize("width", [40, 60, 80, 120])
@pytest.mark.slow
def test_lines_fit_a_terminal_but_for_what_is_to_be_pasted(width: int, tmp_path: Path) -> None:
    everything(path := tmp_path / "b.csv")
    found = altsel.look(path, "ill")
    with fit_tables(width):
        lines = text(found).splitlines()
    pasted = {one.fix for one in found.findings} | {found.command()}
    assert [line for line in lines[1:] if len(line) > width and line.strip() not in pasted] == []


@pytest.mark.parametrize(("separator", "decimal"), [(",", "."), (";", ","), (";", ".")])
def test_a_minus_behind_a_number_keeps_its_sign(separator: str, decimal: str, tmp_path: Path) -> None:
    values = [(7 * j % 41 - 20) * 61.25 for j in range(60)]
    account = [f"{abs(value):.2f}{'-' * (value < 0)}".replace(".", decimal) for value in values]
    lines = ["balance;x;y", *(f"{one};{j % 7}{decimal}5;{j % 2}" for j, one in enumerate(account))]
    (path := tmp_path / "a.csv").write_text("\n".join(lines).replace(";", separator), encoding="utf-8")
    found = altsel.look(path, "y")
    assert "--kind balance=numeric" in found.command()
    data = altsel.Dataset.from_table(path, "y", found.write(tmp_path / "t.toml"))
    assert data.X["balance"].tolist() == values


def test_thousands_without_fractions_are_asked_about(tmp_path: Path) -> None:
    values = [984 + 317 * j for j in range(60)]
    lines = ["sold;x;y", *(f"{one:,};{j % 7};{j % 2}".replace(",", ".") for j, one in enumerate(values))]
    (path := tmp_path / "a.csv").write_text("\n".join(lines), encoding="utf-8")
    (found,) = [one for one in altsel.look(path, "y").findings if one.kind == "thousands"]
    assert found.fix == "--thousands . --decimal ,"
    assert "three digits after it, such as '1.301'" in found.message
    for told in ({"thousands": ".", "sep": ";", "keep": ["sold"]}, {"thousands": ".", "keep": ["sold"]}):
        seen = altsel.look(path, "y", told)
        assert "thousands" not in {one.kind for one in seen.findings}
        assert altsel.Dataset.from_table(path, "y", told).X["sold"].tolist() == values
    assert "thousands" not in {one.kind for one in altsel.look(path, "y", {"decimal": "."}).findings}
    with pytest.raises(
        altsel.ArgumentError, match=r"other than the decimal sign: decimal=',' \(--decimal ,\)"
    ):
        Reading(thousands=".")


@pytest.mark.filterwarnings("ignore::altsel.DataWarning")
@pytest.mark.parametrize("unit", ["{} %", "{} €", "{} kg", "{}-"])
def test_units_and_missing_values_in_one_column_are_fixed_at_once(unit: str, tmp_path: Path) -> None:
    values = [90 + (7 * j % 41) / 4 for j in range(60)]
    cells = [
        "k.A." if j % 12 == 5 else unit.format(f"{one}".replace(".", ",")) for j, one in enumerate(values)
    ]
    lines = ["O2 [%];x;y", *(f"{one};{j % 7},5;{j % 2}" for j, one in enumerate(cells))]
    (path := tmp_path / "a.csv").write_text("\n".join(lines), encoding="utf-8")
    found = altsel.look(path, "y")
    assert "--na k.A. --drop-missing --kind 'O2 [%]=numeric'" in found.command()
    data = altsel.Dataset.from_table(path, "y", found.write(tmp_path / "t.toml"))
    sign = -1 if unit == "{}-" else 1
    assert data.X["O2 [%]"].tolist() == [sign * one for j, one in enumerate(values) if j % 12 != 5]


@pytest.mark.filterwarnings("ignore::altsel.DataWarning")
def test_copies_of_rows_are_told_at_once(tmp_path: Path) -> None:
    r = np.random.default_rng(0)
    table = pd.DataFrame({f"x{j}": [f"{one:.2f} €" for one in r.normal(50, 9, 120)] for j in range(3)})
    table.loc[::9, "x1"] = "k.A."
    table["y"] = r.integers(0, 2, 120)
    pd.concat([table, table.iloc[:12]]).to_csv(path := tmp_path / "a.csv", index=False)
    found = altsel.look(path, "y")
    kinds = [one.kind for one in found.findings]
    assert "duplicate rows" in kinds
    again = altsel.look(path, "y", found.table.model_copy(update={"unique_rows": True}))
    assert "duplicate rows" not in [one.kind for one in again.findings]


@pytest.mark.filterwarnings("ignore::altsel.DataWarning")
def test_columns_are_left_out_for_the_reason_that_is_named(tmp_path: Path) -> None:
    r = np.random.default_rng(0)
    table = pd.DataFrame({"x": r.normal(size=120), "y": r.integers(0, 2, 120)})
    table["lab"] = ["k.A." if j % 2 else f"{j % 47}.5" for j in range(120)]
    table["rank"] = [["low", "mid", "high"][j] for j in r.integers(0, 3, 120)]
    table.to_csv(path := tmp_path / "a.csv", index=False)
    told = {"kind": {"lab": "numeric", "rank": ["low", "mid", "high"]}, "na": ["k.A."]}
    found = altsel.look(path, "y", told)
    whys = {one.name: (one.kind, one.why) for one in found.columns}
    assert whys["lab"][1] == "left out: missing values"
    assert whys["rank"] == ("ordinal", "as told")
    first = {one.name: one.why for one in altsel.look(path, "y").columns}
    assert first["lab"] == "left out: missing values"
    again = altsel.look(path, "y", {"kind": {"lab": "numeric"}})  # what it needs besides is proposed
    assert [one.fix for one in again.findings if one.kind == "missing token"] == ["--na k.A."]


def test_an_order_that_lacks_a_level_names_it(tmp_path: Path) -> None:
    table = pd.DataFrame(
        {"x": np.arange(60) % 7 + 0.5, "rank": ["low", "mid", "high"] * 20, "y": [0, 1] * 30}
    )
    table.to_csv(path := tmp_path / "a.csv", index=False)
    found = altsel.look(path, "y", {"kind": {"rank": ["low", "high"]}})
    assert "'rank' holds 'mid', which the order 'low', 'high' does not name; add it" in found.fault
    assert (found.table.kind, found.table.drop) == ({"rank": ["low", "high"]}, [])


@pytest.mark.filterwarnings("ignore::altsel.DataWarning")
@pytest.mark.parametrize("unit", ["{:,.2f} €", "{:.1f} %", "{:,.2f}"])
def test_a_target_with_a_unit_is_read_as_numbers(unit: str, tmp_path: Path) -> None:
    values = [4000.5 + 61 * (7 * j % 41) for j in range(60)]
    cells = [unit.format(one).translate(str.maketrans(",.", ".,")) for one in values]
    lines = ["x;z;y", *(f"{j % 11},5;{j % 7};{one if j % 3 else 'k.A.'}" for j, one in enumerate(cells))]
    (path := tmp_path / "a.csv").write_text("\n".join(lines), encoding="utf-8")
    found = altsel.look(path, "y")
    assert (found.fault, found.task, "--rows-lost" in found.command()) == ("", "regression", False)
    assert ("--kind y=numeric" in found.command()) == (unit != "{:,.2f}")
    data = altsel.Dataset.from_table(path, "y", found.write(tmp_path / "t.toml"))
    assert data.y.tolist() == [one for j, one in enumerate(values) if j % 3]


def test_all_columns_are_listed_but_on_a_terminal() -> None:
    r = np.random.default_rng(0)
    found = altsel.look({**{f"x{j}": r.normal(size=40) for j in range(68)}, "y": [0, 1] * 20}, "y")
    shown = text(found)
    assert "more" not in shown
    assert "x67" in shown
    assert "\nalone: rows in which this column alone has no value; shape:" in shown
    with fit_tables(80):
        assert "and 9 columns more: --format csv lists all" in text(found)


def test_targets_that_name_rows_and_codes_of_missing_values_are_remarks() -> None:
    r = np.random.default_rng(0)
    rows = {"age": r.uniform(18, 95, 100).round(), "dose": r.exponential(3, 100), "score": r.normal(size=100)}
    rows["age"][::10] = -99
    rows["score"][:8] = 999
    rows["stay"] = np.where(np.arange(100) % 3, r.integers(1, 40, 100), 0)  # none is far from one
    names = [f"case {j}" for j in r.permutation(100)]
    found = {(one.kind, one.columns): one for one in altsel.look({**rows, "y": names}, "y").findings}
    assert set(found) == {("unique target", ("y",)), ("outliers", ("age",)), ("outliers", ("score",))}
    assert found["outliers", ("age",)].fix == "--na -99"
    assert "8 values far from the others" in found["outliers", ("score",)].message
    assert all(one.effect == "remark" for one in found.values())


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::altsel.DataWarning")
def test_a_spreadsheet_holds_categories_that_are_words_for_nothing(tmp_path: Path) -> None:
    pytest.importorskip("openpyxl")
    r = np.random.default_rng(0)
    table = pd.DataFrame({"x": r.normal(size=120), "y": r.integers(0, 2, 120)})
    table["cellar"] = r.choice(["NA", "good", "fair", "poor"], 120, p=[0.1, 0.3, 0.3, 0.3])
    table["dose"] = ["?" if j % 20 == 3 else 0.5 * (j % 7) for j in range(120)]
    table.to_excel(path := tmp_path / "a.xlsx", index=False)
    found = altsel.look(path, "y")
    assert "None as category" in {one.kind for one in found.proposed()}
    assert found.table.na == ["?"]
    data = altsel.Dataset.from_table(path, "y", found.write(tmp_path / "t.toml"))
    assert "NA" in set(data.X["cellar"])
    assert data.dropped == 6
    fewer = altsel.Dataset(path, "y", missing="drop rows", reading=Reading(missing=("?", "1.50")))
    assert fewer.dropped == sum(j % 20 == 3 or j % 7 == 3 for j in range(120))  # the same number, as a cell


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::altsel.DataWarning")
@pytest.mark.parametrize("total", [False, True])  # cells of text are read again if a row is left out
def test_thousands_in_cells_of_text_are_found_by_the_decimal_commas_of_others(
    total: bool, tmp_path: Path
) -> None:
    pytest.importorskip("openpyxl")
    r = np.random.default_rng(0)
    bnp, dose = r.integers(300, 1100, 200), r.normal(5, 1, 200).round(2)
    cells = [f"{value:,}".replace(",", ".") for value in bnp.tolist()]
    with_gap = ["k. A.", *cells[1:]]
    columns = {"bnp": cells, "leu": with_gap, "dose": [f"{one:.2f}".replace(".", ",") for one in dose]}
    columns |= {"size": r.integers(150, 200, 200).tolist(), "ill": ["yes", "no"] * 100}
    table = pd.DataFrame(columns)
    if total:
        last = {"bnp": "Summe", "size": int(table["size"].sum())}
        table = pd.concat([table, pd.DataFrame([last])], ignore_index=True)
    table.to_excel(path := tmp_path / "a.xlsx", index=False)
    found = altsel.look(path, "ill")
    assert [one.columns for one in found.findings if one.kind == "thousands"] == [("bnp", "leu")]
    assert (found.table.decimal, found.table.thousands, found.table.kind) == (",", ".", {})
    data = altsel.Dataset.from_table(path, "ill", found.write(tmp_path / "table.toml"))
    assert data.X["bnp"].tolist() == bnp[1:].tolist() == data.X["leu"].tolist()
    assert data.X["dose"].tolist() == dose[1:].tolist()
