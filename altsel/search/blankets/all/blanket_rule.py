"""Sufficiency as a rule of any problem: every set must hold a Markov blanket, or be one."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from functools import partial

from altsel.errors import DataWarning, flags, listing, of_kind
from altsel.models.domain import at_least, predicate
from altsel.models.objective import Objective
from altsel.models.predicate import Condition, Cut
from altsel.models.rule import Rule
from altsel.models.rule_of_data import Origin
from altsel.results.dual import Dual, needed
from altsel.results.dual import minimal as minimal_sets
from altsel.results.feature_set import FeatureSet
from altsel.results.text import number_of
from altsel.runtime.caller import warn_caller
from altsel.runtime.clock import clock
from altsel.search.blankets.all.certificate import Certificate
from altsel.search.blankets.all.collection import BlanketFamily, begun
from altsel.search.blankets.all.confirmation import is_blanket
from altsel.search.blankets.all.sufficiency import Choose, Sufficiency
from altsel.search.blankets.all.template import Template, one_blanket
from altsel.search.blankets.limits import Limits
from altsel.stats.equivalence.criterion import Equivalent
from altsel.stats.independence.base import innermost
from altsel.stats.independence.protocol import Independence

Names = frozenset[str]


def blanket_of(
    test: Independence,
    alpha: float = 0.05,
    *,
    equivalent: Equivalent | None = None,
    template: Template | None = None,
    minimal: bool = False,
) -> BlanketRule:
    """Want sets that hold a Markov blanket of the target: given which all other features tell nothing.

    So the best set by a criterion, and its alternatives, are also sufficient. Every such set has a feature
    of each *failed removal* E, features without which no blanket is left: ``sum_{j in E} x_j >= 1``. These
    rows are learned on the way, from sets that would be best but hold no blanket; a rule keeps them for all
    searches that it is given to. An optimum is one among all sets that hold a blanket, as the tests tell.

    Parameters
    ----------
    test
        A test bound to the target, of the table that the criterion is of, or of bins of it.
    alpha
        Level of the tests.
    equivalent, template
        As in `altsel.blankets.tmfbs`: what judges whether a set found elsewhere tells as much as the
        blanket among all features, and what makes an algorithm of the search.
    minimal
        Whether a set must be a blanket itself, with nothing superfluous: then `k` is best a range.

    Returns
    -------
    BlanketRule
        For ``Problem(subject_to=[...])``. Its `blankets`, `failed`, `searches` and `tests` say what it
        has learned; ``withdrawn`` how many failed removals a later blanket refuted, 0 if the tests are exact.

    Raises
    ------
    ArgumentError
        If the test or alpha is none; with the problem, if its criterion is of another table or target.

    References
    ----------
    Borboudakis and Tsamardinos (2021) for blankets and their equivalence; Moreno-Centeno and Karp (2013), The
    implicit hitting set approach.

    Examples
    --------
    >>> import numpy as np, altsel
    >>> random = np.random.default_rng(0)
    >>> a, b, noise = random.normal(size=(3, 500))
    >>> data = altsel.Dataset({"a": a, "a, by mail": 2 * a, "b": b}, 2 * a + b + noise)
    >>> rule = blanket_of(altsel.independence.PartialCorrelation(data))
    >>> relevance = altsel.Univariate(altsel.dependence(data))
    >>> for rules in ([], [rule]):
    ...     best = altsel.sequential(altsel.Problem(relevance, 2, rules), altsel.Dice(0.5), 0)[0]
    ...     print(best.features, best.proof)
    ('a', 'a, by mail') optimal
    ('a', 'b') optimal
    >>> rule.failed
    (('b',),)
    """
    flags(minimal=minimal)
    of_kind("template", template, Template | None, "altsel.blankets.mmpc_template(), say")
    return BlanketRule(test, alpha, equivalent, template, minimal)


@dataclass(eq=False)
class BlanketRule(Condition):
    """Every set holds a Markov blanket of the target; see `blanket_of`.

    A set that contains a known blanket holds one; a set without a feature of a failed removal holds none. Of
    any other set a search among its features decides. If that finds no blanket, what the set lacks is a
    failed removal: features of it are given back as long as there is still no blanket, and what is left
    removes all sets that have none of it, ``sum_{j in E} x_j >= 1``.

    Attributes
    ----------
    test, alpha, equivalent, template
        As in `altsel.blankets.tmfbs`.
    minimal
        Whether a set must be a blanket, with nothing superfluous.
    withdrawn
        How many failed removals were refuted by a blanket that has none of their features.
    reference_confirmed
        Whether tests confirm that all other features tell nothing given the first blanket found.
    """

    test: Independence
    alpha: float = 0.05
    equivalent: Equivalent | None = None
    template: Template | None = None
    minimal: bool = False
    withdrawn: int = field(default=0, init=False)
    reference_confirmed: bool = field(default=True, init=False)
    _failed: list[Names] = field(default_factory=list, init=False, repr=False)
    _exceeded: dict[Names, None] = field(default_factory=dict, init=False, repr=False)

    has_rows = False
    rows_suffice = False

    def __post_init__(self) -> None:
        search, family = begun(self.test, self.alpha, self.equivalent, Limits(max_solutions=None))
        self._dual = Dual((), complete=False)
        self._confirmed: list[Names] | None = None
        self._sufficiency = Sufficiency(search, family, self._learn)
        data = getattr(innermost(self.test), "data", None)
        self._origin = Origin.of(data, self.test.target, self.test.features)

    @property
    def __name__(self) -> str:
        what = "is" if self.minimal else "holds"
        return f"{what} a Markov blanket of {self.test.target!r} ({self.test.name}, alpha = {self.alpha:g})"

    @property
    def monotone(self) -> str | None:  # type: ignore[override]
        """Whatever contains a set that holds a blanket holds one."""
        return None if self.minimal else "up"

    @property
    def blankets(self) -> tuple[tuple[str, ...], ...]:
        """The blankets met so far."""
        return tuple(self._ordered(one) for one in self._family.blankets())

    @property
    def failed(self) -> tuple[tuple[str, ...], ...]:
        """The failed removals met so far: every blanket has a feature of each."""
        return tuple(self._ordered(one) for one in self._failed)

    @property
    def searches(self) -> int:
        """How often a blanket was searched for."""
        return self._family.states

    @property
    def tests(self) -> int:
        """How many tests of independence these searches took."""
        return self._sufficiency.search.budget.tests

    def check(self, objective: Objective) -> None:
        """Refuse a criterion of another table or target."""
        self._origin.refuse_other(self.__name__, objective)

    def holds(self, names: tuple[str, ...]) -> bool:
        """Return whether a set holds, or is, a blanket: by what is known, else by a search among it."""
        members = frozenset(names)
        if not self._is_sufficient(members):
            return False
        smaller = [one for one in self._family.blankets() if one < members] if self.minimal else []
        self._exceeded.update(dict.fromkeys(smaller))
        return not smaller

    def cuts(self) -> Iterator[Cut]:
        """Return what no set that keeps the rule is: without a failed removal, or more than a blanket."""
        yield from (Cut(frozenset(), removal) for removal in self._failed)
        for blanket in self._exceeded:
            others = (name for name in self.test.features if name not in blanket)
            yield from (Cut(blanket | {name}, frozenset()) for name in others)

    def parts(self) -> Iterator[tuple[str, Rule]]:
        """Return the same as rules, each with its name."""
        for removal in self.failed:
            yield needed(removal), at_least(1, removal)
        if self._exceeded:
            known = number_of(len(self._exceeded), "blanket")
            only = f"is minimal: has nothing beside one of {known} known"
            yield only, predicate(partial(_no_more, tuple(self._exceeded)), only, "down")

    def doubts(self) -> list[str]:
        """Confirm by tests what failed removals rest on, and try to refute them; say what is not confirmed.

        Blankets that are found so are known from then on, and removals that they refute withdrawn.
        """
        if self._family.reference is None:
            return []
        if self._confirmed != self._failed:
            certificate = Certificate(self._sufficiency)
            certificate.begin()
            certificate.stands()
            self._withdraw()
            self._dual, self._confirmed = certificate.dual(), list(self._failed)
        return self._dual.doubts()

    def __call__(self, block: object) -> None:
        """Add nothing: `cuts` are rows already."""

    @property
    def _family(self) -> BlanketFamily:
        return self._sufficiency.family

    def _is_sufficient(self, members: Names) -> bool:
        """Return whether a set contains a blanket, and learn why if it does not."""
        sufficiency = self._sufficiency
        if any(one <= members for one in self._family.blankets()):
            return True
        if any(not removal & members for removal in self._failed):
            return False
        if self._family.reference is None:
            self._begin()
        hidden = frozenset(sufficiency.free) - members
        if sufficiency.without(hidden) is None:
            removal = sufficiency.shrunk(hidden)
            if removal not in self._family.failed:
                sufficiency.without(removal)  # among all others: it was seen to fail among few
            standing = self._family.standing([removal, hidden])
            self._failed = minimal_sets([*self._failed, *standing[:1]])
        self._withdraw()
        return any(one <= members for one in self._family.blankets())

    def _begin(self) -> None:
        """Search among all features: what is found is the reference, which tests should confirm."""
        search, free = self._sufficiency.search, self._sufficiency.free
        self._sufficiency.without(frozenset())
        search.at(self._family.reference or (), free)
        self.reference_confirmed = is_blanket(search)
        if not self.reference_confirmed:
            found = listing(self._family.reference or ()) or "nothing"
            warn_caller(
                f"{self.__name__!r}: a search among all features ends with {found}, and tests do not confirm "
                "that all others tell nothing beside that; another template may find more, such as "
                "altsel.blankets.Template(altsel.blankets.dependent_in_pairs)",
                DataWarning,
            )

    def _withdraw(self) -> None:
        """Drop removals without which a blanket is known by now."""
        standing = self._family.standing(self._failed)
        self.withdrawn += len(self._failed) - len(standing)
        self._failed = standing

    def _learn(self, among: Collection[str], choose: Choose | None = None) -> FeatureSet:
        clock().check()
        return one_blanket(self._sufficiency.search, self.template or Template(), among, choose)

    def _ordered(self, one: Names) -> tuple[str, ...]:
        return tuple(name for name in self.test.features if name in one)


def _no_more(blankets: tuple[Names, ...], names: tuple[str, ...]) -> bool:
    """Return whether a set has nothing beside a blanket that it contains."""
    return not any(one < frozenset(names) for one in blankets)
