"""Searches for one Markov blanket by their names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from altsel.runtime.entries import Entry, Table

if TYPE_CHECKING:
    from altsel.results import Solutions


@dataclass(frozen=True, eq=False)
class LearnerEntry(Entry):
    """A function of a test, a level and limits.

    Parameters
    ----------
    neighbours
        Whether it finds parents and children only, and no blanket.
    """

    neighbours: bool = False

    @property
    def by_subsets(self) -> bool:
        """Whether it conditions on subsets of the members; the others condition on all of them."""
        return self.takes("max_conditioning")


LEARNERS = Table(
    "search for a blanket",
    "altsel.blankets",
    (
        LearnerEntry("fbs", "altsel.blankets:forward_backward"),
        LearnerEntry("fbed", "altsel.blankets:forward_backward_early_dropping", {"extra_runs": 1}),
        LearnerEntry("grow-shrink", "altsel.blankets:grow_shrink"),
        LearnerEntry("iamb", "altsel.blankets:iamb"),
        LearnerEntry("inter-iamb", "altsel.blankets:inter_iamb"),
        LearnerEntry("fast-iamb", "altsel.blankets:fast_iamb"),
        LearnerEntry("kiamb", "altsel.blankets:kiamb"),
        LearnerEntry("mmpc", "altsel.blankets:mmpc", neighbours=True),
        LearnerEntry("mmmb", "altsel.blankets:mmmb"),
        LearnerEntry("hiton-pc", "altsel.blankets:hiton_pc", neighbours=True),
        LearnerEntry("hiton-mb", "altsel.blankets:hiton_mb"),
        LearnerEntry("pcmb", "altsel.blankets:pcmb"),
        LearnerEntry("ipc-mb", "altsel.blankets:ipcmb"),
        LearnerEntry("pc-simple", "altsel.blankets:pc_simple", neighbours=True),
        LearnerEntry("stmb", "altsel.blankets:stmb"),
        LearnerEntry("bamb", "altsel.blankets:bamb"),
        LearnerEntry("eemb", "altsel.blankets:eemb"),
        LearnerEntry("ses", "altsel.blankets:ses", neighbours=True),
        LearnerEntry("ppfs", "altsel.blankets:ppfs"),
    ),
    page="algorithms/learners",
)
REPEATED = LEARNERS.part(lambda entry: not entry.neighbours)
"""Those that TIE* may repeat."""


def learner(name: str) -> Callable[..., Solutions]:
    """Return the search for one blanket of a name."""
    entry = LEARNERS[name]
    found = entry.load()
    if not callable(found):
        raise entry.refused(f"a {type(found).__name__} is no function of a test, a level and limits")
    return partial(found, **entry.options) if entry.options else found
