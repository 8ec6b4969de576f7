"""What every feature is to the target when there are several solutions."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from math import log

from altsel.errors import ArgumentError, level
from altsel.results.solutions import Solutions
from altsel.results.taxonomy import FeatureClass, FeatureReport, Relevance, Taxonomy
from altsel.stats.independence import Independence
from altsel.stats.independence.protocol import LeaveOneOut, one_by_one

logger = logging.getLogger("altsel.taxonomy")

FEW = 60
"""Features up to which each is tested given all others."""


def taxonomy(found: Solutions, test: Independence | None = None, alpha: float = 0.05) -> Taxonomy:
    """Return of every feature whether it is indispensable, replaceable, redundant or irrelevant.

    A feature in no solution is redundant if a test finds it dependent in some context: given nothing,
    given a solution, or given the first one without one feature; p is multiplied by the number of a
    feature's contexts (Bonferroni), which are tested until it is at most alpha. All sets cannot be
    tested, so *irrelevant* is as far as these contexts show. Strong relevance is a test given all
    other features, where there are at most 60 of them and the rows suffice; otherwise it follows from
    the class, as TMFBS section 3 relates the two.

    Parameters
    ----------
    found
        The solutions of any search.
    test
        A test bound to the same target; without one, features in no solution are not distinguished.
    alpha
        Level of the tests.

    Returns
    -------
    Taxonomy

    Raises
    ------
    ArgumentError
        If there are no solutions, alpha is no level, or the test has another target.

    References
    ----------
    Borboudakis and Tsamardinos (2021), section 3; John, Kohavi and Pfleger, ICML (1994).

    Examples
    --------
    >>> import networkx as nx
    >>> import altsel
    >>> graph = nx.DiGraph([("cause", "y"), ("far", "cause"), ("y", "effect")])
    >>> test = altsel.independence.DSeparation(graph, "y")
    >>> result = taxonomy(altsel.blankets.tmfbs(test), test)
    >>> {report.feature: report.feature_class.value for report in result}
    {'cause': 'indispensable', 'far': 'redundant', 'effect': 'indispensable'}
    """
    if not found.sets:
        raise ArgumentError("there are no solutions to tell the features by")
    level("alpha", alpha)
    if test is not None and found.target is not None and test.target != found.target:
        raise ArgumentError(f"the solutions are for {found.target!r}, the test is of {test.target!r}")
    message = {} if test is None else _evidence(test, _contexts(found), alpha)
    strong = _given_all_others(test)
    reports = []
    for name in found.universe:
        share = sum(name in subset for subset in found) / len(found)
        log_p, given = message.get(name, (None, ()))
        feature_class = _feature_class(share, log_p, alpha)
        relevance = _relevance(strong.get(name), alpha, feature_class)
        reports.append(FeatureReport(name, feature_class, relevance, share, log_p, given))
    return Taxonomy(tuple(reports), alpha, found.stop.value in {"exhausted", "infeasible"})


def _contexts(found: Solutions) -> list[tuple[str, ...]]:
    """Nothing, every solution, and the first one without each of its features."""
    reference = found[0].features
    smaller = [tuple(name for name in reference if name != left) for left in reference]
    contexts: dict[frozenset[str], tuple[str, ...]] = {}
    for context in ((), *(subset.features for subset in found), *smaller):
        contexts.setdefault(frozenset(context), context)
    return list(contexts.values())


def _evidence(
    test: Independence, contexts: Sequence[tuple[str, ...]], alpha: float
) -> dict[str, tuple[float, tuple[str, ...]]]:
    """Find the smallest p of every feature over contexts, times their number, until it is at most alpha."""
    counts = {name: sum(name not in context for context in contexts) for name in test.features}
    best: dict[str, tuple[float, tuple[str, ...]]] = {}
    for feature_class, context in enumerate(contexts):
        shown = {name for name, (log_p, _) in best.items() if log_p <= log(alpha)}
        names = [name for name in test.features if name not in context and name not in shown]
        if not names:
            continue
        logger.info("context %d of %d: %d features", feature_class + 1, len(contexts), len(names))
        answers = test(names, context)
        for name, log_p, tested in zip(names, answers.log_p.tolist(), answers.tested.tolist(), strict=True):
            adjusted = min(log_p + log(counts[name]), 0.0)
            if tested and (name not in best or adjusted < best[name][0]):
                best[name] = (adjusted, context)
    return best


def _feature_class(share: float, log_p: float | None, alpha: float) -> FeatureClass:
    if share == 1:
        return FeatureClass.INDISPENSABLE
    if share > 0:
        return FeatureClass.REPLACEABLE
    if log_p is None:
        return FeatureClass.OUTSIDE
    return FeatureClass.REDUNDANT if log_p <= log(alpha) else FeatureClass.IRRELEVANT


def _given_all_others(test: Independence | None) -> dict[str, float]:
    """Log p of every feature given all others, where that can be tested at a reasonable cost."""
    if test is None or len(test.features) > FEW:
        return {}
    answers = (
        test.leave_one_out(test.features)
        if isinstance(test, LeaveOneOut)
        else one_by_one(test, test.features)
    )
    rows = zip(answers.candidates, answers.log_p.tolist(), answers.tested.tolist(), strict=True)
    return {name: log_p for name, log_p, tested in rows if tested}


def _relevance(log_p: float | None, alpha: float, feature_class: FeatureClass) -> Relevance:
    """Go by the test given all others; where that was not made, by the class."""
    if log_p is not None and log_p <= log(alpha):
        return Relevance.STRONG
    if log_p is not None:
        weak = feature_class not in {FeatureClass.IRRELEVANT, FeatureClass.OUTSIDE}
        return Relevance.WEAK if weak else Relevance.IRRELEVANT
    return {
        FeatureClass.INDISPENSABLE: Relevance.STRONG,
        FeatureClass.REPLACEABLE: Relevance.WEAK,
        FeatureClass.REDUNDANT: Relevance.WEAK,
        FeatureClass.IRRELEVANT: Relevance.IRRELEVANT,
        FeatureClass.OUTSIDE: Relevance.UNKNOWN,
    }[feature_class]
