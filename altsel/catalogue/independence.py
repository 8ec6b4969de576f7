"""Tests of independence by their names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from inspect import Parameter, signature
from typing import Any

import altsel
from altsel.catalogue.missing import each, is_several
from altsel.errors import ArgumentError, listing
from altsel.runtime.entries import Entry, Table

Test = Any
"""`altsel.independence.Independence`, which takes long to import."""


@dataclass(frozen=True, eq=False)
class TestEntry(Entry):
    """What makes a test of a data set: a class, a function of the data, or a function of x, y and given."""

    def load(self) -> Any:
        """Return what it stands for; of a function that returns p, what makes a `Custom` test of data."""
        return as_maker(super().load())


def as_maker(given: Any) -> Any:
    """Return what makes a test of data: a function ``(x, y, given)`` that returns p becomes a `Custom` test.

    Examples
    --------
    >>> as_maker(altsel.independence.GSquare) is altsel.independence.GSquare
    True
    """
    try:
        known = signature(given).parameters.values()
    except (TypeError, ValueError):  # a callable that tells nothing of its arguments
        return given
    places = {Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD}
    needed = [one for one in known if one.kind in places and one.default is Parameter.empty]
    if len([one for one in needed if one.name not in {"names", "kinds"}]) < OF_ARRAYS:
        return given
    return partial(_custom, function=given)


def _custom(table: altsel.Dataset, *, function: Any) -> Test:
    """Return the test of a function of x, y and given."""
    return altsel.independence.Custom(table, function)


OF_ARRAYS = 3
"""Arguments of a function that returns p: a candidate, the target, and the given features."""


def _auto(  # noqa: PLR0913  (options of a test)
    table: altsel.Dataset,
    *,
    random_state: int = 0,
    weights: Any = None,
    groups: Any = None,
    event: Any = None,
    samples_per_cell: float | None = None,
    untestable: Any = None,
    expected_counts: bool | None = None,
) -> Test:
    """Return the usual test of a table, its options those of the command."""
    known = altsel.independence
    usual = known.auto(table, weights=weights, groups=groups, event=event)
    if groups is not None or not isinstance(usual, known.GSquare):
        return usual
    return _of_cells(
        table,
        kind="GSquare",
        random_state=random_state,
        weights=weights,
        samples_per_cell=samples_per_cell,
        untestable=untestable,
        expected_counts=expected_counts,
    )


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
    """Return a test of contingency tables, of clustered rows by permutations."""
    known = altsel.independence
    drawn = known.Permutations(random_state=random_state)
    told = {
        "samples_per_cell": samples_per_cell,
        "untestable": untestable,
        "expected_counts": expected_counts,
        "permutations": None if groups is None else drawn,
    }
    given = {name: value for name, value in told.items() if value is not None}
    return getattr(known, kind)(table, fallback=drawn, weights=weights, groups=groups, **given)


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


def _of_times(table: altsel.Dataset, *, event: Any = None, weights: Any = None, groups: Any = None) -> Test:
    """Return the likelihood ratio of Cox regressions; of clustered rows their robust score."""
    known = altsel.independence
    if groups is None:
        return known.CoxRatio(table, event, weights=weights)
    return known.CoxScore(table, event, groups=groups, weights=weights)


TESTS = Table(
    "test of independence",
    "altsel.independence",
    (
        TestEntry("auto", _auto),
        TestEntry("g2", _of_cells, {"kind": "GSquare"}),
        TestEntry("chi2", _of_cells, {"kind": "ChiSquare"}),
        TestEntry("trend", _of_numbers, {"kind": "Trend"}),
        TestEntry("partial-correlation", _of_numbers, {"kind": "PartialCorrelation"}),
        TestEntry("spearman", _of_numbers, {"kind": "PartialCorrelation", "ranks": True}),
        TestEntry("likelihood-ratio", _by_regression),
        TestEntry("poisson", _by_regression, {"family": "Poisson"}),
        TestEntry("negative-binomial", _by_regression, {"family": "NegativeBinomial"}),
        TestEntry("robust-score", "altsel.independence:RobustScore"),
        TestEntry("gcm", "altsel.independence:GeneralisedCovariance"),
        TestEntry("wgcm", "altsel.independence:GeneralisedCovariance", {"weighting": "signs"}),
        TestEntry("pcm", "altsel.independence:ProjectedCovariance"),
        TestEntry("cox", _of_times),
        TestEntry("kernel", "altsel.independence:kernel"),
        TestEntry("predictive", "altsel.independence:PredictivePermutation"),
    ),
    page="reference/independence",
    objects=True,
)
"""What makes a test of data, with ``random_state``, ``weights``, ``groups``, ``event`` if it takes them."""
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
        Names of the columns that say how often rows count, which belong together, and whose event was seen:
        ``weights``, ``groups`` and ``event``.

    Raises
    ------
    ArgumentError
        If the test takes no weights or events, or rows for independent.
    """
    if is_several(table):
        if rows:
            raise ArgumentError(f"--{next(iter(rows))}: tables with gaps take none: use --missing category")
        return each(table, lambda one: independence_test(name, one, seed, predictive, **cells), "test")  # type: ignore[no-any-return]
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
    """Return the names of altsel's own tests that take ``"weights"``, ``"groups"`` or ``"event"``.

    Examples
    --------
    >>> sorted(heeding("weights") - heeding("groups"))
    ['partial-correlation', 'spearman', 'trend']
    """
    return {name for name, entry in TESTS.own.items() if entry.takes(what)}
