"""The blankets that one search found: the reference, those equivalent to it, and what was discarded."""

from __future__ import annotations

import logging
import time
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace

from altsel.models.rule import title_of
from altsel.results.comparison import Comparison, Discarded
from altsel.results.dual import Dual
from altsel.results.effort import Effort
from altsel.results.feature_set import FeatureSet
from altsel.results.solutions import Solutions
from altsel.results.stop import Stop
from altsel.runtime.memory import peak
from altsel.search.blankets.all.admissible import Admission, Within
from altsel.search.blankets.blanket_search import BlanketSearch, begin, versions
from altsel.search.blankets.limits import Limits, OutOfBudgetError
from altsel.search.blankets.undecided import undecided
from altsel.stats.equivalence.criterion import Criterion, Equivalent, criterion
from altsel.stats.independence.base import members_of
from altsel.stats.independence.protocol import Independence

log = logging.getLogger("altsel.search")

PROGRESS = 200
"""States after which a search says where it is."""

INADMISSIBLE = "breaks the rules"
NOT_EQUIVALENT = "not equivalent to the reference"
INCOMPLETE = "what was found without some features does not prove that there is no other blanket"
NOT_COMPARABLE = "too few rows to compare it with the reference"


@dataclass
class BlanketFamily:
    """Blankets in the order of their discovery.

    Parameters
    ----------
    criterion
        Judges whether a set is equivalent to the reference, which is the first one found.
    limits
        Limits and rules.
    admission
        Judges whether a set keeps the rules.
    trusting
        Whether assumption 1 is relied on in cutting what the rules leave out: that a search finds a
        blanket wherever there is one, and none that contains another.

    Attributes
    ----------
    kept, discarded
        What is returned, and what is not, with its reason.
    known
        Every blanket judged before, and whether it is equivalent to the reference.
    failed
        Sets of features without which a search found no solution, and what it ended with: every blanket has
        one of each.
    implied
        The same where no search was run, as lemma 1 of TMFBS tells.
    states
        States entered, or runs of a learner.
    """

    criterion: Criterion
    limits: Limits
    admission: Admission
    trusting: bool = True
    kept: list[FeatureSet] = field(default_factory=list)
    discarded: list[Discarded] = field(default_factory=list)
    known: dict[frozenset[str], bool] = field(default_factory=dict)
    failed: dict[frozenset[str], tuple[str, ...]] = field(default_factory=dict)
    implied: dict[frozenset[str], tuple[str, ...]] = field(default_factory=dict)
    states: int = 0
    reference: tuple[str, ...] | None = None
    began: float = field(default_factory=time.perf_counter)

    def enter(self) -> None:
        """Count a state, or stop before it."""
        if self.limits.max_states is not None and self.states >= self.limits.max_states:
            raise OutOfBudgetError(Stop.LIMIT)
        limit = self.limits.max_seconds
        if limit is not None and time.perf_counter() - self.began > limit:
            raise OutOfBudgetError(Stop.TIME)
        self.states += 1
        if self.states % PROGRESS == 0:
            counts = (self.states, len(self.kept), len(self.discarded))
            log.info("%d states; %d blankets, %d discarded sets", *counts)

    def must_be_possible(self) -> None:
        """Stop before the search if no set at all keeps the rules."""
        if not self.possible(frozenset()):
            raise OutOfBudgetError(Stop.INFEASIBLE)

    def possible(self, excluded: frozenset[str], members: Collection[str] = ()) -> bool:
        """Return whether an admissible blanket that is not known may have members, without excluded features.

        Every blanket is reached along a path of its own members (TMFBS, theorem 1), but for the first one.
        """
        if not self.limits.subject_to or (members and self.reference is None):
            return True
        return self.admission.is_feasible(self.unknown(excluded, members))

    def unknown(self, excluded: Collection[str] = (), members: Collection[str] = ()) -> Within:
        """Return which sets could be blankets that are not known, as far as removals that failed tell."""
        out = frozenset(excluded).union(set(self.limits.exclude).intersection(self.admission.features))
        inside = frozenset(members).union(self.limits.include)
        if not self.trusting:
            return Within(out, inside)
        return Within(out, inside, list(self.failed), self.blankets())

    def blankets(self) -> list[frozenset[str]]:
        """Return the blankets that are known, admissible or not."""
        return [one for one, equivalent in self.known.items() if equivalent]

    def standing(self, removals: Iterable[frozenset[str]]) -> list[frozenset[str]]:
        """Return the failed removals that no known blanket refutes: each has a feature of theirs."""
        known = self.blankets()
        return [one for one in removals if all(one & blanket for blanket in known)]

    def learned(self, hidden: frozenset[str], one: FeatureSet) -> frozenset[str] | None:
        """Judge what was found without hidden features; return it, or remember that the removal failed."""
        if self.judge(one):
            return frozenset(one.features)
        self.failed[hidden] = one.features
        return None

    def judge(self, one: FeatureSet) -> bool:
        """Return whether a blanket is equivalent to the reference; keep it if it is, and admissible."""
        names = frozenset(one.features)
        if names in self.known:
            return self.known[names]
        first = self.reference is None
        reference = one.features if self.reference is None else self.reference
        self.reference = reference
        comparisons: Sequence[Comparison] = ()
        if not first:
            judgement = self.criterion(reference, one.features)
            comparisons = judgement.comparisons
            self.known[names] = judgement.equivalent
            if not judgement.equivalent:
                reason = NOT_EQUIVALENT if all(part.tested for part in comparisons) else NOT_COMPARABLE
                self.discarded.append(Discarded(one.features, reason, tuple(comparisons)))
                return False
        self.known[names] = True
        if self.admission.keeps(names):
            self._keep(one if first else members_only(one), tuple(comparisons))
        else:
            self.discarded.append(Discarded(one.features, INADMISSIBLE, tuple(comparisons)))
        return True

    def _keep(self, one: FeatureSet, comparisons: tuple[Comparison, ...]) -> None:
        before = sum(other.seconds for other in self.kept)
        seconds = time.perf_counter() - self.began - before
        self.kept.append(replace(one, comparisons=comparisons, seconds=seconds))
        log.info("blanket %d of %d features; %d states", len(self.kept), len(one), self.states)
        if len(self.kept) == self.limits.max_solutions:
            raise OutOfBudgetError(Stop.LIMIT)

    def solutions(self, search: BlanketSearch, words: str, dual: Dual) -> Solutions:
        """Build the result; its words report a solver that failed, if anything was found.

        Raises
        ------
        SolverError
            If one failed before there was a blanket.
        """
        if search.fault is not None and not self.kept:
            raise search.fault
        test = search.test
        own = getattr(test, "seed", None)
        seed = self.criterion.seed if own is None else own
        rules = [title_of(rule) for rule in self.limits.subject_to]
        cut_short = not search.stop.finished
        sets = (
            [undecided(one, search.alpha, forced=search.forced) for one in self.kept]
            if cut_short
            else self.kept
        )
        doubts = dual.doubts() if search.stop is Stop.HEURISTIC else []
        doubts += [] if dual.complete or search.stop is not Stop.HEURISTIC else [INCOMPLETE]
        doubts += [] if search.fault is None else [f"ended by a solver that failed: {search.fault}"]
        told = ", ".join([words, f"alpha={search.alpha:g}", *rules, *doubts])
        return Solutions(
            tuple(sets),
            search.stop,
            universe=test.features,
            criterion=f"{test.name}, alpha = {search.alpha:g}; {self.criterion.name}",
            target=test.target,
            search=told,
            effort=Effort(
                search.budget.tests,
                self.admission.solves,
                nodes=self.states,
                seconds=time.perf_counter() - self.began,
                peak_memory=peak(),
            ),
            seed=seed,
            versions=versions(),
            discarded=tuple(self.discarded),
            members=members_of(test),
            dual=dual,
        )


def members_only(one: FeatureSet) -> FeatureSet:
    """Leave out what is known of rejected features, and what is given where it is all other members.

    There can be very many sets; names given would grow with the square of their size.
    """
    inside = [verdict for verdict in one.verdicts if verdict.feature in one]
    comparisons = []
    for verdict in inside:
        usual = len(verdict.given) == len(one) - 1 and set(verdict.given) < set(one)
        comparisons.append(replace(verdict, given=()) if usual else verdict)
    return replace(one, verdicts=tuple(comparisons))


def begun(
    test: Independence, alpha: float, equivalent: Equivalent | None, limits: Limits | None
) -> tuple[BlanketSearch, BlanketFamily]:
    """Begin a search for blankets: check what it was given, and keep what it will find.

    Raises
    ------
    ArgumentError
        If alpha, the limits or a rule is wrong, or the test is none.
    """
    search = begin(test, alpha, limits, all_blankets=True)
    admission = Admission(test.features, search.limits.subject_to)
    return search, BlanketFamily(criterion(test, equivalent), search.limits, admission)
