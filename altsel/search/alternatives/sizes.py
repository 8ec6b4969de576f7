"""How many features a set should have, where nobody says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from altsel.data.dataset import Dataset, checked_dataset
from altsel.errors import checked_integer, of_kind
from altsel.models import domain
from altsel.models.objective import Objective, SizedBy
from altsel.models.pair_criterion import PairCriterion
from altsel.models.problem import Problem
from altsel.models.rule import Rule
from altsel.results.text import number_of
from altsel.runtime.clock import clock
from altsel.search.alternatives.noise import PermutedTargets, best_score
from altsel.stats.dependence.measure import Measure

MOST = 10
"""Most features of a set whose size nobody gives: more are hard to look at."""
ROWS = 10
"""Rows for each feature, at least: a fit of more features to fewer rows tells little (Harrell 2015)."""
LOOKED = 2_000
"""Most relevant features among which pairs are measured to choose a size, where those of all are not."""
ONE_BY_ONE = 1_000
"""Features that are left out by a row each."""
UNKNOWN = 5
"""The size where a criterion tells nothing of it."""


@dataclass(frozen=True)
class Choice:
    """A number that was found for an argument that was not given.

    Attributes
    ----------
    value
        The number.
    reason
        Why, in words.
    left_out
        Features that the size was chosen without: no more relevant than noise, where noise would be chosen.

    Examples
    --------
    >>> Choice(3, "CFS is highest with 3 of 1 to 10 features").value
    3
    """

    value: float
    reason: str
    left_out: tuple[str, ...] = ()


def choose_size(
    objective: Objective,
    data: Dataset,
    subject_to: Sequence[Rule] = (),
    measure: Measure | None = None,
    most: int = MOST,
) -> Choice:
    """Choose the number of features of a set by the criterion.

    CFS and linear fits with a penalty are highest at some size; a linear fit without one takes that of BIC. A
    plain sum and FCBF take the features that are more relevant than any is for 19 permuted targets; FCBF
    without those that others exclude. mRMR adds features, the one with most relevance less mean redundancy
    first, as long as that is above 0 and the feature more relevant than noise (Peng, Long and Ding 2005).
    Noise repeats nothing, so that the best set of mRMR may have some: `Choice.left_out` names the features to
    search without, by `altsel.domain.forbid`, if rules allow a set without them. Other criteria tell no
    size: 5. There are at most as many features as tenths of the rows.

    Parameters
    ----------
    objective
        The criterion.
    data
        The rows that it was measured on.
    subject_to
        Rules, which may allow fewer features.
    measure
        The measure of the criterion; default: that of the criterion.
    most
        Most features, unless rules want more.

    Returns
    -------
    Choice
        The size, from 1 to `most`, and why.

    Raises
    ------
    ArgumentError
        If the criterion was made by another measure, or of other data.

    References
    ----------
    H. Peng, F. Long, C. Ding, IEEE Transactions on Pattern Analysis and Machine Intelligence 27 (2005): the
    increment of mRMR. F. E. Harrell, Regression Modeling Strategies (2015), section 4.4: ten rows for each
    feature.

    Examples
    --------
    >>> import numpy as np
    >>> import altsel
    >>> random = np.random.default_rng(0)
    >>> a, b, c, d = random.normal(size=(4, 100))
    >>> data = altsel.Dataset({"a": a, "b": b, "c": c, "d": d}, a + b + random.normal(size=100))
    >>> choice = altsel.choose_size(altsel.Univariate(data), data)
    >>> choice.value, choice.reason
    (2, '2 of 4 features are more relevant than any is for 19 shuffled targets')
    """
    of_kind("objective", objective, Objective, "an altsel.models.Objective")
    checked_dataset("choose_size", data)
    checked_integer("most", most, 1)
    return size_of(Problem(objective, 1, subject_to), PermutedTargets(data, measure), most)


def size_of(problem: Problem, targets: PermutedTargets, most: int = MOST) -> Choice:
    """Choose the size of the sets of a problem; see `choose_size`."""
    enough = max(1, len(targets.data.y) // ROWS)
    chosen = WAYS[problem.objective.sized_by](
        problem, targets, min(most, enough, len(problem.objective.features))
    )
    size = _allowed(problem, int(chosen.value))
    if size != chosen.value:
        chosen = replace(chosen, value=size, reason=f"{chosen.reason}, and the rules allow {size}")
    if not chosen.left_out:
        return chosen
    if best_score(sized(problem, chosen)) is None:  # rules want a feature that is no more than noise
        return replace(chosen, left_out=())
    return replace(chosen, reason=f"{chosen.reason}; features no more relevant than that are left out")


def sized(problem: Problem, choice: Choice) -> Problem:
    """Return the problem with the size that was chosen, without the features that were left out."""
    without = []
    if choice.left_out:
        few = len(choice.left_out) <= ONE_BY_ONE
        without = [domain.forbid(*choice.left_out) if few else domain.at_most(0, choice.left_out)]
    return replace(problem, k=int(choice.value), subject_to=[*problem.subject_to, *without])


def _allowed(problem: Problem, size: int) -> int:
    """Return the largest size up to one at which rules allow a set that a search finds, or the next."""
    if not problem.subject_to:
        return size
    most = len(problem.objective.features)
    for other in [*range(size, 0, -1), *range(size + 1, most + 1)]:
        clock().check()
        if best_score(replace(problem, k=other)) is not None:
            return int(other)
    return size


def _by_itself(problem: Problem, targets: PermutedTargets, most: int) -> Choice:
    scores: list[float] = []
    for size in range(1, most + 1):
        clock().check()
        found = best_score(replace(problem, k=size))
        scores.append(-np.inf if found is None else found)
    if max(scores) == -np.inf:  # no search finds sets by such a criterion
        return _unknown(problem, targets, most)
    size = int(np.argmax(scores)) + 1
    return Choice(size, f"{problem.objective.name} is highest with {size} of 1 to {most} features")


def _by_penalty(problem: Problem, targets: PermutedTargets, most: int) -> Choice:
    return _by_itself(replace(problem, objective=problem.objective.penalised(targets.data)), targets, most)


def _above_noise(problem: Problem, targets: PermutedTargets, most: int) -> Choice:
    objective = problem.objective
    assert objective.relevance is not None
    above = _informative(objective, targets)
    looked_in, looked = _measured_among(objective, above)
    kept: list[int] = []
    for j in looked:
        if looked_in.conflict is None or not looked_in.conflict[j, kept].any():
            kept.append(j)
    reason = _counted(objective, len(above), targets)
    if len(kept) < len(above):
        reason += f", {len(kept)} of them predominant"
    return _capped(len(kept), most, reason)


def _by_path(problem: Problem, targets: PermutedTargets, most: int) -> Choice:
    objective = problem.objective
    informative = _informative(objective, targets)
    looked_in, looked = _measured_among(objective, informative)
    relevance, redundancy = looked_in.relevance, getattr(looked_in, "redundancy", None)
    assert relevance is not None
    assert redundancy is not None
    path, rest = looked[:1], looked[1:]
    while rest and len(path) <= most:
        gains = relevance[rest] - redundancy[np.ix_(rest, path)].mean(axis=1)
        best = int(np.argmax(gains))
        if gains[best] <= 0:
            break
        path.append(rest.pop(best))
    reason = _counted(objective, len(informative), targets)
    if len(path) < len(informative):
        reason += f"; after {number_of(len(path), 'feature')} none tells more than it repeats"
    known = {objective.features[j] for j in informative}
    noise = tuple(name for name in objective.features if name not in known) if known else ()
    return replace(_capped(len(path), most, reason), left_out=noise)


def _informative(objective: Objective, targets: PermutedTargets) -> list[int]:
    """Return the features that are more relevant than any is for a permuted target, the best first."""
    assert objective.relevance is not None
    order = np.argsort(-objective.relevance, kind="stable")
    above = order[objective.relevance[order] > targets.most_relevant(objective)]
    return [int(j) for j in above]


def _measured_among(objective: Objective, features: list[int]) -> tuple[Objective, list[int]]:
    """Return a criterion that holds the redundancies of some features, and their indices in it, in order.

    Where those of all pairs are not held, these are the most relevant ones alone.
    """
    if not isinstance(objective, PairCriterion) or not objective.wide:
        return objective, features
    looked = features[:LOOKED]
    inside = np.array(sorted(looked or [0]))
    return objective.relaxed(inside, np.zeros(0)), np.searchsorted(inside, looked).tolist()


def _counted(objective: Objective, above: int, targets: PermutedTargets) -> str:
    number, all_of_them = targets.targets, len(objective.features)
    are = "is" if above == 1 else "are"
    return f"{above} of {all_of_them} features {are} more relevant than any is for {number} shuffled targets"


def _capped(size: int, most: int, reason: str) -> Choice:
    if size > most:
        return Choice(most, f"{reason}; no more than {most} are chosen unless k is given")
    return Choice(max(size, 1), reason)


def usual(most: int, reason: str) -> Choice:
    """Return the size that is usual where nothing tells it, of so many features at most.

    Examples
    --------
    >>> usual(3, "no table tells how many").value
    3
    """
    return Choice(min(UNKNOWN, most), reason)


def _unknown(problem: Problem, targets: PermutedTargets, most: int) -> Choice:
    del targets
    return usual(most, f"{problem.objective.name} does not tell how many; {UNKNOWN} is usual")


WAYS: dict[SizedBy, Callable[[Problem, PermutedTargets, int], Choice]] = {
    SizedBy.ITSELF: _by_itself,
    SizedBy.NOISE: _above_noise,
    SizedBy.PATH: _by_path,
    SizedBy.PENALTY: _by_penalty,
    SizedBy.NOTHING: _unknown,
}
"""How the size is chosen, by what tells it."""
