"""``altsel stability``: whether the search of a file selects the same again."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

import altsel
from altsel.analysis.resampling import Scheme
from altsel.cli.closing import stability_closing
from altsel.cli.groups import grouped
from altsel.cli.messages import progress
from altsel.cli.options import FoundOptions, Jobs, ResultOptions, Seed, StoreFile
from altsel.cli.output import Forms, check_output, deliver, laid_out
from altsel.cli.reading_options import ReadingOptions
from altsel.cli.repeated import RepeatedSearch
from altsel.cli.solutions_file import read_solutions, table_of
from altsel.errors import ArgumentError
from altsel.results.removal_stability import RemovalStability
from altsel.results.stability import Stability
from altsel.results.stable_selection import StableSelection


@grouped
def stability(
    source: FoundOptions,
    *,
    resamples: Annotated[int, typer.Option(help="How often the search is repeated.")] = 200,
    scheme: Annotated[
        Scheme,
        typer.Option(
            help="Rows drawn: half, each once; both halves in turn; or all with repetition, which flatters "
            "many levels."
        ),
    ] = Scheme.SUBSAMPLE,
    removals: Annotated[
        bool,
        typer.Option(
            "--removals",
            help="Of blankets: how often none is left without a failed removal, or a single feature.",
        ),
    ] = False,
    select: Annotated[
        float | None,
        typer.Option(
            help="Instead, select the features found again and again, at most so many wrong in the mean; "
            "with --scheme complementary-pairs."
        ),
    ] = None,
    jobs: Jobs = None,
    store: StoreFile = None,
    seed: Seed = 0,
    reading: ReadingOptions,
    result: ResultOptions,
) -> None:
    """Repeat the search of a file on resampled rows, and measure how much of what it selects stays.

    With --removals, of what altsel blankets wrote: which features can be removed so that the rest still
    explains the target. A copy halves how often a feature is selected, and not how often both are needed.

    Example: altsel stability found.json examples/data/ionosphere.csv.gz --resamples 50 --store runs.sqlite
    """
    form = result.form(source.solutions, source.data)
    _refuse_select(select, scheme, removals)
    check_output(store, "--store", source.solutions, source.data, result.output)
    found = read_solutions(source.solutions, repeated=True)
    search = RepeatedSearch(found.request)
    with progress(result.quiet):
        table = table_of(found, source, reading)
        how = (table, resamples, scheme, seed)
        measured: Stability | RemovalStability | StableSelection
        if removals:
            measured = altsel.blankets.removal_stability(
                found, search.blanket_problem(), *how, n_jobs=jobs, store=store
            )
        else:
            measured = altsel.stability(search, *how, jobs, store)
        if select is not None and isinstance(measured, Stability):
            measured = altsel.stable_selection(measured, select)
        else:
            measured = replace(measured, request=found.request)
    Forms(lambda: str(measured), measured.to_frame, measured.to_json).deliver(
        form, result.output, result.told
    )
    said = stability_closing(measured, source) if isinstance(measured, Stability) else ""
    if result.readable and said:
        deliver(laid_out(lambda: f"{said}\n"), None)


def _refuse_select(select: float | None, scheme: Scheme, removals: bool) -> None:
    if select is None:
        return
    if scheme is not Scheme.PAIRS:
        raise ArgumentError("--select needs both halves of the rows: --scheme complementary-pairs")
    if removals:
        raise ArgumentError("--select is of features, --removals of failed removals: leave one out")
