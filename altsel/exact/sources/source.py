"""What a source can be asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from altsel._types import IntArray
from altsel.exact.question import Answer, Question
from altsel.exact.run import Run


@dataclass(frozen=True)
class Above:
    """Which sets are listed.

    Attributes
    ----------
    floor
        The score.
    most
        Number of sets after which to stop.
    strictly
        Leave out sets that score just that.
    """

    floor: float
    most: int
    strictly: bool = False


class Source(Protocol):
    """Finds the best sets of one problem without a solver.

    A question brings the problem, the diversity and the known sets. Rules come as rows,
    ``question.structure.rows``; conditions of the criterion and distances from known sets are the source's
    own matter: `why_not` refuses what it cannot bear.
    """

    @property
    def name(self) -> str:
        """The way in words."""
        ...

    @property
    def criterion(self) -> str:
        """What its criteria are, in words."""
        ...

    @property
    def lists_at_once(self) -> bool:
        """Whether sets above a floor are listed as fast as the best one is proved."""
        ...

    def reads(self, question: Question) -> bool:
        """Return whether a question's criterion is one of its own."""
        ...

    def why_not(self, question: Question) -> str | None:
        """Return why it cannot find the best set after known ones, of its own criteria, if it cannot.

        Sets that are similar may pay (``question.penalty``): who does not count that refuses it. Sets that
        must only be distinct, as `near_optimal` wants them, come with a soft diversity without a penalty.
        """
        ...

    def best_after(self, question: Question, run: Run) -> Answer | None:
        """Find the best set that differs from the known ones, from ``run.incumbent``; None if it gives up."""
        ...

    def why_no_list(self, question: Question) -> str | None:
        """Return why it cannot list the sets above a floor, of its own criteria, if it cannot."""
        ...

    def above(self, question: Question, run: Run, wanted: Above) -> tuple[list[IntArray], bool]:
        """List all admissible sets of at least a score, whatever is known.

        Sets below the floor, and more than `wanted.most`, do no harm; one above it that is missing does,
        where it says that these are all. Who loops looks at ``clock()``.

        Returns
        -------
        list of array
            Indices of the features, one array of shape (sets, size) a size.
        bool
            Whether these are all.
        """
        ...
