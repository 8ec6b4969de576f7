"""Features that are sums (mod 2) of fair coins: independence by ranks, and all blankets by brute force.

Copies, exclusive or, features that hold several others, and sums that stand for one another: all families of
blankets that such features have, exactly, on more features than a joint table could hold.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from altsel import domain
from altsel.stats.independence.protocol import TestResults

Names = frozenset[str]


def rank(vectors: Iterable[int]) -> int:
    """Return the rank of vectors of bits over GF(2)."""
    basis: list[int] = []
    for vector in vectors:
        rest = vector
        for other in basis:
            rest = min(rest, rest ^ other)
        if rest:
            basis.append(rest)
    return len(basis)


class Coins:
    """An oracle: which coins each feature, and the target, is made of; a vector of bits for each sum."""

    name, target = "ranks", "y"

    def __init__(self, features: Mapping[str, Sequence[int]], of_target: Sequence[int]) -> None:
        self._sums, self._target = dict(features), list(of_target)
        self.features = tuple(features)

    def information(self, names: Iterable[str]) -> int:
        """Return ``I(T; S)`` in bits."""
        own = [vector for name in names for vector in self._sums[name]]
        return rank(own) + rank(self._target) - rank([*own, *self._target])

    def __call__(self, candidates: Sequence[str], given: Sequence[str] = ()) -> TestResults:
        known = self.information(given)
        more = np.array([self.information([*given, name]) - known for name in candidates], dtype=float)
        log_p = np.where(more > 0, -50.0 - more, 0.0)
        ones = np.ones(len(more))
        return TestResults(tuple(candidates), log_p, more, ones, more, ones.astype(bool))

    def with_target(self, target: str) -> Coins:
        raise NotImplementedError

    def blankets(self) -> set[Names]:
        """Return all blankets: the minimal sets that tell what all features do."""
        everything = self.information(self.features)
        found: list[Names] = []
        for size in range(len(self.features) + 1):
            for names in combinations(self.features, size):
                new = not any(one <= set(names) for one in found)
                if new and self.information(names) == everything:
                    found.append(frozenset(names))
        return set(found)


def random_coins(seed: int, most: int = 8) -> Coins:
    """Draw two to five coins, three to `most` features, a third of them copies, and a target."""
    random = np.random.default_rng(seed)
    bits = int(random.integers(2, 6))

    def drawn() -> int:
        chosen = random.choice(bits, 1 if random.random() < 0.6 else min(bits, 2), replace=False)
        return sum(1 << int(bit) for bit in chosen)

    sums: dict[str, list[int]] = {}
    for j in range(int(random.integers(3, most + 1))):
        if j and random.random() < 0.35:
            sums[f"x{j}"] = sums[f"x{int(random.integers(j))}"]
        else:
            sums[f"x{j}"] = [drawn() for _ in range(1 if random.random() < 0.7 else 2)]
    told = int(random.integers(1, bits + 1))
    plain = random.random() < 0.7
    return Coins(sums, [1 << bit for bit in range(told)] if plain else [drawn() for _ in range(told)])


def copies_of(groups: Sequence[int], irrelevant: int = 1) -> Coins:
    """Return groups of copies of one coin each, all of which the target tells apart, and other coins."""
    coins = [(f"g{i}_{j}", 1 << i) for i, size in enumerate(groups) for j in range(size)]
    coins += [(f"z{j}", 1 << (len(groups) + j)) for j in range(irrelevant)]
    return Coins({name: [bit] for name, bit in coins}, [1 << i for i in range(len(groups))])


def random_rules(
    random: np.random.Generator, features: Sequence[str]
) -> tuple[list[Any], Callable[[Names], bool]]:
    """Draw up to three rules of a domain; return them, and what they say of a set."""
    made = [random_rule(random, features) for _ in range(int(random.integers(0, 4)))]
    return [rule for rule, _ in made], lambda names: all(holds(names) for _, holds in made)


def random_rule(random: np.random.Generator, features: Sequence[str]) -> tuple[Any, Callable[[Names], bool]]:
    group = random.choice(features, min(len(features), int(random.integers(2, 4))), replace=False).tolist()
    first, some, number = group[0], set(group), int(random.integers(0, 2))
    costs = {name: int(random.integers(0, 6)) for name in features}
    limit = int(random.integers(3, 14))
    kinds: list[tuple[Any, Callable[[Names], bool]]] = [
        (domain.forbid(*group), lambda names: not names & some),
        (domain.require(first), lambda names: first in names),
        (domain.budget(costs, limit), lambda names: cost_of(names, costs) <= limit),
        (domain.at_most(number, group), lambda names: len(names & some) <= number),
        (domain.at_least(1, group), lambda names: bool(names & some)),
        (domain.implies(first, *group[1:]), lambda names: first not in names or some <= names),
        (domain.all_or_none(group), lambda names: len(names & some) in {0, len(some)}),
    ]
    return kinds[int(random.integers(len(kinds)))]


def cost_of(names: Collection[str], costs: Mapping[str, float]) -> float:
    """Sum the costs of some features."""
    return sum(costs[name] for name in names)
