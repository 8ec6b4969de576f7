"""Whether a search selects the same again: features, sets and the whole collection, on resampled rows."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from altsel.analysis.repeated_search import (
    Search,
    refuse_no_search,
    refuse_unknown,
    search_rows,
    sets_of,
    stored,
)
from altsel.analysis.resampling import Resampling, Scheme, checked_resampling
from altsel.data.dataset import Dataset, checked_dataset
from altsel.parallel import Numbered, run
from altsel.results.sets import Names, checked_sets
from altsel.results.stability import Stability
from altsel.runtime.versions import versions_of
from altsel.stats.stability import membership, nogueira, stability_of_collections


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
    rows = checked_resampling(data, resamples, scheme, random_state)
    tasks = Numbered(resamples, first={"all rows": -1})
    kept = stored(store, "stability", search, data, rows.scheme, random_state)
    return [sets_of(sets) for sets in run(_Searched(search, rows), tasks, kept, n_jobs, "resample").values()]


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
class _Searched:
    """Searches one resample."""

    search: Search
    rows: Resampling

    def __call__(self, number: int) -> list[list[str]]:
        sets = checked_sets(search_rows(self.search, self.rows[number]))
        refuse_unknown(sets, self.rows.data)
        return [list(names) for names in sets]
