"""In how many good sets each feature is, and what it costs to give it up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from altsel.analysis.importance_range import LIST_OF, importance_range
from altsel.results.importance_range_text import (
    HEAD,
    MEANINGS,
    absent,
    never,
    notes,
    share_text,
    spread,
    title,
)
from altsel.results.least_loss import LeastLoss
from altsel.results.solutions import Solutions
from altsel.results.text import meanings

if TYPE_CHECKING:
    from altsel.report.parts import Numbers, Parts


def importance_of(found: Solutions, numbers: Numbers, parts: Parts) -> dict[str, Any] | None:
    """Return ranges of losses of the features that are in any near-optimal set; None of another search."""
    if found.request.get("search") != LIST_OF or not found.sets:
        return None
    ranges = importance_range(found, stability=None if parts.other_data else parts.stability)
    return {
        "title": title(ranges),
        "notes": [*never(ranges), *notes(ranges)],
        "said": "; ".join(meanings([name for name in HEAD[3:] if name not in absent(ranges)], MEANINGS)),
        "tolerance": ranges.tolerance,
        "rows": [
            [
                numbers([one.feature]),
                one.range_class.value,
                one.share,
                [
                    _range(one.without, one.most_without),
                    _range(one.holding, one.most_holding),
                ],
                share_text(ranges, one.without),
                one.same_class,
            ]
            for one in ranges.leading()
        ],
    }


def _range(least: LeastLoss, most: float | None) -> dict[str, Any]:
    return {
        "known": least.known.value,
        "least": least.value,
        "most": most,
        "text": spread(least, most),
    }
