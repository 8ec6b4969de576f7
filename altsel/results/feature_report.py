"""What one feature is among several solutions, and the evidence for it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import exp


class FeatureClass(StrEnum):
    """What a feature is (TMFBS, definitions 6 to 9).

    ``INDISPENSABLE``: in every solution; ``REPLACEABLE``: in some; ``REDUNDANT``: in none, though it
    tells something of the target in some context; ``IRRELEVANT``: found to tell nothing in any context
    that was tested; ``OUTSIDE``: in none, and nothing was tested; ``UNDECIDED``: the sets do not tell, as no
    other one is equivalent to the first, or as the search was cut short. ``FORBIDDEN`` and ``REQUIRED``: in
    none or in every one because a rule of the search says so, which tells nothing of the feature.

    Examples
    --------
    >>> import numpy as np
    >>> from altsel import Dataset, blankets, independence, taxonomy
    >>> a, b, noise = np.random.default_rng(0).normal(size=(3, 100))
    >>> data = Dataset({"a": a, "b": b, "copy": 2 * a}, a + noise)
    >>> test = independence.PartialCorrelation(data)
    >>> classes = taxonomy(blankets.tmfbs(test), test)
    >>> classes.of(FeatureClass.REPLACEABLE), classes.of(FeatureClass.IRRELEVANT)
    (('a', 'copy'), ('b',))
    """

    INDISPENSABLE = "indispensable"
    REPLACEABLE = "replaceable"
    REDUNDANT = "redundant"
    IRRELEVANT = "irrelevant"
    OUTSIDE = "in no solution"
    UNDECIDED = "not decided"
    FORBIDDEN = "forbidden"
    REQUIRED = "required"


class Basis(StrEnum):
    """What a class rests on: solutions found, a test of dependence in some context, a rule, or nothing."""

    SOLUTIONS = "solutions"
    TESTS = "tests"
    RULES = "rules"
    NOTHING = "nothing"


class Relevance(StrEnum):
    """Classes of John, Kohavi and Pfleger (TMFBS, definitions 3 to 5); one copy makes another weak.

    They follow from the others: strongly relevant are the indispensable features and no others, weakly
    relevant the replaceable and the redundant ones (TMFBS section 3). Of a feature that a rule forbids or
    requires tests alone tell: ``RELEVANT`` if they find it dependent, strongly or weakly.

    Examples
    --------
    >>> import numpy as np
    >>> from altsel import Dataset, blankets, independence, taxonomy
    >>> a, b, noise = np.random.default_rng(0).normal(size=(3, 100))
    >>> data = Dataset({"a": a, "b": b, "copy": 2 * a}, a + noise)
    >>> test = independence.PartialCorrelation(data)
    >>> classes = taxonomy(blankets.tmfbs(test), test)
    >>> [report.relevance.value for report in classes.reports]
    ['weakly relevant', 'irrelevant', 'weakly relevant']
    """

    STRONG = "strongly relevant"
    WEAK = "weakly relevant"
    RELEVANT = "relevant"
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
        Share of the solutions that have it; see `Taxonomy.solutions`.
    basis
        What its class rests on.
    log_p
        Logarithm of the smallest p of the contexts tested, times the number of contexts (Bonferroni), and,
        for a feature in no solution or required, corrected for the number of these; contexts are tested
        until it is small enough. None if nothing was tested.
    given
        The context of that p.
    log_p_given_others
        Logarithm of p given all other features, corrected for their number; None if not tested.
    contradicted
        Whether that p is at most alpha although the feature is not in every solution: where tests
        do not err, such a feature is indispensable.

    Examples
    --------
    >>> import numpy as np
    >>> from altsel import Dataset, blankets, independence, taxonomy
    >>> a, b, noise = np.random.default_rng(0).normal(size=(3, 100))
    >>> data = Dataset({"a": a, "b": b, "copy": 2 * a}, a + noise)
    >>> test = independence.PartialCorrelation(data)
    >>> classes = taxonomy(blankets.tmfbs(test), test)
    >>> report = classes.reports[0]
    >>> report.feature, report.feature_class.value, report.share
    ('a', 'replaceable', 0.5)
    """

    feature: str
    feature_class: FeatureClass
    relevance: Relevance
    share: float
    basis: Basis
    log_p: float | None = None
    given: tuple[str, ...] = ()
    log_p_given_others: float | None = None
    contradicted: bool = False

    @property
    def p(self) -> float | None:
        """The p-value; 0 if it is too small for a float."""
        return None if self.log_p is None else exp(self.log_p)

    @property
    def p_given_others(self) -> float | None:
        """The p-value given all other features."""
        return None if self.log_p_given_others is None else exp(self.log_p_given_others)
