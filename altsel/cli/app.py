"""The command line: alternatives, Markov blankets, what several solutions tell, export, bench, solvers.

Results go to stdout, notes and progress to stderr. Exit codes: 0 done and proved; 1 failure;
2 wrong usage or configuration; 3 proved infeasible; 4 a limit was reached, with what was found
until then; 130 interrupted, 143 terminated.
"""

from __future__ import annotations

import os
import signal
import sys
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Annotated, Any

import typer

import altsel
from altsel.cli import options
from altsel.cli.analyse import boundaries, equivalence, graph, taxonomy
from altsel.cli.audit import audit
from altsel.cli.bench import bench
from altsel.cli.blanket import blanket, rank
from altsel.cli.options import (
    Apart,
    Criterion,
    Data,
    Distance,
    DropMissing,
    Measured,
    MeasureName,
    Normalize,
    ObjectiveName,
    Quiet,
    Rules,
    Seed,
    Size,
    Summed,
    Target,
    TaskOption,
    Tau,
    TimeLimit,
    Total,
    Within,
)
from altsel.cli.output import (
    Form,
    Output,
    SearchName,
    check_output,
    deliver,
    explained_exit,
    form_for,
    progress,
    rendered,
)
from altsel.cli.reading_options import reads_a_table
from altsel.cli.recorded import recorded
from altsel.cli.rules_file import read_rules
from altsel.cli.tradeoffs import front, near_optimal
from altsel.errors import AltselError, DataWarning, printable
from altsel.results.solutions import Solutions
from altsel.results.text import text_table
from altsel.runtime.clock import OutOfTimeError, in_force, opened
from altsel.solvers.profile_files import find

Search = Callable[[altsel.Problem, Any, int], Solutions]

app = typer.Typer(add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False, help=__doc__)


app.command()(bench)
app.command("near-optimal")(reads_a_table(near_optimal))
app.command()(reads_a_table(front))
app.command()(reads_a_table(blanket))
app.command()(reads_a_table(rank))
app.command()(reads_a_table(boundaries))
app.command()(reads_a_table(equivalence))
app.command()(reads_a_table(taxonomy))
app.command()(graph)
app.command()(audit)


@app.callback(invoke_without_command=True)
def _root(
    version: Annotated[bool, typer.Option("--version", help="Show the version and exit.")] = False,
) -> None:
    if version:
        typer.echo(f"altsel {altsel.__version__}")
        raise typer.Exit


@app.command()
@reads_a_table
def select(  # noqa: PLR0913  (one option each)
    ctx: typer.Context,
    data: Data,
    *,
    target: Target,
    k: Size,
    alternatives: Annotated[int, typer.Option(help="Sets wanted besides the best one.")] = 5,
    tau: Tau = 0.5,
    dissimilarity: Apart = Distance.DICE,
    measure: Measured = MeasureName.MI,
    objective: Criterion = ObjectiveName.UNIVARIATE,
    normalize: Normalize = False,
    rules: Rules = None,
    search: Annotated[SearchName, typer.Option(help="How sets are searched.")] = SearchName.SEQUENTIAL,
    total: Summed = Total.SUM,
    within: Within = 0.05,
    average: Annotated[bool, typer.Option("--average", help="Sets need differ on average only.")] = False,
    penalty: Annotated[float | None, typer.Option(help="Allow similar sets, at this penalty.")] = None,
    solver: Annotated[
        str, typer.Option(help="auto, or a profile of solvers.toml; see 'altsel solvers'.")
    ] = "auto",
    time_limit: TimeLimit = None,
    task: TaskOption = None,
    drop_missing: DropMissing = False,
    test_data: Annotated[Path | None, typer.Option(help="Other rows, to score the sets on.")] = None,
    seed: Seed = 0,
    format: Form = None,
    output: Output = None,
    quiet: Quiet = False,
) -> None:
    """Find the best feature set and its best alternatives, with proofs.

    Example: altsel select examples/data/ionosphere.csv.gz --target target -k 5 --tau 0.4
    """
    form = form_for(format, output, data, test_data, rules)
    engine = altsel.solver(solver)
    look = _search(search, total, engine, within)
    apart = options.diversity(options.apart(dissimilarity, tau), average, penalty)
    sizes = options.sizes(k)
    make_objective = options.objective_factory(objective, options.measure(measure, seed), normalize)
    limits = read_rules(rules)
    missing = "drop rows" if drop_missing else "error"
    clock = opened(time_limit)
    with progress(quiet):
        with in_force(clock):
            table = options.read_table(data, target, task, drop_missing)
            held = None if test_data is None else options.holdout(table, test_data, missing)
            problem = altsel.Problem(make_objective(table), sizes, limits.subject_to, limits.across)
            found = recorded(look(problem, apart, alternatives), ctx, table)
        if held is not None:
            found = found.with_holdout(make_objective(held))
    deliver(rendered(found, form), output)

    def explanation() -> object:
        with progress(quiet), in_force(clock):
            if search is SearchName.MOST_DIFFERENT:
                return "No further set is within the loss of quality and differs; raise --within."
            if search is SearchName.SIMULTANEOUS:
                return altsel.explain(problem, apart, alternatives, engine, together=True)
            return altsel.explain(problem, apart, alternatives, engine, found)

    raise typer.Exit(explained_exit(found, alternatives + 1, search, explanation))


@app.command()
@reads_a_table
def export(  # noqa: PLR0913  (one option each)
    data: Data,
    *,
    target: Target,
    k: Size,
    output: Annotated[Path, typer.Option(help="File to write, .lp or .mps.")],
    alternatives: Annotated[int, typer.Option(help="Further sets in the model.")] = 0,
    tau: Tau = 0.5,
    dissimilarity: Apart = Distance.DICE,
    measure: Measured = MeasureName.MI,
    objective: Criterion = ObjectiveName.UNIVARIATE,
    normalize: Normalize = False,
    rules: Rules = None,
    total: Summed = Total.SUM,
    task: TaskOption = None,
    drop_missing: DropMissing = False,
    seed: Seed = 0,
) -> None:
    """Write the model of a problem, with readable names, for any other solver.

    Example: altsel export examples/data/ionosphere.csv.gz --target target -k 5 --output model.lp
    """
    check_output(output, "--output", data, rules)
    apart, sizes = options.apart(dissimilarity, tau), options.sizes(k)
    make_objective = options.objective_factory(objective, options.measure(measure, seed), normalize)
    table = options.read_table(data, target, task, drop_missing)
    limits = read_rules(rules)
    problem = altsel.Problem(make_objective(table), sizes, limits.subject_to, limits.across)
    written = altsel.export(problem, output, apart, alternatives, total.value)
    typer.echo(f"written: {written}", err=True)


@app.command()
def solvers(
    file: Annotated[Path | None, typer.Option(help="A solvers.toml; default: the one in force.")] = None,
) -> None:
    """List every solver profile: found or not, version, limits and what it can do."""
    rows = []
    for one in altsel.profiles(file):
        profile = one.profile
        runs = f"pyomo: {profile.solver}" if profile.solver else profile.engine
        limit = "none" if profile.time_limit is None else f"{profile.time_limit:g} s"
        can = ", ".join(sorted(one.abilities))
        found = one.version or "not installed"
        rows.append([one.name, runs, found, limit, f"{profile.gap:g}", str(profile.threads), can])
    head = ["profile", "engine", "version", "time limit", "gap", "threads", "can do besides solving"]
    typer.echo("\n".join(text_table(head, rows, right={3, 4, 5})))
    typer.echo(f"file: {find(file).label}", err=True)


def _search(name: SearchName, total: Total, engine: altsel.solvers.Solver, within: float) -> Search:
    if name is SearchName.REPLACEMENT:
        return altsel.greedy.replacement
    if name is SearchName.BALANCING:
        return altsel.greedy.balancing
    if name is SearchName.MOST_DIFFERENT:
        return partial(altsel.most_different, within=altsel.RelativeLoss(within), solver=engine)
    if name is SearchName.SEQUENTIAL:
        return partial(altsel.sequential, solver=engine)
    return partial(altsel.simultaneous, total=total.value, solver=engine)


def _note(message: Any, *_: Any, **__: Any) -> None:
    typer.echo(f"note: {printable(str(message))}", err=True)


class _Terminated:
    """Takes SIGTERM for Ctrl-C, and remembers that it came: what was found is kept, the exit code is 143."""

    def __init__(self) -> None:
        self.came = False

    def __call__(self, number: int, frame: FrameType | None) -> None:
        del number, frame
        self.came = True
        raise KeyboardInterrupt


def main() -> None:
    """Run the command line; every error of altsel is one line on stderr."""
    terminated = _Terminated()
    with suppress(ValueError):  # only the main thread takes signals
        signal.signal(signal.SIGTERM, terminated)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", DataWarning)
        warnings.showwarning = _note
        try:
            app()
        except AltselError as fault:
            typer.echo(f"altsel: {fault}", err=True)
            sys.exit(fault.exit_code)
        except OutOfTimeError:
            typer.echo("altsel: time was up before anything was found; raise --time-limit", err=True)
            sys.exit(1)
        except KeyboardInterrupt:
            typer.echo("interrupted", err=True)
            sys.exit(143 if terminated.came else 130)
        except SystemExit as ended:
            if terminated.came and ended.code not in {0, None}:
                sys.exit(143)
            raise
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()
