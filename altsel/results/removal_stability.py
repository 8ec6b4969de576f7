"""In what share of resamples a removal of features leaves no Markov blanket."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from altsel.errors import printable
from altsel.results.base import Readable
from altsel.results.estimate import Estimate
from altsel.results.text import meanings, number_of, percent, text_table

Names = tuple[str, ...]
SHOWN = 40
"""Removals shown in a text; all are in tables and JSON."""

HEAD = ["without", "of all rows", "no blanket", "interval"]
MEANINGS = {
    "of all rows": "whether these leave a blanket without them",
    "no blanket": "share of the resamples that leave none",
    "interval": "95 %, by the number of resamples alone",
}
"""What the columns of the table mean."""


@dataclass(frozen=True)
class RemovalStability(Readable):
    """In what share of resamples removing some features leaves no Markov blanket of the others.

    Attributes
    ----------
    removals
        The features that were removed together.
    failed
        Whether all rows leave no blanket without them.
    shares
        The share of the resamples that leave none, with its exact interval.
    resamples
        How many there were.
    scheme
        How rows were drawn, in words.
    target, rows
        Name of the target, and how many rows there are.
    data
        Fingerprint of the data: `Dataset.fingerprint`; None if it is not known.
    versions
        What produced it.
    request
        What was requested of the search, as `Solutions.request` says it; nothing if it is not known.

    Examples
    --------
    >>> found = RemovalStability((("a", "copy"),), (True,), (Estimate(0.9, 0.8, 1.0),), 20, "subsample")
    >>> found.to_frame()["share"].tolist()
    [0.9]
    """

    removals: tuple[Names, ...]
    failed: tuple[bool, ...]
    shares: tuple[Estimate, ...]
    resamples: int
    scheme: str
    target: str | None = None
    rows: int = 0
    data: str | None = None
    versions: Mapping[str, str] = field(default_factory=dict)
    request: Mapping[str, Any] = field(default_factory=dict)
    _called = "a stability of removals"

    def __len__(self) -> int:
        return len(self.removals)

    def to_frame(self) -> pd.DataFrame:
        """Tabulate what is ``removed``, if it ``failed`` in all rows, and ``share``, ``low``, ``high``."""
        columns = {
            "removed": self.removals,
            "failed": self.failed,
            "share": [one.value for one in self.shares],
            "low": [one.low for one in self.shares],
            "high": [one.high for one in self.shares],
        }
        return pd.DataFrame(columns)

    def title(self) -> str:
        """Report what was resampled."""
        title = f"{number_of(self.resamples, 'resample')} of {self.rows} rows ({self.scheme})"
        return title + (f", target {printable(self.target)!r}" if self.target else "")

    def cells(self) -> Iterator[list[str]]:
        """Yield what stands beside each removal in a table."""
        for failed, share in zip(self.failed, self.shares, strict=True):
            yield ["no blanket" if failed else "a blanket", percent(share.value), _interval(share)]

    def __repr__(self) -> str:
        return f"<RemovalStability: {number_of(len(self), 'removal')}, {self.resamples} resamples>"

    def __str__(self) -> str:
        shown = zip(self.removals[:SHOWN], self.cells(), strict=False)
        rows = [[", ".join(map(printable, names)), *cells] for names, cells in shown]
        more = len(self) - SHOWN
        table = text_table(HEAD, rows, right={2, 3}, prose={1})
        ended = [f"… and {number_of(more, 'more removal')}"] if more > 0 else []
        return "\n".join([self.title(), "", *table, *ended, *meanings(HEAD, MEANINGS)])


def _interval(share: Estimate) -> str:
    low, high = share.low, share.high
    return "" if low is None or high is None else f"{100 * low:.3g} to {100 * high:.3g} %"
