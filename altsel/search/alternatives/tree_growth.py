"""Growing a decision tree whose features always admit a valid set (AFS 3.3.3)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from altsel._types import FloatArray
from altsel.errors import DataError, SolverError
from altsel.exact.starts.nearest_valid import Closest
from altsel.results.stop import Stop
from altsel.runtime.on_demand import OnDemand

base: Any = OnDemand("sklearn.base")


@dataclass(eq=False)
class Admission:
    """Answers whether some features are part of a valid set, by one model that is kept.

    Parameters
    ----------
    nearest
        The model of the conditions.
    """

    nearest: Closest
    _witnesses: list[frozenset[str]] = field(default_factory=list)

    def extends(self, features: Collection[str]) -> bool:
        """Return whether a valid set has all these features."""
        inside = frozenset(features)
        if any(inside <= witness for witness in self._witnesses):
            return True
        return self._solved([(0, name, True) for name in inside])

    def is_valid(self, features: Collection[str]) -> bool:
        """Return whether these features are a valid set themselves."""
        names = self.nearest.problem.objective.features
        return self._solved([(0, name, name in features) for name in names])

    def _solved(self, sides: list[tuple[int, str, bool]]) -> bool:
        sets, stop = self.nearest.any_with(sides)
        if sets is not None:
            self._witnesses.append(sets[0])
            return True
        if stop is Stop.INTERRUPT:
            raise KeyboardInterrupt
        if stop is not Stop.INFEASIBLE:
            raise SolverError(f"neither a valid set nor a proof that there is none: {stop.value}")
        return False


@dataclass(frozen=True, eq=False)
class Learned:
    """What a tree learns: a table, a target, and weights of the rows if there are any."""

    X: pd.DataFrame
    y: Any
    sample_weight: Any = None


def checked_weights(weights: Any, rows: int) -> FloatArray:
    """Return weights of rows as numbers.

    Raises
    ------
    DataError
        If they are not one finite number of at least 0 a row, or all 0.
    """
    try:
        numbers = np.asarray(weights, dtype=float)
    except (TypeError, ValueError) as fault:
        raise DataError(f"sample_weight must be numbers: {fault}") from fault
    if numbers.shape != (rows,):
        raise DataError(f"sample_weight has shape {numbers.shape}; give one number for each of {rows} rows")
    if not (np.isfinite(numbers) & (numbers >= 0)).all() or not numbers.any():
        raise DataError("sample_weight must be finite numbers of at least 0, not all of them 0")
    return numbers


@dataclass(eq=False)
class TreeGrowth:
    """Best-first growth of a tree, where a feature is banned once no valid set has it and those used.

    Parameters
    ----------
    tree
        A scikit-learn tree, unfitted: criterion, depth, leaves.
    data
        What it learns.
    admission
        Answers what valid sets there are.
    most
        Largest size of a set.

    Attributes
    ----------
    used
        Features of splits, in the order of their first one.
    banned
        Features that would have been split on, but that no valid set has along with those used then.
    """

    tree: Any
    data: Learned
    admission: Admission
    most: int
    used: list[str] = field(default_factory=list)
    banned: list[str] = field(default_factory=list)

    def grow(self) -> None:
        """Let every new feature in, or ban it, until no split needs a new one.

        A tree of m leaves grown best first is that of m - 1 leaves with one more split, so the first split
        on a new feature is that of the smallest tree that has one.
        """
        while len(self.used) < self.most and (new := self._next()):
            if self.admission.extends([*self.used, new]):
                self.used.append(new)
            else:
                self.banned.append(new)

    def completed(self) -> list[str]:
        """Add features to those used until they are a valid set: what reduces impurity most at the root."""
        chosen = list(self.used)
        left = sorted((name for name in self._allowed() if name not in chosen), key=self._root_loss)
        while not self.admission.is_valid(chosen):
            chosen.append(next(name for name in left if self.admission.extends([*chosen, name])))
            left.remove(chosen[-1])
        return [name for name in self.data.X.columns if name in chosen]

    def _allowed(self) -> list[str]:
        return [name for name in self.data.X.columns if name not in self.banned]

    def _next(self) -> str | None:
        """Name the first new feature that the tree splits on, if it does on any."""
        known, features = set(self.used), self._allowed()
        leaves, inside = self._grown(features, self.tree.max_leaf_nodes)
        if inside <= known:
            return None
        few, enough = 1, leaves  # a tree of `few` leaves has no new feature, one of `enough` has
        while enough - few > 1:
            middle = (few + enough) // 2
            _, some = self._grown(features, middle)
            if some <= known:
                few = middle
            else:
                enough, inside = middle, some
        return next(name for name in features if name in inside - known)

    def _grown(self, features: list[str], leaves: int | None) -> tuple[int, set[str]]:
        """Grow a tree on some features; return its number of leaves, and the features of its splits."""
        fitted = self.fitted(features, leaves).tree_
        return int(fitted.n_leaves), {features[j] for j in fitted.feature if j >= 0}

    def fitted(self, features: list[str], leaves: int | None) -> Any:
        """Fit a tree of at most so many leaves on some features."""
        tree = base.clone(self.tree).set_params(max_leaf_nodes=leaves)
        return tree.fit(self.data.X[features], self.data.y, sample_weight=self.data.sample_weight)

    def _root_loss(self, name: str) -> float:
        """Return the impurity that a split of the root on one feature leaves."""
        fitted = self.fitted([name], 2).tree_
        leaf = fitted.feature < 0
        shares = fitted.weighted_n_node_samples[leaf] / fitted.weighted_n_node_samples[0]
        return float(f"{np.dot(shares, fitted.impurity[leaf]):.10g}")
