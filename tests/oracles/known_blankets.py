"""Distributions whose Markov blankets are known: products of groups that tell the same of the target."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import chain, combinations, product
from typing import Any

import numpy as np
import pandas as pd

import altsel

Family = set[frozenset[str]]

Search = Callable[..., altsel.Solutions]
SEARCHES: dict[str, Search] = {
    "TMFBS": altsel.blankets.tmfbs,
    "TIE*-IGS": altsel.blankets.tie_star,
    "TIE*, hitting set": partial(altsel.blankets.tie_star, removal="hitting_set"),
}


def copies(
    groups: Sequence[int], *, kind: str = "recoded", irrelevant: int = 1
) -> tuple[altsel.independence.JointTable, Family]:
    """A target that tells apart all bits, and a group of features for each bit; every choice of one each.

    ``recoded``: all of a group are one-to-one images of its bit. ``noisy``: each also holds a coin of its
    own, so that none is a copy of another, but each determines the bit.
    """
    coins = sum(groups) if kind == "noisy" else 0
    rows = []
    for bits in product((0, 1), repeat=len(groups)):
        for own in product((0, 1), repeat=coins):
            left = list(own)
            row = {}
            for i, (bit, size) in enumerate(zip(bits, groups, strict=True)):
                for j in range(size):
                    row[f"g{i}_{j}"] = (bit if j % 2 == 0 else 1 - bit) + (2 * left.pop() if coins else 0)
            row["y"] = sum(bit << i for i, bit in enumerate(bits))
            for extra in product((0, 1), repeat=irrelevant):
                rows.append({**row, **{f"z{j}": value for j, value in enumerate(extra)}})
    family = {
        frozenset(f"g{i}_{j}" for i, j in enumerate(choice))
        for choice in product(*(range(size) for size in groups))
    }
    return table(rows), family


def xor(sizes: tuple[int, int]) -> tuple[altsel.independence.JointTable, Family]:
    """``y = a xor b`` with copies of both: no feature alone tells anything."""
    rows = []
    for a, b in product((0, 1), repeat=2):
        row = {f"a{j}": (a + j) % 2 for j in range(sizes[0])} | {
            f"b{j}": (b + j) % 2 for j in range(sizes[1])
        }
        rows.append({**row, "y": a ^ b})
    family = {frozenset({f"a{i}", f"b{j}"}) for i in range(sizes[0]) for j in range(sizes[1])}
    return table(rows), family


def misleading_summary() -> tuple[altsel.independence.JointTable, Family]:
    """A target of three bits, and ``s``, which tells most at first and nothing beside them.

    It has all three bits, each wrong in one of eight.
    """
    rows, weights = [], []
    for a, b, c, *wrong in product((0, 1), repeat=6):
        seen = [bit ^ flip for bit, flip in zip((a, b, c), wrong, strict=True)]
        row = {"a": a, "b": b, "c": c, "s": seen[0] + 2 * seen[1] + 4 * seen[2], "y": a + 2 * b + 4 * c}
        rows.append(row)
        weights.append(7.0 ** (3 - sum(wrong)))
    return table(rows, weights), {frozenset("abc")}


def random_table(seed: int) -> altsel.independence.JointTable:
    """Draw three to six features and a target, each a random function of one or two of a few bits.

    So features copy, code, add up to or explain one another and the target in all kinds of ways.
    """
    random = np.random.default_rng(seed)
    bits = int(random.integers(3, 5))
    functions = [_function(random, bits) for _ in range(int(random.integers(5, 9)))]
    uneven = random.random() < 0.5
    noise = 0.2 if random.random() < 0.4 else 0.0
    rows, weights = [], []
    for hidden in product((0, 1), repeat=bits):
        mass = float(random.random()) + 0.2 if uneven else 1.0
        values = [function(hidden) for function in functions]
        row = {f"x{j}": value for j, value in enumerate(values[2:])}
        base = values[0] + 4 * values[1]
        for wrong, share in ((0, 1 - noise), (1, noise)):
            rows.append({**row, "y": (base + 1) % 5 if wrong else base})
            weights.append(mass * share)
    return table(rows, weights)


def _function(random: np.random.Generator, bits: int) -> Callable[[Sequence[int]], int]:
    """Draw a code of one or two bits, one of them, their parity, or any function of them."""
    chosen = random.choice(bits, int(random.integers(1, 3)), replace=False).tolist()
    values = random.integers(0, 2, 2 ** len(chosen)).tolist()
    kind = int(random.integers(0, 4))

    def function(hidden: Sequence[int]) -> int:
        seen = [hidden[j] for j in chosen]
        code = sum(bit << j for j, bit in enumerate(seen))
        return int([code, seen[0], sum(seen) % 2, values[code]][kind])

    return function


def table(
    rows: Sequence[Mapping[Any, int]], weights: Sequence[float] | None = None
) -> altsel.independence.JointTable:
    frame = pd.DataFrame(rows)
    index = pd.MultiIndex.from_frame(frame)
    mass = np.full(len(rows), 1 / len(rows)) if weights is None else np.asarray(weights) / np.sum(weights)
    return altsel.independence.JointTable(pd.Series(mass, index).groupby(level=list(frame)).sum(), "y")


def sets(found: altsel.Solutions) -> Family:
    """Return the sets found, each of which occurs once."""
    assert len({frozenset(subset) for subset in found}) == len(found)
    return {frozenset(subset) for subset in found}


def all_blankets(test: altsel.independence.Independence) -> Family:
    """Every smallest set given which the rest tells nothing, by trying all sets."""
    names = test.features
    found: Family = set()
    for members in chain.from_iterable(combinations(names, size) for size in range(len(names) + 1)):
        inside = frozenset(members)
        if any(known <= inside for known in found):
            continue
        given, separated = list(members), True
        for name in names:  # the chain rule
            if name not in inside:
                separated = separated and bool(test([name], given).independent(0.05)[0])
                given.append(name)
        if separated:
            found.add(inside)
    return found
