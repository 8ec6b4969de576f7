"""What a study will take, before it is made: searches and fits counted, one of each timed."""

from __future__ import annotations

from dataclasses import dataclass
from time import process_time

from altsel.data.dataset import Dataset
from altsel.results.sets import Names
from altsel.results.text import number_of
from altsel.studying.plan import Plan, refuse_data
from altsel.studying.selections import first_by, selections
from altsel.studying.within_folds import Judges, folds_of

REST = 5.0
"""Seconds of all that is done once: models on rows kept apart, tests, discoveries, certificate, page."""


@dataclass(frozen=True)
class Budget:
    """What a study will take.

    Attributes
    ----------
    searches
        How often features are selected.
    fits
        How many models are fitted at most.
    seconds
        CPU seconds, about: measured by what one fold takes of each kind.
    """

    searches: int
    fits: int
    seconds: float

    def __str__(self) -> str:
        unit = (
            f"{self.seconds:.0f} CPU seconds"
            if self.seconds < 100
            else f"{self.seconds / 60:.0f} CPU minutes"
        )
        return f"{self.searches} searches, at most {number_of(self.fits, 'fit')}, about {unit} here"


def budget(data: Dataset, plan: Plan) -> Budget:
    """Return what a study of some data will take, from one search of each kind and one fit of each model."""
    refuse_data(data, plan)
    plan = plan.for_data(data)
    train = data.split(plan.holdout, plan.seed)[0] if plan.holdout else data
    judges = Judges(train, folds_of(train, plan)[0], plan.seed)
    began, tried = process_time(), [*selections(plan)]
    sets = {frozenset(first_by(one, judges.rows)) for one in tried} - {frozenset()}
    searching = process_time() - began
    fitting, dearest = _fitting(judges, plan, sorted(sets, key=len))
    one_search, alternatives = searching / len(tried), plan.alternatives * len(plan.tau) * plan.folds
    others = plan.stability + len(plan.tau) * plan.folds * (plan.alternatives > 0)
    return Budget(
        plan.folds * len(tried) + others,
        plan.folds * len(sets) * len(plan.models) + alternatives,
        plan.folds * (searching + len(sets) * fitting) + others * one_search + alternatives * dearest + REST,
    )


def _fitting(judges: Judges, plan: Plan, sets: list[frozenset[str]]) -> tuple[float, float]:
    """Return the seconds of a fit of every model to a set of middle size, and of the dearest model alone."""
    if not sets:
        return 0.0, 0.0
    names: Names = tuple(sorted(sets[len(sets) // 2]))
    seconds = []
    judges.losses([(names[:1], plan.models[0])])  # what is loaded once is not counted
    for model in plan.models:
        began = process_time()
        judges.losses([(names, model)])
        seconds.append(process_time() - began)
    return sum(seconds), max(seconds)
