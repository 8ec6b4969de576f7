"""Real questions of which certificates are written: README, data sets, study, library, blankets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import altsel
from altsel.bench.grid import BenchSearch, Case
from altsel.bench.question import diversity_of, problem_of
from altsel.domain import at_most, budget
from benchmarks.library.questions import grids, name_of

ALARM = Path(__file__).parents[1] / "examples" / "data" / "alarm.bif"
Question = tuple[str, Callable[[], Any]]
FEES = {"cholesterol": 7, "high_sugar": 5, "resting_ecg": 16, "vessels": 101, "thallium_scan": 103}
FEES |= dict.fromkeys(["max_heart_rate", "exercise_angina", "st_depression", "st_slope"], 87)
LIBRARY = (
    *("wine-mrmr-k5", "wdbc-cfs-k5", "wdbc-cfs-k3to7", "ionosphere-fcbf-k5", "sonar-mrmr-k10"),
    *("digits-mrmr-k10", "factors-60-1-mrmr-k10", "independent-60-1-cfs-k10"),
    *("spambase-univariate-k10-sum3-t50", "wine-mrmr-k5-sum3-t50", "wdbc-univariate-k5-min3-t50"),
)
"""Questions of `benchmarks.library`."""
TOO_DIFFERENT = (
    ("ionosphere", altsel.Univariate, 10, 0.9, 5),
    ("ionosphere", altsel.MRMR, 10, 0.9, 5),
    ("sonar", altsel.FCBF, 10, 0.9, 5),
    ("mushroom", altsel.Univariate, 10, 0.8, 4),
    ("wdbc", altsel.CFS, 10, 1.0, 3),
    ("credit-approval", altsel.Univariate, 10, 0.6, 1),
)
"""Families of the AFS study that there are not: data, criterion, k, tau, alternatives."""


def questions(folder: Path, scratch: Path) -> Iterator[Question]:
    """Yield names of questions, and what searches."""
    yield from _readme()
    yield from _of_data_sets(folder)
    for name, criterion, k, tau, further in TOO_DIFFERENT:
        words = f"AFS, {name}, {criterion.__name__}, {further + 1} of {k} at once, tau {tau}"
        yield words, _at_once(criterion(_data(folder, name)), k, tau, further)
    yield from _of_library(folder, scratch)
    yield "ALARM, all blankets of HR", _blankets


def _data(folder: Path, name: str) -> altsel.Dataset:
    return altsel.Dataset(folder / f"{name}.csv.gz", "target", missing="drop rows", most_missing=0.2)


def _best(criterion: Any, k: int, tau: float = 0.4, alternatives: int = 2) -> Callable[[], Any]:
    return lambda: altsel.sequential(altsel.Problem(criterion, k), altsel.Dice(tau), alternatives)


def _at_once(criterion: Any, k: int, tau: float, alternatives: int) -> Callable[[], Any]:
    return lambda: altsel.simultaneous(altsel.Problem(criterion, k), altsel.Dice(tau), alternatives)


def _readme() -> Iterator[Question]:
    heart = altsel.Dataset(altsel.example("heart"), "disease")
    yield "README, heart, 5 of 13, 3 alternatives", _best(altsel.Univariate(heart), 5, 0.2, 3)
    rules = [budget(FEES, 200, other=0), at_most(1, ["vessels", "thallium_scan"])]
    problem = altsel.Problem(altsel.CFS(heart), k=4, subject_to=rules)
    yield (
        "README, heart, CFS, 4 of 13, two rules",
        lambda: altsel.sequential(problem, altsel.Dice(0.5), 3),
    )


def _of_data_sets(folder: Path) -> Iterator[Question]:
    ionosphere, sonar, wdbc = (_data(folder, name) for name in ("ionosphere", "sonar", "wdbc"))
    near = altsel.Problem(altsel.MRMR(sonar), 5)
    sized = altsel.Problem(altsel.LinearFit(wdbc, penalty="bic"), (1, 6))
    yield (
        "ionosphere, univariate, 10 of 33, 10 alternatives",
        _best(altsel.Univariate(ionosphere), 10, 0.5, 10),
    )
    yield "ionosphere, FCBF, 3 of 33", _best(altsel.FCBF(ionosphere), 3)
    yield "ionosphere, mRMR, 5 of 33", _best(altsel.MRMR(ionosphere), 5)
    yield "ionosphere, CFS, 5 of 33", _best(altsel.CFS(ionosphere), 5)
    yield "sonar, mRMR, 10 of 60", _best(altsel.MRMR(sonar), 10)
    yield (
        "sonar, mRMR, 5 of 60, all within 2 %",
        lambda: altsel.near_optimal(near, altsel.RelativeLoss(0.02)),
    )
    yield "sonar, linear fit, 4 of 60", _best(altsel.LinearFit(sonar), 4, alternatives=0)
    yield "wdbc, linear fit, 5 of 30", _best(altsel.LinearFit(wdbc), 5, alternatives=1)
    yield "wdbc, linear fit by BIC, 1 to 6 of 30", lambda: altsel.sequential(sized, altsel.Dice(0.4), 0)
    yield "wdbc, logistic fit, 5 of 30", _best(altsel.ModelFit(wdbc), 5, alternatives=1)
    yield "wdbc, logistic fit, 8 of 30", _best(altsel.ModelFit(wdbc), 8, alternatives=0)
    yield "ionosphere, univariate, 17 of 33, no two disjoint", _best(altsel.Univariate(ionosphere), 17, 1.0)


def _of_library(folder: Path, scratch: Path) -> Iterator[Question]:
    every = (case for grid in grids(folder, scratch, ["auto"], 60.0) for case in grid.cases())
    cases = {name: case for case in every if (name := name_of(case)) in LIBRARY}
    for name in LIBRARY:
        yield f"library, {name}", _search(cases[name])


def _search(case: Case) -> Callable[[], Any]:
    problem, diversity = problem_of(case), diversity_of(case)
    if case.search == BenchSearch.SEQUENTIAL:
        return lambda: altsel.sequential(problem, diversity, case.alternatives)
    return lambda: altsel.simultaneous(problem, diversity, case.alternatives, str(case.search))


def _blankets() -> Any:
    rows = altsel.read_network(ALARM).sample(2_000, 1)
    table = altsel.Dataset(rows.drop(columns="HR"), rows["HR"])
    return altsel.blankets.tmfbs(altsel.independence.GSquare(table), 0.01)
