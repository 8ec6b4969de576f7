"""Random problems whose sets must hold a Markov blanket of a known family, or be one."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

import altsel
from tests.oracles import brute_force as bf
from tests.oracles.known_blankets import Family, all_blankets, copies, misleading_summary, random_table, xor


def family(random: np.random.Generator) -> tuple[Any, Family, Any]:
    """Draw a table, its blankets, and the template that finds them."""
    pairs = altsel.blankets.Template(altsel.blankets.dependent_in_pairs, name="by pairs")
    kind = int(random.integers(0, 5))
    if kind == 0:
        sizes = random.integers(1, 4, int(random.integers(1, 4))).tolist()
        return *copies(sizes, irrelevant=int(random.integers(0, 3))), None
    if kind == 1:
        return *copies([2, int(random.integers(1, 3))], kind="noisy"), None
    if kind == 2:
        return *xor((int(random.integers(1, 4)), int(random.integers(1, 4)))), pairs
    if kind == 3:
        return *misleading_summary(), None
    table = random_table(int(random.integers(0, 10_000)))
    return table, all_blankets(table), pairs


def objective(random: np.random.Generator, names: tuple[str, ...], kind: str) -> Any:
    n = len(names)
    q = np.round(random.random(n), 2)
    r = np.round(random.random((n, n)), 2)
    numbers = altsel.Dependence(
        pd.Series(q, index=list(names)), pd.DataFrame((r + r.T) / 3, index=names, columns=names)
    )
    if kind == "fit":
        rows = pd.DataFrame(random.normal(size=(3 * n + 6, n)), columns=list(names))
        y = pd.Series(rows.to_numpy() @ random.normal(size=n) + random.normal(size=len(rows)), name="y")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", altsel.DataWarning)
            return altsel.LinearFit(altsel.Dataset(rows, y))
    kinds: dict[str, Any] = {"sum": altsel.Univariate, "mrmr": altsel.MRMR, "cfs": altsel.CFS}
    return kinds[kind](numbers)


def drawn(seed: int, kind: str, minimal: bool) -> tuple[altsel.Problem, Callable[[bf.Set], bool], Any]:
    """Draw a problem, what its sets must be, and the rule on blankets among others."""
    random = np.random.default_rng(seed)
    test, blankets, template = family(random)
    names = test.features
    rule = altsel.domain.blanket_of(test, template=template, minimal=minimal)
    high = int(random.integers(1, min(4, len(names)) + 1))
    low = int(random.integers(1, high + 1))
    rules: list[Any] = [rule]
    banned: list[Callable[[bf.Set], bool]] = []
    if random.random() < 0.4:
        out = str(random.choice(names))
        rules.insert(0, altsel.domain.forbid(out))
        banned.append(lambda one: out not in one)
    if random.random() < 0.4 and len(names) > 1:
        pair = set(random.choice(names, 2, replace=False).tolist())
        rules.append(altsel.domain.mutually_exclusive(sorted(pair)))
        banned.append(lambda one: not pair <= one)
    if random.random() < 0.2:
        rules.append(altsel.domain.predicate(lambda found: sum(map(len, found)) % 4 != 1, name="some sets"))
        banned.append(lambda one: sum(map(len, one)) % 4 != 1)

    def keeps(one: bf.Set) -> bool:
        sufficient = one in blankets if minimal else any(blanket <= one for blanket in blankets)
        return sufficient and all(rule(one) for rule in banned)

    problem = altsel.Problem(objective(random, names, kind), (low, high), rules)
    return problem, keeps, rule
