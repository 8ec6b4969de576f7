"""All valid sets, or some at random: the first two ways of AFS 3.3.2 to search with a black box."""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, combinations, islice, product

import numpy as np

from altsel.errors import SolverError, checked_integer, listing
from altsel.exact.auto_solver import SolverLike
from altsel.exact.question import Structure
from altsel.exact.rules.linear_rules import read_rules
from altsel.exact.rules.valid_counts import Share, shares
from altsel.exact.run import Run, checked_question, checked_solver
from altsel.exact.starts.nearest_valid import Closest
from altsel.exact.verification.dissimilarity_checks import distances
from altsel.exact.verification.verifier import Check, Verifier
from altsel.models.dissimilarity import Dice, Dissimilarity, share_of
from altsel.models.given_sets import given_sets
from altsel.models.predicate import Condition
from altsel.models.problem import Problem, exclude
from altsel.models.stated_dissimilarity import differ_by_rule
from altsel.results.sample import Sample
from altsel.results.stop import Stop
from altsel.runtime.clock import Clock, OutOfTimeError, clock, in_force, limited, opened
from altsel.runtime.memory import NUMBER, require

MOST_LISTED = 200_000
"""Sets that are all looked at where drawing finds too few that are feasible."""
TRIES = 200
"""Draws for each set wanted, where the criterion itself admits only some."""
Names = tuple[str, ...]


PER_SET = 60
"""Bytes that a set takes besides its names."""


def enumerate_valid(
    problem: Problem,
    dissimilarity: Dissimilarity | None = None,
    known: Sequence[Collection[str]] = (),
    solver: SolverLike = None,
    time_limit: float | None = None,
) -> Iterator[Names]:
    """Return every valid set once, in no order of quality; nothing is evaluated.

    Sets are put together from classes of features that no condition tells apart. Where these are too
    many, or a rule is more than a row, a solver finds one set after another.

    Parameters
    ----------
    problem
        Size, rules and, if it has any, the criterion's own conditions.
    dissimilarity, known
        Sets to differ from, and by how much; none by default.
    solver
        A solver, a profile's name, or None for what does best.
    time_limit
        Seconds for all sets, what the caller does between them included.

    Yields
    ------
    tuple of str
        Names, in the order of the features. The iterator ends when it is proved that there is no other.

    Raises
    ------
    ArgumentError, SolverError
        If an argument is wrong, or time is up or the solver cannot tell whether there is a further set.

    Examples
    --------
    >>> from altsel import Dice, Problem, Univariate, enumerate_valid
    >>> list(enumerate_valid(Problem(Univariate([1, 1, 1, 1]), k=2), Dice(1), known=[["x0"]]))
    [('x1', 'x2'), ('x1', 'x3'), ('x2', 'x3')]
    """
    diversity = Dice(0) if dissimilarity is None else dissimilarity
    checked_question(problem, diversity)
    checked_solver(solver)
    given = given_sets("known", known, problem)
    verified = _Verified.of(problem, diversity, given)
    return _given_until(
        opened(time_limit), map(verified, _all_valid(*_stated(problem, diversity, given), solver))
    )


def _given_until(current: Clock, sets: Iterator[Names]) -> Iterator[Names]:
    """Yield sets, each found under a clock that also runs between them."""
    while True:
        try:
            with in_force(current):
                current.check()
                one = next(sets)
        except StopIteration:
            return
        except OutOfTimeError as fault:
            raise SolverError("time is up; there may be further valid sets") from fault
        yield one


@dataclass(eq=False)
class _Verified:
    """Returns a set if it keeps sizes, rules and distances as they were stated.

    Rules that are evaluated on sets were asked just before, and are not asked again. Distances that depend on
    overlaps alone are computed once for all sets that overlap alike.
    """

    verifier: Verifier
    dissimilarity: Dissimilarity
    known: Sequence[Names]
    apart: set[tuple[int, ...]] = field(default_factory=set)

    @classmethod
    def of(cls, problem: Problem, dissimilarity: Dissimilarity, known: Sequence[Names]) -> _Verified:
        """Read what was stated."""
        rules = [rule for rule in problem.subject_to if not isinstance(rule, Condition)]
        return cls(Verifier(replace(problem, subject_to=rules)), dissimilarity, known)

    def __call__(self, one: Names) -> Names:
        for check in self._checks(one):
            if check.holds is False:
                raise SolverError(
                    f"{listing(one)} was listed as valid and fails a check: {check.claim}: {check.found}; "
                    "the numbers of rules may range too widely"
                )
        return one

    def _checks(self, one: Names) -> Iterator[Check]:
        yield self.verifier.sizes(one)
        yield from self.verifier.rules(one)
        if not self.known:
            return
        if share_of(self.dissimilarity) is None:
            yield from distances(self.dissimilarity, [one], self.known, together=False)
            return
        overlaps = (len(one), *(len(set(one).intersection(known)) for known in self.known))
        if overlaps not in self.apart:
            yield from distances(self.dissimilarity, [one], self.known, together=False)
            self.apart.add(overlaps)


def _stated(
    problem: Problem, dissimilarity: Dissimilarity, known: Sequence[Names]
) -> tuple[Problem, Dissimilarity, Sequence[Names]]:
    """State rules across sets, and a dissimilarity that allows no share of an overlap, as rules on a set."""
    if share_of(dissimilarity) is not None:
        return problem.after(known), dissimilarity, known
    return differ_by_rule(problem, dissimilarity, known), Dice(0), []


def _all_valid(
    problem: Problem, dissimilarity: Dissimilarity, known: Sequence[Names], solver: SolverLike
) -> Iterator[Names]:
    features = problem.objective.features
    counted = shares(_by_rows(problem), dissimilarity, known)
    if counted is None:
        yield from _one_by_one(problem, dissimilarity, known, solver)
        return
    is_feasible = _admission(problem)
    for share in counted:
        for count in share.counts:
            parts = (combinations(label, c) for label, c in zip(share.classes, count.tolist(), strict=True))
            for parts_chosen in product(*parts):
                clock().check()
                names = tuple(features[j] for j in sorted(j for part in parts_chosen for j in part))
                if is_feasible(names):
                    yield names


def _admission(problem: Problem) -> Callable[[Names], bool]:
    """Build what tells whether a set keeps the criterion's conditions, and the rules that are not counted."""
    structure = Structure(problem)
    beyond_rows = structure.on_quality or structure.evaluated is not None

    def is_feasible(names: Names) -> bool:
        if not problem.objective.checked_feasible(problem.mask(names)):
            return False
        return not beyond_rows or structure.admits(names)

    return is_feasible


def _by_rows(problem: Problem) -> Problem:
    """Return the problem without the rules that are evaluated on sets."""
    evaluated = Structure(problem).evaluated
    return problem if evaluated is None else evaluated.narrow()


def sample_valid(
    problem: Problem,
    number: int,
    dissimilarity: Dissimilarity | None = None,
    known: Sequence[Collection[str]] = (),
    random_state: int = 0,
    time_limit: float | None = None,
) -> Sample:
    """Draw valid sets at random, all equally likely where they can be counted.

    A class of g features of which c are chosen stands for ``comb(g, c)`` sets: a way to share the
    features out among the classes is drawn by the number of sets it stands for, then one of these.

    Parameters
    ----------
    problem, dissimilarity, known
        As in `enumerate_valid`.
    number
        How many sets.
    random_state
        Seed.
    time_limit
        Seconds for the whole call.

    Returns
    -------
    Sample
        ``uniform`` is False where the sets could not be counted: then each is the best under random
        weights, and some are more likely than others. There are fewer sets only if there are none.

    Raises
    ------
    ArgumentError
        If an argument is wrong.

    Examples
    --------
    >>> from altsel import Dice, Problem, Univariate, sample_valid
    >>> before = [[f"x{j}" for j in range(10)]]
    >>> drawn = sample_valid(Problem(Univariate([1.0] * 500), k=10), 3, Dice(0.8), before)
    >>> drawn.uniform, drawn.valid > 10**20, len(drawn.sets)
    (True, True, 3)
    """
    diversity = Dice(0) if dissimilarity is None else dissimilarity
    checked_question(problem, diversity)
    checked_integer("number", number, 1)
    needed = number * (PER_SET + NUMBER * problem.sizes[1])
    require(needed, f"{number:,} valid sets", "draw fewer, or list them by enumerate_valid")
    checked_integer("random_state", random_state, 0)
    given = given_sets("known", known, problem)
    verified = _Verified.of(problem, diversity, given)
    with limited(time_limit):
        try:
            sample = _sampled(*_stated(problem, diversity, given), number, random_state)
            for one in set(sample.sets):
                verified(one)
            return sample
        except OutOfTimeError as fault:
            raise SolverError("time is up before the sample was drawn; raise time_limit") from fault


def _sampled(
    problem: Problem, dissimilarity: Dissimilarity, known: Sequence[Names], number: int, random_state: int
) -> Sample:
    counted = shares(_by_rows(problem), dissimilarity, known)
    if counted is not None:
        total = sum(share.total for share in counted)
        rules = read_rules(problem)
        valid = None if rules is None or rules.on_quality else total
        drawn = tuple(islice(_drawn(problem, counted, number, random.Random(random_state)), number))
        if len(drawn) == number or not total:
            return Sample(drawn, True, valid)
        if total <= MOST_LISTED:  # few of the sets are feasible: they are all looked at
            every = list(_all_valid(problem, dissimilarity, known, None))
            chooser = random.Random(random_state)
            sets = tuple(chooser.choice(every) for _ in range(number)) if every else ()
            return Sample(sets, True, valid)
    nearest = closest(problem, None, dissimilarity, known)
    rng = np.random.default_rng(random_state)
    drawn_by_solver: list[Names] = []
    for _ in range(number):
        one, stop = nearest.some(rng)
        if one is None and stop is Stop.INFEASIBLE:
            break
        if one is None:
            raise SolverError(f"the solver could not tell whether there is a valid set: {stop}")
        drawn_by_solver.append(problem.ordered(one[0]))
    return Sample(tuple(drawn_by_solver), False, None)


def _drawn(problem: Problem, counted: list[Share], number: int, rng: random.Random) -> Iterator[Names]:
    """Draw sets, all equally likely; ends after so many draws for each set wanted."""
    features = problem.objective.features
    totals = list(accumulate(share.total for share in counted))
    if not totals or not totals[-1]:
        return
    is_feasible = _admission(problem)
    for _ in range(number * TRIES):
        clock().check()
        ticket = rng.randrange(totals[-1])
        index = bisect_right(totals, ticket)
        share = counted[index]
        way = bisect_right(share.ends, ticket - (totals[index] - share.total))
        parts = zip(share.classes, share.counts[way].tolist(), strict=True)
        chosen = sorted(j for one, c in parts for j in rng.sample(one, c))
        names = tuple(features[j] for j in chosen)
        if is_feasible(names):
            yield names


def closest(
    problem: Problem, solver: SolverLike, dissimilarity: Dissimilarity, known: Sequence[Names]
) -> Closest:
    """Build what finds valid sets by a solver."""
    run = Run(problem, solver, "valid sets")
    return Closest(run, run.question(dissimilarity).after(known))


def _one_by_one(
    problem: Problem, dissimilarity: Dissimilarity, known: Sequence[Names], solver: SolverLike
) -> Iterator[Names]:
    """Ask a solver for a set that differs from the known ones and is none of those given."""
    nearest = closest(problem, solver, dissimilarity, known)
    while True:
        sets, stop = nearest.some(np.random.default_rng(0))
        if sets is None and stop is Stop.INFEASIBLE:
            return
        if sets is None and stop is Stop.TIME:
            raise OutOfTimeError
        if sets is None:
            raise SolverError(f"the solver could not tell whether there is a further set: {stop}")
        exclude(nearest.model.sets[0], sets[0])
        yield problem.ordered(sets[0])
