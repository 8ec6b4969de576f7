"""Scores of feature sets on rows held out, beside all features, a forest's choice and chance."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from altsel.analysis.equivalence import equivalence
from altsel.analysis.family_models import FamilyModels
from altsel.data.dataset import Dataset, checked_dataset
from altsel.data.dealing import subset
from altsel.results.performance import Performance, SetPerformance
from altsel.results.sets import Names
from altsel.runtime.progress import counted
from altsel.runtime.versions import versions_of
from altsel.stats.dependence.importance import importances
from altsel.stats.equivalence import HeldOutModels, PermutedMean

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator

MOST_IMPORTANT = 10
"""Features that a forest chooses, to compare with."""


def scored_on(
    holdout: Dataset,
    sets: Sequence[Names],
    data: Dataset,
    estimator: BaseEstimator | FamilyModels | None,
    scoring: str | Callable[..., float] | None,
    random_state: int,
    features: Names,
) -> Performance:
    """Fit models of every set to some rows and score them on others; see `altsel.performance`."""
    checked_dataset("holdout", holdout)
    family = estimator if isinstance(estimator, FamilyModels) else None
    models = HeldOutModels(
        data,
        holdout,
        family.estimator(data) if family else estimator,
        scoring=scoring,
        random_state=random_state,
        beside=family.beside(data, holdout) if family else None,
    )

    def of(names: Names, *, first: bool = False) -> SetPerformance:
        difference = None if first else models.difference(names, sets[0])
        return SetPerformance(tuple(names), models.estimate(names), difference)

    several = len(features) > MOST_IMPORTANT and (family is None or family.of_numbers)
    learned = data if len(features) == len(data.features) else subset(data, slice(None), features)
    return Performance(
        tuple(of(names, first=names is sets[0]) for names in counted(sets, len(sets), "sets judged")),
        models.estimate(features),
        models.estimate(()),
        equivalence(sets, [PermutedMean(models)]) if len(sets) > 1 else None,
        (),
        models.name,
        models.scored,
        models.confidence,
        data.fingerprint,
        versions_of("scikit-learn"),
        models.lost,
        forest=of(most_important(learned, random_state)) if several else None,
        holdout=models.rows_judged,
        intervals=models.intervals,
        all_difference=models.difference(features, sets[0]),
        none_difference=models.difference((), sets[0]),
    )


def most_important(data: Dataset, random_state: int) -> Names:
    """Return the features most important to a random forest of some rows, in the order of the data."""
    found = importances(random_state=random_state, debiased=False).relevance(data)
    first = np.argsort(-found, kind="stable")[:MOST_IMPORTANT]
    return tuple(data.features[j] for j in sorted(first.tolist()))
