"""The command ``altsel bench``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from altsel.bench.grid import BenchSearch, Grid
from altsel.bench.report import report, summary
from altsel.bench.run import bench as run
from altsel.catalogue import MEASURES, OBJECTIVES
from altsel.cli.entry_names import entry_option
from altsel.cli.messages import announce, progress
from altsel.cli.options import (
    DissimilarityOption,
    DropMissing,
    OwnOption,
    Quiet,
    Seed,
    Target,
    Threads,
    Verbose,
)
from altsel.cli.output import laid_out
from altsel.cli.problem_options import settings
from altsel.exact.solver_text import with_settings
from altsel.runtime.phases import WRITING, phase


def bench(
    data: Annotated[list[Path], typer.Argument(help="CSV or Parquet files, all with the target column.")],
    *,
    target: Target,
    output: Annotated[Path, typer.Option(help="Folder for results; what is done there is not done again.")],
    k: Annotated[list[str], typer.Option("-k", help="Features in a set, as 5 or 3:5.")] = ["5"],  # noqa: B006
    objective: Annotated[list[str], entry_option(OBJECTIVES, text="Criterion.")] = ["univariate"],  # noqa: B006
    measure: Annotated[
        list[str] | None, entry_option(MEASURES, text="Dependence. Default: each criterion's own.")
    ] = None,
    tau: Annotated[list[float], typer.Option(help="Smallest dissimilarity.")] = [0.5],  # noqa: B006
    alternatives: Annotated[list[int], typer.Option(help="Sets besides the best one.")] = [5],  # noqa: B006
    search: Annotated[list[BenchSearch], typer.Option(help="How sets are searched.")] = [  # noqa: B006
        BenchSearch.SEQUENTIAL
    ],
    solver: Annotated[
        list[str],
        typer.Option(help="auto or a profile; with settings to compare: highs:presolve=off,threads=2."),
    ] = ["auto"],  # noqa: B006
    threads: Threads = None,
    option: OwnOption = None,
    dissimilarity: DissimilarityOption = "dice",
    case_time_limit: Annotated[float, typer.Option(help="Seconds for each case.")] = 60.0,
    repeats: Annotated[int, typer.Option(help="Runs of each case.")] = 1,
    retry_errors: Annotated[
        bool, typer.Option("--retry-errors", help="Run cases again that ended in an error before.")
    ] = False,
    jobs: Annotated[
        int | None, typer.Option(help="Cases run at once; 1 for figures to publish. Default: 1.")
    ] = None,
    drop_missing: DropMissing = False,
    seed: Seed = 0,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Benchmark solvers, searches and criteria on your data: every combination of what is listed.

    Options that are lists are given several times. Results are saved one by one; after an
    interrupt or a crash the same command goes on where it was. A case that fails is a row with the
    status error, and the others go on. Writes runs.csv, summary.md and, with matplotlib, a performance
    profile and the time to optimality.

    Example: altsel bench examples/data/*.csv.gz --target target -k 5 -k 8 --solver auto --solver highs
    --output results
    """
    del verbose  # what the command has taken is for `altsel.cli.panels` to say
    grid = Grid(
        data=data,
        target=target,
        measures=measure or [None],
        objectives=objective,
        k=k,
        tau=tau,
        dissimilarity=dissimilarity,
        alternatives=alternatives,
        searches=search,
        solvers=[with_settings(one, settings(threads, option)) for one in solver],
        time_limit=case_time_limit,
        repeats=repeats,
        seed=seed,
        drop_missing=drop_missing,
    )
    try:
        with progress(quiet, of="altsel.bench", patience=0):
            runs = run(grid, output, jobs, retry_errors)
            with phase(WRITING):
                files = report(runs, output)
    except KeyboardInterrupt:
        announce("interrupted; what is done is saved, and the same command goes on from there")
        raise typer.Exit(130) from None
    typer.echo(laid_out(lambda: summary(runs)))
    announce(f"written: {', '.join(str(file) for file in files)}")
    if (runs["status"] == "error").all():
        raise typer.Exit(1)
