"""What a criterion's best set reaches by chance, from permuted targets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from altsel._types import FloatArray
from altsel.data.dataset import Dataset, checked_dataset
from altsel.data.permuting import permuted
from altsel.errors import ArgumentError, checked_integer
from altsel.exact.question import Question, Structure
from altsel.exact.stages.screening import is_screened, searched_alone
from altsel.exact.starts.local_search import exchange_search
from altsel.models.dissimilarity import Dice
from altsel.models.objective import Objective, is_own
from altsel.models.problem import Problem, checked_problem
from altsel.results.noise import NoiseLevel
from altsel.runtime.clock import clock
from altsel.runtime.phases import MEASURES, phase
from altsel.stats.dependence.given import named_numbers
from altsel.stats.dependence.measure import Dependence, Measure, checked_measure, dependence

TARGETS = 19
"""Permuted targets: what none of them reaches has ``p <= .05``."""
RESTARTS = 1
"""Random beginnings of the search for a best set of a permuted target, beside a greedy one."""
CLOSE = 1e-6
"""Relative difference of relevances that is rounding."""


def noise_level(
    problem: Problem,
    data: Dataset,
    measure: Measure | None = None,
    targets: int = TARGETS,
    random_state: int = 0,
) -> NoiseLevel:
    """Find the highest score that best sets reach where the target tells nothing.

    The target's values are dealt to the rows at random, the relevances measured anew, and a set chosen by an
    exchange search under the same rules, as far as these are rows; redundancies stay as they are. A set with
    a score above the highest of 19 has p <= .05: it was chosen among as many. `altsel.shadow` repeats the
    whole search, for p of any size.

    Parameters
    ----------
    problem
        Criterion, sizes and rules; of the criteria of altsel, as `Univariate`, `MRMR` or `LinearFit`.
    data
        The rows that the criterion was measured on.
    measure
        The measure of the criterion; default: that of the criterion. `LinearFit` takes none.
    targets
        Number of permuted targets.
    random_state
        Seed.

    Returns
    -------
    NoiseLevel
        The score, and the number of targets.

    Raises
    ------
    ArgumentError
        If the criterion is not one of altsel's that are measured on data, was made by another measure, or
        is a fit with columns that are given.

    References
    ----------
    Westfall and Young, Resampling-based multiple testing (1993): the largest of many, by permutations.

    Examples
    --------
    >>> import numpy as np
    >>> import altsel
    >>> random = np.random.default_rng(0)
    >>> a, b, c = random.normal(size=(3, 100))
    >>> data = altsel.Dataset({"a": a, "b": b, "c": c}, a + random.normal(size=100))
    >>> problem = altsel.Problem(altsel.Univariate(data), k=1)
    >>> level = altsel.noise_level(problem, data)
    >>> found = altsel.sequential(problem, altsel.Dice(1), alternatives=1)
    >>> [level.exceeded_by(one.score) for one in found]
    [True, False]
    """
    checked_problem(problem)
    checked_dataset("noise_level", data)
    return PermutedTargets(data, measure, targets, random_state).level(problem)


@dataclass(eq=False)
class PermutedTargets:
    """Some permutations of a target, and the relevances that features have for each.

    Parameters
    ----------
    data, measure, targets, random_state
        As in `noise_level`.
    """

    data: Dataset
    measure: Measure | None = None
    targets: int = TARGETS
    random_state: int = 0
    _relevances: dict[Any, FloatArray] = field(default_factory=dict, init=False)
    _of_data: dict[Any, Dependence] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        checked_integer("targets", self.targets, 1)
        checked_integer("random_state", self.random_state, 0)

    @cached_property
    def tables(self) -> list[Dataset]:
        """The data with each of the permuted targets."""
        return [permuted(self.data, (self.random_state, number)) for number in range(self.targets)]

    def relevances(self, criterion: type[Objective]) -> FloatArray:
        """Return the relevances for each permuted target, shape (targets, features)."""
        if criterion not in self._relevances:
            used, rows = self._measure_of(criterion), []
            for table in self.tables:  # of each the relevances alone: no fingerprint, and no look for copies
                clock().check()
                with phase(MEASURES):
                    rows.append(named_numbers(used.relevance(table)).to_numpy())
            self._relevances[criterion] = np.array(rows)
        return self._relevances[criterion]

    def level(self, problem: Problem) -> NoiseLevel:
        """Find the highest score of a best set; see `noise_level`."""
        if is_own(problem.objective):  # what it makes of its relevances, nobody knows here
            raise ArgumentError(
                f"{problem.objective.name} is a criterion of your own, which cannot be given the relevances "
                "for another target: altsel.shadow repeats a whole search for each"
            )
        make = self._remade(problem.objective)
        scores = []
        for number in range(self.targets):
            clock().check()
            score = best_score(replace(problem, objective=make(number)))
            if score is None and problem.subject_to:  # rules that are no rows do not count
                score = best_score(replace(problem, objective=make(number), subject_to=()))
            scores += [] if score is None else [score]
        return NoiseLevel(max(scores, default=None), self.targets)

    def most_relevant(self, objective: Objective) -> float:
        """Return the highest relevance that any feature has for a permuted target."""
        return float((self.relevances(type(objective)) * self._scale(objective)).max())

    def _remade(self, objective: Objective) -> Callable[[int], Objective]:
        """Return what makes the criterion for one of the permuted targets."""
        if objective.of_data:
            return lambda number: objective.for_data(self.tables[number])
        scale = self._scale(objective)
        relevances = self.relevances(type(objective))
        return lambda number: objective.with_relevance(relevances[number] * scale)

    def _observed(self, criterion: type[Objective]) -> Dependence:
        """Measure the target itself, once."""
        if criterion not in self._of_data:
            self._of_data[criterion] = dependence(self.data, self._measure_of(criterion))
        return self._of_data[criterion]

    def _measure_of(self, criterion: type[Objective]) -> Measure:
        return checked_measure(self.measure, criterion if self.measure is None else None)

    def _scale(self, objective: Objective) -> float:
        """Return what relevances are multiplied by, as where they were normalised.

        Raises
        ------
        ArgumentError
            If the criterion has no relevances, or others than those measured here.
        """
        if objective.relevance is None:
            raise ArgumentError(f"{objective.name} has no relevances to measure for another target")
        measured = self._observed(type(objective))
        own, here = objective.relevance, measured.relevance.to_numpy()
        if len(own) == len(here):
            most = float(np.abs(here).max())
            scale = float(np.abs(own).max()) / most if most > 0 else 1.0
            if np.allclose(own, scale * here, rtol=CLOSE, atol=CLOSE * float(np.abs(own).max())):
                return scale
        raise ArgumentError(
            f"the relevances of {objective.name} are not {measured.measure} of these data; give k, or the "
            "measure and the rows that it was made with"
        )


def best_score(problem: Problem) -> float | None:
    """Return the score of a good set; None if none is found, or a rule is no row.

    Of very many features it is chosen among the most relevant.
    """
    question = Question(Structure(problem), Dice(0))
    if is_screened(question):
        problem = searched_alone(question).problem
    found = exchange_search(problem, Dice(0), [], RESTARTS)
    return None if found is None else problem.objective.checked_score(problem.mask(found))
