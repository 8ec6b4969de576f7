"""``altsel boundaries``, ``equivalence``, ``taxonomy``, ``graph``: several solutions, and what they tell."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

import altsel
from altsel import blankets as searches
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
    Rules,
    Seed,
    Target,
    TaskOption,
    TestOption,
    TimeLimit,
    independence_test,
    read_table,
    seconds_left,
)
from altsel.cli.output import Form, Forms, Output, check_output, deliver, form_for, progress
from altsel.cli.recorded import recorded
from altsel.cli.rendering import family_table, family_text, taxonomy_text
from altsel.cli.rules_file import read_rules
from altsel.cli.solutions_file import divided, read_solutions, table_of
from altsel.errors import ArgumentError
from altsel.results.solutions import Solutions, Stop
from altsel.runtime.clock import in_force, opened
from altsel.search.blankets.all import dependent_in_pairs, dependent_in_turn

Found = Annotated[Path, typer.Argument(help="Solutions as JSON, from any search with --format json.")]
OtherData = Annotated[
    bool, typer.Option("--other-data", help="The data are meant to be others than the search's.")
]
SameTarget = Annotated[str | None, typer.Option(help="Target column; default: that of the solutions.")]


class MethodName(StrEnum):
    """Searches for all Markov blankets."""

    TMFBS = "tmfbs"
    TIE_STAR = "tie-star"


class LearnerName(StrEnum):
    """Searches for one blanket that TIE* repeats."""

    FBS = "fbs"
    IAMB = "iamb"
    GROW_SHRINK = "grow-shrink"
    MMMB = "mmmb"
    HITON_MB = "hiton-mb"


class RemovalName(StrEnum):
    """How TIE* chooses what to hide."""

    IGS = "igs"
    HITTING_SET = "hitting-set"


LEARNERS: dict[LearnerName, Callable[..., Solutions]] = {
    LearnerName.FBS: searches.forward_backward,
    LearnerName.IAMB: searches.iamb,
    LearnerName.GROW_SHRINK: searches.grow_shrink,
    LearnerName.MMMB: searches.mmmb,
    LearnerName.HITON_MB: searches.hiton_mb,
}


def boundaries(  # noqa: PLR0913  (one option each)
    ctx: typer.Context,
    data: Data,
    *,
    target: Target,
    method: Annotated[MethodName, typer.Option(help="The search.")] = MethodName.TMFBS,
    test: TestOption = ChosenTest.AUTO,
    alpha: Level = 0.01,
    level: Annotated[float, typer.Option(help="Level of the tests of equivalence.")] = 0.05,
    permutations: Annotated[int, typer.Option(help="Permutations in them.")] = 1000,
    learner: Annotated[LearnerName, typer.Option(help="What tie-star repeats.")] = LearnerName.FBS,
    removal: Annotated[RemovalName, typer.Option(help="How tie-star hides.")] = RemovalName.IGS,
    pairs: Annotated[bool, typer.Option("--pairs", help="Look at pairs of features (XOR); slow.")] = False,
    prune: Annotated[bool, typer.Option(help="Let tmfbs use its pruning rules.")] = True,
    bins: Bins = None,
    rules: Rules = None,
    include: Include = None,
    exclude: Exclude = None,
    max_solutions: Annotated[int, typer.Option(help="Most solutions.")] = 1000,
    max_states: Annotated[int | None, typer.Option(help="Most states, or runs of the learner.")] = None,
    max_tests: MaxTests = None,
    time_limit: TimeLimit = None,
    task: TaskOption = None,
    drop_missing: DropMissing = False,
    seed: Seed = 0,
    format: Form = None,
    output: Output = None,
    quiet: Quiet = False,
) -> None:
    """Find all Markov blankets of the target: the sets that explain it as well as each other.

    Example: altsel boundaries examples/data/ionosphere.csv.gz --target target --alpha 0.001
    """
    form = form_for(format, output, data, rules)
    given = read_rules(rules)
    if given.across:
        raise ArgumentError(f"{rules}: in_at_most is a rule on several sets at once, not on a blanket")
    names = (tuple(include or ()), tuple(exclude or ()))
    clock = opened(time_limit)
    with progress(quiet):
        with in_force(clock):
            table = read_table(data, target, task, drop_missing)
        clock.check()
        left = seconds_left(clock)
        extent = altsel.blankets.Extent(*names, max_solutions, max_states, max_tests, left, given.subject_to)
        asked = independence_test(test, table if bins is None else altsel.data.binned(table, bins), seed)
        judge = altsel.comparison.recommended_criterion(
            asked, level, altsel.comparison.SignFlips(permutations, seed)
        )
        if method is MethodName.TMFBS:
            order = dependent_in_pairs if pairs else dependent_in_turn
            rule = altsel.blankets.Pruning(prune, prune, prune)
            search = partial(altsel.blankets.tmfbs, template=altsel.blankets.Template(order), prune=rule)
        else:
            kind = removal.value.replace("-", "_")
            if pairs and learner is not LearnerName.FBS:
                raise ArgumentError(f"--pairs is for --learner fbs, not for {learner.value}")
            chosen = (
                partial(LEARNERS[learner], order_variables=dependent_in_pairs) if pairs else LEARNERS[learner]
            )
            search = partial(altsel.blankets.tie_star, learner=chosen, removal=kind)
        found = recorded(search(asked, alpha, equivalent=judge, extent=extent), ctx, table)
    Forms(lambda: family_text(found), lambda: family_table(found), found.to_json).deliver(form, output)
    _explained_exit(found)


def equivalence(  # noqa: PLR0913  (one option each)
    solutions: Found,
    data: Data,
    *,
    target: SameTarget = None,
    other_data: OtherData = False,
    alpha: Level = 0.05,
    holdout: Annotated[float, typer.Option(help="Share of rows that losses are judged on; 0: all.")] = 0.0,
    margin: Annotated[
        float | None, typer.Option(help="Add TOST: share of the loss that may be lost.")
    ] = None,
    all_pairs: Annotated[bool, typer.Option("--all-pairs", help="Compare all, not only with set 0.")] = False,
    correct: Annotated[bool, typer.Option(help="Correct p by Holm's method.")] = True,
    task: TaskOption = None,
    drop_missing: DropMissing = False,
    seed: Seed = 0,
    format: Form = None,
    output: Output = None,
    quiet: Quiet = False,
) -> None:
    """Test which solutions are equivalent: as good in prediction, and as informative.

    Example: altsel equivalence found.json examples/data/ionosphere.csv.gz --all-pairs
    """
    form = form_for(format, output, solutions, data)
    found = read_solutions(solutions)
    if len(found) < 2:
        typer.echo(f"note: {solutions} holds {len(found)} set; there is nothing to compare it with", err=True)
    with progress(quiet):
        table = table_of(found, data, (target, task), drop_missing, other_data)
        train, rest = divided(table, holdout, seed)
        tests = altsel.comparison.default_tests(train, rest, margin, seed)
        told = altsel.equivalence(
            found, tests, against=None if all_pairs else 0, alpha=alpha, correct=correct
        )
    Forms(lambda: str(told), told.to_frame, told.to_json).deliver(form, output)


def taxonomy(  # noqa: PLR0913  (one option each)
    solutions: Found,
    data: Data,
    *,
    target: SameTarget = None,
    other_data: OtherData = False,
    test: TestOption = ChosenTest.AUTO,
    alpha: Level = 0.05,
    task: TaskOption = None,
    drop_missing: DropMissing = False,
    seed: Seed = 0,
    format: Form = None,
    output: Output = None,
    quiet: Quiet = False,
) -> None:
    """Tell which features are indispensable, replaceable (and by what), redundant or irrelevant.

    Example: altsel taxonomy found.json examples/data/ionosphere.csv.gz
    """
    form = form_for(format, output, solutions, data)
    found = read_solutions(solutions)
    with progress(quiet):
        table = table_of(found, data, (target, task), drop_missing, other_data)
        told = altsel.taxonomy(found, independence_test(test, table, seed), alpha)
        ways = altsel.substitutions(found, altsel.comparison.default_tests(table, random_state=seed)[0])
    Forms(lambda: taxonomy_text(told, ways), told.to_frame, told.to_json).deliver(form, output)


def graph(
    solutions: Found,
    *,
    or_nodes: Annotated[bool, typer.Option(help="Merge alternatives into one node.")] = True,
    output: Annotated[
        Path | None, typer.Option(help="A file in .svg, .png, .pdf, .dot or .json; default: a table.")
    ] = None,
) -> None:
    """Draw all solutions as one compact graph; every path from start to target is a solution.

    Example: altsel graph found.json --output msg.svg
    """
    check_output(output, "--output", solutions)
    made = altsel.msg(read_solutions(solutions), or_nodes=or_nodes)
    if output is None:
        deliver(f"{made}\n", None)
    elif output.suffix == ".json":
        deliver(made.to_json() + "\n", output)
    elif output.suffix == ".dot":
        deliver(made.to_dot(), output)
    else:
        made.draw(output)


def _explained_exit(found: Solutions) -> None:
    """Say on stderr why a search ended early, and exit with the code for it."""
    codes = {Stop.INTERRUPT: 130, Stop.INFEASIBLE: 3, Stop.EXHAUSTED: 0}
    code = codes.get(found.stop, 4 if found.sets else 1)
    if found.stop is Stop.INFEASIBLE:
        typer.echo("proved infeasible: no set keeps the rules", err=True)
    elif code:
        typer.echo(f"the search ended early ({found.stop.value}): there may be more blankets", err=True)
    if code:
        raise typer.Exit(code)
