"""``altsel blanket`` and ``altsel rank``: one Markov blanket by tests, and greedy rankings."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from functools import partial
from typing import Annotated

import typer

import altsel
from altsel import blankets as searches
from altsel import ranking
from altsel.cli.options import (
    Bins,
    ChosenTest,
    Data,
    DropMissing,
    Exclude,
    Include,
    Level,
    MaxTests,
    Quiet,
    Seed,
    Target,
    TaskOption,
    TestOption,
    TimeLimit,
    independence_test,
    read_table,
    seconds_left,
)
from altsel.cli.output import Form, Forms, Output, form_for, progress
from altsel.cli.recorded import recorded
from altsel.cli.rendering import blanket_table, blanket_text, ranking_table, ranking_text
from altsel.errors import ArgumentError
from altsel.results.solutions import Solutions, Stop
from altsel.runtime.clock import in_force, opened

Learner = Callable[..., Solutions]


class MethodName(StrEnum):
    """Searches for a Markov blanket, or for parents and children (mmpc, hiton-pc)."""

    FBS = "fbs"
    FBED = "fbed"
    GROW_SHRINK = "grow-shrink"
    IAMB = "iamb"
    INTER_IAMB = "inter-iamb"
    FAST_IAMB = "fast-iamb"
    MMPC = "mmpc"
    MMMB = "mmmb"
    HITON_PC = "hiton-pc"
    HITON_MB = "hiton-mb"
    IPC_MB = "ipc-mb"
    STMB = "stmb"


class FilterName(StrEnum):
    """Greedy criteria."""

    MIM = "mim"
    MIFS = "mifs"
    MRMR = "mrmr"
    JMI = "jmi"
    CIFE = "cife"
    CMIM = "cmim"
    DISR = "disr"
    RELAX_MRMR = "relax-mrmr"
    FCBF = "fcbf"


PLAIN: dict[MethodName, Learner] = {
    MethodName.FBS: searches.forward_backward,
    MethodName.FBED: partial(searches.forward_backward_early_dropping, extra_runs=1),
    MethodName.GROW_SHRINK: searches.grow_shrink,
    MethodName.IAMB: searches.iamb,
    MethodName.INTER_IAMB: searches.inter_iamb,
    MethodName.FAST_IAMB: searches.fast_iamb,
}
"""Searches that condition on all members."""

SUBSETS: dict[MethodName, Learner] = {
    MethodName.MMPC: searches.mmpc,
    MethodName.MMMB: searches.mmmb,
    MethodName.HITON_PC: searches.hiton_pc,
    MethodName.HITON_MB: searches.hiton_mb,
    MethodName.IPC_MB: searches.ipcmb,
    MethodName.STMB: searches.stmb,
}
"""Searches that condition on subsets."""


def blanket(  # noqa: PLR0913  (one option each)
    ctx: typer.Context,
    data: Data,
    *,
    target: Target,
    method: Annotated[MethodName, typer.Option(help="The search.")] = MethodName.HITON_MB,
    test: TestOption = ChosenTest.AUTO,
    alpha: Level = 0.01,
    max_conditioning: Annotated[
        int, typer.Option(help="Largest set given, in searches by subsets; -1: any.")
    ] = 3,
    samples_per_cell: Annotated[float, typer.Option(help="Fewest rows a cell for g2 and chi2.")] = 5.0,
    untestable: Annotated[
        altsel.independence.WhenUntestable, typer.Option(help="What fewer rows mean.")
    ] = altsel.independence.WhenUntestable.SKIPPED,
    correct: Annotated[bool, typer.Option("--correct", help="Correct p by Benjamini-Hochberg.")] = False,
    bins: Bins = None,
    include: Include = None,
    exclude: Exclude = None,
    max_tests: MaxTests = None,
    time_limit: TimeLimit = None,
    task: TaskOption = None,
    drop_missing: DropMissing = False,
    seed: Seed = 0,
    format: Form = None,
    output: Output = None,
    quiet: Quiet = False,
) -> None:
    """Find the Markov blanket of the target: the features that make all others superfluous.

    Example: altsel blanket examples/data/ionosphere.csv.gz --target target --method iamb
    """
    form = form_for(format, output, data)
    if max_conditioning < -1:
        raise ArgumentError(f"--max-conditioning {max_conditioning}; use at least 0, or -1 for any")
    if method in SUBSETS:
        gamma = None if max_conditioning == -1 else max_conditioning
        search = partial(SUBSETS[method], max_conditioning=gamma)
    else:
        search = partial(PLAIN[method])
    clock = opened(time_limit)
    with progress(quiet):
        with in_force(clock):
            source = read_table(data, target, task, drop_missing)
        table = source if bins is None else altsel.data.binned(source, bins)
        asked = independence_test(test, table, seed, samples_per_cell=samples_per_cell, untestable=untestable)
        clock.check()
        scope = altsel.blankets.Scope(
            tuple(include or ()), tuple(exclude or ()), max_tests, seconds_left(clock)
        )
        found = search(altsel.independence.BenjaminiHochberg(asked) if correct else asked, alpha, scope=scope)
        if table.discrete_target:
            found = altsel.blankets.with_error_bounds(found, table)
        found = recorded(found, ctx, source)
    ways = Forms(lambda: blanket_text(found), lambda: blanket_table(found[0]), found.to_json)
    ways.deliver(form, output)
    if found.stop is not Stop.EXHAUSTED:
        typer.echo(f"the search ended early ({found.stop.value}); this is what it had", err=True)
    raise typer.Exit({Stop.EXHAUSTED: 0, Stop.INTERRUPT: 130}.get(found.stop, 4 if len(found[0]) else 1))


def rank(  # noqa: PLR0913  (one option each)
    ctx: typer.Context,
    data: Data,
    *,
    target: Target,
    method: Annotated[FilterName, typer.Option(help="The criterion.")] = FilterName.MRMR,
    k: Annotated[int | None, typer.Option("-k", help="Number of features; fcbf finds its own.")] = None,
    bins: Annotated[int, typer.Option(help="Bins of equal frequency for numbers.")] = 5,
    beta: Annotated[float, typer.Option(help="Weight of redundancy in mifs.")] = 1.0,
    delta: Annotated[float, typer.Option(help="Least relevance in fcbf.")] = 0.0,
    task: TaskOption = None,
    drop_missing: DropMissing = False,
    format: Form = None,
    output: Output = None,
    quiet: Quiet = False,
) -> None:
    """Rank features by a greedy information-theoretic criterion.

    Example: altsel rank examples/data/ionosphere.csv.gz --target target --method jmi -k 10
    """
    form = form_for(format, output, data)
    if (k is None) != (method is FilterName.FCBF):
        raise ArgumentError("fcbf finds its own k" if k is not None else f"{method.value} needs -k")
    with progress(quiet):
        table = read_table(data, target, task, drop_missing)
        if method is FilterName.FCBF:
            found = ranking.fcbf(table, delta=delta, bins=bins)
        elif method is FilterName.MIFS:
            found = ranking.mifs(table, k or 1, beta=beta, bins=bins)
        else:
            found = getattr(ranking, method.value.replace("-", "_"))(table, k, bins=bins)
        found = recorded(found, ctx, table)
    ways = Forms(lambda: ranking_text(found), lambda: ranking_table(found[0]), found.to_json)
    ways.deliver(form, output)
