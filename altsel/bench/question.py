"""What a case asks: its problem, and the search for the sets."""

from __future__ import annotations

import warnings
from functools import lru_cache
from typing import Any, NamedTuple

from altsel import catalogue
from altsel.bench.changes import refuse_changed
from altsel.bench.criteria import criterion, measure_of, takes_data
from altsel.bench.grid import BenchSearch, Case, FileKind
from altsel.bench.question_cases import problem_in_file
from altsel.bench.rules import rules_of
from altsel.data.dataset import Dataset
from altsel.errors import DataWarning
from altsel.models import Problem
from altsel.models.dissimilarity import Dissimilarity
from altsel.results.members import known_names
from altsel.results.solutions import Solutions
from altsel.runtime.phases import READING, phase
from altsel.search.alternatives.sequential import sequential
from altsel.search.alternatives.simultaneous import simultaneous
from altsel.stats.dependence import Dependence, dependence


def problem_of(case: Case) -> Problem:
    """Build the problem of a case; the same table is read and measured once a process."""
    if case.kind is FileKind.QUESTION:
        return problem_in_file(case.data, case.digest)
    objective = case.objective if case.measure == catalogue.DEFAULT else ""
    source = _Source(
        case.data, case.digest, case.target, case.measure, objective, case.seed, case.drop_missing
    )
    given = _table(source) if takes_data(case.objective) else _dependence(source)
    made, k = criterion(case.objective, given), catalogue.sizes(case.k)
    if not case.rules:
        return Problem(made, k)
    rules = rules_of(case.rules, case.stated, known_names(made.features, made.members))
    return Problem(made, k, rules.rules(), rules.across())


class _Source(NamedTuple):
    """What a dependence is made of."""

    data: str
    digest: str
    target: str
    measure: str
    objective: str
    seed: int
    drop_missing: bool


@lru_cache(maxsize=4)
def _dependence(source: _Source) -> Dependence:
    """Measure once a process; the time is not that of the search."""
    return dependence(_table(source), measure_of(source.objective, source.measure, source.seed))


def _table(source: _Source) -> Dataset:
    """Read the table, as it was when the benchmark began."""
    with warnings.catch_warnings(), phase(READING):
        warnings.simplefilter("ignore", DataWarning)
        missing = "drop rows" if source.drop_missing else "error"
        # what is compared is how long searches take, whatever the rows say
        table = Dataset(source.data, source.target, missing=missing, rows_lost=1)
    refuse_changed(source.data, source.digest)
    return table


def diversity_of(case: Case) -> Dissimilarity:
    """Build the dissimilarity that a case asks for."""
    return catalogue.DissimilarityFactory(case.dissimilarity)(case.tau)


def search(case: Case, problem: Problem, engine: Any) -> Solutions:
    """Search as a case says, within its limit."""
    diversity = diversity_of(case)
    if case.search == BenchSearch.SEQUENTIAL:
        return sequential(problem, diversity, case.alternatives, engine, time_limit=case.time_limit)
    return simultaneous(problem, diversity, case.alternatives, case.search, engine, case.time_limit)
