"""Files as people have them: what stands above, below and beside the table is skipped, and said."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from altsel import AltselError, ArgumentError, ConfigurationError, DataError, Dataset, DataWarning, look
from altsel.data import Reading
from altsel.data.files.first_lines import above_header
from altsel.data.frames import raw_table

ROWS = "".join(f"{'abc'[j % 3]};{j % 7},5;{j * j % 5}\n" for j in range(30))
PLAIN = f"kind;dose;y\n{ROWS}"
FORM = Reading(separator=";", decimal=",")


def read(tmp_path: Path, text: str | bytes, form: Reading = FORM, name: str = "data.csv") -> Any:
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return raw_table(path, form)


MESSY = {
    "a separator line": (f"sep=;\n{PLAIN}", "sep= line"),
    "titles": (f"Clinic North\nExport of 2024\n\n{PLAIN}", "title rows"),
    "a title of two lines": (f'"Clinic\nNorth"\n{PLAIN}', "title rows"),
    "padded titles": (f"Clinic North;;\n;;\n{PLAIN}", "title rows"),
    "empty lines": (PLAIN + ";;\n;;\n", "empty lines"),
    "a total": (f"{PLAIN}Summe;100,0;{sum(j * j % 5 for j in range(30))}\n", "total row"),
    "an empty total": (f"{PLAIN}Total;98;\n", "total row"),
    "a mean": (
        f"{PLAIN}Average;{sum(j % 7 + 0.5 for j in range(30)) / 30:.6f};\n".replace(".", ","),
        "total row",
    ),
    "headers between rows": (
        f"{PLAIN.replace('a;6,5', 'kind;dose;y{0}a;6,5', 1)}".format(chr(10)),
        "repeated header",
    ),
    "notes below": (f"{PLAIN}\nSource: our own records;;\n", "note"),
}


@pytest.mark.parametrize("case", MESSY)
def test_what_is_no_row_is_skipped(case: str, tmp_path: Path) -> None:
    text, kind = MESSY[case]
    clean = read(tmp_path, PLAIN)
    raw = read(tmp_path, text)
    pd.testing.assert_frame_equal(raw.frame, clean.frame)
    assert [one.kind for one in raw.findings] == [kind]
    with pytest.warns(DataWarning, match=r"in the file, .* skipped"):
        assert Dataset(tmp_path / "data.csv", "y", reading=FORM).fingerprint
    packed = read(tmp_path, gzip.compress(text.encode()), name="data.csv.gz")
    pd.testing.assert_frame_equal(packed.frame, clean.frame)


@pytest.mark.filterwarnings("ignore:in the file:altsel.DataWarning")
def test_all_of_it_at_once(tmp_path: Path) -> None:
    clean, lines = read(tmp_path, PLAIN).frame, [f"{line};" for line in PLAIN.splitlines()]
    text = "\n".join(["sep=;", "Clinic;;;", "", *lines, ";;;", "Total;98;;", "Source: we;;;"])
    raw = read(tmp_path, text, Reading(decimal=","))
    kinds = {one.kind for one in raw.findings}
    assert kinds == {"sep= line", "title rows", "empty lines", "total row", "note"}
    pd.testing.assert_frame_equal(raw.frame[["kind", "dose", "y"]], clean)
    with pytest.warns(DataWarning, match="columns left out: 'Unnamed: 3' .empty, without a name"):
        assert Dataset(tmp_path / "data.csv", "y", reading=Reading(decimal=",")).features == ("kind", "dose")


def test_trailing_separators_in_rows_alone(tmp_path: Path) -> None:
    raw = read(tmp_path, PLAIN.replace("\n", ";;\n").replace("y;;", "y", 1))
    assert list(raw.frame) == ["kind", "dose", "y", "Unnamed: 3", "Unnamed: 4"]
    assert raw.frame["Unnamed: 3"].isna().all()


def test_a_ragged_line_is_named_with_its_fields(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"line 33 has 4 fields, the header 3: '9' too many"):
        read(tmp_path, f"Clinic\n{PLAIN}b;1,5;2;9\n")


def test_lines_can_be_skipped_by_number(tmp_path: Path) -> None:
    text = f"a;b;c\n1;2;3\n{PLAIN}"
    assert len(read(tmp_path, text, Reading(";", decimal=",", skip_rows=2)).frame) == 30
    assert list(read(tmp_path, f"Clinic\n{PLAIN}", Reading(";", skip_rows=1)).frame) == ["kind", "dose", "y"]
    for wrong in (-1, True, "2"):
        with pytest.raises(ArgumentError, match="skip_rows"):
            Reading(skip_rows=wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "rows",
    [
        [["", "target"], ["0", "yes"], ["1", "no"]],
        [["", "target"], ["p1", "yes"], ["p2", "no"]],
        [["a", "b", "c"], ["1", "", ""], ["2", "", ""]],
        [["5.1", "3.5", "0"], ["4.9", "3.0", "1"]],
        [["a"], ["b"]],
        [],
    ],
)
def test_a_header_is_no_title(rows: list[list[str]]) -> None:
    assert above_header(rows) == (0, ())


def test_marks_between_thousands(tmp_path: Path) -> None:
    text = "sold,x,y\n" + "".join(f'"{1000 * (j + 1):,}",{j % 4},{j % 3}\n' for j in range(12))
    with pytest.warns(DataWarning, match="'sold' holds numbers with ',' between thousands.*--thousands ,"):
        Dataset(_written(tmp_path, text), "y")
    data = Dataset(_written(tmp_path, text), "y", reading=Reading(thousands=","))
    assert (data.kinds["sold"], data.X["sold"].iloc[1]) == ("integer", 2000)
    german = "sold;x;y\n" + "".join(
        f"{1000 * (j + 1):,}".replace(",", ".") + f",5;{j % 4};{j % 3}\n" for j in range(12)
    )
    german_form = Reading(decimal=",", thousands=".")
    assert Dataset(_written(tmp_path, german), "y", reading=german_form).X["sold"].iloc[1] == 2000.5
    with pytest.raises(ArgumentError, match="thousands="):
        Reading(thousands=".")


def test_a_number_of_fractions_is_not_multiplied_by_a_mark(tmp_path: Path) -> None:
    rows = "".join(f'"{j},5",{j % 4},{j % 3}\n' for j in range(12))
    with pytest.warns(DataWarning, match="'a' holds numbers with a decimal comma"):
        data = Dataset(_written(tmp_path, f"a,b,y\n{rows}"), "y", reading=Reading(thousands=","))
    assert data.kinds["a"] == "categorical"


@pytest.mark.parametrize("ending", [".xlsx", ".ods"])
def test_spreadsheets(ending: str, tmp_path: Path) -> None:
    pytest.importorskip("openpyxl" if ending == ".xlsx" else "odf")
    path = tmp_path / f"data{ending}"
    table = pd.DataFrame(
        {"kind": list("abc") * 10, "dose": np.arange(30) % 7 + 0.5, "y": np.arange(30) ** 2 % 5}
    )
    titled = pd.DataFrame([["Clinic North", None, None], [None] * 3, list(table)]).astype(object)
    total = pd.DataFrame([["Total", table["dose"].sum(), None]])
    sheet = pd.concat([titled, *(one.set_axis(range(3), axis=1).astype(object) for one in (table, total))])
    with pd.ExcelWriter(str(path)) as book:
        sheet.to_excel(book, sheet_name="first", header=False, index=False)
        table.assign(dose=1).to_excel(book, sheet_name="second", index=False)
    raw = raw_table(path)
    assert {one.kind for one in raw.findings} == {"sheets", "title rows", "total row"}
    pd.testing.assert_frame_equal(
        raw.frame, raw_table(table.astype({"kind": object})).frame, check_dtype=False
    )
    assert (raw_table(path, Reading(sheet="second")).frame["dose"] == 1).all()
    assert (raw_table(path, Reading(sheet=1)).frame["dose"] == 1).all()
    for wrong in ("secnd", 2):
        with pytest.raises(ArgumentError, match="sheet"):
            raw_table(path, Reading(sheet=wrong))


def test_a_sheet_below_a_cover_page(tmp_path: Path) -> None:
    pytest.importorskip("openpyxl")
    path = tmp_path / "data.xlsx"
    rows: list[list[Any]] = [
        [100 + j, "k.A." if j % 9 == 4 else j % 7 + 0.5, j * j % 5 % 2] for j in range(60)
    ]
    titled: list[list[Any]] = [["Clinic North", None, None], [None] * 3, ["case no", "dose", "y"], *rows]
    with pd.ExcelWriter(str(path)) as book:
        pd.DataFrame([["Clinic North"]]).to_excel(book, sheet_name="cover", header=False, index=False)
        sheet = pd.DataFrame([*titled, ["Total", 190.5, None]])
        sheet.to_excel(book, sheet_name="data 2024", header=False, index=False)
    hint = r"no column 'y' .*; sheet 'data 2024' has it: .*\(--sheet 'data 2024'\)"
    with pytest.raises(ArgumentError, match=hint):
        Dataset(path, "y")
    with pytest.raises(ArgumentError, match=hint):
        look(path, "y")
    kinds = {one.kind: one.columns for one in look(path, "y", {"sheet": "data 2024"}).findings}
    assert kinds["row number"] == ("case no",)


def test_spreadsheets_without_their_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(*_: Any, **__: Any) -> None:
        raise ImportError

    monkeypatch.setattr(pd, "ExcelFile", absent)
    with pytest.raises(ConfigurationError, match=r"pip install 'altsel\[excel\]'"):
        read(tmp_path, b"any", name="data.xlsx")


def test_unnamed_columns(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"column 1 has no name; .*--drop 'Unnamed: 0'.*--keep 'Unnamed: 0'"):
        Dataset(_written(tmp_path, ",b,y\n" + "2,1,0\n1,2,1\n2,1,1\n"), "y")
    path = _written(tmp_path, ",b,y\n" + "".join(f"{j},{j % 3},{j % 2}\n" for j in range(12)))
    with pytest.warns(DataWarning, match="left out: 'Unnamed: 0' .row numbers"):
        assert Dataset(path, "y").features == ("b",)
    assert Dataset(path, "y", keep=["Unnamed: 0"]).features == ("Unnamed: 0", "b")
    assert Dataset(path, "y", drop=["Unnamed: 0"]).features == ("b",)
    with pytest.raises(AltselError, match="keep: there is no column 'c'"):
        Dataset(path, "y", keep=["c"])


def _written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "data.csv"
    path.write_text(text)
    return path


@pytest.mark.parametrize(("written", "given"), [(",", ";"), (";", ","), ("\t", ","), ("|", ";")])
def test_a_separator_that_is_none_is_found_by_the_target(tmp_path: Path, written: str, given: str) -> None:
    names = [f"column {number}" for number in range(70)]
    path = tmp_path / "table.csv"
    path.write_text("\n".join(written.join(row) for row in [[*names, "y"], ["1"] * 71, ["2"] * 71]))
    with pytest.raises(ArgumentError, match="separated by") as fault:
        Dataset(path, "y", reading=Reading(separator=given))
    assert len(str(fault.value)) < 200
    with pytest.raises(ArgumentError, match="there are") as fault:
        Dataset(path, "elsewhere", reading=Reading(separator=given))
    assert len(str(fault.value)) < 200


@pytest.mark.parametrize("target", [" y", "y  ", "Y", " Y\t"])
def test_a_target_in_other_capitals_or_with_blanks(target: str) -> None:
    with pytest.raises(ArgumentError, match="did you mean 'y'"):
        Dataset({"a": [1.5, 2, 3, 4], "y": [0, 1, 0, 1]}, target)
