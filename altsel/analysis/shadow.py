"""The null level of relevances and of scores, by permuted copies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np

from altsel._types import FloatArray
from altsel.analysis.repeated_search import Search, refuse_no_search, search_rows, stored
from altsel.data.dataset import Dataset, checked_dataset
from altsel.data.permuting import permuted
from altsel.errors import ArgumentError, checked_integer, level
from altsel.parallel import Numbered, run
from altsel.results.shadow import Shadow, ShadowedFeature, critical, share_at_least
from altsel.results.solutions import Solutions
from altsel.runtime.store import Store
from altsel.stats.dependence.measure import Measure, dependence


def shadow(  # noqa: PLR0913  (a measure, a search, or both)
    data: Dataset,
    measure: Measure | Callable[[FloatArray, FloatArray], float] | None = None,
    repeats: int = 100,
    level: float = 0.05,
    *,
    search: Search | None = None,
    random_state: int = 0,
    n_jobs: int | None = None,
    store: str | Path | None = None,
) -> Shadow:
    """Find what relevance, and what score of a set, permuted copies of the features reach.

    In each of m repeats all rows of the features are permuted together against the target: every feature
    becomes a copy that tells nothing of it, while features depend on each other as before. A feature is above
    the null level if it is more relevant than the k-th largest of the m *most relevant* copies,
    ``k = floor(level (m + 1))``: with probability `level` at most any feature is, if none depends on the
    target (the maxT method). So is a set that scores better than the k-th best of the sets that the search
    finds in permuted data: both have been chosen as the best of many.

    Boruta compares features with permuted copies too, in one forest with the features themselves; here
    the copies are alone, so the level is that of data with nothing to find, for any measure.

    Parameters
    ----------
    data
        The rows.
    measure
        A measure of dependence, or a function of two arrays; default: association, or none if there
        is a search.
    repeats
        Number m of permutations, at least ``1 / level - 1``.
    level
        Probability of an error among all features, or all sets.
    search
        A search as a function of a `Dataset` that returns `Solutions`; one set will do.
    random_state
        Seed.
    n_jobs
        Workers; default: those of ``joblib.parallel_config``, else 1.
    store
        A SQLite file; what it holds of the same call is not done again.

    Returns
    -------
    Shadow
        Level and p of every feature, and the level of scores; ``judged(found)`` gives every set its p.

    Raises
    ------
    ArgumentError
        If an argument is wrong, or a search returns no `Solutions`.

    References
    ----------
    Westfall and Young, Resampling-based multiple testing (1993), for maxT; shadows: Kursa and Rudnicki,
    Journal of Statistical Software 36 (2010).

    Examples
    --------
    >>> import numpy as np
    >>> import altsel
    >>> random = np.random.default_rng(0)
    >>> a, b, noise = random.normal(size=(3, 100))
    >>> data = altsel.Dataset({"a": a, "b": b, "noise": noise}, a + b + random.normal(size=100))
    >>> shadow(data, altsel.measures.absolute_pearson).above
    ('a', 'b')
    """
    checked_dataset("shadow", data)
    _refuse(repeats, level, random_state)
    if search is not None:
        refuse_no_search(search, "search=")
    used = measure is not None or search is None
    task = _Permutation(data, measure, search, used, random_state)
    tasks = Numbered(repeats)
    kept: Store | None = stored(store, "shadow", measure, search, data, random_state)
    found = list(run(task, tasks, kept, n_jobs, "permutation").values())
    scores = tuple(one["score"] for one in found) if search is not None else ()
    criterion = next((one["criterion"] for one in found), None)
    sizes = tuple(sorted({one["size"] for one in found if one["size"] is not None}))
    if not used:
        return Shadow((), (), scores, level, "", data.fingerprint, criterion, sizes)
    observed = dependence(data, measure)
    copies = np.array([one["relevance"] for one in found])
    largest = tuple(map(float, copies.max(axis=1)))
    features = tuple(
        ShadowedFeature(
            str(name),
            float(value),
            critical(own.tolist(), level),
            share_at_least(own.tolist(), float(value)),
            share_at_least(largest, float(value)),
        )
        for (name, value), own in zip(observed.relevance.items(), copies.T, strict=True)
    )
    return Shadow(features, largest, scores, level, observed.measure, data.fingerprint, criterion, sizes)


def _refuse(repeats: Any, wanted: Any, random_state: Any) -> None:
    checked_integer("repeats", repeats, 1)
    checked_integer("random_state", random_state, 0)
    level("level", wanted)
    least = ceil(1 / wanted - 1 - 1e-9)
    if repeats < least:
        raise ArgumentError(f"repeats={repeats} cannot show a level of {wanted:g}; use {least} or more")


@dataclass(frozen=True)
class _Permutation:
    """Relevances, and the best score, with one permuted target."""

    data: Dataset
    measure: Any
    search: Search | None
    measured: bool
    random_state: int

    def __call__(self, number: int) -> dict[str, Any]:
        data = permuted(self.data, (self.random_state, number))
        relevance = dependence(data, self.measure).relevance.tolist() if self.measured else None
        return {"relevance": relevance, **self._best(data)}

    def _best(self, data: Dataset) -> dict[str, Any]:
        """Search, and return score, size and criterion of the best set."""
        if self.search is None:
            return {"score": None, "size": None, "criterion": None}
        found = search_rows(self.search, data)
        if not isinstance(found, Solutions):
            raise ArgumentError("the search returned sets without scores; it must return Solutions")
        best = max(found, key=lambda one: one.score, default=None)
        size, score = (None, None) if best is None else (len(best), best.score)
        return {"score": score, "size": size, "criterion": found.criterion}
