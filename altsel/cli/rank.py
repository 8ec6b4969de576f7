"""``altsel rank``: greedy rankings."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from altsel import catalogue
from altsel.catalogue import FilterName
from altsel.cli.grouping_options import GroupingOptions
from altsel.cli.groups import grouped
from altsel.cli.options import ResultOptions, TableOptions
from altsel.cli.output import Forms, progress
from altsel.cli.reading_options import ReadingOptions
from altsel.cli.recorded import recorded
from altsel.cli.rendering import ranking_table, ranking_text
from altsel.errors import ArgumentError


@grouped
def rank(
    ctx: typer.Context,
    source: TableOptions,
    *,
    method: Annotated[FilterName, typer.Option(help="The criterion.")] = FilterName.MRMR,
    k: Annotated[int | None, typer.Option("-k", help="Number of features; fcbf finds its own.")] = None,
    bins: Annotated[int, typer.Option(help="Bins of equal frequency for numbers.")] = 5,
    beta: Annotated[float, typer.Option(help="Weight of redundancy in mifs.")] = 1.0,
    capped: Annotated[
        bool, typer.Option("--capped", help="In cmim, no score above the relevance, as in FEAST and praznik.")
    ] = False,
    delta: Annotated[float, typer.Option(help="Least relevance in fcbf.")] = 0.0,
    grouping: GroupingOptions,
    reading: ReadingOptions,
    result: ResultOptions,
) -> None:
    """Rank features by a greedy information-theoretic criterion.

    Example: altsel rank examples/data/ionosphere.csv.gz --target target --method jmi -k 10
    """
    form = result.form(source.data)
    if (k is None) != (method is FilterName.FCBF):
        raise ArgumentError("fcbf finds its own k" if k is not None else f"{method.value} needs -k")
    if capped and method is not FilterName.CMIM:
        raise ArgumentError(f"--capped: for --method cmim, not for --method {method.value}")
    options: dict[FilterName, dict[str, Any]] = {
        FilterName.MIFS: {"beta": beta},
        FilterName.CMIM: {"capped": capped},
        FilterName.FCBF: {"delta": delta},
    }
    own = options.get(method, {})
    with progress(result.quiet):
        table = grouping.table(reading, source)
        size = () if k is None else (k,)
        found = recorded(catalogue.ranking(method)(table, *size, bins=bins, **own), ctx, table)
    ways = Forms(lambda: ranking_text(found), lambda: ranking_table(found[0]), found.to_json)
    ways.deliver(form, result.output)
