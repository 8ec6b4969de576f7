"""The best Markov blankets by any linear criterion, without listing the others: implicit hitting sets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import inf, isfinite

from altsel.errors import ArgumentError, checked_integer, listing, of_kind
from altsel.models.given_by_feature import by_feature
from altsel.results.feature_set import FeatureSet, Proof
from altsel.results.members import costs_of_units, known_names
from altsel.results.solutions import Solutions
from altsel.results.stop import Stop
from altsel.search.blankets.all.certificate import Certificate
from altsel.search.blankets.all.collection import begun
from altsel.search.blankets.all.sufficiency import Sufficiency
from altsel.search.blankets.all.template import Template, one_blanket
from altsel.search.blankets.blanket_search import BlanketSearch
from altsel.search.blankets.limits import Limits
from altsel.stats.equivalence.criterion import Equivalent
from altsel.stats.independence.base import members_of
from altsel.stats.independence.protocol import Independence

Costs = Mapping[str, float]

ROUNDS = 10
"""How often a search goes on after a removal that it rests on was refuted; then it is heuristic."""
CLOSE = 1e-9
"""Relative difference of costs that is put down to rounding."""


def best(
    test: Independence,
    costs: Costs | Sequence[Costs] | None = None,
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

    1. Find the cheapest set x that keeps the rules, has a feature of each failed removal known, and contains
       no blanket known. Its cost is a bound on all other blankets.
    2. Search for a blanket inside x. One that costs as much as the bound is the best.
    3. If there is none, the features outside x are a failed removal; give features back as long as there is
       still no blanket, and go on at 1.

    Parameters
    ----------
    test
        A test bound to the target.
    costs
        Cost of each feature, of all that could be in a blanket; several: the second decides between blankets
        of the same cost by the first, and so on. Default: 1 for each, so that the smallest blanket is
        best. Costs below 0 are gains: then more sets have to be looked at.
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
        search. ``stop`` is ``COUNT``; ``EXHAUSTED`` if there are fewer blankets, ``INFEASIBLE`` if none keeps
        the rules, otherwise the limit that ended the search.

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
    costs: Sequence[Costs]
    number: int

    def __post_init__(self) -> None:
        self.sufficiency = self.certificate.sufficiency
        self.family, self.limited = self.certificate.family, self.certificate.search
        self.least: tuple[float, ...] = (-inf,) * len(self.costs)  # of blankets that are not known
        self.stands = False

    def search(self) -> None:
        """Find the best blankets, and confirm what proves it; go on where that does not stand."""
        self.sufficiency.without(frozenset())  # the reference
        self.certificate.begin()
        for _ in range(ROUNDS):
            self._search()
            if self.certificate.stands():
                self.stands = True
                return

    def _search(self) -> None:
        while True:
            found = self._cheapest()
            if found is None or len(self._proved()) >= self.number:
                return
            self.certificate.holds_blanket(found)

    def _cheapest(self) -> frozenset[str] | None:
        """Return the cheapest set that could be an unknown blanket, by the first cost, then the second, …."""
        within, least, names = self.certificate.unknown(), [], None
        for costs in self.costs:
            found = self.family.admission.cheapest(within, costs)
            self.certificate.complete = found is None and len(self.family.kept) <= self.number
            if found is None:
                self.least = (inf,) * len(self.costs)
                return None
            names, outcome = found
            cost = sum(costs[name] for name in names)
            least.append(cost if outcome.proof is Proof.OPTIMAL else -inf)
            within = replace(within, most=[*within.most, (costs, cost + CLOSE * max(1.0, abs(cost)))])
        self.least = tuple(least)
        return names

    def cost(self, one: Iterable[str]) -> tuple[float, ...]:
        """Return what a blanket costs, by each of the costs."""
        names = tuple(one)
        return tuple(sum(costs[name] for name in names) for costs in self.costs)

    def _ranked(self) -> list[FeatureSet]:
        return sorted(self.family.kept, key=self.cost)

    def _proved(self) -> list[FeatureSet]:
        """Return the known blankets that no unknown one is cheaper than."""
        return [one for one in self._ranked() if not _cheaper(self.least, self.cost(one))][: self.number]

    def solutions(self) -> Solutions:
        """Put the result together."""
        search, dual = self.limited, self.certificate.dual()
        proved, sure = len(self._proved()), self.stands and not dual.doubts()
        if search.stop is Stop.COUNT and proved < self.number:
            search.stop = Stop.EXHAUSTED if sure else Stop.HEURISTIC
        proofs = [Proof.OPTIMAL if sure else Proof.HEURISTIC] * proved
        proofs += [Proof.FEASIBLE] * (self.number - proved)
        sets = [self._with_proof(*pair) for pair in zip(self._ranked(), proofs, strict=False)]
        found = self.family.solutions(search, f"best blankets, number={self.number}", dual)
        return replace(found, sets=tuple(sets), criterion=f"least cost; {found.criterion}")

    def _with_proof(self, one: FeatureSet, proof: Proof) -> FeatureSet:
        """Add what a blanket costs, as a score to be maximised, and what all unknown ones cost at least."""
        cost = self.cost(one)[0]
        least = min(cost, self.least[0])
        priced = replace(one, score=0.0 - cost, proof=proof)
        if proof is Proof.HEURISTIC or not isfinite(least):
            return priced
        return replace(priced, bound=0.0 - least, gap=(cost - least) / abs(cost) if cost else None)


def _cheaper(first: Sequence[float], second: Sequence[float]) -> bool:
    """Return whether costs are less than others, by the first that differ by more than rounding."""
    for one, other in zip(first, second, strict=True):
        slack = CLOSE * max(1.0, abs(other))
        if one < other - slack:
            return True
        if one > other + slack:
            return False
    return False


def checked_costs(given: Costs | Sequence[Costs] | None, search: BlanketSearch) -> list[dict[str, float]]:
    """Return the costs of all features, once for each criterion."""
    features, members = search.test.features, members_of(search.test)
    if given is None:
        return [dict.fromkeys(features, 1.0)]
    several = listed_costs(given)
    known = {*known_names(features, members), *getattr(search.test, "absent", {})}
    free = set(search.candidates)
    checked = []
    for costs in several:
        wrong = [str(name) for name, cost in costs.items() if not _is_number(cost)]
        if wrong:
            raise ArgumentError(f"costs: {listing(wrong)}: a cost must be a finite number")
        units = [f for f in features if f in free or any(name in costs for name in members.get(f, (f,)))]
        own = costs_of_units(costs, units, known, members)
        checked.append({name: float(own.get(name, 0)) for name in features})
    return checked


def listed_costs(given: object) -> list[Costs]:
    """Return costs as a list of mappings, whether one is given or several.

    Raises
    ------
    ArgumentError
        If they are none.
    """
    one = by_feature(given)
    several = [by_feature(each) for each in one] if isinstance(one, Sequence) else [one]
    if not several or not all(isinstance(each, Mapping) for each in several):
        raise ArgumentError("costs: give a cost by feature, {'age': 2.0}, or a list of such mappings")
    return several


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and isfinite(value)
