"""How files are written is found from their bytes."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

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
