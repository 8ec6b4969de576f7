"""Choose a test by the kinds of the columns."""

from __future__ import annotations

from altsel.data.dataset import Dataset
from altsel.data.scanning import Scan, Statistics
from altsel.data.scanning.scan import refuse_rows
from altsel.data.schema import Kind
from altsel.stats.discrete.scanned import scanned_columns
from altsel.stats.independence.cox import CoxRatio
from altsel.stats.independence.cox_score import CoxScore
from altsel.stats.independence.g_square import GSquare
from altsel.stats.independence.likelihood_ratio import LikelihoodRatio
from altsel.stats.independence.partial_correlation import PartialCorrelation
from altsel.stats.independence.protocol import Independence
from altsel.stats.independence.robust_score import RobustScore
from altsel.stats.independence.rows import Given, rows_or_scan


def auto(
    data: Dataset | Scan | Statistics, *, weights: Given = None, groups: Given = None, event: Given = None
) -> Independence:
    """Choose the usual test for a table.

    ==================== ================================== ===========================================
    target               features                           test
    ==================== ================================== ===========================================
    time to an event     any                                `CoxRatio`, `CoxScore`
    ordinal              any                                `LikelihoodRatio`, `ProportionalOdds`
    classes              all discrete                       `GSquare`
    count                any                                `LikelihoodRatio`, `Poisson` or
                                                            `NegativeBinomial`
    number               all numbers, or of two values      `PartialCorrelation`
    classes or number    anything else                      `LikelihoodRatio`
    ==================== ================================== ===========================================

    Discrete are categories, columns of two values, and integers of at most 20 values. A target is ordinal
    if it holds ordered categories or is declared so, a count only if it is declared so
    (``kinds={"y": "count"}``; other integers are numbers): Fisher's index of dispersion then chooses the
    family, see `family_of_counts`. With groups it is always `RobustScore`, by regressions of the same
    families. A target is a time to an event if `event` is given; with groups it is tested by `CoxScore`.

    Parameters
    ----------
    data
        The table, or a scan, for which a likelihood ratio, which needs rows, is replaced by `GSquare` if
        all columns have counts (discrete, or cut into ``bins=``), else by an error.
    weights, groups
        Frequency weights, and which rows belong together: names of columns, which then are no features, or
        arrays of shape (rows,); see `LikelihoodRatio` and `RobustScore`.
    event
        Whether the event was seen at the time that is the target: the same; see `CoxRatio`.

    Returns
    -------
    Independence
        A test bound to the data's target, with its default options.

    Examples
    --------
    >>> import altsel
    >>> auto(altsel.Dataset({"a": [0.5, 1.5, 2.5, 4.5] * 3}, [0, 0, 1, 1] * 3)).name
    'likelihood-ratio test (logistic or multinomial regression)'
    """
    if event is not None:
        return _of_times(data, event, weights, groups)
    rows = rows_or_scan(data, weights, groups)
    table, counts = rows.data, rows.counts
    if isinstance(table, (Scan, Statistics)):
        return _of_scan(table)
    if rows.groups is not None:
        return RobustScore(table, rows.groups, weights=counts)
    modelled = table.target_kind in {Kind.ORDINAL, Kind.COUNT}
    if not modelled and table.discrete_target and table.discrete().all():
        return GSquare(table, weights=counts)
    unordered = {Kind.CATEGORICAL, Kind.ORDINAL}
    numbers = not table.discrete_target and not unordered.intersection(table.kinds.values())
    if numbers and not modelled:
        return PartialCorrelation(table, weights=counts)
    return LikelihoodRatio(table, weights=counts)


def _of_times(data: Dataset | Scan | Statistics, event: Given, weights: Given, groups: Given) -> Independence:
    """Choose a test of times to an event."""
    if not isinstance(data, Dataset):
        return refuse_rows("a test of times to an event")
    if groups is None:
        return CoxRatio(data, event, weights=weights)
    return CoxScore(data, event, groups=groups, weights=weights)


def _of_scan(scan: Scan | Statistics) -> Independence:
    """Choose a test that counts or moments suffice for."""
    counted = bool((scan.layout.sizes > 0).all())
    unordered = {Kind.CATEGORICAL, Kind.ORDINAL}
    if scan.target_kind not in {Kind.ORDINAL, Kind.COUNT}:
        if not scan.discrete_target and not unordered.intersection(scan.kinds.values()):
            return PartialCorrelation(scan)
        if counted and isinstance(scan, Scan):
            return GSquare(scan)
        if counted:
            scanned_columns(scan, "the G-square test")  # raises: there are no counts of three columns
    return refuse_rows(
        "a likelihood-ratio test, which such kinds of columns call for unless numbers are cut (bins=5),"
    )
