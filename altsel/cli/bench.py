"""The command ``altsel bench``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from altsel.bench.grid import BenchSearch, Grid
from altsel.bench.report import report, summary
from altsel.bench.rules import NamedRules, named_rules
from altsel.bench.run import bench as run
from altsel.catalogue import MEASURES, OBJECTIVES
from altsel.cli.entry_names import criterion_option, entry_option
from altsel.cli.messages import announce, progress
from altsel.cli.options import (
    DissimilarityOption,
    DropMissing,
    Quiet,
    Seed,
    Threads,
    Verbose,
)
from altsel.cli.output import laid_out
from altsel.cli.problem_options import settings
from altsel.cli.rules_file import read_rules
from altsel.exact.solver_text import option as checked_option
from altsel.exact.solver_text import options_of, with_settings
from altsel.runtime.phases import WRITING, phase
from altsel.solvers import tagged


def bench(
    data: Annotated[
        list[Path],
        typer.Argument(
            help="CSV or Parquet files, all with the target column; questions: .json; models: .lp, .mps, .gz."
        ),
    ],
    *,
    target: Annotated[str, typer.Option(help="Name of the target column; models need none.")] = "",
    output: Annotated[Path, typer.Option(help="Folder for results; what is done there is not done again.")],
    k: Annotated[list[str], typer.Option("-k", help="Features in a set, as 5 or 3:5.")] = ["5"],  # noqa: B006
    objective: Annotated[
        list[str], criterion_option(OBJECTIVES, "Criterion; or one of your own, as module:object.")
    ] = ["univariate"],  # noqa: B006
    measure: Annotated[
        list[str] | None, entry_option(MEASURES, text="Dependence. Default: each criterion's own.")
    ] = None,
    tau: Annotated[list[float], typer.Option(help="Smallest dissimilarity.")] = [0.5],  # noqa: B006
    alternatives: Annotated[list[int], typer.Option(help="Sets besides the best one.")] = [5],  # noqa: B006
    search: Annotated[list[BenchSearch], typer.Option(help="How sets are searched.")] = [  # noqa: B006
        BenchSearch.SEQUENTIAL
    ],
    rules: Annotated[
        list[Path] | None,
        typer.Option(help="TOML file of rules on each set, as of altsel select; several are compared."),
    ] = None,
    solver: Annotated[
        list[str] | None,
        typer.Option(
            help="auto or a profile; with settings to compare: highs:presolve=off,threads=2. Default: auto."
        ),
    ] = None,
    tag: Annotated[
        list[str] | None,
        typer.Option(
            help="All profiles with this tag in solvers.toml, as open; none installed is an error row."
        ),
    ] = None,
    threads: Threads = None,
    option: Annotated[
        list[str] | None,
        typer.Option(help="Option of the solvers' own, as presolve=off; of one of them: highs.presolve=off."),
    ] = None,
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
    interrupt or a crash the same command goes on where it was. A case that fails, also for want of a
    solver or a licence, is a row with the status error, and the others go on. Writes runs.csv, summary.md,
    tables for papers (comparison.tex), the data of performance profiles and, with matplotlib, pictures.

    Example: altsel bench examples/data/*.csv.gz --target target -k 5 -k 8 --solver auto --solver highs
    --output results
    """
    del verbose  # what the command has taken is for `altsel.cli.panels` to say
    solvers = _solvers(solver, tag, settings(threads, None), option or [])
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
        solvers=solvers,
        time_limit=case_time_limit,
        repeats=repeats,
        seed=seed,
        drop_missing=drop_missing,
        rules=[_named(path) for path in rules or ()] or [None],
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


def _solvers(named: list[str] | None, tags: list[str] | None, common: list[str], own: list[str]) -> list[str]:
    """Return the solvers that are compared, each with the settings that are its own."""
    chosen = [*(named or ()), *(name for tag in tags or () for name in tagged(tag))] or ["auto"]
    names = {one.partition(":")[0] for one in chosen}
    for text in own:
        checked_option(text)  # refuse another form before anything is read
    return [with_settings(one, [*common, *options_of(one, own, names)]) for one in dict.fromkeys(chosen)]


def _named(path: Path) -> NamedRules:
    """Read a file of rules for a benchmark."""
    read = read_rules(path)
    return named_rules(path.name, read.plain, read.listed)
