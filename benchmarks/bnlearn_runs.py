"""What bnlearn finds and takes on samples of known networks, kept with its version.

Run, with R and bnlearn: python -m benchmarks.bnlearn_runs FOLDER [--networks child …] [--samples 10]
Adds to results/bnlearn.csv the samples it does not have; `benchmarks.blanket_peers` needs no R then.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Collection, Hashable
from pathlib import Path

import pandas as pd

from benchmarks.blanket_readings import NEAR, scored
from benchmarks.blanket_samples import Sample, arguments, samples

RECORD = Path(__file__).parent / "results" / "bnlearn.csv"


def run(sample: Sample) -> list[dict[Hashable, object]]:
    """Run bnlearn on a sample; one row a test and search."""
    with tempfile.TemporaryDirectory() as folder:
        table, targets = Path(folder) / "sample.csv", Path(folder) / "targets.txt"
        sample.table.to_csv(table, index=False)
        targets.write_text("\n".join(sample.targets) + "\n")
        script = Path(__file__).with_name("bnlearn_sets.R")
        kind = "numeric" if sample.numeric else "discrete"
        command = ["Rscript", str(script), str(table), str(targets), kind]
        lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    version = " / R ".join(lines[0].split()[1:])
    sets: dict[tuple[str, str], dict[str, Collection[str]]] = {}
    cpu: dict[tuple[str, str], float] = {}
    for word, test, method, *rest in (line.split() for line in lines[1:]):
        if word == "cpu":
            cpu[test, method] = float(rest[0])
        else:
            sets.setdefault((test, method), {})[rest[0]] = rest[1:]
    near = {bnlearn for bnlearn, _ in NEAR.values()}
    return [
        {
            "network": sample.network,
            "rows": sample.rows,
            "sample": sample.number,
            "search": method,
            "test": test,
            "f1": round(scored(sample, found, method in near), 5),
            "cpu": round(cpu[test, method], 3),
            "bnlearn": version,
        }
        for (test, method), found in sets.items()
    ]


def main() -> None:
    """Add what is missing to the file, sample by sample."""
    parser = arguments(__doc__)
    given = parser.parse_args()
    rows = pd.read_csv(RECORD).to_dict("records") if RECORD.exists() else []
    have = {(row["network"], row["rows"], row["sample"]) for row in rows}
    for network in given.networks:
        for size in given.rows:
            for sample in samples(given.folder, network, size, given.samples):
                if (network, size, sample.number) not in have:
                    rows.extend(run(sample))
                    pd.DataFrame(rows).to_csv(RECORD, index=False)


if __name__ == "__main__":
    main()
