"""Samples of known networks, with the true parents and children and the true blanket of every node."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

import altsel

NETWORKS = ("child", "insurance", "hailfinder", "win95pts", "hepar2", "barley")
GAUSSIANS = {"gaussian-50": (50, 50), "gaussian-500": (500, 10)}
"""Nodes of the random linear networks, and how many of them are targets."""
DEGREE = 3
"""Mean number of neighbours in a random linear network."""


@dataclass(frozen=True)
class Sample:
    """Rows drawn from a network.

    Attributes
    ----------
    network, rows, number
        Name of the network, rows, and the number of the sample.
    table
        A column for each node that varies in the sample: numbers, or codes of categories from 0.
    targets
        Nodes whose blankets are searched for.
    neighbours, blankets
        True parents and children, and true blankets, of the targets.
    """

    network: str
    rows: int
    number: int
    table: pd.DataFrame
    targets: tuple[str, ...]
    neighbours: dict[str, set[str]]
    blankets: dict[str, set[str]]

    @property
    def numeric(self) -> bool:
        """Whether the columns are numbers."""
        return self.network in GAUSSIANS

    def data(self) -> altsel.Dataset:
        """Make a data set with the first target."""
        first, rest = self.targets[0], self.table.drop(columns=self.targets[0])
        if self.numeric:
            return altsel.Dataset(rest, self.table[first], task="regression")
        kinds = dict.fromkeys(rest.columns, "categorical")
        return altsel.Dataset(rest, self.table[first], kinds=kinds, task="multiclass")


def samples(folder: Path, name: str, rows: int, count: int) -> Iterator[Sample]:
    """Draw samples of a network; sample i of one name and size is always the same."""
    for number in range(count):
        seed = [number, rows, *name.encode()]
        yield (
            _gaussian(name, rows, number, seed)
            if name in GAUSSIANS
            else _drawn(folder, name, rows, number, seed)
        )


def _drawn(folder: Path, name: str, rows: int, number: int, seed: list[int]) -> Sample:
    network = altsel.read_network(next(folder.glob(f"{name}.bif*")))
    drawn = network.sample(rows, np.random.default_rng(seed))
    table = drawn.apply(lambda column: pd.factorize(column, sort=True)[0])
    table = table.loc[:, table.max() > 0]
    kept = tuple(table.columns)
    return Sample(
        name,
        rows,
        number,
        table,
        kept,
        {node: set(network.parents_and_children(node)) & set(kept) for node in kept},
        {node: set(network.blanket(node)) & set(kept) for node in kept},
    )


def _gaussian(name: str, rows: int, number: int, seed: list[int]) -> Sample:
    """Draw from a random linear network: weights of .3 to 1 in size, noise of variance 1."""
    size, wanted = GAUSSIANS[name]
    random = np.random.default_rng(seed)
    arcs = np.triu(random.random((size, size)) < DEGREE / (size - 1), 1)
    weights = arcs * random.uniform(0.3, 1.0, arcs.shape) * random.choice([-1, 1], arcs.shape)
    values = np.zeros((rows, size))
    for j in range(size):
        values[:, j] = values @ weights[:, j] + random.normal(size=rows)
    names = [f"x{j}" for j in range(size)]
    order = random.permutation(size)
    near, mates = arcs | arcs.T, (arcs.astype(int) @ arcs.T.astype(int)) > 0
    whole = near | mates
    np.fill_diagonal(whole, val=False)
    targets = tuple(names[j] for j in order[:wanted])
    return Sample(
        name,
        rows,
        number,
        pd.DataFrame(values, columns=names)[[names[j] for j in order]],
        targets,
        {names[j]: {names[i] for i in np.flatnonzero(near[j])} for j in order[:wanted]},
        {names[j]: {names[i] for i in np.flatnonzero(whole[j])} for j in order[:wanted]},
    )


def arguments(usage: str | None) -> argparse.ArgumentParser:
    """Make the parser of a program that runs on samples: which networks, rows and how many."""
    parser = argparse.ArgumentParser(description=usage, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="folder of BIF files")
    parser.add_argument("--networks", nargs="+", default=[*NETWORKS, *GAUSSIANS])
    parser.add_argument("--rows", type=int, nargs="+", default=[500, 5000])
    parser.add_argument("--samples", type=int, default=10)
    return parser
