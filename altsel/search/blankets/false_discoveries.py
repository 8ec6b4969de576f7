"""Warn of searches that select features by chance."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from altsel.errors import FalseDiscoveryWarning
from altsel.runtime.caller import warn_caller
from altsel.stats.independence.base import innermost
from altsel.stats.independence.protocol import Independence

EXPECTED = 1.0
"""More false candidates than that are worth a warning."""


def warn_of_false_discoveries(test: Independence, alpha: float, candidates: int) -> None:
    """Warn if more than one candidate is expected to be dependent by chance when all are tested once.

    Tests that correct p for the number of candidates, and oracles, give no reason to.
    """
    expected = alpha * candidates
    if (
        expected <= EXPECTED
        or getattr(test, "controls_discoveries", False)
        or getattr(innermost(test), "knows", False)
    ):
        return
    warn_caller(
        f"alpha={alpha:g} and {candidates} candidates: about {expected:.3g} that tell nothing are expected "
        "to be dependent by chance each time all are tested; use a smaller alpha, or correct p by "
        "altsel.independence.BenjaminiHochberg(test) (--correct on the command line)",
        FalseDiscoveryWarning,
    )


@contextmanager
def warned_already() -> Iterator[None]:
    """Let searches that are parts of another one not repeat its warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FalseDiscoveryWarning)
        yield
