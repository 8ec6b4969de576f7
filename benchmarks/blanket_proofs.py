"""What searches for blankets claim, against all sets, under rules and costs; and what proofs and rules cost.

Run: python -m benchmarks.blanket_proofs [--families 500] [--seed 0] > benchmarks/results/blanket_proofs.md
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from itertools import product
from math import prod
from typing import Any

import numpy as np

import altsel
from altsel import blankets, domain
from altsel.results.feature_set import Proof
from altsel.results.stop import Stop
from benchmarks.command import stamped
from benchmarks.tmfbs_records import markdown
from tests.oracles.coins import cost_of, random_coins, random_rules

Search = Callable[..., altsel.Solutions]

SEARCHES: dict[str, Search] = {
    "TMFBS": blankets.tmfbs,
    "TMFBS, no pruning": partial(blankets.tmfbs, prune=blankets.Pruning(False, False, False)),
    "TIE*-IGS": blankets.tie_star,
    "TIE*, hitting set": partial(blankets.tie_star, removal="hitting_set"),
    "TIE*-IGS, IAMB": partial(blankets.tie_star, learner=blankets.iamb),
}


def claims(families: int, seed: int) -> list[list[str]]:
    """Count what is claimed of random families, with rules or without, and whether it is so."""
    counts: Counter[tuple[str, str]] = Counter()
    for number in range(seed, seed + families):
        test, random = random_coins(number, 9), np.random.default_rng(number)
        rules, keeps = random_rules(random, test.features)
        truth = {one for one in test.blankets() if keeps(one)}
        limits = blankets.Limits(subject_to=rules)
        for name, search in SEARCHES.items():
            found = search(test, limits=limits)
            right = {frozenset(one) for one in found} == truth
            claimed = found.stop in {Stop.EXHAUSTED, Stop.INFEASIBLE}
            counts[name, f"{'claimed' if claimed else 'not claimed'}, {'right' if right else 'wrong'}"] += 1
        for least, name in ((0, "best, by costs"), (-4, "best, by gains and costs")):
            costs = {f: float(random.integers(least, 8)) for f in test.features}
            found = blankets.best(test, costs, number=3, limits=limits)
            order = sorted(cost_of(one, costs) for one in truth)[:3]
            right = [cost_of(one.features, costs) for one in found] == order
            claimed = found.stop is Stop.INFEASIBLE or any(one.proof is Proof.OPTIMAL for one in found)
            counts[name, f"{'claimed' if claimed else 'not claimed'}, {'right' if right else 'wrong'}"] += 1
    heads = ["claimed, right", "claimed, wrong", "not claimed, right", "not claimed, wrong"]
    names = dict.fromkeys(name for name, _ in counts)
    return [["search", *heads], *([name, *(str(counts[name, head]) for head in heads)] for name in names)]


def sample(
    groups: Sequence[int], noise: int = 10, rows: int = 1000
) -> altsel.independence.PartialCorrelation:
    """Return a test on groups of copies and noise."""
    random = np.random.default_rng(0)
    columns: dict[str, Any] = {}
    target = np.zeros(rows)
    for g, size in enumerate(groups):
        told = random.normal(size=rows)
        target = target + told
        columns |= {f"g{g}_{i}": (i + 1) * told + i for i in range(size)}
    columns |= {f"n{j}": random.normal(size=rows) for j in range(noise)}
    return altsel.independence.PartialCorrelation(altsel.Dataset(columns, target + random.normal(size=rows)))


def measured(name: str, call: Callable[[], altsel.Solutions]) -> list[str]:
    """Run a search; return what it found, tests, solves and CPU seconds, of the proof apart."""
    before = time.process_time()
    found = call()
    seconds, dual = time.process_time() - before, found.dual
    assert dual is not None
    return [
        name,
        str(len(found)),
        found.stop.value,
        f"{found.effort.tests - dual.tests:,}",
        f"{dual.tests:,}",
        str(found.effort.solves),
        f"{seconds:.2f}",
    ]


COLUMNS = ["search", "sets", "stop", "tests", "of the proof", "solves", "CPU s"]


def listed() -> list[list[str]]:
    """Measure families that are listed."""
    rows = [COLUMNS]
    for groups in ((3,) * 5, (2,) * 8, (2,) * 10):
        test, limits = sample(groups), blankets.Limits(max_solutions=None)
        for name in ("TMFBS", "TIE*-IGS", "TIE*, hitting set"):
            call = partial(SEARCHES[name], test, 1e-4, limits=limits)
            rows.append(measured(f"{len(groups)} x {groups[0]}, {name}", call))
    return rows


def ruled() -> list[list[str]]:
    """Measure what rules leave of 243 blankets."""
    test, random = sample((3,) * 5), np.random.default_rng(1)
    names = [f"g{g}_{i}" for g in range(5) for i in range(3)]
    costs = {name: int(random.integers(1, 30)) for name in names}
    totals = sorted(sum(costs[f"g{g}_{i}"] for g, i in enumerate(one)) for one in product(range(3), repeat=5))
    copy = [[f"g{g}_{i}" for g in range(5)] for i in range(3)]
    rules: dict[str, Any] = {
        "forbid ten of the copies": domain.forbid(*copy[0], *copy[1]),
        "at most 0 of five": domain.at_most(0, copy[0]),
        "at most one of five": domain.mutually_exclusive(copy[0]),
        "require five": domain.require(*copy[0]),
    }
    rules |= {f"budget of {totals[n - 1]}": domain.budget(costs, totals[n - 1], other=0) for n in (4, 12, 54)}
    rows = [COLUMNS]
    for title, rule in rules.items():
        for name in ("TMFBS", "TIE*-IGS"):
            limits = blankets.Limits(subject_to=[rule])
            rows.append(measured(f"{title}, {name}", partial(SEARCHES[name], test, 1e-4, limits=limits)))
    return rows


def unlisted() -> list[list[str]]:
    """Measure the cheapest blanket of families that nobody lists."""
    rows = [["family", "blankets", "cheapest", "truth", "searches", "solves", "tests", "CPU s"]]
    for groups, noise in (((3,) * 5, 10), ((2,) * 10, 10), ((2,) * 20, 20), ((4,) * 12, 20)):
        test, random = sample(groups, noise, 2000), np.random.default_rng(3)
        costs = {name: int(random.integers(1, 30)) for name in test.features}
        before = time.process_time()
        found = blankets.best(test, costs, 1e-6)
        seconds = time.process_time() - before
        truth = sum(min(costs[f"g{g}_{i}"] for i in range(size)) for g, size in enumerate(groups))
        cells = [f"{len(groups)} x {groups[0]}", f"{prod(groups):,}", f"{-found[0].score:g}", str(truth)]
        effort = found.effort
        rows.append([*cells, str(effort.nodes), str(effort.solves), f"{effort.tests:,}", f"{seconds:.2f}"])
    return rows


def table(rows: list[list[str]]) -> str:
    """Lay out rows, the head first."""
    return markdown(rows[0], rows[1:])


def main() -> None:
    """Print the page."""
    warnings.simplefilter("ignore")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--families", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    print(stamped("# Proofs of searches for all blankets"))
    print(f"`python -m benchmarks.blanket_proofs --families {asked.families} --seed {asked.seed}`\n")
    print(f"{asked.families} random families of sums of coins, up to three rules of a domain each; all sets")
    print("by brute force, by ranks. *Claimed*: exhausted, infeasible or optimal.\n")
    print(table(claims(asked.families, asked.seed)))
    print("\nGroups of copies, 10 columns of noise, 1,000 rows, partial correlation, alpha = .0001.\n")
    print(table(listed()))
    print("\nRules on 5 groups of 3 (243 blankets).\n")
    print(table(ruled()))
    print("\nThe cheapest blanket, unlisted; 2,000 rows, alpha = 1e-6.\n")
    print(table(unlisted()))


if __name__ == "__main__":
    main()
