"""In which order a diagram decides on features: those that occur together stand close to each other."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from altsel.exact.transversals.hypergraph import Names, occurrences


def feature_order(removals: Sequence[Collection[str]]) -> Names:
    """Order the features so that few removals are begun and not ended at any place of the order.

    The next feature is one of a removal that is begun: the one that begins the fewest new ones and ends the
    most. So parts that have no feature in common follow each other, and copies, which are in the same
    removals, stand side by side; a part begins where a removal is small. How large a diagram gets depends on
    this cut.

    Examples
    --------
    >>> feature_order([["a", "d"], ["b", "c"], ["d", "e"]])
    ('a', 'd', 'e', 'b', 'c')
    """
    cut = _Cut(removals)
    order: list[str] = []
    firsts = iter(sorted(cut.where, key=cut.smallest))
    while len(order) < len(cut.where):
        near = {name: None for number in sorted(cut.begun) for name in removals[number] if name in cut.left}
        first = [] if near else [next(name for name in firsts if name in cut.left)]
        order.append(min(near or first, key=cut.growth))
        cut.take(order[-1])
    return tuple(order)


class _Cut:
    """The removals that are begun and not ended, while features are put in order."""

    def __init__(self, removals: Sequence[Collection[str]]) -> None:
        self.where = occurrences(removals)
        self.left = set(self.where)
        self.begun: set[int] = set()
        self._missing = [len(removal) for removal in removals]

    def smallest(self, name: str) -> tuple[int, int]:
        """Return the size of the smallest removal with a feature, and in how many it is."""
        return min(self._missing[number] for number in self.where[name]), len(self.where[name])

    def growth(self, name: str) -> tuple[int, float]:
        """Return by how much a feature makes the cut larger; of equal ones, how little it ends."""
        begun = [number for number in self.where[name] if number in self.begun]
        begins = len(self.where[name]) - len(begun)
        ends = sum(self._missing[number] == 1 for number in begun)
        return begins - ends, -sum(1 / self._missing[number] for number in begun)

    def take(self, name: str) -> None:
        """Add a feature to the order."""
        self.left.remove(name)
        for number in self.where[name]:
            self._missing[number] -= 1
            (self.begun.add if self._missing[number] else self.begun.discard)(number)
