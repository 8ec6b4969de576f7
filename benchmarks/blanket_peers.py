"""Searches for blankets and neighbours beside bnlearn's: F1 and CPU seconds on samples of known networks.

Run: python -m benchmarks.blanket_peers FOLDER [--networks child …] [--rows 500 5000] [--samples 10]
With R and bnlearn: --record FILE runs bnlearn on the same samples and adds its figures to FILE; without,
they are read from there.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
import time
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from pathlib import Path
from statistics import mean

import numpy as np
import pandas as pd

import altsel
from altsel import blankets
from benchmarks.blanket_samples import GAUSSIANS, NETWORKS, Sample, samples

ALPHA = 0.01
RECORD = Path(__file__).parent / "results" / "bnlearn.csv"
WHOLE: dict[str, tuple[str | None, Callable[..., altsel.Solutions]]] = {
    "grow_shrink": ("gs", blankets.grow_shrink),
    "iamb": ("iamb", blankets.iamb),
    "inter_iamb": ("inter.iamb", blankets.inter_iamb),
    "fast_iamb": ("fast.iamb", blankets.fast_iamb),
    "forward_backward": (None, blankets.forward_backward),
    "hiton_mb": (None, blankets.hiton_mb),
    "stmb": (None, blankets.stmb),
}
NEAR: dict[str, tuple[str | None, Callable[..., altsel.Solutions]]] = {
    "mmpc": ("mmpc", blankets.mmpc),
    "hiton_pc": ("si.hiton.pc", blankets.hiton_pc),
}
SEARCHES = {**WHOLE, **NEAR}
"""bnlearn's name of each search, and ours."""


def f1(found: Collection[str], truth: Collection[str]) -> float:
    """Return the harmonic mean of precision and recall; 1 if there is nothing to find and nothing found."""
    right = len(set(found) & set(truth))
    return 2 * right / (len(found) + len(truth)) if found or truth else 1.0


def scored(sample: Sample, found: Mapping[str, Collection[str]], near: bool) -> float:
    """Return the mean F1 over the targets of a sample."""
    truth = sample.neighbours if near else sample.blankets
    return mean(f1(found[node], truth[node]) for node in sample.targets)


def ours(sample: Sample, name: str) -> tuple[float, float]:
    """Return F1 and CPU seconds of a search of ours, all targets: what the test prepares counts too.

    As bnlearn's data frame of factors, the data set is made before.
    """
    data = sample.data()
    began = time.process_time()
    test = altsel.independence.auto(data)
    search = SEARCHES[name][1]
    found = {node: search(test.with_target(node), ALPHA)[0].features for node in sample.targets}
    return scored(sample, found, name in NEAR), time.process_time() - began


def theirs(sample: Sample) -> list[dict[Hashable, object]]:
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


def record(file: Path, drawn: Iterable[Sample]) -> None:
    """Add bnlearn's figures of samples to a file, but for those it has."""
    rows = pd.read_csv(file).to_dict("records") if file.exists() else []
    have = {(row["network"], row["rows"], row["sample"]) for row in rows}
    for sample in drawn:
        if (sample.network, sample.rows, sample.number) not in have:
            rows.extend(theirs(sample))
            pd.DataFrame(rows).to_csv(file, index=False)


def compared(drawn: list[Sample], name: str, known: pd.DataFrame) -> str:
    """Write the row of one search: ours, bnlearn's with each test, the difference to the better one, CPU."""
    ours(drawn[0], name)  # loads what is compiled, once for a process
    mine = [ours(sample, name) for sample in drawn]
    scores, cpu = (np.array(part) for part in zip(*mine, strict=True))
    cells = [f"{name}", _mean(scores)]
    peers = known[known["search"] == SEARCHES[name][0]]
    if peers.empty:
        return " | ".join([*cells, "", "", "", "", f"{cpu.mean():.2f}", "", ""])
    tables = {test: part.sort_values("sample").head(len(drawn)) for test, part in peers.groupby("test")}
    for test in ("mi", "mi-adf", "cor"):
        cells.append(_mean(tables[test]["f1"].to_numpy()) if test in tables else "")
    best = max(tables, key=lambda test: float(tables[test]["f1"].mean()))
    recorded = len(tables[best])  # bnlearn takes hours on some
    difference = scores[:recorded] - tables[best]["f1"].to_numpy()
    seconds = float(tables[best]["cpu"].mean())
    cells += [_mean(difference, "+"), f"{cpu.mean():.2f}", f"{seconds:.2f}", f"{cpu.mean() / seconds:.2f}"]
    return " | ".join(cells)


def _mean(values: np.ndarray, sign: str = "") -> str:
    error = np.std(values, ddof=1) / np.sqrt(len(values)) if len(values) > 1 else float("nan")
    return f"{values.mean():{sign}.3f} ± {error:.3f}"


def main() -> None:
    """Print one table a network and size."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="folder of BIF files")
    parser.add_argument("--networks", nargs="+", default=[*NETWORKS, *GAUSSIANS])
    parser.add_argument("--rows", type=int, nargs="+", default=[500, 5000])
    parser.add_argument("--samples", type=int, default=10)
    parser.add_argument("--searches", nargs="+", default=list(SEARCHES))
    parser.add_argument("--record", type=Path, help="run bnlearn and add its figures to this file")
    arguments = parser.parse_args()
    for name in arguments.networks:
        for rows in arguments.rows:
            drawn = list(samples(arguments.folder, name, rows, arguments.samples))
            if arguments.record:
                record(arguments.record, drawn)
                continue
            known = pd.read_csv(RECORD)
            known = known[(known["network"] == name) & (known["rows"] == rows)]
            print(f"\n### {name}, {rows} rows, {len(drawn)} samples\n")
            print(
                "| search | F1 | bnlearn `mi` | `mi-adf` | `cor` | to the better | CPU s | bnlearn | ratio |"
            )
            print("|---|---|---|---|---|---|---|---|---|")
            for search in arguments.searches:
                print(f"| {compared(drawn, search, known)} |", flush=True)


if __name__ == "__main__":
    main()
