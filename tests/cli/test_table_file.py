"""How a table is read, kept in table.toml or with solutions, and changed by single options."""

from __future__ import annotations

import json
import shlex
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import altsel
from altsel.cli.app import app
from altsel.cli.reading_options import ReadingOptions
from altsel.data.reading import Reading
from altsel.data.table_file import TableFile, table_file

READ = [
    "--sep",
    ";",
    "--decimal",
    ",",
    "--encoding",
    "latin-1",
    "--drop",
    "id",
    "--drop-missing",
    "--na",
    "k.A.",
]
READ += ["--kind", "Größe=ordinal:klein,mittel,groß", "--kind", "plz=categorical"]
KEPT = """
sep = ";"
decimal = ","
encoding = "latin-1"
drop = ["id"]
drop_missing = true
na = ["k.A."]

[kind]
"Größe" = ["klein", "mittel", "groß"]
plz = "categorical"
"""


@pytest.fixture
def export(tmp_path: Path) -> Path:
    """Return a German export: text that tells the rows, gaps, codes, an order."""
    r = np.random.default_rng(0)
    sizes = ["klein", "mittel", "groß"]
    rows = ["id;Größe;plz;Wert;Zahl;Rest;ja"]
    for i in range(60):
        wert = "k.A." if i in {3, 9} else f"{r.normal():.2f}".replace(".", ",")
        rows.append(f"p{i};{sizes[r.integers(3)]};{r.integers(1, 5)};{wert};{r.integers(90)};{i % 7};{i % 2}")
    path = tmp_path / "export.csv"
    path.write_bytes("\n".join(rows).encode("latin-1"))
    return path


def search(data: Path, output: Path, *options: str) -> dict[str, object]:
    ask = ["select", str(data), "--target", "ja", "-k", "2", "--alternatives", "1", "--output", str(output)]
    done = CliRunner().invoke(app, [*ask, *options])
    assert done.exit_code == 0, done.exception or done.output
    return dict(json.loads(output.read_text(encoding="utf-8"))["request"])


@pytest.mark.filterwarnings("ignore::altsel.DataWarning")
@pytest.mark.slow
def test_a_file_says_what_the_options_say_and_one_option_more_changes_that_one(
    export: Path, tmp_path: Path
) -> None:
    table, found = tmp_path / "table.toml", tmp_path / "found.json"
    table.write_text(KEPT, encoding="utf-8")
    by_options = search(export, tmp_path / "a.json", *READ)
    assert search(export, found, "--table", str(table)) == by_options  # and so can be repeated without it
    assert search(export, tmp_path / "b.json", "--table", str(found)) == by_options
    more = ["--drop", "Rest", "--kind", "Zahl=categorical"]
    changed = search(export, tmp_path / "c.json", "--table", str(table), *more)
    assert changed["data"] == search(export, tmp_path / "d.json", *READ, *more)["data"] != by_options["data"]
    python = altsel.Dataset.from_table(export, "ja", table, drop=["Rest"], kinds={"Zahl": "categorical"})
    assert changed["data"] == python.grouped().fingerprint
    assert python.kinds["Größe"] == "ordinal"


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::altsel.DataWarning")
@pytest.mark.parametrize(
    "again", [["--encoding", "latin-1"], ["--sep", ";"], ["--drop", "id"], ["--kind", "plz=categorical"]]
)
def test_solutions_remember_each_option_that_is_not_given_again(
    again: list[str], export: Path, tmp_path: Path
) -> None:
    found = tmp_path / "found.json"
    search(export, found, *READ)
    done = CliRunner().invoke(app, ["equivalence", str(found), str(export), *again])
    assert done.exit_code == 0, done.exception


def test_every_option_is_a_key_and_what_is_written_is_read_again(tmp_path: Path) -> None:
    options = {field.name for field in fields(ReadingOptions)} - {"table"}
    assert set(TableFile.model_fields) == {*options, "notes"}
    odd = 'a "b" \\ c\nd\u202e'
    table = TableFile(
        sep="\t",
        na=["", odd],
        drop=[odd],
        kind={odd: ["1", "2"], "b": "numeric"},
        task=altsel.data.Task.BINARY,
        notes=[odd, "30 of 2,930 rows left"],
    )
    path = tmp_path / "table.toml"
    path.write_text(table.text("how 'a' is read\nall of it"), encoding="utf-8")
    assert table_file(path) == table
    assert table.arguments()["kinds"] == {odd: ["1", "2"], "b": "continuous"}
    assert TableFile(sep="tab").arguments()["reading"] == Reading("\t")


EVERY = [
    *("--sep", ",", "--encoding", "utf-8", "--decimal", ".", "--thousands", "'", "--skip-rows", "1"),
    *("--sheet", "0", "--na", "?", "--na", "k. A.", "--drop", "id", "--keep", "nr", "--drop-missing"),
    *("--rows-lost", "0.35", "--most-missing", "5e-05", "--unique-rows", "--task", "regression"),
    *("--kind", "size=ordinal:s,m", "--kind", "dose=numeric", "--missing", "drop-rows"),
]


def test_each_option_survives_being_written_and_read_again(tmp_path: Path) -> None:
    table = TableFile().with_options(shlex.join(EVERY))
    assert table.model_fields_set | {"notes"} == {*TableFile.model_fields}
    usual = [name for name, value in table if value == TableFile.model_fields[name].default]
    assert usual == ["notes"]
    path = tmp_path / "table.toml"
    path.write_text(table.model_copy(update={"notes": ["30 rows"]}).text(), encoding="utf-8")
    assert table_file(path) == table.model_copy(update={"notes": ["30 rows"]})
    assert TableFile().with_options(table.options()) == table


@pytest.mark.parametrize("share", [["--rows-lost", "0.35"], ["--most-missing", "0.4"]])
def test_look_writes_shares(share: list[str], export: Path, tmp_path: Path) -> None:
    table = tmp_path / "table.toml"
    ask = ["look", str(export), "--target", "ja", *share, "--write", str(table)]
    done = CliRunner().invoke(app, ask)
    assert done.exit_code == 0, done.exception
    assert getattr(table_file(table), share[0][2:].replace("-", "_")) == float(share[1])


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("drops = ['id']\nkind = 3", "drops: unknown key; there are 'task', 'sep', "),
        ("drop = 'id'", "drop: must be a list"),
        ("[kind]\na = ['x, y', 'z']", "kind of 'a': a value holds a comma"),
        ("kind]", "is not TOML"),
        (None, "cannot read"),
    ],
)
def test_what_is_wrong_in_a_file_is_told_by_key(text: str | None, why: str, tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    if text is not None:
        path.write_text(text)
    done = CliRunner().invoke(app, ["rank", "x.csv", "--target", "y", "--table", str(path)])
    assert isinstance(done.exception, altsel.ConfigurationError)
    assert why in str(done.exception)


def test_solutions_from_python_do_not_say_how_a_table_was_read(tmp_path: Path) -> None:
    path = tmp_path / "found.json"
    found = altsel.sequential(altsel.Problem(altsel.Univariate([3, 2, 1]), 1), altsel.Dice(0.5), 0)
    path.write_text(found.to_json())
    done = CliRunner().invoke(app, ["rank", "x.csv", "--target", "y", "--table", str(path)])
    assert "does not say how its table was read" in str(done.exception)
