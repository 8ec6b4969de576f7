"""Which knockoffs are meant."""

from __future__ import annotations

from typing import Any

from altsel.data.dataset import Dataset
from altsel.errors import ArgumentError
from altsel.stats.knockoffs.gaussian import Gaussian, classes_among
from altsel.stats.knockoffs.sampler import Knockoffs, OwnSampler
from altsel.stats.knockoffs.sequential import Sequential

NAMED: dict[str, Any] = {"gaussian": Gaussian, "sequential": Sequential}
"""Knockoffs that have a name."""


def chosen_knockoffs(knockoffs: Any, data: Dataset) -> Knockoffs:
    """Return the knockoffs that are meant: by a name, an object, a function, or None for the usual ones.

    Raises
    ------
    ArgumentError
        If these are none.
    """
    if knockoffs is None:
        return Sequential() if classes_among(data) else Gaussian()
    if isinstance(knockoffs, str) and knockoffs in NAMED:
        made: Knockoffs = NAMED[knockoffs]()
        return made
    if not isinstance(knockoffs, (str, type)) and hasattr(knockoffs, "fitted"):
        own: Knockoffs = knockoffs
        return own
    if callable(knockoffs) and not isinstance(knockoffs, type):
        return OwnSampler(knockoffs)
    raise ArgumentError(
        f"knockoffs={knockoffs!r}; use 'gaussian', 'sequential', altsel.knockoffs.Gaussian(…) or a function "
        "of the features and a generator that returns knockoffs"
    )
