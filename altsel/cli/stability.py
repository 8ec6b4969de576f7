"""``altsel stability``: whether the search of a file selects the same again."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

import altsel
from altsel.analysis.stability import Scheme
from altsel.cli.closing import stability_closing
from altsel.cli.groups import grouped
from altsel.cli.messages import progress
from altsel.cli.options import FoundOptions, Jobs, ResultOptions, Seed, StoreFile
from altsel.cli.output import Forms, check_output, deliver, laid_out
from altsel.cli.reading_options import ReadingOptions
from altsel.cli.repeated import RepeatedSearch
from altsel.cli.solutions_file import read_solutions, table_of


@grouped
def stability(
    source: FoundOptions,
    *,
    resamples: Annotated[int, typer.Option(help="How often the search is repeated.")] = 200,
    scheme: Annotated[
        Scheme,
        typer.Option(help="Rows drawn: half, each once, or all with repetition, which flatters many levels."),
    ] = Scheme.SUBSAMPLE,
    jobs: Jobs = None,
    store: StoreFile = None,
    seed: Seed = 0,
    reading: ReadingOptions,
    result: ResultOptions,
) -> None:
    """Repeat the search of a file on resampled rows, and measure how much of what it selects stays.

    Example: altsel stability found.json examples/data/ionosphere.csv.gz --resamples 50 --store runs.sqlite
    """
    form = result.form(source.solutions, source.data)
    check_output(store, "--store", source.solutions, source.data, result.output)
    found = read_solutions(source.solutions, repeated=True)
    search = RepeatedSearch(found.request)
    with progress(result.quiet):
        table = table_of(found, source, reading)
        measured = altsel.stability(search, table, resamples, scheme, seed, jobs, store)
        measured = replace(measured, request=found.request)
    Forms(lambda: str(measured), measured.to_frame, measured.to_json).deliver(
        form, result.output, result.told
    )
    if result.readable and (said := stability_closing(measured, source)):
        deliver(laid_out(lambda: f"{said}\n"), None)
