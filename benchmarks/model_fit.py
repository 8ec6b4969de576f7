"""Best logistic models of k features: proofs or gaps, beside a greedy climb, abess and FasterRisk's beam.

Run: OMP_NUM_THREADS=1 python -m benchmarks.model_fit FOLDER [--peers PYTHON] [--seconds 60]

FOLDER holds ``*.csv.gz`` with a column ``target``. ``--peers`` names a Python with abess and fasterrisk.
Writes results/model_fit.md. CPU seconds of one thread; numba's loops are compiled before. A gap is the share
of the loss by which a better set could be below it.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import altsel
from altsel.exact.sources.generalised.compiled import LOOPS as NODES
from altsel.exact.starts.local_search import exchange_search
from altsel.stats.generalised.compiled import LOOPS as FITS
from benchmarks.command import stamped

RESULTS = Path(__file__).parent / "results"
PEER = Path(__file__).parent / "model_fit_peers.py"
QUESTIONS = (
    *(("wdbc", k, 1.0) for k in (3, 5, 8, 10, 15)),
    *(("ionosphere", k, 1.0) for k in (3, 5, 8, 10, 15)),
    *(("statlog-heart", k, 1.0) for k in (3, 5, 8, 10)),
    *(("credit-approval", k, 1.0) for k in (3, 5, 8, 10)),
    *(("mushroom", k, 1.0) for k in (3, 5)),
    *(("sonar", k, 1.0) for k in (3, 5, 6, 8, 10)),
    *(("sonar", 5, ridge) for ridge in (0.1, 10.0)),
    *(("ionosphere", 8, ridge) for ridge in (0.1, 10.0)),
    *(("musk1", k, 1.0) for k in (3, 4)),
    *(("spambase 1000", k, 1.0) for k in (3, 5, 6)),
    *(("spambase", k, 1.0) for k in (3, 4, 6)),
    *(("ada", k, 1.0) for k in (3, 5, 6, 8)),
    *(("madelon", k, 1.0) for k in (3, 5)),
    *(("made 200", k, 1.0) for k in (3, 5, 8)),
    *(("factors 200", k, 1.0) for k in (3, 5)),
)
LISTED = (("wdbc", 6), ("ionosphere", 6))
HEAD = """# Sparse logistic models

`python -m benchmarks.model_fit FOLDER`: CPU seconds of one thread, on a shared machine; at most
{seconds:g} s of wall time each. *climb*: how much higher the loss is that a greedy climb with exchanges ends
with. abess and FasterRisk's beam search are heuristics with their default settings; the loss of their set
under the ridge is computed anew.

## The best set of k

| data | rows | n | k | ridge | loss | proof | nodes | s | climb | abess s, loss | FasterRisk s, loss |
|---|---|---|---|---|---|---|---|---|---|---|---|
"""
NEAR = """
## All models within 1 % of the best loss

| data | k | sets | stop | nodes | s |
|---|---|---|---|---|---|
"""


def table(name: str, folder: Path) -> altsel.Dataset:
    """Return a data set of two classes; ``made`` and ``factors`` are synthetic."""
    kind, _, number = name.partition(" ")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", altsel.DataWarning)
        if kind in {"made", "factors"}:
            return _synthetic(kind, int(number))
        frame = pd.read_csv(folder / f"{kind}.csv.gz", keep_default_na=False, na_values=[""]).dropna()
        if number:
            frame = frame.iloc[np.random.default_rng(0).permutation(len(frame))[: int(number)]]
        return altsel.Dataset(frame.drop(columns="target"), frame["target"], task="binary")


def _synthetic(kind: str, n: int) -> altsel.Dataset:
    """Make 10,000 rows of independent columns, or of eight factors; twelve columns tell the class."""
    rng = np.random.default_rng(n)
    columns = rng.normal(size=(10_000, n))
    if kind == "factors":
        columns += rng.normal(size=(10_000, 8)) @ rng.normal(size=(8, n)) / np.sqrt(8)
    signal = columns[:, :12] @ rng.normal(size=12)
    classes = signal / signal.std() + rng.logistic(size=10_000) > 0
    return altsel.Dataset(pd.DataFrame(columns, columns=[f"x{j}" for j in range(n)]), classes, task="binary")


def by_peers(python: str, quality: Any, classes: Any, k: int) -> dict[str, Any]:
    """Return what abess and FasterRisk find in standardised columns, in another environment."""
    model = quality.model_fit.model
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "table.npz"
        np.savez(file, columns=model.columns[:-1].T, target=classes)
        done = subprocess.run(
            [python, str(PEER), str(file), str(k)], capture_output=True, text=True, timeout=600, check=False
        )
    lines = done.stdout.splitlines()
    return json.loads(lines[-1]) if lines else {}


def _peer_cell(found: dict[str, Any], name: str, quality: Any) -> str:
    one = found.get(name)
    if not one or "set" not in one:
        return "failed" if found else ""
    mask = np.isin(np.arange(len(quality.features)), one["set"])
    return f"{one['seconds']:.2f}, {_loss(quality, quality.score(mask)):.3f}"


def _loss(quality: Any, score: float) -> float:
    return float((1.0 - score) * quality.model_fit.model.null)


def best_rows(folder: Path, seconds: float, python: str | None) -> Iterator[str]:
    """Yield the rows of the first table."""
    for name, k, ridge in QUESTIONS:
        data = table(name, folder)
        quality = altsel.ModelFit(data, ridge=ridge)
        problem = altsel.Problem(quality, k=k)
        began = time.process_time()
        found = altsel.sequential(problem, altsel.Dice(0.5), 0, time_limit=seconds)
        spent = time.process_time() - began
        best = found[0]
        loss, bound = _loss(quality, best.score), _loss(quality, best.bound or best.score)
        proof = "optimal" if best.gap == 0 else f"gap {(loss - bound) / loss:.1%}"
        climbed = exchange_search(problem, altsel.Dice(0), [], restarts=0)
        above = _loss(quality, quality.checked_score(problem.mask(climbed or best.features))) - loss
        numbers = bool((quality.model_fit.model.widths == 1).all())
        others = by_peers(python, quality, data.target_values(), k) if python and numbers else {}
        peers = " | ".join(_peer_cell(others, one, quality) for one in ("abess", "fasterrisk"))
        size = f"{len(data.y):,} | {len(quality.features)} | {k} | {ridge:g}"
        told = f"{loss:.3f} | {proof} | {found.effort.nodes:,} | {spent:.2f} | {above:.3f} | {peers}"
        yield f"| {name} | {size} | {told} |"


def near_rows(folder: Path, seconds: float) -> Iterator[str]:
    """Yield the rows of the second table."""
    for name, k in LISTED:
        quality = altsel.ModelFit(table(name, folder))
        problem = altsel.Problem(quality, k=k)
        best = altsel.sequential(problem, altsel.Dice(0.5), 0)[0]
        within = altsel.AbsoluteLoss(0.01 * (1.0 - best.score))
        began = time.process_time()
        near = altsel.near_optimal(problem, within, limit=100_000, time_limit=seconds)
        spent = time.process_time() - began
        yield f"| {name} | {k} | {len(near):,} | {near.stop.value} | {near.effort.nodes:,} | {spent:.2f} |"


def main() -> None:
    """Run all, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--peers", metavar="PYTHON")
    parser.add_argument("--seconds", type=float, default=60.0)
    options = parser.parse_args()
    assert FITS.compiled is not None, "needs numba"
    assert NODES.compiled is not None
    warm = altsel.Problem(altsel.ModelFit(table("sonar", options.folder)), k=4)
    altsel.sequential(warm, altsel.Dice(0.5), 0)  # so that loops are loaded
    lines = [HEAD.format(seconds=options.seconds).rstrip("\n")]
    for row in best_rows(options.folder, options.seconds, options.peers):
        print(row, flush=True)
        lines.append(row)
    lines.append(NEAR.rstrip("\n"))
    for row in near_rows(options.folder, options.seconds):
        print(row, flush=True)
        lines.append(row)
    (RESULTS / "model_fit.md").write_text(stamped("\n".join(lines) + "\n"))


if __name__ == "__main__":
    main()
