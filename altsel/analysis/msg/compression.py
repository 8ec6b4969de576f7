"""The graph under construction of a multiple-solutions graph, and the operations that compress it."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count

SOURCE, SINK = 0, 1
"""Root s and leaf t."""
Names = frozenset[str]


@dataclass(frozen=True)
class Operation:
    """What one operation did to the size of a graph, wherever it was applied.

    Attributes
    ----------
    name
        Which one.
    applied
        How often.
    nodes, edges, features
        How many there are after it, without root and leaf; features are counted as often as they are written.
    """

    name: str
    applied: int
    nodes: int
    edges: int
    features: int


class Compression:
    """Nodes with sets of features, parents and children; all operations keep the set of paths.

    Parameters
    ----------
    sets
        The solutions, each once: one node each between root and leaf.
    universe
        All features; of equally frequent ones the first is taken first.

    Attributes
    ----------
    features
        The alternatives of every node; one until nodes are merged.
    parents, children
        Neighbours of every node.
    operations
        What was done until now, the first graph before all.
    """

    def __init__(self, sets: Iterable[Names], universe: Sequence[str]) -> None:
        self.features: dict[int, list[Names]] = {SOURCE: [frozenset()], SINK: [frozenset()]}
        self.parents: dict[int, set[int]] = {SOURCE: set(), SINK: set()}
        self.children: dict[int, set[int]] = {SOURCE: set(), SINK: set()}
        self._place = {name: j for j, name in enumerate(universe)}
        self._new, self._applied = count(2), 0
        self.operations: list[Operation] = []
        with self._recorded("a path each"):
            for subset in sets:
                if subset:
                    self._add(subset, [SOURCE], [SINK])
                else:
                    self._link(SOURCE, SINK)

    @classmethod
    def of_graph(
        cls, names: Sequence[str], edges: Iterable[tuple[int, int]], universe: Sequence[str]
    ) -> Compression:
        """Take a graph of nodes of one feature each, whose paths are the solutions, each by one path.

        Parameters
        ----------
        names
            Feature of each node; nodes are numbered from 2.
        edges
            Pairs of numbers of nodes, with those of root and leaf.
        universe
            All features.
        """
        graph = cls((), universe)
        graph.operations.clear()
        with graph._recorded("decision diagram"):
            for name in names:
                graph._add(frozenset([name]), (), ())
            for start, end in edges:
                graph._link(start, end)
        return graph

    @contextmanager
    def _recorded(self, name: str) -> Iterator[None]:
        """Keep what an operation has done."""
        self._applied = 0
        yield
        written = sum(len(names) for sets in self.features.values() for names in sets)
        edges = sum(map(len, self.children.values()))
        self.operations.append(Operation(name, self._applied, len(self.features) - 2, edges, written))

    def join(self) -> None:
        """Merge two nodes where the first one leads to the second only, and nothing else does."""
        with self._recorded("joining"):
            for node in list(self.order()):
                above = self.parents[node]
                if SOURCE not in above and len(above) == 1 and node not in {SOURCE, SINK}:
                    parent = next(iter(above))
                    if len(self.children[parent]) == 1:
                        self.features[node][0] |= self.features[parent][0]
                        self._dissolve(parent)
                        self._applied += 1

    def forward(self) -> None:
        """Move what children of a node share before them, down from the root (algorithm 6)."""
        todo = [node for node in self.children if node != SOURCE] + [SOURCE]
        with self._recorded("forward merging"):
            while todo:
                node = todo.pop()
                if node not in self.children:
                    continue  # all it had was shared
                alone = [child for child in sorted(self.children[node]) if self.parents[child] == {node}]
                for group in self._by_features([child for child in alone if child != SINK]):
                    if len(group) > 1:
                        todo.append(self._merge(group, [node], group))

    def backward(self) -> None:
        """Move what nodes with the same children share behind them, up from the leaf (algorithm 7).

        Sweeps are repeated until nothing changes, as the paper's recursion also visits new nodes.
        """
        changed = True
        with self._recorded("backward merging"):
            while changed:
                sweep = [self._merge_parents(node) for node in reversed(list(self.order()))]
                changed = any(sweep)

    def _merge_parents(self, node: int) -> bool:
        """Merge parents of a node that have the same children and share features; tell whether any were."""
        alike: dict[frozenset[int], list[int]] = {}
        for parent in sorted(self.parents.get(node, set()) - {SOURCE}):
            alike.setdefault(frozenset(self.children[parent]), []).append(parent)
        merged = False
        for children, nodes in alike.items():
            for group in self._by_features(nodes):
                if len(group) > 1 and all(self.children[name] == children for name in group):
                    self._merge(group, group, children)  # a merge before may have dissolved a child
                    merged = True
        return merged

    def merge_alternatives(self) -> None:
        """Merge nodes with the same parents and children, until there are none (operation 3)."""
        with self._recorded("OR merging"):
            while groups := self._alike():
                for first, *others in groups:
                    self._applied += 1
                    for other in others:
                        self.features[first] += self.features[other]
                        self._remove(other)

    def _alike(self) -> list[list[int]]:
        """Return groups of nodes with the same parents and children."""
        alike: dict[tuple[frozenset[int], frozenset[int]], list[int]] = {}
        for node in sorted(self.features):
            if node not in {SOURCE, SINK}:
                key = (frozenset(self.parents[node]), frozenset(self.children[node]))
                alike.setdefault(key, []).append(node)
        return [group for group in alike.values() if len(group) > 1]

    def order(self) -> Iterator[int]:
        """Name the nodes, parents before children."""
        missing = {node: len(parents) for node, parents in self.parents.items()}
        ready = deque([SOURCE])
        while ready:
            node = ready.popleft()
            yield node
            for child in sorted(self.children[node]):
                missing[child] -= 1
                if not missing[child]:
                    ready.append(child)

    def _by_features(self, nodes: Sequence[int]) -> list[list[int]]:
        """Split nodes: those with the most frequent feature, then the same with the rest."""
        left, groups = list(nodes), []
        counts = Counter(name for node in left for name in self.features[node][0])
        while left:
            name = max(counts, key=lambda other: (counts[other], -self._place[other]))
            group = [node for node in left if name in self.features[node][0]]
            groups.append(group)
            for node in group:
                counts.subtract(self.features[node][0])
            left = [node for node in left if name not in self.features[node][0]]
        return groups

    def _merge(self, group: Sequence[int], parents: Collection[int], children: Collection[int]) -> int:
        """Operations 1 and 2: a new node of what a group shares, before it or behind it."""
        self._applied += 1
        shared = frozenset.intersection(*(self.features[node][0] for node in group))
        before = children is group
        for node in group:
            self.features[node][0] -= shared
            for other in list(self.parents[node] if before else self.children[node]):
                self._unlink(*((other, node) if before else (node, other)))
        new = self._add(shared, parents, children)
        for node in group:
            if not self.features[node][0]:
                self._dissolve(node)
        return new

    def _dissolve(self, node: int) -> None:
        """Remove an empty node, and link its parents to its children."""
        parents, children = list(self.parents[node]), list(self.children[node])
        self._remove(node)
        for parent in parents:
            for child in children:
                self._link(parent, child)

    def _add(self, names: Names, parents: Iterable[int], children: Iterable[int]) -> int:
        node = next(self._new)
        self.features[node] = [names]
        self.parents[node], self.children[node] = set(), set()
        for parent in parents:
            self._link(parent, node)
        for child in children:
            self._link(node, child)
        return node

    def _remove(self, node: int) -> None:
        for parent in list(self.parents[node]):
            self._unlink(parent, node)
        for child in list(self.children[node]):
            self._unlink(node, child)
        del self.features[node], self.parents[node], self.children[node]

    def _link(self, start: int, end: int) -> None:
        self.children[start].add(end)
        self.parents[end].add(start)

    def _unlink(self, start: int, end: int) -> None:
        self.children[start].discard(end)
        self.parents[end].discard(start)
