"""How far anybody's sets are from the optimum."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from altsel.errors import AltselError, ArgumentError, DataError
from altsel.exact.interchange.answers import judged
from altsel.exact.interchange.question_files import ReadQuestion, read_question
from altsel.library.files import path_of
from altsel.library.records import records

NEEDED = ("name", "sets")
BETWEEN = "|"
COLUMNS = ("method", "name", "valid", "score", "optimum", "known", "gap", "share", "seconds", "message")


def gap(folder: str | Path, answers: str | Path) -> pd.DataFrame:
    """Compare answers to the questions of a library with what is known of them.

    Parameters
    ----------
    folder
        Of the library.
    answers
        A CSV file with columns ``name`` (of the question) and ``sets`` (features with spaces between them,
        sets with a bar), and if wanted ``method`` and ``seconds``.

    Returns
    -------
    pandas.DataFrame
        One row an answer: ``valid``, ``score``, ``optimum`` and whether it is proved (``known``: ``"opt"``,
        ``"best"``), ``gap = optimum - score``, ``share``, the gap by the size of the optimum, ``rank`` among
        the methods of that question (1: best; equal ones share it), ``message``: what is wrong.

    Raises
    ------
    ArgumentError
        If the file has no such columns, or names an unknown question.
    DataError
        If it cannot be read.
    """
    try:
        given = pd.read_csv(answers, dtype={"sets": str, "name": str}, keep_default_na=False)
    except (OSError, ValueError) as fault:
        raise DataError(f"{answers} cannot be read as CSV: {fault}") from fault
    if missing := [name for name in NEEDED if name not in given]:
        raise ArgumentError(f"{answers}: there is no column {' and '.join(map(repr, missing))}")
    into = Path(folder)
    known = {one["name"]: one for one in records(into)}
    if unknown := [name for name in given["name"] if name not in known]:
        raise ArgumentError(f"{answers}: the library has no question {unknown[0]!r}")
    rows = [_row(into, one, known[str(one["name"])]) for one in given.to_dict("records")]
    table = pd.DataFrame(rows, columns=list(COLUMNS))
    by = table["score"].where(table["valid"]).round(9)
    table.insert(8, "rank", by.groupby(table["name"]).rank(ascending=False, method="min"))
    return table


def _row(folder: Path, answer: Mapping[Any, Any], known: Mapping[str, Any]) -> dict[str, Any]:
    """Judge one answer."""
    seconds = answer.get("seconds", "")
    row: dict[str, Any] = {
        "method": str(answer.get("method", "")),
        "name": answer["name"],
        "valid": False,
        "score": None,
        "optimum": known["score"],
        "known": known["status"],
        "gap": None,
        "share": None,
        "seconds": None if seconds == "" else float(seconds),
        "message": "",
    }
    sets = [one.split() for one in str(answer["sets"]).split(BETWEEN)]
    try:
        told = judged(question_in(folder, str(answer["name"])), sets)
    except AltselError as fault:
        return {**row, "message": str(fault)}
    if told.faults or told.total is None:
        return {**row, "message": "; ".join(told.faults)}
    row |= {"valid": True, "score": told.total}
    if known["score"] is not None:
        row["gap"] = max(known["score"] - told.total, 0.0)
        row["share"] = row["gap"] / max(abs(known["score"]), 1e-12)
    return row


def question_in(folder: Path, name: str) -> ReadQuestion:
    """Read a question of a library."""
    return read_question(path_of(folder, "json", name))


def summary(table: pd.DataFrame) -> pd.DataFrame:
    """Summarise gaps by method: answers, valid ones, optimal ones, mean and largest share, seconds."""
    rows = {}
    for method, group in table.groupby("method", sort=False):
        shares = group.loc[group["valid"], "share"].dropna().astype(float)
        rows[method] = {
            "answers": len(group),
            "valid": int(group["valid"].sum()),
            "optimal": int((shares <= 1e-9).sum()),
            "mean gap": shares.mean(),
            "largest gap": shares.max(),
            "mean rank": group["rank"].mean(),
            "seconds": group["seconds"].sum(min_count=1),
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("method")
