"""A criterion known by its values alone: a function of a feature set, such as a model's accuracy."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from altsel._types import BoolArray
from altsel.errors import ArgumentError, DataError
from altsel.models.objective import Kind, Objective
from altsel.pyomo_on_demand import pyo

log = logging.getLogger("altsel.models")
HEARTBEAT = 5.0
Quality = Callable[[tuple[str, ...]], float]
"""Gives the quality of a set of features, in the order of all features."""


class BlackBox(Objective):
    """Any function of a feature set as a criterion; every set is evaluated once (AFS 3.3.2).

    Small problems are solved exactly, by evaluating every admissible set; for others use `wrapper`.

    Parameters
    ----------
    quality
        Gives the quality of a tuple of names, such as `CrossValidated`; the larger the better.
    features
        Names of all features; default: ``quality.features``.

    Attributes
    ----------
    evaluated
        Number of sets evaluated so far.

    Raises
    ------
    ArgumentError
        If the quality cannot be called, or there are no features.

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

    def __init__(self, quality: Quality, features: Sequence[str] | None = None) -> None:
        names = tuple(getattr(quality, "features", ()) if features is None else features)
        if not callable(quality) or not names:
            raise ArgumentError(
                "BlackBox takes a function of a tuple of names, and the names of all features"
            )
        self.quality = quality
        self.features = names
        self.name = str(getattr(quality, "name", getattr(quality, "__name__", "black box")))
        self.target = getattr(quality, "target", None)
        self.seed = getattr(quality, "seed", None)
        self.members = dict(getattr(quality, "members", {}))
        self._known: dict[bytes, float] = {}
        self._told = time.perf_counter()

    @property
    def evaluated(self) -> int:
        """Number of sets evaluated so far."""
        return len(self._known)

    def score(self, mask: BoolArray) -> float:
        """Evaluate a set, unless that was done before.

        Raises
        ------
        DataError
            If the quality is no number.
        """
        key = np.packbits(mask).tobytes()
        if key not in self._known:
            names = tuple(f for f, inside in zip(self.features, mask, strict=True) if inside)
            value = float(self.quality(names))
            if not np.isfinite(value):
                raise DataError(f"{self.name} gives {value} for {names!r}; it must be a finite number")
            self._known[key] = value
            self._tell()
        return self._known[key]

    def _tell(self) -> None:
        now = time.perf_counter()
        if now - self._told > HEARTBEAT:
            self._told = now
            log.info("%s: %d sets evaluated, best %.6g", self.name, self.evaluated, max(self._known.values()))

    def express(self, block: Any, sizes: tuple[int, int]) -> None:
        """Put a variable of which nothing is known on the block, as its quality."""
        del sizes
        block.unknown = pyo.Var()
        block.quality = pyo.Expression(expr=block.unknown)
