"""Whether a search selects the same again: features, sets and the whole collection, on resampled rows."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import numpy as np

from altsel._types import IntArray
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
from altsel.errors import ArgumentError, DataError, checked_integer, listing
from altsel.parallel import Numbered, run
from altsel.results.sets import Names, checked_sets
from altsel.results.stability import Stability
from altsel.runtime.versions import versions_of
from altsel.stats.stability import membership, nogueira, stability_of_collections

TRIES = 100
"""Draws of a resample until its target has two values."""


class Scheme(StrEnum):
    """How rows are drawn: as many with repetition, half of them without, or both halves in turn."""

    BOOTSTRAP = "bootstrap"
    SUBSAMPLE = "subsample"
    PAIRS = "complementary-pairs"


def stability(
    search: Search,
    data: Dataset,
    resamples: int = 200,
    scheme: Scheme | str = Scheme.SUBSAMPLE,
    random_state: int = 0,
    n_jobs: int | None = None,
    store: str | Path | None = None,
) -> Stability:
    """Repeat a search on resamples of the rows, and measure how much of what it selects stays the same.

    Of the first sets: how often they have each feature, and Nogueira's measure. Where sets can stand for each
    other it is low by necessity, as any of them may come first. So also of all sets together: the mean
    similarity of the collections of two resamples,
    ``S(A, B) = max_m sum_{(a, b) in m} Dice(a, b) / max(|A|, |B|)`` over one-to-one matchings m of their
    sets. What one collection has more of than the other counts as 0; two empty ones have similarity 1. It
    takes ``O(M^2 c^3)`` time for M resamples of c sets.

    Parameters
    ----------
    search
        What finds sets, as a function of a `Dataset`; a resample has the kinds of columns that all rows have,
        and leaves out columns that are constant in it.
    data
        The rows.
    resamples
        How many.
    scheme
        ``"subsample"``: half of the rows, each once; ``"bootstrap"``: n rows with repetition. Tests, and
        measures such as association, take repeated rows for independent and find more: of many levels most,
        so that noise looks stable (Strobl et al. 2007). ``"complementary-pairs"``: rows are halved, and both
        halves are searched, one resample each, as `altsel.stable_selection` needs it.
    random_state
        Seed; resample i is the same whatever their number.
    n_jobs
        Workers; default: those of ``joblib.parallel_config``, else 1.
    store
        A SQLite file; what it holds of this search, these data and this seed is not done again.

    Returns
    -------
    Stability
        Frequencies of features and sets, Nogueira's measure, similarity of first sets and of collections.

    Raises
    ------
    ArgumentError
        If an argument is wrong, or the search fails on a resample, which is named.
    DataError
        If resamples have one value of the target only.

    References
    ----------
    Nogueira, Sechidis and Brown, Journal of Machine Learning Research 18 (2018); subsamples of half the rows:
    Meinshausen and Buehlmann, Journal of the Royal Statistical Society B 72 (2010); against repeated rows:
    Strobl, Boulesteix, Zeileis and Hothorn, BMC Bioinformatics 8 (2007); that stability has to be
    defined in the context of multiple solutions: Borboudakis and Tsamardinos (2021), section 1.

    Examples
    --------
    >>> import numpy as np
    >>> import altsel
    >>> random = np.random.default_rng(0)
    >>> a, b, noise = random.normal(size=(3, 100))
    >>> data = altsel.Dataset({"a": a, "b": b, "noise": noise}, a + b + 0.5 * random.normal(size=100))
    >>> search = lambda rows: [altsel.ranking.mim(rows, 2)[0].features]
    >>> stability(search, data, resamples=20).frequencies().loc["noise", "in any set"]
    np.float64(0.0)
    """
    checked_dataset("stability", data)
    refuse_no_search(search, "stability")
    reference, *found = on_resamples(search, data, resamples, scheme, random_state, n_jobs, store)
    return _measured(data, reference, found, Scheme(scheme))


def on_resamples(
    search: Search,
    data: Dataset,
    resamples: int,
    scheme: Scheme | str,
    random_state: int,
    n_jobs: int | None,
    store: str | Path | None,
) -> list[tuple[Names, ...]]:
    """Return the sets that a search finds in all rows, then those of each resample; see `stability`."""
    checked_integer("resamples", resamples, 2)
    if scheme == Scheme.PAIRS and resamples % 2:
        raise ArgumentError(f"resamples={resamples}: complementary pairs need an even number of halves")
    checked_integer("random_state", random_state, 0)
    try:
        drawn = Scheme(scheme)
    except ValueError as fault:
        raise ArgumentError(f"scheme={scheme!r}; use {listing(Scheme)}") from fault
    tasks = Numbered(resamples, first={"all rows": -1})
    kept = stored(store, "stability", search, data, drawn, random_state)
    task = _Resample(search, data, drawn, random_state)
    return [sets_of(sets) for sets in run(task, tasks, kept, n_jobs, "resample").values()]


def _measured(
    data: Dataset,
    reference: tuple[Names, ...],
    found: list[tuple[Names, ...]],
    scheme: Scheme,
) -> Stability:
    """Combine what resamples had; a resample without sets counts as one of an empty first set."""
    held = [membership(sets, data.features) for sets in found]
    first = [membership(sets[:1] or ((),), data.features) for sets in found]
    return Stability(
        data.features,
        reference,
        tuple(found),
        scheme.value,
        nogueira(np.concatenate(first)),
        stability_of_collections(first),
        stability_of_collections(held),
        data.target,
        len(data.y),
        data.fingerprint,
        versions_of(),
    )


@dataclass(frozen=True)
class _Resample:
    """Searches one resample."""

    search: Search
    data: Dataset
    scheme: Scheme
    random_state: int

    def __call__(self, number: int) -> list[list[str]]:
        data = self.data if number < 0 else subset(self.data, self.rows(number), self.data.features)
        sets = checked_sets(search_rows(self.search, data))
        refuse_unknown(sets, self.data)
        return [list(names) for names in sets]

    def rows(self, number: int) -> IntArray:
        """Draw the rows of a resample; again if its target has one value only."""
        if self.scheme is Scheme.PAIRS:
            return self._half(number)
        random, count = np.random.default_rng((self.random_state, number)), len(self.data.y)
        for _ in range(TRIES):
            if self.scheme is Scheme.BOOTSTRAP:
                rows = random.integers(0, count, count)
            else:
                rows = random.choice(count, count // 2, replace=False)
            if self.data.y.iloc[rows].nunique() > 1:
                return np.sort(rows)
        raise self._too_rare()

    def _half(self, number: int) -> IntArray:
        """Draw a pair of halves, again if the target has one value only in either; return one of them."""
        random, half = np.random.default_rng((self.random_state, number // 2)), len(self.data.y) // 2
        for _ in range(TRIES):
            order = random.permutation(len(self.data.y))
            halves = order[:half], order[half : 2 * half]
            if all(self.data.y.iloc[rows].nunique() > 1 for rows in halves):
                return np.sort(halves[number % 2])
        raise self._too_rare()

    def _too_rare(self) -> DataError:
        return DataError(
            f"the target {self.data.target!r} has one value only in {TRIES} draws; it is too rare"
        )
