"""Several sizes and thresholds in one call, each with what was proved before."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from altsel.errors import ArgumentError, flags, of_kind
from altsel.exact.auto_solver import SolverLike
from altsel.exact.run import checked_count, checked_question, checked_total
from altsel.exact.shared_structures import shared_structures
from altsel.models.given_sets import given_sets
from altsel.models.problem import Problem, checked_problem
from altsel.models.soft_diversity import Diversity, is_soft
from altsel.results.solutions import Solutions
from altsel.runtime.clock import clock, limited
from altsel.runtime.progress import parts
from altsel.search.alternatives.sequential import sequential
from altsel.search.alternatives.simultaneous import simultaneous

Size = int | tuple[int, int] | range


def sweep(  # noqa: PLR0913  (two searches share them)
    problem: Problem,
    dissimilarities: Sequence[Diversity],
    alternatives: int,
    ks: Sequence[Size] | None = None,
    solver: SolverLike = None,
    time_limit: float | None = None,
    *,
    together: bool = False,
    total: str = "sum",
    start: Sequence[Collection[str]] = (),
) -> dict[tuple[Size, Diversity], Solutions]:
    """Search with every one of several thresholds and sizes, each time with what was proved before.

    The answers are those of `sequential`, or `simultaneous`, one by one. Work is spared: lists of sets and
    readings of rules serve all thresholds; the best sets for one tau are the best for a larger one if they
    differ as much; and sets found for one threshold are what others begin with.

    Parameters
    ----------
    problem
        What is wanted of every set.
    dissimilarities
        Measures with their thresholds, such as ``[Dice(0.2), Dice(0.4)]``.
    alternatives
        Number of alternatives a, besides the best set.
    ks
        Sizes in place of the problem's: numbers of features, or pairs of smallest and largest.
    solver
        A solver, a profile's name, or None for what does best.
    time_limit
        Seconds for the whole call; each search has its share of what is left.
    together, total
        Whether the sets of an answer are found at once, and what then is maximised; see `simultaneous`.
    start
        Good sets to begin with, as in `sequential`.

    Returns
    -------
    dict
        `Solutions` by k and dissimilarity, in the order of the arguments.

    Raises
    ------
    ArgumentError, ConfigurationError, SolverError
        If an argument, the solver's profile or the model is wrong.

    Examples
    --------
    >>> from altsel import Dice, Problem, Univariate, sweep
    >>> found = sweep(Problem(Univariate([5, 4, 4, 3]), k=2), [Dice(0.5), Dice(1)], alternatives=1)
    >>> {(k, by.tau): one[-1].score for (k, by), one in found.items()}
    {(2, 0.5): 9.0, (2, 1): 7.0}
    """
    checked_problem(problem)
    wanted = [(k, by) for k in _sizes(problem, ks) for by in _measures(problem, dissimilarities)]
    checked_count(alternatives)
    checked_total(total)
    flags(together=together)
    good = list(given_sets("start", start, problem))
    found: dict[Any, Solutions] = {}
    with limited(time_limit), parts(), shared_structures():
        stated = {k: replace(problem, k=k) for k, _ in wanted}
        order = sorted(range(len(wanted)), key=lambda i: _tau(wanted[i][1]))
        for place, i in enumerate(order):
            k, by = wanted[i]
            with limited(_share(len(order) - place)):
                if together:
                    one = simultaneous(stated[k], by, alternatives, total, solver, start=good)
                else:
                    one = sequential(stated[k], by, alternatives, solver, start=good)
            found[wanted[i]] = one
            good += [subset.features for subset in one]
    return {key: found[key] for key in wanted}


def _sizes(problem: Problem, ks: Sequence[Size] | None) -> list[Size]:
    if ks is None:
        return [problem.k]
    of_kind("ks", ks, Sequence, "a list of numbers of features, or of pairs")
    if not ks or isinstance(ks, str):
        raise ArgumentError(f"ks={ks!r}; give numbers of features: [3, 4, 5]")
    return [replace(problem, k=k).k for k in dict.fromkeys(ks)]


def _measures(problem: Problem, dissimilarities: Sequence[Diversity]) -> list[Diversity]:
    such_as = "a list of measures: [Dice(0.2), Dice(0.4)]"
    of_kind("dissimilarities", dissimilarities, Sequence, such_as)
    if not dissimilarities or isinstance(dissimilarities, str):
        raise ArgumentError(f"dissimilarities={dissimilarities!r}; give {such_as}")
    for one in dissimilarities:
        checked_question(problem, one)
        if type(one).__hash__ is None:
            raise ArgumentError(f"{one!s:.50} cannot be a key: make its class a @dataclass(frozen=True)")
    return list(dissimilarities)


def _share(left: int) -> float | None:
    """Return the seconds of one of so many searches that are left; None if there is no limit."""
    seconds = clock().left
    return None if seconds == float("inf") else max(seconds / left, 1e-6)


def _tau(diversity: Diversity) -> float:
    measure: Any = diversity.distance if is_soft(diversity) else diversity
    return float(measure.tau)
