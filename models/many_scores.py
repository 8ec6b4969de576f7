"""Scores of many sets at once, by methods that a class may declare to be faster."""

from __future__ import annotations

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.errors import DataError
from altsel.models.objective import Objective, is_own
from altsel.models.own_code import call_own, check_array


def scores_of(objective: Objective, members: IntArray) -> FloatArray:
    """Score many sets; of a method of the user's own what is no number of each set is refused.

    Raises
    ------
    ArgumentError
        If it fails, or gives no array of one number a set.
    DataError
        If a number is missing, or infinite where that does not exclude a set; it names the set.
    """
    if not is_own(objective) or type(objective).scores is Objective.scores:
        return objective.scores(members)
    scores = call_own(
        objective.scores, (members,), lambda: f"{objective.name}: scores of {len(members)} sets"
    )
    check_array(objective.name, "scores", scores, (len(members),), "fiu", "one number a set")
    bad = np.flatnonzero(np.isnan(scores) | (scores == np.inf))
    if len(bad):
        names = tuple(objective.features[j] for j in sorted(members[bad[0]].tolist()))
        raise DataError(
            f"{objective.name}: scores gives {float(scores[bad[0]])} for {names!r}; give finite numbers"
        )
    return np.asarray(scores, dtype=float)


def exchanged_of(objective: Objective, members: IntArray) -> FloatArray:
    """Score exchanges of one feature; of a method of the user's own the array is checked.

    Raises
    ------
    ArgumentError
        If it fails, or gives no array of shape (k, features).
    """
    if not is_own(objective):
        return objective.exchanged(members)
    names = tuple(objective.features[j] for j in members.tolist())
    table = call_own(objective.exchanged, (members,), lambda: f"{objective.name}: exchanged for {names!r}")
    shape = len(members), len(objective.features)
    check_array(objective.name, "exchanged", table, shape, "fiu", "one number a member and a feature")
    return np.asarray(table, dtype=float)
