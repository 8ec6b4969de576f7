"""What each pruning rule of TMFBS saves: states and tests by no rule, by each rule alone, by all.

Run: python -m benchmarks.pruning [--tables 200] [--repeats 10]
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable, Iterable
from itertools import product

import altsel
from altsel.blankets import Limits, Pruning, Template, dependent_in_pairs, mmpc_template, tmfbs
from altsel.independence import JointTable, PartialCorrelation
from benchmarks.command import stamped
from benchmarks.families import exact_and_noisy_copies
from tests.oracles.known_blankets import (
    Family,
    all_blankets,
    copies,
    misleading_summary,
    random_table,
    xor,
)

RULES = {
    "none": Pruning(False, False, False),
    "1": Pruning(True, False, False),
    "2": Pruning(False, True, False),
    "3": Pruning(False, False, True),
    "1 and 2": Pruning(True, True, False),
    "all": Pruning(),
}
TEMPLATES: dict[str, Callable[[], Template]] = {"FBS": Template, "MMPC": mmpc_template}


def row(head: str, found: Iterable[tuple[altsel.Solutions, Family]], rule: str) -> str:
    """Sum up searches by one rule: states, tests, blankets found and not found."""
    states = tests = hits = lost = wrong = 0
    for one, family in found:
        sets = {frozenset(blanket) for blanket in one}
        states, tests = states + one.effort.nodes, tests + one.effort.tests
        hits, lost, wrong = hits + len(sets & family), lost + len(family - sets), wrong + len(sets - family)
    return f"| {head} | {rule} | {states} | {tests} | {hits} | {lost} | {wrong} |"


def by_oracle(number: int) -> None:
    """Count states and tests on distributions whose blankets are known."""
    print(stamped())
    print("| family | template | rules | states | tests | blankets found | lost | wrong |")
    print("|---|---|---|---|---|---|---|---|")
    known: dict[str, list[tuple[JointTable, Family]]] = {
        "groups of 3, 3, 3, 3, 3": [copies((3, 3, 3, 3, 3))],
        "groups of 6, 6, 6": [copies((6, 6, 6))],
        "groups of 20, 20": [copies((20, 20), irrelevant=0)],
        "groups of 2, 3, no copies": [copies((2, 3), kind="noisy")],
        "three bits and a summary with errors": [misleading_summary()],
    }
    drawn = [random_table(seed) for seed in range(number)]
    known[f"{number} random tables"] = [(test, all_blankets(test)) for test in drawn]
    for family, tables in known.items():
        for name, make in TEMPLATES.items():
            for rule, prune in RULES.items():
                found = [(tmfbs(test, template=make(), prune=prune), family) for test, family in tables]
                print(row(f"{family} | {name}", found, rule), flush=True)
    test, blankets = xor((3, 2))
    for rule, prune in RULES.items():
        one = tmfbs(test, template=Template(dependent_in_pairs), prune=prune)
        print(row("xor of 3, 2 | FBS by pairs", [(one, blankets)], rule), flush=True)


def sampled(repeats: int) -> None:
    """Count states and tests on samples, where assumption 1 can fail."""
    print("\n| copies | rules | states | tests | blankets found | lost | wrong |")
    print("|---|---|---|---|---|---|---|")
    family = {frozenset(f"g{i}_{j}" for i, j in enumerate(choice)) for choice in product(range(3), repeat=3)}
    limits = Limits(max_solutions=None, max_states=20_000)
    for noise in (0.0, 0.05, 0.2):
        tests = [PartialCorrelation(exact_and_noisy_copies(noise, 2000, seed)) for seed in range(repeats)]
        for rule, prune in RULES.items():
            found = [(tmfbs(test, 0.01, prune=prune, limits=limits), family) for test in tests]
            kind = "exact" if not noise else f"noise of {noise:g} sd"
            print(row(kind, found, rule), flush=True)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--repeats", type=int, default=10)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    by_oracle(given.tables)
    sampled(given.repeats)


if __name__ == "__main__":
    main()
