"""The best sets known of each question, as names of features, checked by the formulas."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations
from math import inf

import pandas as pd

from altsel.bench.grid import BenchSearch, Case
from altsel.bench.question import diversity_of, problem_of
from altsel.errors import ArgumentError
from altsel.models.dissimilarity import largest_overlap
from benchmarks.library.questions import name_of

COLUMNS = ["name", "value", "sets"]
BETWEEN = " | "


def as_text(sets: Iterable[Iterable[str]]) -> str:
    """Write sets: names of features with spaces between them, sets with a bar."""
    return BETWEEN.join(" ".join(one) for one in sets)


def value(case: Case, text: str) -> float:
    """Return the sum, or the minimum, of the qualities of sets.

    Raises
    ------
    ArgumentError
        If they are no answer to the question: the message says why.
    """
    problem, diversity = problem_of(case), diversity_of(case)
    sets = [tuple(one.split()) for one in text.split(BETWEEN)]
    low, high = problem.sizes
    fault = ""
    if len(sets) != case.alternatives + 1:
        fault = f"{len(sets)} sets instead of {case.alternatives + 1}"
    for one in sets:
        if unknown := set(one) - set(problem.index):
            fault = f"no such features: {', '.join(sorted(unknown))}"
        elif len(set(one)) != len(one) or not low <= len(one) <= high:
            fault = f"a set of {len(set(one))} features instead of {case.k}"
    alike = (len({*a} & {*b}) > largest_overlap(diversity, len(a), len(b)) for a, b in combinations(sets, 2))
    if not fault and any(alike):
        fault = f"two sets with a dissimilarity below {diversity.tau:g}"
    if fault:
        raise ArgumentError(f"{name_of(case)}: {fault}")
    scores = [problem.objective.score(problem.mask(one)) for one in sets]
    return min(scores) if case.search == BenchSearch.MIN else sum(scores)


def checked(given: pd.DataFrame, cases: Iterable[Case]) -> pd.DataFrame:
    """Evaluate sets of questions by the formulas; columns ``name`` and ``sets`` in, and ``value`` out.

    Raises
    ------
    ArgumentError
        If a question is unknown, or sets are no answer to it.
    """
    by_name: Mapping[str, Case] = {name_of(case): case for case in cases}
    if unknown := set(given["name"]) - set(by_name):
        raise ArgumentError(f"no such questions: {', '.join(sorted(unknown))}")
    values = [value(by_name[name], text) for name, text in zip(given["name"], given["sets"], strict=True)]
    return given[["name", "sets"]].assign(value=values)[COLUMNS]


def better(*tables: pd.DataFrame) -> pd.DataFrame:
    """Return the better sets of each question; the earlier table's where they are alike."""
    every = pd.concat([one[COLUMNS] for one in tables if len(one)] or [pd.DataFrame(columns=COLUMNS)])
    best = every.sort_values("value", ascending=False, kind="stable").drop_duplicates("name")
    return best.set_index("name").loc[list(dict.fromkeys(every["name"]))].reset_index()


def with_sets(known: pd.DataFrame, sets: pd.DataFrame) -> pd.DataFrame:
    """Take the value of sets where it is larger and nothing is proved."""
    return better_of(
        known, {name: ("best", found) for name, found in zip(sets["name"], sets["value"], strict=True)}
    )


def better_of(known: pd.DataFrame, other: Mapping[str, tuple[str, float]]) -> pd.DataFrame:
    """Take over what is known better elsewhere: a proof, or a larger value where nothing is proved."""
    rows = known.to_dict("records")
    for one in rows:
        was, value = other.get(str(one["name"]), ("unkn", -inf))
        found = one["value"] if one["known"] == "best" else -inf
        better = was in {"opt", "inf"} or (was == "best" and value > found)
        if one["known"] in {"best", "unkn"} and better:
            one |= {"known": was, "value": value}
    return pd.DataFrame(rows)
