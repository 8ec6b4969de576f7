"""What every feature is to the target when there are several solutions."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from math import log

import pandas as pd

from altsel.errors import ArgumentError, level, printable
from altsel.results.solutions import Solutions
from altsel.results.taxonomy import FeatureClass, FeatureReport, Relevance
from altsel.results.text import json_text, text_table
from altsel.stats.independence import Independence
from altsel.stats.independence.protocol import LeaveOneOut, one_by_one

logger = logging.getLogger("altsel.taxonomy")

FEW = 60
"""Features up to which each is tested given all others."""


@dataclass(frozen=True)
class Taxonomy:
    """All features and what they are.

    Attributes
    ----------
    reports
        One a feature, in the order of the data.
    alpha
        Level of the tests.
    complete
        Whether the search had found all solutions: otherwise indispensable means "in all found".
    """

    reports: tuple[FeatureReport, ...]
    alpha: float
    complete: bool

    def __iter__(self) -> Iterator[FeatureReport]:
        return iter(self.reports)

    def __getitem__(self, feature: str) -> FeatureReport:
        for one in self.reports:
            if one.feature == feature:
                return one
        raise KeyError(feature)

    def of(self, feature_class: FeatureClass | str) -> tuple[str, ...]:
        """Name the features of a class."""
        wanted = FeatureClass(feature_class)
        return tuple(one.feature for one in self.reports if one.feature_class is wanted)

    def to_frame(self) -> pd.DataFrame:
        """Tabulate the features: class, class of John, Kohavi and Pfleger, share, p, context."""
        rows = [
            (one.feature, one.feature_class.value, one.relevance.value, one.share, one.p, one.given)
            for one in self
        ]
        return pd.DataFrame(rows, columns=["feature", "class", "relevance", "share", "p", "given"])

    def to_json(self, indent: int | None = 2) -> str:
        """Write everything as JSON."""
        return json_text(asdict(self), indent)

    def __str__(self) -> str:
        rows = []
        for one in self:
            if one.feature_class in {
                FeatureClass.INDISPENSABLE,
                FeatureClass.REPLACEABLE,
                FeatureClass.REDUNDANT,
            }:
                p = "" if one.p is None else f"{one.p:.2g}"
                row = [
                    printable(one.feature),
                    one.feature_class.value,
                    one.relevance.value,
                    f"{one.share:.0%}",
                    p,
                ]
                rows.append(row)
        rest = {kind: len(self.of(kind)) for kind in (FeatureClass.IRRELEVANT, FeatureClass.OUTSIDE)}
        told = [f"{count} features {kind.value}" for kind, count in rest.items() if count]
        told += [] if self.complete else ["the search had not ended: there may be more solutions"]
        table = text_table(["feature", "class", "John, Kohavi, Pfleger", "in", "p"], rows, right={3, 4})
        return "\n".join([*table, *(["; ".join(told)] if told else [])])


def taxonomy(found: Solutions, test: Independence | None = None, alpha: float = 0.05) -> Taxonomy:
    """Tell of every feature whether it is indispensable, replaceable, redundant or irrelevant.

    A feature in no solution is redundant if a test finds it dependent in some context: given nothing,
    given a solution, or given the first one without one feature; p is multiplied by the number of a
    feature's contexts (Bonferroni), which are asked about until it is at most alpha. All sets cannot be
    asked about, so *irrelevant* is as far as these contexts tell. Strong relevance is a test given all
    other features, where there are at most 60 of them and the rows suffice; otherwise it follows from
    the class, as TMFBS section 3 relates the two.

    Parameters
    ----------
    found
        The solutions of any search.
    test
        A test bound to the same target; without one, features in no solution are not told apart.
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
    TMFBS (paper 000), section 3; John, Kohavi and Pfleger, ICML (1994).

    Examples
    --------
    >>> import networkx as nx
    >>> import altsel
    >>> test = altsel.DSeparation(nx.DiGraph([("cause", "y"), ("far", "cause"), ("y", "effect")]), "y")
    >>> result = taxonomy(altsel.tmfbs(test), test)
    >>> {one.feature: one.feature_class.value for one in result}
    {'cause': 'indispensable', 'far': 'redundant', 'effect': 'indispensable'}
    """
    if not found.sets:
        raise ArgumentError("there are no solutions to tell the features by")
    level("alpha", alpha)
    if test is not None and found.target is not None and test.target != found.target:
        raise ArgumentError(f"the solutions are for {found.target!r}, the test is of {test.target!r}")
    told = {} if test is None else _evidence(test, _contexts(found), alpha)
    strong = _given_all_others(test)
    reports = []
    for name in found.universe:
        share = sum(name in one for one in found) / len(found)
        log_p, given = told.get(name, (None, ()))
        feature_class = _feature_class(share, log_p, alpha)
        relevance = _relevance(strong.get(name), alpha, feature_class)
        reports.append(FeatureReport(name, feature_class, relevance, share, log_p, given))
    return Taxonomy(tuple(reports), alpha, found.stop.value in {"exhausted", "infeasible"})


def _contexts(found: Solutions) -> list[tuple[str, ...]]:
    """Nothing, every solution, and the first one without each of its features."""
    reference = found[0].features
    smaller = [tuple(name for name in reference if name != left) for left in reference]
    contexts: dict[frozenset[str], tuple[str, ...]] = {}
    for context in ((), *(one.features for one in found), *smaller):
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
        test.leaving(test.features) if isinstance(test, LeaveOneOut) else one_by_one(test, test.features)
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
