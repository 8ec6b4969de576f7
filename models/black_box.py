"""A criterion known by its values alone: a function of a feature set, such as a model's accuracy."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import numpy as np

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.errors import ArgumentError, DataError, list_of_names
from altsel.models.objective import Kind, Objective
from altsel.models.own_code import call_own, number_of
from altsel.parallel import checked_jobs, each, number_of_workers
from altsel.pyomo_on_demand import pyo
from altsel.runtime.clock import clock

log = logging.getLogger("altsel.models")
HEARTBEAT = 5.0
PARTS, LARGEST_PART = 20, 50
"""Messages to each worker, or more so that none has more sets than that."""
Quality = Callable[[tuple[str, ...]], float]
"""Gives the quality of a set of features, in the order of all features."""


@dataclass(frozen=True)
class _Evaluated:
    """Evaluates some sets."""

    quality: Quality
    name: str

    def __call__(self, sets: list[tuple[bytes, tuple[str, ...]]]) -> list[float]:
        return [self.of(names) for _, names in sets]

    def of(self, names: tuple[str, ...]) -> float:
        """Return the quality of a set; what is no number is refused."""

        def title() -> str:
            return f"{self.name}: the quality of {names!r}"

        return number_of(call_own(self.quality, (names,), title), title, DataError)


class BlackBox(Objective):
    """Any function of a feature set as a criterion; every set is evaluated once (AFS 3.3.2).

    Small problems are solved exactly, by evaluating every admissible set; for others use `wrapper`.

    Parameters
    ----------
    quality
        Gives the quality of a tuple of names, such as `CrossValidated`; the larger the better.
    features
        Names of all features; default: ``quality.features``.
    n_jobs
        Workers that evaluate sets where all are; default: those of ``joblib.parallel_config``, else 1. A
        climb, where one value decides what is evaluated next, can use those of the quality itself.

    Attributes
    ----------
    evaluated
        Number of sets evaluated so far.

    Raises
    ------
    ArgumentError
        If the quality cannot be called, there are no features, or `n_jobs` is no number of workers.

    Examples
    --------
    >>> from altsel import BlackBox, Dice, Problem, sequential
    >>> length = BlackBox(lambda names: -len("".join(names)), ["height", "age", "sex"])
    >>> sequential(Problem(length, k=2), Dice(0.5), alternatives=0)[0].features
    ('age', 'sex')
    """

    kind = Kind.BLACK_BOX
    most_sets = 20_000
    """Admissible sets up to which all are evaluated."""

    def __init__(
        self, quality: Quality, features: Sequence[str] | None = None, n_jobs: int | None = None
    ) -> None:
        checked_jobs(n_jobs)
        known = getattr(quality, "features", ()) if features is None else features
        names = list_of_names("features", known)
        if not callable(quality) or not names:
            raise ArgumentError(
                "BlackBox takes a function of a tuple of names, and the names of all features"
            )
        self.quality, self.n_jobs = quality, n_jobs
        self.features = names
        self.name = str(getattr(quality, "name", getattr(quality, "__name__", "black box")))
        self.target = getattr(quality, "target", None)
        self.seed = getattr(quality, "seed", None)
        self.members = dict(getattr(quality, "members", {}))
        self.absent = dict(getattr(quality, "absent", {}))
        self._known: dict[bytes, float] = {}
        self._told = time.perf_counter()

    @property
    def identified_by(self) -> dict[str, Any]:
        """What tells this criterion from others: all but what it has evaluated so far."""
        return {name: value for name, value in vars(self).items() if name not in {"_known", "_told"}}

    @property
    def evaluated(self) -> int:
        """Number of sets evaluated so far."""
        return len(self._known)

    def score(self, mask: BoolArray) -> float:
        """Evaluate a set, unless that was done before.

        Raises
        ------
        ArgumentError
            If the quality fails.
        DataError
            If it is no finite number.
        """
        key = np.packbits(mask).tobytes()
        if key not in self._known:
            names = self._named(mask)
            self._remember(key, names, _Evaluated(self.quality, self.name).of(names))
        return self._known[key]

    def scores(self, members: IntArray) -> FloatArray:
        """Evaluate many sets, by several workers if wanted."""
        workers = number_of_workers(self.n_jobs) if len(members) > 1 else 1
        if workers > 1:
            self._evaluate(members, workers)
        return super().scores(members)

    def _evaluate(self, members: IntArray, workers: int) -> None:
        """Let workers evaluate sets that are not known."""
        masks = np.zeros((len(members), len(self.features)), dtype=bool)
        masks[np.arange(len(members))[:, None], members] = True
        keys = [row.tobytes() for row in np.packbits(masks, axis=1)]
        todo = {
            key: [self.features[j] for j in sorted(row)]
            for key, row in zip(keys, members.tolist(), strict=True)
        }
        left = [(key, tuple(names)) for key, names in todo.items() if key not in self._known]
        size = min(max(len(left) // (PARTS * workers), 1), LARGEST_PART)
        parts = {str(i): left[i : i + size] for i in range(0, len(left), size)}
        with closing(
            each(_Evaluated(self.quality, self.name), parts.items(), self.n_jobs, "part of the sets")
        ) as results:
            for number, values in results:
                for (key, names), value in zip(parts[number], values, strict=True):
                    self._remember(key, names, value)
                clock().check()

    def _remember(self, key: bytes, names: tuple[str, ...], value: float) -> None:
        if not np.isfinite(value):
            raise DataError(f"{self.name} gives {value} for {names!r}; it must be a finite number")
        self._known[key] = value
        self._tell()

    def _tell(self) -> None:
        now = time.perf_counter()
        if now - self._told > HEARTBEAT:
            self._told = now
            log.info("%s: %d sets evaluated, best %.6g", self.name, self.evaluated, max(self._known.values()))

    def express(self, block: Any, sizes: tuple[int, int]) -> None:
        """Add a variable of which nothing is known to the block, as its quality."""
        del sizes
        block.unknown = pyo.Var()
        block.quality = pyo.Expression(expr=block.unknown)
