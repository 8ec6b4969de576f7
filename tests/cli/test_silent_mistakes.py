"""Mistakes that passed silently once: each is reported now, or the answer is right."""

from __future__ import annotations

import io
import json
import os
import warnings
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from typer.testing import CliRunner

import altsel
from altsel import (
    MRMR,
    ArgumentError,
    DataError,
    Dataset,
    DataWarning,
    Dice,
    Problem,
    RelativeLoss,
    Solutions,
    Univariate,
    dependence,
    domain,
    equivalence,
    sequential,
)
from altsel.cli.app import app
from altsel.cli.rules_file import read_rules
from altsel.data import Task, leading_zeros
from altsel.independence import LikelihoodRatio, PartialCorrelation
from altsel.measures import symmetric_uncertainty
from altsel.results.text import csv_text, read_cell

ROWS = 60


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    a, b, c = rng.normal(size=(3, ROWS))
    return pd.DataFrame({"a": a, "b": b, "c": c, "y": a + b + rng.normal(size=ROWS)})


def run(*arguments: Any) -> tuple[int, str]:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    message = result.stderr + (
        f"{type(result.exception).__name__}: {result.exception}" if result.exception else ""
    )
    return result.exit_code, message


@pytest.fixture
def csv(table: pd.DataFrame, tmp_path: Path) -> Path:
    path = tmp_path / "data.csv"
    table.assign(y=(table["y"] > 0).astype(int)).to_csv(path, index=False)
    return path


def test_hold_out_labels_never_seen(table: pd.DataFrame) -> None:
    X, labels = table[["a", "b"]], np.array(["no", "yes"] * (ROWS // 2))
    data = Dataset(X, labels)
    with pytest.raises(DataError, match=r"classes never seen: 'maybe'; .* have 'no', 'yes'"):
        data.holdout(X, np.where(labels == "no", "maybe", labels))
    with pytest.raises(DataError, match=r"holds numbers \('0', '1'\) here and categories \('no', 'yes'\)"):
        data.holdout(X, np.array([0, 1] * (ROWS // 2)))
    with pytest.raises(DataError, match=r"holds categories .* here and numbers"):
        Dataset(X, table["y"]).holdout(X, table["y"].astype(str))


def test_rows_of_other_data_as_the_target(table: pd.DataFrame) -> None:
    X, y = table[["a", "b"]], table["y"]
    with pytest.raises(DataError, match="indexes of X and y differ: 0 of 30 labels"):
        Dataset(X.iloc[:30], y.iloc[30:])
    with pytest.raises(DataError, match="indexes of X and y differ: 10 of 30 labels"):
        Dataset(X.iloc[5:35], y.iloc[25:55])
    assert len(Dataset(X.iloc[5:35], y.iloc[25:55].to_numpy()).X) == 30
    some = np.random.default_rng(1).permutation(ROWS)[:30]
    assert len(Dataset(X.iloc[some], y.iloc[some].reset_index(drop=True)).X) == 30


@pytest.mark.parametrize(
    "column",
    [
        np.arange(ROWS, dtype="uint64") + np.uint64(2**63 + 7),
        [2**70 + j for j in range(ROWS)],
        np.arange(ROWS) + 2**60,
    ],
)
def test_whole_numbers_that_floats_cannot_tell_apart(table: pd.DataFrame, column: Any) -> None:
    with pytest.raises(DataError, match="'big' holds integers beyond 2\\^53"):
        Dataset(table[["a"]].assign(big=pd.Series(column)), table["y"], keep=["big"])
    with pytest.raises(DataError, match="'y' holds integers"):
        Dataset(table[["a"]], pd.Series(column, name="y"))


def test_large_numbers_that_floats_do_tell_apart_are_kept(table: pd.DataFrame) -> None:
    big = np.arange(ROWS, dtype="uint64") * np.uint64(2**57)
    data = Dataset(table[["a"]].assign(big=big), table["y"], keep=["big"])
    assert len(np.unique(data.matrix()[:, 1])) == ROWS


@pytest.mark.filterwarnings("ignore:.*rows left:altsel.DataWarning")
def test_missing_values_in_a_text_target(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,y\n1,yes\n2,NA\n3,no\n4,?\n5,yes\n")
    with pytest.raises(DataError, match=r"missing values in 'y' \(2\)"):
        Dataset(path, "y")
    assert Dataset(path, "y", missing="drop rows", rows_lost=0.5).task.value == "binary"


def test_labels_that_differ_by_blanks(table: pd.DataFrame) -> None:
    labels = np.where(table["a"] > 0, "yes", "no").astype(object)
    labels[0] = "yes "
    with pytest.raises(DataError, match=r"differ by blanks, capitals or type alone: .*'yes '"):
        Dataset(table[["b"]], labels)
    with pytest.warns(DataWarning, match="labels of 'l' differ by blanks, capitals or type alone"):
        Dataset(table[["b"]].assign(l=labels), table["y"])


@pytest.mark.parametrize(
    ("target", "leak"),
    [
        (lambda t: (t["a"] > 0).astype(int), lambda y: 2 * y + 1),
        (lambda t: (t["a"] > 0).astype(int), lambda y: y.map({0: "n", 1: "y"})),
        (lambda t: pd.Series(np.arange(ROWS) % 3), lambda y: 2 - y),
        (lambda t: t["y"], lambda y: 3 - 0.5 * y),
    ],
)
def test_a_feature_that_determines_the_target(
    table: pd.DataFrame, target: Any, leak: Any, tmp_path: Path
) -> None:
    y = target(table).rename("y")
    with pytest.warns(DataWarning, match="features determine the target 'y', .*--drop leak"):
        data = Dataset(table[["b", "c"]].assign(leak=leak(y)), y)
    assert data.determining == ("leak",)
    path = tmp_path / "leak.csv"
    data.X.assign(y=y).to_csv(path, index=False)
    assert "features determine the target 'y'" in run("rank", path, "--target", "y", "-k", 1)[1]


def test_features_that_only_help_are_not_called_leaks(table: pd.DataFrame) -> None:
    assert not Dataset(table[["a", "b", "c"]], table["y"]).determining
    assert not Dataset(table[["a", "b", "c"]], table["a"].gt(0).rename("t")).determining


def test_sets_on_another_target_measure_or_table(table: pd.DataFrame) -> None:
    data = Dataset(table, "y")
    found = sequential(Problem(Univariate(dependence(data)), 1), Dice(0.5), 1)
    with pytest.raises(DataError, match=r"explain 'y', not 'c'.*other_data=True"):
        equivalence(found, Dataset(table, "c"))
    changed = Dataset(table.assign(a=table["a"] + 1), "y")
    with pytest.raises(DataError, match="not the data that the sets were found in"):
        equivalence(found, changed)
    assert len(equivalence(found, changed, other_data=True).pairs) == 1
    with pytest.raises(ArgumentError, match=r"association.*, not .*symmetric uncertainty"):
        found.with_holdout(Univariate(dependence(data, symmetric_uncertainty)))
    with pytest.raises(ArgumentError, match="'y', not 'c'"):
        found.with_holdout(Univariate(dependence(Dataset(table[["a", "b", "c"]], "c"))))
    other = found.with_holdout(MRMR(dependence(changed)), other=True)
    assert all(one.holdout is not None for one in other)
    assert all(one.holdout is not None for one in found.with_holdout(Univariate(dependence(changed))))


def test_a_loss_of_more_than_all() -> None:
    with pytest.raises(ArgumentError, match="share=2"):
        RelativeLoss(2)


def test_a_tau_too_small_for_a_row_still_tells_sets_apart() -> None:
    found = sequential(Problem(Univariate([3, 2, 1]), 2), Dice(1e-12), 3)
    assert len({subset.features for subset in found}) == len(found) == 3


@pytest.mark.slow
def test_the_ending_chooses_the_form(csv: Path, tmp_path: Path) -> None:
    base = ("select", csv, "--target", "y", "-k", 1, "--alternatives", 1, "--quiet")
    for ending in ("json", "csv", "txt"):
        assert run(*base, "--output", tmp_path / f"found.{ending}")[0] == 0
    assert len(Solutions.from_json((tmp_path / "found.json").read_text())) == 2
    assert (tmp_path / "found.csv").read_text().startswith("set,features")
    assert (tmp_path / "found.txt").read_text().startswith("sum of")
    code, message = run(*base, "--output", tmp_path / "other.json", "--format", "csv")
    assert code != 0
    assert "ends in .json" in message
    assert not (tmp_path / "other.json").exists()


@pytest.mark.slow
def test_solutions_of_other_data_on_the_command_line(csv: Path, tmp_path: Path) -> None:
    found = tmp_path / "found.json"
    run("select", csv, "--target", "y", "-k", 1, "--alternatives", 1, "--output", found)
    other = tmp_path / "other.csv"
    other.write_text("\n".join(csv.read_text().splitlines()[:-1]) + "\n")
    for command in ("equivalence", "taxonomy"):
        assert run(command, found, csv)[0] == 0
        code, message = run(command, found, other)
        assert code != 0
        assert "--other-data" in message
        assert run(command, found, other, "--other-data")[0] == 0


def test_sets_that_are_repeated_in_a_file(csv: Path, tmp_path: Path) -> None:
    found = tmp_path / "found.json"
    run("select", csv, "--target", "y", "-k", 2, "--alternatives", 1, "--output", found)
    plain = json.loads(found.read_text())
    plain["sets"][1]["features"] = plain["sets"][0]["features"][::-1]
    found.write_text(json.dumps(plain))
    for command in (("equivalence", found, csv), ("taxonomy", found, csv), ("graph", found)):
        code, message = run(*command)
        assert code != 0
        assert "set 1 is set 0 again" in message


@pytest.mark.parametrize("scale", [1e-170, 1e155, 1e300, 1e-300])
@pytest.mark.filterwarnings("error")
def test_columns_of_extreme_scale(table: pd.DataFrame, scale: float) -> None:
    """Tests that no scale of a column changes give what they give at scale 1."""
    far = Dataset(table.assign(a=table["a"] * scale), "y")
    near = Dataset(table, "y")
    target = Dataset(table.assign(y=table["y"] * scale), "y")
    for kind in (PartialCorrelation, LikelihoodRatio):
        for given in ([], ["b"], ["a"]):
            names = [name for name in ("a", "b", "c") if name not in given]
            right = kind(near)(names, given)
            for data in (far, target):
                got = kind(data)(names, given)
                assert got.log_p == pytest.approx(right.log_p, rel=1e-6)
    assert dependence(far).relevance.to_numpy() == pytest.approx(dependence(near).relevance, abs=1e-9)


def test_a_target_of_few_whole_numbers_is_told(table: pd.DataFrame, tmp_path: Path) -> None:
    path = tmp_path / "grades.csv"
    table.assign(y=np.arange(ROWS) % 8).to_csv(path, index=False)
    _, message = run("select", path, "--target", "y", "-k", 1, "--alternatives", 0)
    assert "target 'y' read as 8 classes; --task regression for numbers" in message


def test_numbers_as_text_are_told(table: pd.DataFrame) -> None:
    text = table["a"].map(lambda value: f"{value:.3f}".replace(".", ","))
    with pytest.warns(DataWarning, match="'n' .numbers with a decimal comma: --decimal , reads them"):
        Dataset(table[["b"]].assign(n=text), table["y"])
    assert altsel.__version__


HOSTILE = [
    "=cmd|' /C calc'!A0",
    "+1+1",
    "@SUM(A1)",
    "-2+3",
    "esc\x1b[31m",
    "bell\x07",
    "turned\u202egnp",
    '"quoted"',
]


@pytest.mark.slow
def test_no_cell_is_a_formula_and_no_mark_reaches_a_terminal(table: pd.DataFrame, tmp_path: Path) -> None:
    """Every command with every form, for names that spreadsheets would run and terminals obey."""
    rng = np.random.default_rng(0)
    hostile = pd.DataFrame({name: table["a"] * (j + 1) ** 0.5 for j, name in enumerate(HOSTILE)})
    hostile += rng.normal(size=hostile.shape) * 0.7
    path = tmp_path / "hostile.csv"
    hostile.assign(y=(table["a"] > 0).astype(int)).to_csv(path, index=False)
    found = tmp_path / "found.json"
    wanted = ("--target", "y", "--quiet")
    commands = [
        ("select", path, *wanted, "-k", 2, "--alternatives", 2),
        ("near-optimal", path, *wanted, "-k", 1, "--within", 0.5),
        ("front", path, *wanted, "-k", 1),
        ("rank", path, *wanted, "-k", 4),
        ("blanket", path, *wanted, "--alpha", 0.1),
        ("taxonomy", found, path),
        ("equivalence", found, path),
    ]
    run("select", path, *wanted, "-k", 2, "--alternatives", 2, "--output", found)
    for command in commands:
        for form in ("table", "csv", "json") if command[0] in {"select", "taxonomy"} else ("csv", "json"):
            result = CliRunner().invoke(app, [*map(str, command), "--format", form])
            assert result.stdout, command
            assert not {"\x1b", "\x07", "\u202e"} & set(result.stdout + result.stderr), (command, form)
            if form == "csv":
                cells = pd.read_csv(io.StringIO(result.stdout), dtype=str, keep_default_na=False).to_numpy()
                texts = [one for one in cells.ravel() if not one.replace(".", "").replace("e-", "").isdigit()]
                assert not [text for text in texts if text[:1] in set("=+@") or text.startswith("-2")], (
                    command
                )


def test_a_cell_can_be_read_back() -> None:
    text = csv_text(pd.DataFrame({"name": [*HOSTILE, "plain"], "value": -1.5}))
    cells = pd.read_csv(io.StringIO(text))["name"]
    assert [read_cell(cell) for cell in cells] == [*HOSTILE, "plain"]
    assert "-1.5" in text


def test_a_command_does_not_write_over_what_it_reads(csv: Path) -> None:
    before = csv.read_bytes()
    for command in (["select", csv, "-k", "1"], ["rank", csv, "-k", "1"], ["front", csv, "-k", "1"]):
        code, message = run(*command, "--target", "y", "--output", csv)
        assert (code, "is read by the command" in message) == (1, True), message
        code, message = run(*command, "--target", "y", "--output", csv.parent / "." / csv.name)
        assert "is read by the command" in message
    assert csv.read_bytes() == before


def test_an_ending_of_no_form_is_refused(csv: Path) -> None:
    assert (
        "end its name in .json, .csv or .txt"
        in run("select", csv, "--target", "y", "-k", "1", "--output", csv.with_suffix(".xlsx"))[1]
    )


def test_a_few_cells_that_are_no_numbers_are_told(table: pd.DataFrame) -> None:
    lab = table["a"].round(3).astype(str)
    lab.iloc[[3, 7, 11]] = "unknown"
    with pytest.warns(DataWarning, match="'lab' .numbers, and 'unknown': .*--na unknown") as message:
        Dataset(table[["b"]].assign(lab=lab), table["y"])
    assert not any("spurious" in str(one.message) for one in message)
    with pytest.warns(
        DataWarning, match="'lab' .numbers with '.' between thousands: --thousands . --decimal ,"
    ):
        Dataset(table[["b"]].assign(lab=[f"{j + 1}.{j + 100},5" for j in range(ROWS)]), table["y"])
    codes = np.where(np.arange(ROWS) % 2, "1", "2")
    codes[:3] = "A"  # names of groups are no numbers
    assert Dataset(table[["b"]].assign(code=codes), table["y"]).kinds["code"] == "categorical"


def test_tokens_and_columns_in_one_word(csv: Path) -> None:
    wanted = ["select", csv, "--target", "y", "-k", "1"]
    assert "name one token each time: --na NA --na '?'" in run(*wanted, "--na", "NA,?")[1]
    assert "no column 'a,b'; there are" in run(*wanted, "--drop", "a,b")[1]
    assert "name one each time" in run(*wanted, "--drop", "a,b")[1]


def test_dates_as_text_in_parquet(table: pd.DataFrame, tmp_path: Path) -> None:
    path = tmp_path / "dates.parquet"
    table.assign(when="2020-01-01").to_parquet(path)
    with pytest.warns(DataWarning, match="left out: 'when' .dates or times: --kind when=date"):
        assert Dataset(path, "y").features == ("a", "b", "c")


def test_equivalence_reads_as_the_search_did(table: pd.DataFrame, tmp_path: Path) -> None:
    path, found = tmp_path / "german.csv", tmp_path / "found.json"
    grades = (pd.qcut(table["y"], 6, labels=False) + 1).astype(int)
    table.assign(y=grades).to_csv(path, sep=";", decimal=",", index=False)
    wanted = ["select", path, "--target", "y", "-k", "1", "--alternatives", "1", "--task", "regression"]
    assert run(*wanted, "--sep", ";", "--decimal", ",", "--output", found)[0] == 0
    result = CliRunner().invoke(app, ["equivalence", str(found), str(path)])
    assert result.exit_code == 0, result.output
    assert "read as 6 classes" not in result.stderr


def test_the_rows_to_learn_from_as_hold_out(csv: Path) -> None:
    wanted = ["select", csv, "--target", "y", "-k", "1", "--alternatives", "1", "--holdout-data", csv]
    assert "hold-out scores say nothing" in run(*wanted)[1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"PK\x03\x04\x84", "is a spreadsheet or another zip file"),
        (b"\xfd7zXZ\x00", "is compressed by xz, .*end in .csv.xz"),
        (b"PAR1\x80", "is a Parquet file, .*end in .parquet"),
        ("a,y\n1,2\n".encode("utf-16"), "--encoding utf-16"),
        ("ä,y\n1,2\n".encode("latin-1"), "--encoding latin-1"),
    ],
)
def test_files_that_are_no_text_are_told_by_their_first_bytes(
    text: bytes, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "table.csv"
    path.write_bytes(text)
    with pytest.raises(DataError, match=message):
        Dataset(path, "y")


def test_a_target_that_is_nearly_named(table: pd.DataFrame) -> None:
    with pytest.raises(ArgumentError, match="did you mean 'y'"):
        Dataset(table, "Y")
    with pytest.raises(ArgumentError, match=r"names the target 'y'.*--task"):
        Dataset(table, "y", kinds={"y": "continuous"})
    with pytest.raises(ArgumentError, match="5 are no costs"):
        domain.budget(5, {"a": 1})  # type: ignore[arg-type]


@pytest.mark.parametrize("first", ["1,0,0", "1.5,2,0.5", "5.1,3.5,4.4,setosa"])
def test_a_file_without_a_header_line(first: str, tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    path.write_text(f"{first}\n{first}\n{first}\n")
    with pytest.raises(DataError, match="has no header line, it seems"):
        Dataset(path, first.rsplit(",", maxsplit=1)[1])


def test_a_file_whose_header_line_may_be_a_row(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    for first in ("3,1,2", "5.1,3.5,1.4"):
        path.write_text(f"{first}\n0,1,1\n1,0,2\n")
        with pytest.warns(DataWarning, match="has no header line, it seems"):
            Dataset(path, first.rsplit(",", maxsplit=1)[1])


def test_a_scale_is_a_header_line(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    path.write_text("6.5,5.5,4.5,3.5,2.5,1.5,y\n0,1,2,3,4,5,0\n1,0,3,2,5,4,1\n")
    assert Dataset(path, "y").features == ("6.5", "5.5", "4.5", "3.5", "2.5", "1.5")


def test_names_that_are_places_are_a_header_line(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    path.write_text("0,1,3\n0,1,1\n1,0,2\n")
    assert Dataset(path, "3").features == ("0", "1")


@pytest.mark.parametrize("ending", [".csv", ".csv.gz", ".csv.xz", ".csv.bz2"])
def test_names_of_digits_that_one_number_would_stand_for(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"data{ending}"
    table = pd.DataFrame({"a": ["00123", "123", "7", "07"] * 5, "b": range(20), "y": [0, 1, 1, 1, 0] * 4})
    table.to_csv(path, index=False)
    with pytest.warns(DataWarning, match="column 'a' is read as numbers, so 00123 and 123 count as the same"):
        Dataset(path, "y")
    table.assign(a=["01", "02", "10", "11"] * 5).to_csv(path, index=False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Dataset(path, "y")


@pytest.mark.slow
def test_a_leading_zero_where_two_pieces_of_the_file_meet(monkeypatch: Any, tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    path.write_text("a,b,y\n1,2,0\n01,4,1\n3,5,0\n")
    for size in range(1, 20):
        monkeypatch.setattr(leading_zeros, "CHUNK", size)
        with pytest.warns(DataWarning, match=r"1 and 01 count"):
            Dataset(path, "y")


def test_classes_that_are_numbers_but_for_one(table: pd.DataFrame) -> None:
    with pytest.warns(DataWarning, match="target 'y' is taken for categories.* such as 'oops', are numbers"):
        Dataset(table[["a", "b"]], [*map(str, [1, 2, 3, 4] * 14), "1", "2", "3", "oops"])


def test_a_file_without_rules(tmp_path: Path) -> None:
    path = tmp_path / "rules.toml"
    path.write_text("# none yet\n")
    with pytest.warns(DataWarning, match="holds no rule"):
        read_rules(path)


def test_equivalence_of_one_set(csv: Path, tmp_path: Path) -> None:
    found = tmp_path / "found.json"
    assert run("select", csv, "--target", "y", "-k", "1", "--alternatives", "0", "--output", found)[0] == 0
    code, message = run("equivalence", found, csv)
    assert code == 0
    assert "holds 1 set; there is nothing to compare it with" in message


@pytest.mark.parametrize("sign", [",", "'"])
def test_numbers_that_a_file_holds_as_text(sign: str, tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    cells = [f'"1{sign}{number:03}"' for number in range(10)] * 10
    path.write_text("a,b,y\n" + "".join(f"{cell},{row},{row % 3}\n" for row, cell in enumerate(cells)))
    with pytest.warns(DataWarning, match=f"'a' holds numbers with .{sign}. between thousands.*--thousands"):
        Dataset(path, "y", kinds={"b": "integer"})


def test_numbers_and_a_few_words(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    cells = ["-" if row % 4 == 0 else str(row % 90) for row in range(200)]
    path.write_text("a,b,y\n" + "".join(f"{cell},{row % 7},{row % 2}\n" for row, cell in enumerate(cells)))
    with pytest.warns(DataWarning, match="'a' holds numbers, and '-': .*--na -"):
        Dataset(path, "y")


def test_a_line_of_totals_leaves_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    rows = "".join(f"{row % 5},{row % 7},{row % 2}\n" for row in range(40))
    path.write_text(f"a,b,y\n{rows}Total,{sum(row % 7 for row in range(40))},\n")
    with pytest.warns(DataWarning, match="1 row that sums up those above is skipped"):
        data = Dataset(path, "y")
    assert (len(data.y), data.kinds["a"]) == (40, "integer")


@pytest.mark.filterwarnings("ignore:.*rows left:altsel.DataWarning")
def test_a_token_of_a_missing_value_after_a_blank(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    path.write_text("a,b,y\n1.5, ?,0\n 2.5,u,1\n3.5,NA ,0\n4.5, ,1\n5.5,u,1\n6.5,v,0\n")
    data = Dataset(path, "y", missing="drop rows", rows_lost=0.5)
    assert data.dropped == 3
    assert data.X["a"].tolist() == [2.5, 5.5, 6.5]


DAYS = ["05-01-2020", "2020.01.05", "1/5/20", "05-Jan-2020", "Jan 5 2020", "5 January 2020", "2024-01-31"]
MOMENTS = ["2020-01", "12:30", "12:30:01.5", "20200105T120000", "05/2020", "31.1.2024", "2020-01-05 12:00"]


@pytest.mark.parametrize("text", [*DAYS, *MOMENTS])
def test_dates_in_any_dress(text: str, tmp_path: Path) -> None:
    days = [text, text.replace("5", "6"), text.replace("2", "3")] * 4
    plain = {"day": days, "a": range(12), "y": [0, 1] * 6}
    path = tmp_path / "data.csv"
    pd.DataFrame(plain).to_csv(path, index=False)
    for source in (path, pd.DataFrame(plain), pl.DataFrame(plain)):
        with pytest.warns(DataWarning, match=r"left out: 'day' .dates or times: --kind day=date reads them"):
            assert Dataset(source, "y").features == ("a",)
    with pytest.raises(DataError, match="'y' holds dates"):
        Dataset({"a": range(12)}, plain["day"])


def test_dates_among_other_cells() -> None:
    for value in ("2020-01-01", date(2020, 1, 1), np.datetime64("2020-01-01")):
        cells = pd.Series([value, value, "unknown"] * 4, dtype=object)
        with pytest.warns(DataWarning, match="left out: 'd' .dates"):
            Dataset(pd.DataFrame({"d": cells, "a": range(12)}), [0, 1, 1] * 4)


@pytest.mark.parametrize(
    "labels", [["1:20", "1:80"], ["1.2.3", "1.2.4"], ["12-14", "15-17"], ["May", "June"]]
)
def test_what_only_looks_like_a_date(labels: list[str]) -> None:
    assert Dataset({"a": labels * 6, "b": range(12)}, [0, 1, 1] * 4).features == ("a", "b")


@pytest.mark.filterwarnings("ignore:.*rows left:altsel.DataWarning")
def test_guards_hold_where_values_are_missing(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    path.write_text("a,b,y\n" + "007,1,0\n7,2,1\n8,3,0\nNA,4,1\n")
    with pytest.warns(DataWarning, match="007 and 7 count as the same"):
        Dataset(path, "y", missing="drop rows", rows_lost=0.3)
    large = ["9007199254740993", "9007199254740992", "NA", "1"]
    path.write_text("a,b,y\n" + "".join(f"{one},{row},{row % 2}\n" for row, one in enumerate(large)))
    with pytest.raises(DataError, match=r"'a' holds integers beyond 2\^53"):
        Dataset(path, "y", missing="drop rows", rows_lost=0.3)
    frame = pl.DataFrame({"a": [2**53 + 1, 2**53, None, 1], "b": [1, 2, 3, 4]})
    with pytest.raises(DataError, match=r"'a' holds integers beyond 2\^53"):
        Dataset(frame, [0, 1, 0, 1], missing="drop rows", rows_lost=0.3)


def test_targets_that_are_meant_as_they_are() -> None:
    numbers = [number % 26 + 1 for number in range(260)]
    table = {"a": np.sqrt(range(260))}
    for declared in (pd.Series(numbers, dtype="category"), pd.Series(map(str, numbers), dtype="category")):
        assert Dataset(table, declared).task is Task.MULTICLASS
    letters = ["a", "A", "b", "B"] * 65
    with pytest.raises(DataError, match="task='multiclass'"):
        Dataset(table, letters)
    assert Dataset(table, letters, "multiclass").y.nunique() == 4


def test_fractions_and_the_least_integer() -> None:
    cells = pd.Series([Fraction(1, 2), Fraction(1, 3), Fraction(1, 4)] * 8, dtype=object)
    data = Dataset(pd.DataFrame({"a": cells, "b": [-(2**63), 0, 1] * 8}), [0, 1] * 12)
    assert data.X["a"].tolist()[:2] == [1 / 2, 1 / 3]
    assert data.determining == ()


@pytest.mark.skipif(os.name != "posix", reason="links need rights on Windows")
def test_export_keeps_what_it_reads(csv: Path, tmp_path: Path) -> None:
    text, link = csv.read_text(), tmp_path / "m.mps"
    link.symlink_to(csv)
    code, message = run("export", csv, "--target", "y", "-k", "2", "--output", link)
    assert code != 0
    assert "is read by the command" in message
    assert csv.read_text() == text


@pytest.fixture(scope="module")
def of_all_kinds(table: pd.DataFrame, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Write a file of each result, a table, and one that is no text."""
    data, folder = Dataset(table, "y"), tmp_path_factory.mktemp("kinds")
    problem = Problem(Univariate(data), k=2)
    found = sequential(problem, Dice(0.5), 1)
    results: dict[str, Any] = {"found": found, "taxonomy": altsel.taxonomy(found), "graph": altsel.msg(found)}
    results |= {"front": altsel.pareto_front(problem, Dice(0)), "equivalence": equivalence(found, data)}
    results["shadow"] = altsel.shadow(data, repeats=20)
    files = {name: folder / f"{name}.json" for name in results} | {"table": folder / "table.csv"}
    for name, result in results.items():
        files[name].write_text(result.to_json())
    table.to_csv(files["table"], index=False)
    files["zip"] = folder / "zip.gz"
    files["zip"].write_bytes(b"\x1f\x8b\x08")
    return files


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (["report", "taxonomy"], "holds a taxonomy, not solutions or a front: no command takes it"),
        (["graph", "front"], "holds a front, not solutions: 'altsel report' and 'altsel audit' take it"),
        (["report", "found", "--front", "found"], "found.json holds solutions, not a front: 'altsel report'"),
        (["report", "found", "--stability", "equivalence"], "holds tests of equivalence, not a stability:"),
        (["audit", "graph", "table"], "holds a multiple-solutions graph, not solutions or a front"),
        (["report", "shadow"], "holds null levels, not solutions or a front"),
        (["equivalence", "table", "found"], "table.csv is not JSON; write solutions with --format json"),
        (["taxonomy", "found", "found"], "found.json is JSON, not a table; tables are CSV or Parquet files"),
        (["graph", "zip"], "zip.gz is not text, so not solutions: is it the table?"),
        (["graph", "absent"], "cannot read absent: No such file or directory"),
    ],
)
def test_a_file_of_another_kind_is_called_what_it_is(
    of_all_kinds: dict[str, Path], command: list[str], message: str
) -> None:
    name, *rest = command
    code, told = run(name, *(of_all_kinds.get(one, one) for one in rest))
    assert code in {1, 2}
    assert message in told


def test_a_text_of_another_result_is_called_what_it_is() -> None:
    found = sequential(Problem(Univariate([3, 2, 1]), k=1), Dice(1), 0)
    with pytest.raises(DataError, match="not the JSON of Solutions but of a multiple-solutions graph"):
        Solutions.from_json(altsel.msg(found).to_json())
    with pytest.raises(DataError, match="not the JSON of a front but of solutions"):
        altsel.Front.from_json(found.to_json())
