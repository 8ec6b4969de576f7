"""The best Markov blankets by any linear criterion, without listing the others: implicit hitting sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import inf, isfinite

from altsel.errors import checked_integer, of_kind
from altsel.results.feature_set import FeatureSet, Proof
from altsel.results.solutions import Solutions
from altsel.search.blankets.all.certificate import Certificate, conclude
from altsel.search.blankets.all.cheaper import cheaper
from altsel.search.blankets.all.collection import begun
from altsel.search.blankets.all.costs import Given, InOrder, checked_costs
from altsel.search.blankets.all.sufficiency import Sufficiency
from altsel.search.blankets.all.template import Template, one_blanket
from altsel.search.blankets.limits import Limits
from altsel.stats.equivalence.criterion import Equivalent
from altsel.stats.independence.protocol import Independence

ROUNDS = 10
"""How often a search goes on after a removal that it rests on was refuted; then it is heuristic."""


def best(
    test: Independence,
    costs: Given | Sequence[Given] | None = None,
    alpha: float = 0.05,
    *,
    number: int = 1,
    equivalent: Equivalent | None = None,
    template: Template | None = None,
    limits: Limits | None = None,
) -> Solutions:
    """Find the blankets that cost least, proved, without listing the others.

    ``min_B sum_{j in B} c_j`` over all Markov blankets B that keep the rules. Every blanket has a feature of
    each *failed removal*, a set of features without which no blanket is left. So:

    1. Find a set x that costs less than the best blanket known, about the least, keeps the rules, has a
       feature of each failed removal known, and contains no blanket known. If there is none, that is the
       best.
    2. Search for a blanket inside x, and go on at 1.
    3. If there is none, the features outside x are a failed removal; give features back as long as there is
       still no blanket, and go on at 1.

    Parameters
    ----------
    test
        A test bound to the target.
    costs
        Cost of each feature, of all that could be in a blanket; several: the second decides between blankets
        of the same cost by the first, and so on. Default: 1 for each, so that the smallest blanket is
        best. Costs below 0 are gains: then more sets have to be looked at. Sums are exact at any scale, a
        float being the decimal number that it prints as: 1e9 may stand for "never".
    alpha
        Level of the tests.
    number
        How many blankets, the best first.
    equivalent, template
        As in `tmfbs`.
    limits
        Limits, features forced in or left out, and domain constraints; ``max_states`` limits the searches.

    Returns
    -------
    Solutions
        The best blanket, then the second best, and so on; ``score`` is minus the (first) cost, ``bound``
        minus what every other blanket costs at least. ``proof`` is ``OPTIMAL`` where the failed removals that
        prove it are confirmed by tests (``dual``), else ``HEURISTIC``; ``FEASIBLE`` if a limit ended the
        search, with a bound if tests confirmed what it rests on. ``stop`` is ``COUNT``; ``EXHAUSTED`` if
        there are fewer blankets, ``INFEASIBLE`` if no blanket keeps the rules, otherwise the limit.

    Raises
    ------
    ArgumentError
        If alpha, the limits, a rule or a cost is wrong, or a feature has no cost.

    References
    ----------
    Moreno-Centeno and Karp (2013), The implicit hitting set approach; Borboudakis and Tsamardinos (2021) for
    blankets and their equivalence.

    Examples
    --------
    >>> import numpy as np, altsel
    >>> random = np.random.default_rng(0)
    >>> a, b, noise = random.normal(size=(3, 500))
    >>> data = altsel.Dataset({"a": a, "b": b, "a, by mail": 2 * a}, a + b + noise)
    >>> test = altsel.independence.PartialCorrelation(data)
    >>> found = best(test, {"a": 5, "b": 2, "a, by mail": 1})
    >>> found[0].features, found[0].score, found[0].proof.value
    (('b', 'a, by mail'), -3.0, 'optimal')
    """
    of_kind("template", template, Template | None, "altsel.blankets.mmpc_template(), say")
    checked_integer("number", number, 1)
    search, family = begun(test, alpha, equivalent, limits)
    priced = checked_costs(costs, search)
    learn = partial(one_blanket, search, template or Template())
    hunt = Hunt(Certificate(Sufficiency(search, family, learn)), priced, number)
    with search.limited():
        family.must_be_possible()
        hunt.search()
    return hunt.solutions()


@dataclass
class Hunt:
    """A search for the best blankets: what is known, and what all others cost at least."""

    certificate: Certificate
    costs: InOrder
    number: int

    def __post_init__(self) -> None:
        self.sufficiency = self.certificate.sufficiency
        self.family, self.limited = self.certificate.family, self.certificate.search
        self.least = -inf  # cost of blankets that are not known
        self.stands = False

    def search(self) -> None:
        """Find the best blankets, and confirm what proves it; go on where that does not stand."""
        self.sufficiency.without(frozenset())  # the reference
        self.certificate.begin()
        self.certificate.confirm()
        for _ in range(ROUNDS):
            self._search()
            if self.certificate.stands():
                self.stands = True
                return
            self.least = -inf  # it rested on what was refuted

    def _search(self) -> None:
        """Learn in sets that cost less than the last of the best known, until there is no such set."""
        while True:
            wanted = self._ranked()[: self.number]
            limit = self._cost(wanted[-1]) if len(wanted) == self.number else inf
            found = cheaper(self.family.admission, self.certificate.unknown(), self.costs.units, limit)
            self.least = found.least
            self.certificate.complete = found.least == inf and len(self.family.kept) <= self.number
            if found.names is None:
                return
            if not self.certificate.holds_blanket(found.names):
                self.certificate.confirm()  # a bound at a limit rests on it

    def _cost(self, one: FeatureSet) -> int:
        return self.costs.of(one.features)

    def _ranked(self) -> list[FeatureSet]:
        return sorted(self.family.kept, key=self._cost)

    def solutions(self) -> Solutions:
        """Build the result."""
        search, dual, ranked = self.limited, self.certificate.dual(), self._ranked()[: self.number]
        confirmed = not dual.doubts()
        proved, sure = sum(self._cost(one) <= self.least for one in ranked), self.stands and confirmed
        if proved < self.number or not ranked:
            conclude(search, dual, sure=self.stands, found=len(ranked))
        proofs = [Proof.OPTIMAL if sure else Proof.HEURISTIC] * proved
        proofs += [Proof.FEASIBLE] * (len(ranked) - proved)
        if not confirmed:
            self.least = -inf
        sets = [self._with_proof(*pair) for pair in zip(ranked, proofs, strict=True)]
        found = self.family.solutions(search, f"best blankets, number={self.number}", dual)
        return replace(found, sets=tuple(sets), criterion=f"least cost; {found.criterion}")

    def _with_proof(self, one: FeatureSet, proof: Proof) -> FeatureSet:
        """Add what a blanket costs, as a score to be maximised, and what all unknown ones cost at least."""
        cost = self.costs.first(one.features)
        least = cost if proof is Proof.OPTIMAL else min(cost, self.costs.first_at_least(self.least))
        priced = replace(one, score=0.0 - cost, proof=proof)
        if proof is Proof.HEURISTIC or not isfinite(least):
            return priced
        return replace(priced, bound=0.0 - least, gap=(cost - least) / abs(cost) if cost else None)
