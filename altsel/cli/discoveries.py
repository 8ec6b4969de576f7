"""``altsel discoveries``: features with a bound on the share of false ones."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

import altsel
from altsel import catalogue
from altsel.catalogue import MEASURES
from altsel.cli.entry_names import entry_option
from altsel.cli.grouping_options import GroupingOptions
from altsel.cli.groups import grouped
from altsel.cli.messages import announce, note, progress
from altsel.cli.options import Jobs, ResultOptions, Seed, StoreFile, TableOptions
from altsel.cli.output import Forms, check_output, deliver, laid_out
from altsel.cli.reading_options import ReadingOptions
from altsel.cli.solutions_file import read_solutions


class KnockoffsName(StrEnum):
    """How knockoffs are drawn."""

    AUTO = "auto"
    GAUSSIAN = "gaussian"
    SEQUENTIAL = "sequential"


@grouped
def discoveries(
    source: TableOptions,
    *,
    fdr: Annotated[
        float, typer.Option(help="Largest share of the selected that may be false, in the mean.")
    ] = 0.1,
    measure: Annotated[
        str | None,
        entry_option(
            MEASURES, text="What features and knockoffs are compared by. Default: coefficients of a lasso."
        ),
    ] = None,
    knockoffs: Annotated[
        KnockoffsName,
        typer.Option(help="How they are drawn; auto: gaussian of numbers, else sequential."),
    ] = KnockoffsName.AUTO,
    draws: Annotated[
        int, typer.Option(help="How often knockoffs are drawn: the more, the less the seed matters.")
    ] = 50,
    claim: Annotated[
        Path | None,
        typer.Option(help="Solutions as JSON: say what is promised of all features that they show."),
    ] = None,
    write: Annotated[
        Path | None,
        typer.Option(help="Write rules to this file that keep a search to the discoveries, for --rules."),
    ] = None,
    seed: Seed = 0,
    jobs: Jobs = None,
    store: StoreFile = None,
    grouping: GroupingOptions,
    reading: ReadingOptions,
    result: ResultOptions,
) -> None:
    """Select features of which at most a share is false, with e- and q-values, by knockoffs.

    False is a feature that is independent of the target given all others. Few features cannot be found:
    at .1 none is selected, or at least 10.

    Example: altsel discoveries examples/data/ionosphere.csv.gz --target target --fdr 0.2 --draws 10
    """
    form = result.form(source.data, claim)
    for path, name in ((write, "--write"), (store, "--store")):
        check_output(path, name, source.data, claim, result.output)
    sets = None if claim is None else read_solutions(claim)
    with progress(result.quiet):
        table = grouping.rows(reading, source, seed=seed).table
        found = altsel.discoveries(
            table,
            fdr,
            None if measure is None else catalogue.measure(measure, seed),
            None if knockoffs is KnockoffsName.AUTO else knockoffs.value,
            draws,
            random_state=seed,
            n_jobs=jobs,
            store=store,
        )
    said = "" if sets is None else str(found.claim(sets))
    Forms(lambda: str(found), found.to_frame, found.to_json).deliver(form, result.output, result.told)
    if said and result.readable:
        deliver(laid_out(lambda: f"{said}\n"), None)
    elif said:
        announce(said)
    if write is not None:
        write.write_text(found.rules_text(), encoding="utf-8", newline="\n")
        note(f"rules that keep a search to the discoveries are in {write}: --rules {write}")
