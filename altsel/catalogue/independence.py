"""Tests of independence by their names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import altsel
from altsel.errors import ArgumentError, listing
from altsel.runtime.entries import Entry, Table

Test = Any
"""`altsel.independence.Independence`, which takes long to import."""


def _of_cells(  # noqa: PLR0913  (options of a test)
    table: altsel.Dataset,
    *,
    kind: str,
    random_state: int = 0,
    weights: Any = None,
    groups: Any = None,
    samples_per_cell: float | None = None,
    untestable: Any = None,
    expected_counts: bool | None = None,
) -> Test:
    """Return a test of contingency tables, of clustered rows by permutations; auto: the usual test."""
    known = altsel.independence
    rows = {"weights": weights, "groups": groups}
    if kind == "auto":
        usual = known.auto(table, **rows)
        if groups is not None or not isinstance(usual, known.GSquare):
            return usual
        kind = "GSquare"
    drawn = known.Permutations(random_state=random_state)
    told = {
        "samples_per_cell": samples_per_cell,
        "untestable": untestable,
        "expected_counts": expected_counts,
        "permutations": None if groups is None else drawn,
    }
    given = {name: value for name, value in told.items() if value is not None}
    return getattr(known, kind)(table, fallback=drawn, **rows, **given)


def _of_numbers(table: altsel.Dataset, *, kind: str, weights: Any = None, **options: Any) -> Test:
    """Return a test that takes weights, and no groups."""
    return getattr(altsel.independence, kind)(table, weights=weights, **options)


def _by_regression(
    table: altsel.Dataset, *, family: str | None = None, weights: Any = None, groups: Any = None
) -> Test:
    """Return the likelihood ratio of regressions; of clustered rows their robust score."""
    known = altsel.independence
    made = None if family is None else getattr(known, family)()
    if groups is None:
        return known.LikelihoodRatio(table, family=made, weights=weights)
    return known.RobustScore(table, groups, family=made, weights=weights)


TESTS = Table(
    "test of independence",
    "altsel.independence",
    (
        Entry("auto", _of_cells, {"kind": "auto"}),
        Entry("g2", _of_cells, {"kind": "GSquare"}),
        Entry("chi2", _of_cells, {"kind": "ChiSquare"}),
        Entry("trend", _of_numbers, {"kind": "Trend"}),
        Entry("partial-correlation", _of_numbers, {"kind": "PartialCorrelation"}),
        Entry("spearman", _of_numbers, {"kind": "PartialCorrelation", "ranks": True}),
        Entry("likelihood-ratio", _by_regression),
        Entry("poisson", _by_regression, {"family": "Poisson"}),
        Entry("negative-binomial", _by_regression, {"family": "NegativeBinomial"}),
        Entry("robust-score", "altsel.independence:RobustScore"),
        Entry("gcm", "altsel.independence:GeneralisedCovariance"),
        Entry("wgcm", "altsel.independence:GeneralisedCovariance", {"weighting": "signs"}),
        Entry("pcm", "altsel.independence:ProjectedCovariance"),
        Entry("kernel", "altsel.independence:kernel"),
        Entry("predictive", "altsel.independence:PredictivePermutation"),
    ),
    page="reference/independence",
)
"""What makes a test of a data set, with ``random_state``, ``weights`` and ``groups`` if it takes them."""
PREDICTIVE = "predictive"


def independence_test(
    name: str,
    table: altsel.Dataset,
    seed: int,
    predictive: Mapping[str, Any] | None = None,
    rows: Mapping[str, Any] | None = None,
    **cells: Any,
) -> altsel.independence.Independence:
    """Return the test of a name.

    Parameters
    ----------
    name, table, seed
        The test, its data, and the seed of everything random.
    predictive, cells
        Options of predictive tests, and of tests of contingency tables; None: the test's default.
    rows
        Names of the columns that say how often rows count, and which belong together: ``weights`` and
        ``groups``.

    Raises
    ------
    ArgumentError
        If the test takes no weights, or rows for independent.
    """
    entry, rows = TESTS[name], rows or {}
    for what in rows:
        if not entry.takes(what):
            able = listing(sorted(heeding(what)), 9)
            raise ArgumentError(f"--{what}: the test {name} takes no {what}; use --test with one of {able}")
    options = {"random_state": seed, **rows, **cells, **((predictive or {}) if name == PREDICTIVE else {})}
    made = entry.make(table, **{option: value for option, value in options.items() if entry.takes(option)})
    if entry.package and not isinstance(made, altsel.independence.Independence):
        raise entry.refused(f"gives a {type(made).__name__}, which is no altsel.independence.Independence")
    return made  # type: ignore[no-any-return]


def heeding(what: str) -> set[str]:
    """Return the names of altsel's own tests that take ``"weights"`` or ``"groups"`` of rows.

    Examples
    --------
    >>> sorted(heeding("weights") - heeding("groups"))
    ['partial-correlation', 'spearman', 'trend']
    """
    return {name for name, entry in TESTS.own.items() if entry.takes(what)}
