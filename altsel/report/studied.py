"""The study that the sets of a page were found in: what was shown, and what was tried."""

from __future__ import annotations

from typing import Any

from altsel.errors import printable
from altsel.results.study import Study


def studied(known: Study | None) -> dict[str, Any] | None:
    """Return the claims of a study, its configurations, and what difference costs."""
    if known is None:
        return None
    return {
        "loss": printable(known.loss),
        "claims": [printable(one) for one in known.claims],
        "looked": [printable(one) for one in known.looked],
        "best": known.best,
        "tried": [[printable(one.name), one.features, one.loss, one.chosen] for one in known.tried],
        "taus": [[one.tau, one.added, one.error] for one in known.taus],
    }
