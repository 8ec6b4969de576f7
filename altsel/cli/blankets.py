"""``altsel blankets``: all Markov blankets of the target."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

import altsel
from altsel import catalogue
from altsel.auditing.blankets.problem import BlanketProblem
from altsel.catalogue import REPEATED, AllBlanketsMethod, RemovalName, TemplateName
from altsel.cli.blanket_options import BlanketOptions, PredictiveOptions
from altsel.cli.certified import certify
from altsel.cli.closing import blankets_closing
from altsel.cli.costs_file import read_costs
from altsel.cli.entry_names import entry_option
from altsel.cli.grouping_options import GroupingOptions
from altsel.cli.groups import grouped
from altsel.cli.leaks import note_leaks
from altsel.cli.messages import announce, progress
from altsel.cli.options import CertificateFile, Level, ResultOptions, RulesFile, TableOptions, seconds_left
from altsel.cli.output import Format, Forms, check_output, deliver, laid_out
from altsel.cli.reading_options import ReadingOptions
from altsel.cli.recorded import recorded
from altsel.cli.rendering import family_table, family_text, shared_table, shared_text
from altsel.cli.rules_file import Rules, read_rules, rules_on
from altsel.cli.sides_options import SidesOptions
from altsel.errors import ArgumentError
from altsel.parallel import workers
from altsel.results.certificate_text import infeasible_text
from altsel.results.solutions import Solutions
from altsel.results.stop import Stop
from altsel.runtime.clock import in_force, opened
from altsel.search.blankets.all.template import Template

Costs = list[dict[str, float]]

EXPLAINED = 60.0
"""Seconds to find out why rules leave no blanket."""


@dataclass(frozen=True)
class MethodOptions:
    """How all blankets are searched for."""

    method: Annotated[AllBlanketsMethod, typer.Option(help="The search.")] = AllBlanketsMethod.TMFBS
    template: Annotated[TemplateName, typer.Option(help="What tmfbs repeats.")] = TemplateName.FBS
    learner: Annotated[str, entry_option(REPEATED, text="What tie-star repeats.")] = "fbs"
    removal: Annotated[RemovalName, typer.Option(help="How tie-star hides.")] = RemovalName.IGS
    pairs: Annotated[bool, typer.Option("--pairs", help="Look at pairs of features (XOR); slow.")] = False
    prune: Annotated[bool, typer.Option(help="Let tmfbs use its pruning rules.")] = True
    dual: Annotated[
        bool,
        typer.Option(
            "--dual",
            help="Count all blankets and say which features they share, of any number, without listing them.",
        ),
    ] = False

    @property
    def looks_at_pairs(self) -> bool:
        """Whether pairs of features are looked at, or cannot be, by what is repeated."""
        repeated = self.template is TemplateName.FBS and self.learner == "fbs"
        return self.pairs or not repeated

    def search(self) -> Callable[..., Solutions]:
        """Return the search for all, which takes what it repeats."""
        known = altsel.blankets
        if self.dual:
            self.refuse_method("--dual")
            return known.dual
        if self.method is AllBlanketsMethod.TIE_STAR:
            return partial(known.tie_star, removal=self.removal.value.replace("-", "_"))
        return partial(known.tmfbs, prune=None if self.prune else known.Pruning(False, False, False))

    def refuse_method(self, option: str) -> None:
        """Refuse options of searches for all where another search is wanted.

        Raises
        ------
        ArgumentError
            Names the option.
        """
        if self.method is not AllBlanketsMethod.TMFBS or not self.prune:
            raise ArgumentError(f"{option} has a search of its own: leave out --method and --no-prune")

    def repeated(self) -> Template | Callable[..., Solutions]:
        """Return what the search repeats: a template, or a learner."""
        known = altsel.blankets
        if self.method is AllBlanketsMethod.TMFBS:
            if self.pairs and self.template is not TemplateName.FBS:
                raise ArgumentError(f"--pairs is for --template fbs, not for {self.template.value}")
            return (
                known.Template(known.dependent_in_pairs) if self.pairs else catalogue.template(self.template)
            )
        if self.template is not TemplateName.FBS:
            raise ArgumentError("--template is for --method tmfbs; tie-star repeats a --learner")
        if self.pairs and self.learner != "fbs":
            raise ArgumentError(f"--pairs is for --learner fbs, not for {self.learner}")
        learner = catalogue.learner(self.learner)
        return partial(learner, order_variables=known.dependent_in_pairs) if self.pairs else learner


@dataclass(frozen=True)
class BestOptions:
    """Which blankets are the best, and how many are wanted; all without costs."""

    best: Annotated[
        Path | None,
        typer.Option(
            help="Only the blankets that cost least, proved: CSV file with a column of features and one of "
            "costs."
        ),
    ] = None
    number: Annotated[int | None, typer.Option(min=1, help="Blankets wanted with --best. Default: 1.")] = None

    def costs(self, how: MethodOptions) -> Costs | None:
        """Read the costs; refuse options that go without or with them only.

        Raises
        ------
        ArgumentError
            Names the option.
        """
        if self.best is None:
            if self.number is not None:
                raise ArgumentError("--number is for --best; of all blankets, --max-solutions limits them")
            return None
        if how.dual:
            raise ArgumentError("--best finds the cheapest blankets, --dual counts all: use one of them")
        how.refuse_method("--best")
        return read_costs(self.best)


@dataclass(frozen=True)
class Asked:
    """What is wanted of blankets besides that they are: rules, and what the best cost."""

    rules: Rules
    costs: Costs | None = None
    number: int = 1


@dataclass(frozen=True)
class FamilyOptions:
    """When blankets count as equivalent, and how many are wanted."""

    level: Level = 0.05
    sign_flips: Annotated[int, typer.Option(help="Permutations in tests of equivalence, by signs.")] = 1000
    max_solutions: Annotated[int, typer.Option(help="Most solutions.")] = 1000
    max_states: Annotated[int | None, typer.Option(help="Most states, or runs of the learner.")] = None

    def search(
        self,
        how: MethodOptions,
        search: BlanketOptions,
        predictive: PredictiveOptions,
        asked: Asked,
        sides: SidesOptions | None = None,
    ) -> Callable[[altsel.Dataset, float | None], Solutions]:
        """Check what can be checked without a table; return what finds the blankets of one in seconds."""
        sides = sides or SidesOptions()
        sides.check()
        find, problem_of = how.search(), self.problem(how, search, predictive, asked)

        def found_in(table: altsel.Dataset, seconds: float | None = None) -> Solutions:
            clock, problem = opened(seconds), problem_of(table, seconds)
            given: dict[str, Any] = {"equivalent": problem.equivalent, "limits": problem.limits}
            if asked.costs is not None:
                given |= {"costs": asked.costs, "number": asked.number, "template": problem.learner}
                found = altsel.blankets.best(problem.test, alpha=problem.alpha, **given)
            else:
                repeats = "learner" if how.method is AllBlanketsMethod.TIE_STAR else "template"
                found = find(problem.test, problem.alpha, **{repeats: problem.learner}, **given)
            with in_force(clock):
                return sides.told(found, problem.test, problem.alpha)

        return found_in

    def problem(
        self,
        how: MethodOptions,
        search: BlanketOptions,
        predictive: PredictiveOptions,
        asked: Asked,
    ) -> Callable[[altsel.Dataset, float | None], BlanketProblem]:
        """Check what can be checked without a table; return what makes the problem of one."""
        options, repeats = predictive.given(search.test, search.seed), how.repeated()

        def of_table(table: altsel.Dataset, seconds: float | None = None) -> BlanketProblem:
            rules = rules_on(asked.rules, table)
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
            return BlanketProblem(test, search.alpha, criterion, repeats, limits, asked.costs)

        return of_table


@grouped
def blankets(
    ctx: typer.Context,
    source: TableOptions,
    how: MethodOptions,
    *,
    search: BlanketOptions,
    predictive: PredictiveOptions,
    sides: SidesOptions,
    family: FamilyOptions,
    best: BestOptions,
    rules: RulesFile = None,
    certificate: CertificateFile = None,
    grouping: GroupingOptions,
    reading: ReadingOptions,
    result: ResultOptions,
) -> None:
    """Find all Markov blankets of the target: the sets that explain it as well as each other.

    With --best costs.csv only those that cost least, out of any number, proved. With --dual how many there
    are and which features they share, without a list.

    Example: altsel blankets examples/data/ionosphere.csv.gz --target target --alpha 0.001
    """
    form = result.form(source.data, rules, best.best)
    check_output(certificate, "--certificate", source.data, rules, best.best, result.output)
    given = read_rules(rules)
    if given.across:
        raise ArgumentError(f"{rules}: in_at_most is a rule on several sets at once, not on a blanket")
    if how.dual and given.subject_to:
        raise ArgumentError("--dual counts all blankets, --rules leave some out: use --best with --rules")
    asked = Asked(given, best.costs(how), best.number or 1)
    if how.dual and sides.sides:
        raise ArgumentError("--sides are of blankets, and --dual lists none: use one of them")
    found_in = family.search(how, search, predictive, asked, sides)
    clock = opened(search.time_limit)
    with progress(result.quiet), workers(predictive.jobs):
        with in_force(clock):
            rows = grouping.tested_rows(reading, source, search)
        clock.check()
        found = recorded(found_in(rows.table, seconds_left(clock)), ctx, rows)
    proposed = grouping.proposed(rows.table) if found.stop is Stop.HEURISTIC else ""
    ways = Forms(
        lambda: shared_text(found, proposed) if how.dual else family_text(found, asked.costs, proposed),
        lambda: shared_table(found) if how.dual else family_table(found),
        found.to_json,
    )
    command = "taxonomy {}" if asked.costs is None and found.sets else "audit {}"
    ways.deliver(form, result.output, result.then(command, source.data))
    with progress(result.quiet):
        certify(found, certificate)
    note_leaks(found, rows.table, source.data)
    output = result.output if form is Format.JSON else None
    said = blankets_closing(found, source.data, best.best, output, dual=how.dual, pairs=how.looks_at_pairs)
    if result.readable and said and not result.quiet:
        deliver(laid_out(lambda: f"{said}\n"), None)
    _explained_exit(found, family.max_solutions, asked)


def _explained_exit(found: Solutions, most: int, asked: Asked) -> None:
    """Print on stderr why a search ended early, and exit with the code for it."""
    codes = {Stop.INTERRUPT: 130, Stop.INFEASIBLE: 3}
    codes |= dict.fromkeys((Stop.EXHAUSTED, Stop.HEURISTIC, Stop.COUNT), 0)
    code = codes.get(found.stop, 4 if found.sets else 1)
    if found.stop is Stop.INFEASIBLE:
        announce(f"proved infeasible: {infeasible_text(found)}")
    elif code:
        full = f"; raise --max-solutions ({most})" if len(found) == most else ""
        announce(f"the search ended early ({found.stop.value}): there may be more blankets{full}")
    elif asked.costs is not None and len(found) < asked.number:
        more = "there may be more" if found.stop is Stop.HEURISTIC else "there are no more"
        announce(f"{len(found)} of {asked.number} blankets wanted: {more}")
    rules = asked.rules.subject_to
    why = altsel.blankets.explain(found, rules, EXPLAINED) if rules and not found.sets else None
    if why is not None and why.conflict:
        announce(str(why))
    if code:
        raise typer.Exit(code)
