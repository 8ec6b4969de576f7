"""Sets found at once: that no others together are better."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from math import comb
from typing import Any

import numpy as np

from altsel.auditing.certificates.claims import CLOSE, Claim, Together, raised
from altsel.auditing.certificates.prices import Leaf, NoProofError, best_prices, ruling_out, total
from altsel.auditing.certificates.question import Stated
from altsel.auditing.certificates.rows import Rows
from altsel.models.dissimilarity import Dice
from altsel.models.problem import Problem
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


def bound_by_counts(criterion: Stated, claim: Together, rows: Rows, size: int, common: int) -> dict[str, Any]:
    """Bound a sum of scores by how many sets each feature is in, or show that there are no such sets.

    A feature in c sets is common to c (c - 1) / 2 pairs: its c-th set costs c - 1 times the price of what two
    sets share. Returned is what a certificate says of it.

    Raises
    ------
    NoProofError
        If the scores are no sums, or that bound is too weak.
    """
    m, n = claim.count, rows.features.shape[1]
    shared = Rows(
        ("common", *rows.names),
        np.vstack([np.repeat(np.arange(m, dtype=float), n), np.tile(rows.features, m)]),
        np.append(common * m * (m - 1) / 2, m * rows.limits),
    )
    leaf, limit = Leaf(np.arange(0), np.arange(n * m), m * size), None
    if claim.limit is None:
        prices = ruling_out(leaf, shared)
    elif criterion.kind == "sum":
        limit = raised(m * claim.limit if claim.total == "min" else claim.limit, CLOSE, m * criterion.terms)
        bounds: Any = criterion.bounds(size, limit, rows, "")
        worth = np.tile(bounds.weights, m)
        found = best_prices(leaf, worth, shared)
        enough = found is not None and total(leaf, 0.0, worth, shared, found.prices) <= limit
        prices = found.prices if found is not None and enough else None
    else:
        raise NoProofError("in how many sets features are bounds sums only")
    if prices is None:
        raise NoProofError("in how many sets features are does not bound the sum well enough")
    return {
        "at most": None if limit is None else limit.hex(),
        "price": float(prices[0]).hex(),
        "prices": {name: float(y).hex() for name, y in zip(rows.names, prices[1:], strict=True) if y},
    }


def looked_at_in_time(sets: Sequence[frozenset[int]], count: int, common: int) -> bool:
    """Return whether few enough families of sets, of which two share so many features at most, begin."""
    open_, seen = [(count, [*range(len(sets))])], 0
    while open_:
        left, candidates = open_.pop()
        seen += len(candidates)
        if seen > MOST_FAMILIES:
            return False
        for place, i in enumerate(candidates if left > 1 else ()):
            later = candidates[place if len(sets[i]) <= common else place + 1 :]
            open_.append((left - 1, [j for j in later if len(sets[i] & sets[j]) <= common]))
    return True


def sets_to_list(
    problem: Problem, claim: Together, criterion: Stated, common: int
) -> tuple[Claim, dict[str, Any]]:
    """List the sets of which better ones together would be made up; and what a certificate says besides.

    The poorest of several sets is above a limit only if all are; their sum only if none is below what is left
    when the others are best. Where no such sets exist at all, every set is listed.

    Raises
    ------
    NoProofError
        If they are too many.
    """
    m, limit = claim.count, claim.limit
    inexact = {"model"} if claim.total == "min" else {"model", "ratio", "penalised fit"}
    if limit is not None and criterion.kind in inexact:
        raise NoProofError("the exact scores of listed sets are not known")
    if limit is None:
        if not problem.subject_to and comb(len(problem.index), problem.sizes[0]) > MOST_LISTED:
            raise NoProofError(FEWER)
        named = islice(enumerate_valid(problem), MOST_LISTED + 1)
        scores = ((one, problem.objective.checked_score(problem.mask(one))) for one in named)
        listed = tuple(FeatureSet(problem.ordered(one), score, Proof.HEURISTIC) for one, score in scores)
        floor, whole = None, len(listed) <= MOST_LISTED
    else:
        best = sequential(problem, Dice(0), 0)[0].score
        floor = limit if claim.total == "min" else limit - (m - 1) * best
        found = near_optimal(problem, AbsoluteLoss(max(best - floor, 0.0)), MOST_LISTED)
        listed, whole = found.sets, found.stop is Stop.EXHAUSTED
    if not whole:
        raise NoProofError(FEWER)
    members = [frozenset(problem.index[name] for name in one) for one in listed]
    if not looked_at_in_time(members, m, common):
        raise NoProofError("families of so many sets would take too long to look at")
    together = None if limit is None else raised(limit, CLOSE, m * criterion.terms).hex()
    slack = CLOSE if claim.total == "min" else 0.0
    return (
        Claim(claim.title, listed, floor, "others", slack),
        {"total": claim.total, "at most together": together},
    )
