"""Relevances and redundancies by nearest neighbours, in blocks that workers share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from altsel._types import BoolArray, FloatArray
from altsel.parallel import run
from altsel.runtime.on_demand import OnDemand
from altsel.stats.dependence.neighbours.blocks import Redundancies, Relevances, Setting, coded, width
from altsel.stats.dependence.neighbours.noise import Noise

joblib: Any = OnDemand("joblib")

TASKS = 200
"""Most tasks that redundancies are divided into."""


@dataclass(frozen=True)
class Neighbours:
    """Estimates by nearest neighbours for whole tables.

    A pair of numbers is always estimated in the same direction: the column that is less, byte by byte, is
    the first. So no order of columns changes a value.

    Parameters
    ----------
    neighbors
        Number of neighbours; in tables of fewer rows, all others.
    seed
        Seed of the noise that breaks ties.
    n_jobs
        Workers; None: those of ``joblib.parallel_config``, else 1.
    """

    neighbors: int
    seed: int
    n_jobs: int | None = None

    def relevances(
        self, columns: FloatArray, discrete: BoolArray, target: FloatArray, classes: bool
    ) -> FloatArray:
        """Estimate the information of each column and the target; not both of them are discrete.

        Parameters
        ----------
        columns
            Shape (columns, rows).
        discrete
            Which of them hold classes.
        target
            Shape (rows,).
        classes
            Whether the target holds classes.
        """
        result = np.zeros(len(columns))
        if target.min() == target.max():
            return result
        chosen = np.flatnonzero(columns.min(axis=1) < columns.max(axis=1))
        step = width(len(target))
        blocks = [chosen[start : start + step] for start in range(0, len(chosen), step)]
        function = Relevances(self._setting(len(chosen), len(target)), target, classes)
        tasks = [(columns[block], discrete[block]) for block in blocks]
        for block, found in zip(blocks, self._done(function, tasks, "relevance"), strict=True):
            result[block] = found
        return result

    def redundancies(self, columns: FloatArray, discrete: BoolArray) -> FloatArray:
        """Estimate the information of each pair of columns that are not both discrete; 0 for the others.

        Parameters
        ----------
        columns
            Shape (columns, rows).
        discrete
            Which of them hold classes.
        """
        count, rows = columns.shape
        table = np.zeros((count, count))
        varied = columns.min(axis=1) < columns.max(axis=1)
        classes = np.flatnonzero(varied & discrete).tolist()
        numbers = np.flatnonzero(varied & ~discrete).tolist()
        numbers.sort(key=lambda j: columns[j].tobytes())
        pairs = len(numbers) * (len(numbers) + 1) // 2 + len(numbers) * len(classes)
        if not pairs:
            return table
        function = Redundancies(self._setting(pairs, rows), columns[numbers], coded(columns[classes]))
        tasks, indices = function.tasks(TASKS), np.array(numbers + classes)
        for task, values in zip(tasks, self._done(function, tasks, "redundancy"), strict=True):
            for (i, start, stop), found in zip(task, values, strict=True):
                others = indices[start:stop]
                table[indices[i], others] = table[others, indices[i]] = found
        return table

    def _setting(self, pairs: int, rows: int) -> Setting:
        return Setting(min(self.neighbors, rows - 1), Noise(rows, self.seed), pairs * rows)

    def _done(self, function: Callable[[Any], Any], tasks: Sequence[Any], what: str) -> list[Any]:
        """Do tasks, by threads if the caller names no backend: the loops free the interpreter."""
        named = {f"{what} block {number + 1}": task for number, task in enumerate(tasks)}
        with joblib.parallel_config(prefer="threads"):
            return list(run(function, named, None, self.n_jobs, f"{what} block").values())
