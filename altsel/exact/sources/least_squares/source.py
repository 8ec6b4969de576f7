"""One set, or all above a value, by the fit of linear models: exact without a model."""

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
from altsel.exact.sources.least_squares.category_tree import CategoryTree
from altsel.exact.sources.least_squares.tree import Known, Tree
from altsel.exact.sources.source import Above
from altsel.models.objective import Kind
from altsel.results.stop import Stop
from altsel.runtime.memory import shortage

ROUNDED = 1e-12
"""What rounding may take off what all features explain."""
HELD = 12
"""Products of all columns that are held at once where features have several; deeper nodes have few left."""
CLOSE = 1e-10
"""Gap at which a branch is closed, relative to the best set's value."""


class LeastSquares:
    """Choose features of a linear model one by one; a separable bound on what others add closes branches.

    The bound holds for all sets under a diagonal found once a size; rules and overlaps are rows, and
    rounding is added to it.
    """

    name, criterion = "branch and bound on least squares", "fit by least squares"
    lists_at_once = True

    def reads(self, question: Question) -> bool:
        """Return whether the criterion is a fit by least squares."""
        return question.kind is Kind.LEAST_SQUARES

    def why_not(self, question: Question) -> str | None:
        """Return why rules and distances are no rows, or there are too many columns, if so."""
        if (why := why_no_rows(question)) is not None:
            return why
        design = question.problem.objective.least_squares
        n, most = len(design.columns), HELD if design.has_categories else question.problem.sizes[1]
        return shortage(8 * n * n * (most + 8), f"products of {n:,} columns at each of {most} levels")

    def best_after(self, question: Question, run: Run) -> Answer:
        """Search all sizes, the largest first; whether there is any set is for a solver to say."""
        search = _search_categories if _has_categories(question) else _search_numbers
        return best_of_sizes(question, run, _sizes(question), search)

    def why_no_list(self, question: Question) -> str | None:
        """Return why its sets cannot be listed, if they cannot: as `why_not`."""
        return self.why_not(question)

    def above(self, question: Question, run: Run, wanted: Above) -> tuple[list[IntArray], bool]:
        """List the sets above a floor, size by size; with categories all at once where no rule needs that."""
        listed = _listed_categories if _has_categories(question) else _listed_numbers
        return list_of_sizes(question, run, wanted, (_sizes(question), listed))


def _listed_numbers(
    question: Question, sizes: Sizes, wanted: Above
) -> tuple[Stop, Sequence[IntArray], FloatArray, int]:
    """List sets of one size, where each feature has one column."""
    worth, tree = _Worth(question, sizes[1]), _tree(question, sizes[1], ())
    stop, sets, explained = tree.listed(worth.needed(wanted.floor) - worth.rounding, wanted.most)
    return stop, list(sets), worth.of(explained), tree.nodes


def _listed_categories(
    question: Question, sizes: Sizes, wanted: Above
) -> tuple[Stop, Sequence[IntArray], FloatArray, int]:
    """List sets, where features have several columns."""
    tree = _category_tree(question, sizes, ())
    return (*tree.listed(wanted.floor, wanted.most), tree.nodes)


class _Worth:
    """What sets of a size are worth by what they explain: just that, or less a penalty."""

    def __init__(self, question: Question, size: int) -> None:
        objective: Any = question.problem.objective
        self.penalty, self.size, self.whole = objective.penalty, size, objective.least_squares.whole
        self.rounding = 1e-13 if self.penalty else 0.0
        if self.penalty:
            self.penalty.coefficients(size)  # refuses a size before it is searched

    def of(self, explained: Any) -> Any:
        """Return the worth."""
        return self.penalty.worth(explained, self.size) if self.penalty else explained

    @property
    def most(self) -> float:
        """What a set would be worth that explains what all features together do, rounded upwards."""
        return float(self.of(min(self.whole + ROUNDED, 1.0)))

    def needed(self, worth: float) -> float:
        """Return what must be explained for it."""
        return float(self.penalty.needed(worth, self.size)) if self.penalty and worth > -inf else worth

    def close(self, worth: float) -> float:
        """Return the relative gap in what is explained at which a branch is closed."""
        if not self.penalty:
            return CLOSE
        scale = max(abs(worth), 1.0) if worth > -inf else 1.0
        steepness = self.penalty.steepness(self.whole, self.size)
        return float(min(CLOSE, CLOSE * scale / steepness))


def _search_numbers(question: Question, sizes: Sizes, found: Found) -> tuple[Stop, float, int]:
    """Search one size, where each feature has one column; return why it ended, a bound, and the nodes."""
    worth = _Worth(question, sizes[1])
    if found.value > -inf and worth.most <= found.value:  # all features together would not be worth more
        return Stop.EXHAUSTED, -inf, 0
    tree = _tree(question, sizes[1], question.known)
    tree.best, tree.value = found.best, worth.needed(found.value)
    stop, bound = tree.search(worth.close(found.value))
    if tree.best is not found.best:
        found.best, found.value = tree.best, float(worth.of(tree.value))
    return stop, bound if bound == -inf else float(worth.of(bound)), tree.nodes


def _search_categories(question: Question, sizes: Sizes, found: Found) -> tuple[Stop, float, int]:
    """Search some sizes, where features have several columns; return the same."""
    tree = _category_tree(question, sizes, question.known)
    tree.best, tree.value = found.best, found.value
    stop, bound = tree.search(CLOSE)
    found.best, found.value = tree.best, tree.value
    return stop, bound, tree.nodes


def _has_categories(question: Question) -> bool:
    has: bool = question.problem.objective.least_squares.has_categories
    return has


def _sizes(question: Question) -> list[Sizes]:
    """Return the sizes, the largest first; with categories all at once where no row depends on them."""
    if _has_categories(question) and not question.known and not question.structure.rows:
        return [question.problem.sizes]
    return each_size(question)


def _tree(question: Question, size: int, known: Sequence[object]) -> Tree:
    """Build the search of a size, where each feature has one column."""
    objective: Any = question.problem.objective
    before: Known = objective.found.setdefault(size, Known())
    return Tree(objective.least_squares, size, limits_at(question, size, known), before)


def _category_tree(question: Question, sizes: Sizes, known: Sequence[object]) -> CategoryTree:
    """Build the search of some sizes, where features have several columns.

    Raises
    ------
    ArgumentError
        If a set could have more columns than there are rows, which its penalty does not take.
    """
    objective: Any = question.problem.objective
    if objective.penalty:
        objective.penalty.coefficients(int(np.sort(objective.least_squares.widths)[-sizes[1] :].sum()))
    return CategoryTree(objective, sizes, limits_at(question, sizes[1], known))
