"""Records of the experiments of TMFBS, in CSV files of ``results``, and pages made of them."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from benchmarks.command import stamped

RESULTS = Path(__file__).parent / "results"


def stored(name: str) -> pd.DataFrame:
    """Return all records of an experiment."""
    file = RESULTS / f"{name}.csv"
    return pd.read_csv(file) if file.exists() else pd.DataFrame()


def keep(name: str, record: dict[str, object], key: list[str]) -> None:
    """Write a record in place of the one with the same key."""
    table, new = stored(name), pd.DataFrame([record])
    if len(table):
        same = (table[key].astype(str) == new[key].astype(str).iloc[0]).all(axis=1)
        new = pd.concat([table[~same], new])
    new.to_csv(RESULTS / f"{name}.csv", index=False, float_format="%.8g")


def page(name: str, *tables: str) -> None:
    """Write the page of an experiment: its text, which lies beside the program, and its tables."""
    text = (Path(__file__).parent / f"{name}_text.md").read_text("utf-8").rstrip()
    (RESULTS / f"{name}.md").write_text(stamped("\n\n".join([text, *tables])), "utf-8")


def markdown(head: list[str], rows: list[list[str]]) -> str:
    """Lay out a table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)
