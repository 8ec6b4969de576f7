"""All Markov blankets by backtracking over forward-backward selection (TMFBS)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from altsel.errors import ArgumentError, flags, of_kind
from altsel.results.solutions import Solutions
from altsel.results.stop import Stop
from altsel.search.blankets.all.admissible import Admission
from altsel.search.blankets.all.collection import Family
from altsel.search.blankets.all.confirmation import Confirm
from altsel.search.blankets.all.order_variables import OrderAll, dependent_in_turn
from altsel.search.blankets.blanket_search import BlanketSearch, begin
from altsel.search.blankets.forward_backward import (
    BackwardPhase,
    EarlyDropping,
    checked_phases,
    remove_least_dependent,
)
from altsel.search.blankets.limits import Limits, by_unit, checked_limits, of_one_blanket
from altsel.stats.equivalence.criterion import Equivalent, criterion
from altsel.stats.independence.base import members_of
from altsel.stats.independence.protocol import Independence

Blankets = list[frozenset[str]]


@dataclass(frozen=True)
class Template:
    """The two functions that make an algorithm of the template TMFBS.

    Parameters
    ----------
    order_variables
        Names all candidates that could be selected now, the best first; it must depend on nothing
        but the members and the candidates of the search.
    backward_phase
        Removes all false positives, and nothing else, from the members.
    name
        What the result calls it; nothing for forward-backward selection.
    confirm
        Judges where no candidate is left whether assumption 1 held there; None: it is taken for granted.

    Raises
    ------
    ArgumentError
        If the order is `EarlyDropping`, which depends on what was tested before.

    Examples
    --------
    >>> import numpy as np
    >>> from altsel import Dataset, blankets, independence
    >>> random = np.random.default_rng(0)
    >>> a, b, c = random.normal(size=(3, 200))
    >>> data = Dataset({"a": a, "b": b, "c": c}, a - b + random.normal(size=200))
    >>> test = independence.PartialCorrelation(data)
    >>> by_pairs = Template(blankets.dependent_in_pairs, name="by pairs")
    >>> [one.features for one in blankets.tmfbs(test, template=by_pairs)]
    [('a', 'b')]
    """

    order_variables: OrderAll = dependent_in_turn
    backward_phase: BackwardPhase = remove_least_dependent
    name: str = ""
    confirm: Confirm | None = None

    def __post_init__(self) -> None:
        checked_phases(self.order_variables, self.backward_phase)
        of_kind("name", self.name, str, "a text")
        of_kind("confirm", self.confirm, Callable | None, "a function such as altsel.blankets.confirmed")
        if isinstance(self.order_variables, EarlyDropping):
            raise ArgumentError(
                "EarlyDropping remembers what it dropped, so it cannot go back; "
                "use tie_star(learner=altsel.blankets.forward_backward_early_dropping)"
            )


@dataclass(frozen=True)
class Pruning:
    """The rules by which TMFBS leaves branches out.

    All are sound if the template finds a blanket wherever there is one (assumption 1). On samples
    that can fail: then fewer rules find more.

    Parameters
    ----------
    rule_1
        Stop at a state once a child of it has led to no solution.
    rule_2
        Stop at a state if a part of what is excluded has led to no solution before.
    rule_3
        Stop at a state once no solution of a child has the feature that was selected there.

    Examples
    --------
    >>> import numpy as np
    >>> from altsel import Dataset, blankets, independence
    >>> random = np.random.default_rng(0)
    >>> a, b, c = random.normal(size=(3, 200))
    >>> data = Dataset({"a": a, "b": b, "c": c}, a - b + random.normal(size=200))
    >>> test = independence.PartialCorrelation(data)
    >>> all_branches = blankets.tmfbs(test, prune=Pruning(rule_1=False, rule_2=False, rule_3=False))
    >>> [one.features for one in all_branches]
    [('a', 'b')]
    """

    rule_1: bool = True
    rule_2: bool = True
    rule_3: bool = True

    def __post_init__(self) -> None:
        flags(rule_1=self.rule_1, rule_2=self.rule_2, rule_3=self.rule_3)


def tmfbs(
    test: Independence,
    alpha: float = 0.05,
    *,
    equivalent: Equivalent | None = None,
    template: Template | None = None,
    prune: Pruning | None = None,
    limits: Limits | None = None,
) -> Solutions:
    """Find all Markov blankets by backtracking over all candidates of forward-backward selection.

    ``TMFBS(E, S)``: let ``C_1, C_2, ...`` be the candidates given S, without the excluded features E.
    If there is none, go back, and return what is left if it is equivalent to the first set found.
    Otherwise return the sets of ``TMFBS(E + C_1 + ... + C_{i-1}, S + C_i)`` for all i.

    Parameters
    ----------
    test
        A test bound to the target.
    alpha
        Level of the tests.
    equivalent
        Judges a set by the reference, the first set: a `Criterion`, a test of equivalence, or a
        function of two tuples of names that returns a bool. Default: what TMFBS 4.3.5 recommends,
        by the data of the test; for an oracle, information equivalence by the oracle.
    template
        The functions of the template; default: forward-backward selection. Others: `mmpc_template`,
        `hiton_pc_template`, `information_template`.
    prune
        The rules used; default: all three, or 1 and 2 with a template that confirms assumption 1.
    limits
        Limits, features forced in or left out, and domain constraints.

    Returns
    -------
    Solutions
        In order of discovery, the reference first; ``effort.nodes`` counts states. ``stop`` is
        ``EXHAUSTED`` if all states were visited or pruned, which finds all blankets with tests that are right
        if assumption 1 holds: by default composition, which exclusive or of two coins violates (the template
        ``Template(dependent_in_pairs)`` finds it). Otherwise the limit that ended the search;
        ``HEURISTIC`` if a template confirms assumption 1 and the tests did not: there may be more blankets.
        Verdicts after the reference are of members only; where no ``given`` is named it is all others.

    Raises
    ------
    ArgumentError
        If alpha, the limits or a rule is wrong.

    References
    ----------
    Borboudakis and Tsamardinos (2021), algorithm 3 and pruning rules 1 to 3.

    Examples
    --------
    >>> import numpy as np, pandas as pd, altsel
    >>> random = np.random.default_rng(0)
    >>> a, b = random.normal(size=(2, 500))
    >>> table = pd.DataFrame({"a": a, "b": b, "copy": 2 * a})
    >>> data = altsel.Dataset(table, a + b + random.normal(size=500))
    >>> found = tmfbs(altsel.independence.PartialCorrelation(data))
    >>> [subset.features for subset in found], found.stop.value
    ([('a', 'b'), ('b', 'copy')], 'exhausted')
    """
    of_kind("template", template, Template | None, "altsel.blankets.mmpc_template(), say")
    of_kind("prune", prune, Pruning | None, "altsel.blankets.Pruning(rule_1=False), say")
    limits = by_unit(checked_limits(limits), members_of(test))
    search = begin(test, alpha, of_one_blanket(limits))
    admission = Admission(search.test.features, limits.subject_to)
    template = template or Template()
    prune = prune or Pruning(rule_3=template.confirm is None)
    family = Family(criterion(test, equivalent), limits, admission, trusting=prune.rule_2)
    tree = Tree(search, family, template, prune)
    with search.limited(), _deep_enough(len(search.candidates)):
        family.must_be_possible()
        tree.explore(tuple(search.members), frozenset())
    if search.stop is Stop.COUNT:  # it ended by itself
        search.stop = Stop.HEURISTIC if tree.unconfirmed else Stop.EXHAUSTED
    return family.solutions(search, tree.words(), search.budget.tests)


@dataclass
class Tree:
    """The search tree: states of selected and excluded features."""

    search: BlanketSearch
    family: Family
    template: Template
    prune: Pruning

    def __post_init__(self) -> None:
        self.features = self.search.candidates
        self.unconfirmed = 0  # states where assumption 1 did not hold, as far as tests can tell

    def words(self) -> str:
        """Return the name of the search, and what keeps it from claiming that all was found."""
        name = f"TMFBS by {self.template.name}" if self.template.name else "TMFBS"
        if not self.unconfirmed:
            return name
        return f"{name}, in {self.unconfirmed} of {self.family.states} states assumption 1 was not confirmed"

    def explore(self, members: tuple[str, ...], excluded: frozenset[str]) -> Blankets:
        """Return all solutions in the data without the excluded features (algorithm 3)."""
        search = self.search
        self.family.enter()
        search.at(members, (name for name in self.features if name not in excluded))
        candidates = iter(self.template.order_variables(search))
        candidate = next(candidates, None)
        if candidate is None:
            return self._finished(members, excluded)
        blankets: Blankets = []
        while candidate is not None and self._worthwhile(excluded):
            new = self.explore((*members, candidate), excluded)
            blankets += new
            if not new:
                self.family.failed.append(excluded)  # of the whole path
            if self._over(new, candidate):
                return blankets
            excluded |= {candidate}
            candidate = next(candidates, None)
        if candidate is None and self.template.confirm and self._worthwhile(excluded):
            self.family.enter()
            blankets += self._finished(members, excluded)  # lemma 1: what the template does without them
        return blankets

    def _finished(self, members: tuple[str, ...], excluded: frozenset[str]) -> Blankets:
        """Remove false positives where no candidate is left; return what that leaves if it is a solution."""
        search, reference = self.search, self.family.reference
        if reference is not None:  # what is rejected is reported of the reference only
            search.at(members, (name for name in self.features if name not in excluded))
        self.template.backward_phase(search)
        confirm = self.template.confirm
        if confirm and not confirm(search, excluded.intersection(reference or ())):
            self.unconfirmed += 1
        blanket = search.found()
        return [frozenset(blanket.features)] if self.family.judge(blanket) else []

    def _worthwhile(self, excluded: frozenset[str]) -> bool:
        """Rule 2, and the rules of the domain."""
        if self.prune.rule_2 and any(failed <= excluded for failed in self.family.failed):
            return False
        return self.family.possible(excluded)

    def _over(self, new: Blankets, candidate: str) -> bool:
        """Rules 1 and 3: a child without a solution, or none of whose solutions has its candidate."""
        if not new:
            return self.prune.rule_1
        if not self.prune.rule_3 or any(candidate in subset for subset in new):
            return False
        self.unconfirmed += self.template.confirm is not None  # nothing proves this rule
        return True


@contextmanager
def _deep_enough(depth: int) -> Iterator[None]:
    """Let the search be as deep as there are features."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, 4 * depth + 500))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
