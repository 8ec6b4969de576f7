"""Speed of the tests of independence next to causal-learn and statsmodels, in one run, on one thread.

Run: OMP_NUM_THREADS=1 python -m benchmarks.independence  (needs pip install "altsel[bench,fast]")
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import statsmodels.api as sm
from causallearn.utils.cit import CIT

import altsel
from altsel.stats.discrete.compiled import LOOPS
from altsel.stats.independence.protocol import TestResults
from benchmarks.command import stamped

ALARM = Path(__file__).parents[1] / "examples" / "data" / "alarm.bif"
SIZES = (0, 3, 8)
REPEATS = 5


def best(call: Callable[[], object]) -> float:
    """Shortest of some runs, in microseconds."""
    times = []
    for _ in range(REPEATS):
        began = time.perf_counter()
        call()
        times.append(time.perf_counter() - began)
    return 1e6 * min(times)


def sets(features: tuple[str, ...], size: int, seed: int = 0) -> list[list[str]]:
    """Draw conditioning sets; the first one warms up."""
    random = np.random.default_rng(seed)
    return [list(random.choice(features, size, replace=False)) for _ in range(21)]


def ours(
    test: Callable[..., TestResults], features: tuple[str, ...], size: int, fresh: Callable[[], None]
) -> float:
    """Microseconds a test, all candidates in a call, nothing remembered from before."""
    total = []
    for given in sets(features, size):
        candidates = [name for name in features if name not in given]

        def call(candidates: list[str] = candidates, given: list[str] = given) -> None:
            fresh()
            test(candidates, given)

        total.append(best(call) / len(candidates))
    return float(np.mean(total[1:]))


def theirs(matrix: np.ndarray, method: str, features: tuple[str, ...], size: int) -> float:
    """Microseconds a test of causal-learn, one call a test; the target is the last column."""
    index = {name: j for j, name in enumerate(features)}
    judge = CIT(matrix, method)  # it remembers p, so nothing is tested twice
    total: list[float] = []
    for given in sets(features, size)[: None if size else 1]:
        names = [name for name in features if name not in given]
        for name in names:
            call = (index[name], matrix.shape[1] - 1, tuple(index[one] for one in given))
            began = time.perf_counter()
            judge(*call)
            total.append(1e6 * (time.perf_counter() - began))
    return float(np.mean(total[8:]))


def line(what: str, rows: int, size: int, mine: float, peer: float) -> str:
    """Show one row of the table."""
    return f"| {what} | {rows} | {size} | {mine:.1f} | {peer:.0f} | {peer / mine:.0f} |"


def discrete(rows: int) -> Iterator[str]:
    """Compare G-square tests on ALARM with HR as the target."""
    table = altsel.read_network(ALARM).sample(rows, 0)
    data = altsel.Dataset(table.drop(columns="HR"), table["HR"])
    test = altsel.independence.GSquare(data, samples_per_cell=0)
    matrix = np.column_stack([data.X[name].cat.codes for name in data.features] + [data.y.cat.codes])
    kernels = {"numpy": None, "numba": LOOPS.compiled}

    def fresh() -> None:
        test._columns._strata.clear()  # type: ignore[union-attr]

    for size in SIZES:
        peer = theirs(matrix, "gsq", data.features, size)
        for label, kernel in kernels.items():
            for name in ("after", "ready"):
                setattr(LOOPS, name, lambda *_, kernel=kernel: kernel)  # for this run only
            mine = ours(test, data.features, size, fresh)
            yield line(f"G-square, {label}", rows, size, mine, peer)


def numeric(rows: int) -> Iterator[str]:
    """Compare partial correlations: sets out of nothing, and sets that grow by one as in a search."""
    random = np.random.default_rng(0)
    values = random.normal(size=(rows, 36)) @ (np.eye(36) + 0.3 * random.normal(size=(36, 36)))
    y = values[:, :4].sum(axis=1) + random.normal(size=rows)
    data = altsel.Dataset(values, pd.Series(y, name="y"))
    test = altsel.independence.PartialCorrelation(data, fisher=True)
    matrix = np.column_stack([values, y])
    for size in SIZES:
        peer = theirs(matrix, "fisherz", data.features, size)
        cold = ours(test, data.features, size, test._factors.forget)
        yield line("partial correlation, any set", rows, size, cold, peer)
        if size:
            grown = _growing(test, size)
            yield line("partial correlation, set grown by one", rows, size, grown, peer)


def _growing(test: altsel.independence.PartialCorrelation, size: int) -> float:
    total = []
    for given in sets(test.features, size):
        candidates = [name for name in test.features if name not in given]

        def call(candidates: list[str] = candidates, given: list[str] = given) -> None:
            test(candidates, given)

        times = []
        for _ in range(REPEATS):
            test(candidates, given[:-1])
            began = time.perf_counter()
            call()
            times.append(1e6 * (time.perf_counter() - began))
        total.append(min(times) / len(candidates))
    return float(np.mean(total[1:]))


def logistic(rows: int) -> Iterator[str]:
    """Compare logistic likelihood ratios: all exact, and only the leading ones by score."""
    random = np.random.default_rng(0)
    values = random.normal(size=(rows, 36)) @ (np.eye(36) + 0.3 * random.normal(size=(36, 36)))
    y = (random.random(rows) < 1 / (1 + np.exp(-0.5 * values[:, :4].sum(axis=1)))).astype(int)
    data = altsel.Dataset(values, pd.Series(y, name="y"))
    for size in SIZES:
        given = sets(data.features, size)[1]
        peer = []
        for name in [one for one in data.features if one not in given][:5]:
            design = sm.add_constant(data.X[[*given, name]].to_numpy())
            began = time.perf_counter()
            sm.Logit(y, design).fit(disp=0)
            peer.append(1e6 * (time.perf_counter() - began))
        test = altsel.independence.LikelihoodRatio(data)
        for label, wanted in (("all exact", test), ("ranked by score", test.best_first)):
            mine = ours(wanted, data.features, size, test.forget)
            yield line(f"logistic ratio, {label}", rows, size, mine, float(np.median(peer)))


def main() -> None:
    """Print one row a test, number of rows and size of the set given."""
    warnings.simplefilter("ignore")
    print(stamped())
    print("| test | rows | given | altsel, µs a test | peer, µs a test | ratio |")
    print("|---|---|---|---|---|---|")
    for rows in (discrete(5000), discrete(50000), numeric(5000), logistic(5000)):
        for row in rows:
            print(row, flush=True)


if __name__ == "__main__":
    main()
