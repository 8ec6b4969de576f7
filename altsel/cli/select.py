"""``altsel select``: the best feature sets and their alternatives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Annotated, Any

import typer

import altsel
from altsel import catalogue
from altsel.catalogue import SearchName
from altsel.cli.certified import certify
from altsel.cli.closing import closing
from altsel.cli.grouping_options import GroupingOptions
from altsel.cli.groups import grouped
from altsel.cli.leaks import note_leaks
from altsel.cli.messages import announce, progress
from altsel.cli.options import (
    CertificateFile,
    HoldoutData,
    Jobs,
    ResultOptions,
    StartFile,
    TableOptions,
    TimeLimit,
)
from altsel.cli.output import Forms, check_output, deliver, explained_exit, laid_out
from altsel.cli.problem_factory import ProblemFactory
from altsel.cli.problem_options import ProblemOptions, SearchOptions
from altsel.cli.reading_options import ReadingOptions, holdout
from altsel.cli.recorded import recorded
from altsel.cli.solutions_file import read_start
from altsel.errors import ArgumentError
from altsel.exact.shared_structures import shared_structures
from altsel.parallel import workers
from altsel.results.solutions import Solutions
from altsel.results.stop import Stop
from altsel.results.text import percent
from altsel.runtime.clock import STOPPED, OutOfTimeError, in_force, opened
from altsel.search.alternatives.thresholds import TAU


@grouped
def select(
    ctx: typer.Context,
    source: TableOptions,
    wanted: ProblemOptions,
    how: SearchOptions,
    *,
    permutations: Annotated[
        int,
        typer.Option(
            "--permutations",
            "--null",
            help="Repeat the search with so many permuted targets, and say how often they score as well.",
        ),
    ] = 0,
    time_limit: TimeLimit = None,
    start: StartFile = None,
    holdout_data: HoldoutData = None,
    jobs: Jobs = None,
    certificate: CertificateFile = None,
    grouping: GroupingOptions,
    reading: ReadingOptions,
    result: ResultOptions,
) -> None:
    """Find the best feature set and its best alternatives, with proofs.

    Example: altsel select examples/data/heart.csv.gz --target disease --alternatives 3
    """
    form = result.form(source.data, holdout_data, wanted.rules, start)
    check_output(certificate, "--certificate", source.data, holdout_data, wanted.rules, start, result.output)
    if permutations < 0:
        raise ArgumentError(f"--permutations {permutations}; use a number of permutations of at least 0")
    if holdout_data is not None and grouping.holdout:
        raise ArgumentError("--holdout-data and --holdout exclude each other: the one names rows to judge by")
    engine = how.made(wanted.seed)
    look = catalogue.search(how.search, how.total, engine, how.loss, read_start(start))
    dissimilar_by, problem_of = wanted.dissimilar_by, wanted.factory(how.normalize)
    clock = opened(time_limit)
    with progress(result.quiet), workers(jobs):
        with in_force(clock):
            needed = {"--holdout-data": holdout_data, "--permutations": permutations}
            rows = grouping.rows(reading, source, need_rows=needed, seed=wanted.seed, one_table={})
            table, held = rows.table, rows.held
            if holdout_data is not None:
                held = holdout(table, holdout_data, reading.way)
            problem, count = problem_of(table), how.wanted

            def differ(tau: float) -> Any:
                return how.diversity(dissimilar_by(tau, table))

            found, tau = _search(problem_of, problem, how, partial(look, problem), differ)
            diversity = differ(tau)
            found = recorded(found, ctx, rows, {"alternatives": count, **problem_of.chosen})
            if found.sets and not permutations and found.stop is not Stop.INTERRUPT:
                found = replace(found, noise=problem_of.noise(problem, table))
        problem_of.explain(wanted.explain_defaults)
        if held is not None:
            found = found.with_holdout(problem_of.objective(held))
        stopped = 0
        if permutations:
            with in_force(clock):
                found, stopped = _with_null(
                    found, table, lambda rows: look(problem_of(rows), diversity, 0), permutations
                )
    Forms.of(found).deliver(form, result.output, result.then("performance {}", source.data))
    with progress(result.quiet):
        certify(found, certificate, problem)
    note_leaks(found, table, source.data)
    said = closing(found, source.data, kept=result.output is not None)
    if result.readable and said:
        deliver(laid_out(lambda: f"{said}\n"), None)

    def explanation() -> object:
        with progress(result.quiet), in_force(clock), workers(jobs):
            if how.search is SearchName.MOST_DIFFERENT:
                amount = how.within_absolute
                most = f"{amount:g}" if amount is not None else percent(how.loss.share)
                loses = f"loses at most {most} and differs by {tau:g} or more"
                return f"No further set {loses}: raise --within or lower --tau."
            if how.search is SearchName.SIMULTANEOUS:
                return altsel.explain(problem, diversity, count, engine, together=True)
            return altsel.explain(problem, diversity, count, engine, found)

    raise typer.Exit(explained_exit(found, count + 1, how.search, explanation) or stopped)


def _search(
    problem_of: ProblemFactory,
    problem: altsel.Problem,
    how: SearchOptions,
    look: Callable[[Any, int], Solutions],
    differ: Callable[[float], Any],
) -> tuple[Solutions, float]:
    """Search, by the tau that is given or is found, and return it too."""
    if not how.finds_tau:
        tau = TAU if how.tau is None else how.tau
        return look(differ(tau), how.wanted), tau
    with shared_structures():
        found = problem_of.with_tau(problem, lambda each: look(each, how.wanted), differ, how.wanted)
    return found, problem_of.choices["tau"].value


def _with_null(
    found: Solutions, table: altsel.Dataset, search: Callable[[altsel.Dataset], Solutions], repeats: int
) -> tuple[Solutions, int]:
    """Add how often a permuted target scores as well; if stopped, sets alone and an exit code."""
    try:
        return altsel.shadow(table, repeats=repeats, level=0.5, search=search).judged(found), 0
    except STOPPED as fault:
        why, code = ("time was up", 4) if isinstance(fault, OutOfTimeError) else ("interrupted", 130)
        announce(f"{why} before all permuted targets were searched: p, null is not known")
        return found, code
