r"""What is left to decide once some features are in and some are out.

After decisions on the first features, a residual problem ``(U, C)`` is left over the others:

- ``U`` are the removals that no chosen feature meets: the further features ``x`` have to be a *minimal*
  transversal of them. What is met already is no witness for a further feature, so no other set counts.
- ``C`` has a class for each chosen feature that is not yet sure of a removal that only it meets: the parts,
  over further features, of those it alone meets now. ``x`` has to leave one part of each class untouched.

Two ways of choosing that leave the same problem share a node. So the problem is brought to a normal form, by
steps that keep its solutions:

1. Of ``U`` only the minimal sets count: what is private in a part of a set is private in the set.
2. What is in no set of ``U`` is never chosen: it goes from all classes. A class with an empty part is
   content, and goes.
3. A part that contains a set of ``U`` is touched by every ``x``, and goes; a class left without parts has no
   solution.
4. Of a class only the minimal parts count. Is there only one, its features are out: they go from ``U``, and
   it is step 1 again.

``U`` is always kept minimal: where features leave it, only the sets that they leave can be parts of others,
or of parts of classes.

References
----------
Toda (2013), Fast compression of large-scale hypergraphs for solving combinatorial problems (states of sets
not met); Knuth, TAOCP 4A, 7.1.4, family algebra (minimal transversals by cofactors). The classes take the
place of the removal of supersets there, so that no family is built only to be thrown away.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from altsel.exact.transversals.hypergraph import minimal

Part = frozenset[int]
Residual = tuple[Part, frozenset[Part]]
"""Sets that are to be met, and classes of parts of which one each stays untouched."""


def start(sets: Iterable[int]) -> Residual | None:
    """Return the problem before any decision; None if it has no solution.

    Examples
    --------
    >>> start([0b011, 0b111])
    (frozenset({3}), frozenset())
    """
    needed = minimal(sets)
    return _normal(needed, needed, [])


def leave_out(state: Residual, bit: int) -> Residual | None:
    """Decide that a feature is out.

    Examples
    --------
    >>> leave_out((frozenset({0b011, 0b110}), frozenset()), 0b001)
    (frozenset({2}), frozenset())
    """
    return _normal(*_without(state[0], bit), state[1])


def take(state: Residual, bit: int) -> Residual | None:
    """Decide that a feature is in: what it meets is where it may be the only one.

    Examples
    --------
    Feature 0 has to be the only one in {0, 1}: 1 is out, and 2 is met by 3 alone.

    >>> take((frozenset({0b0011, 0b1010}), frozenset()), 0b0001)
    (frozenset({8}), frozenset())
    """
    unmet, classes = state
    met = [one & ~bit for one in unmet if one & bit]
    untouched = [[part for part in one if not part & bit] for one in classes]
    return _normal([one for one in unmet if not one & bit], [], [*untouched, met])


def support_of(state: Residual) -> int:
    """Return the features that may still be chosen."""
    return _union(state[0])


def first_feature(state: Residual) -> int:
    """Return the number of the first feature that may be chosen."""
    support = support_of(state)
    return (support & -support).bit_length() - 1


def _normal(
    unmet: Collection[int], fresh: Collection[int], classes: Iterable[Iterable[int]]
) -> Residual | None:
    """Return the normal form of a problem; None if it is seen to have no solution.

    Parameters
    ----------
    unmet
        Sets to be met, none a part of another (1).
    fresh
        Those that may be parts of parts of classes.
    classes
        For each feature that waits for a witness.
    """
    while True:
        if 0 in fresh:
            return None
        support = _union(unmet)
        undecided: set[Part] = set()
        out = 0
        for one_class in classes:
            parts = _untouchable(one_class, fresh, support)
            if parts is None:
                continue
            if not parts:
                return None
            if len(parts) == 1:  # 4
                out |= parts[0]
            else:
                undecided.add(frozenset(parts))
        if not out:
            return frozenset(unmet), frozenset(undecided)
        (unmet, fresh), classes = _without(unmet, out), undecided


def _untouchable(one_class: Iterable[int], fresh: Collection[int], support: int) -> list[int] | None:
    """Return the minimal parts that may stay untouched; None if one surely does."""
    parts: list[int] = []
    for whole in one_class:
        part = whole & support  # 2
        if not part:
            return None
        for one in fresh:  # 3
            if one & part == one:
                break
        else:
            parts.append(part)
    return minimal(parts) if len(parts) > 1 else parts


def _without(unmet: Collection[int], out: int) -> tuple[list[int], list[int]]:
    """Return the minimal sets once features are out, and those of them that are new."""
    fresh = minimal([one & ~out for one in unmet if one & out])
    kept = []
    for one in unmet:
        if not one & out:
            for other in fresh:
                if other & one == other:
                    break
            else:
                kept.append(one)
    return kept + fresh, fresh


def _union(sets: Iterable[int]) -> int:
    union = 0
    for one in sets:
        union |= one
    return union
