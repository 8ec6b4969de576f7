"""``altsel export``: a question for other software, and the answer to it."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

import altsel
from altsel.catalogue import Total
from altsel.cli.groups import grouped
from altsel.cli.messages import announce
from altsel.cli.options import Normalize, Summed, TableOptions, Tau
from altsel.cli.output import check_output, laid_out
from altsel.cli.problem_options import ProblemOptions
from altsel.cli.reading_options import ReadingOptions
from altsel.cli.solutions_file import read_start
from altsel.errors import ArgumentError
from altsel.interchange import Answer, ReadQuestion, read_answer
from altsel.results.text import text_table


class Form(StrEnum):
    """Forms of a question."""

    LP = "lp"
    MPS = "mps"
    QUBO = "qubo"
    BQM = "bqm"
    JSON = "json"


@grouped
def export(
    source: TableOptions,
    wanted: ProblemOptions,
    *,
    output: Annotated[
        Path | None, typer.Option(help="File to write: .lp, .mps, .qubo, .bqm or .json, or see --format.")
    ] = None,
    format: Annotated[
        Form | None,
        typer.Option(
            help="What to write: a model, a QUBO (one set; as qbsolv reads it, or bqm: JSON of dimod), or "
            "json: the question in plain numbers. Default: by the ending of --output."
        ),
    ] = None,
    answer: Annotated[
        Path | None,
        typer.Option(
            help="Judge instead the answer of other software: bits, lines of name and value, or JSON."
        ),
    ] = None,
    known: Annotated[
        Path | None,
        typer.Option(help="Solutions as JSON: sets that are there already, from which the next must differ."),
    ] = None,
    alternatives: Annotated[int, typer.Option(help="Further sets in the model.")] = 0,
    tau: Tau = 0.5,
    normalize: Normalize = False,
    total: Summed = Total.SUM,
    reading: ReadingOptions,
) -> None:
    """Write a question for other software (LP, MPS, QUBO, plain numbers), or judge the answer to it.

    Example: altsel export examples/data/ionosphere.csv.gz --target target -k 5 --output model.lp
    """
    if (output is None) == (answer is None):
        raise ArgumentError("give --output, a file to write, or --answer, one to judge")
    if output is not None:
        check_output(output, "--output", source.data, wanted.rules, known)
    dissimilar_by, problem_of = wanted.dissimilar_by, wanted.factory(normalize)
    table = reading.dataset(source.data, source.target)
    diversity, there = dissimilar_by(tau, table), read_start(known)
    problem = problem_of(table)
    problem_of.explain(wanted.explain_defaults)
    if output is not None:
        form = None if format is None else format.value
        announce(
            f"written: {altsel.export(problem, output, diversity, alternatives, total.value, there, form)}"
        )
        return
    apart = diversity if alternatives or there else None
    judged = read_answer(str(answer), ReadQuestion(problem, apart, alternatives, total.value, there))
    typer.echo(laid_out(lambda: _table(judged)))
    for fault in judged.faults:
        announce(fault)
    raise typer.Exit(1 if judged.faults else 0)


def _table(answer: Answer) -> str:
    """Show the sets of an answer, and what they are worth."""
    rows = [
        [str(number), "" if score is None else f"{score:.6g}", ", ".join(features)]
        for number, (features, score) in enumerate(zip(answer.sets, answer.scores, strict=True), 1)
    ]
    lines = text_table(["set", "score", "features"], rows, right={1}, prose={2})
    more = [f"total: {answer.total:.6g}"] if len(rows) > 1 and answer.total is not None else []
    return "\n".join([*lines, *more])
