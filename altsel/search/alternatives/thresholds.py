"""How different alternatives should be, where nobody says: as different as costs little."""

from __future__ import annotations

from collections.abc import Callable

from altsel.errors import ArgumentError
from altsel.exact.auto_solver import SolverLike
from altsel.exact.run import checked_count
from altsel.exact.shared_structures import shared_structures
from altsel.models.problem import Problem, checked_problem
from altsel.models.soft_diversity import Diversity
from altsel.results.solutions import Solutions
from altsel.results.stop import Stop
from altsel.search.alternatives.quality_loss import AbsoluteLoss, Loss, RelativeLoss, checked_loss
from altsel.search.alternatives.sequential import sequential
from altsel.search.alternatives.sizes import Choice

SHARE, UNITS = RelativeLoss(0.05), AbsoluteLoss(2)
"""What alternatives may lose where nobody says: of AIC, BIC and Cp, whose 0 means nothing, two units."""
EARLY = (Stop.TIME, Stop.LIMIT, Stop.INTERRUPT)
TAU = 0.5
"""Smallest dissimilarity where none is given, in searches that do not find it."""
STEPS = 10
"""Thresholds that are tried where the size is free."""


def choose_tau(
    problem: Problem,
    measure: Callable[[float], Diversity],
    alternatives: int,
    within: Loss | None = None,
    solver: SolverLike = None,
) -> Choice:
    """Choose the largest tau of which no alternative loses more than a share of the best quality.

    For sets of k features ``1/k, 2/k, …, 1`` are tried in turn by `sequential`, else ``.1, .2, …, 1``; what
    is proved for one tau serves the next.

    Parameters
    ----------
    problem
        What is wanted of every set.
    measure
        Makes the dissimilarity for a tau, such as ``altsel.Dice``.
    alternatives
        Number of sets besides the best one.
    within
        What they may lose of its quality; default: 5 %, or 2 units of AIC, BIC and Cp, which is little
        (Burnham and Anderson 2002).
    solver
        A solver, a profile's name, or None for what does best.

    Returns
    -------
    Choice
        The tau, and why.

    Raises
    ------
    ArgumentError, ConfigurationError, SolverError
        As of `sequential`.

    References
    ----------
    K. P. Burnham, D. R. Anderson, Model Selection and Multimodel Inference (2002), section 2.6: two units.

    Examples
    --------
    >>> from altsel import Dice, Problem, Univariate
    >>> choice = choose_tau(Problem(Univariate([9, 9, 9, 8, 2, 1]), k=2), Dice, alternatives=1)
    >>> choice.value, choice.reason
    (0.5, 'the largest difference at which no alternative loses more than 5 %')
    """
    checked_problem(problem)
    checked_count(alternatives)
    if not callable(measure) or hasattr(measure, "tau"):
        raise ArgumentError(f"measure={measure!r}; give what makes a dissimilarity of a tau: altsel.Dice")
    loss = None if within is None else checked_loss(within, problem.objective)

    def search(diversity: Diversity) -> Solutions:
        return sequential(problem, diversity, alternatives, solver)

    with shared_structures():
        return search_tau(problem, search, measure, alternatives, loss)[0]


def search_tau(
    problem: Problem,
    search: Callable[[Diversity], Solutions],
    measure: Callable[[float], Diversity],
    alternatives: int,
    within: Loss | None = None,
) -> tuple[Choice, Solutions]:
    """Choose tau by a search, and return what it finds there; what ended early is the last."""
    low, high = problem.sizes
    steps = high if low == high else STEPS
    loss = within or (SHARE if problem.objective.has_zero else UNITS)
    last: tuple[float, Solutions] | None = None
    most = f"{100 * loss.share:g} %" if isinstance(loss, RelativeLoss) else _amount(loss)
    for step in range(1, steps + 1):
        tau, found = step / steps, search(measure(step / steps))
        if found.stop in EARLY:
            return Choice(tau, "the search ended before a larger difference was tried"), found
        if len(found) <= alternatives or not _all_within(found, loss):
            if last is not None:
                break
            fewer = len(found) <= alternatives
            costly = f", at which alternatives lose more than {most}"
            why = ": there are not as many sets" if fewer else costly
            return Choice(tau, f"the smallest difference{why}"), found
        last = tau, found
    assert last is not None
    return Choice(last[0], f"the largest difference at which no alternative loses more than {most}"), last[1]


def _amount(within: Loss) -> str:
    return f"{within.amount:g}" if isinstance(within, AbsoluteLoss) else "is tolerated"


def _all_within(found: Solutions, within: Loss) -> bool:
    floor = within.floor(found[0].score)
    return all(one.score >= floor - 1e-12 * abs(floor) for one in found)
