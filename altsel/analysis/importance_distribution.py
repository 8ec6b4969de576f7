"""What features are worth over all good sets, of one resample of the rows after another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Real
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np

from altsel.analysis.good_sets import GoodSets
from altsel.analysis.importance_range import LIST_OF
from altsel.analysis.repeated_search import Search, refuse_no_search, refuse_unknown, search_rows, stored
from altsel.analysis.resampling import Resampling, Scheme, checked_resampling
from altsel.data.dataset import Dataset, checked_dataset
from altsel.errors import ArgumentError, DataError
from altsel.models.problem import Problem
from altsel.parallel import Numbered, run
from altsel.results.importance_distribution import (
    FeatureDistribution,
    ImportanceDistribution,
    WorthInGoodSets,
)
from altsel.results.importance_range import RangeClass
from altsel.results.solutions import Solutions
from altsel.runtime.versions import versions_of
from altsel.stats.resampled_scores import exact_share


def importance_distribution(  # noqa: PLR0913 (a search, and how rows are drawn)
    search: Search,
    data: Dataset,
    resamples: int = 100,
    *,
    scheme: Scheme | str = Scheme.BOOTSTRAP,
    level: float = 0.95,
    random_state: int = 0,
    n_jobs: int | None = None,
    store: str | Path | None = None,
) -> ImportanceDistribution:
    """Return what every feature is worth in all good sets, of all rows and of resamples of them.

    In a good set S, one within a loss of the best, feature j is worth ``Q(S) - Q(S without j)``, and 0 where
    S lacks it. Of all rows the range over the good sets is exact. Of the resamples

    ``P(worth of j <= w) = mean over resamples of #{S good : worth <= w} / #{S good}``,

    the Rashomon importance distribution of sets: each resample counts the same, however many good sets it
    has. A feature is core, sometimes or never in a resample as `altsel.importance_range` says of its list; of
    a list that is not complete only *sometimes* is known. The share p of resamples with a class is at least
    ``low`` with the confidence of the level (Clopper and Pearson: the chance of as many is ``1 - level`` at
    ``p = low``), for each feature by itself.

    Resamples stand for new rows as far as a bootstrap does: the statements are of the criterion on such rows,
    and of no cause.

    Parameters
    ----------
    search
        What lists the good sets, as a function of a `Dataset`:
        ``lambda rows: near_optimal(Problem(LinearFit(rows), k=5), RelativeLoss(0.05))``.
    data
        The rows.
    resamples
        How many.
    scheme
        How rows are drawn, as in `altsel.stability`.
    level
        Confidence of statements, and the share of resamples that ranges over them keep.
    random_state
        Seed; resample i is the same whatever their number.
    n_jobs
        Workers; default: those of ``joblib.parallel_config``, else 1.
    store
        A SQLite file; what it holds of this search, these data and this seed is not done again.

    Returns
    -------
    ImportanceDistribution
        A row a feature, with `ImportanceDistribution.quantile` and `share_at_most` of the distribution.

    Raises
    ------
    ArgumentError
        If an argument is wrong, or the search fails on a resample, which is named.
    DataError
        If no resample has a good set.

    References
    ----------
    Donnelly, Katta, Rudin and Browne, "The Rashomon importance distribution", NeurIPS 2023, section 3, with
    sets in the place of models; Clopper and Pearson, Biometrika 26 (1934).

    Examples
    --------
    >>> import numpy as np
    >>> import altsel
    >>> random = np.random.default_rng(0)
    >>> a, b, noise = random.normal(size=(3, 200))
    >>> columns = {"a": a, "b": b, "copy of b": b + 0.1 * random.normal(size=200), "noise": noise}
    >>> data = altsel.Dataset(columns, a + b + 0.3 * random.normal(size=200))
    >>> within = altsel.RelativeLoss(0.05)
    >>> search = lambda rows: altsel.near_optimal(altsel.Problem(altsel.LinearFit(rows), k=2), within)
    >>> found = importance_distribution(search, data, resamples=40)
    >>> found.of("core"), found.of("sometimes"), found.of("never")
    (('a',), ('b', 'copy of b'), ('noise',))
    """
    checked_dataset("importance_distribution", data)
    refuse_no_search(search, "importance_distribution")
    if isinstance(level, bool) or not isinstance(level, Real) or not 0.5 < level < 1:
        raise ArgumentError(f"level={level!r}; must be above 0.5 and below 1")
    rows = checked_resampling(data, resamples, scheme, random_state)
    kept = stored(store, "importance distribution", search, data, rows.scheme, random_state)
    done = run(_Listed(search, rows), Numbered(resamples, first={"all rows": -1}), kept, n_jobs, "resample")
    whole, *drawn = (
        WorthInGoodSets(one["sets"], one["complete"], {name: tuple(w) for name, w in one["worths"].items()})
        for one in done.values()
    )
    if not any(one.sets for one in drawn):
        raise DataError("no resample has a set that keeps the rules")
    return ImportanceDistribution(
        tuple(_summary(name, whole, drawn, level) for name in data.features),
        whole,
        tuple(drawn),
        level,
        rows.scheme.value,
        next(iter(done.values()))["criterion"],
        data.target,
        len(data.y),
        data.fingerprint,
        versions_of(),
    )


@dataclass(frozen=True)
class _Listed:
    """Lists the good sets of a resample, and what their features are worth."""

    search: Search
    rows: Resampling

    def __call__(self, number: int) -> dict[str, Any]:
        found = search_rows(self.search, self.rows[number])
        if not isinstance(found, Solutions) or found.request.get("search") != LIST_OF or found.asked is None:
            raise ArgumentError("the search must return what altsel.near_optimal returns: all good sets")
        refuse_unknown([found.universe], self.rows.data)
        return {
            "sets": len(found),
            "complete": bool(len(found)) and GoodSets(found).complete,
            "worths": worths(found.asked[0], found),
            "criterion": found.criterion,
        }


def worths(problem: Problem, found: Solutions) -> Mapping[str, list[float]]:
    """Return what each set loses without a feature that it has, by feature.

    Examples
    --------
    >>> from altsel import AbsoluteLoss, Univariate, near_optimal
    >>> problem = Problem(Univariate([5, 4, 3]), k=2)
    >>> worths(problem, near_optimal(problem, AbsoluteLoss(1)))
    {'x0': [5.0, 5.0], 'x1': [4.0], 'x2': [3.0]}
    """
    result: dict[str, list[float]] = {}
    scores: dict[bytes, float] = {}
    for one in found:
        mask = problem.mask(one.features)
        for j in np.flatnonzero(mask).tolist():
            mask[j] = False
            key = mask.tobytes()
            if key not in scores:
                scores[key] = problem.objective.checked_score(mask)
            mask[j] = True
            result.setdefault(problem.objective.features[j], []).append(float(one.score - scores[key]))
    return dict(sorted(result.items()))


def _summary(
    name: str, whole: WorthInGoodSets, resamples: list[WorthInGoodSets], level: float
) -> FeatureDistribution:
    """Summarise a feature; resamples without sets count for no class, and have no worth."""
    drawn = [one.of(name) for one in resamples if one.sets]
    classes = [one.range_class(name) for one in resamples]
    counts = [classes.count(kind) for kind in RangeClass]
    of_all = whole.of(name) if whole.sets else np.full(1, np.nan)
    tail = (1 - level) / 2
    core, sometimes, never = (count / len(classes) for count in counts)
    low_core, low_sometimes, low_never = (
        exact_share(count, len(classes), 2 * level - 1).low or 0.0 for count in counts
    )
    return FeatureDistribution(
        name,
        fmean(float(one.mean()) for one in drawn),
        float(of_all[0]),
        float(of_all[-1]),
        float(np.quantile([one[0] for one in drawn], tail)),
        float(np.quantile([one[-1] for one in drawn], 1 - tail)),
        (core, sometimes, never),
        (low_core, low_sometimes, low_never),
    )
