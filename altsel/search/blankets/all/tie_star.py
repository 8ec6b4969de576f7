"""All Markov blankets by hiding features of those that are known and searching again (TIE*)."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial

from altsel.errors import ArgumentError, checked_integer, flags, listing, of_kind
from altsel.results.feature_set import FeatureSet
from altsel.results.solutions import Solutions
from altsel.results.stop import Stop
from altsel.search.blankets.all.certificate import Certificate, conclude
from altsel.search.blankets.all.collection import BlanketFamily, begun
from altsel.search.blankets.all.removals import IGS, HittingSet, Removals
from altsel.search.blankets.all.soundness import sound_with_equivalences
from altsel.search.blankets.all.sufficiency import Choose, Sufficiency
from altsel.search.blankets.all.template import Template, one_blanket
from altsel.search.blankets.blanket_search import BlanketSearch
from altsel.search.blankets.false_discoveries import warned_already
from altsel.search.blankets.forward_backward import forward_backward
from altsel.search.blankets.limits import (
    Limits,
    OutOfBudgetError,
    of_one_blanket,
    rest_of,
)
from altsel.stats.equivalence.criterion import Equivalent
from altsel.stats.independence.base import members_of
from altsel.stats.independence.counted import Counted
from altsel.stats.independence.protocol import Independence

Learner = Callable[..., Solutions]

UNSOUND = ", which can miss blankets where features stand for each other"
"""What is said of a learner that does not allow the claim that all were found."""

MOST_REMOVALS = 20_000
"""Removals waiting in IGS after which the model generates the next ones: they can be exponentially many."""


class Removal(StrEnum):
    """How TIE* chooses what to hide: by growing removals (IGS), or by a hitting-set model.

    Examples
    --------
    >>> import numpy as np
    >>> from altsel import Dataset, blankets, independence
    >>> random = np.random.default_rng(0)
    >>> a, b, c = random.normal(size=(3, 200))
    >>> data = Dataset({"a": a, "b": b, "c": c}, a - b + random.normal(size=200))
    >>> test = independence.PartialCorrelation(data)
    >>> [one.features for one in blankets.tie_star(test, removal=Removal.HITTING_SET)]
    [('a', 'b')]
    """

    IGS = "igs"
    HITTING_SET = "hitting_set"


@dataclass(frozen=True)
class Reuse:
    """What TIE* does not do twice.

    Parameters
    ----------
    blankets
        A known blanket none of which is hidden is taken as the answer, without a run of the learner.
    answers
        How many answers of tests are remembered, by conditioning set; 0: none. Without both, tests
        are counted as in TMFBS section 8.

    Examples
    --------
    >>> import numpy as np
    >>> from altsel import Dataset, blankets, independence
    >>> random = np.random.default_rng(0)
    >>> a, b, c = random.normal(size=(3, 200))
    >>> data = Dataset({"a": a, "b": b, "c": c}, a - b + random.normal(size=200))
    >>> test = independence.PartialCorrelation(data)
    >>> without = blankets.tie_star(test, reuse=Reuse(blankets=False))
    >>> with_all = blankets.tie_star(test, reuse=Reuse(answers=1000))
    >>> without.effort.tests >= with_all.effort.tests
    True
    """

    blankets: bool = True
    answers: int = 0

    def __post_init__(self) -> None:
        flags(blankets=self.blankets)
        checked_integer("answers", self.answers, 0)


def tie_star(
    test: Independence,
    alpha: float = 0.05,
    *,
    learner: Learner = forward_backward,
    removal: Removal | str = Removal.IGS,
    equivalent: Equivalent | None = None,
    reuse: Reuse | None = None,
    limits: Limits | None = None,
) -> Solutions:
    """Find all Markov blankets: hide some features, learn a blanket of the others, until all are found.

    Parameters
    ----------
    test
        A test bound to the target.
    alpha
        Level of the tests.
    learner
        Finds one blanket, as ``learner(test, alpha, limits=...)``: any search of ``altsel.blankets``. All
        blankets are found only by learners that are right although features stand for each other:
        forward-backward selection, FBED with ``extra_runs=None``, grow-shrink and the IAMB family. `mmmb`,
        `hiton_mb`, `pcmb`, `ipcmb`, `stmb`, `ppfs` and FBED with so many runs need more, such as a faithful
        distribution, which copies break: they can miss blankets and find too large or too small ones.
    removal
        ``"igs"``: the smallest extension of a removal by a feature of the blanket it led to; where rules of
        the domain are given, or these extensions become too many, as the other.
        ``"hitting_set"``: all features outside a set that keeps the rules and could be an unknown blanket,
        from a model whose infeasibility proves that all are found.
    equivalent
        As in `tmfbs`.
    reuse
        What is not done twice.
    limits
        Limits, features forced in or left out, and domain constraints; ``max_states`` limits runs.

    Returns
    -------
    Solutions
        The reference first, then in order of discovery; ``effort.nodes`` counts runs of the learner,
        ``effort.solves`` those of a solver. ``stop`` is ``EXHAUSTED`` if no removal is left, which claims
        that these are all as far as the tests are right and composition holds (features that tell of the
        target together do so one after another: of exclusive or of two coins, neither is found); with a
        learner that does not allow this claim it is ``HEURISTIC``. Otherwise the limit that ended the search.

    Raises
    ------
    ArgumentError
        If alpha, the limits, a rule or the kind of removal is wrong.

    References
    ----------
    Borboudakis and Tsamardinos (2021), algorithm 4; Statnikov et al., J. Mach. Learn. Res. 14 (2013).

    Examples
    --------
    >>> import numpy as np, pandas as pd, altsel
    >>> random = np.random.default_rng(0)
    >>> a, b, noise = random.normal(size=(3, 500))
    >>> table = pd.DataFrame({"a": a, "b": b, "c": a + b})
    >>> found = tie_star(altsel.independence.PartialCorrelation(altsel.Dataset(table, a + 2 * b + noise)))
    >>> [subset.features for subset in found], found.stop.value
    ([('a', 'c'), ('b', 'c'), ('a', 'b')], 'exhausted')
    """
    of_kind("learner", learner, Callable, "a search for one blanket, such as altsel.blankets.iamb")
    of_kind("reuse", reuse, Reuse | None, "altsel.blankets.Reuse(answers=10_000), say")
    reuse = reuse or Reuse()
    kept = Counted(test, reuse.answers) if reuse.answers else None
    used: Independence = kept or test
    search, family = begun(used, alpha, equivalent, limits)
    removals = _removals(removal, search, family)
    sufficiency = Sufficiency(search, family, partial(learned_among, search, family, learner), reuse.blankets)
    certificate = Certificate(replace(sufficiency, reuse=True))
    with search.limited():
        family.must_be_possible()
        while (hidden := removals.next()) is not None:
            blanket = sufficiency.without(hidden)
            if blanket is not None:
                removals.found(hidden, blanket)
                if len(removals) > MOST_REMOVALS:
                    removals = HittingSet(family.admission, family.unknown())
            else:
                removals.failed(sufficiency.shrunk(hidden) if isinstance(removals, HittingSet) else hidden)
        certificate.work()
    if kept is not None:
        search.budget.tests = kept.account.tests
    dual = certificate.dual()
    sound = sound_with_equivalences(learner)
    conclude(search, dual, sure=sound, found=len(family.kept))
    name = getattr(getattr(learner, "func", learner), "__name__", "a learner")
    words = f"TIE* by {Removal(removal).value}, {name}{'' if sound else UNSOUND}"
    return family.solutions(search, words, dual)


def _removals(removal: Removal | str, search: BlanketSearch, family: BlanketFamily) -> Removals:
    try:
        kind = Removal(removal)
    except ValueError as fault:
        raise ArgumentError(f"removal={removal!r}; use {listing(Removal)}") from fault
    if kind is Removal.IGS and not family.limits.subject_to:
        return IGS(keep=search.forced, order=search.test.features)
    return HittingSet(family.admission, family.unknown())


def learned_among(
    search: BlanketSearch,
    family: BlanketFamily,
    learner: Learner,
    among: Collection[str],
    choose: Choose | None = None,
) -> FeatureSet:
    """Find a blanket among some features by the learner; one that takes candidates at random by selection."""
    if choose is not None:
        return one_blanket(search, Template(), among, choose)
    members, inside = members_of(search.test), set(among)
    out = [name for f in search.candidates if f not in inside for name in members.get(f, (f,))]
    limits = replace(
        rest_of(of_one_blanket(search.limits), search.budget.tests, time.perf_counter() - family.began),
        exclude=(*search.limits.exclude, *out),
    )
    with warned_already():
        learned = learner(search.test, search.alpha, limits=limits)
    search.budget.tests += learned.effort.tests
    if learned.stop is Stop.INTERRUPT:
        raise KeyboardInterrupt
    if not learned.stop.finished:
        raise OutOfBudgetError(learned.stop)
    return learned[0]
