"""A set that could be an unknown blanket and costs less than some limit, exactly, whatever the costs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import ceil, inf

from altsel.errors import SolverError
from altsel.exact.transversals.costs import by_digits
from altsel.results.feature_set import Proof
from altsel.results.stop import Stop
from altsel.runtime.clock import OutOfTimeError
from altsel.search.blankets.all.admissible import Admission, Excess, Within
from altsel.solvers import Outcome

Names = frozenset[str]


@dataclass(frozen=True)
class Cheaper:
    """A set that costs less than a limit, and what every set costs at least.

    Attributes
    ----------
    names
        The set; None: there is none.
    least
        Bound on the cost of all sets; infinite if there are none at all.
    """

    names: Names | None
    least: float


def cheaper(admission: Admission, within: Within, costs: Mapping[str, int], limit: float = inf) -> Cheaper:
    """Find a set that costs less than a limit, near the cheapest, or prove that there is none.

    Costs are integers of any size, and all sums exact. Solvers take numbers of few digits, so the cost is
    minimised by its leading digits first, rounded down, ``A_0 = min sum_j floor(c_j / 2^s) x_j``. Then
    ``2^s A_0`` bounds all costs. Where the bound is below the limit, and the set found is not:

    1. Features that alone would reach the limit are out.
    2. With ``h = sum_j floor(c_j / 2^s) x_j - A_0``, an integer of at most the number of features, the next
       digits d are minimised along with it: ``min 2^w h + sum_j d_j x_j``; and so on to the last.

    Parameters
    ----------
    admission
        Knows the rules.
    within
        Which sets are meant.
    costs
        Cost of each feature, of any sign.
    limit
        What a set must cost less than.

    Raises
    ------
    OutOfTimeError, SolverError
        If the solver does not settle it.

    Examples
    --------
    >>> within = Within(met=[frozenset("ab"), frozenset("bc")])
    >>> found = cheaper(Admission(["a", "b", "c"]), within, {"a": 10**30, "b": 10**12 + 3, "c": 10**12 + 2})
    >>> sorted(found.names), cheaper(Admission("abc"), within, {"a": 10**30, "b": 7, "c": 8}, 7).names
    (['b'], None)
    """
    found = next(_refined(admission, within, costs, limit))
    if found.names is not None or found.least >= limit:
        return found
    gains = sum(min(0, cost) for cost in costs.values())
    dear = frozenset(name for name, cost in costs.items() if cost > 0 and cost + gains >= limit)
    if dear & within.present:
        return Cheaper(None, limit)
    *_, last = _refined(admission, replace(within, absent=within.absent | dear), costs, limit)
    return replace(last, least=min(last.least, limit))


def _refined(
    admission: Admission, within: Within, costs: Mapping[str, int], limit: float
) -> Iterator[Cheaper]:
    """Yield what is known by more and more digits, until a set is found or the bound reaches the limit."""
    free = {name: cost for name, cost in costs.items() if name not in within.absent}
    least, before, known = 0, 0, list[Excess]()
    for digits, shift in by_digits(free):
        if known:
            known[-1] = replace(known[-1], factor=1 << (before - shift))
        answer = admission.cheapest(within, digits, known)
        if answer is None:  # for no set is the excess as small as the limit wants it
            yield Cheaper(None, inf)
            return
        names, outcome = answer
        value = _proved(outcome)
        least = (least << (before - shift if known else 0)) + value
        found = Cheaper(names if sum(costs[name] for name in names) < limit else None, least << shift)
        yield found
        if found.names is not None or found.least >= limit:
            return
        if outcome.proof is not Proof.OPTIMAL:
            raise OutOfTimeError if outcome.stop is Stop.TIME else SolverError(_open(admission, outcome))
        known.append(Excess(digits, value, (int(limit) - 1 >> shift) - least))
        before = shift


def _open(admission: Admission, outcome: Outcome) -> str:
    return f"{admission.solver} did not prove the least cost: {outcome.stop}"


def _proved(outcome: Outcome) -> int:
    """Return the least value, or the proved bound, rounded up to an integer as all values are."""
    if outcome.proof is Proof.OPTIMAL and outcome.value is not None:
        return round(outcome.value)
    if outcome.bound is None:
        raise SolverError(f"the solver proved no bound: {outcome.stop}")
    return ceil(outcome.bound - 0.25)
