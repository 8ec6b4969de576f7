r"""E-values: evidence against "this feature tells nothing", and what may be selected by it.

Numbers :math:`e_1, \ldots, e_p \ge 0` are *compound* e-values if :math:`E[\sum_{j \in H_0} e_j] \le p`, where
:math:`H_0` are the features that tell nothing. Any set R, however it was chosen, whose features all have
:math:`e_j \ge p / (\alpha |R|)` has a false discovery rate of at most :math:`\alpha`:

.. math:: \frac{|R \cap H_0|}{|R|} \le \sum_{j \in R \cap H_0} \frac{\alpha e_j}{p}
   \le \frac{\alpha}{p} \sum_{j \in H_0} e_j,

and the right side does not depend on R: so it holds for the worst of all such sets at once.
"""

from __future__ import annotations

import numpy as np

from altsel._types import BoolArray, FloatArray

ROUNDING = 1e-9
"""What products such as ``0.1 * 10`` may be off by."""


def knockoff_threshold(statistics: FloatArray, level: float) -> float:
    r"""Return the smallest :math:`|W_j|` at which a run may stop, ascending; infinity if all W are 0.

    It stops at the first t with :math:`(1 + \#\{W_j \le -t\}) / \#\{W_j \ge t\} \le level`, which is the
    threshold of the knockoff filter, or where so few are left that there can be none,
    :math:`\#\{W_j \ge t\} < 1 / level`. Both are stopping times, so the e-values of either are valid; those
    of the second are small, and never 0 for all features of a run.

    Examples
    --------
    >>> knockoff_threshold(np.array([5.0, 4.0, 3.0, -2.0, 1.0]), 0.34)
    3.0
    """
    size = np.abs(statistics)
    steps = np.unique(size[size > 0])
    if not len(steps):
        return float("inf")
    ascending = np.sort(statistics)
    positive = len(ascending) - np.searchsorted(ascending, steps, side="left")
    negative = np.searchsorted(ascending, -steps, side="right")
    found = positive * level >= 1 + negative - ROUNDING
    too_few = positive * level < 1 - ROUNDING
    stops = np.flatnonzero(found | too_few)
    return float(steps[stops[0]]) if len(stops) else float("inf")


def knockoff_e_values(statistics: FloatArray, level: float) -> FloatArray:
    r"""Return :math:`e_j = p \, 1\{W_j \ge T\} / (1 + \#\{W_k \le -T\})` of one run of knockoffs.

    Examples
    --------
    >>> knockoff_e_values(np.array([5.0, 4.0, 3.0, -2.0, 1.0]), 0.34).tolist()
    [5.0, 5.0, 5.0, 0.0, 0.0]
    """
    threshold = knockoff_threshold(statistics, level)
    worth = len(statistics) / (1 + np.count_nonzero(statistics <= -threshold))
    return np.where(statistics >= threshold, worth, 0.0)


def q_values(e_values: FloatArray) -> FloatArray:
    r"""Return the smallest level at which e-BH selects each feature, 1 if at none below.

    With :math:`e_{(1)} \ge e_{(2)} \ge \ldots` it is :math:`\min_{l \ge k} p / (l \, e_{(l)})` of the k-th.

    Examples
    --------
    >>> q_values(np.array([40.0, 0.0, 10.0, 25.0])).round(3).tolist()
    [0.08, 1.0, 0.133, 0.08]
    """
    order = np.argsort(-e_values, kind="stable")
    ranks = np.arange(1, len(order) + 1)
    with np.errstate(divide="ignore"):
        levels = len(order) / (ranks * e_values[order])
    found = np.empty(len(order))
    found[order] = np.minimum.accumulate(np.minimum(levels, 1.0)[::-1])[::-1]
    return found


def e_bh(e_values: FloatArray, level: float) -> BoolArray:
    r"""Select the k features of the largest e-values.

    k is the largest number with :math:`e_{(k)} \ge p / (k \, level)` (Wang and Ramdas, 2022).

    Examples
    --------
    >>> e_bh(np.array([40.0, 0.0, 10.0, 25.0]), 0.1).tolist()
    [True, False, False, True]
    """
    return np.asarray(q_values(e_values) <= level * (1 + ROUNDING))
