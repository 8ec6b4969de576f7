"""Whether feature sets predict: their scores on the same folds, selection bias, and the level of chance."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from altsel.analysis.equivalence import equivalence
from altsel.analysis.family_models import FamilyModels, family_models, row_columns
from altsel.analysis.held_out_scores import scored_on
from altsel.analysis.provenance import refuse_other_data
from altsel.analysis.repeated_search import (
    Search,
    refuse_no_search,
    refuse_unknown,
    search_rows,
    sets_of,
    stored,
)
from altsel.data.dataset import Dataset, checked_dataset
from altsel.data.dealing import subset
from altsel.data.permuting import permuted
from altsel.errors import ArgumentError, checked_integer, checked_path, flags
from altsel.parallel import Numbered, checked_jobs, run
from altsel.results.performance import Performance, SetPerformance
from altsel.results.sets import Names, checked_sets
from altsel.results.solutions import Solutions
from altsel.runtime.store import Store
from altsel.runtime.versions import versions_of
from altsel.stats.equivalence import CrossValidatedModels, PermutedMean, ResampledT
from altsel.stats.equivalence.resampled import estimated

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator

    from altsel.models.model_fit import ModelFit


def performance(  # noqa: PLR0913  (what scikit-learn's cross_validate takes, and the repeated search)
    found: Solutions | Sequence[Sequence[str]],
    data: Dataset,
    estimator: BaseEstimator | ModelFit | None = None,
    *,
    scoring: str | Callable[..., float] | None = None,
    cv: Any = 10,
    groups: npt.ArrayLike | str | None = None,
    search: Search | None = None,
    nested: bool = False,
    permutations: int = 0,
    random_state: int = 0,
    n_jobs: int | None = None,
    store: str | Path | None = None,
    other_data: bool = False,
    holdout: Dataset | None = None,
) -> Performance:
    """Score models by every set of a search on the same folds, beside all features and beside chance.

    Each score is the mean of J folds with the interval of the corrected resampled t,
    ``mean ± t_{J-1} sqrt((1/J + n_2/n_1) var)``. Sets are compared with set 0 by `ResampledT` on the scores
    and `PermutedMean` on the losses of rows not learned from, p by Holm's method.

    These scores are biased upwards if the search has seen the rows judged. ``nested`` repeats it on the
    rows to learn from of every fold, and judges what it finds there: an unbiased estimate of the
    procedure, and by the difference the bias. ``permutations`` repeats it with permuted targets: with
    h of m such searches whose best set scores at least as well, ``p = (1 + h) / (1 + m)``, which holds
    for the best of all sets together.

    Sets found by `altsel.ModelFit` are judged by models of its family, ridge, weights, offset, events,
    features always in and splines, fitted to the rows learned from. The score is the share of the deviance
    of the rows judged that these explain, ``1 - D / D_0``, with ``D_0`` that of constants fitted to the same
    rows; below 0 they predict worse than constants. Of times it is that of the partial likelihood, those at
    risk being the rows judged. Columns of weights, offsets and events are features of no model.

    With `holdout`, models are fitted to `data` and judged once on other rows, which is unbiased if neither
    the search nor its user has seen these; see `altsel.comparison.HeldOutModels` for the intervals. Beside
    the sets stand the ten features that a random forest of the rows learned from finds most important.

    Parameters
    ----------
    found
        The sets: what any search returned, or lists of names.
    data
        The rows.
    estimator
        Any scikit-learn estimator or pipeline; it gets a DataFrame of a set's columns, classes as 0, 1, ….
        Or a `altsel.ModelFit`, for its models. Default: those of the search if it fitted such models, else
        least squares or logistic regression on scaled numbers and one-hot categories.
    scoring
        Name of a scikit-learn scorer, or a scorer; default: the estimator's own.
    cv
        Number of folds, shuffled and stratified by class (of times by event), or a scikit-learn splitter.
    groups
        Group of each row, shape (rows,), or the name of a column, which then is no feature; rows of one
        group are in one fold.
    search
        What found the sets, as a function of a `Dataset`; for `nested` and `permutations`, which are
        about nothing if it finds other sets in all rows. It gets no column of groups.
    nested
        Whether the search is repeated in every fold.
    permutations
        How many permuted targets are searched.
    random_state
        Seed of folds and permutations.
    n_jobs
        Workers for repeated searches; default: those of ``joblib.parallel_config``, else 1.
    store
        A SQLite file, so that repeated searches go on where they were after an interrupt.
    other_data
        Whether the rows are meant to be others than those of the search.
    holdout
        Rows that are judged instead of folds, as from ``data.split()`` or ``data.holdout(X, y)``.

    Returns
    -------
    Performance
        Text, table, JSON and a plot.

    Raises
    ------
    ArgumentError
        If an argument is wrong, a set has the column of groups, or the estimator cannot be fitted.
    DataError
        If the data lack a feature, or are others than those of the search and not said to be.

    References
    ----------
    Nadeau and Bengio, Machine Learning 52 (2003); Ojala and Garriga, Journal of Machine Learning Research
    11 (2010); Varma and Simon, BMC Bioinformatics 7 (2006).

    Examples
    --------
    >>> import numpy as np
    >>> import altsel
    >>> random = np.random.default_rng(0)
    >>> a, b = random.normal(size=(2, 100))
    >>> data = altsel.Dataset({"a": a, "twice": 2 * a + 1, "b": b}, a + random.normal(size=100))
    >>> scored = performance([["a"], ["twice"], ["b"]], data, cv=5)
    >>> [round(one.score.value, 2) for one in scored.sets]
    [0.31, 0.31, -0.04]
    """
    checked_dataset("performance", data)
    sets = checked_sets(found)
    if not sets:
        raise ArgumentError("there are no sets to score")
    if isinstance(found, Solutions) and not other_data:
        refuse_other_data(found, data)
    checked_integer("permutations", permutations, 0)
    checked_jobs(n_jobs)
    flags(nested=nested, other_data=other_data)
    if search is not None:
        refuse_no_search(search, "search=")
    if store is not None:
        checked_path("store", store)
    refuse_unknown(sets, data)
    family = family_models(found, estimator, data)
    if family is not None:
        _refuse_for_families(family, scoring, permutations)
    held = {*row_columns(found, data), *(family.rows.held if family else ())}
    features = tuple(name for name in data.features if name not in held)
    if holdout is not None:
        _refuse_folds(nested=nested, permutations=permutations, groups=groups)
        return scored_on(holdout, sets, data, family or estimator, scoring, random_state, features)
    fingerprint = data.fingerprint
    if isinstance(groups, str):
        data, groups = _divided(data, groups, sets)
        features = tuple(name for name in features if name in data.features)
    models = CrossValidatedModels(
        data,
        family.estimator(data) if family else estimator,
        scoring=scoring,
        cv=cv,
        groups=groups,
        random_state=random_state,
        beside=family.beside(data) if family else None,
    )
    runs = _Runs(search, n_jobs, store)
    again = runs.nested(models) if nested else []
    null = runs.null(models, permutations) if permutations else ()
    scored = [_scored(models, sets, number, again, null) for number in range(len(sets))]
    first, every, none = (models.scores(names) for names in (sets[0], features, ()))
    return Performance(
        tuple(scored),
        estimated(every, models.ratio),
        estimated(none, models.ratio),
        equivalence(sets, [ResampledT(models), PermutedMean(models)]) if len(sets) > 1 else None,
        null,
        models.name,
        models.scored,
        data=fingerprint,
        versions=versions_of("scikit-learn"),
        loss=models.lost,
        all_difference=estimated(every - first, models.ratio),
        none_difference=estimated(none - first, models.ratio),
    )


def _refuse_folds(**given: Any) -> None:
    """Refuse what is about folds where rows that were held out are judged."""
    for name, value in given.items():
        if value is not None and value is not False and not (name == "permutations" and value == 0):
            raise ArgumentError(f"{name} is about folds, and holdout= judges other rows: give one of them")


def _refuse_for_families(family: FamilyModels, scoring: Any, permutations: int) -> None:
    """Refuse what means nothing for models of times, or where rows hold what belongs to their target."""
    if family.family == "cox" and isinstance(scoring, str):
        raise ArgumentError(
            f"scoring={scoring!r}: Cox regression tells the order of times, and no times; leave scoring out, "
            "or give an estimator that predicts them"
        )
    if permutations and not family.deals_targets:
        raise ArgumentError(
            "permutations deals the target to other rows, and the offset or the event of a row belongs to "
            "it; use nested=True"
        )


def _divided(data: Dataset, groups: str, sets: Sequence[Names]) -> tuple[Dataset, npt.NDArray[Any]]:
    """Return the data without the column of groups, which is no feature, and the group of each row."""
    for number, names in enumerate(sets):
        if groups in names:
            raise ArgumentError(
                f"set {number} has {groups!r}, which groups={groups!r} makes no feature; leave it out of the "
                "search: data without it, and groups=, one group a row"
            )
    if groups not in data.features:
        raise ArgumentError(f"groups={groups!r} is no column of the data; give a name, or one group a row")
    rest = subset(data, slice(None), [name for name in data.features if name != groups])
    return rest, data.X[groups].to_numpy()


def _scored(
    models: CrossValidatedModels,
    sets: Sequence[Names],
    number: int,
    again: list[list[float]],
    null: tuple[float, ...],
) -> SetPerformance:
    """Combine what is known of one set."""
    score, ratio = models.scores(sets[number]), models.ratio
    nested = {fold: scores[number] for fold, scores in enumerate(again) if number < len(scores)}
    hits = sum(value >= float(score.mean()) - 1e-12 for value in null)
    return SetPerformance(
        sets[number],
        estimated(score, ratio),
        estimated(score - models.scores(sets[0]), ratio) if number else None,
        estimated(list(nested.values()), ratio) if nested else None,
        (1 + hits) / (1 + len(null)) if null else None,
        tuple(nested),
    )


@dataclass(frozen=True)
class _Runs:
    """Repeated searches: on the rows to learn from of every fold, and with permuted targets."""

    search: Any
    n_jobs: int | None
    store: str | Path | None

    def nested(self, models: CrossValidatedModels) -> list[list[float]]:
        """Return the scores of the sets found in every fold."""
        refuse_no_search(self.search, "nested=True")
        tasks = {f"fold {fold}": fold for fold in range(len(models.folds))}
        return list(run(_Fold(self.search, models), tasks, self._store(models), self.n_jobs, "fold").values())

    def null(self, models: CrossValidatedModels, permutations: int) -> tuple[float, ...]:
        """Return the best score of each search with a permuted target."""
        refuse_no_search(self.search, f"permutations={permutations}")
        if models.groups is not None:
            raise ArgumentError(
                "permutations takes rows for exchangeable, which those of a group are not; use nested=True"
            )
        task, tasks = _Null(self.search, models), Numbered(permutations, "permutation ")
        return tuple(run(task, tasks, self._store(models), self.n_jobs, "permutation").values())

    def _store(self, models: CrossValidatedModels) -> Store | None:
        drawn = (models.folds, models.groups)  # a splitter may draw others
        how = (models.estimator, models.scoring, drawn, models.random_state)
        return stored(self.store, "performance", self.search, models.data, *how)


@dataclass(frozen=True)
class _Fold:
    """Searches the rows to learn from of a fold, and scores what it finds on the others."""

    search: Search
    models: CrossValidatedModels

    def __call__(self, fold: int) -> list[float]:
        data = self.models.data
        found = search_rows(self.search, subset(data, self.models.folds[fold][0], data.features))
        return [self.models.score_in(fold, names) for names in sets_of(found)]


@dataclass(frozen=True)
class _Null:
    """Searches data with a permuted target, and scores the best of what it finds there."""

    search: Search
    models: CrossValidatedModels

    def __call__(self, number: int) -> float:
        data = permuted(self.models.data, (self.models.random_state, number))
        models = self.models.of(data)
        found = sets_of(search_rows(self.search, data)) or ((),)
        return max(float(np.mean(models.scores(names))) for names in found)
