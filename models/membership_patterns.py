"""Simultaneous univariate alternatives by counting: which features does not matter, how many does.

A *pattern* is a non-empty subset P of the sets; ``w_P`` is the number of features that are in
exactly the sets of P. Sizes and overlaps depend on ``w`` alone:

    sum_{P with i} w_P = |F_i|        sum_{P with i and i'} w_P = |F_i & F_i'|

and the sum of all qualities only on how many features are in l sets or more,
``m_l = sum_{|P| >= l} w_P``, as better features go into more sets:

    Q = sum_l (q_(1) + ... + q_(m_l)),   q sorted in falling order.

The model has ``2**sets - 1`` integers, whatever the number of features.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from altsel._types import FloatArray
from altsel.models.dissimilarity import Dissimilarity, largest_overlap, simplest_share
from altsel.pyomo_on_demand import pyo


def count_model(
    weights: FloatArray, sets: int, sizes: tuple[int, int], dissimilarity: Dissimilarity, fixed: int = 0
) -> pyo.ConcreteModel:
    """Model the largest sum of qualities of `sets` sets: ``model.w[P]``, patterns as bit masks.

    ``D_{l,j}`` in [0, 1] says that the j-th best feature is in l sets or more;
    ``sum_j D_{l,j} = m_l``. Only ``w`` need be integer. The sets are interchangeable and so
    are ordered by the number of memberships of their features.

    Parameters
    ----------
    weights
        Relevances in falling order, ``sets * largest size`` of them at most.
    sets
        Number of sets.
    sizes
        Smallest and largest size of a set.
    dissimilarity
        Measure and threshold.
    fixed
        Number of further features, not among the weights, that all sets have.
    """
    model = _patterns(sets, sizes, dissimilarity, fixed)
    levels = range(1, sets + 1)
    indices = range(len(weights))
    model.D = pyo.Var(levels, indices, bounds=(0, 1))
    for variable in model.D.values():
        model.implied[variable] = 1
    model.filled = pyo.ConstraintList()
    for level in levels:
        members = pyo.quicksum(model.w[p] for p in model.w if p.bit_count() >= level)
        model.filled.add(pyo.quicksum(model.D[level, j] for j in indices) == members)
    model.ordered = pyo.ConstraintList()
    for i in range(sets - 1):
        ahead = pyo.quicksum(
            ((p >> i & 1) - (p >> (i + 1) & 1)) * p.bit_count() * w
            for p, w in model.w.items()
            if (p >> i & 1) != (p >> (i + 1) & 1)
        )
        model.ordered.add(ahead >= 0)
    quality = pyo.quicksum(float(weights[j]) * variable for (_, j), variable in model.D.items())
    model.total = pyo.Objective(expr=quality, sense=pyo.maximize)
    return model


def design_model(sets: int, k: int, dissimilarity: Dissimilarity, fixed: int = 0) -> pyo.ConcreteModel:
    """Model the sets that realise a profile: a ``w`` with ``N_l`` patterns of each size l.

    Of the k features of a set `fixed` ones are those that all sets have; the profile is of the others.
    ``model.N[l]`` are mutable parameters; set them with `set_profile` and solve again.
    """
    model = _patterns(sets, (k, k), dissimilarity, fixed)
    levels = range(1, sets + 1)
    model.N = pyo.Param(levels, mutable=True, initialize=0)
    model.profile = pyo.ConstraintList()
    for level in levels:
        model.profile.add(
            pyo.quicksum(model.w[p] for p in model.w if p.bit_count() == level) == model.N[level]
        )
    model.total = pyo.Objective(expr=0)
    return model


def set_profile(model: Any, profile: Sequence[int]) -> None:
    """Ask a design model for ``profile[l - 1]`` features in exactly l sets.

    As the sets are interchangeable, a pattern of the largest size below all sets may be
    taken to be the first sets: that removes most of the symmetry.
    """
    widest = max((level for level, n in enumerate(profile[:-1], 1) if n), default=0)
    for p, w in model.w.items():
        count = int(profile[p.bit_count() - 1])
        w.setub(count)
        w.setlb(1 if widest and p == 2**widest - 1 else 0)
    for level, n in enumerate(profile, 1):
        model.N[level] = int(n)


def _patterns(
    sets: int, sizes: tuple[int, int], dissimilarity: Dissimilarity, fixed: int
) -> pyo.ConcreteModel:
    model = pyo.ConcreteModel()
    model.implied = pyo.Suffix(direction=pyo.Suffix.LOCAL)
    model.w = pyo.Var(range(1, 2**sets), domain=pyo.NonNegativeIntegers, bounds=(0, sizes[1]))
    size = [fixed + pyo.quicksum(w for p, w in model.w.items() if p >> i & 1) for i in range(sets)]
    model.cardinality = pyo.ConstraintList()
    for one in size:
        model.cardinality.add(
            one == sizes[0] if sizes[0] == sizes[1] else pyo.inequality(sizes[0], one, sizes[1])
        )
    model.differ = pyo.ConstraintList()
    share = simplest_share(dissimilarity, 2 * sizes[1])
    for i, j in combinations(range(sets), 2):
        common = fixed + pyo.quicksum(w for p, w in model.w.items() if p >> i & 1 and p >> j & 1)
        if sizes[0] == sizes[1]:
            model.differ.add(common <= largest_overlap(dissimilarity, *sizes))
        else:
            model.differ.add(share.denominator * common <= share.numerator * (size[i] + size[j]))
    return model


def read_patterns(model: Any) -> list[int]:
    """List the patterns of a solved model, one for each feature, those of most sets first."""
    patterns = [p for p, w in model.w.items() for _ in range(round(w.value or 0))]
    return sorted(patterns, key=lambda p: (-p.bit_count(), p))
