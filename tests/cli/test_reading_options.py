"""A file as people have it, on the command line: each fault is said once, with options to be pasted."""

from __future__ import annotations

import json
import shlex
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from altsel.cli.app import app

ROWS = 120


def run(*arguments: Any) -> tuple[int, str, str]:
    """Return the exit code, what is printed, and what is said besides, warnings too."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    said = [str(one.message) for one in caught] + [result.stderr, str(result.exception or "")]
    return result.exit_code, result.stdout, "\n".join(said)


@pytest.fixture
def german(tmp_path: Path) -> Path:
    """Write a German export: titles, units, dates, free text, a running number, an empty column and a sum."""
    random = np.random.default_rng(1)
    crp, cost = random.normal(20, 5, ROWS), random.normal(2500, 600, ROWS)
    lines = ["sep=;", "Klinik Nord;;;;;", "", "Fallnummer;Aufnahme am;Bemerkung;CRP [mg/l];Kosten;Gruppe;"]
    for j in range(ROWS):
        words = " ".join(random.choice(["der", "Patient", "kam", "nachts", "mit", "Fieber"], 5))
        money = f"{cost[j]:,.2f}".translate(str.maketrans(",.", ".,"))
        day = f"{1 + j % 28:02d}.{1 + j % 12:02d}.2024"
        group = "A" if crp[j] > 20 + random.normal() else "B"
        lines.append(f"{1000 + j};{day};{words};{crp[j]:.1f};{money} €;{group};")
    text = "\n".join([*lines, ";;;;;;", "Summe;;;;300.000,00 €;;"]) + "\n"
    path = tmp_path / "german.csv"
    path.write_text(text)
    return path


@pytest.mark.slow
def test_a_german_export_is_read_by_what_is_printed(german: Path) -> None:
    wanted = ["select", german, "--target", "Gruppe", "-k", 1, "--alternatives", 0, "--quiet"]
    code, out, said = run(*wanted)
    assert code == 0, said
    for part in (
        "'Unnamed: 6' (empty, without a name)",
        "'Aufnahme am' (dates or times: --kind 'Aufnahme am=date' reads them)",
        "'Kosten' (numbers with '€': --kind Kosten=numeric reads them)",
        "'Bemerkung' (free text)",
        "'Fallnummer' (row numbers)",
        "1 line above the header is skipped: 'Klinik Nord'",
        "its first line, 'sep=;', is skipped",
        "1 row that sums up those above is skipped",
    ):
        assert part in said, part
    code, out, said = run(*wanted, *shlex.split("--kind 'Aufnahme am=date' --kind Kosten=numeric"))
    assert code == 0, said
    assert "CRP [mg/l]" in out
    assert "Aufnahme" not in said


def test_what_is_kept_is_searched(german: Path, tmp_path: Path) -> None:
    found = tmp_path / "found.json"
    wanted = ["select", german, "--target", "Gruppe", "-k", 2, "--alternatives", 0, "--quiet"]
    keep = ["--keep", "Fallnummer", "--drop", "CRP [mg/l]", "--kind", "Kosten=numeric"]
    code, _, said = run(*wanted, *keep, "--output", found)
    assert code == 0, said
    assert set(json.loads(found.read_text())["sets"][0]["features"]) == {"Fallnummer", "Kosten"}
    code, _, said = run("audit", found, german, "--quiet")  # the options are remembered
    assert code == 0, said


def test_a_wrong_name_to_keep(german: Path) -> None:
    code, _, said = run(
        "rank", german, "--target", "Gruppe", "--method", "mim", "-k", 1, "--keep", "fallnummer"
    )
    assert code != 0
    assert "keep: there is no column 'fallnummer'; did you mean 'Fallnummer'" in said


@pytest.mark.slow
def test_rows_that_would_be_lost(tmp_path: Path) -> None:
    random = np.random.default_rng(0)
    table = pd.DataFrame(random.normal(size=(ROWS, 3)), columns=list("abc")).assign(
        y=random.integers(0, 2, ROWS)
    )
    table["m"] = np.where(np.arange(ROWS) % 3, "None", "brick")
    path = tmp_path / "houses.csv"
    table.to_csv(path, index=False)
    wanted = ["select", path, "--target", "y", "-k", 1, "--alternatives", 0, "--quiet"]
    code, _, said = run(*wanted, "--drop-missing")
    assert code != 0
    assert "40 of 120 rows would be left: most are lost by 'm' (80)" in said
    assert "'None' is 67 % of 'm': missing, or a category? --na NA" in said
    code, _, said = run(*wanted, "--na", "NA")
    assert code == 0, said
    code, _, said = run(*wanted, "--drop-missing", "--rows-lost", 0.67)
    assert "40 of 120 rows left: the others have missing values, most in 'm' (80)" in said
    code, _, said = run(*wanted, "--drop-missing", "--most-missing", 0.5)
    assert (code, "columns left out: 'm' (too many values missing)" in said) == (0, True)


def test_copies_of_rows_on_the_command_line(tmp_path: Path) -> None:
    random = np.random.default_rng(0)
    table = pd.DataFrame(random.normal(size=(60, 2)), columns=list("ab")).assign(y=random.integers(0, 2, 60))
    path = tmp_path / "twice.csv"
    pd.concat([table, table]).to_csv(path, index=False)
    wanted = ["select", path, "--target", "y", "-k", 1, "--alternatives", 0, "--quiet"]
    assert "60 of 120 rows are copies of others: tests count them as evidence" in run(*wanted)[2]
    code, _, said = run(*wanted, "--unique-rows")
    assert (code, "copies of others" in said) == (0, False)


def test_spreadsheets_and_their_sheets(tmp_path: Path) -> None:
    pytest.importorskip("openpyxl")
    random = np.random.default_rng(0)
    table = pd.DataFrame(random.normal(size=(60, 2)), columns=list("ab")).assign(y=random.integers(0, 2, 60))
    path = tmp_path / "book.xlsx"
    with pd.ExcelWriter(path) as book:
        pd.DataFrame({"read": ["me"]}).to_excel(book, sheet_name="notes", index=False)
        table.to_excel(book, sheet_name="data", index=False)
    wanted = ["select", path, "--target", "y", "-k", 1, "--alternatives", 0, "--quiet"]
    assert run(*wanted, "--sheet", "data")[0] == 0
    assert "has no sheet 'daten'; did you mean 'data'?" in run(*wanted, "--sheet", "daten")[2]
