"""One set, or all above a value, by the fit of regularised models: exact without a model of a solver."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.exact.question import Answer, Question
from altsel.exact.run import Run
from altsel.exact.sources.by_size import (
    Found,
    Sizes,
    best_of_sizes,
    each_size,
    limits_at,
    list_of_sizes,
    why_no_rows,
)
from altsel.exact.sources.generalised.tree import Tree
from altsel.exact.sources.source import Above
from altsel.models.objective import Kind
from altsel.results.stop import Stop
from altsel.runtime.memory import shortage
from altsel.stats.generalised.worth import FittedModels

CLOSE = 1e-9
"""How much less a set must cost than the best one to be looked for, relative to the loss without features."""


class Generalised:
    """Choose features of a regularised model one by one; tangents of its loss close branches.

    Rules and overlaps are rows. What rounding may take off a tangent is part of it.
    """

    name, criterion = "branch and bound on regularised models", "fit of regularised models"
    lists_at_once = True

    def reads(self, question: Question) -> bool:
        """Return whether the criterion is the fit of regularised models."""
        return question.kind is Kind.MODEL_FIT

    def why_not(self, question: Question) -> str | None:
        """Return why rules and distances are no rows, or there are too many columns, if so."""
        if (why := why_no_rows(question)) is not None:
            return why
        columns = question.problem.objective.model_fit.model.columns
        return shortage(4 * columns.nbytes, f"{columns.shape[0]:,} columns of {columns.shape[1]:,} rows")

    def best_after(self, question: Question, run: Run) -> Answer:
        """Search all sizes, the largest first."""
        return best_of_sizes(question, run, each_size(question), _search)

    def why_no_list(self, question: Question) -> str | None:
        """Return why its sets cannot be listed, if they cannot: as `why_not`."""
        return self.why_not(question)

    def above(self, question: Question, run: Run, wanted: Above) -> tuple[list[IntArray], bool]:
        """List the sets above a floor, size by size."""
        return list_of_sizes(question, run, wanted, (each_size(question), _listed))


def _models(question: Question) -> FittedModels:
    objective: Any = question.problem.objective
    models: FittedModels = objective.model_fit
    return models


def _tree(question: Question, size: int, known: Sequence[object]) -> Tree:
    models = _models(question)
    return Tree(models, size, limits_at(question, size, known), CLOSE * models.model.null)


def _search(question: Question, sizes: Sizes, found: Found) -> tuple[Stop, float, int]:
    """Search one size; return why it ended, a bound, and the nodes."""
    models, size = _models(question), sizes[1]
    if found.value > -inf and models.worth(models.lowest + models.least_prices(size), size) <= found.value:
        return Stop.EXHAUSTED, -inf, 0
    tree = _tree(question, size, question.known)
    tree.cost = models.cost_of(found.value, size) if found.best is not None else inf
    stop, cost = tree.search()
    if tree.best is not None:
        found.best, found.value = tree.best, float(models.worth(tree.cost, size))
    return stop, -inf if stop is Stop.EXHAUSTED else float(models.worth(cost, size)), tree.nodes


def _listed(
    question: Question, sizes: Sizes, wanted: Above
) -> tuple[Stop, Sequence[IntArray], FloatArray, int]:
    """List the sets of one size; their worth is rounded up, as one at the floor must not be missing.

    A fit from another start, such as that which the floor is from, ends some digits further on.
    """
    models, size = _models(question), sizes[1]
    tree = _tree(question, size, ())
    stop = tree.list_below(models.cost_of(wanted.floor, size), wanted.most)
    sets = np.concatenate([np.zeros((0, size), dtype=np.int64), *(part for part, _ in tree.listed)])
    costs = np.concatenate([np.zeros(0), *(part for _, part in tree.listed)])
    return stop, list(sets), np.asarray(models.worth(costs - tree.close, size)), tree.nodes
