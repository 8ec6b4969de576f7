"""Mutual information by nearest neighbours next to scikit-learn's, in one run, one thread.

Run: OMP_NUM_THREADS=1 python -m benchmarks.neighbours FOLDER > benchmarks/results/neighbours.md
FOLDER holds CSV files.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest.mock import patch

import numpy as np
from sklearn.feature_selection import mutual_info_classif, mutual_info_regression

import altsel
from altsel._types import FloatArray
from altsel.measures import MutualInformation, gaussian_copula_information, mutual_information
from altsel.stats.dependence.neighbours import compiled
from benchmarks.command import stamped
from benchmarks.protocol import read

NAMES = [
    "arcene",
    "crime-violent",
    "desharnais",
    "ecoli",
    "ionosphere",
    "prostate",
    "maxwell",
    "musk1",
    "sonar",
    "uji-longitude",
    "wdbc",
]
SHAPES = ((252, 751), (500, 500), (2000, 100), (6435, 36))
PAIRS, COLUMNS, ROWS = 150, 60, 1000
"""Of each data set: pairs, and at most so many columns and rows, drawn at random."""
NEAR = 3
HEAD = """# Mutual information by nearest neighbours

`OMP_NUM_THREADS=1 python -m benchmarks.neighbours FOLDER`, FOLDER with CSV files of public data.
Differences from the values of scikit-learn, for at most 1,000 rows, 60 columns and 150 pairs of each set,
drawn at random, and all relevances. A level is rare if it has 2 to 7 rows: scikit-learn computes distances
in such a class by a matrix product, too coarse for its strict radius; there altsel equals the definition
computed from all distances (`tests/stats/test_neighbours.py`).
"""
FOOT = """Seconds are CPU seconds of one thread, on data of eight common factors. scikit-learn's are scaled up
from 60 (all pairs) or 20 pairs, those of numpy, for all pairs, from 40 columns. `copula` is
`gaussian_copula_information`, another measure. Workers: 500 x 500, all pairs,
threads, in a run of their own (`… FOLDER workers`), as wall time needs a quiet machine."""


def scikit_learn(a: FloatArray, b: FloatArray, a_discrete: bool, b_discrete: bool) -> float:
    """Estimate one pair as altsel did until it had loops of its own."""
    if a.min() == a.max() or b.min() == b.max():
        return 0.0
    if a_discrete or (not b_discrete and b.tobytes() < a.tobytes()):
        a, b, a_discrete, b_discrete = b, a, b_discrete, a_discrete
    estimate = mutual_info_classif if b_discrete else mutual_info_regression
    b = np.unique(b, return_inverse=True)[1].astype(float) if b_discrete else b
    seen = min(NEAR, len(a) - 1)
    return float(estimate(a[:, None], b, discrete_features=False, n_neighbors=seen, random_state=0)[0])


def small(values: FloatArray) -> bool:
    """Return whether a level has so few rows that scikit-learn rounds the distances among them."""
    sizes = np.unique(values, return_counts=True)[1]
    return bool(((sizes > 1) & (np.minimum(NEAR, sizes - 1) >= sizes // 2)).any())


def spent(call: Callable[[], object]) -> tuple[float, float]:
    """Measure CPU and wall seconds."""
    cpu, wall = time.process_time(), time.perf_counter()
    call()
    return time.process_time() - cpu, time.perf_counter() - wall


def factors(rows: int, columns: int, seed: int = 0) -> FloatArray:
    """Draw columns that eight common factors make dependent."""
    random = np.random.default_rng(seed)
    loadings = random.normal(size=(8, columns))
    return random.normal(size=(rows, 8)) @ loadings + random.normal(size=(rows, columns))


def peer_seconds(table: FloatArray, pairs: int, discrete: bool = False, sample: int = 60) -> float:
    """Estimate CPU seconds of scikit-learn's way for so many pairs of a column and others, from a sample."""
    random = np.random.default_rng(1)
    drawn = random.integers(1, table.shape[1], (sample, 2))
    if discrete:
        drawn[:, 1] = 0
    columns = np.ascontiguousarray(table.T)

    def call() -> None:
        for i, j in drawn:
            scikit_learn(columns[i], columns[j], False, discrete)

    call()
    return spent(call)[0] / sample * pairs


def speeds() -> Iterator[str]:
    """Compare all pairs, and relevances for a number and for classes."""
    yield "| what | rows | columns | altsel, numba | altsel, numpy | scikit-learn | ratio | copula |"
    yield "|---|---|---|---|---|---|---|---|"
    for rows, count in SHAPES:
        table = factors(rows, count)
        data = altsel.Dataset(table, factors(rows, 1, 1)[:, 0])
        mine = spent(lambda data=data: mutual_information.redundancy(data))[0]  # type: ignore[misc]
        copula = spent(lambda data=data: gaussian_copula_information.redundancy(data))[0]  # type: ignore[misc]
        few = altsel.Dataset(table[:, :40], table[:, 0] + 1)
        plain = spent_plain(lambda few=few: mutual_information.redundancy(few))  # type: ignore[misc]
        pairs = count * (count + 1) // 2
        plain *= pairs / (40 * 41 / 2)
        peer = peer_seconds(table, pairs)
        yield row("all pairs of numbers", rows, count, mine, plain, peer, copula)
    for rows, count in ((500, 200), (252, 751), (6435, 36), (20_000, 40)):
        table = factors(rows, count)
        for what, target in (
            (
                "numbers and three classes",
                np.digitize(table[:, 0] + factors(rows, 1, 1)[:, 0], [-1, 1]).astype(str),
            ),
            ("numbers and a number", factors(rows, 1, 1)[:, 0]),
        ):
            data = altsel.Dataset(table, target)
            mine = spent(lambda data=data: mutual_information.relevance(data))[0]  # type: ignore[misc]
            plain = spent_plain(lambda data=data: mutual_information.relevance(data))  # type: ignore[misc]
            both = np.column_stack([data.target_values(), table])
            peer = peer_seconds(both, count, data.discrete_target, 20)
            yield row(what, rows, count, mine, plain, peer, None)


def row(
    what: str, rows: int, count: int, mine: float, plain: float, peer: float, copula: float | None
) -> str:
    """Show one row of the table."""
    last = "" if copula is None else f"{copula:.3f}"
    return (
        f"| {what} | {rows} | {count} | {mine:.3g} | {plain:.3g} | {peer:.3g} | {peer / mine:.0f} | {last} |"
    )


def spent_plain(call: Callable[[], object]) -> float:
    """Measure CPU seconds without numba."""
    from altsel.stats.dependence.neighbours import blocks  # noqa: PLC0415

    with patch.object(blocks, "kernels_for", lambda work: None):
        call()
        return spent(call)[0]


def workers() -> Iterator[str]:
    """Compare one and two workers."""
    data = altsel.Dataset(factors(500, 500), factors(500, 1, 1)[:, 0])
    yield "| workers | wall s | CPU s |"
    yield "|---|---|---|"
    for count in (1, 2):
        measure = MutualInformation(n_jobs=count)
        tries = [spent(lambda measure=measure: measure.redundancy(data)) for _ in range(2)]  # type: ignore[misc]
        cpu, wall = min(tries, key=lambda one: one[1])
        yield f"| {count} | {wall:.1f} | {cpu:.1f} |"


def differences(folder: Path) -> Iterator[str]:
    """Compare values on data sets; levels of 2 to 7 rows, where scikit-learn rounds, apart."""
    yield "| data | rows x columns | pairs | largest difference | with rare levels | largest difference |"
    yield "|---|---|---|---|---|---|"
    for name in NAMES:
        random = np.random.default_rng(0)
        table = read(folder, name)
        table = table.sample(min(ROWS, len(table)), random_state=0)
        chosen = random.permutation(table.shape[1] - 1)[:COLUMNS]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            target = table["target"].reset_index(drop=True)
            data = altsel.Dataset(table.iloc[:, chosen].reset_index(drop=True), target)
        discrete, columns = data.discrete(), np.ascontiguousarray(data.matrix().T)
        found = mutual_information.redundancy(data)
        pairs = random.permutation(np.argwhere(np.triu(~np.outer(discrete, discrete))))[:PAIRS].tolist()
        gaps: dict[bool, list[float]] = {True: [0.0], False: [0.0]}
        for i, j in pairs:
            few = any(discrete[one] and small(columns[one]) for one in (i, j))
            gaps[few].append(
                abs(scikit_learn(columns[i], columns[j], discrete[i], discrete[j]) - found[i, j])
            )
        relevance, y = mutual_information.relevance(data), data.target_values()
        for j in np.flatnonzero(~(discrete & data.discrete_target)).tolist():
            few = (discrete[j] and small(columns[j])) or (data.discrete_target and small(y))
            peer = scikit_learn(columns[j], y, discrete[j], data.discrete_target)
            gaps[bool(few)].append(abs(peer - relevance[j]))
        shape = f"{len(y)} x {len(columns)}"
        many, rare = len(gaps[False]) - 1, len(gaps[True]) - 1
        yield f"| {name} | {shape} | {many} | {max(gaps[False]):.0e} | {rare} | {max(gaps[True]):.0e} |"


def main() -> None:
    """Print all tables."""
    assert compiled.LOOPS.compiled is not None, "numba is missing"
    for rows in (50, 2000):
        for target in (factors(rows, 1, 1)[:, 0], ["a", "b"] * (rows // 2)):
            small_data = altsel.Dataset(factors(rows, 3), target)
            mutual_information.relevance(small_data)  # loads what is compiled
            mutual_information.redundancy(small_data)
    parts = {
        "differences": lambda: differences(Path(sys.argv[1])),
        "speeds": speeds,
        "workers": workers,
    }
    print(stamped(HEAD))
    for name in sys.argv[2:] or parts:
        for line in parts[name]():
            print(line, flush=True)
        print(flush=True)
    print(FOOT)


if __name__ == "__main__":
    main()
