"""``altsel library``: questions with known optima, what is hard about them, and how far answers are off."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import pandas as pd
import typer

from altsel.cli.messages import announce, progress
from altsel.cli.options import Quiet, Verbose
from altsel.cli.output import laid_out
from altsel.errors import ArgumentError
from altsel.library import gap, hard, make
from altsel.library.gap import summary
from altsel.library.make import QUESTIONS, SECONDS
from altsel.results.text import csv_text, number_of, text_table


class Action(StrEnum):
    """What is done with a library."""

    MAKE = "make"
    HARD = "hard"
    GAP = "gap"


def library(
    action: Annotated[
        Action,
        typer.Argument(
            help="make: write the questions, and prove their optima; hard: measure which a solver does not "
            "prove; gap: compare answers with the optima."
        ),
    ],
    path: Annotated[
        Path, typer.Argument(help="Folder of the library; of gap: a CSV file of answers, name and sets.")
    ],
    *,
    library: Annotated[
        Path | None, typer.Option(help="Folder of the library that answers are compared with.")
    ] = None,
    questions: Annotated[int, typer.Option(help="Questions that are drawn, by seeds.")] = QUESTIONS,
    most: Annotated[
        int | None, typer.Option(help="Questions that this call does at most; the next goes on.")
    ] = None,
    table: Annotated[
        list[Path] | None,
        typer.Option(help="Further table with a column target, as of PMLB: four questions; repeat for more."),
    ] = None,
    case_time_limit: Annotated[
        float, typer.Option(help="Seconds for each search, confirmation or trial.")
    ] = SECONDS,
    profile: Annotated[str, typer.Option(help="The solver that hard measures, of solvers.toml.")] = "highs",
    output: Annotated[Path | None, typer.Option(help="CSV file for the table of hard or gap.")] = None,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Make questions with proved optima for developers of solvers, and compare answers with them.

    make writes each question as MPS, LP, QUBO, BQM and JSON, its optimum in the sense of each file, and an
    archive that is used without altsel. What is done is not done again.

    Example: altsel library make library --questions 50
    """
    del verbose  # for `altsel.cli.panels`
    with progress(quiet, of="altsel.library", patience=0):
        if action is Action.MAKE:
            made = make(path, questions, case_time_limit, table or (), most)
            if made.archive is None:
                announce(f"{number_of(made.questions, 'question')} made, {made.left} left; call it again")
            else:
                announce(f"written: {made.archive}, sha256 {made.checksum}")
            return
        found = hard(path, case_time_limit, profile, most) if action is Action.HARD else _gaps(library, path)
    if output is not None:
        output.write_text(csv_text(found), encoding="utf-8", newline="")
        announce(f"written: {output}")
    shown = summary(found) if action is Action.GAP else _kinds(found)
    typer.echo(laid_out(lambda: _text(shown)))
    if action is Action.HARD and (found["agrees"] == False).any():  # noqa: E712  (None is no answer)
        announce("a proof of the solver contradicts the library: see the column agrees")
        raise typer.Exit(1)


def _gaps(folder: Path | None, answers: Path) -> pd.DataFrame:
    if folder is None:
        raise ArgumentError("--library: name the folder of the library that the answers are for")
    return gap(folder, answers)


def _kinds(found: pd.DataFrame) -> pd.DataFrame:
    """Count the questions of each kind."""
    counts = found.groupby("kind")["cpu"].agg(["size", "sum"])
    return counts.rename(columns={"size": "questions", "sum": "CPU seconds"}).rename_axis("kind")


def _text(table: pd.DataFrame) -> str:
    head = [str(table.index.name), *map(str, table.columns)]
    rows = [[str(name), *map(_cell, row)] for name, row in zip(table.index, table.to_numpy(), strict=True)]
    return "\n".join(text_table(head, rows, right={*range(1, len(head))}))


def _cell(value: object) -> str:
    return "" if pd.isna(value) else f"{value:.4g}"  # type: ignore[call-overload]
