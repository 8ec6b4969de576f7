"""G-square of many candidates, straight from the rows: no table of all candidates is made."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.stats.discrete.compiled import LOOPS
from altsel.stats.discrete.counts import FEW_GROUPS, Columns
from altsel.stats.discrete.mean_loop import known_means
from altsel.stats.discrete.strata_loop import Candidates, Target

TEST, ROW = 2.5e-5, 1e-8
"""CPU seconds that a test takes about by tables without numba, and besides for each row."""
SINGLE = 4
"""Up to so many candidates at once are counted row by row also in few groups."""


def g_tests(
    columns: Columns, indices: IntArray, goal: int, given: Sequence[int], corrected: bool
) -> FloatArray | None:
    """Compute G-square and its degrees of freedom in the strata of the given columns.

    Parameters
    ----------
    columns
        The data.
    indices, goal, given
        Places of the candidates, the target and the given columns.
    corrected
        Whether what `Tables.g_square_by_margins` returns is wanted too.

    Returns
    -------
    array of shape (2 or 5, candidates), or None
        As of `Tables.g_tests`; None where tables are the better way: without numba, and for many candidates
        in few groups of rows.
    """
    strata, number = columns.strata(given)
    classes = int(columns.levels[goal])
    few = number * classes <= FEW_GROUPS and len(indices) > SINGLE
    kernels = None if few else LOOPS.after(len(indices) * (TEST + ROW * columns.rows))
    if kernels is None:
        return None
    found = np.empty((5 if corrected else 2, len(indices)))
    target = Target(columns.codes[goal], classes, strata.astype(np.int32, copy=False), number)
    candidates = Candidates(columns.codes, columns.levels, columns.all_starts, *columns.rare)
    kernels.g_tests_by_strata(target, candidates, indices, known_means(columns.logs), found)
    return found
