"""The brute force for what users write: what is across sets may tell the first from the last."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement, permutations
from typing import Any

from benchmarks.exactness.distance import all_pairs
from benchmarks.exactness.oracle import Best, Oracle, kept


class WrittenOracle(Oracle):
    """All sets, and families of them in any order that everything across them allows."""

    def families(
        self, diversity: Any, count: int, across: Sequence[Any] = (), allowed: Sequence[int] | None = None
    ) -> Iterator[tuple[int, ...]]:
        """Give all families of sets that may surely stand together, in every order in which they may."""
        masks = self.falling if allowed is None else list(allowed)
        for some in combinations_with_replacement(masks, count):
            yield from self.orders(diversity, some, across)

    def orders(
        self, diversity: Any, masks: Sequence[int], across: Sequence[Any]
    ) -> Iterator[tuple[int, ...]]:
        """Give the orders in which sets may stand together; one, where it makes no difference."""
        symmetric = all(getattr(one, "symmetric", True) for one in (diversity, *across))
        for order in [tuple(masks)] if symmetric else sorted(set(permutations(masks))):
            if diversity.keeps(all_pairs(order)) is True and kept(order, across):
                yield order

    def best_family(self, diversity: Any, count: int, total: str, across: Sequence[Any] = ()) -> Best | None:
        """Find the best family: all of them, in falling order of what they are worth before any price."""
        some = combinations_with_replacement(self.falling, count)
        best: Best | None = None
        promise = {one: self._sum(one, total) for one in some}
        for one in sorted(promise, key=lambda family: -promise[family]):
            if best is not None and promise[one] < best.value:
                return best
            for order in self.orders(diversity, one, across):
                found = self.total(diversity, order, total)
                best = found if best is None or found.value > best.value else best
        return best

    def _sum(self, masks: Sequence[int], total: str) -> float:
        scores = [self.sure[mask].score for mask in masks]
        return sum(scores) if total == "sum" else min(scores)
