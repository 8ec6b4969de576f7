"""The family of many plain sums at once: annealed sets, and the best profile as their bound."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from math import comb
from random import Random
from typing import Any
from unittest.mock import patch

from altsel.exact.families.counts import annealed_families
from altsel.exact.families.counts.compiled import ANNEALINGS
from altsel.exact.sources.every_set import engine as all_sets
from benchmarks.exactness.criteria import Criterion
from benchmarks.exactness.distance import Diversity
from benchmarks.exactness.instance import Instance, Ready
from benchmarks.exactness.searches import ask_simultaneous

FEWEST, STEPS = 2, 400
"""Sets from which on they are annealed, and steps of an annealing."""


def draw_many(rng: Random) -> Instance:
    """Draw a question for `simultaneous`: often of sets that differ by one feature, of which Deza speaks."""
    while True:
        n, k = rng.randint(4, 8), rng.randint(2, 4)
        overlap = k - 1 if rng.random() < 0.6 else rng.randint(0, k - 1)
        count = rng.randint(2, 7)
        if k < n and comb(comb(n, k), count) <= 100_000:
            break
    kind = rng.choice(["real", "real", "small", "signed", "equal"])
    draws = {
        "real": lambda: rng.betavariate(1, 3),
        "small": lambda: float(rng.randint(0, 3)),
        "signed": lambda: rng.gauss(0, 1),
        "equal": lambda: 1.0,
    }
    q = tuple(draws[kind]() for _ in range(n))
    zeros = tuple(tuple(0.0 for _ in range(n)) for _ in range(n))
    diversity = Diversity("dice", 1 - overlap / k)
    instance = Instance(
        "many",
        Criterion("univariate", q, zeros, "ordinary"),
        (k, k),
        (),
        (),
        diversity,
        count - 1,
        "auto",
        "auto",
    )
    instance.more["total"] = rng.choice(["sum", "sum", "min"])
    return instance


def ask_many(ready: Ready) -> Any:
    """Put it to altsel, with short annealings of few sets and nothing listed."""
    loop = replace(ANNEALINGS.compiled or ANNEALINGS.plain, steps=STEPS, share=1)
    with ExitStack() as stack:
        few = {"sum": FEWEST, "min": FEWEST}
        stack.enter_context(patch.multiple(annealed_families, LEAST=few, FREE=6, FIXED=3))
        stack.enter_context(patch.object(all_sets, "MOST_SETS", 0))
        stack.enter_context(patch.object(ANNEALINGS, "after", lambda _: loop))
        return ask_simultaneous(ready)
