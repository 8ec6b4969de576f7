"""A cheap test of a solver's word: no set one exchange away may be better than one called optimal."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

import numpy as np

from altsel.models.alternatives import Dissimilarity
from altsel.models.lenient import Lenient
from altsel.models.objective import Exchangeable, admitted
from altsel.result import Proof
from altsel.search.closest import far_enough
from altsel.search.run import Run, log
from altsel.search.solving import Sets, keeps_rules
from altsel.solvers.outcome import CLOSED, Outcome

MOST_FEATURES = 5_000
"""Features above which the test would cost more than the solve."""


def unbeaten(
    run: Run,
    demand: Dissimilarity | Lenient,
    known: Sequence[Collection[str]],
    start: Sets,
    ask: Callable[[Sets], tuple[Sets, Outcome]],
) -> tuple[Sets, Outcome]:
    """Ask a solver from a start, and again from a neighbour as long as one beats what it calls optimal."""
    while True:
        answer = ask(start)
        better = better_neighbour(run, demand, known, answer)
        if better is None:
            return answer
        start = [better]


def better_neighbour(
    run: Run,
    demand: Dissimilarity | Lenient,
    known: Sequence[Collection[str]],
    answer: tuple[Sets, Outcome],
) -> list[str] | None:
    """Find a set that refutes a claim of optimality: one feature exchanged, all conditions kept, better.

    Parameters
    ----------
    run
        The search.
    demand, known
        What to differ from, and by how much; where similarity has a price nothing is looked at.
    answer
        One set, and what the solver said of it.
    """
    sets, outcome = answer
    objective = run.problem.objective
    if not sets or outcome.proof is not Proof.OPTIMAL or getattr(demand, "price", None):
        return None
    if not isinstance(objective, Exchangeable) or len(objective.features) > MOST_FEATURES:
        return None
    score = run.score(sets[0])
    least = score + max(CLOSED * abs(score), outcome.rounding)
    members = np.array([run.problem.place[f] for f in run.problem.ordered(sets[0])])
    values = objective.exchanged(members)
    values[:, members] = -np.inf
    places = np.argwhere(values > least)
    for out, into in places[np.argsort(-values[tuple(places.T)], kind="stable")].tolist():
        other = [objective.features[j] for j in [*np.delete(members, out).tolist(), into]]
        mask = run.problem.mask(other)
        apart = far_enough(demand, [(other, one) for one in known])
        if apart and admitted(objective, mask) and objective.score(mask) > least and keeps_rules(run, other):
            log.warning("solver %r called a set optimal that a neighbour beats; asked again", run.engine.name)
            return list(run.problem.ordered(other))
    return None
