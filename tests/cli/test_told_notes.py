"""Notes on how a table is read: whole the first time, then in one line that says how to see them."""

from __future__ import annotations

import json
import shlex
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import altsel
from altsel.cli.app import app
from altsel.data.table_file import table_file


@pytest.fixture
def messy(tmp_path: Path) -> Path:
    """Return a table with a constant column, names of rows, text and copies of rows."""
    r = np.random.default_rng(0)
    table = pd.DataFrame({name: r.normal(size=200) for name in "abcd"})
    table["Case No"] = [f"K-{number}" for number in r.permutation(200)]
    words = ["pain", "since", "two", "days", "no", "fever"]
    table["free text"] = [" ".join(r.choice(words, 7)) for _ in range(200)]
    table["one"] = 1
    table["y"] = (table["a"] + table["b"] > 0).astype(int)
    path = tmp_path / "messy table.csv"
    pd.concat([table, table[:40]]).to_csv(path, index=False)
    return path


def said(*arguments: object) -> list[str]:
    """Run a command, and return what it notes of its table."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", altsel.DataWarning)
        done = CliRunner().invoke(app, list(map(str, arguments)))
    assert done.exit_code == 0, done.output + str(done.exception)
    lines = [line for line in done.stderr.splitlines() if "on how " in line]
    return [*(str(one.message) for one in caught), *lines]


def search(messy: Path, *more: object) -> tuple[object, ...]:
    return ("select", messy, "--target", "y", "-k", 2, *more)


def is_short(notes: list[str], messy: Path, file: Path) -> bool:
    """Return whether one line stands for all notes, and names a command that shows them."""
    assert len(notes) == 1, notes
    line = notes[0]
    shown = [f"altsel look {shlex.quote(str(messy))} --target y --table {file}"]
    return "whole: " in line and all(one in line for one in shown)


@pytest.mark.slow
def test_later_commands_on_the_same_file_note_in_one_line(messy: Path, tmp_path: Path) -> None:
    file = tmp_path / "found.json"
    first = said(*search(messy, "--alternatives", 1, "--output", file))
    assert len(first) == 3
    assert json.loads(file.read_text())["request"]["command"]["notes"] == first
    assert first == said(*search(messy)), "nothing at hand tells that they were seen"
    page = tmp_path / "page.html"
    for command in (
        ("performance", file, messy, "--cv", 2),
        ("equivalence", file, messy),
        ("taxonomy", file, messy),
        ("stability", file, messy, "--resamples", 3),
        ("report", file, "--data", messy, "--output", page),
        ("audit", file, messy),
        search(messy, "--table", file),
    ):
        assert is_short(said(*command), messy, file), command
    shown = CliRunner().invoke(app, ["look", str(messy), "--target", "y", "--table", str(file)]).stdout
    assert all(word in shown for word in ("Case No", "free text", "'one' has one value", "40 of 240 rows"))


@pytest.mark.slow
def test_notes_on_another_table_are_whole(messy: Path, tmp_path: Path) -> None:
    file, other = tmp_path / "found.json", tmp_path / "other.csv"
    first = said(*search(messy, "--output", file))
    pd.read_csv(messy)[:210].assign(ward="k").to_csv(other, index=False)
    notes = said("performance", file, other, "--other-data", "--cv", 2)
    new = [one for one in notes if one not in first and "on how" not in one]
    assert any("10 of 210 rows" in one for one in new)
    assert any("'ward'" in one for one in new)


@pytest.mark.slow
def test_a_table_file_of_look_holds_the_notes(messy: Path, tmp_path: Path) -> None:
    written = tmp_path / "table.toml"
    done = CliRunner().invoke(app, ["look", str(messy), "--target", "y", "--write", str(written)])
    assert done.exit_code == 0
    held = table_file(written)
    assert any("40 of 240 rows" in one for one in held.notes)
    assert "notes" not in held.options()
    assert is_short(said(*search(messy, "--table", written)), messy, written)
    with pytest.warns(altsel.DataWarning, match="40 of 240 rows"):
        altsel.Dataset.from_table(messy, "y", written)
    bare = "".join(line for line in written.read_text().splitlines(True) if not line.startswith("notes"))
    written.write_text(bare)
    assert "40 of 240 rows" in said(*search(messy, "--table", written))[0]


@pytest.mark.slow
def test_a_file_that_holds_no_notes_or_other_things_instead_hides_none(messy: Path, tmp_path: Path) -> None:
    file = tmp_path / "found.json"
    first = said(*search(messy, "--output", file))
    for forged in (None, 3, {"a": 1}, [1, None, ["x"]]):
        plain = json.loads(file.read_text())
        plain["request"]["command"]["notes"] = forged
        file.write_text(json.dumps(plain))
        assert said("performance", file, messy, "--cv", 2) == first
