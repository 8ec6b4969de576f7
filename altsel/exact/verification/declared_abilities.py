"""What a criterion declares besides its formula, tried against it: one function an ability."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from random import Random

import numpy as np

from altsel._types import BoolArray, FloatArray
from altsel.errors import ArgumentError
from altsel.models.declarations import check_forms
from altsel.models.many_scores import exchanged_of, scores_of
from altsel.models.objective import Kind, Objective

SECOND = 20
"""Sets on which a second criterion is tried."""
CLOSE = 1e-9
"""Relative difference that is put down to rounding."""
Sets = Sequence[tuple[str, ...]]
Ability = Callable[[Objective, Sets, tuple[int, int]], None]


def _mask(objective: Objective, names: Sequence[str]) -> BoolArray:
    return np.isin(list(objective.features), list(names))


def _score(objective: Objective, mask: BoolArray) -> float:
    return objective.evaluated_score(mask) if objective.checked_feasible(mask) else -inf


def _compare(objective: Objective, names: Sequence[str], what: str, value: float, score: float) -> None:
    """Refuse a value that is not the formula's; sets that are not feasible are -inf in both."""
    if value == score or abs(value - score) <= CLOSE * max(1.0, abs(score)):
        return
    said = f"{what} gives {value:.9g}, and score gives {score:.9g}"
    raise ArgumentError(f"{objective.name}: for {tuple(names)!r} {said}")


def check_weights(objective: Objective, sets: Sets, sizes: tuple[int, int]) -> None:
    """Check that a plain sum is the sum of its weights."""
    del sizes
    if objective.kind is Kind.SUM:
        for names in sets:
            mask = _mask(objective, names)
            _compare(
                objective, names, "weights", float(objective.weights[mask].sum()), _score(objective, mask)
            )


def check_quadratic(objective: Objective, sets: Sets, sizes: tuple[int, int]) -> None:
    """Check a quadratic form of k features: ``sum_i a_i s_i - sum_{i<j} b_ij s_i s_j``."""
    del sizes
    if objective.kind is Kind.QUADRATIC:
        for names in sets:
            mask = _mask(objective, names)
            linear, pairs = objective.quadratic(int(mask.sum()))
            inside = pairs[np.ix_(mask, mask)]
            off = inside[np.triu_indices(len(inside), 1)]
            value = -inf if np.isinf(off).any() else float(linear[mask].sum() - off.sum())
            _compare(objective, names, "quadratic", value, _score(objective, mask))


def check_second(objective: Objective, sizes: tuple[int, int]) -> None:
    """Check what the rows of a second criterion are made of, on some sets of a problem's sizes.

    Of what is maximised the answer is held against the formula; of a second criterion, sets that its rows cut
    off are seen by nobody.
    """
    check_forms(objective, sizes)
    draw, features = Random(0), list(objective.features)
    high = min(sizes[1], len(features))
    sets = [tuple(draw.sample(features, draw.randint(min(sizes[0], high), high))) for _ in range(SECOND)]
    check_weights(objective, sets, sizes)
    check_quadratic(objective, sets, sizes)


def check_scores(objective: Objective, sets: Sets, sizes: tuple[int, int]) -> None:
    """Check that many sets at once have the scores that each has by itself."""
    del sizes
    for size in {len(names) for names in sets}:
        some = [names for names in sets if len(names) == size]
        masks = [_mask(objective, names) for names in some]
        members = np.array([np.flatnonzero(mask) for mask in masks])
        for names, mask, value in zip(some, masks, scores_of(objective, members).tolist(), strict=True):
            _compare(objective, names, "scores", value, _score(objective, mask))


def check_exchanged(objective: Objective, sets: Sets, sizes: tuple[int, int]) -> None:
    """Check that exchanges of one feature have the scores of the sets that they lead to."""
    del sizes
    if not objective.exchangeable:
        return
    for names in sets[:6]:
        members = np.flatnonzero(_mask(objective, names))
        table = exchanged_of(objective, members)
        for i, member in enumerate(members.tolist()):
            for j in np.setdiff1d(np.arange(len(objective.features)), members).tolist():
                mask = _mask(objective, names)
                mask[[member, j]] = False, True
                if objective.checked_feasible(mask):
                    other = [f for f, inside in zip(objective.features, mask.tolist(), strict=True) if inside]
                    _compare(objective, other, "exchanged", float(table[i, j]), _score(objective, mask))


def check_most(objective: Objective, sets: Sets, sizes: tuple[int, int]) -> None:
    """Check that no set scores more than `most`."""
    del sizes
    for names in sets:
        score = _score(objective, _mask(objective, names))
        if score > objective.most + CLOSE * max(1.0, abs(objective.most)):
            raise ArgumentError(
                f"{objective.name}: most is {objective.most:.9g}, and {names!r} scores {score:.9g}"
            )


def check_conditions(objective: Objective, sets: Sets, sizes: tuple[int, int]) -> None:
    """Check that pairs in conflict, and conditions as rows, are what `is_feasible` says."""
    del sizes
    for names in sets:
        mask = _mask(objective, names)
        feasible = objective.checked_feasible(mask)
        if not objective.conditional and not feasible:
            raise ArgumentError(f"{objective.name}: {names!r} is not feasible, and conditional is False")
        if objective.conflict is not None and bool(objective.conflict[np.ix_(mask, mask)].any()) == feasible:
            raise ArgumentError(f"{objective.name}: conflict and is_feasible differ for {names!r}")
        if objective.rows is not None and _keeps(objective.rows, mask) != feasible:
            raise ArgumentError(f"{objective.name}: rows and is_feasible differ for {names!r}")


def _keeps(rows: Sequence[tuple[FloatArray, float, float]], mask: BoolArray) -> bool:
    return all(
        low - CLOSE * np.abs(row).sum() <= row[mask].sum() <= high + CLOSE * np.abs(row).sum()
        for row, low, high in rows
    )


def check_parametric(objective: Objective, sets: Sets, sizes: tuple[int, int]) -> None:
    """Check that the form of a level is above 0 where the ratio is above the level, and bounds it."""
    if objective.kind is not Kind.RATIO:
        return
    scores = [_score(objective, _mask(objective, names)) for names in sets]
    for level in sorted({score for score in scores if score > 0})[::4]:
        form = objective.parametric(level)
        for names, score in zip(sets, scores, strict=True):
            mask = _mask(objective, names)
            excess = float(form.score(mask)) if score > -inf else -inf
            clear = abs(score - level) > CLOSE * abs(level)
            if clear and (excess > 0) != (score > level):
                raise ArgumentError(
                    f"{objective.name}: parametric({level:.9g}) gives {excess:.9g} for {names!r}, which "
                    f"scores {score:.9g}"
                )
            bound = objective.bound_from_excess(level, max(excess, 0.0), sizes) if score > -inf else inf
            if score > bound + CLOSE * abs(bound):
                raise ArgumentError(
                    f"{objective.name}: bound_from_excess gives {bound:.9g}, and {names!r} scores {score:.9g}"
                )


def check_rises(objective: Objective, sets: Sets, sizes: tuple[int, int]) -> None:
    """Check that no set scores more than one that contains it, if the criterion never falls."""
    del sizes
    if not objective.rises:
        return
    for names in sets:
        mask = _mask(objective, names)
        whole = _score(objective, mask)
        for j in np.flatnonzero(mask).tolist():
            mask[j] = False
            part = _score(objective, mask) if mask.any() else -inf
            mask[j] = True
            if part > whole + CLOSE * max(1.0, abs(whole)):
                raise ArgumentError(f"{objective.name}: rises is True, and a part of {names!r} scores more")


def check_clipped(objective: Objective, sets: Sets, sizes: tuple[int, int]) -> None:
    """Check that smaller numbers change no score above a level, and lift none above it."""
    scores = [_score(objective, _mask(objective, names)) for names in sets]
    level = float(np.median([score for score in scores if score > -inf] or [0.0]))
    changed = objective.clipped(level, sizes)
    if changed is objective:
        return
    for names, score in zip(sets, scores, strict=True):
        value = _score(changed, _mask(objective, names))
        if score >= level:
            _compare(objective, names, f"clipped({level:.9g})", value, score)
        elif value > level + CLOSE * max(1.0, abs(level)):
            raise ArgumentError(f"{objective.name}: clipped({level:.9g}) lifts {names!r} to {value:.9g}")


ABILITIES: tuple[Ability, ...] = (
    check_weights,
    check_quadratic,
    check_scores,
    check_exchanged,
    check_most,
    check_conditions,
    check_parametric,
    check_rises,
    check_clipped,
)
"""All that can be tried."""
