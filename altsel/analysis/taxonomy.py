"""What every feature is to the target when there are several solutions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import log
from typing import Any

from altsel.analysis.feature_evidence import (
    Evidence,
    contexts_of,
    corrected_for_number,
    evidence_in,
    given_all_others,
)
from altsel.analysis.judged_sets import JudgedSets, judged_sets
from altsel.analysis.provenance import refuse_other_test
from altsel.errors import ArgumentError, flags, level, of_kind
from altsel.results.equivalence import Equivalence
from altsel.results.feature_report import Basis, FeatureClass, FeatureReport, Relevance
from altsel.results.feature_set import Proof
from altsel.results.solutions import Solutions
from altsel.results.stop import Stop
from altsel.results.taxonomy import Taxonomy, solutions_of
from altsel.stats.corrections import Correction, correction_named
from altsel.stats.independence.protocol import Independence, checked_test

RULES = (
    (("forbid", "exclude"), FeatureClass.FORBIDDEN, 0),
    (("require", "include"), FeatureClass.REQUIRED, 1),
)
"""Words of rules and of commands, what they make of a feature, and the share of sets it then has."""


def taxonomy(
    found: Solutions,
    test: Independence | None = None,
    alpha: float = 0.01,
    *,
    correction: Correction | str = Correction.HOLM,
    equivalent: Equivalence | None = None,
    other_data: bool = False,
) -> Taxonomy:
    """Return of every feature whether it is indispensable, replaceable, redundant or irrelevant.

    Solutions are the sets of a search for all blankets, which has compared them. Of the sets of another
    search they are the first one and those that tests find equivalent to it, without members that tell
    nothing given the others; if these are not several, no set tells what can be replaced, and features are
    *not decided*. So are those in no solution of a search that was cut short.

    Features in solutions are what the solutions say. A feature in no solution is redundant if a test
    finds it dependent in some context: given nothing, given a solution, given the first one without one
    feature, or, where there are at most 60 features, given all others. p is multiplied by the number
    of a feature's contexts (Bonferroni), then corrected for the number of features in no solution, so that by
    default the probability that any irrelevant one of them is called redundant is at most alpha.
    All sets cannot be tested, so *irrelevant* is as far as these contexts show. What a rule of the search
    forbids or requires is called that, as solutions tell nothing of it; whether it is relevant is tested as
    for a feature in no solution.

    The classes of John, Kohavi and Pfleger follow: strongly relevant is what is indispensable, weakly
    relevant what is replaceable or redundant (TMFBS section 3). Where a test given all other features finds
    one that is not in every solution dependent, the report is marked as contradicted.

    Parameters
    ----------
    found
        All solutions, by `altsel.blankets.tmfbs` or `tie_star` for instance. With fewer, such as those
        that a limit left, indispensable means "in all that were found", and the result is not `complete`.
        One set alone, such as that of `iamb`, makes nothing indispensable.
    test
        A test bound to the same target; without one, features in no solution are not distinguished, nor sets
        of another search than one for blankets compared.
    alpha
        Level of the tests; .01, as of the command and the selectors.
    correction
        For the number of features: ``"holm"``, ``"benjamini-hochberg"`` or ``"none"``.
    equivalent
        Which sets are equivalent to the first: what `altsel.equivalence` returned. Default: the search has
        compared them, or tests that go with `test` do, at level .05, corrected by Holm's method.
    other_data
        Whether the test is meant to be of other data than those of the search, such as new rows.

    Returns
    -------
    Taxonomy
        A class, and what it rests on, of every feature, in the order of the data.

    Raises
    ------
    ArgumentError
        If there are no solutions, alpha is no level, the correction is another, the test is none, has
        another target or lacks a feature, or `equivalent` is of other sets.
    DataError
        If the test is of another table than the search, and that is not said to be meant.

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
    of_kind("found", found, Solutions, "the Solutions of a search")
    if not found.sets:
        raise ArgumentError("there are no solutions to tell the features by")
    level("alpha", alpha)
    correction = correction_named(correction)
    flags(other_data=other_data)
    if test is not None:
        checked_test(test)
        if found.target is not None and test.target != found.target:
            raise ArgumentError(f"the solutions are for {found.target!r}, the test is of {test.target!r}")
        if not other_data:
            refuse_other_test(found, test)
    judged = judged_sets(found, test, alpha, equivalent)
    known = replace(found, sets=solutions_of(found, judged.solutions))
    evidence, others, ruled = {}, {}, by_rules(known)
    if test is not None:
        others = given_all_others(test)
        outside = [
            name for name in test.features if name in ruled or not judged.settled or _share(name, known) == 0
        ]
        evidence = evidence_in(test, contexts_of(known), others, log(alpha / max(len(outside), 1)))
        told = corrected_for_number(
            {name: evidence[name][0] for name in outside if name in evidence}, correction
        )
        evidence |= {name: (log_p, evidence[name][1]) for name, log_p in told.items()}
        others = corrected_for_number(others, correction)
    reports = [
        _report(name, known, evidence.get(name), others.get(name), log(alpha)) for name in known.universe
    ]
    reports = [_left_open(one, judged, known, log(alpha)) for one in reports]
    reports = [
        _by_tests(one, ruled[one.feature], Basis.RULES, log(alpha)) if one.feature in ruled else one
        for one in reports
    ]
    sought = all(one.proof is Proof.TESTED for one in found)
    complete = sought and found.stop in {Stop.EXHAUSTED, Stop.INFEASIBLE}
    told_by = judged.solutions, judged.equivalent, judged.compared, len(found), judged.settled
    return Taxonomy(tuple(reports), alpha, complete, correction.value, *told_by)


def _share(name: str, found: Solutions) -> float:
    return sum(name in subset for subset in found) / len(found)


def by_rules(found: Solutions) -> dict[str, FeatureClass]:
    """Name the features that a rule of the search forbids or requires, so far as the sets keep to it."""
    ruled: dict[str, FeatureClass] = {}
    for words, feature_class, share in RULES:
        stated = _stated(found.request, words)
        for name in found.universe:
            if stated & {name, *found.members.get(name, ())} and _share(name, found) == share:
                ruled[name] = feature_class
    return ruled


def _stated(request: Mapping[str, Any], words: tuple[str, str]) -> set[str]:
    """Return the names that rules list under a word, or the option of a command."""
    rule, option = words
    command = request.get("command")
    options = command.get("options") if isinstance(command, Mapping) else None
    lists = [one.get(rule) for one in request.get("rules") or () if isinstance(one, Mapping)]
    lists += [options.get(option)] if isinstance(options, Mapping) else []
    return {name for names in lists if isinstance(names, list) for name in names}


def _report(
    name: str, found: Solutions, evidence: Evidence | None, others: float | None, level: float
) -> FeatureReport:
    """Classify a feature by the solutions; one that is in none by the tests."""
    share = _share(name, found)
    log_p, given = evidence or (None, ())
    if share > 0:
        feature_class = FeatureClass.INDISPENSABLE if share == 1 else FeatureClass.REPLACEABLE
    elif log_p is None:
        feature_class = FeatureClass.OUTSIDE
    else:
        feature_class = FeatureClass.REDUNDANT if log_p <= level else FeatureClass.IRRELEVANT
    basis = Basis.SOLUTIONS if share > 0 else Basis.NOTHING if log_p is None else Basis.TESTS
    contradicted = share < 1 and others is not None and others <= level
    return FeatureReport(
        name, feature_class, RELEVANCE[feature_class], share, basis, log_p, given, others, contradicted
    )


def _left_open(report: FeatureReport, judged: JudgedSets, known: Solutions, level: float) -> FeatureReport:
    """Take back what sets cannot tell: where none is known to stand for another, or more may be found."""
    if not judged.settled:
        report = replace(report, contradicted=False)  # by no solution
    unjudged = not judged.settled and report.feature_class is not FeatureClass.IRRELEVANT
    may_be_in_others = report.share == 0 and not known.stop.finished
    if not unjudged and not may_be_in_others:
        return report
    basis = Basis.NOTHING if report.log_p is None else Basis.TESTS
    return _by_tests(report, FeatureClass.UNDECIDED, basis, level)


def _by_tests(
    report: FeatureReport, feature_class: FeatureClass, basis: Basis, level: float
) -> FeatureReport:
    """Take back what solutions seem to tell of a feature: whether it is relevant is by tests alone."""
    tested = Relevance.RELEVANT if (report.log_p or 0.0) <= level else Relevance.IRRELEVANT
    relevance = Relevance.UNKNOWN if report.log_p is None else tested
    return replace(report, feature_class=feature_class, relevance=relevance, basis=basis, contradicted=False)


RELEVANCE = {
    FeatureClass.INDISPENSABLE: Relevance.STRONG,
    FeatureClass.REPLACEABLE: Relevance.WEAK,
    FeatureClass.REDUNDANT: Relevance.WEAK,
    FeatureClass.IRRELEVANT: Relevance.IRRELEVANT,
    FeatureClass.OUTSIDE: Relevance.UNKNOWN,
}
"""The class of John, Kohavi and Pfleger that goes with each class (TMFBS section 3)."""
