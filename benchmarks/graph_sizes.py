"""Sizes of multiple-solutions graphs and of zero-suppressed decision diagrams of the same families.

Run: python -m benchmarks.graph_sizes [--pictures benchmarks/results]  (of 20 solutions, and of 465)
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterable
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np

import altsel
from benchmarks.command import stamped

Family = frozenset[frozenset[str]]


def zdd_nodes(family: Iterable[frozenset[str]]) -> int:
    """Count the nodes of the reduced diagram with the most frequent features at the top.

    Minato (1993): a node (v, without v, with v) is left out if nothing is with v, and shared if it
    occurs before; here subfamilies are the nodes.
    """
    sets = frozenset(family)
    counts = Counter(name for subset in sets for name in subset)
    order = sorted(counts, key=lambda name: (-counts[name], name))
    nodes: set[tuple[int, Family]] = set()

    @cache
    def visit(index: int, part: Family) -> None:
        if not part or part == frozenset([frozenset()]):
            return
        while not any(order[index] in one for one in part):
            index += 1
        if (index, part) in nodes:
            return
        nodes.add((index, part))
        name = order[index]
        visit(index + 1, frozenset(one for one in part if name not in one))
        visit(index + 1, frozenset(one - {name} for one in part if name in one))

    visit(0, sets)
    return len(nodes)


def families() -> dict[str, list[frozenset[str]]]:
    """Products of groups, products with gaps, and sets at random."""
    random = np.random.default_rng(0)
    names = [f"f{j}" for j in range(60)]
    made: dict[str, list[frozenset[str]]] = {}
    for groups in ((3, 3, 3, 3, 3), (20, 20), (5, 5, 5, 4)):
        starts = np.cumsum([10, *groups])
        parts = [names[start : start + size] for start, size in zip(starts, groups, strict=False)]
        sets = [frozenset([*names[:10], *choice]) for choice in product(*parts)]
        made[f"10 in all, groups of {groups}"] = sets
        kept = random.random(len(sets)) < 0.8
        made[f"the same, one of five missing {groups}"] = [
            subset for subset, keep in zip(sets, kept, strict=True) if keep
        ]
    made["465 with alternatives of several features"] = dependent(names)
    for count in (20, 500):
        drawn = {frozenset(random.choice(names, 8, replace=False).tolist()) for _ in range(count)}
        made[f"{count} at random, 8 of 60"] = sorted(drawn, key=sorted)
    return made


def dependent(names: list[str]) -> list[frozenset[str]]:
    """Choices of alternatives of one to three features, some of which exclude each other."""
    firsts = [names[9:11], names[11:12], names[12:15], names[15:16]]
    seconds = [[name] for name in names[16:24]]
    thirds = [names[24:26], names[26:27], names[27:28], names[28:29]]
    lasts = [[name] for name in names[30:34]]
    return [
        frozenset([*names[:9], *a, *b, *c, *d])
        for a, b, c, d in product(firsts, seconds, thirds, lasts)
        if not (a is firsts[0] and d is lasts[3]) and not (b is seconds[2] and c is thirds[1])
    ]


def twenty(names: list[str]) -> list[frozenset[str]]:
    """Choices of one each of three groups, cut off at twenty, two of them with another ending."""
    choices = list(product(names[6:9], names[9:11], names[11:15]))[:20]
    sets = [frozenset([*names[:6], *choice]) for choice in choices]
    sets[3] = sets[3] - {choices[3][2]} | {names[20], names[21]}
    sets[7] = sets[7] - {choices[7][2]} | {names[22]}
    return sets


def draw(folder: Path) -> None:
    """Draw twenty solutions with and without OR nodes, and 465."""
    named = [f"feature_{j}" for j in range(60)]
    pictures = {"msg_20": (twenty, True), "msg_20_no_or": (twenty, False), "msg_465": (dependent, True)}
    for name, (make, or_nodes) in pictures.items():
        sets = [sorted(one, key=named.index) for one in make(named)]
        altsel.msg(sets, or_nodes=or_nodes).draw(folder / f"{name}.svg")


def main() -> None:
    """Print one row a family."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pictures", type=Path)
    given = parser.parse_args()
    if given.pictures is not None:
        draw(given.pictures)
    print(stamped())
    print(
        "| family | solutions | MSG nodes, edges, features | without OR nodes | ZDD nodes | s, MSG | s, ZDD |"
    )
    print("|---|---|---|---|---|---|---|")
    for name, sets in families().items():
        listed = [sorted(subset) for subset in sets]
        began = time.perf_counter()
        size = altsel.msg(listed).size()
        middle = time.perf_counter()
        nodes = zdd_nodes(sets)
        ended = time.perf_counter()
        plain = altsel.msg(listed, or_nodes=False).size()
        message = [f"{one['nodes']}, {one['edges']}, {one['features']}" for one in (size, plain)]
        times = f"{middle - began:.3f} | {ended - middle:.3f}"
        print(
            f"| {name} | {size['solutions']} | {message[0]} | {message[1]} | {nodes} | {times} |", flush=True
        )


if __name__ == "__main__":
    main()
