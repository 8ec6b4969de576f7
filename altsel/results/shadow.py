"""The null level: what relevance, and what score of sets, data reach in which there is nothing to find."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import floor, inf

import pandas as pd

from altsel.errors import ArgumentError, DataError, of_kind, printable
from altsel.results.base import Result
from altsel.results.solutions import Solutions
from altsel.results.text import meanings, text_table

SHOWN = 20
"""Features shown in a text; all are in the table and JSON."""

MEANINGS = {
    "null level": "what its permuted copies reach",
    "p": "share of its copies that are as relevant",
    "p, of any": "share of permutations in which the copy of any feature is",
}
"""What the columns of the table mean."""


@dataclass(frozen=True)
class ShadowedFeature:
    """A feature and its permuted copies.

    Attributes
    ----------
    feature
        Its name.
    relevance
        Its relevance.
    level
        The relevance that its own copies exceed with the probability of the level.
    p
        ``(1 + h) / (1 + m)``, where h of its m copies are at least as relevant.
    p_any
        The same with h of m permutations in which the most relevant copy of *any* feature is: the
        probability that any is, if nothing depends on the target (family-wise).

    Examples
    --------
    >>> import numpy as np
    >>> from altsel import Dataset, measures, shadow
    >>> a, b = np.random.default_rng(0).normal(size=(2, 60))
    >>> one = shadow(Dataset({"a": a, "b": b}, a), measures.absolute_pearson).features[0]
    >>> one.feature, one.relevance > one.level
    ('a', True)
    """

    feature: str
    relevance: float
    level: float
    p: float
    p_any: float


@dataclass(frozen=True)
class Shadow(Result):
    """What permuted copies reach.

    Attributes
    ----------
    features
        One entry a feature; none if no measure was given.
    largest
        Relevance of the most relevant copy in each permutation.
    scores
        Score of the best set that the search finds in each permutation, None if it finds none; empty if no
        search was given.
    level
        Probability of an error among all features, or all sets.
    measure
        Name of the measure.
    data
        Fingerprint of the data.
    criterion, sizes
        What the search optimises or tests, in words, and how many features its best sets have.

    Examples
    --------
    >>> shadow = Shadow((), (), tuple(range(19)), 0.05, "")
    >>> shadow.score_level, shadow.p_of(18), shadow.p_of(18.5)
    (18, 0.1, 0.05)
    """

    features: tuple[ShadowedFeature, ...]
    largest: tuple[float, ...]
    scores: tuple[float | None, ...]
    level: float
    measure: str
    data: str | None = None
    criterion: str | None = None
    sizes: tuple[int, ...] = ()

    @property
    def relevance_level(self) -> float | None:
        """The null level of relevances, family-wise: who exceeds it has ``p_any`` of at most `level`."""
        return critical(self.largest, self.level) if self.largest else None

    @property
    def score_level(self) -> float | None:
        """The null level of scores: a set that exceeds it has p of at most `level`; None if any set does."""
        found = [-inf if score is None else score for score in self.scores]
        level = critical(found, self.level) if found else -inf
        return None if level == -inf else level

    @property
    def above(self) -> tuple[str, ...]:
        """The features above the null level, in the order of the data."""
        return tuple(one.feature for one in self.features if one.p_any <= self.level)

    def p_of(self, score: float) -> float:
        """Return ``(1 + h) / (1 + m)`` for a set, where h of m searches of permuted targets score as well.

        Raises
        ------
        ArgumentError
            If no search was repeated.
        """
        if not self.scores:
            raise ArgumentError("no search was repeated: give altsel.shadow(data, search=...)")
        return share_at_least([-inf if one is None else one for one in self.scores], score)

    def judged(self, found: Solutions) -> Solutions:
        """Return solutions with the p of every set's score among those of permuted targets.

        Raises
        ------
        ArgumentError
            If these are no `Solutions`, as names alone have no score, or no search was repeated, or another
            one: by another criterion, or for sets of other sizes.
        DataError
            If they were found in other data.
        """
        of_kind("found", found, Solutions, "Solutions, whose sets have scores")
        self._refuse_another_search(found)
        return found.with_null([self.p_of(one.score) for one in found], len(self.scores))

    def _refuse_another_search(self, found: Solutions) -> None:
        known = found.request.get("data")
        if known is not None and self.data not in {None, known}:
            raise DataError(
                "these sets were found in other data than the permuted ones (another fingerprint)"
            )
        if self.criterion not in {None, found.criterion}:
            raise ArgumentError(
                f"the scores are of {found.criterion}, those of permuted targets of {self.criterion}; repeat "
                "the search that found these sets: altsel.shadow(data, search=...)"
            )
        wanted = found.request.get("k")
        if (
            self.sizes
            and isinstance(wanted, Sequence)
            and not wanted[0] <= min(self.sizes) <= max(self.sizes) <= wanted[1]
        ):
            raise ArgumentError(
                f"these sets have {wanted[0]} to {wanted[1]} features, those of permuted targets "
                f"{min(self.sizes)} to {max(self.sizes)}; repeat the same search"
            )

    def to_frame(self) -> pd.DataFrame:
        """Tabulate the features."""
        return pd.DataFrame(
            [asdict(one) for one in self.features], columns=["feature", "relevance", "level", "p", "p_any"]
        )

    def __repr__(self) -> str:
        of = (
            f"{len(self.above)} of {len(self.features)} features above the null level, "
            if self.features
            else ""
        )
        of += f"{len(self.scores)} searches of permuted targets, " if self.scores else ""
        return f"<Shadow: {of}level {self.level:g}>"

    def __str__(self) -> str:
        lines = []
        if self.features:
            order = sorted(self.features, key=lambda one: -one.relevance)
            rows = [
                [printable(o.feature), f"{o.relevance:.4g}", f"{o.level:.4g}", f"{o.p:.2g}", f"{o.p_any:.2g}"]
                for o in order[:SHOWN]
            ]
            head = ["feature", "relevance", "null level", "p", "p, of any"]
            lines += [self.measure, *text_table(head, rows, right={1, 2, 3, 4})]
            lines += [f"… and {len(order) - SHOWN} more features"] if len(order) > SHOWN else []
            lines += meanings(head, MEANINGS)
            most = f"the most relevant of {len(self.largest)} times permuted copies"
            lines.append(f"null level {self.relevance_level:.4g} ({most}, level {self.level:g})")
            lines.append(f"{len(self.above)} of {len(order)} features are above it")
        if self.scores:
            reached = "none" if self.score_level is None else f"{self.score_level:.6g}"
            what = f"best sets of {len(self.scores)} permuted targets, level {self.level:g}"
            lines.append(f"null level of scores {reached} ({what})")
        return "\n".join(lines)


def critical(values: Sequence[float], level: float) -> float:
    """Return the value that must be exceeded: the k-th largest of m, ``k = floor(level (m + 1))``.

    Examples
    --------
    >>> critical([1.0, 2.0, 3.0, 4.0], 0.4)
    3.0
    """
    number = floor(level * (len(values) + 1) + 1e-9)
    return sorted(values, reverse=True)[number - 1]


def share_at_least(values: Sequence[float], observed: float) -> float:
    """Return ``(1 + h) / (1 + m)`` with h of m values at least as large, but for rounding.

    Examples
    --------
    >>> share_at_least([1.0, 2.0, 3.0], 2.0)
    0.75
    """
    slack = 1e-12 * max(abs(observed), 1e-300)
    return (1 + sum(value >= observed - slack for value in values)) / (1 + len(values))
