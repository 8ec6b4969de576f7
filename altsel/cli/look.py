"""``altsel look``: everything that matters of a table before a search."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

import altsel
from altsel.cli.groups import grouped
from altsel.cli.messages import announce, columns_of, note, progress
from altsel.cli.options import DataFile, ResultOptions, Target
from altsel.cli.output import Format, Forms, check_output, deliver
from altsel.cli.reading_options import ReadingOptions
from altsel.looking.page import ENDINGS, page
from altsel.looking.text import text
from altsel.results.fitting import fit_tables


@grouped
def look(
    data: DataFile,
    *,
    target: Target,
    write: Annotated[
        Path | None,
        typer.Option(help="Write how the table is to be read to this file, table.toml, for --table."),
    ] = None,
    reading: ReadingOptions,
    result: ResultOptions,
) -> None:
    """Look at a table before a search: all that is odd about it, with the options that fix it.

    An --output that ends in .html is a page with pictures.

    Example: altsel look examples/data/ionosphere.csv.gz --target target --write table.toml
    """
    of_page = result.output is not None and result.output.suffix.lower() in ENDINGS
    if of_page:
        check_output(result.output, "--output", data)
    form = None if of_page else result.form(data)
    check_output(write, "--write", data)
    with progress(result.quiet):
        found = altsel.look(data, target, reading.kept())
    if write is not None:
        found.write(write)
        note(f"how the table is read is in {write}: --table {write}")

    def shown(columns: int | None) -> str:  # lines are wrapped already; what is to be pasted stays whole
        with fit_tables(columns):
            return f"{text(found, write)}\n"

    if result.readable:
        deliver(shown(columns_of(sys.stdout)), None)
    if form is None:
        deliver(page(found, write), result.output, result.told)
    elif form is not Format.TABLE:
        Forms(lambda: str(found), found.to_frame, found.to_json).deliver(form, result.output)
    elif result.output is not None:
        deliver(shown(None), result.output)
    if form is not None and result.beside:
        announce(f"written: {result.output}")
    raise typer.Exit(1 if found.fault else 0)
