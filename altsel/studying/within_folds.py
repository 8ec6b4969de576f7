"""What is done within a fold: all that sees the target is done anew on the rows to learn from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from altsel import catalogue
from altsel._types import FloatArray, IntArray
from altsel.catalogue import EstimatorName
from altsel.data.dataset import Dataset
from altsel.data.dealing import subset
from altsel.results.sets import Names
from altsel.stats.equivalence import CrossValidatedModels
from altsel.stats.row_losses import OF_CLASSES, OF_NUMBERS, predicted, row_losses
from altsel.studying.grid import Configuration
from altsel.studying.plan import Plan
from altsel.studying.selections import Rows, Searching, first_by, sets_by

Split = tuple[IntArray, IntArray]


def folds_of(data: Dataset, plan: Plan) -> list[Split]:
    """Return rows to learn from and rows judged, fold after fold; shuffled, classes alike."""
    return CrossValidatedModels(data, cv=plan.folds, random_state=plan.seed).folds


def losses_of(data: Dataset) -> tuple[str, ...]:
    """Return the names of all losses that the target has."""
    return OF_CLASSES if data.discrete_target else OF_NUMBERS


@dataclass(frozen=True, eq=False)
class Judges:
    """Models fitted to some rows of a table, and judged on others."""

    data: Dataset
    split: Split
    seed: int
    known: dict[tuple[frozenset[str], str | None], list[FloatArray]] = field(default_factory=dict)

    @cached_property
    def rows(self) -> Rows:
        """The rows to learn from."""
        return Rows(subset(self.data, self.split[0], self.data.features), self.seed)

    def losses(self, pairs: Iterable[tuple[Names, str | None]]) -> dict[str, FloatArray]:
        """Return losses of the rows judged by each set and model; shapes (rows, pairs).

        A set that was met before is not fitted again.
        """
        columns = []
        for names, model in pairs:
            key = frozenset(names), model if names else None
            if key not in self.known:
                self.known[key] = self._judged(names, key[1])
            columns.append(self.known[key])
        named = losses_of(self.data)
        return {name: np.column_stack([one[i] for one in columns]) for i, name in enumerate(named)}

    def _judged(self, names: Names, model: str | None) -> list[FloatArray]:
        """Fit one model; a row that a splitter judges is judged once, in ascending order."""
        fitted, table, target = self._models(model).fitted_in(0, names)
        said = predicted(fitted, table, target)
        return [row_losses(name, said, target) for name in losses_of(self.data)]

    def _models(self, model: str | None) -> CrossValidatedModels:
        name = EstimatorName.LINEAR if model is None else EstimatorName(model)
        estimator = catalogue.predictor(name, self.data, self.seed)
        return CrossValidatedModels(self.data, estimator, cv=[self.split], random_state=self.seed)


@dataclass(frozen=True, eq=False)
class TriedInFold:
    """Every configuration in one fold: plain data of its losses, and how many features were selected."""

    data: Dataset
    plan: Plan
    configurations: Sequence[Configuration]
    folds: Sequence[Split]

    def __call__(self, fold: int) -> dict[str, Any]:
        """Search, fit and judge."""
        judges = Judges(self.data, self.folds[fold], self.plan.seed)
        selections = dict.fromkeys(one.selection for one in self.configurations)
        sets = {one: first_by(one, judges.rows) for one in selections}
        losses = judges.losses((sets[one.selection], one.model) for one in self.configurations)
        return {
            "losses": {name: table.tolist() for name, table in losses.items()},
            "sizes": [len(sets[one.selection]) for one in self.configurations],
        }


@dataclass(frozen=True, eq=False)
class DifferentInFold:
    """Alternatives at every tau in one fold: the mean loss of each row, None where there are not as many."""

    data: Dataset
    plan: Plan
    selection: Searching
    model: str
    folds: Sequence[Split]

    def __call__(self, fold: int) -> list[list[float] | None]:
        """Search, fit and judge."""
        judges = Judges(self.data, self.folds[fold], self.plan.seed)
        wanted = self.plan.alternatives
        made: list[list[float] | None] = []
        for tau in self.plan.tau:
            sets = sets_by(self.selection, judges.rows, wanted, tau)[1:]
            if len(sets) < wanted:
                made.append(None)
                continue
            losses = judges.losses((names, self.model) for names in sets)
            made.append(losses[self.plan.loss_name].mean(axis=1).tolist())
        return made


def pooled(folds: Sequence[Split], parts: Sequence[Any], rows: int) -> FloatArray:
    """Put losses of all folds together, in the order of the rows; shape (rows,) or (rows, configurations)."""
    first = np.asarray(parts[0], dtype=float)
    table = np.full((rows, *first.shape[1:]), np.nan)
    for (_, judged), part in zip(folds, parts, strict=True):
        table[judged] = part
    return table
