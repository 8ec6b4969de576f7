"""All Markov blankets by backtracking over forward-backward selection (TMFBS)."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

from altsel.errors import of_kind
from altsel.results.solutions import Solutions
from altsel.search.blankets.all.certificate import Certificate, conclude
from altsel.search.blankets.all.collection import BlanketFamily, begun
from altsel.search.blankets.all.sufficiency import Sufficiency
from altsel.search.blankets.all.template import Pruning, Template, one_blanket
from altsel.search.blankets.blanket_search import BlanketSearch
from altsel.search.blankets.limits import Limits
from altsel.stats.equivalence.criterion import Equivalent
from altsel.stats.independence.protocol import Independence

Blankets = list[frozenset[str]]


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
        In order of discovery, the reference first; ``effort.nodes`` counts states. ``dual`` has the failed
        removals, sets of features without which no blanket is left. ``stop`` is ``EXHAUSTED`` if it is proved
        from these that there is no other blanket, and tests confirm them and the reference;
        ``HEURISTIC`` if a doubt is left (``dual.doubts()``): there may be more. Otherwise the limit that
        ended the search. By default a reference rests on composition, which exclusive or of two coins
        violates (the template ``Template(dependent_in_pairs)`` finds it).
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
    search, family = begun(test, alpha, equivalent, limits)
    template = template or Template()
    prune = prune or Pruning(rule_3=template.confirm is None)
    family.trusting = prune.rule_2
    tree = Tree(search, family, template, prune)
    certificate = Certificate(Sufficiency(search, family, partial(one_blanket, search, template)))
    with search.limited(), _deep_enough(len(search.candidates)):
        family.must_be_possible()
        tree.search_all()
        certificate.work()
    dual = certificate.dual()
    conclude(search, dual, sure=not tree.unconfirmed, found=len(family.kept))
    return family.solutions(search, tree.words(), dual)


@dataclass
class Tree:
    """The search tree: states of selected and excluded features."""

    search: BlanketSearch
    family: BlanketFamily
    template: Template
    prune: Pruning

    def __post_init__(self) -> None:
        self.features = self.search.candidates
        self.visited = 0  # states
        self.unconfirmed = 0  # states where assumption 1 did not hold, as far as tests can tell

    def words(self) -> str:
        """Return the name of the search, and what keeps it from claiming that all was found."""
        name = f"TMFBS by {self.template.name}" if self.template.name else "TMFBS"
        if not self.unconfirmed:
            return name
        return f"{name}, in {self.unconfirmed} of {self.visited} states assumption 1 was not confirmed"

    def search_all(self) -> None:
        """Search all states: from the features that rules require, without those that they forbid.

        The reference comes first, of all features: rules do not tell which sets are equivalent to it.
        """
        search, family = self.search, self.family
        never, always = family.admission.never_and_always()
        start = tuple(dict.fromkeys([*search.forced, *(name for name in self.features if name in always)]))
        if never or len(start) > len(search.forced):
            family.enter()
            family.learned(frozenset(), one_blanket(search, self.template, self.features))
        self.explore(start, never.intersection(self.features))

    def explore(self, members: tuple[str, ...], excluded: frozenset[str]) -> tuple[Blankets, bool]:
        """Return all solutions in the data without the excluded features (algorithm 3).

        Returns also whether the whole branch was searched: rules of the domain cut what no admissible blanket
        can be in, and of what was cut neither pruning rule can tell.
        """
        search, family = self.search, self.family
        self._enter()
        search.at(members, (name for name in self.features if name not in excluded))
        candidates = iter(self.template.order_variables(search))
        candidate = next(candidates, None)
        if candidate is None:
            return self._finished(members, excluded), True
        blankets: Blankets = []
        whole = True
        while candidate is not None:
            if self._failed_before(excluded):
                return blankets, whole
            if family.possible(excluded, (*members, candidate)):
                new, searched = self.explore((*members, candidate), excluded)
                blankets += new
                if searched and self._over(new, candidate):
                    return blankets, whole
                whole = whole and searched
            elif family.possible(excluded):
                whole = False
            else:
                return blankets, False
            excluded |= {candidate}
            candidate = next(candidates, None)
        return blankets + self._left_over(members, excluded), whole

    def _enter(self) -> None:
        self.family.enter()
        self.visited += 1

    def _left_over(self, members: tuple[str, ...], excluded: frozenset[str]) -> Blankets:
        """Finish a state whose candidates are all excluded: lemma 1 tells that there is no solution."""
        if not self.template.confirm:
            self.family.implied[excluded] = members
            return []
        if self._failed_before(excluded) or not self.family.possible(excluded):
            return []
        self._enter()
        return self._finished(members, excluded)  # what the template does without them

    def _finished(self, members: tuple[str, ...], excluded: frozenset[str]) -> Blankets:
        """Remove false positives where no candidate is left; return what that leaves if it is a solution."""
        search, reference = self.search, self.family.reference
        if reference is not None:  # what is rejected is reported of the reference only
            search.at(members, (name for name in self.features if name not in excluded))
        self.template.backward_phase(search)
        confirm = self.template.confirm
        if confirm and not confirm(search, excluded.intersection(reference or ())):
            self.unconfirmed += 1
        blanket = self.family.learned(excluded, search.found())
        return [] if blanket is None else [blanket]

    def _failed_before(self, excluded: frozenset[str]) -> bool:
        """Rule 2: whether there is no solution without a part of what is excluded."""
        return self.prune.rule_2 and any(failed <= excluded for failed in self.family.failed)

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
