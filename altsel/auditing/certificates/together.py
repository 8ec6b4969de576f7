"""Sets found at once: that no others together are better."""

from __future__ import annotations

from itertools import islice
from typing import Any

import numpy as np

from altsel.auditing.certificates.claims import CLOSE, Claim, Together, raised
from altsel.auditing.certificates.prices import Leaf, NoProofError, best_prices, total
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


def bound_by_counts(criterion: Stated, claim: Together, rows: Rows, size: int, common: int) -> dict[str, Any]:
    """Bound a sum of scores by how many sets each feature is in; what a certificate says of it.

    A feature in c sets is common to c (c - 1) / 2 pairs: its c-th set costs c - 1 times the price of what two
    sets share.

    Raises
    ------
    NoProofError
        If the scores are no sums, or that bound is too weak.
    """
    if claim.limit is None or criterion.kind != "sum" or len(rows):
        raise NoProofError("in how many sets features are bounds sums without rules only")
    m = claim.count
    limit = raised(m * claim.limit if claim.total == "min" else claim.limit, CLOSE, m * criterion.terms)
    bounds: Any = criterion.bounds(size, limit, rows, "")
    n, copies = len(bounds.weights), np.repeat(np.arange(m, dtype=float), len(bounds.weights))
    shared = Rows(("common",), copies[None], np.array([common * m * (m - 1) / 2]))
    leaf, worth = Leaf(np.arange(0), np.arange(n * m), m * size), np.tile(bounds.weights, m)
    found = best_prices(leaf, worth, shared)
    if found is None or total(leaf, 0.0, worth, shared, found.prices) > limit:
        raise NoProofError("in how many sets features are does not bound the sum well enough")
    return {"at most": limit.hex(), "price": float(found.prices[0]).hex()}


def sets_to_list(problem: Problem, claim: Together, criterion: Stated) -> tuple[Claim, dict[str, Any]]:
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
        raise NoProofError(f"more than {MOST_LISTED:,} sets would have to be listed")
    together = None if limit is None else raised(limit, CLOSE, m * criterion.terms).hex()
    slack = CLOSE if claim.total == "min" else 0.0
    return (
        Claim(claim.title, listed, floor, "others", slack),
        {"total": claim.total, "at most together": together},
    )
