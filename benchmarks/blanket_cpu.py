"""CPU seconds of our searches and of bnlearn's in turn, on networks with 5,000 rows; it needs R and bnlearn.

Run: OMP_NUM_THREADS=1 python -m benchmarks.blanket_cpu FOLDER [--networks child …] [--samples 3]
Replaces the figures of these networks in results/blanket_cpu.csv; `benchmarks.blanket_peers` shows them.
"""

from __future__ import annotations

import argparse
import time
import warnings
from pathlib import Path
from statistics import median

import pandas as pd

import altsel
from benchmarks import bnlearn_runs
from benchmarks.blanket_readings import SEARCHES, TESTS, found
from benchmarks.blanket_samples import NETWORKS, Sample, samples

RECORD = Path(__file__).parent / "results" / "blanket_cpu.csv"
ROWS, OURS, THEIRS = 5000, 4, 2
"""Rows, and runs of each side: two of ours, then one of bnlearn's, and so on."""


def seconds(data: altsel.Dataset, sample: Sample, name: str, reading: str = "default") -> float:
    """Take the CPU time of a search of ours for all targets, with what its test prepares of the data."""
    began = time.process_time()
    found(sample, data, name, reading)
    return time.process_time() - began


def timed(sample: Sample) -> list[dict[str, object]]:
    """Run both sides in turn on a sample; one row a search, with the test of bnlearn's better F1."""
    data = sample.data()
    ways = [(name, reading) for name in SEARCHES for reading in ("default", *TESTS)]
    ours: dict[tuple[str, str], list[float]] = {way: [] for way in ways}
    theirs = []
    for turn in range(OURS):
        for way in ways:
            ours[way].append(seconds(data, sample, *way))
        if turn % (OURS // THEIRS):
            theirs.extend(bnlearn_runs.run(sample))
    runs = pd.DataFrame(theirs)
    rows: list[dict[str, object]] = []
    for name, (method, _) in SEARCHES.items():
        by_test = runs[runs["search"] == method].groupby("test")
        best = str(by_test["f1"].mean().idxmax())
        cpu = {
            "altsel": median(ours[name, "default"]),
            "same_test": median(ours[name, best]),
            "bnlearn": float(by_test["cpu"].median()[best]),
        }
        key = {"network": sample.network, "sample": sample.number, "search": name, "test": best}
        rows.append({**key, **{side: f"{value:.4f}" for side, value in cpu.items()}})
    return rows


def main() -> None:
    """Time network after network, and put the figures in the place of those kept."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="folder of BIF files")
    parser.add_argument("--networks", nargs="+", default=NETWORKS)
    parser.add_argument("--samples", type=int, default=3)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    for network in given.networks:
        drawn = list(samples(given.folder, network, ROWS, given.samples))
        for name in SEARCHES:
            for reading in ("default", *TESTS):
                seconds(
                    drawn[0].data(), drawn[0], name, reading
                )  # loads what is compiled, once for a process
        rows = pd.DataFrame([row for sample in drawn for row in timed(sample)])
        kept = pd.read_csv(RECORD) if RECORD.exists() else rows[:0]
        pd.concat([kept[kept["network"] != network], rows]).to_csv(RECORD, index=False)


if __name__ == "__main__":
    main()
