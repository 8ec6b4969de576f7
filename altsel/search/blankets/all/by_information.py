"""TMFBS by criteria of information theory: candidates by mRMR, JMI, CIFE or CMIM, with a stopping rule."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from altsel._types import FloatArray
from altsel.errors import ArgumentError, listing
from altsel.search.blankets.all.confirmation import confirmed
from altsel.search.blankets.all.template import Template
from altsel.search.blankets.blanket_search import BlanketSearch
from altsel.stats.independence.base import innermost
from altsel.stats.independence.g_square import ChiSquare, GSquare
from altsel.stats.independence.oracle import JointTable
from altsel.stats.independence.partial_correlation import PartialCorrelation
from altsel.stats.independence.protocol import Independence, TestResults, rounded

NO_INFORMATION = 1e-9
"""Scores of at most so many nats are not positive."""


class Stopping(StrEnum):
    """When an order by information has no candidate left.

    ``NONE_DEPENDENT``: when no candidate is dependent given all members; the independent ones are never
    selected. ``BEST_INDEPENDENT``: when the best one is independent given all members, whatever the
    others are. ``SCORE``: when no score is positive; no test is needed.

    Examples
    --------
    >>> import numpy as np
    >>> from altsel import Dataset, blankets, independence
    >>> random = np.random.default_rng(0)
    >>> a, b, c = random.normal(size=(3, 200))
    >>> data = Dataset({"a": a, "b": b, "c": c}, a - b + random.normal(size=200))
    >>> test = independence.PartialCorrelation(data)
    >>> template = blankets.information_template(stopping=Stopping.NONE_DEPENDENT)
    >>> [one.features for one in blankets.tmfbs(test, template=template)]
    [('a', 'b')]
    """

    NONE_DEPENDENT = "none_dependent"
    BEST_INDEPENDENT = "best_independent"
    SCORE = "score"


Score = Callable[[FloatArray, FloatArray], FloatArray]
"""Scores candidates by ``I(X; T)`` and ``I(X; F_i) - I(X; F_i | T)``, a row for each member, at least one."""


def _mean(relevance: FloatArray, redundancy: FloatArray) -> FloatArray:
    return np.asarray(relevance - redundancy.mean(axis=0))


def _sum(relevance: FloatArray, redundancy: FloatArray) -> FloatArray:
    return np.asarray(relevance - redundancy.sum(axis=0))


def _largest(relevance: FloatArray, redundancy: FloatArray) -> FloatArray:
    return np.asarray(relevance - redundancy.max(axis=0))


SCORES: Mapping[str, tuple[Score, bool]] = {
    "mrmr": (_mean, False),
    "jmi": (_mean, True),
    "cife": (_sum, True),
    "cmim": (_largest, True),
}
"""The score, and whether ``I(X; F_i | T)`` is subtracted from the redundancy."""


def mutual_information(test: Independence, answers: TestResults) -> FloatArray:
    """Return ``I(X; T | S)`` in nats of the answers of a test.

    Of `JointTable` it is the effect; of `GSquare` that less what chance gives, ``dof / 2n`` (Miller 1955), so
    that no number of levels is rewarded; of `PartialCorrelation` ``-log(1 - r²) / 2``, that of a normal
    distribution.

    Raises
    ------
    ArgumentError
        If the test is another one.
    """
    base = innermost(test)
    if isinstance(base, JointTable):
        return answers.statistic
    if isinstance(base, GSquare) and not isinstance(base, ChiSquare):
        return answers.effect - answers.dof / (2 * base.rows)
    if isinstance(base, PartialCorrelation):
        return np.asarray(-0.5 * np.log1p(-np.minimum(np.square(answers.effect), 1 - 1e-15)))
    raise ArgumentError(
        f"the {test.name} measures no information; an order by information takes GSquare, "
        "PartialCorrelation or JointTable"
    )


@dataclass(eq=False)
class ByInformation:
    """ORDERVARIABLES of filters: candidates by a criterion of information theory, until a rule stops them.

    Parameters
    ----------
    criterion
        ``"mrmr"``: ``I(X; T) - 1/j sum_i I(X; F_i)`` (UV eq. 33); ``"jmi"``: ``I(X; T) - 1/j sum_i
        (I(X; F_i) - I(X; F_i | T))`` (eq. 38); ``"cife"``: the same without 1/j (eq. 36); ``"cmim"``: the
        largest term instead of their mean (eq. 39).
    stopping
        The stopping rule.
    """

    criterion: str = "jmi"
    stopping: Stopping = Stopping.NONE_DEPENDENT
    _search: BlanketSearch | None = None
    _known: dict[tuple[str, bool], dict[str, float]] = field(default_factory=dict)

    def __call__(self, search: BlanketSearch) -> list[str]:
        """Name the candidates that could be selected, the best first."""
        if self._search is not search:
            self._search, self._known = search, {}
        left, members = search.open(), tuple(search.members)
        if not left:
            return []
        scores = self._scores(search, left, members)
        ranks = np.argsort(-rounded(scores), kind="stable").tolist()
        if self.stopping is Stopping.SCORE:
            return [left[j] for j in ranks if scores[j] > NO_INFORMATION]
        answers = search.results(left, members)
        search.keep(answers, members)
        dependent = answers.dependent(search.alpha).tolist()
        if self.stopping is Stopping.BEST_INDEPENDENT:
            first_out = next((i for i, j in enumerate(ranks) if not dependent[j]), len(ranks))
            return [left[j] for j in ranks[:first_out]]
        return [left[j] for j in ranks if dependent[j]]

    def _scores(self, search: BlanketSearch, left: Sequence[str], members: Sequence[str]) -> FloatArray:
        """Score the candidates given the members."""
        relevance = self._shared(search, left, search.test.target)
        if not members:
            return relevance
        score, conditional = SCORES[self.criterion]
        redundancy = np.array([self._shared(search, left, member) for member in members])
        if conditional:
            redundancy -= [self._shared(search, left, member, given_target=True) for member in members]
        return score(relevance, redundancy)

    def _shared(
        self, search: BlanketSearch, left: Sequence[str], other: str, *, given_target: bool = False
    ) -> FloatArray:
        """Look up the information that candidates share with a variable, and find out what is not known."""
        known = self._known.setdefault((other, given_target), {})
        new = [name for name in left if name not in known]
        if new:
            there = search if other == search.test.target else search.with_target(other)
            answers = there.results(new, (search.test.target,) if given_target else ())
            known.update(zip(new, mutual_information(search.test, answers).tolist(), strict=True))
        return np.array([known[name] for name in left])


def information_template(
    criterion: str = "jmi", stopping: Stopping | str = Stopping.NONE_DEPENDENT
) -> Template:
    """Build the template of TMFBS that orders candidates as mRMR, JMI, CIFE or CMIM do.

    BACKWARDPHASE is that of forward-backward selection. The criteria see pairs of features only and
    never end by themselves; what ends them here is the stopping rule, which decides what is found:

    - ``none_dependent``: the candidates are those of forward-backward selection in another order; the
      search is complete where that is, as for distributions with local composition.
    - ``best_independent``: what a filter with a test does; a blanket is lost where the best-scored
      candidate is superfluous while another is not. ``score``: lost where a score is 0 or less too early.

    As with `mmpc_template`, the search confirms assumption 1 wherever no candidate is left, and
    ``stop`` is ``HEURISTIC`` where it does not hold. With a perfect test ``EXHAUSTED`` is a proof for every
    rule.

    Parameters
    ----------
    criterion
        ``"mrmr"``, ``"jmi"``, ``"cife"`` or ``"cmim"``; see `ByInformation`.
    stopping
        ``"none_dependent"``, ``"best_independent"`` or ``"score"``; see `Stopping`.

    Raises
    ------
    ArgumentError
        If a name is unknown; in a search, if the test measures no information.

    References
    ----------
    Borboudakis and Tsamardinos (2021), section 5 (which names these filters, but no stopping rule); Brown,
    Pocock, Zhao and Luján, Journal of Machine Learning Research 13 (2012); Yu, Liu and Li (2021),
    section 5.2.

    Examples
    --------
    >>> import altsel
    >>> columns = {"a": [0, 0, 1, 1] * 30, "b": [0, 1] * 60, "code": [7, 7, 5, 5] * 30}
    >>> test = altsel.independence.GSquare(altsel.Dataset(columns, [0, 1, 2, 3] * 30))
    >>> found = altsel.blankets.tmfbs(test, template=information_template("cmim"))
    >>> [subset.features for subset in found], found.stop.value
    ([('a', 'b'), ('b', 'code')], 'exhausted')
    """
    if not isinstance(criterion, str) or criterion not in SCORES:
        raise ArgumentError(f"criterion={criterion!r}; use {listing(SCORES)}")
    try:
        rule = Stopping(stopping)
    except ValueError as fault:
        raise ArgumentError(f"stopping={stopping!r}; use {listing(Stopping)}") from fault
    name = f"{criterion}, stopping={rule.value}"
    return Template(ByInformation(criterion, rule), name=name, confirm=confirmed)
