"""Families of blankets that are known: by an exact oracle, and from samples of exact and noisy copies.

Run: python -m benchmarks.families [--repeats 20]
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Sequence
from functools import partial
from itertools import product

import numpy as np
import pandas as pd

import altsel
from altsel.search.blankets.all.removals import IGS
from benchmarks.command import stamped
from tests.oracles.known_blankets import SEARCHES, Search, copies, xor

SAMPLED: dict[str, Search] = {
    "TMFBS": altsel.blankets.tmfbs,
    "TMFBS, no pruning": partial(altsel.blankets.tmfbs, prune=altsel.blankets.Pruning(False, False, False)),
    "TIE*-IGS": altsel.blankets.tie_star,
}


def by_oracle() -> None:
    """Compare what searches find with the known family."""
    print("| family | search | blankets, known | found, wrong | stop | tests | states or runs | solves | s |")
    print("|---|---|---|---|---|---|---|---|---|")
    for groups in ((3, 3, 3, 3, 3), (6, 6, 6), (20, 20)):
        test, family = copies(groups, irrelevant=0 if len(groups) == 2 else 1)
        for name, search in SEARCHES.items():
            found = search(test)
            sets = {frozenset(subset) for subset in found}
            cost = f"{found.effort.tests} | {found.effort.nodes} | {found.effort.solves}"
            head = f"| {groups} | {name} | {len(family)} | {len(sets & family)}, {len(sets - family)}"
            print(f"{head} | {found.stop.value} | {cost} | {found.effort.seconds:.2f} |", flush=True)
    test, family = xor((3, 2))
    plain = altsel.blankets.tmfbs(test)
    template = altsel.blankets.Template(altsel.blankets.dependent_in_pairs)
    pairs = altsel.blankets.tmfbs(test, template=template)
    for name, one in (("TMFBS", plain), ("TMFBS, order by pairs", pairs)):
        sets = {frozenset(blanket) for blanket in one}
        row = f"| xor of (3, 2) | {name} | {len(family)} | {len(sets & family)}, {len(sets - family)}"
        cost = f"{one.effort.tests} | {one.effort.nodes} | 0 | {one.effort.seconds:.2f}"
        print(f"{row} | {one.stop.value} | {cost} |")


def removals() -> None:
    """Time the generation of removals for 1,024 blankets, without any test."""
    pairs = [(f"a{i}", f"b{i}") for i in range(10)]
    began, runs, found = time.perf_counter(), 0, 0
    tree = IGS()
    while (hidden := tree.next()) is not None:
        runs += 1
        left = [[name for name in pair if name not in hidden] for pair in pairs]
        if all(left):
            found += 1
            tree.found(hidden, frozenset(names[0] for names in left))
        else:
            tree.failed(hidden)
    print(f"removals for {found} blankets: {runs} runs, {time.perf_counter() - began:.3f} s\n")


def engine(tests: int = 600_000) -> None:
    """Time partial-correlation tests of one search; noisy copies give it more states than it needs."""
    random = np.random.default_rng(0)
    base = random.normal(size=(2000, 12))
    table = pd.DataFrame(np.repeat(base, 30, axis=1) + 0.3 * random.normal(size=(2000, 360)))
    y = base @ np.ones(12) + random.normal(size=2000)
    test = altsel.independence.PartialCorrelation(altsel.Dataset(table.rename(columns=str), y))
    began = time.perf_counter()
    limits = altsel.blankets.Limits(max_tests=tests, max_solutions=None)
    found = altsel.blankets.tmfbs(test, 1e-6, equivalent=_always, limits=limits)
    seconds = time.perf_counter() - began
    states = f"{found.effort.nodes} states of {len(found[0])} features, {len(found)} sets"
    print(f"360 features, 2,000 rows: {found.effort.tests} partial correlations, {states}, {seconds:.2f} s\n")


def _always(first: Sequence[str], second: Sequence[str]) -> bool:
    del first, second
    return True


def sampled(repeats: int) -> None:
    """Find the 27 choices of one of three copies of each of three causes, from samples."""
    print("| copies | rows | search | true ones found | false ones among those found | found | tests |")
    print("|---|---|---|---|---|---|---|")
    family = {frozenset(f"g{i}_{j}" for i, j in enumerate(choice)) for choice in product(range(3), repeat=3)}
    for noise in (0.0, 0.05, 0.2):
        for rows in (200, 2000, 20_000):
            for name, search in SAMPLED.items():
                message = [_once(search, noise, rows, seed, family) for seed in range(repeats)]
                share, false, count, tests = np.mean(message, axis=0)
                kind = "exact" if not noise else f"noise of {noise:g} sd"
                print(
                    f"| {kind} | {rows} | {name} | {share:.2f} | {false:.2f} | {count:.1f} | {tests:.0f} |",
                    flush=True,
                )


def _once(
    search: Search, noise: float, rows: int, seed: int, family: set[frozenset[str]]
) -> tuple[float, float, int, int]:
    found = search(
        altsel.independence.PartialCorrelation(exact_and_noisy_copies(noise, rows, seed)),
        0.01,
        limits=altsel.blankets.Limits(max_solutions=200, max_states=20_000),
    )
    sets = {frozenset(subset) for subset in found}
    return len(sets & family) / len(family), len(sets - family) / len(sets), len(sets), found.effort.tests


def exact_and_noisy_copies(noise: float, rows: int, seed: int) -> altsel.Dataset:
    """Draw three copies of each of three causes, and five irrelevant features."""
    random = np.random.default_rng(seed)
    base = random.normal(size=(rows, 3))
    columns = {
        f"g{i}_{j}": (1.0 + j) * base[:, i] + noise * random.normal(size=rows) + j
        for i in range(3)
        for j in range(3)
    }
    columns |= {f"z{j}": random.normal(size=rows) for j in range(5)}
    return altsel.Dataset(columns, base.sum(axis=1) + random.normal(size=rows))


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=20)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    print(stamped())
    removals()
    engine()
    by_oracle()
    print()
    sampled(given.repeats)


if __name__ == "__main__":
    main()
