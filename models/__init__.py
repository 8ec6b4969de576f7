"""Declarative Pyomo models: objectives, dissimilarities and what is wanted of a feature set."""

from collections.abc import Sequence
from importlib import import_module

from altsel.models import domain
from altsel.models.black_box import BlackBox
from altsel.models.cfs import CFS
from altsel.models.correlation_aware import CorrelationAware
from altsel.models.count_dissimilarities import Hamming, Overlap
from altsel.models.dissimilarity import Dice, Dissimilarity, Jaccard
from altsel.models.fcbf import FCBF
from altsel.models.formulation import formulate, read_sets
from altsel.models.group_dice import GroupDice
from altsel.models.linear_fit import LinearFit
from altsel.models.model_fit import ModelFit
from altsel.models.mrmr import MRMR
from altsel.models.objective import Kind, Objective, SizedBy
from altsel.models.problem import Problem
from altsel.models.rule import Rule
from altsel.models.soft_diversity import Average, Penalised, SoftDiversity
from altsel.models.univariate import Univariate
from altsel.models.weighted_dissimilarities import WeightedDice, WeightedJaccard


def check_objective(
    objective: Objective,
    k: int | tuple[int, int] | None = None,
    solvers: Sequence[str] | None = None,
    random_state: int = 0,
) -> None:
    """Compare a criterion's formula with its model and with all that it declares, and refuse what differs.

    A proof rests on `express`, or on what a class declares besides (weights, a quadratic form, …): where
    these say more or less than `score`, another set may be the best. All small sets, and some at random, are
    fixed in the model, once with one size and once with sizes free, and every solver at hand gives the
    quality.

    Parameters
    ----------
    objective
        The criterion.
    k
        Number of features of a set, or smallest and largest; default: up to 5.
    solvers
        Names of profiles; default: those that are installed.
    random_state
        Seed of the sets drawn.

    Raises
    ------
    ArgumentError
        Names the set, the two values, and where they come from.

    Examples
    --------
    >>> import numpy as np
    >>> import pyomo.environ as pyo
    >>> from altsel.models import Objective
    >>> class Squares(Objective):
    ...     name, features = "sum of squares", ("a", "b", "c")
    ...     def score(self, mask): return float((np.array([3.0, 2.0, 1.0])[mask] ** 2).sum())
    ...     def express(self, b, sizes):
    ...         b.quality = pyo.Expression(expr=9 * b.x["a"] + 4 * b.x["b"] + b.x["c"])
    >>> check_objective(Squares())
    >>> Squares.score = lambda self, mask: float(mask.sum())
    >>> check_objective(Squares())
    Traceback (most recent call last):
    altsel.errors.ArgumentError: sum of squares: for ('a', 'b', 'c') express gives 14, and score gives 3
    """
    # it solves models, which this layer cannot: found when it is called
    import_module("altsel.exact.verification.objective_check").check_objective(
        objective, k, solvers, random_state
    )


def check_dissimilarity(
    measure: Dissimilarity, problem: Problem, pairs: int = 1_000, random_state: int = 0
) -> None:
    """Compare the definition of a dissimilarity with what solvers keep of it, on many pairs of sets.

    Searches compare some pairs before they begin, and the sets one step from each that they call optimal.
    This compares all pairs where they are few; else pairs drawn and pairs in which any two features meet.

    Parameters
    ----------
    measure
        A class of your own, with ``__call__``, ``tau`` and ``share`` or ``rows``.
    problem
        Whose features and sizes the sets have.
    pairs
        Number of pairs of sets, at least 1.
    random_state
        Seed of the pairs that are drawn.

    Raises
    ------
    ArgumentError
        If ``share`` or ``rows`` allow what ``__call__`` forbids, or forbid what it allows; it names both
        sets. If the measure has no such encoding.

    Examples
    --------
    >>> from altsel import Dice, Problem, Univariate
    >>> class Far(Dice):
    ...     def __call__(self, first, second):
    ...         return 1 - len(set(first) & set(second)) / max(len(first), len(second))
    ...     def rows(self, block, first, second):
    ...         common = sum(first[f] * second[f] for f in first)
    ...         return common <= (1 - self.tau) * sum(first.values())
    ...     share = None
    >>> problem = Problem(Univariate([3, 2, 1]), k=2)
    >>> check_dissimilarity(Far(0.5), problem)
    >>> check_dissimilarity(Far(0.5), Problem(problem.objective, k=(1, 3)))
    Traceback (most recent call last):
    altsel.errors.ArgumentError: Far: ('x0',) and ('x0', 'x1') differ by 0.5, enough for tau=0.5, ...
    """
    import_module("altsel.exact.verification.own_dissimilarity").check_dissimilarity(
        measure, problem, pairs, random_state
    )


__all__ = [
    "CFS",
    "FCBF",
    "MRMR",
    "Average",
    "BlackBox",
    "CorrelationAware",
    "Dice",
    "Dissimilarity",
    "GroupDice",
    "Hamming",
    "Jaccard",
    "Kind",
    "LinearFit",
    "ModelFit",
    "Objective",
    "Overlap",
    "Penalised",
    "Problem",
    "Rule",
    "SizedBy",
    "SoftDiversity",
    "Univariate",
    "WeightedDice",
    "WeightedJaccard",
    "check_dissimilarity",
    "check_objective",
    "domain",
    "formulate",
    "read_sets",
]
