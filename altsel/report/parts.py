"""What a page shows besides the sets, and the numbers of the features on it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from altsel.errors import ArgumentError, listing


@dataclass(frozen=True)
class Parts:
    """What a page shows besides the sets.

    Attributes
    ----------
    data
        The table of the search, for tests of equivalence and of the features' classes.
    performance, stability, front
        What was measured of the same sets.
    other_data
        Whether data, performance, stability or front are meant to be of other data than the search's.
    files
        Where performance, stability and front come from, for messages; default: arguments.
    holdout
        Rows held out, that losses of sets are judged on.
    score_cards
        Score cards of the same target.
    certificate
        The file of what the sets' `certificate` wrote.
    problem
        What was wanted, so that the certificate's numbers are compared; default: that of the search, where
        it is known.
    audit
        Whether all that can be computed again of the sets is, for the page's summary.
    study
        The study that the sets were found in.
    dated
        Whether the page says when it was written and what the search cost, which is never the same twice.
    """

    data: Any = None
    performance: Any = None
    stability: Any = None
    front: Any = None
    other_data: bool = False
    files: Mapping[str, str] = field(default_factory=dict)
    holdout: Any = None
    score_cards: Sequence[Any] = ()
    certificate: str | Path | None = None
    problem: Any = None
    audit: bool = False
    study: Any = None
    dated: bool = True

    @property
    def measured(self) -> dict[str, Any]:
        """What was measured of the sets, by the names of the arguments."""
        parts = {"performance": self.performance, "stability": self.stability, "front": self.front}
        return {name: part for name, part in parts.items() if part is not None}

    def called(self, name: str) -> str:
        """Name a part as whoever gave it knows it."""
        return self.files.get(name, name)


class Numbers:
    """Numbers features by their places among all of them."""

    def __init__(self, universe: Sequence[str]) -> None:
        self.of = {name: j for j, name in enumerate(universe)}

    def __call__(self, names: Iterable[str]) -> list[int]:
        """Return the numbers of some features."""
        return [self.of[name] for name in names]

    def known(self, what: str, names: Iterable[str]) -> None:
        """Raise an ArgumentError if some names are no features of the sets."""
        strange = sorted(set(names).difference(self.of))
        if strange:
            raise ArgumentError(f"{what} has {listing(strange)}, no features of the solutions: give its own")
