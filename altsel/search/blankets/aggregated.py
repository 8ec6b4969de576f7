"""One blanket of several, learned on parts of the rows: the one whose features most parts agree on."""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, nullcontext
from dataclasses import dataclass, replace
from math import inf
from typing import Any

import pandas as pd

from altsel._types import IntArray
from altsel.data.dataset import Dataset, checked_dataset
from altsel.data.dealing import subset
from altsel.errors import ArgumentError, level, of_kind
from altsel.parallel import checked_jobs, each
from altsel.results.comparison import Discarded
from altsel.results.effort import Effort
from altsel.results.feature_set import FeatureSet
from altsel.results.members import known_names
from altsel.results.solutions import Solutions
from altsel.results.stop import Stop
from altsel.runtime.memory import peak
from altsel.search.blankets.false_discoveries import warned_already
from altsel.search.blankets.folds import Folds
from altsel.search.blankets.limits import (
    Limits,
    checked_limits,
    of_features,
    refuse_limits_of_all,
    rest_of,
)
from altsel.search.blankets.ppfs import ppfs
from altsel.search.blankets.undecided import undecided
from altsel.stats.independence.protocol import Independence

logger = logging.getLogger("altsel.search")

Learner = Callable[..., Solutions]


def aggregated(
    data: Dataset,
    test: Callable[[Dataset], Independence],
    alpha: float = 0.05,
    *,
    learner: Learner = ppfs,
    folds: Folds | int = 5,
    limits: Limits | None = None,
    n_jobs: int | None = None,
) -> Solutions:
    """Learn a blanket on several parts of the rows, and return the one that the others support most.

    With ``f(X)`` the number of parts whose blanket has X, the answer is the blanket S of the largest
    ``z(S) = (sum_{X in S} f(X)) / |S|``; of equal ones the smaller, then the first. An empty one has z = 0.
    As z is a mean, a blanket gains by lacking what only some parts have: the rule prefers few features.

    Parameters
    ----------
    data
        All rows.
    test
        Makes the test of a part: ``GSquare``, or ``lambda part: PredictivePermutation(part, "linear")``.
    alpha
        Level of the tests.
    learner
        Finds one blanket, as ``learner(test, alpha, limits=...)``: any search of ``altsel.blankets``.
    folds
        How the rows are divided, or into how many folds, of which all but one are learned on.
    limits
        Features forced in or left out, and limits on all parts together.
    n_jobs
        Workers, one part each; default: those of ``joblib.parallel_config``, else 1. With a limit on the
        number of tests, parts are learned one after another.

    Returns
    -------
    Solutions
        One set, with the verdicts of its part; ``discarded`` has those of the other parts, each with its z
        and how many parts have each of its features, which `frequencies` counts. A limit ends the search with
        the parts that were learned to the end, or the first one as far as it was.

    Raises
    ------
    ArgumentError
        If an argument is wrong.
    DataError
        If a part cannot be learned on, such as one that has a single class; it names the fold.

    References
    ----------
    Hassan, Paik, Khare and Hassan (2021), algorithm 2, aggregation of Markov blankets.

    Examples
    --------
    >>> import numpy as np, altsel
    >>> a, b, c, noise = np.random.default_rng(0).normal(size=(4, 100))
    >>> data = altsel.Dataset({"a": a, "b": b, "c": c}, a + b + noise)
    >>> found = aggregated(data, altsel.independence.PartialCorrelation)
    >>> found[0].features, len(found.discarded)
    (('a', 'b'), 4)
    """
    checked_dataset("aggregated", data)
    if not callable(test) or (isinstance(test, Independence) and not isinstance(test, type)):
        raise ArgumentError(
            f"test={test!r}; give a function of a Dataset, such as altsel.independence.GSquare"
        )
    if not callable(learner):
        raise ArgumentError(f"learner={learner!r}; give a search of altsel.blankets, such as iamb")
    level("alpha", alpha)
    checked_jobs(n_jobs)
    folds, limits = folds if isinstance(folds, Folds) else Folds(folds), checked_limits(limits)
    refuse_limits_of_all(limits)
    limits = of_features(limits, data.features, data.members, data.absent)
    began, learn = time.perf_counter(), _Learn(data, test, alpha, learner, limits)
    learned, tests, stop = _parts(learn, folds, n_jobs)
    sets = [_with_forced(found[0], limits, data.features) for found in learned.values()]
    effort = Effort(tests=tests, seconds=time.perf_counter() - began, peak_memory=peak())
    chosen = _supported(learned, sets, folds)
    known = set().union(*(found.universe for found in learned.values()))
    universe = tuple(name for name in data.features if name in known or name in limits.include)
    members = {name: names for name, names in data.members.items() if name in universe}
    if not stop.finished:
        chosen = replace(chosen, sets=tuple(undecided(one, alpha, forced=limits.include) for one in chosen))
    ended = replace(chosen, stop=stop, universe=universe, members=members, effort=effort)
    return replace(ended, seed=folds.random_state)


@dataclass(frozen=True)
class _Part:
    """Rows to learn on, what is left of the limit on tests, until when, and whether notes were made."""

    rows: IntArray
    tests: int
    until: float
    noted: bool


@dataclass(frozen=True)
class _Learn:
    """Learns a blanket on some rows."""

    data: Dataset
    test: Callable[[Dataset], Independence]
    alpha: float
    learner: Learner
    limits: Limits

    def __call__(self, part: _Part) -> Solutions:
        data = subset(self.data, part.rows, self.data.features)
        most = self.limits.max_seconds
        seconds = 0.0 if most is None else most - max(part.until - time.time(), 0.0)
        left = _known(rest_of(self.limits, part.tests, seconds), data)
        with warned_already() if part.noted else nullcontext():
            return self.learner(self.test(data), self.alpha, limits=left)


def _parts(learn: _Learn, folds: Folds, n_jobs: int | None) -> tuple[dict[str, Solutions], int, Stop]:
    """Learn on all parts, up to a limit; return what was found by part, tests done, and why it ended."""
    limits, began = learn.limits, time.perf_counter()
    found: dict[str, Solutions] = {}
    until = time.time() + (inf if limits.max_seconds is None else limits.max_seconds)
    reached: list[Stop] = []

    def drawn() -> Iterator[tuple[str, _Part]]:
        """Draw parts as workers get free, until a limit is reached."""
        for number, rows in enumerate(folds.rows(learn.data)):
            logger.info("%s: fold %d of %d", learn.data.target, number + 1, folds.number)
            tests = sum(one.effort.tests for one in found.values())
            ended = _reached(limits, tests, time.perf_counter() - began) if found else None
            if reached or ended:
                reached.extend([ended] if ended else [])
                return
            yield f"fold {number + 1} of {folds.number}", _Part(rows, tests, until, number > 0)

    workers = n_jobs if limits.max_tests is None else 1
    try:
        with closing(each(learn, drawn(), workers, "fold")) as results:
            for key, one in results:
                found[key] = one
                reached.extend([] if one.stop.finished else [one.stop])
    except KeyboardInterrupt:
        if not found:
            raise
        reached.append(Stop.INTERRUPT)
    order = sorted(found, key=lambda key: int(key.split()[1]))
    whole = {key: found[key] for key in order if found[key].stop.finished}
    learned = whole or {order[0]: found[order[0]]}  # a blanket half learned has too much or too little
    tests = sum(one.effort.tests for one in found.values())
    return learned, tests, reached[-1] if reached else found[order[-1]].stop


def frequencies(found: Solutions) -> pd.Series[Any]:
    """Count for each feature the parts whose blanket has it.

    Parameters
    ----------
    found
        What `aggregated` returned.

    Returns
    -------
    pandas.Series
        Counts by the features' names, most frequent first; features that no part has are left out.

    Examples
    --------
    >>> import numpy as np, altsel
    >>> a, b, c, noise = np.random.default_rng(0).normal(size=(4, 100))
    >>> data = altsel.Dataset({"a": a, "b": b, "c": c}, a + b + noise)
    >>> frequencies(aggregated(data, altsel.independence.PartialCorrelation)).to_dict()
    {'a': 5, 'b': 5}
    """
    of_kind("found", found, Solutions, "what altsel.blankets.aggregated returned")
    sets = [*(one.features for one in found.sets), *(one.features for one in found.discarded)]
    counts = Counter(name for names in sets for name in names)
    order = sorted(counts, key=lambda name: (-counts[name], found.universe.index(name)))
    return pd.Series({name: counts[name] for name in order}, name="parts", dtype=int)


def _supported(learned: dict[str, Solutions], sets: list[FeatureSet], folds: Folds) -> Solutions:
    """Choose the blanket of the largest z."""
    frequency = Counter(name for one in sets for name in one)
    z = [sum(frequency[name] for name in one) / len(one) if len(one) else 0.0 for one in sets]
    best = min(range(len(sets)), key=lambda i: (-z[i], len(sets[i]), i))
    discarded, names = [], list(learned)
    for i, one in enumerate(sets):
        if i != best:
            counts = ", ".join(f"{name} {frequency[name]}" for name in one)
            reason = f"{names[i]}: z = {z[i]:.4g}; parts that have each feature: {counts}"
            discarded.append(Discarded(one.features, reason))
    chosen = learned[names[best]]
    done = "" if len(sets) == folds.number else f", {_finished(learned)} of them done"
    number = names[best].split()[1]
    search = f"{chosen.search}, aggregated over {folds.number} folds{done}: fold {number}, z = {z[best]:.4g}"
    return replace(chosen, sets=(sets[best],), search=search, discarded=tuple(discarded))


def _finished(learned: dict[str, Solutions]) -> int:
    return sum(found.stop.finished for found in learned.values())


def _reached(limits: Limits, tests: int, seconds: float) -> Stop | None:
    """Return which limit some tests and seconds have reached, if any."""
    if limits.max_tests is not None and tests >= limits.max_tests:
        return Stop.LIMIT
    if limits.max_seconds is not None and seconds >= limits.max_seconds:
        return Stop.TIME
    return None


def _known(limits: Limits, part: Dataset) -> Limits:
    """Return limits without features that a part does not have."""
    known = known_names(part.features, part.members)
    include, exclude = (
        [name for name in names if name in known] for names in (limits.include, limits.exclude)
    )
    return replace(limits, include=include, exclude=exclude)


def _with_forced(found: FeatureSet, limits: Limits, features: tuple[str, ...]) -> FeatureSet:
    members = {*found.features, *limits.include}
    return replace(found, features=tuple(name for name in features if name in members))
