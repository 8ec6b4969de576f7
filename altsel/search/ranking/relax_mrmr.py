"""RelaxMRMR: greedy selection that also sees redundancy of the second order."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from altsel._types import FloatArray
from altsel.data.dataset import Dataset
from altsel.data.scanning import Scan
from altsel.errors import flags
from altsel.results.solutions import Solutions
from altsel.search.ranking.greedy import Known, greedy


@dataclass(frozen=True)
class Relaxed:
    """RelaxMRMR, UV eq. 44 or its original with all sums normalised."""

    normalised: bool = False

    def __call__(self, known: Known) -> FloatArray:
        """Score every feature."""
        if not known.selected:
            return known.relevance
        size = len(known.selected)
        conditional = known.total(Known.conditional_with)
        redundancy = known.total(Known.redundancy_with) / size
        among = known.total(_with_earlier)
        if self.normalised:
            return np.asarray(
                known.relevance - redundancy + conditional / size - among / max(size * (size - 1), 1)
            )
        return np.asarray(known.relevance + conditional - redundancy - among / size)


def _with_earlier(known: Known, index: int) -> FloatArray:
    """``I(X; F | F_i) + I(X; F_i | F)``, summed over the features selected before F."""
    total = np.zeros_like(known.relevance)
    for earlier in known.selected[: known.selected.index(index)]:
        total += known.information.given_feature(index, earlier)
        total += known.information.given_feature(earlier, index)
    return total


def relax_mrmr(
    data: Dataset | Scan,
    k: int,
    *,
    normalised: bool = False,
    bins: int | None = None,
    debiased: bool = True,
) -> Solutions:
    """Penalise redundancy of the second order too (UV eq. 44).

    ``I(X; C) + sum_i I(X; F_i | C) - 1/j sum_i (I(X; F_i) + sum_{l != i} I(X; F_l | F_i))``. Its
    authors normalise every sum by its number of terms: `normalised`.

    Parameters
    ----------
    data, k, bins, debiased
        As for `jmi`; the work grows with the square of k.
    normalised
        Whether all sums are means, as in the original.

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
    flags(normalised=normalised)
    return greedy(data, Relaxed(normalised), k, name="RelaxMRMR", bins=bins, debiased=debiased)
