"""Levels at which nothing could be selected are refused, and those at which chance selects warned of."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from altsel.errors import ArgumentError, FalseDiscoveryWarning
from altsel.runtime.caller import warn_caller
from altsel.stats.independence.base import innermost
from altsel.stats.independence.protocol import Independence

EXPECTED = 1.0
"""More false candidates than that are worth a warning."""


def refuse_or_warn(test: Independence, alpha: float, candidates: int) -> None:
    """Warn if more than one candidate is expected to be dependent by chance when all are tested once.

    Tests that correct p for the number of candidates, and oracles, give no reason to.

    Raises
    ------
    ArgumentError
        If no p of the test is as small as alpha.
    """
    base = innermost(test)
    smallest = getattr(base, "smallest_p", 0.0)
    if smallest > alpha:
        raise ArgumentError(
            f"alpha={alpha:g}, but no p of the {test.name} is below {smallest:.3g}: nothing could be "
            "selected; use a larger alpha, more splits or more permutations"
        )
    expected = alpha * candidates
    exact = getattr(test, "controls_discoveries", False) or getattr(base, "knows", False)
    if expected <= EXPECTED or exact:
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
