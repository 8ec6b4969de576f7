"""Files as people have them, one fault each, and one with all; and what is to be found in them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

ROWS = 240
Change = Callable[[pd.DataFrame, np.random.Generator], None]


def clean(r: np.random.Generator) -> pd.DataFrame:
    """Return measurements, a category and a target that two of them explain."""
    table = pd.DataFrame(
        r.normal(50, 9, size=(ROWS, 5)).round(2), columns=["age", "dose", "sugar", "iron", "zinc"]
    )
    table["region"] = r.choice(["north", "south", "west"], ROWS)
    risk = (table["age"] + table["sugar"] - 100) / 9 + r.normal(size=ROWS)
    return table.assign(ill=np.where(risk > 0, "yes", "no"))


def empty(table: pd.DataFrame, r: np.random.Generator) -> None:
    table[""] = ""


def numbered(table: pd.DataFrame, r: np.random.Generator) -> None:
    table["row"] = np.arange(1, ROWS + 1)
    table["Case No"] = [f"K-{number}" for number in r.permutation(ROWS) + 1000]


def described(table: pd.DataFrame, r: np.random.Generator) -> None:
    words = ["pain", "since", "two", "days", "no", "fever", "left", "arm", "at", "night"]
    table["remark, free"] = [" ".join(r.choice(words, 7)) for _ in range(ROWS)]


def dated(table: pd.DataFrame, r: np.random.Generator) -> None:
    days = pd.Timestamp("2023-01-01") + pd.to_timedelta(r.integers(0, 400, ROWS), "D")
    table["seen"] = days.strftime("%Y-%m-%d")


def priced(table: pd.DataFrame, r: np.random.Generator) -> None:
    table["price"] = [f"{value:.2f} €" for value in r.normal(50, 9, ROWS)]
    table["share"] = [f"{value:.1f}%" for value in r.uniform(0, 100, ROWS)]
    table["salary"] = [f"{value:,}" for value in r.integers(900, 99_000, ROWS)]
    table["weight"] = [f"{value:.1f} kg" for value in r.normal(70, 9, ROWS)]


def censored(table: pd.DataFrame, r: np.random.Generator) -> None:
    table["crp"] = [
        "<0,5" if value < 0.5 else ">9" if value > 9 else str(value)
        for value in r.exponential(3, ROWS).round(2)
    ]


def missing(table: pd.DataFrame, r: np.random.Generator) -> None:
    table["iron"] = table["iron"].astype(object)
    table.loc[r.random(ROWS) < 0.05, "iron"] = "k.A."
    table["masonry"] = r.choice(["None", "Stone", "Brick"], ROWS, p=[0.6, 0.2, 0.2])
    table["zinc"] = table["zinc"].astype(object)
    table.loc[r.random(ROWS) < 0.02, "zinc"] = "NA"


def levels(table: pd.DataFrame, r: np.random.Generator) -> None:
    table["cellar"] = r.choice(["NA", "good", "fair", "poor"], ROWS, p=[0.1, 0.3, 0.3, 0.3])
    table["fence"] = r.choice(["None", "wood", "wire", "hedge"], ROWS, p=[0.1, 0.3, 0.3, 0.3])
    table.loc[r.random(ROWS) < 0.05, "zinc"] = None


def needed(table: pd.DataFrame, r: np.random.Generator) -> None:
    table["pool"] = r.choice(["NA", "good", "fair"], ROWS, p=[0.6, 0.2, 0.2])
    table["masonry"] = r.choice(["None", "Stone", "Brick"], ROWS, p=[0.6, 0.2, 0.2])
    table["zinc"] = table["zinc"].astype(object)
    table.loc[r.random(ROWS) < 0.05, "zinc"] = "NA"  # so that NA of a pool cannot be a category


def copied(table: pd.DataFrame, r: np.random.Generator) -> None:
    table["sugar (mg)"] = (table["sugar"] * 18 + 4).round(4)
    table["area"] = table["region"].map({"north": "N", "south": "S", "west": "W"})


def leaking(table: pd.DataFrame, r: np.random.Generator) -> None:
    table["Diagnosis"] = table["ill"].map({"yes": "E11", "no": "Z00"})


def wide(table: pd.DataFrame, r: np.random.Generator) -> None:
    table["town"] = [f"town {number}" for number in r.integers(0, 90, ROWS)]


def ordered(table: pd.DataFrame, r: np.random.Generator) -> None:
    table["state"] = r.choice(["Good", "Poor", "Fair"], ROWS)
    table["how old"] = r.choice(["18-40", "41-65", "<18", "66+"], ROWS)


def far(table: pd.DataFrame, r: np.random.Generator) -> None:
    table.loc[[7, 90], "zinc"] = 9999.0


CHANGES: dict[str, tuple[list[Change], set[tuple[str, tuple[str, ...]]]]] = {
    "clean": ([], set()),
    "unnamed": ([empty], {("unnamed and empty", ("Unnamed: 7",))}),
    "numbered": ([numbered], {("row number", ("row",)), ("id", ("Case No",))}),
    "text": ([described], {("free text", ("remark, free",))}),
    "dates": ([dated], {("date", ("seen",))}),
    "units": (
        [priced],
        {
            ("currency", ("price",)),
            ("percent", ("share",)),
            ("thousands", ("salary",)),
            ("number with unit", ("weight",)),
        },
    ),
    "limits": ([censored], {("limit", ("crp",))}),
    "tokens": (
        [missing],
        {
            ("missing token", ("iron",)),
            ("None as category", ("masonry",)),
            ("missing values", ("iron", "zinc")),
        },
    ),
    "needed tokens": (
        [needed],
        {
            ("None as category", ("pool",)),
            ("None as category", ("masonry",)),
            ("missing values", ("pool", "zinc")),
        },
    ),
    "levels that are words for nothing": (
        [levels],
        {
            ("None as category", ("cellar",)),
            ("None as category", ("fence",)),
            ("missing values", ("zinc",)),
            ("ordered labels", ("cellar",)),
        },
    ),
    "copies": ([copied], {("copies", ("sugar", "sugar (mg)")), ("copies", ("region", "area"))}),
    "leak": ([leaking], {("leak", ("Diagnosis",))}),
    "levels": ([wide], {("many levels", ("town",))}),
    "orders": ([ordered], {("ordered labels", ("state",)), ("ordered labels", ("how old",))}),
    "outliers": ([far], {("outliers", ("zinc",))}),
}
"""What is done to a clean table, and the kinds and columns of what is found then."""


def written(name: str, folder: Path) -> tuple[Path, set[tuple[str, tuple[str, ...]]]]:
    """Write a file of a name; return it, and what is to be found."""
    r = np.random.default_rng(7)
    path, table = folder / f"{name} file.csv", clean(r)
    if name in CHANGES:
        changes, found = CHANGES[name]
        for change in changes:
            change(table, r)
        table.to_csv(path, index=False)
        return path, found
    return path, OTHERS[name](path, table, r)


def doubled(path: Path, table: pd.DataFrame, r: np.random.Generator) -> set[tuple[str, tuple[str, ...]]]:
    pd.concat([table, table.iloc[:30]]).to_csv(path, index=False)
    return {("duplicate rows", ())}


def with_title(path: Path, table: pd.DataFrame, r: np.random.Generator) -> set[tuple[str, tuple[str, ...]]]:
    total = ["Total" if name == "region" else table[name].sum() for name in table.columns[:-1]]
    text = table.to_csv(index=False) + ",".join([*map(str, total), ""]) + "\n"
    path.write_text("Report of the ward\nsince 2023\n\n" + text, encoding="utf-8")
    return {("title rows", ()), ("total row", ())}


def german(path: Path, table: pd.DataFrame, r: np.random.Generator) -> set[tuple[str, tuple[str, ...]]]:
    table = table.rename(columns={"region": "Größe"})
    path.write_bytes(("sep=;\n" + table.to_csv(index=False, sep=";", decimal=",")).encode("latin-1"))
    return {(kind, ()) for kind in ("encoding", "separator", "decimal comma", "sep= line")}


def repeated(path: Path, table: pd.DataFrame, r: np.random.Generator) -> set[tuple[str, tuple[str, ...]]]:
    table = table.assign(again=r.normal(size=ROWS))
    table.to_csv(path, index=False, header=["dose" if name == "again" else str(name) for name in table])
    return {("same name", ("dose (2)",))}


OTHERS = {"repeated": repeated, "doubled": doubled, "title": with_title, "german": german}
NAMES = [*CHANGES, *OTHERS]


def everything(path: Path) -> set[tuple[str, tuple[str, ...]]]:
    """Write a German export with all faults, and return what is to be found."""
    r = np.random.default_rng(7)
    table, found = clean(r), set()
    for name in ("numbered", "text", "dates", "copies", "leak", "levels", "outliers"):
        changes, kinds = CHANGES[name]
        found |= kinds
        for change in changes:
            change(table, r)
    table["Größe"] = [f"{value:.1f} cm".replace(".", ",") for value in r.normal(170, 9, ROWS)]
    table["iron"] = table["iron"].astype(object)
    table.loc[r.random(ROWS) < 0.05, "iron"] = "k.A."
    table["masonry"] = r.choice(["None", "Stone", "Brick"], ROWS, p=[0.6, 0.2, 0.2])
    table.loc[r.random(ROWS) < 0.6, "dose"] = None
    table["constant"] = 1
    table[""] = ""
    rows = pd.concat([table, table.iloc[:30]])
    total = {name: "Total" if name == "region" else "" for name in rows}
    total |= {name: _german(rows[name].sum()) for name in ("age", "sugar")}
    lines = [rows.map(_german), pd.DataFrame([total])]
    text = pd.concat(lines).to_csv(index=False, sep=";")
    path.write_bytes(("Bericht\n\n" + text).encode("latin-1"))
    found |= {("number with unit", ("Größe",)), ("missing token", ("iron",)), ("constant", ("constant",))}
    found |= {("None as category", ("masonry",)), ("missing values", ("dose", "iron"))}
    found |= {("unnamed and empty", (f"Unnamed: {len(table.columns) - 1}",)), ("duplicate rows", ())}
    of_file = ("encoding", "separator", "decimal comma", "title rows", "total row")
    return found | {(kind, ()) for kind in of_file}


def _german(value: object) -> str:
    if isinstance(value, float):
        return "" if value != value else f"{value:.8g}".replace(".", ",")  # noqa: PLR0124  (NaN)
    return "" if value is None else str(value)
