"""How often the statements of the unified view hold, exactly, on random small networks.

Run: python -m benchmarks.unified_view_theory [--networks 100]

Networks of 4 to 8 binary variables, at most three parents each, tables from a uniform Dirichlet distribution;
the target has at least one neighbour. Every number is computed from the joint distribution; differences of
up to 1e-9 count as none.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, combinations, count

import numpy as np

from altsel.stats.error_bounds import fano
from benchmarks.command import stamped
from tests.oracles.networks import FIGURE_5, Exact, random_network, random_tables

TIGHT = 1e-9
SIZES = (4, 5, 6, 7, 8)


def networks(number: int) -> Iterator[Exact]:
    """Draw networks of each size."""
    for nodes in SIZES:
        drawn = (random_network(seed, nodes) for seed in count())
        kept = (exact for exact in drawn if exact.network.parents_and_children("C"))
        for _ in range(number):
            yield next(kept)


def subsets(names: Sequence[str]) -> Iterator[frozenset[str]]:
    """Return all subsets."""
    some = chain.from_iterable(combinations(names, size) for size in range(len(names) + 1))
    return map(frozenset, some)


def share(exact: Exact, one: str, other: str, *given: str) -> float:
    """Return ``I(one; other | given)``."""
    return exact.information({one}, {other}, given)


def others(exact: Exact) -> list[str]:
    """Name the features."""
    return [name for name in exact.names if name != "C"]


def properties(number: int) -> None:
    """Count where properties 1 to 4 hold: alone in three variables, and anywhere in a network."""
    claims: dict[str, Callable[[Exact, str, str], bool]] = {
        "1 (1), 2 (1): I(X;C) > I(X;Y)": lambda e, x, y: share(e, x, "C") > share(e, x, y) + TIGHT,
        "1 (2): I(X;Y given C) >= I(X;Y)": lambda e, x, y: share(e, x, y, "C") >= share(e, x, y) - TIGHT,
        "1 (3), 2 (2), 3: I(X;C) - I(X;Y) + I(X;Y given C) > 0": lambda e, x, y: score(e, x, y) > TIGHT,
        "3: I(X;Y given C) > I(X;Y)": lambda e, x, y: share(e, x, y, "C") > share(e, x, y) + TIGHT,
        "4 (1): I(X;Y) > I(X;C)": lambda e, x, y: share(e, x, y) > share(e, x, "C") + TIGHT,
        "4 (2): I(X;C) + I(X;Y given C) - I(X;Y) = 0": lambda e, x, y: abs(score(e, x, y)) <= TIGHT,
        "4 (3): I(Y;C) > I(X;C)": lambda e, x, y: share(e, y, "C") > share(e, x, "C") + TIGHT,
    }
    alone = {
        "two parents": ("a", [0, 1, 2]),
        "parent and child, or two children": ("bcd", [0, 2]),
        "spouse X of child Y": ("e", [2, 3]),
        "X further away behind neighbour Y": ("fg", [4, 5, 6]),
    }
    names = list(claims)
    tally: Counter[tuple[str, str]] = Counter()
    held: Counter[tuple[str, str]] = Counter()
    for kind, (figures, wanted) in alone.items():
        for figure in figures:
            for seed in range(5 * number):
                exact = random_tables(FIGURE_5[figure], seed)
                for j in wanted:
                    tally[kind, names[j]] += 1
                    held[kind, names[j]] += claims[names[j]](exact, "X", "Y")
    print("| X and Y | property | holds in three variables | holds in networks of 4 to 8 |")
    print("|---|---|---|---|")
    inside: Counter[tuple[str, str]] = Counter()
    true: Counter[tuple[str, str]] = Counter()
    for exact in networks(number):
        for kind, x, y in pairs(exact):
            for j in alone[kind][1]:
                inside[kind, names[j]] += 1
                true[kind, names[j]] += claims[names[j]](exact, x, y)
    for kind, (_, wanted) in alone.items():
        for j in wanted:
            key = kind, names[j]
            print(f"| {kind} | {names[j]} | {held[key]} of {tally[key]} | {true[key]} of {inside[key]} |")


def score(exact: Exact, x: str, y: str) -> float:
    """Return ``I(X; C) - I(X; Y) + I(X; Y | C)``, which is ``I(X; C | Y)``."""
    return share(exact, x, "C") - share(exact, x, y) + share(exact, x, y, "C")


def pairs(exact: Exact) -> Iterator[tuple[str, str, str]]:
    """Return the pairs of features in a network that properties 1 to 4 speak of."""
    network = exact.network
    graph = network.graph()
    parents = set(network.parents["C"])
    near, spouses = set(network.parents_and_children("C")), set(network.spouses("C"))
    for x in others(exact):
        for y in near - {x}:
            if x in near:
                yield ("two parents" if {x, y} <= parents else "parent and child, or two children"), x, y
            elif x in spouses and y not in parents and graph.has_edge(x, y):
                yield "spouse X of child Y", x, y
            elif x not in spouses and (graph.has_edge(x, y) if y in parents else graph.has_edge(y, x)):
                yield "X further away behind neighbour Y", x, y


CRITERIA: dict[str, Callable[[float, Sequence[float], Sequence[float]], float]] = {
    "MIM": lambda own, shared, given: own,
    "mRMR": lambda own, shared, given: own - float(np.mean(shared)),
    "JMI": lambda own, shared, given: own - float(np.mean(shared)) + float(np.mean(given)),
    "CIFE": lambda own, shared, given: own - sum(shared) + sum(given),
    "CMIM": lambda own, shared, given: own - max(a - b for a, b in zip(shared, given, strict=True)),
}
"""Scores of a candidate by ``I(X; C)``, ``I(X; F_i)`` and ``I(X; F_i | C)``."""


def preferences(number: int) -> None:
    """Count what each criterion selects, as far as a class is left to be selected (table 2)."""
    print("\n| criterion | selected | neighbour | spouse | neither | none left of the blanket |")
    print("|---|---|---|---|---|---|")
    counts: Counter[tuple[str, int, str]] = Counter()
    for exact in networks(number):
        near = set(exact.network.parents_and_children("C"))
        blanket = set(exact.network.blanket("C"))
        for name, criterion in CRITERIA.items():
            chosen: list[str] = []
            for turn in (1, 2, 3):
                best = next_of(exact, criterion, chosen)
                kind = "neighbour" if best in near else "spouse" if best in blanket else "neither"
                counts[name, turn, kind if blanket - set(chosen) else "over"] += 1
                chosen.append(best)
    for name in CRITERIA:
        for turn in (1, 2, 3):
            cells = [counts[name, turn, kind] for kind in ("neighbour", "spouse", "neither", "over")]
            print(f"| {name} | {turn} | " + " | ".join(map(str, cells)) + " |")


def next_of(
    exact: Exact,
    criterion: Callable[[float, Sequence[float], Sequence[float]], float],
    chosen: Sequence[str],
) -> str:
    """Return the candidate of the largest score."""

    def of(name: str) -> float:
        own = share(exact, name, "C")
        if not chosen:
            return own
        shared = [share(exact, name, one) for one in chosen]
        return criterion(own, shared, [share(exact, name, one, "C") for one in chosen])

    return max((name for name in others(exact) if name not in chosen), key=lambda name: round(of(name), 12))


def information_and_errors(number: int) -> None:
    """Count over all subsets of all networks where theorem 4.5 and the bounds of section 6 hold."""
    tally: Counter[str] = Counter()
    held: Counter[str] = Counter()

    def note(claim: str, holds: bool) -> None:
        tally[claim] += 1
        held[claim] += holds

    for exact in networks(number):
        near = frozenset(exact.network.parents_and_children("C"))
        blanket = frozenset(exact.network.blanket("C"))
        most, classes = exact.information({"C"}, blanket), 2
        least, close = exact.given("C", blanket), exact.given("C", near)
        best, of_near = exact.error("C", blanket), exact.error("C", near)
        for some in subsets(others(exact)):
            told = exact.information({"C"}, some)
            entropy, error = exact.given("C", some), exact.error("C", some)
            note("theorem 4.5: I(C;S) <= I(C;MB)", told <= most + TIGHT)
            equal = told >= most - TIGHT
            note("theorem 4.5: equal only if S = MB", not equal or some == blanket)
            note("instead: equal if and only if S contains MB", equal == (blanket <= some))
            note(
                "eq. 14: Fano <= P(S) <= H(C given S)/2",
                fano(entropy, classes) - TIGHT <= error <= entropy / 2 + TIGHT,
            )
            note("P(MB) <= P(S)", best <= error + TIGHT)
            if some != blanket:
                note("eq. 58: P(S) <= H(C given MB)/2", error <= least / 2 + TIGHT)
                note("instead: H(C given S)/2 >= H(C given MB)/2", entropy >= least - TIGHT)
            if near <= some:
                note(
                    "corollary 6.2: H(C given MB) <= H(C given S) <= H(C given PC)",
                    least - TIGHT <= entropy <= close + TIGHT,
                )
                note("corollary 6.2 (2), right: P(S) <= H(C given PC)/2", error <= close / 2 + TIGHT)
                note("corollary 6.2 (2), left: H(C given MB)/2 <= P(S)", least / 2 <= error + TIGHT)
                note(
                    "instead: Fano of H(C given MB) <= P(MB) <= P(S)",
                    fano(least, classes) - TIGHT <= best <= error + TIGHT,
                )
            if some < near:
                note("eq. 62: P(S) < H(C given PC)/2", error < close / 2)
                note("instead: H(C given S)/2 > H(C given PC)/2", entropy > close)
                note("instead: P(S) >= P(PC)", error >= of_near - TIGHT)
    print("\n| statement on sets S | holds |")
    print("|---|---|")
    for claim, total in tally.items():
        print(f"| {claim} | {held[claim]} of {total} |")


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--networks", type=int, default=100)
    number = parser.parse_args().networks
    print(stamped())
    information_and_errors(number)
    print()
    properties(number)
    preferences(number)


if __name__ == "__main__":
    main()
