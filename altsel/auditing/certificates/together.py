"""Sets found at once: that no others together are better."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, islice
from math import comb, inf, nextafter
from typing import Any

import numpy as np

from altsel.auditing.certificates.claim import Claim, Together, raised
from altsel.auditing.certificates.criterion import Stated
from altsel.auditing.certificates.lines import hexadecimal
from altsel.auditing.certificates.prices import Leaf, NoProofError, best_prices, ruling_out, total
from altsel.auditing.certificates.rows import MISSED, NotCoveredError, Rows, upwards
from altsel.models.dissimilarity import Dice, largest_overlap, share_of
from altsel.models.problem import Problem
from altsel.models.soft_diversity import is_soft
from altsel.results.feature_set import FeatureSet, Proof
from altsel.results.stop import Stop
from altsel.search.alternatives.near_optimal import near_optimal
from altsel.search.alternatives.quality_loss import AbsoluteLoss
from altsel.search.alternatives.sequential import sequential
from altsel.search.alternatives.valid_sets import enumerate_valid

MOST_LISTED = 1500
"""Sets of which families are looked at."""
MOST_FAMILIES = 1_000_000
"""Sets that beginnings of families may go on with, in all."""
FEWER = f"more than {MOST_LISTED:,} sets would have to be listed"
SLACK = 1e-13
"""Share of the best score by which the exact one of the same numbers may be more."""


@dataclass(frozen=True)
class GoingTogether:
    """Which two sets may be of one family, and what that costs.

    Attributes
    ----------
    loads
        By the sizes of two sets, the smaller first: the load of 0, 1, 2, … features in common. Sets with more
        in common do not go together.
    limit
        Of the loads of all pairs together; None: they are taken off the total.
    """

    loads: Mapping[tuple[int, int], Sequence[float]]
    limit: float | None

    def load(self, one: frozenset[int], other: frozenset[int]) -> float | None:
        """Return the load of two sets; None if they do not go together."""
        loads = self.loads[min(len(one), len(other)), max(len(one), len(other))]
        common = len(one & other)
        return loads[common] if common < len(loads) else None

    def load_with(self, one: frozenset[int], others: Iterable[frozenset[int]]) -> float | None:
        """Return the load of a set with others; None if they do not go together."""
        loads = [self.load(one, other) for other in others]
        return None if None in loads else float(sum(load for load in loads if load is not None))

    def plain(self) -> dict[str, Any]:
        """Write it."""
        loads = {f"{a} {b}": hexadecimal(loads) for (a, b), loads in self.loads.items()}
        return {"similar": loads, "at most similar": None if self.limit is None else self.limit.hex()}


def going_together(
    diversity: Any, sizes: Iterable[int], count: int, family: Sequence[frozenset[int]]
) -> GoingTogether:
    """Return which sets may be of one family; the limit of a mean is raised to that of a family found.

    Raises
    ------
    NotCoveredError
        If sizes and common features do not tell whether two sets differ enough.
    """
    pairs = [*combinations_with_replacement(sorted(sizes), 2)]
    if not is_soft(diversity):
        if share_of(diversity) is None:
            raise NotCoveredError("how different two sets are, common features alone do not tell")
        return GoingTogether({(a, b): [0.0] * (largest_overlap(diversity, a, b) + 1) for a, b in pairs}, None)
    price = diversity.penalty if diversity.limit(1) == inf else 1.0
    loads = {(a, b): [price * x for x in diversity.similarities(a, b).tolist()] for a, b in pairs}
    loads |= {(a, a): loads[a, a][:-1] for a in sizes}  # sets must be distinct
    limit = float(diversity.limit(comb(count, 2)))
    if limit == inf:
        return GoingTogether(loads, None)
    made = GoingTogether(loads, limit)
    found = [made.load(one, other) for one, other in combinations(family, 2)]
    whole = sum((Fraction(load) for load in found if load is not None), Fraction(0))
    near = whole <= limit + MISSED * max(limit, 1.0)
    return GoingTogether(loads, max(limit, upwards(whole)) if near else limit)


def bound_by_counts(
    criterion: Stated, claim: Together, rows: Mapping[int, Rows], rule: GoingTogether
) -> dict[str, Any]:
    """Bound a sum of scores by how many sets each feature is in, or show that there are no such sets.

    A feature in c sets is common to c (c - 1) / 2 pairs: its c-th set costs c - 1 times the price of what two
    sets share. Returned is what a certificate says of it.

    Raises
    ------
    NoProofError
        If sets are not of one size, do not differ pair by pair or keep rules by a list, if the scores are no
        sums, or that bound is too weak.
    """
    (size, own), *others = rows.items()
    if others or rule.limit is not None or any(map(any, rule.loads.values())) or own.listed:
        raise NoProofError("counts bound sets of one size alone, which differ pair by pair")
    common = len(rule.loads[size, size]) - 1
    m, n = claim.count, own.features.shape[1]
    shared = Rows(
        ("common", *own.names),
        np.vstack([np.repeat(np.arange(m, dtype=float), n), np.tile(own.features, m)]),
        np.append(common * m * (m - 1) / 2, m * own.limits),
    )
    leaf, limit = Leaf(np.arange(0), np.arange(n * m), m * size), None
    if claim.limit is None:
        prices = ruling_out(leaf, shared)
    elif criterion.kind == "sum":
        limit = raised(
            m * claim.limit if claim.total == "min" else claim.limit, claim.slack, m * criterion.terms
        )
        bounds: Any = criterion.bounds(size, limit, own, "")
        worth = np.tile(bounds.weights, m)
        found = best_prices(leaf, worth, shared)
        enough = found is not None and total(leaf, 0.0, worth, shared, found.prices) <= limit
        prices = found.prices if found is not None and enough else None
    else:
        raise NoProofError("in how many sets features are bounds sums only")
    if prices is None:
        raise NoProofError("in how many sets features are does not bound the sum well enough")
    return {
        "common": common,
        "at most": None if limit is None else limit.hex(),
        "price": float(prices[0]).hex(),
        "prices": {name: float(y).hex() for name, y in zip(own.names, prices[1:], strict=True) if y},
    }


def refuse_many_families(
    sets: Sequence[frozenset[int]],
    levels: Sequence[Mapping[str, Any]],
    claim: Together,
    limit: float | None,
    rule: GoingTogether,
) -> None:
    """Refuse a list of which too many beginnings of families would be looked at, as the checker does it.

    Raises
    ------
    NoProofError
        Then.
    """
    scores = [float.fromhex(level.get("no more than", "0x0p0")) for level in levels]
    scored = sorted(zip(scores, sets, strict=True), key=lambda one: -one[0])
    summed = claim.total == "sum"
    stack: list[tuple[tuple[frozenset[int], ...], int, float, float]] = [((), 0, 0.0, 0.0)]
    seen = 0
    while stack:
        chosen, start, reached, paid = stack.pop()
        left = claim.count - len(chosen)
        bar = None if limit is None else limit + (paid if rule.limit is None else 0.0)
        for place in range(start, len(scored) if left else 0):
            score, one = scored[place]
            if bar is not None and (reached + left * score if summed else score) <= bar:
                break
            seen += 1
            load = rule.load_with(one, chosen)
            if load is not None and (rule.limit is None or paid + load <= rule.limit):
                stack.append(((*chosen, one), place, score + reached * summed, paid + load))
        if seen > MOST_FAMILIES:
            raise NoProofError("families of so many sets would take too long to look at")


def sets_to_list(problem: Problem, claim: Together, criterion: Stated) -> Claim:
    """List the sets of which better ones together would be made up.

    The poorest of several sets is above a limit only if all are; their sum only if none is below what is left
    when the others are best. Where no such sets exist at all, every set is listed.

    Raises
    ------
    NoProofError
        If they are too many.
    """
    m, limit = claim.count, claim.limit
    best: Any = sequential(problem, Dice(0), 0) if limit is not None else ()
    if limit is None or not len(best):
        low, high = problem.sizes
        number = sum(comb(len(problem.index), size) for size in range(low, high + 1))
        if not problem.subject_to and number > MOST_LISTED:
            raise NoProofError(FEWER)
        named = islice(enumerate_valid(problem), MOST_LISTED + 1)
        scores = ((one, problem.objective.checked_score(problem.mask(one))) for one in named)
        listed = tuple(FeatureSet(problem.ordered(one), score, Proof.HEURISTIC) for one, score in scores)
        floor, whole = None, len(listed) <= MOST_LISTED
    else:
        top = best[0].score
        ahead = (m - 1) * (top + SLACK * max(abs(top), criterion.terms)) if claim.total == "sum" else 0.0
        floor = limit - ahead
        if floor < criterion.least:
            raise NoProofError("the sum may have sets that reach no level")
        found = near_optimal(problem, AbsoluteLoss(max(top - floor, 0.0)), MOST_LISTED)
        listed, whole = found.sets, found.stop is Stop.EXHAUSTED
    if not whole:
        raise NoProofError(FEWER)
    return Claim(claim.title, listed, floor, "others")


def no_more_than(criterion: Stated, members: list[int]) -> dict[str, Any]:
    """State what a set scores at most, with what shows it."""
    if criterion.most is not None:
        level, data = criterion.most(members)
        return {"no more than": level.hex()} | ({} if data is None else {"by": data})
    assert criterion.exact is not None
    level = nextafter(upwards(criterion.exact(members)), inf)  # logarithms are known to their last digit only
    return {"no more than": level.hex()}


def limit_together(claim: Together, criterion: Stated) -> float | None:
    """Return what no other sets together exceed, as it is written; None if there are none."""
    return None if claim.limit is None else raised(claim.limit, claim.slack, claim.count * criterion.terms)
