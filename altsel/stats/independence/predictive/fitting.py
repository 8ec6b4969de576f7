"""Fits models of all parts and replaces features in them, by several workers if wanted."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np

from altsel._types import FloatArray
from altsel.parallel import checked_jobs, number_of_workers, run
from altsel.runtime.clock import clock, limited
from altsel.runtime.threads import one_thread
from altsel.stats.independence.cache import Memory
from altsel.stats.independence.predictive.models import Model
from altsel.stats.independence.predictive.trial import Trial

CHUNKS = 32
"""Messages to each process: many, so that the clock is looked at often."""
LEAST = 1e-3
"""Seconds that a process gets when there are none left."""
SETS = 4
"""Sets of features whose models are remembered."""


@dataclass(frozen=True)
class Job:
    """Models of some columns, and the columns to replace in turn."""

    columns: tuple[int, ...]
    replaced: tuple[int, ...]


Models = dict[int, Model]
"""Models by the number of their part."""
Task = tuple[Job, int, Model | None]
"""A job in one part, and its model if that is known."""
Done = tuple[FloatArray, Any]
"""What test rows lose more, and the model."""


class Fits:
    """Does jobs, and remembers the models of the last sets.

    Parameters
    ----------
    n_jobs
        Workers; None: those of ``joblib.parallel_config``, else 1.

    Raises
    ------
    ArgumentError
        If that is no number of workers.
    """

    def __init__(self, n_jobs: int | None = None) -> None:
        checked_jobs(n_jobs)
        self.n_jobs = n_jobs
        self._models = Memory[Models](SETS)

    def forget(self) -> None:
        """Drop the models that are remembered."""
        self._models.forget()

    def increases(self, trial: Trial, jobs: Sequence[Job], known: Models | None = None) -> list[FloatArray]:
        """Do all jobs.

        Parameters
        ----------
        trial, jobs
            What is to be done.
        known
            Models of a single job by part, where they are known; those of other parts are added.

        Returns
        -------
        list
            For each part what its test rows lose more; shape (all replaced columns, test rows).
        """
        parts = range(len(trial.parts))
        models = [self._models((trial, job.columns), dict) for job in jobs] if known is None else [known]
        tasks = [(job, b, own.get(b)) for job, own in zip(jobs, models, strict=True) for b in parts]
        keep = len(jobs) <= SETS
        with one_thread():
            workers = number_of_workers(self.n_jobs)
            done = list(_done(trial, tasks, keep) if workers == 1 else self._by(workers, trial, tasks, keep))
        if keep:
            for i, (_, model) in enumerate(done):
                models[i // len(parts)][i % len(parts)] = model
        return [np.concatenate([increase for increase, _ in done[b :: len(parts)]]) for b in parts]

    def _by(self, workers: int, trial: Trial, tasks: list[Task], keep: bool) -> Iterator[Done]:
        """Do tasks by several workers, in their order."""
        size = -(-len(tasks) // (CHUNKS * workers))
        chunks = {str(i): tasks[i : i + size] for i in range(0, len(tasks), size)}
        left = clock().left
        function = _Chunk(trial, keep, inf if left == inf else time.time() + left)
        for found in run(function, chunks, n_jobs=self.n_jobs, what="part of the fits").values():
            yield from found


@dataclass(frozen=True)
class _Chunk:
    """Does some tasks in another process, until a time of day."""

    trial: Trial
    keep: bool
    until: float

    def __call__(self, tasks: Sequence[Task]) -> list[Done]:
        with limited(None if self.until == inf else max(self.until - time.time(), LEAST)):
            return list(_done(self.trial, tasks, self.keep))


def _done(trial: Trial, tasks: Sequence[Task], keep: bool) -> Iterator[Done]:
    """Do some tasks; return the increases, and the models if they are to be kept."""
    for job, number, known in tasks:
        clock().check()
        model = known or trial.fitted(number, job.columns)
        yield trial.increases(number, model, job.columns, job.replaced), model if keep else None
