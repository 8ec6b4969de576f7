"""``altsel explore``: the explorer of a table, in a browser on this machine."""

from __future__ import annotations

import webbrowser
from functools import partial
from typing import Annotated

import typer

from altsel.cli.grouping_options import GroupingOptions
from altsel.cli.groups import grouped
from altsel.cli.messages import announce, note, progress
from altsel.cli.options import Quiet, TableOptions
from altsel.cli.reading_options import ReadingOptions
from altsel.data.scanning import Scan
from altsel.data.scanning.scan import refuse_rows
from altsel.errors import ArgumentError
from altsel.exploring.explore import title_of
from altsel.exploring.process import Process
from altsel.exploring.serving import IDLE, require_extra, serve
from altsel.exploring.session import Session
from altsel.exploring.subject import Subject, TableOrigin


@grouped
def explore(
    source: TableOptions,
    *,
    browser: Annotated[bool, typer.Option(help="Open a browser; the address is printed in any case.")] = True,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0: one that is free.")] = 0,
    idle: Annotated[float, typer.Option(help="Minutes without use after which it ends.")] = IDLE / 60,
    grouping: GroupingOptions,
    reading: ReadingOptions,
    quiet: Quiet = False,
) -> None:
    """Change the question by clicks, and see the best sets with proofs at once, in a browser.

    The page is on this machine alone, and its address holds a secret. Ctrl-C ends it.

    Example: altsel explore examples/data/heart.csv.gz --target disease
    """
    if idle <= 0:
        raise ArgumentError(f"--idle {idle:g}; use a number of minutes above 0")
    require_extra()
    with progress(quiet):
        rows = grouping.rows(reading, source)
    if isinstance(rows.table, Scan):
        refuse_rows("altsel explore")
    subject = Subject(rows.table, held=rows.held, origin=_origin(source, grouping, reading))

    def opened(address: str) -> None:
        print(address, flush=True)
        note("the page is on this machine alone; Ctrl-C ends it")
        if browser and not webbrowser.open(address):
            note("no browser was found: open the address yourself")

    serve(Process(partial(Session, subject)), title_of(subject), port=port, idle=60 * idle, opened=opened)
    announce("the explorer has ended")


def _origin(source: TableOptions, grouping: GroupingOptions, reading: ReadingOptions) -> TableOrigin:
    """Return where the rows are from, so that what is copied reads them as they are read here."""
    kept = reading.kept()
    options = [kept.options()]
    options += [] if grouping.group_copies else ["--no-group-copies"]
    options += [f"--group-above {grouping.group_above!r}"] if grouping.group_above is not None else []
    options += [f"--holdout {grouping.holdout!r}"] if grouping.holdout else []
    bound = (1.0 if grouping.group_above is None else grouping.group_above) if grouping.group_copies else None
    return TableOrigin(
        str(source.data),
        source.target,
        kept.model_dump(mode="json", exclude_defaults=True, exclude={"notes"}),
        " ".join(filter(None, options)),
        bound,
        grouping.holdout,
    )
