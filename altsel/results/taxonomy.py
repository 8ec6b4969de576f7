"""What every feature is to the target, among several solutions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import pandas as pd

from altsel.errors import listing, printable
from altsel.results.base import Result
from altsel.results.comparison import EQUIVALENT
from altsel.results.feature_report import Basis, FeatureClass, FeatureReport, Relevance
from altsel.results.feature_set import FeatureSet, Proof
from altsel.results.solutions import Solutions
from altsel.results.text import meanings, number_of, percent, text_table

AT_THE_END = (FeatureClass.IRRELEVANT, FeatureClass.OUTSIDE)
"""Classes whose features a text only counts."""

NOT_ALL = 'only the sets found count here: "indispensable" and "strongly relevant" mean "in all of them"'

NEEDED = "without members that tell nothing given the others"

UNSHOWN = '"irrelevant" means that no test has shown a dependence, which few rows may hide'

MEANT = f'"equivalent": {EQUIVALENT}'

FAMILY = "'altsel blankets' finds the sets that are equivalent"

RULED = '"forbidden" and "required" are by rules of the search, which tell nothing of a feature'

MEANINGS = {
    "in": "share of the solutions that have it",
    "p": "of independence of the target, the smallest of some contexts, corrected for their number",
}
"""What the columns of the table mean."""


@dataclass(frozen=True)
class Taxonomy(Result):
    """All features and what they are.

    Attributes
    ----------
    reports
        One a feature, in the order of the data.
    alpha
        Level of the tests.
    correction
        How p is corrected for the number of features.
    complete
        Whether a search for all solutions had found them (``stop`` is exhausted or infeasible): otherwise
        indispensable means "in all found".
    solutions
        The sets that count as solutions: all of a search for blankets; of another search the first one and
        those equivalent to it, without members that tell nothing given the others.
    equivalent, compared, sets
        How many sets are equivalent to the first, which is counted in, how many were compared with it, and
        how many there are.
    judged
        Whether the sets tell which features can be replaced: several of them are solutions, or a search for
        all solutions found one.

    Examples
    --------
    >>> import numpy as np
    >>> from altsel import Dataset, blankets, independence, taxonomy
    >>> a, b, noise = np.random.default_rng(0).normal(size=(3, 100))
    >>> data = Dataset({"a": a, "b": b, "copy": 2 * a}, a + noise)
    >>> test = independence.PartialCorrelation(data)
    >>> classes = taxonomy(blankets.tmfbs(test), test)
    >>> classes.of("replaceable"), classes.complete
    (('a', 'copy'), True)
    """

    reports: tuple[FeatureReport, ...]
    alpha: float
    complete: bool
    correction: str = "holm"
    solutions: tuple[tuple[str, ...], ...] = ()
    equivalent: int = 1
    compared: int = 1
    sets: int = 1
    judged: bool = True

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

    @property
    def contradictions(self) -> tuple[str, ...]:
        """Features that depend on the target given all others, yet are not in every solution."""
        return tuple(report.feature for report in self.reports if report.contradicted)

    def among(self, found: Solutions) -> Solutions:
        """Return the solutions that the classes rest on, of those that were classified."""
        return replace(found, sets=solutions_of(found, self.solutions))

    def notes(self) -> list[str]:
        """Report what the classes rest on where that is less than all solutions."""
        told = [RULED] if any(one.basis is Basis.RULES for one in self) else []
        if not self.judged:
            told.append(f"{self._why_not_judged()}: replaceability is not judged; {FAMILY}")
            told += [MEANT] if self.compared > 1 else []
        elif self.equivalent < self.sets or len(self.solutions) < self.equivalent:
            counts = f"{self.equivalent} of {number_of(self.sets, 'set')} equivalent to set 0"
            told.append(f"classes are by {number_of(len(self.solutions), 'solution')}: {counts}, {NEEDED}")
            told.append(MEANT)
        if self.judged and self.of(FeatureClass.UNDECIDED):
            told.append("the search was cut short: what is in no set found is not decided")
        if self.judged and not self.complete:
            told.append(NOT_ALL)
        if self.contradictions:
            names = listing(self.contradictions)
            told.append(f"check these: tests call them needed, yet some set does without: {names}")
        return told

    def _why_not_judged(self) -> str:
        if self.equivalent > 1:
            return (
                "the sets that are equivalent to set 0 differ by features that tell nothing given the others"
            )
        if self.compared > 1:
            return "no alternative is equivalent to set 0"
        if self.sets > 1:
            return "without a test no set is known to be equivalent to set 0"
        return "a single set has no alternative"

    def to_frame(self) -> pd.DataFrame:
        """Tabulate the features: both classes, share, what the class rests on, p and its context."""
        rows = [
            (
                one.feature,
                one.feature_class.value,
                one.relevance.value,
                one.share,
                one.basis.value,
                one.p,
                one.given,
                one.p_given_others,
            )
            for one in self
        ]
        names = ["feature", "class", "relevance", "share", "basis", "p", "given", "p given all others"]
        return pd.DataFrame(rows, columns=names)

    def __repr__(self) -> str:
        counts = ((len(self.of(kind)), kind.value) for kind in FeatureClass)
        shown = ", ".join(f"{count} {kind}" for count, kind in counts if count)
        return f"<Taxonomy: {shown or 'no features'}; level {self.alpha:g}>"

    def __str__(self) -> str:
        rows, rest = [], dict.fromkeys((*AT_THE_END, FeatureClass.UNDECIDED), 0)
        for one in self:
            told = one.relevance is Relevance.RELEVANT or one.share > 0
            if one.feature_class in AT_THE_END or (one.feature_class in rest and not told):
                rest[one.feature_class] += 1
                continue
            p = "" if one.p is None else f"{one.p:.2g}"
            row = [printable(one.feature), one.feature_class.value, one.relevance.value]
            rows.append([*row, percent(one.share), p])
        message = [f"{number_of(count, 'feature')} {kind.value}" for kind, count in rest.items() if count]
        message += [UNSHOWN] if rest[FeatureClass.IRRELEVANT] else []
        message += self.notes()
        head = ["feature", "class", "relevance", "in", "p"]
        table = text_table(head, rows, right={3, 4}, prose={1, 2})
        said = meanings(head, MEANINGS) if rows else []
        return "\n".join([*table, *said, *(["; ".join(message)] if message else [])])


def solutions_of(found: Solutions, sets: Sequence[Sequence[str]]) -> tuple[FeatureSet, ...]:
    """Return sets of names as feature sets, as they were found where they were."""
    known = {frozenset(one): one for one in found}
    made = [FeatureSet(tuple(names), 0.0, Proof.TESTED) for names in sets]
    return tuple(known.get(frozenset(one), one) for one in made)
