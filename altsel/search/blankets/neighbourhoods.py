"""Parents and children of several variables, which do not wait for each other: by workers where it pays."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from math import inf

from altsel.errors import AltselError
from altsel.parallel import each, number_of_workers
from altsel.results.stop import Stop
from altsel.runtime.clock import OutOfTimeError, clock, limited
from altsel.search.blankets.blanket_search import BlanketSearch
from altsel.search.blankets.limits import Budget, Limits, OutOfBudgetError
from altsel.search.blankets.parents_and_children import Learner, Neighbours
from altsel.search.blankets.weakest import LastWord
from altsel.stats.independence.protocol import Independence

logger = logging.getLogger("altsel.search")

PAYS = 3.0
"""Seconds of work from which workers are called for: they take one or two to start."""


def neighbours(
    search: BlanketSearch,
    names: Sequence[str],
    learner: Learner,
    max_conditioning: int | None,
    seconds: float,
) -> dict[str, Neighbours]:
    """Find the parents and children of several variables by workers; of none if that does not pay.

    Parameters
    ----------
    search
        The search on whose account they are found.
    names
        The variables.
    learner
        Finds parents and children of one variable.
    max_conditioning
        Largest conditioning set; None: any size.
    seconds
        What one of them is expected to take.

    Returns
    -------
    dict
        What the learner found, by variable. Those that are not in it are to be learned when they are needed.

    Raises
    ------
    OutOfBudgetError
        If time is up.
    """
    if len(names) < 2 or seconds * len(names) < PAYS or search.limits.max_tests is not None:
        return {}  # with a limit on tests, they are counted one after another
    if number_of_workers() == 1:
        return {}
    left = clock().left
    until = inf if left == inf else time.time() + left
    learn = _Learn(search.test, search.alpha, tuple(search.limits.exclude), learner, max_conditioning, until)
    learned: dict[str, Neighbours] = {}
    try:
        with closing(each(learn, [(name, name) for name in names], None, "variable")) as results:
            for name, found in results:
                if found is None:
                    raise OutOfBudgetError(Stop.TIME)
                learned[name] = found.on_behalf(search, name, max_conditioning)
                search.budget.add(found.tests)
    except AltselError as fault:  # one that is not the workers' comes again
        logger.info("the variables that are left are learned by one process: %s", fault)
    return learned


@dataclass(frozen=True)
class _Found:
    """What was found of one variable: what is selected, the last words, separating sets, and tests done."""

    members: list[str]
    verdicts: dict[str, LastWord]
    separated: dict[str, tuple[str, ...]]
    tests: int

    def on_behalf(self, search: BlanketSearch, name: str, max_conditioning: int | None) -> Neighbours:
        """Turn it into what a learner in this process would have left."""
        own = search.with_target(name)
        own.members[:] = self.members
        own.verdicts.update(self.verdicts)
        return Neighbours(own, max_conditioning, separated=self.separated)


@dataclass(frozen=True)
class _Learn:
    """Learns the parents and children of one variable, until a time of day; returns None if time is up."""

    test: Independence
    alpha: float
    exclude: tuple[str, ...]
    learner: Learner
    max_conditioning: int | None
    until: float

    def __call__(self, name: str) -> _Found | None:
        seconds = None if self.until == inf else self.until - time.time()
        if seconds is not None and seconds <= 0:
            return None
        limits = Limits((), self.exclude, max_seconds=seconds)
        search = BlanketSearch(self.test.with_target(name), self.alpha, limits, Budget(limits))
        near = Neighbours(search, self.max_conditioning)
        try:
            with limited(seconds):
                self.learner(near)
        except (OutOfBudgetError, OutOfTimeError):
            return None
        return _Found(search.members, search.verdicts, near.separated, search.budget.tests)
