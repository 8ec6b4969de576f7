"""Fits models of all parts and replaces features in them, in several processes if wanted."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np

from altsel._types import FloatArray
from altsel.errors import checked_integer
from altsel.runtime.clock import clock, limited
from altsel.runtime.on_demand import OnDemand
from altsel.runtime.threads import one_thread
from altsel.stats.independence.cache import Memory
from altsel.stats.independence.predictive.models import Model
from altsel.stats.independence.predictive.trial import Trial

joblib: Any = OnDemand("joblib")

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
        Processes; -1: one for each core.

    Raises
    ------
    ArgumentError
        If that is neither -1 nor an integer of at least 1.
    """

    def __init__(self, n_jobs: int = 1) -> None:
        if n_jobs != -1:
            checked_integer("n_jobs", n_jobs, 1)
        self.n_jobs = n_jobs
        self._models = Memory[Models](SETS)

    def forget(self) -> None:
        """Give up the models that are remembered."""
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
            run = self._in_processes if self.n_jobs != 1 else _done
            done = list(run(trial, tasks, keep))
        if keep:
            for i, (_, model) in enumerate(done):
                models[i // len(parts)][i % len(parts)] = model
        return [np.concatenate([increase for increase, _ in done[b :: len(parts)]]) for b in parts]

    def _in_processes(self, trial: Trial, tasks: list[Task], keep: bool) -> Iterator[Done]:
        processes = joblib.effective_n_jobs(self.n_jobs)
        size = -(-len(tasks) // (CHUNKS * processes))
        chunks = [tasks[first : first + size] for first in range(0, len(tasks), size)]
        run = joblib.Parallel(n_jobs=processes, return_as="generator")
        until = time.time() + clock().left
        for found in run(joblib.delayed(_all_done)(trial, chunk, keep, until) for chunk in chunks):
            yield from found


def _all_done(trial: Trial, tasks: Sequence[Task], keep: bool, until: float) -> list[Done]:
    """Do some tasks in another process, until a time of day."""
    with limited(None if until == inf else max(until - time.time(), LEAST)):
        return list(_done(trial, tasks, keep))


def _done(trial: Trial, tasks: Sequence[Task], keep: bool) -> Iterator[Done]:
    """Do some tasks; return the increases, and the models if they are to be kept."""
    for job, number, known in tasks:
        clock().check()
        model = known or trial.fitted(number, job.columns)
        yield trial.increases(number, model, job.columns, job.replaced), model if keep else None
