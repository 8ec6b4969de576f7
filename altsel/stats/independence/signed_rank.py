"""Wilcoxon's signed-rank test, one-sided and exact by counting, with ties and zeros."""

from __future__ import annotations

from math import log
from typing import Any

import numpy as np

from altsel._types import FloatArray
from altsel.runtime.on_demand import OnDemand

stats: Any = OnDemand("scipy.stats")  # half a second of start-up


def log_signed_rank(differences: FloatArray) -> float:
    r"""Return ``log P(W+ <= w)``, the evidence that paired differences lie below 0.

    ``W+`` sums the ranks of ``|d|`` that belong to positive differences. Ties share their mean rank, and
    the ranks of zeros are halved between both signs (``zsplit``). Every assignment of signs to the
    differences that are not 0 is counted, by adding one doubled rank, an integer, after the other.

    Parameters
    ----------
    differences
        Paired differences, shape (n,).

    Returns
    -------
    float
        At least ``-n log 2``, and no less than that of the smallest float; 0 where nothing differs.

    References
    ----------
    Wilcoxon, Biometrics Bulletin 1 (1945); Pratt and Gibbons, Concepts of Nonparametric Theory, section 3.7.

    Examples
    --------
    >>> np.exp(log_signed_rank(np.array([-3.0, -1.0, -2.0, 0.5]))).round(4).tolist()
    0.125
    """
    doubled = np.rint(2 * stats.rankdata(np.abs(differences))).astype(np.int64)
    free = doubled[differences != 0]
    if not len(free):
        return 0.0
    reached = int(doubled[differences > 0].sum())
    share = np.zeros(int(free.sum()) + 1)  # of the assignments that reach each sum
    share[0] = 1.0
    top = 0
    for rank in free.tolist():  # in W+ or not, with the same chance
        share[: top + 1] /= 2
        share[rank : rank + top + 1] += share[: top + 1].copy()
        top += rank
    total = float(share[: reached + 1].sum())
    return min(log(max(total, np.finfo(float).tiny)), 0.0)
