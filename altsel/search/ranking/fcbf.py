"""The fast correlation-based filter (FCBF), as its authors search."""

from __future__ import annotations

import time

import numpy as np

from altsel._types import FloatArray
from altsel.data.dataset import Dataset
from altsel.data.scanning import Scan
from altsel.errors import flags, no_negative
from altsel.results.feature_set import Step
from altsel.results.solutions import Solutions
from altsel.results.stop import Stop
from altsel.search.ranking.greedy import NOISE, solutions
from altsel.stats.discrete.information import information_of
from altsel.stats.independence.protocol import rounded


def fcbf(
    data: Dataset | Scan,
    *,
    delta: float = 0.0,
    normalised: bool = True,
    bins: int | None = None,
    debiased: bool = True,
) -> Solutions:
    """Keep relevant features that no more relevant one makes redundant (the original heuristic).

    Features with relevance above delta come by descending relevance; each one kept removes every
    later Y with ``SU(X, Y) >= SU(Y, C)``. UV states it with mutual information in place of
    symmetric uncertainty: ``normalised=False``. The exact criterion of a whole set is `altsel.FCBF`.
    Both are less what chance gives, as `altsel.measures.symmetric_uncertainty` is: a category of many
    levels is kept, and removes others, for more than that only.

    Parameters
    ----------
    data
        The table; numbers are cut into `bins` bins of equal frequency.
    delta
        Relevance must exceed it, at least 0.
    normalised
        Symmetric uncertainty, else mutual information in nats.
    bins
        Number of bins; default: 5, or those of a scan.
    debiased
        Whether what chance gives is subtracted; if not, plug-in estimates, as its authors have.

    Returns
    -------
    Solutions
        One set of whatever size; the path has the relevances.

    References
    ----------
    Yu and Liu, Journal of Machine Learning Research 5 (2004); Yu, Liu and Li (2021), section 5.2.1.

    Examples
    --------
    >>> import altsel
    >>> data = altsel.Dataset({"a": [0, 0, 1, 1] * 9, "less": [0, 1, 1, 1] * 9}, [0, 0, 1, 1] * 9)
    >>> fcbf(data)[0].features
    ('a',)
    """
    began = time.perf_counter()
    no_negative("delta", delta)
    flags(normalised=normalised, debiased=debiased)
    information = information_of(data, bins, debiased)

    def measured(shared: FloatArray, entropy: float, chance: FloatArray | None) -> FloatArray:
        total = information.entropies + entropy
        if not normalised:
            return shared
        if chance is not None:
            total = total - 2 * chance
        return 2 * np.divide(shared, total, out=np.zeros_like(shared), where=total > NOISE)

    relevance = measured(information.relevance, information.target_entropy, information.target_chance)
    left = np.flatnonzero(relevance > max(delta, NOISE))
    left = left[np.argsort(-rounded(relevance[left]), kind="stable")]
    path: list[Step] = []
    while len(left):
        best, left = int(left[0]), left[1:]
        path.append(Step(data.features[best], float(relevance[best])))
        if len(left):
            redundancy = measured(
                information.with_feature(best),
                float(information.entropies[best]),
                information.chance_with(best),
            )
            left = left[rounded(redundancy[left]) < rounded(relevance[left])]
    what = "symmetric uncertainty" if normalised else "mutual information"
    title = f"FCBF ({what}{', debiased' * debiased}), delta={delta:g}"
    return solutions(data, path, Stop.COUNT, title, began)
