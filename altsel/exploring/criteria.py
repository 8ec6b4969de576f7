"""Criteria of one table: each measure is taken once, and each criterion made once."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from altsel import catalogue
from altsel.catalogue.objectives import PLAIN
from altsel.data.schema import Task
from altsel.errors import ArgumentError, did_you_mean
from altsel.exploring.settings import Settings
from altsel.exploring.subject import Subject
from altsel.models.objective import Objective, is_own
from altsel.search.alternatives.noise import PermutedTargets
from altsel.stats.dependence.measure import Dependence, dependence

GIVEN = "given"
"""Name of the criterion of a problem of the user's own."""
FITS = {
    Task.BINARY: ("linear-fit", "logistic-fit"),
    Task.MULTICLASS: ("multinomial-fit",),
    Task.REGRESSION: ("linear-fit", "poisson-fit"),
}
"""Models that may be fitted, by the kind of the target; others need what nobody can set here."""


class Criteria:
    """Criteria by their names.

    Parameters
    ----------
    subject
        What is explored.
    """

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._measured: dict[str, Dependence] = {}
        self._made: dict[tuple[str, str | None, int], Objective] = {}
        self._held: dict[tuple[str, str | None, int], Objective] = {}
        self._noise: dict[tuple[str, str | None, int], float | None] = {}

    @cached_property
    def objectives(self) -> tuple[str, ...]:
        """Names of the criteria that there are."""
        if self._subject.problem is not None:
            return (GIVEN,)
        assert self._subject.data is not None
        fits = FITS.get(self._subject.data.task, ())
        plain = [name for name in catalogue.OBJECTIVES if not catalogue.of_data(name)]
        fitted = [
            name
            for name in catalogue.OBJECTIVES
            if name not in plain and any(name == fit or name.startswith(f"{fit}-") for fit in fits)
        ]
        return (*plain, *fitted)

    @cached_property
    def measures(self) -> tuple[str, ...]:
        """Names of the measures that there are; none for a criterion of the user's own."""
        return () if self._subject.problem is not None else tuple(catalogue.MEASURES)

    def takes_measure(self, objective: str) -> bool:
        """Return whether a criterion is one of dependences."""
        return objective != GIVEN and not catalogue.of_data(objective)

    def default_measure(self, objective: str) -> str | None:
        """Return the name of the measure that a criterion is defined with."""
        return catalogue.default_measure(objective) if self.takes_measure(objective) else None

    def objective(self, settings: Settings) -> Objective:
        """Return a criterion; measured and made once.

        Raises
        ------
        ArgumentError
            If there is none of that name, or it takes no measure and one is named.
        """
        name, named = settings.objective, settings.measure
        if self._subject.problem is not None:
            return self._subject.problem.objective
        if name not in self.objectives:
            raise ArgumentError(f"there is no criterion {name!r} here{did_you_mean(name, self.objectives)}")
        if named is not None and not self.takes_measure(name):
            raise ArgumentError(f"{name} fits models to the data themselves, and takes no measure")
        key = name, named, settings.seed
        if key not in self._made:
            assert self._subject.data is not None
            fits = catalogue.of_data(name)
            given = self._subject.data if fits else self.dependence(name, named, settings.seed)
            self._made[key] = catalogue.objective(name, given, PLAIN)
        return self._made[key]

    def on_held(self, settings: Settings) -> Objective:
        """Return the criterion of the rows that no search sees."""
        key = settings.objective, settings.measure, settings.seed
        if key not in self._held:
            held = self._subject.held
            assert held is not None
            make = catalogue.objective_factory(*key)
            self._held[key] = make(held)
        return self._held[key]

    def dependence(self, objective: str, named: str | None, seed: int) -> Dependence:
        """Return the dependences that a criterion is made of; measured once for all that share them."""
        assert self._subject.data is not None
        by = catalogue.measure_for(objective, named, seed)
        key = f"{by.name}, {getattr(by, 'random_state', None)}, {type(by).__name__}"
        if key not in self._measured:
            self._measured[key] = dependence(self._subject.data, by)
        return self._measured[key]

    def relevances(self, settings: Settings) -> dict[str, Any] | None:
        """Return how relevant each feature is, and the most that a feature is for a permuted target.

        A criterion without relevances shows those of the usual measure. The level of noise is None where it
        would take long to find.
        """
        objective = self.objective(settings)
        if objective.relevance is not None and not objective.of_data:
            level = self._noise_level(settings, objective)
            return {"values": objective.relevance, "measure": self._measure_name(settings), "noise": level}
        if self._subject.data is None:
            return None
        usual = settings.model_copy(update={"objective": "univariate", "measure": None})
        return self.relevances(usual)

    def _measure_name(self, settings: Settings) -> str | None:
        if self._subject.problem is not None:
            return None
        return self.dependence(settings.objective, settings.measure, settings.seed).measure

    def _noise_level(self, settings: Settings, objective: Objective) -> float | None:
        """Return the highest relevance that any feature has for 19 permuted targets."""
        key = settings.objective, settings.measure, settings.seed
        if key not in self._noise:
            self._noise[key] = self._found_noise(settings, objective)
        return self._noise[key]

    def _found_noise(self, settings: Settings, objective: Objective) -> float | None:
        data, named = self._subject.data, settings.measure
        slow = named is not None and catalogue.MEASURES[named].slow
        if data is None or self._subject.problem is not None or slow or is_own(objective):
            return None
        by = catalogue.measure_for(settings.objective, named, settings.seed)
        return PermutedTargets(data, by).most_relevant(objective)

    def associations(self, names: list[str]) -> np.ndarray[Any, np.dtype[np.float64]] | None:
        """Return the usual measure of each pair of some features; None without rows."""
        if self._subject.data is None or not names:
            return None
        pairs = self.dependence("univariate", None, 0).pairs
        assert pairs is not None
        places = [self._subject.data.features.index(name) for name in names]
        table = pairs.among(np.array(sorted(places), dtype=np.int64))
        order = np.argsort(np.argsort(places))
        return np.asarray(table)[np.ix_(order, order)]
