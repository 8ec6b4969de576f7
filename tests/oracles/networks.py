"""Small networks whose joint distribution is computed whole: entropies, information, errors; no sampling."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from itertools import product

import numpy as np
import pandas as pd

import altsel
from altsel.data.networks.network import BayesianNetwork

CAUSES = Mapping[str, Sequence[str]]

FIGURE_5: dict[str, CAUSES] = {
    "a": {"X": (), "Y": (), "C": ("X", "Y")},
    "b": {"X": (), "C": ("X",), "Y": ("C",)},
    "c": {"Y": (), "C": ("Y",), "X": ("C",)},
    "d": {"C": (), "X": ("C",), "Y": ("C",)},
    "e": {"X": (), "C": (), "Y": ("X", "C")},
    "f": {"X": (), "Y": ("X",), "C": ("Y",)},
    "g": {"C": (), "Y": ("C",), "X": ("Y",)},
}
"""The interactions of three variables in UV figure 5; causes before effects."""


class Exact:
    """The joint distribution of a network, as an array with an axis for each variable."""

    def __init__(self, network: BayesianNetwork) -> None:
        self.network = network
        self.names = network.nodes
        joint = np.ones([len(network.states[name]) for name in self.names])
        for cell in np.ndindex(*joint.shape):
            value = dict(zip(self.names, cell, strict=True))
            for name in self.names:
                index = (*(value[parent] for parent in network.parents[name]), value[name])
                joint[cell] *= network.tables[name][index]
        self.joint = joint / joint.sum()

    def margin(self, names: Collection[str]) -> np.ndarray:
        """Sum out all variables but some; axes stay in the order of the network."""
        out = tuple(j for j, name in enumerate(self.names) if name not in names)
        return np.asarray(self.joint.sum(axis=out))

    def entropy(self, names: Collection[str]) -> float:
        """``H(names)`` in nats."""
        mass = self.margin(names).ravel()
        mass = mass[mass > 0]
        return float(-(mass * np.log(mass)).sum())

    def information(self, one: Collection[str], two: Collection[str], given: Collection[str] = ()) -> float:
        """``I(one; two | given)`` in nats, by four entropies."""
        a, b, c = set(one), set(two), set(given)
        return self.entropy(a | c) + self.entropy(b | c) - self.entropy(a | b | c) - self.entropy(c)

    def given(self, target: str, names: Collection[str]) -> float:
        """``H(target | names)`` in bits."""
        return (self.entropy({target, *names}) - self.entropy(names)) / float(np.log(2))

    def error(self, target: str, names: Collection[str]) -> float:
        """Error of the best classifier of a target that sees some variables."""
        kept = [name for name in self.names if name in names or name == target]
        table = self.margin(kept)
        return float(1 - table.max(axis=kept.index(target)).sum())

    @cached_property
    def table(self) -> pd.Series[float]:
        """The distribution as a series, for `JointTable`."""
        index = pd.MultiIndex.from_tuples(
            product(*(range(size) for size in self.joint.shape)), names=list(self.names)
        )
        return pd.Series(self.joint.ravel(), index)

    def oracle(self, target: str) -> altsel.independence.JointTable:
        """Return the test that knows this distribution."""
        return altsel.independence.JointTable(self.table, target)


def with_tables(causes: CAUSES, tables: Mapping[str, np.ndarray]) -> Exact:
    """Make a network of its graph and tables."""
    states = {name: tuple(f"s{j}" for j in range(tables[name].shape[-1])) for name in causes}
    return Exact(BayesianNetwork(states, {name: tuple(parents) for name, parents in causes.items()}, tables))


def random_tables(causes: CAUSES, seed: int, most_states: int = 3) -> Exact:
    """Draw tables for a graph: two to so many states, rows from a uniform Dirichlet distribution."""
    random = np.random.default_rng(seed)
    sizes = {name: int(random.integers(2, most_states + 1)) for name in causes}
    tables = {
        name: random.dirichlet(np.ones(sizes[name]), [sizes[parent] for parent in parents])
        for name, parents in causes.items()
    }
    return with_tables(causes, tables)


def random_network(seed: int, nodes: int, share: float = 0.4, most_states: int = 2) -> Exact:
    """Draw a graph of ``C`` and ``v1``, ``v2``, …, and its tables; at most three parents each."""
    random = np.random.default_rng([seed, nodes])
    names = ["C", *(f"v{j}" for j in range(1, nodes))]
    order = [names[j] for j in random.permutation(nodes)]
    causes = {}
    for j, name in enumerate(order):
        parents = [other for other in order[:j] if random.random() < share]
        causes[name] = tuple(random.permutation(parents).tolist()[:3])
    return random_tables(causes, seed, most_states)


def flips(share: float) -> np.ndarray:
    """Return the table of a binary variable that is another one, but for a share of errors."""
    return np.array([[1 - share, share], [share, 1 - share]])
