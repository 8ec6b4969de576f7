"""``altsel blankets``: all Markov blankets of the target."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Annotated

import typer

import altsel
from altsel import catalogue
from altsel.catalogue import AllBlanketsMethod, LearnerName, RemovalName, TemplateName
from altsel.cli.blanket_options import BlanketOptions, PredictiveOptions
from altsel.cli.grouping_options import GroupingOptions
from altsel.cli.groups import grouped
from altsel.cli.messages import announce, progress
from altsel.cli.options import Level, ResultOptions, RulesFile, TableOptions, seconds_left
from altsel.cli.output import Forms
from altsel.cli.reading_options import ReadingOptions
from altsel.cli.recorded import recorded
from altsel.cli.rendering import family_table, family_text
from altsel.cli.rules_file import Rules, read_rules
from altsel.errors import ArgumentError
from altsel.parallel import workers
from altsel.results.solutions import Solutions
from altsel.results.stop import Stop
from altsel.runtime.clock import in_force, opened


@dataclass(frozen=True)
class MethodOptions:
    """How all blankets are searched for."""

    method: Annotated[AllBlanketsMethod, typer.Option(help="The search.")] = AllBlanketsMethod.TMFBS
    template: Annotated[TemplateName, typer.Option(help="What tmfbs repeats.")] = TemplateName.FBS
    learner: Annotated[LearnerName, typer.Option(help="What tie-star repeats.")] = LearnerName.FBS
    removal: Annotated[RemovalName, typer.Option(help="How tie-star hides.")] = RemovalName.IGS
    pairs: Annotated[bool, typer.Option("--pairs", help="Look at pairs of features (XOR); slow.")] = False
    prune: Annotated[bool, typer.Option(help="Let tmfbs use its pruning rules.")] = True

    def search(self) -> Callable[..., Solutions]:
        """Return the search."""
        known = altsel.blankets
        if self.method is AllBlanketsMethod.TMFBS:
            if self.pairs and self.template is not TemplateName.FBS:
                raise ArgumentError(f"--pairs is for --template fbs, not for {self.template.value}")
            template = catalogue.template(self.template)
            if self.pairs:
                template = known.Template(known.dependent_in_pairs)
            rules = None if self.prune else known.Pruning(False, False, False)
            return partial(known.tmfbs, template=template, prune=rules)
        if self.template is not TemplateName.FBS:
            raise ArgumentError("--template is for --method tmfbs; tie-star repeats a --learner")
        if self.pairs and self.learner is not LearnerName.FBS:
            raise ArgumentError(f"--pairs is for --learner fbs, not for {self.learner.value}")
        learner = catalogue.learner(self.learner)
        if self.pairs:
            learner = partial(learner, order_variables=known.dependent_in_pairs)
        return partial(known.tie_star, learner=learner, removal=self.removal.value.replace("-", "_"))


@dataclass(frozen=True)
class FamilyOptions:
    """When blankets count as equivalent, and how many are wanted."""

    level: Level = 0.05
    sign_flips: Annotated[int, typer.Option(help="Permutations in tests of equivalence, by signs.")] = 1000
    max_solutions: Annotated[int, typer.Option(help="Most solutions.")] = 1000
    max_states: Annotated[int | None, typer.Option(help="Most states, or runs of the learner.")] = None

    def search(
        self, how: MethodOptions, search: BlanketOptions, predictive: PredictiveOptions, rules: Rules
    ) -> Callable[[altsel.Dataset, float | None], Solutions]:
        """Check what can be checked without a table; return what finds the blankets of one in seconds."""
        find, options = how.search(), predictive.given(search.test, search.seed)

        def found_in(table: altsel.Dataset, seconds: float | None = None) -> Solutions:
            limits = altsel.blankets.Limits(
                *search.names(),
                max_solutions=self.max_solutions,
                max_states=self.max_states,
                max_tests=search.max_tests,
                max_seconds=seconds,
                subject_to=rules.subject_to,
            )
            test = search.independence(table, options)
            flips = altsel.comparison.SignFlips(self.sign_flips, search.seed)
            criterion = altsel.comparison.recommended_criterion(test, self.level, flips)
            return find(test, search.alpha, equivalent=criterion, limits=limits)

        return found_in


@grouped
def blankets(
    ctx: typer.Context,
    source: TableOptions,
    how: MethodOptions,
    *,
    search: BlanketOptions,
    predictive: PredictiveOptions,
    family: FamilyOptions,
    rules: RulesFile = None,
    grouping: GroupingOptions,
    reading: ReadingOptions,
    result: ResultOptions,
) -> None:
    """Find all Markov blankets of the target: the sets that explain it as well as each other.

    Example: altsel blankets examples/data/ionosphere.csv.gz --target target --alpha 0.001
    """
    form = result.form(source.data, rules)
    given = read_rules(rules)
    if given.across:
        raise ArgumentError(f"{rules}: in_at_most is a rule on several sets at once, not on a blanket")
    found_in = family.search(how, search, predictive, given)
    clock = opened(search.time_limit)
    with progress(result.quiet), workers(predictive.jobs):
        with in_force(clock):
            rows = grouping.tested_rows(reading, source, search)
        clock.check()
        found = recorded(found_in(rows.table, seconds_left(clock)), ctx, rows)
    ways = Forms(lambda: family_text(found), lambda: family_table(found), found.to_json)
    ways.deliver(form, result.output, result.then("taxonomy {}", source.data))
    _explained_exit(found, family.max_solutions)


def _explained_exit(found: Solutions, most: int) -> None:
    """Print on stderr why a search ended early, and exit with the code for it."""
    codes = {Stop.INTERRUPT: 130, Stop.INFEASIBLE: 3, Stop.EXHAUSTED: 0, Stop.HEURISTIC: 0}
    code = codes.get(found.stop, 4 if found.sets else 1)
    if found.stop is Stop.INFEASIBLE:
        announce("proved infeasible: no set keeps the rules")
    elif code:
        full = f"; raise --max-solutions ({most})" if len(found) == most else ""
        announce(f"the search ended early ({found.stop.value}): there may be more blankets{full}")
    if code:
        raise typer.Exit(code)
