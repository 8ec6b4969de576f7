"""Tests against the number of solutions, by an oracle: section 6.3 of Borboudakis and Tsamardinos (2021).

Run: python -m benchmarks.solution_counts
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import altsel
from altsel.blankets import Limits, Reuse, forward_backward, tie_star, tmfbs
from benchmarks.tmfbs_records import markdown, page
from tests.oracles.known_blankets import copies

HEAD = ["groups", "features of a solution", "solutions", "tests, one solution", "tests, TMFBS",
        "tests, TIE*-IGS", "TIE* over TMFBS", "TMFBS: tests a further solution, in single runs",
        "TIE*-IGS: the same"]  # fmt: skip
GROUPS = [
    *([2] * number for number in (1, 2, 3, 4, 5, 6)),
    *([size] * 2 for size in (3, 5, 8, 12, 20)),
    *([3] * number for number in (3, 4, 5)),
    *([2] + [1] * number for number in (1, 3, 5)),
]
"""Every blanket holds one feature of each group."""


def row(groups: Sequence[int]) -> list[str]:
    """Count the tests of one solution, and of all by both algorithms."""
    limits = Limits(max_solutions=None)
    test, family = copies(groups)
    single = forward_backward(test).effort.tests
    ours = tmfbs(test, limits=limits)
    theirs = tie_star(test, reuse=Reuse(blankets=False, answers=0), limits=limits)
    for found in (ours, theirs):
        assert found.stop is altsel.Stop.EXHAUSTED
        assert {frozenset(one) for one in found} == family
    spent = [found.effort.tests for found in (ours, theirs)]
    further = [f"{(tests - single) / single / (len(family) - 1):.2f}" for tests in spent]
    name = ", ".join(map(str, groups))
    return [name, f"{len(groups)}", f"{len(family)}", f"{single}", *map(str, spent),
            f"{spent[1] / spent[0]:.2f}", *further]  # fmt: skip


def main() -> None:
    """Write the page."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    page("solution_counts", markdown(HEAD, [row(groups) for groups in GROUPS]))


if __name__ == "__main__":
    main()
