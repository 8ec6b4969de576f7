"""Results as plain data: features are places in the list of names, and numbers are finite or null."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import Any

from altsel.exploring.subject import Subject
from altsel.results.estimate import Estimate
from altsel.results.explanation import Explanation
from altsel.results.feature_set import FeatureSet
from altsel.results.front import Front
from altsel.results.solutions import Solutions
from altsel.results.stop import ENDS


def finite(value: float | None) -> float | None:
    """Return a number that JSON can hold, or None.

    Examples
    --------
    >>> finite(0.5), finite(float("inf"))
    (0.5, None)
    """
    return None if value is None or not isfinite(value) else float(value)


def plain_set(one: FeatureSet, subject: Subject) -> dict[str, Any]:
    """Write one set."""
    return {
        "features": subject.numbers(one.features),
        "score": finite(one.score),
        "proof": one.proof.value,
        "bound": finite(one.bound),
        "gap": finite(one.gap),
        "seconds": finite(one.seconds),
        "holdout": finite(one.holdout),
        "cost": [finite(value) for value in one.spent],
    }


def plain_sets(found: Solutions, subject: Subject) -> dict[str, Any]:
    """Write the sets of a search, why it ended, and what it cost."""
    return {
        "sets": [plain_set(one, subject) for one in found],
        "stop": found.stop.value,
        "ended": ENDS[found.stop],
        "proved": found.proved,
        "search": found.search,
        "criterion": found.criterion,
        "seconds": finite(found.effort.seconds),
    }


def plain_estimate(estimate: Estimate | None) -> dict[str, Any] | None:
    """Write a number with its interval."""
    if estimate is None:
        return None
    return {"value": finite(estimate.value), "low": finite(estimate.low), "high": finite(estimate.high)}


def plain_explanation(why: Explanation, titles: Sequence[str]) -> dict[str, Any]:
    """Write why there is no further set; what is in conflict says which of the rules it is, if it is one."""
    known = {title: place for place, title in enumerate(titles)}
    return {
        "what": why.what,
        "conflict": [{"words": name, "rule": known.get(name)} for name in why.conflict],
        "irreducible": why.irreducible,
        "smallest": why.smallest,
        "repairs": [{"name": one.name, "value": one.value, "words": str(one)} for one in why.repairs],
        "words": str(why),
        "stop": why.stop.value,
    }


def plain_front(front: Front, subject: Subject) -> dict[str, Any]:
    """Write a front."""
    return {
        "points": [
            {
                "dissimilarity": finite(point.dissimilarity),
                "quality": finite(point.quality),
                "lost": finite(front.lost(point)),
                "set": plain_set(point.found[0], subject),
                "proved": point.found.proved,
            }
            for point in front
        ],
        "reference": [subject.numbers(one) for one in front.reference],
        "measure": front.measure,
        "stop": front.stop.value,
        "ended": ENDS[front.stop],
        "proved": front.proved,
    }
