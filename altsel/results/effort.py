"""What a search cost."""

from __future__ import annotations

from dataclasses import dataclass

from altsel.runtime.memory import size_text


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
    peak_memory
        Bytes: the most that the process had held (resident) when the search ended, interpreter, libraries and
        data included, workers not; None where the system does not tell, and of a file of an older version.

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
    peak_memory: int | None = None

    def __add__(self, other: Effort) -> Effort:
        return Effort(
            self.tests + other.tests,
            self.solves + other.solves,
            self.listed + other.listed,
            self.nodes + other.nodes,
            self.seconds + other.seconds,
            max((one for one in (self.peak_memory, other.peak_memory) if one is not None), default=None),
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

    def with_memory(self) -> str:
        """Describe the same, and the peak memory if it is known.

        Examples
        --------
        >>> Effort(solves=6, seconds=0.06, peak_memory=164_000_000).with_memory()
        '6 solves, 0.06 s, peak memory 164 MB'
        """
        memory = None if self.peak_memory is None else f"peak memory {size_text(self.peak_memory)}"
        return ", ".join(filter(None, [self.cost(), memory]))
