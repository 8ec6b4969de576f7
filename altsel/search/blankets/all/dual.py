"""The dual of a family of Markov blankets, learned without listing the family."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from random import Random

from altsel.errors import ArgumentError, checked_integer, of_kind
from altsel.exact.transversals.hypergraph import is_minimal_transversal, make_minimal
from altsel.exact.transversals.transversals import Transversals
from altsel.results.dual import Dual
from altsel.results.solutions import Solutions
from altsel.results.stop import Stop
from altsel.results.text import number_of
from altsel.search.blankets.all.certificate import SEED, Certificate, conclude
from altsel.search.blankets.all.collection import begun
from altsel.search.blankets.all.sufficiency import Sufficiency
from altsel.search.blankets.all.template import Template, one_blanket
from altsel.search.blankets.limits import Limits, checked_limits
from altsel.stats.equivalence.criterion import Equivalent
from altsel.stats.independence.protocol import Independence

DRAWS = 299
"""Sets tried before a search ends, unless another number is given: a share of 1 % would show by then."""
QUICK = 20
"""Sets that are tried, in an order of features at random, before a diagram is made to draw from."""
MOST_NODES = 50_000
"""Nodes of a diagram to draw from: there is one after each removal that draws bring up."""

Names = frozenset[str]


def dual(
    test: Independence,
    alpha: float = 0.05,
    *,
    equivalent: Equivalent | None = None,
    template: Template | None = None,
    draws: int = DRAWS,
    limits: Limits | None = None,
) -> Solutions:
    """Find the failed removals that stand for all Markov blankets, without listing the blankets.

    A *failed removal* is a set of features without which no blanket is left. The blankets are exactly the
    minimal sets that have a feature of each minimal failed removal, its minimal transversals: twenty removals
    can stand for a million blankets.

    1. Find one blanket, the reference.
    2. Draw a minimal transversal T of the failed removals known, and search for a blanket inside T.
    3. If there is none, the features outside T are a failed removal: give features back as long as there is
       still no blanket, add what is left, and go on at 2.
    4. If so many draws in a row were blankets, end. If there are no more transversals than that, all are
       tried, and a solver proves that there is no other blanket.

    Parameters
    ----------
    test
        A test bound to the target.
    alpha
        Level of the tests.
    equivalent, template
        As in `tmfbs`.
    draws
        How many draws in a row have to be blankets. If all n are, less than ``1 - .05^(1/n)`` of the
        transversals are no blankets with 95 % confidence; a little more where the row was begun anew
        (`Dual.most_wrong`). A family of at most so many is tried whole.
    limits
        Limits, features forced in or left out. ``max_solutions`` limits the blankets returned, not what
        `Blankets` answers from the failed removals; ``max_states`` limits the searches.

    Returns
    -------
    Solutions
        The blankets met on the way, the reference first; ``dual`` has the failed removals. ``stop`` is
        ``EXHAUSTED`` if all blankets were met and that is proved, ``LIMIT`` if these are more than
        ``max_solutions``; ``HEURISTIC`` if draws alone tell that the failed removals are all, or tests do not
        confirm them; otherwise the limit that ended the search.

    Raises
    ------
    ArgumentError
        If alpha, the limits or the number of draws is wrong, or rules of the domain are given: the dual is of
        all blankets, and `best` finds those that keep rules.

    References
    ----------
    Fredman and Khachiyan, J. Algorithms 21 (1996), dualisation by incremental generation; Gunopulos et al.,
    ACM Trans. Database Syst. 28 (2003), algorithm Dualize and Advance; Borboudakis and Tsamardinos (2021).

    Examples
    --------
    Ten signals, each by two columns, are 1,024 blankets:

    >>> import numpy as np, altsel
    >>> signals = np.random.default_rng(0).normal(size=(10, 2000))
    >>> columns = {f"{k}{j}": (k == "b") + signals[j] for j in range(10) for k in "ab"}
    >>> y = signals.sum(axis=0) + np.random.default_rng(1).normal(size=2000)
    >>> found = dual(altsel.independence.PartialCorrelation(altsel.Dataset(columns, y)), 1e-6)
    >>> len(found.dual.failed), found.stop.value
    (10, 'heuristic')
    >>> altsel.blankets.Blankets(found).count()
    1024
    """
    of_kind("template", template, Template | None, "altsel.blankets.mmpc_template(), say")
    checked_integer("draws", draws, 1)
    limits = checked_limits(limits)
    if limits.subject_to:
        raise ArgumentError(
            "subject_to: the dual is of all blankets; altsel.blankets.best finds those that keep rules"
        )
    search, family = begun(test, alpha, equivalent, replace(limits, max_solutions=None))
    learn = partial(one_blanket, search, template or Template())
    learning = Dualization(Certificate(Sufficiency(search, family, learn)), draws)
    with search.limited():
        learning.search()
    if not search.stop.finished:  # what draws told was not confirmed
        learning.certificate.draws, learning.certificate.complete = 0, False
    told = learning.certificate.dual()
    conclude(search, told, sure=True, found=len(family.kept))
    return _listed(family.solutions(search, _words(told), told), limits.max_solutions)


@dataclass
class Dualization:
    """A search for the failed removals of a family.

    Parameters
    ----------
    certificate
        Keeps the failed removals, and confirms them.
    draws
        How many sets in a row have to be blankets.
    """

    certificate: Certificate
    draws: int

    def __post_init__(self) -> None:
        self.sufficiency, self.family = self.certificate.sufficiency, self.certificate.family
        self._free = frozenset(self.sufficiency.free)
        self._random = Random(SEED)

    def search(self) -> None:
        """Find the failed removals, and confirm them; go on where one does not stand."""
        self.sufficiency.without(frozenset())  # the reference
        self.certificate.begin()
        while True:
            self._learn()
            if self.certificate.stands() and self._are_blankets(self._inside_known()):
                return

    def _learn(self) -> None:
        """Add failed removals until draws bring up none, or all sets have been tried."""
        certificate = self.certificate
        certificate.draws, certificate.complete = 0, False
        while True:
            # 1. A few sets that cost little to draw.
            if not self._are_blankets(self._quickly(QUICK)):
                continue
            # 2. All sets, and the proof that there is no other.
            found = Transversals(certificate.removals, self.sufficiency.free, MOST_NODES)
            if found.fits and found.count() <= self.draws:
                if self._are_blankets(found) and self._closed():
                    return
                continue
            # 3. Too many: each with the same probability, or as before where the diagram is too large.
            certificate.runs, certificate.uniform = certificate.runs + 1, found.fits
            sets = found.sample(self.draws, self._random) if found.fits else self._quickly(self.draws)
            if self._are_blankets(sets):
                certificate.draws = self.draws
                return

    def _are_blankets(self, sets: Iterable[Iterable[str]]) -> bool:
        """Return whether all are; the first one that is none, or too large, changes the failed removals."""
        return all(self._is_blanket(frozenset(one)) for one in sets)

    def _is_blanket(self, one: Names) -> bool:
        return self.certificate.holds_blanket(one) and not self.certificate.withdraw()

    def _quickly(self, number: int) -> Iterator[Names]:
        """Yield minimal transversals, each by leaving out features in an order at random."""
        names = sorted({name for one in self.certificate.removals for name in one})
        for _ in range(number):
            self._random.shuffle(names)
            yield make_minimal(names, self.certificate.removals)

    def _inside_known(self) -> Iterator[Names]:
        """Yield a minimal transversal inside each known blanket that is none itself."""
        removals = self.certificate.removals
        for one in self.family.blankets():
            if not is_minimal_transversal(one & self._free, removals):
                yield make_minimal(sorted(one & self._free), removals)

    def _closed(self) -> bool:
        """Return whether a solver proves that there is no other blanket."""
        self.certificate.complete = self.family.admission.find(self.certificate.unknown()) is None
        return self.certificate.complete


def _words(told: Dual) -> str:
    """Report how the failed removals were learned, and what the draws show."""
    words = f"dual, {number_of(len(told.failed), 'failed removal')}"
    if told.complete or not told.draws:
        return words
    return f"{words}; {told.draws_text()}"


def _listed(found: Solutions, most: int | None) -> Solutions:
    """Return as many of the blankets as are wanted."""
    if most is None or len(found) <= most:
        return found
    stop = Stop.LIMIT if found.stop is Stop.EXHAUSTED else found.stop
    return replace(found, sets=found.sets[:most], stop=stop)
