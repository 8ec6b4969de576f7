"""Missing values as a level of their own; numbers with gaps are cut into bins beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd

from altsel._types import FloatArray
from altsel.data.columns import normal
from altsel.data.findings.finding import Finding
from altsel.data.kinds import Declared
from altsel.data.missing_values import costs
from altsel.data.schema import CLASSES, Kind
from altsel.errors import listing

MISSING = "missing"
"""Name of the level; with underscores behind it where a column has a level of that name."""
BINS = 5
"""Bins of equal frequency of numbers with gaps."""


@dataclass(frozen=True)
class MissingLevel:
    """How a column with gaps becomes categories, so that other rows become the same.

    Attributes
    ----------
    label
        The level of what is missing.
    edges
        Upper ends of the bins of numbers, but for the last; None where there are categories.
    labels
        Names of the bins.

    Examples
    --------
    >>> dose = pd.Series([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, None])
    >>> MissingLevel.of(dose, bins=3)(dose).tolist()[1:]
    ['to 2.667', '2.667 to 4.333', '2.667 to 4.333', 'above 4.333', 'above 4.333', 'missing']
    >>> few = pd.Series([0.0, 1.0, None])
    >>> MissingLevel.of(few)(few).tolist()
    ['0', '1', 'missing']
    """

    label: str
    edges: tuple[float, ...] | None = None
    labels: tuple[str, ...] = ()

    @classmethod
    def of(cls, column: pd.Series[Any], classes: bool = False, bins: int = BINS) -> MissingLevel:
        """Return how a column of a normal type becomes categories; of `classes` each number is a level."""
        if isinstance(column.dtype, pd.CategoricalDtype):
            label = MISSING
            while label in column.cat.categories:
                label += "_"
            return cls(label)
        values = np.unique(column.dropna().to_numpy(dtype=float))
        if classes or len(values) <= bins:
            return cls(MISSING, tuple(values[:-1].tolist()), tuple(f"{value:.15g}" for value in values))
        edges = np.unique(np.quantile(column.dropna(), np.linspace(0, 1, bins + 1)[1:-1]))
        return cls(MISSING, tuple(edges.tolist()), _names(edges))

    def __call__(self, column: pd.Series[Any]) -> pd.Series[Any]:
        """Return a column of a normal type as categories; what is categories for numbers is so already."""
        gaps = column.isna()
        if isinstance(column.dtype, pd.CategoricalDtype):
            plain = column.cat.set_categories(column.cat.categories, ordered=False)
            if not gaps.any():
                return plain
            return plain.cat.add_categories([self.label]).fillna(self.label)
        if self.edges is None:
            return column
        codes = np.searchsorted(np.asarray(self.edges), column.to_numpy(dtype=float), side="left")
        codes = np.where(gaps, len(self.labels), codes)
        levels: list[Any] = [*self.labels, self.label]
        made = pd.Categorical.from_codes(codes.tolist(), pd.Index(levels))
        return pd.Series(made, column.index, name=column.name).cat.remove_unused_categories()


def with_missing_levels(
    table: pd.DataFrame, kinds: Mapping[str, Declared], known: Mapping[str, MissingLevel], every: bool
) -> tuple[pd.DataFrame, dict[str, MissingLevel]]:
    """Turn columns with gaps into categories.

    Parameters
    ----------
    table
        The features.
    kinds
        Kinds that were declared: of categories each number is a level.
    known
        How columns of other rows became categories; these become so whether they have gaps or not.
    every
        Whether other columns with gaps do, too.

    Returns
    -------
    tuple
        The table, and how its columns became categories, by name.
    """
    done = {name: how for name, how in known.items() if name in table}
    for name in table if every else ():
        if name not in done and table[name].isna().any():
            declared = kinds.get(str(name))
            classes = isinstance(declared, (list, tuple)) or declared in {*CLASSES, Kind.ORDINAL}
            done[str(name)] = MissingLevel.of(normal(table[name]), classes)
    return table.assign(**{name: how(normal(table[name])) for name, how in done.items()}), done


def finding(table: pd.DataFrame, done: Mapping[str, MissingLevel]) -> list[Finding]:
    """Return what is to be said of columns whose gaps are a level; `table` is as it was before."""
    if not done:
        return []
    counts = {name: int(table[name].isna().sum()) for name in done}
    message = f"missing values are a level of their own in {costs(counts)}"
    if cut := [name for name in done if done[name].edges is not None]:
        message += f"; numbers become levels beside it, in at most {BINS} bins: {listing(cut)}"
    return [Finding("missing as category", tuple(done), message)]


def _names(edges: FloatArray) -> tuple[str, ...]:
    """Name bins by their ends, with as many digits as tell them apart."""
    ends = next(
        texts
        for digits in (4, 8, 17)
        if len(set(texts := [f"{edge:.{digits}g}" for edge in edges])) == len(edges)
    )
    between = [f"{low} to {high}" for low, high in pairwise(ends)]
    return (f"to {ends[0]}", *between, f"above {ends[-1]}")
