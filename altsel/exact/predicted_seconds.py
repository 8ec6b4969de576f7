"""How long each engine will probably take to find several sets: closed estimates with learnt constants.

Nothing depends on them but the order in which engines have their turns: a wrong one costs time.
"""

from __future__ import annotations

import csv
from functools import cache
from math import exp, lgamma, log
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.exact.closed_estimates import average_bound, log_number_above
from altsel.exact.question import Question
from altsel.models.dissimilarity import largest_overlap
from altsel.models.objective import Kind

LEARNT = Path(__file__).with_name("learnt_seconds.csv")
"""The constants: a line a family of questions and engine."""
UNKNOWN = 3.0
"""Seconds where too few questions of a family were measured."""
MOST_SETS = 12
"""Sets of a question, above which it is taken to be one of so many: none of more were measured."""
RANGE = log(1e-3), log(1e3)
"""Logs of the fewest and most seconds that are predicted."""
QUANTITIES = (
    "one",
    "log of the features that can matter",
    "log of the features",
    "log of the share of features that sets as different as wanted have",
    "log of k",
    "log of the number of sets",
    "log of the memberships a feature",
    "largest overlap as a share of k",
    "log of the number of candidate sets",
    "log of those among the features that can matter",
    "log of the sets that overlap by the largest overlap",
    "loss from the best set to features that are met together",
    "range of their values",
    "share of ties",
    "sizes are free",
    "rules",
    "a rule of numbers of features alone",
    "pairs count",
    "loss from the best set to a bound on the average of several",
    "log of the sets that are as good as that bound",
    "share of the pairs that exclude each other",
)
"""What an estimate is made of: the log of the seconds is a weighted sum of these."""


def predicted(name: str, question: Question) -> float:
    """Predict the CPU seconds of an engine; the first of a question takes some tenths of a millisecond.

    ``log(seconds) = sum_i c_i q_i`` with the `QUANTITIES` q of the question and constants c, learnt by
    ridge regression from the times of every engine alone (``python -m benchmarks.learn_seconds``).

    Parameters
    ----------
    name
        The engine's, as the table of constants has it.
    question
        Several sets together.
    """
    learnt = _learnt().get((family(question), name))
    if learnt is None:
        return UNKNOWN
    if question not in _known:
        _known[question] = quantities(question)
    return exp(np.clip(learnt @ _known[question], *RANGE))


_known: WeakKeyDictionary[Question, FloatArray] = WeakKeyDictionary()
"""Quantities of questions that are asked now: all engines predict from the same."""


@cache
def _learnt() -> dict[tuple[str, str], FloatArray]:
    """Read the constants."""
    with LEARNT.open(encoding="utf-8", newline="") as file:
        (_, _, *known), *lines = csv.reader(file)
    if tuple(known) != QUANTITIES:
        return {}  # of others: to be learnt anew
    return {(group, name): np.array(values, dtype=float) for group, name, *values in lines}


def family(question: Question) -> str:
    """Name the family of questions that are estimated alike: the criterion, and what is added up."""
    if question.soft is not None:
        return "similar sets at a price"
    if question.kind is not Kind.SUM:
        criterion = "conditional" if question.structure.as_sum is not None else "pairs"
    else:
        criterion = "ruled" if question.problem.subject_to else "free"
    return f"{criterion} sum" if question.total == "sum" else f"{criterion.replace('ruled', 'free')} poorest"


def quantities(question: Question) -> FloatArray:
    """Return the `QUANTITIES` of a question."""
    problem, sets = question.problem, min(question.count, MOST_SETS)
    (low, k), n = problem.sizes, len(problem.index)
    shared = min(largest_overlap(question.distance, k, k), k)
    enough = min(n, sets * k)
    together = min(n, k + (sets - 1) * (k - shared))
    worth = _worth(question)
    order = np.argsort(-worth, kind="stable")
    values = worth[order]
    best, most = float(np.mean(values[:k])), float(values[0])
    average = average_bound(values, sets, k, shared)
    return np.array(
        [
            1.0,
            log(enough),
            log(n),
            log(together / n),
            log(k),
            log(sets),
            log(sets * k / n),
            shared / k,
            _log_comb(n, k),
            _log_comb(enough, k),
            _log_comb(k, shared) + _log_comb(n - k, k - shared),
            _share(best - float(np.mean(values[:together])), best),
            _share(most - float(values[together - 1]), most),
            1 - len(np.unique(values[:enough].round(9))) / enough,
            float(low < k),
            float(bool(problem.subject_to)),
            float(_only_numbers(question)),
            float(question.kind is not Kind.SUM),
            _share(best - average / k, best),
            log_number_above(values, k, average),
            _excluded(question, order[:enough]),
        ]
    )


def _worth(question: Question) -> FloatArray:
    """Return what single features are worth; the same of all where that is not known."""
    objective = (question.structure.as_sum or question.structure).problem.objective
    values: Any = objective.weights if objective.kind is Kind.SUM else objective.relevance
    found = np.ones(len(question.problem.index)) if values is None else np.asarray(values, dtype=float)
    return np.asarray(np.nan_to_num(found))


def _excluded(question: Question, among: IntArray) -> float:
    """Return the share of pairs, of the features that can matter, that exclude each other."""
    conflict = question.problem.objective.conflict
    if conflict is None or len(among) < 2:
        return 0.0
    return float(conflict[np.ix_(among, among)].sum()) / (len(among) * (len(among) - 1))


def _only_numbers(question: Question) -> bool:
    """Return whether rules are rows of zeros and ones only: numbers of features."""
    rows = question.structure.rows or []
    return bool(rows) and all(set(np.unique(row)) <= {0.0, 1.0} for row, _, _ in rows)


def _share(loss: float, whole: float) -> float:
    """Return a loss as a share; all of it where the whole is not positive."""
    return min(loss / whole, 1.0) if whole > 0 else float(loss > 0)


def _log_comb(n: int, k: int) -> float:
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) if 0 <= k <= n else 0.0
