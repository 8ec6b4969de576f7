"""Which of the sets found are equivalent, by tests, with corrected p-values."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from altsel.analysis.provenance import refuse_other_data
from altsel.data.dataset import Dataset
from altsel.errors import ArgumentError, flags, level, listing
from altsel.results.equivalence import Equivalence, Pair
from altsel.results.sets import checked_sets
from altsel.results.solutions import Solutions
from altsel.stats.equivalence import (
    TOST,
    ByIndependence,
    Comprehensive,
    FrequencyModels,
    GLMModels,
    PermutedVariance,
    SetTest,
    SignFlips,
    SklearnModels,
)
from altsel.stats.independence.auto import auto
from altsel.stats.independence.g_square import GSquare

log = logging.getLogger("altsel.equivalence")
PROGRESS = 50
"""Pairs after which a comparison says where it is."""


def equivalence(
    found: Solutions | Sequence[Sequence[str]],
    tests: Dataset | Sequence[SetTest] | SetTest,
    *,
    against: int | None = 0,
    alpha: float = 0.05,
    correct: bool = True,
    other_data: bool = False,
) -> Equivalence:
    """Compare sets with one of them, or all pairs, by tests of equivalence.

    Parameters
    ----------
    found
        The sets: what any search returned, or lists of names.
    tests
        Tests of equivalence, such as ``[Comprehensive(models), TOST(models, 0.1)]``; or a table: then
        `default_tests` of it.
    against
        Index of the set all others are compared with; None: all pairs.
    alpha
        Level of each test.
    correct
        Correct p over the pairs by Holm's method, for each test by itself. It keeps down false
        differences, so more sets pass tests of a difference, and fewer those that show equivalence.
    other_data
        Whether a table is meant to be another than the one the sets were found in.

    Returns
    -------
    Equivalence
        A pair is equivalent if no test of a difference rejects, and all that show equivalence do.

    Raises
    ------
    ArgumentError
        If there are no tests, or no such set.
    DataError
        If the data lack a feature, or are others than those of the search and not said to be.

    References
    ----------
    Borboudakis and Tsamardinos (2021), section 4; Holm, Scandinavian Journal of Statistics 6 (1979).

    Examples
    --------
    >>> import numpy as np
    >>> from altsel import Dataset, equivalence
    >>> random = np.random.default_rng(0)
    >>> a, b = random.normal(size=(2, 100))
    >>> data = Dataset({"a": a, "twice": 2 * a + 1, "b": b}, a + random.normal(size=100))
    >>> equivalence([["a"], ["twice"], ["b"]], data).classes()
    ((0, 1), (2,))
    """
    if isinstance(found, Solutions) and isinstance(tests, Dataset) and not other_data:
        refuse_other_data(found, tests)
    flags(correct=correct, other_data=other_data)
    sets = checked_sets(found)
    if not sets:
        raise ArgumentError("there are no sets to compare")
    used = _checked_tests(tests)
    level("alpha", alpha)
    indices = _pairs(len(sets), against)
    comparisons = []
    for i, j in indices:
        comparisons.append(tuple(test(sets[i], sets[j]) for test in used))
        if len(comparisons) % PROGRESS == 0:
            log.info("%d of %d pairs compared", len(comparisons), len(indices))
    columns = [[row[t].p for row in comparisons] for t in range(len(used))]
    corrected = [holm(column) if correct else column for column in columns]
    pairs = []
    for (i, j), row, adjusted in zip(indices, comparisons, zip(*corrected, strict=True), strict=True):
        decided = [replace(one, p=p) for one, p in zip(row, adjusted, strict=True)]
        passed = all(comparison.equivalent(alpha) for comparison in decided)
        pairs.append(Pair(i, j, row, adjusted, passed))
    return Equivalence(sets, tuple(pairs), tuple(test.name for test in used), alpha, correct)


def _checked_tests(tests: Dataset | Sequence[SetTest] | SetTest) -> list[SetTest]:
    """Return the tests as a list, those of a table if that is given."""
    given = default_tests(tests) if isinstance(tests, Dataset) else tests
    used: list[SetTest] = list(given) if isinstance(given, Sequence) else [given]
    if not used or not all(isinstance(test, SetTest) for test in used):
        raise ArgumentError("give tests of equivalence, such as altsel.comparison.default_tests(data)")
    return used


def _pairs(number: int, against: int | None) -> list[tuple[int, int]]:
    """Pair up sets by their indices: one with all others, or each with each."""
    if against is None:
        return list(combinations(range(number), 2))
    if against not in range(number):
        raise ArgumentError(f"against={against!r}; there are the sets {listing(range(number))}")
    return [(against, i) for i in range(number) if i != against]


def default_tests(
    data: Dataset, holdout: Dataset | None = None, margin: float | None = None, random_state: int = 0
) -> tuple[SetTest, ...]:
    """Build the tests TMFBS recommends for a table: one of performance, then one of information.

    Parameters
    ----------
    data
        The rows that models are fitted to.
    holdout
        Rows that performance is judged on, as from ``data.holdout(...)``; default: the same.
    margin
        Adds `TOST`: the largest share of the first set's loss that may be lost.
    random_state
        Seed of the permutations.

    Returns
    -------
    tuple
        `PermutedVariance`; `Comprehensive` by regression, or for discrete tables `ByIndependence` with
        G-square; `TOST` if there is a margin.

    Examples
    --------
    >>> from altsel import Dataset
    >>> data = Dataset({"a": [0.5, 1.5, 2.5, 3.5] * 3}, [0.1, 1.2, 1.9, 3.3] * 3)
    >>> [test.name for test in default_tests(data, margin=0.1)]
    ['permutation variance test', 'comprehensive approach (linear)', 'TOST, margin 0.1 of the loss']
    """
    usual = auto(data)
    tabular = isinstance(usual, GSquare)
    regression = None if tabular else GLMModels(data)
    models = (
        SklearnModels(data, holdout=holdout) if holdout is not None else regression or FrequencyModels(data)
    )
    tests: list[SetTest] = [PermutedVariance(models, SignFlips(random_state=random_state))]
    tests.append(Comprehensive(regression) if regression is not None else ByIndependence(usual))
    return (*tests, *([] if margin is None else [TOST(models, margin, relative=True)]))


def holm(p: Sequence[float]) -> list[float]:
    """Correct p-values for their number by Holm's step-down method.

    ``p'_(i) = max_{j <= i} min(1, (m - j + 1) p_(j))`` for the sorted values.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    values = np.asarray(p, dtype=float)
    order = np.argsort(values, kind="stable")
    stepped = np.minimum(values[order] * np.arange(len(values), 0, -1), 1.0)
    result = np.empty(len(values))
    result[order] = np.maximum.accumulate(stepped)
    return [float(value) for value in result]
