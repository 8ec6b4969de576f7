"""RelaxMRMR: greedy selection that also sees redundancy of the second order."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from altsel._types import FloatArray
from altsel.data.dataset import Dataset
from altsel.results.solutions import Solutions
from altsel.search.ranking.greedy import BINS, Known, greedy


@dataclass
class Relaxed:
    """RelaxMRMR, UV eq. 44 or its original with all sums normalised; remembers ``I(X; F_j | F_i)``."""

    normalised: bool = False
    _pairs: dict[tuple[int, int], FloatArray] = field(default_factory=dict)

    def __call__(self, known: Known) -> FloatArray:
        """Score every feature."""
        if not known.selected:
            return known.relevance
        size = len(known.selected)
        among = np.zeros_like(known.relevance)
        for i in known.selected:
            for j in known.selected:
                if i != j:
                    if (j, i) not in self._pairs:
                        self._pairs[j, i] = known.information.given_feature(j, i)
                    among += self._pairs[j, i]
        conditional = np.sum(known.conditional(), axis=0)
        redundancy = np.sum(known.redundancy(), axis=0) / size
        if self.normalised:
            return np.asarray(
                known.relevance - redundancy + conditional / size - among / max(size * (size - 1), 1)
            )
        return np.asarray(known.relevance + conditional - redundancy - among / size)


def relax_mrmr(data: Dataset, k: int, *, normalised: bool = False, bins: int = BINS) -> Solutions:
    """Penalise redundancy of the second order too (UV eq. 44).

    ``I(X; C) + sum_i I(X; F_i | C) - 1/j sum_i (I(X; F_i) + sum_{l != i} I(X; F_l | F_i))``. Its
    authors normalise every sum by its number of terms: `normalised`.

    Parameters
    ----------
    data
        The table; numbers are cut into `bins` bins of equal frequency.
    k
        Number of features; the work grows with its square.
    normalised
        Whether all sums are means, as in the original.
    bins
        Number of bins.

    Returns
    -------
    Solutions
        As `greedy`.

    References
    ----------
    Vinh, Zhou, Chan and Bailey, Pattern Recognition 53 (2016).

    Examples
    --------
    >>> import altsel
    >>> data = altsel.Dataset({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1]}, [0, 0, 1, 1])
    >>> relax_mrmr(data, 2)[0].features
    ('a', 'b')
    """
    return greedy(data, Relaxed(normalised), k, name="RelaxMRMR", bins=bins)
