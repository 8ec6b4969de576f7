"""``altsel solvers``: which solvers there are, what they can do, and which engine answers a question."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

import altsel
from altsel.catalogue import SearchName
from altsel.cli.groups import grouped
from altsel.cli.messages import announce
from altsel.cli.options import Target, TimeLimit
from altsel.cli.output import laid_out
from altsel.cli.problem_options import ProblemOptions, SearchOptions
from altsel.cli.reading_options import ReadingOptions
from altsel.errors import ArgumentError
from altsel.exact.auto import reasons
from altsel.exact.run import Run, checked_count
from altsel.results.text import meanings, text_table
from altsel.runtime.clock import limited
from altsel.search.alternatives.thresholds import TAU
from altsel.solvers.profile_files import find

HEURISTIC = {SearchName.REPLACEMENT, SearchName.BALANCING}
"""Heuristic searches: no engine answers them."""
FURTHER = "Further sets are questions of their own; where an engine leaves one open, the next goes on."


@dataclass(frozen=True)
class ExplainedOptions(SearchOptions, ProblemOptions):
    """The options of `altsel select`; only with --explain."""

    k: Annotated[str, typer.Option("-k", help="Features in a set, as in 'altsel select'.")] = ""
    target: Target = ""
    time_limit: TimeLimit = None


@grouped
def solvers(
    *,
    file: Annotated[Path | None, typer.Option(help="A solvers.toml; default: the one in force.")] = None,
    explain: Annotated[
        Path | None,
        typer.Option(help="Table: show instead which engine would answer 'altsel select' on it, and why."),
    ] = None,
    question: ExplainedOptions,
    reading: ReadingOptions,
) -> None:
    """List every solver profile: found or not, version, limits and what it can do.

    Example: altsel solvers --explain examples/data/ionosphere.csv.gz --target target -k 5 --objective mrmr
    """
    if explain is not None:
        typer.echo(laid_out(lambda: _explained(explain, question, reading, file)))
        return
    if (question, reading) != (ExplainedOptions(), ReadingOptions()):
        raise ArgumentError("options of 'altsel select' need --explain and a table")
    rows = []
    for one in altsel.profiles(file):
        profile = one.profile
        runs = f"pyomo: {profile.solver}" if profile.solver else profile.engine
        limit = "none" if profile.time_limit is None else f"{profile.time_limit:g} s"
        can = one.refused or ", ".join(sorted(one.abilities))
        found = one.version or ("not used" if one.refused else f"not installed: {profile.install}")
        rows.append([one.name, runs, found, limit, f"{profile.gap:g}", str(profile.threads), can])
    head = ["profile", "engine", "version", "time limit", "gap", "threads", "can do besides solving"]
    said = meanings(head, {"gap": "share of the score at which the engine stops, 0: proved"})
    typer.echo(laid_out(lambda: "\n".join([*text_table(head, rows, right={3, 4, 5}, prose={1, 2}), *said])))
    announce(f"file: {find(file).label}")


def _explained(data: Path, wanted: ExplainedOptions, reading: ReadingOptions, file: Path | None) -> str:
    """Return the table of engines, each with what it says to a question."""
    if not wanted.target or not wanted.k:
        raise ArgumentError("--explain needs --target and -k, as 'altsel select' does")
    if wanted.search in HEURISTIC:
        raise ArgumentError(f"{wanted.search} is a heuristic: no engine answers it")
    problem_of = wanted.factory(wanted.normalize)
    engine = wanted.made(wanted.seed, file)
    with limited(wanted.time_limit):
        table = reading.dataset(data, wanted.target)
        run = Run(problem_of(table), engine, "explain")
        together = wanted.search is SearchName.SIMULTANEOUS
        wanted_sets = checked_count(wanted.wanted)
        count = wanted_sets if together else 1
        diversity = wanted.diversity(wanted.dissimilar_by(TAU if wanted.tau is None else wanted.tau, table))
        question = run.question(diversity, count, wanted.total.value)
        answers = reasons(question if together else question.after([]))
    chosen = next((row.engine for row in answers if row.why_not is None), None)
    rows = []
    for row in answers:
        verdict = "no" if row.why_not else "chosen" if row.engine == chosen else "could"
        rows.append([row.engine, verdict, row.why_not or ""])
    low, high = run.problem.sizes
    sets = f"{count} sets together" if count > 1 else "the best set"
    title = f"{sets}, {low if low == high else f'{low} to {high}'} of {len(run.problem.index)} features"
    return "\n".join(
        [
            title,
            *text_table(["engine", "answers", "why not"], rows, prose={2}),
            *([] if together else [FURTHER]),
        ]
    )
