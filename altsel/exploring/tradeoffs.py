"""What difference costs, and which sets are nearly as good: the front, and the map of near-optimal sets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from altsel._types import FloatArray
from altsel.analysis.importance_range import importance_range
from altsel.exploring.plain import finite, plain_front, plain_sets
from altsel.exploring.problems import Kept, dissimilarity_of
from altsel.exploring.settings import MOST_LISTED, Settings
from altsel.results.importance_range import FeatureRange
from altsel.results.solutions import Solutions
from altsel.search.alternatives.near_optimal import near_optimal
from altsel.search.alternatives.pareto_front import pareto_front
from altsel.search.alternatives.quality_loss import AbsoluteLoss, Loss, RelativeLoss

if TYPE_CHECKING:
    from altsel.exploring.session import Session


def front(session: Session, settings: Settings) -> dict[str, Any]:
    """Return the exact front of quality and dissimilarity from the best set."""
    measure = type(dissimilarity_of(settings))(0.0)

    def search(kept: Kept) -> Any:
        return kept.run(pareto_front, kept.problem, measure)

    return plain_front(session.remembered("front", settings, search), session.subject)


def loss_of(settings: Settings, has_zero: bool) -> Loss:
    """Return what near-optimal sets may lose.

    Examples
    --------
    >>> loss_of(Settings(loss=0.05), True), loss_of(Settings(loss=2), False)
    (RelativeLoss(share=0.05), AbsoluteLoss(amount=2.0))
    """
    return RelativeLoss(settings.loss) if has_zero else AbsoluteLoss(settings.loss)


def near_found(session: Session, settings: Settings) -> Solutions:
    """Return all sets within the loss, as many as a map shows."""

    def search(kept: Kept) -> Solutions:
        within = loss_of(settings, kept.problem.objective.has_zero)
        return kept.run(near_optimal, kept.problem, within, limit=MOST_LISTED)

    found: Solutions = session.remembered("near", settings, search)
    return found


def near(session: Session, settings: Settings) -> dict[str, Any]:
    """Return all sets within the loss, where they lie, and in how many of them each feature is."""
    found = near_found(session, settings)
    if session.subject.held is not None and found.sets:
        found = found.with_holdout(session.criteria.on_held(settings))
    made = plain_sets(found, session.subject)
    if not found.sets:
        return {**made, "points": [], "features": [], "complete": False}
    ranges = importance_range(found)
    shared = found.indicator().to_numpy(dtype=float)
    return {
        **made,
        "points": [[float(x), float(y)] for x, y in map_of(shared)],
        "features": [_plain_range(one, session) for one in ranges.features if one.sets],
        "never": len(ranges.of("never")),
        "complete": ranges.complete,
    }


def _plain_range(one: FeatureRange, session: Session) -> dict[str, Any]:
    return {
        "feature": session.subject.number[one.feature],
        "share": finite(one.share),
        "class": one.range_class.value,
        "ruled": one.ruled,
        "without": None if one.without is None else str(one.without),
    }


def map_of(members: FloatArray) -> FloatArray:
    """Place sets on a plane so that their distances are as far as possible those of Dice.

    Classical scaling: with ``D2`` the squared distances and ``J = I - 1/n`` the first two eigenvectors of
    ``-J D2 J / 2``, each times the root of its eigenvalue. The sign of an axis is that which makes the first
    set's place positive.

    Parameters
    ----------
    members
        Which set has which feature, 0 and 1, shape (sets, features).

    Returns
    -------
    array
        Shape (sets, 2).

    References
    ----------
    W. S. Torgerson, Psychometrika 17 (1952).

    Examples
    --------
    >>> map_of(np.array([[1, 1, 0], [1, 0, 1], [1, 1, 0]])).round(2).tolist()
    [[0.17, 0.0], [-0.33, 0.0], [0.17, 0.0]]
    """
    sizes = members.sum(axis=1)
    distances = 1 - 2 * (members @ members.T) / np.maximum(sizes[:, None] + sizes, 1)
    squares = distances**2
    centred = squares - squares.mean(axis=0) - squares.mean(axis=1)[:, None] + squares.mean()
    values, vectors = np.linalg.eigh(-centred / 2)
    places = np.zeros((len(members), 2))
    for axis in range(min(2, len(values))):
        value, vector = values[-1 - axis], vectors[:, -1 - axis]
        if value > 1e-12:
            sign = 1.0 if vector[int(np.argmax(np.abs(vector) > 1e-9))] >= 0 else -1.0
            places[:, axis] = sign * vector * np.sqrt(value)
    return places
