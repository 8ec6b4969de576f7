"""How well the sets predict, and what stays of them in resamples."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from altsel.errors import ArgumentError, printable
from altsel.report.sets import column, filled
from altsel.results.estimate import Estimate
from altsel.results.performance import Performance, SetPerformance
from altsel.results.solutions import Solutions
from altsel.results.stability import Stability

if TYPE_CHECKING:
    from altsel.report.parts import Numbers, Parts


def columns(found: Solutions, parts: Parts) -> list[dict[str, Any]]:
    """Return the models' score of each set, and how often the search finds it again.

    Raises
    ------
    ArgumentError
        If the performance is of other sets.
    """
    made, performance, stability = [], parts.performance, parts.stability
    if performance is not None:
        if [set(one.features) for one in performance.sets] != [set(one) for one in found]:
            name = parts.called("performance")
            raise ArgumentError(f"{name} is of other sets: give altsel.performance of these solutions")
        scores = [one.score.value for one in performance.sets]
        made.append(
            column(
                "models",
                printable(
                    f"score of models that have only this set: {performance.scoring}, {performance.models}"
                ),
                scores,
            )
        )
    if stability is not None:
        again = _found_again(stability)
        shares = [again.get(frozenset(one)) for one in found]
        made.append(column("found again", "share of the resamples with the same set", shares, "share"))
    return filled(made)


def performance_of(known: Performance | None) -> dict[str, Any] | None:
    """Return scores and their intervals, of all sets, all features and none."""
    if known is None:
        return None
    tests = known.comparisons.tests if known.comparisons else ()
    return {
        "scoring": printable(known.scoring),
        "models": printable(known.models),
        "confidence": known.confidence,
        "tests": [printable(test) for test in tests],
        "sets": [
            {**_scores(one), "p": list(known.p_of(number).values())} for number, one in enumerate(known.sets)
        ],
        "forest": None if known.forest is None else {**_scores(known.forest), "p": []},
        "holdout": known.holdout,
        "intervals": known.intervals,
        "all": _estimate(known.all_features),
        "none": _estimate(known.no_features),
        "differences": {
            "all": _estimate(known.all_difference),
            "none": _estimate(known.none_difference),
        },
        "null": [min(known.null), max(known.null)] if known.null else None,
        "permutations": len(known.null),
    }


def _scores(one: SetPerformance) -> dict[str, Any]:
    return {
        "score": _estimate(one.score),
        "difference": _estimate(one.difference),
        "nested": _estimate(one.nested),
        "bias": one.bias,
        "null": one.p_null,
    }


def stability_of(parts: Parts, numbers: Numbers) -> dict[str, Any] | None:
    """Return in which share of the resamples each feature is selected, and how similar sets are.

    Raises
    ------
    ArgumentError
        If it has features that the solutions do not have.
    """
    known = parts.stability
    if known is None:
        return None
    numbers.known(parts.called("stability"), known.features)
    shares = known.frequencies()
    return {
        "resamples": len(known),
        "rows": known.rows,
        "scheme": printable(known.scheme),
        "measures": {
            "Nogueira's measure of the first sets": _estimate(known.nogueira),
            "similarity of two first sets (Dice)": _estimate(known.first),
            "similarity of two collections (Dice)": _estimate(known.collection),
        },
        "features": [
            [numbers([str(name)]), float(first), float(some)]
            for name, first, some in shares.itertuples()
            if some > 0
        ],
    }


def _found_again(known: Stability) -> dict[frozenset[str], float]:
    table = known.sets()
    return {
        frozenset(features): float(share)
        for features, share in zip(table["features"], table["found"], strict=True)
    }


def _estimate(known: Estimate | None) -> dict[str, Any] | None:
    return None if known is None else {k: v for k, v in asdict(known).items() if k != "parts"}
