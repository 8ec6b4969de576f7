"""What tests find of each feature in several contexts: the smallest p, corrected for their number."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from math import log

import numpy as np

from altsel.results.solutions import Solutions
from altsel.stats.corrections import Correction, corrected
from altsel.stats.independence.protocol import Independence, LeaveOneOut, one_by_one

logger = logging.getLogger("altsel.taxonomy")

FEW = 60
"""Features up to which each is tested given all others."""

Evidence = tuple[float, tuple[str, ...]]
"""Logarithm of p, and the context it was found in."""


def contexts_of(found: Solutions) -> list[tuple[str, ...]]:
    """Nothing, every solution, and the first one without each of its features."""
    reference = found[0].features
    smaller = [tuple(name for name in reference if name != left) for left in reference]
    contexts: dict[frozenset[str], tuple[str, ...]] = {}
    for context in ((), *(subset.features for subset in found), *smaller):
        contexts.setdefault(frozenset(context), context)
    return list(contexts.values())


def evidence_in(
    test: Independence, contexts: Sequence[tuple[str, ...]], others: dict[str, float], enough: float
) -> dict[str, Evidence]:
    """Find the smallest p of every feature over contexts, times their number, until it is small enough."""
    counts = {
        name: sum(name not in context for context in contexts) + (name in others) for name in test.features
    }
    best: dict[str, Evidence] = {}
    for name, log_p in others.items():
        rest = tuple(other for other in test.features if other != name)
        best[name] = (min(log_p + log(counts[name]), 0.0), rest)
    for number, context in enumerate(contexts, start=1):
        names = [
            name
            for name in test.features
            if name not in context and (name not in best or best[name][0] > enough)
        ]
        if not names:
            continue
        logger.info("taxonomy: tests given set %d of %d: %d features", number, len(contexts), len(names))
        answers = test(names, context)
        for name, log_p, tested in zip(names, answers.log_p.tolist(), answers.tested.tolist(), strict=True):
            adjusted = min(log_p + log(counts[name]), 0.0)
            if tested and (name not in best or adjusted < best[name][0]):
                best[name] = (adjusted, context)
    return best


def corrected_for_number(log_p: dict[str, float], correction: Correction) -> dict[str, float]:
    """Correct the p of features for their number."""
    return dict(zip(log_p, corrected(np.array([*log_p.values()]), correction).tolist(), strict=True))


def given_all_others(test: Independence) -> dict[str, float]:
    """Log p of every feature given all others, where that can be tested at a reasonable cost."""
    if len(test.features) > FEW:
        return {}
    answers = (
        test.leave_one_out(test.features)
        if isinstance(test, LeaveOneOut)
        else one_by_one(test, test.features)
    )
    rows = zip(answers.candidates, answers.log_p.tolist(), answers.tested.tolist(), strict=True)
    return {name: log_p for name, log_p, tested in rows if tested}
