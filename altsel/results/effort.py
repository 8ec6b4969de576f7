"""What a search cost."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Effort:
    """What a search cost: tests, solver calls, sets in a pool, nodes of a branch and bound, seconds.

    Attributes
    ----------
    tests
        Tests of independence, one a candidate.
    solves
        Calls of a solver.
    listed
        Sets in a list of all.
    nodes
        Nodes of a branch and bound, or states of a search for all blankets.
    seconds
        Wall time.

    Examples
    --------
    >>> from altsel import Dice, Problem, Univariate, sequential
    >>> sequential(Problem(Univariate([3, 2, 1]), k=2), Dice(0.5), 1, solver="highs").effort.solves
    2
    """

    tests: int = 0
    solves: int = 0
    listed: int = 0
    nodes: int = 0
    seconds: float = 0.0

    def __add__(self, other: Effort) -> Effort:
        return Effort(
            self.tests + other.tests,
            self.solves + other.solves,
            self.listed + other.listed,
            self.nodes + other.nodes,
            self.seconds + other.seconds,
        )

    def message(self) -> str:
        """Describe what was counted, as ``6 solves``; nothing if nothing was."""
        counts = {
            "tests": self.tests,
            "solves": self.solves,
            "sets listed": self.listed,
            "nodes": self.nodes,
        }
        return ", ".join(f"{count} {what}" for what, count in counts.items() if count)

    def cost(self) -> str:
        """Describe what was counted, and the seconds.

        Examples
        --------
        >>> Effort(solves=6, seconds=0.06).cost(), Effort().cost()
        ('6 solves, 0.06 s', '0.00 s')
        """
        return ", ".join(filter(None, [self.message(), f"{self.seconds:.2f} s"]))
