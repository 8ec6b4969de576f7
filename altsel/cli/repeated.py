"""The search of a file of solutions, to be repeated on other rows of its table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import altsel
from altsel import catalogue
from altsel.auditing.blankets.problem import BlanketProblem
from altsel.auditing.stated_diversity import diversity_of
from altsel.cli.blanket import LearningOptions
from altsel.cli.blanket_options import BlanketOptions, PredictiveOptions
from altsel.cli.blankets import Asked, FamilyOptions, MethodOptions
from altsel.cli.groups import restored
from altsel.cli.problem_options import ALTERNATIVES, SearchOptions, SolverOptions
from altsel.cli.rank import RankOptions
from altsel.cli.recorded import command_in, problem_on
from altsel.cli.rules_file import rules_in
from altsel.cli.sides_options import SidesOptions
from altsel.errors import AltselError, DataError, listing
from altsel.results.solutions import Solutions
from altsel.runtime.clock import limited

Request = Mapping[str, Any]
Given = Mapping[str, Any]


@dataclass(frozen=True)
class RepeatedSearch:
    """A function of a table: what the command that wrote a file of solutions finds there.

    Parameters
    ----------
    request
        What was requested, as the file holds it.

    Raises
    ------
    DataError
        If the file does not say which command found it, or that command finds no sets.
    """

    request: Request
    name: str = field(init=False)
    given: Given = field(init=False)

    def __post_init__(self) -> None:
        name, given = command_in(self.request)
        if name not in COMMANDS:
            raise DataError(
                f"the file names the command {name!r}; what can be repeated: {listing(COMMANDS, 9)}"
            )
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "given", dict(given))

    def __call__(self, table: altsel.Dataset) -> Solutions:
        """Search a table."""
        try:
            return COMMANDS[self.name](self.request, self.given, table)
        except (ValueError, TypeError, KeyError, AttributeError) as fault:
            if isinstance(fault, AltselError):
                raise
            raise DataError(f"what the file says was requested makes no sense: {fault}") from fault

    def blanket_problem(self) -> Callable[[altsel.Dataset], BlanketProblem]:
        """Return what makes the problem of a table, of a search for blankets.

        Raises
        ------
        DataError
            If it was a search for anything else.
        """
        if self.name != "blankets":
            raise DataError(
                f"'altsel {self.name}' wrote the file; failed removals are in those of 'altsel blankets'"
            )
        return partial(blanket_problem_of, self.request, self.given)


def _select(request: Request, given: Given, table: altsel.Dataset) -> Solutions:
    how = restored(SearchOptions, given)
    with limited(given.get("time_limit")):
        engine = how.made(given.get("seed", 0), trusted=False)
        find = catalogue.search(how.search, how.total, engine, how.loss)
        wanted = ALTERNATIVES if how.alternatives is None else how.alternatives  # older files left 5 unsaid
        return find(problem_on(request, table), diversity_of(request.get("diversity")), wanted)


def _near_optimal(request: Request, given: Given, table: altsel.Dataset) -> Solutions:
    differ = diversity_of(request.get("diversity")) if "tau" in given else None
    loss = catalogue.loss(given.get("within"), given.get("within_absolute"))
    with limited(given.get("time_limit")):
        problem = problem_on(request, table)
        engine = restored(SolverOptions, given).made(given.get("seed", 0), trusted=False)
        return altsel.near_optimal(problem, loss, given.get("limit", 100), differ, engine)


def _blanket(request: Request, given: Given, table: altsel.Dataset) -> Solutions:
    del request
    search, predictive = restored(BlanketOptions, given), restored(PredictiveOptions, given)
    return restored(LearningOptions, given).search(search, predictive, SidesOptions())(
        table, search.time_limit
    )


def _blankets(request: Request, given: Given, table: altsel.Dataset) -> Solutions:
    search, predictive = restored(BlanketOptions, given), restored(PredictiveOptions, given)
    family, how = restored(FamilyOptions, given), restored(MethodOptions, given)
    return family.search(how, search, predictive, asked_in(request, given))(table, search.time_limit)


def blanket_problem_of(request: Request, given: Given, table: altsel.Dataset) -> BlanketProblem:
    """Build the problem of a search for blankets again, on its table."""
    search, predictive = restored(BlanketOptions, given), restored(PredictiveOptions, given)
    family, how = restored(FamilyOptions, given), restored(MethodOptions, given)
    return family.problem(how, search, predictive, asked_in(request, given))(table, None)


def asked_in(request: Request, given: Given) -> Asked:
    """Return the rules and costs that a file of blankets holds.

    Raises
    ------
    DataError
        If the costs are none.
    """
    rules = rules_in(request["command"].get("rules") or "", "rules in the file")
    costs = request["command"].get("costs")
    if costs is not None and not (isinstance(costs, list) and costs and all(map(_is_cost, costs))):
        raise DataError("the costs in the file are none: it has a list of tables, {'age': 2.0}")
    return Asked(rules, costs, given.get("number", 1))


def _is_cost(value: Any) -> bool:
    return isinstance(value, Mapping) and all(isinstance(name, str) for name in value)


def _rank(request: Request, given: Given, table: altsel.Dataset) -> Solutions:
    del request
    return restored(RankOptions, given).ranked(table)


COMMANDS: dict[str, Callable[[Request, Given, altsel.Dataset], Solutions]] = {
    "select": _select,
    "near-optimal": _near_optimal,
    "blanket": _blanket,
    "blankets": _blankets,
    "rank": _rank,
}
