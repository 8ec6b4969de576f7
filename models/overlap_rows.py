"""Dissimilarities that allow an overlap as linear rows: from known sets, and between all sets of a model."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from altsel.models.dissimilarity import Dissimilarity, largest_overlap, simplest_share
from altsel.pyomo_on_demand import pyo
from altsel.runtime.clock import clock


def differ_from(
    dissimilarity: Dissimilarity, block: Any, known: Collection[str], sizes: tuple[int, int]
) -> None:
    """Keep a block's set different enough from a known one: one row.

    Parameters
    ----------
    dissimilarity
        Measure and threshold.
    block
        A block made by `formulate`.
    known
        Names of the known set.
    sizes
        Smallest and largest size of the block's set.
    """
    if block.component("differs_from") is None:
        block.differs_from = pyo.ConstraintList()
    common = pyo.quicksum(block.x[f] for f in known if f in block.x)
    if sizes[0] == sizes[1]:
        block.differs_from.add(
            pyo.inequality(None, common, largest_overlap(dissimilarity, len(known), sizes[0]))
        )
    else:
        share = simplest_share(dissimilarity, len(known) + sizes[1])
        allowed = share.numerator * len(known)
        block.differs_from.add(share.denominator * common - share.numerator * block.size <= allowed)


def differ(dissimilarity: Dissimilarity, model: Any, sizes: tuple[int, int]) -> None:
    """Keep all sets of a model different enough from each other.

    ``t >= x_1 + x_2 - 1`` and ``sum t <= overlap`` for each pair; the overlap is bounded above
    only, so AFS eq. 6 needs no more rows, and ``t`` need not be declared integer.

    Parameters
    ----------
    dissimilarity
        Measure and threshold.
    model
        A model made by `formulate` with two sets or more.
    sizes
        Smallest and largest size of a set.
    """
    blocks = list(model.sets.values())
    if not _possible(blocks):
        return  # every feature is excluded; the sets' sizes already say that there are none
    model.differ = pyo.ConstraintList()
    for (i, j), shared in common_features(model).items():
        model.differ.add(_overlap_row(dissimilarity, shared, blocks[i].size + blocks[j].size, sizes))


def common_features(model: Any) -> dict[tuple[int, int], Any]:
    """Add ``t >= x_1 + x_2 - 1`` for each feature and pair of sets, and give the sums of t by pair."""
    blocks = list(model.sets.values())
    pairs = [(i, j) for i in range(len(blocks)) for j in range(i)]
    names = _possible(blocks)
    model.common = pyo.Var(pairs, names, bounds=(0, 1))
    model.both = pyo.ConstraintList()
    for (i, j, f), common in model.common.items():
        clock().check()
        model.implied[common] = 1
        model.both.add(common >= blocks[i].x[f] + blocks[j].x[f] - 1)
    return {(i, j): pyo.quicksum(model.common[i, j, f] for f in names) for i, j in pairs}


def bound_memberships(dissimilarity: Dissimilarity, model: Any, sizes: tuple[int, int]) -> None:
    """Strengthen the relaxation of `differ` by a cut on how many sets a feature is in.

    A feature in c sets is common to ``c (c - 1) / 2`` pairs. That number, bounded below by its
    tangents ``l c - l (l + 1) / 2``, sums over the features to at most the overlaps of all pairs.
    It pays for the sum of qualities (alone, CP-SAT then proves nothing in 20 s for four sets of
    30 features, with it in 0.2 s), and does harm for the minimum (3.3 s without, 11 s with it).
    Arguments as in `differ`.
    """
    blocks = list(model.sets.values())
    pairs = len(blocks) * (len(blocks) - 1) // 2
    if not _possible(blocks):
        return
    model.pairs_of = pyo.Var(_possible(blocks), bounds=(0, pairs))
    model.tangent = pyo.ConstraintList()
    for f, number in model.pairs_of.items():
        model.implied[number] = 1
        count = pyo.quicksum(block.x[f] for block in blocks)
        for level in range(1, len(blocks)):
            model.tangent.add(number >= level * count - level * (level + 1) // 2)
    size = (len(blocks) - 1) * pyo.quicksum(block.size for block in blocks)
    together = pyo.quicksum(model.pairs_of.values())
    model.together = pyo.Constraint(expr=_overlap_row(dissimilarity, together, size, sizes, pairs))


def _possible(blocks: Sequence[Any]) -> list[str]:
    """Names of the features that are not excluded everywhere; those that a rule fixed to 1 are in."""
    return [f for f in blocks[0].x if not all(b.x[f].fixed and b.x[f].value < 0.5 for b in blocks)]


def _overlap_row(
    dissimilarity: Dissimilarity, common: Any, size: Any, sizes: tuple[int, int], pairs: int = 1
) -> Any:
    if sizes[0] == sizes[1]:
        return common <= pairs * largest_overlap(dissimilarity, *sizes)
    share = simplest_share(dissimilarity, 2 * sizes[1])
    return share.denominator * common <= share.numerator * size
