"""What every feature is to the target, among several solutions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from enum import StrEnum
from math import exp

import pandas as pd

from altsel.errors import printable
from altsel.results.text import json_text, text_table


class FeatureClass(StrEnum):
    """What a feature is (TMFBS, definitions 6 to 9).

    ``INDISPENSABLE``: in every solution; ``REPLACEABLE``: in some; ``REDUNDANT``: in none, though it
    tells something of the target in some context; ``IRRELEVANT``: found to tell nothing in any context
    that was tested; ``OUTSIDE``: in none, and nothing was tested.
    """

    INDISPENSABLE = "indispensable"
    REPLACEABLE = "replaceable"
    REDUNDANT = "redundant"
    IRRELEVANT = "irrelevant"
    OUTSIDE = "in no solution"


class Relevance(StrEnum):
    """Classes of John, Kohavi and Pfleger (TMFBS, definitions 3 to 5); one copy makes another weak."""

    STRONG = "strongly relevant"
    WEAK = "weakly relevant"
    IRRELEVANT = "irrelevant"
    UNKNOWN = "not tested"


@dataclass(frozen=True)
class FeatureReport:
    """One feature and the evidence for its class.

    Attributes
    ----------
    feature
        Its name.
    feature_class
        Its class.
    relevance
        Its class after John, Kohavi and Pfleger.
    share
        Share of the solutions that have it.
    log_p
        Logarithm of the smallest p of the contexts tested, times the number of contexts
        (Bonferroni); contexts are tested until it is small enough. None if nothing was tested.
    given
        The context of that p.
    """

    feature: str
    feature_class: FeatureClass
    relevance: Relevance
    share: float
    log_p: float | None = None
    given: tuple[str, ...] = ()

    @property
    def p(self) -> float | None:
        """The p-value; 0 if it is too small for a float."""
        return None if self.log_p is None else exp(self.log_p)


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
    complete_products: bool

    def __iter__(self) -> Iterator[FeatureReport]:
        return iter(self.reports)

    def __getitem__(self, feature: str) -> FeatureReport:
        for report in self.reports:
            if report.feature == feature:
                return report
        raise KeyError(feature)

    def of(self, feature_class: FeatureClass | str) -> tuple[str, ...]:
        """Name the features of a class."""
        wanted = FeatureClass(feature_class)
        return tuple(report.feature for report in self.reports if report.feature_class is wanted)

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
        message = [f"{count} features {kind.value}" for kind, count in rest.items() if count]
        message += [] if self.complete_products else ["the search had not ended: there may be more solutions"]
        table = text_table(["feature", "class", "John, Kohavi, Pfleger", "in", "p"], rows, right={3, 4})
        return "\n".join([*table, *(["; ".join(message)] if message else [])])
