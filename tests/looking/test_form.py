"""How files are written is found from their bytes."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import altsel
from altsel import ArgumentError
from altsel.data import Reading
from altsel.looking.form import Form, form_of

ROWS = ["name{0}size{0}price", "Zoë{0}1{1}5{0}12{1}25", "Jörg{0}2{1}5{0}1{1}75", "Ann{0}10{0}3{1}5"]


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1", "utf-16"])
@pytest.mark.parametrize(
    ("separator", "decimal"), [(",", "."), (";", ","), ("\t", ","), ("|", "."), (";", ".")]
)
def test_encoding_separator_and_decimal_sign(
    encoding: str, separator: str, decimal: str, tmp_path: Path
) -> None:
    path = tmp_path / "a.csv.gz"
    text = "\r\n".join(line.format(separator, decimal) for line in ROWS * 5)
    path.write_bytes(gzip.compress(text.encode(encoding)))
    assert form_of(path) == Form(encoding, separator, decimal)


@pytest.mark.parametrize(
    ("text", "encoding", "wanted"),
    [
        ("a;b\n1,000;2\n3,500;1\n", "utf-8", Form("utf-8", ";", ".")),  # marks between thousands
        ("a;b\n1.000,5;2\n3.500,25;1\n", "utf-8", Form("utf-8", ";", ",")),
        ("preis;b\n5 €;2\n3 €;1\n", "cp1252", Form("cp1252", ";", ".")),
        ("a;b\n2.853;3\n984;1\n1.200;2\n3.500;1\n4.1;0\n", "utf-8", Form("utf-8", ";", ".")),
        ("a;b\n0.853;3\n984;1\n1.200;2\n3.500;1\n7.100;0\n", "utf-8", Form("utf-8", ";", ".")),
        ('a,b\n"x; y",1\n"z; w",2\n', "utf-8", Form("utf-8", ",", ".")),
        ("sep=|\na|b,c\n1|2,5\n", "utf-8", Form("utf-8", "|", ",")),
        ("Report; of\nJune\n\na,b,c\n1,2,3\n4,5,6\n7,8,9\n", "utf-8", Form("utf-8", ",", ".")),
        ("one\n1\n2\n", "utf-8", Form("utf-8", ",", ".")),
        ("", "utf-8", Form("utf-8", ",", ".")),
    ],
)
def test_what_looks_like_another_form(text: str, encoding: str, wanted: Form, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(text.encode(encoding))
    assert form_of(path) == wanted


COLUMNS = [["dose", "pay", "people"], ["dose", "pay"], ["pay", "people"], ["people"]]


def german(columns: list[str]) -> pd.DataFrame:
    """Return numbers as Germans write them, as text."""
    r = np.random.default_rng(0)
    table = pd.DataFrame({"ill": ["no", "yes"] * 40})
    table["dose"] = [f"{value:.1f}".replace(".", ",") for value in r.normal(50, 9, 80)]
    table["pay"] = [f"{value:,}".replace(",", ".") for value in r.integers(300, 9_000, 80)]
    table["people"] = [f"{value:,}".replace(",", ".") for value in r.integers(100_000, 9_000_000, 80)]
    return table[["ill", *columns]]


@pytest.mark.parametrize(
    "columns", [["dose", "pay", "people"], ["dose", "pay"], ["pay", "people"], ["people"]]
)
@pytest.mark.parametrize("kind", ["frame", "commas", "semicolons", "spreadsheet"])
def test_points_between_thousands_are_found_in_every_table(
    columns: list[str], kind: str, tmp_path: Path
) -> None:
    table = german(columns)
    given: Any = tmp_path / "a.csv"
    if kind == "frame":
        given = table
    elif kind == "spreadsheet":
        pytest.importorskip("openpyxl")
        table.to_excel(given := tmp_path / "a.xlsx", index=False)
    else:
        table.to_csv(given := tmp_path / "a.csv", index=False, sep="," if kind == "commas" else ";")
    found = altsel.look(given, "ill")
    assert any(one.kind == "thousands" for one in found.findings)
    data = altsel.Dataset.from_table(given, "ill", found.write(tmp_path / "table.toml"))
    for name in columns:
        whole = table[name].str.replace(".", "").str.replace(",", ".").astype(float)
        assert data.X[name].tolist() == whole.tolist()
    assert not found.fault


def test_points_of_numbers_alone_may_be_either_sign() -> None:
    (one,) = (one for one in altsel.look(german(["pay"]), "ill").findings if one.kind == "thousands")
    assert (one.effect, one.fix) == ("warning", "--thousands . --decimal ,")


def test_a_comma_is_both_signs_only_between_quotes(tmp_path: Path) -> None:
    path, reading = tmp_path / "a.csv", Reading(separator=",", decimal=",")
    path.write_text('a,b,y\n"1,5",2,0\n"2,5",3,1\n')
    assert altsel.Dataset(path, "y", reading=reading).X["a"].tolist() == [1.5, 2.5]
    path.write_text("a,b,y\n1,2,0\n2,3,1\n")
    with pytest.raises(ArgumentError, match=r"cannot be both .* quotes no field"):
        altsel.Dataset(path, "y", reading=reading)
