"""Criteria that are ratios, in one linear model and level by level, by the same solver.

``python -m benchmarks.ratio_encodings``. CFS is an entry of the catalogue in both encodings; mRMR of free
size is one model in altsel, and is solved here as the ratio that it is, too.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import altsel
from altsel._types import BoolArray, FloatArray
from altsel.models import Objective
from altsel.models.objective import Kind
from altsel.models.pair_products import multiply, quadratic_form, set_products
from altsel.pyomo_on_demand import pyo
from benchmarks.command import in_one_line, stamped

RESULTS = Path(__file__).parent / "results"
SIZES = (2, 5)
LIMIT = 120.0
RISES = 1e-9
"""Least excess over a level, for which another is tried."""
HEAD = f"""# Ratios: one model, or level by level

`python -m benchmarks.ratio_encodings`: drawn questions of one set of {SIZES[0]} to {SIZES[1]} features,
solved by HiGHS on one thread, at most {LIMIT:.0f} s each. Every optimum was compared with the best score of
all sets.

- *one model*: what `altsel.formulate` makes; for CFS products scaled by the denominator (`cfs-linearised`),
  for mRMR a formula for each size.
- *levels*: the Newton-like method by which Mehmanchi, Gómez and Prokopyev (2021) solve such criteria as
  fractional 0-1 programs: maximise the numerator less level times denominator, a quadratic form, and let the
  set found give the next level, until nothing exceeds it. Of CFS it is `cfs`, altsel's default; of mRMR it
  is written in this program. Products are altsel's (RLT rows): the authors' own rows were not at hand.

Not compared: the polyhedral formulations of He, Luo and Zhao (2025, arXiv:2508.16123). Abstract and keywords
(perspective transformation, convex envelopes) do not define them, and the paper's text was not at hand.

Seconds are CPU seconds; *solves* counts calls of the solver.
"""


@dataclass(frozen=True)
class Excess(Objective):
    """How far sets exceed a level of mRMR as a ratio, ``N - t D`` with ``D = k^2`` or ``k (k - 1)``."""

    kind = Kind.QUADRATIC

    criterion: altsel.MRMR
    level: float
    name: str = field(default="excess over a level of mRMR", init=False)

    @property
    def features(self) -> Sequence[str]:  # type: ignore[override]
        """Names of the features."""
        return self.criterion.features

    def score(self, mask: BoolArray) -> float:
        """Evaluate the form."""
        k = int(mask.sum())
        below = k * k if self.criterion.denominator == "k^2" else k * (k - 1)
        return below * (self.criterion.score(mask) - self.level)

    def quadratic(self, k: int) -> tuple[FloatArray, FloatArray]:
        """Write the form as ``sum_i a_i s_i - sum_{i<j} b_ij s_i s_j``, for sets of any size."""
        del k
        q, r = self.criterion.relevance, self.criterion.redundancy
        squared = self.criterion.denominator == "k^2"
        linear = q - np.diag(r) - self.level if squared else np.zeros(len(q))
        pairs = 2 * r - q[:, None] - q[None, :] + 2 * self.level
        np.fill_diagonal(pairs, 0.0)
        return linear, pairs

    def express(self, block: Any, sizes: tuple[int, int]) -> None:
        """Add the form to the block."""
        linear, pairs = self.quadratic(sizes[1])
        multiply(block, self.features, sizes, upper=pairs < 0)
        block.quality = pyo.Expression(expr=quadratic_form(block, self.features, linear, -pairs))

    def set_helper_values(self, block: Any) -> None:
        """Set the values of the products."""
        set_products(block, self.features)


def by_levels(criterion: altsel.MRMR, solver: Any) -> tuple[tuple[str, ...], int]:
    """Return the best set, and how many models were solved: algorithm 2 of the thesis behind the paper."""
    order = np.argsort(-criterion.relevance)
    best = np.zeros(len(order), dtype=bool)
    best[order[: SIZES[1]]] = True
    for solves in range(1, 100):
        level = criterion.score(best)
        found = altsel.sequential(
            altsel.Problem(Excess(criterion, level), k=SIZES), altsel.Dice(0), 0, solver=solver
        )
        if found[0].bound is not None and found[0].bound <= RISES:
            return tuple(np.array(criterion.features)[best]), solves
        best = np.isin(criterion.features, found[0].features)
    raise AssertionError("levels rise for ever")


def tables() -> Iterator[tuple[str, altsel.Dependence]]:
    """Yield relevances and redundancies: of independent numbers, and of features that share factors."""
    for seed, (n, kind) in enumerate(product((12, 18, 26), ("uniform", "factors"))):
        random = np.random.default_rng([57, seed])
        names = [f"x{j}" for j in range(n)]
        if kind == "uniform":
            r = random.random((n, n))
            r, q = (r + r.T) / 2, random.random(n)
        else:
            values = random.normal(size=(300, 4)) @ random.normal(size=(4, n)) + random.normal(size=(300, n))
            both = np.abs(np.corrcoef(np.column_stack([values, values[:, 0] + random.normal(size=300)]).T))
            r, q = both[:-1, :-1], both[:-1, -1]
        np.fill_diagonal(r, 1.0)
        yield (
            f"{kind}, {n} features",
            altsel.Dependence(pd.Series(q, index=names), pd.DataFrame(r, index=names, columns=names)),
        )


def best_of_all(criterion: Any) -> float:
    """Score all sets."""
    n = len(criterion.features)
    sizes = range(SIZES[0], SIZES[1] + 1)
    return max(float(criterion.scores(np.array(list(combinations(range(n), k)))).max()) for k in sizes)


def solved(criterion: Any, levels: bool) -> tuple[float, float, int]:
    """Return the score of the set that is called best, CPU seconds and models solved."""
    began, solver = time.process_time(), altsel.solver("highs", threads=1, time_limit=LIMIT)
    if levels and isinstance(criterion, altsel.MRMR):
        features, solves = by_levels(criterion, solver)
    else:
        found = altsel.sequential(altsel.Problem(criterion, k=SIZES), altsel.Dice(0), 0, solver=solver)
        assert found.proved
        features, solves = found[0].features, found.effort.solves
    spent = time.process_time() - began
    return criterion.score(np.isin(criterion.features, features)), spent, solves


def rows() -> Iterator[dict[str, Any]]:
    """Yield a row for each question."""
    solved(altsel.MRMR(next(tables())[1]), levels=False)  # what is imported and compiled is not counted
    for title, given in tables():
        ways: dict[str, list[altsel.MRMR] | list[altsel.CFS]] = {
            "mRMR, k(k-1)": [altsel.MRMR(given)] * 2,
            "mRMR, k^2": [altsel.MRMR(given, "k^2")] * 2,
            "CFS": [altsel.CFS(given, "linearised"), altsel.CFS(given)],
        }
        for name, criteria in ways.items():
            exact = best_of_all(criteria[0])
            row: dict[str, Any] = {"question": title, "criterion": name, "optimum": exact}
            for way, criterion in zip(("one model", "levels"), criteria, strict=True):
                score, spent, solves = solved(criterion, way == "levels")
                assert abs(score - exact) <= 1e-9 * abs(exact), (title, name, way, score, exact)
                row |= {f"{way}, CPU s": round(spent, 2), f"{way}, solves": solves}
            print(row, flush=True)
            yield row


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ratio_encodings", description=__doc__)
    parser.parse_args()
    with in_one_line(parser):
        table = pd.DataFrame(rows())
        lines = ["| " + " | ".join(table.columns) + " |", "| " + " | ".join("---" for _ in table) + " |"]
        for row in table.itertuples(index=False):
            lines.append(
                "| " + " | ".join(f"{v:.6g}" if isinstance(v, float) else str(v) for v in row) + " |"
            )
        page = HEAD + "\n" + "\n".join(lines) + "\n"
        (RESULTS / "ratio_encodings.md").write_text(stamped(page), encoding="utf-8")


if __name__ == "__main__":
    main()
