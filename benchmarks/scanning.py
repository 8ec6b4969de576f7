"""Tables that do not fit in memory: scans of Parquet files, beside DuckDB and polars on the same files.

``python -m benchmarks.scanning [--large]`` writes ``benchmarks/results/scanning.md``. Data are made in a
temporary folder and removed: 50 features, 13 of them text, 12 small integers, 25 floats; ten depend on the
target, ten others are noisy copies of these. Each measurement is a process of its own with one thread; memory
is what it held at most.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np

import altsel
from altsel.runtime.memory import peak
from benchmarks.command import stamped

RESULTS = Path(__file__).parent / "results"
PARTS, PIECE, BINS = 8, 250_000, 5
SMALL, USUAL, LARGE = 500_000, 5_000_000, 20_000_000
KILLS = 5
LETTERS = np.array(["ash", "birch", "cedar", "elm", "fir", "oak"], dtype=object)


def made(folder: Path, rows: int) -> None:
    """Write the files."""
    import pyarrow as pa  # noqa: PLC0415
    import pyarrow.parquet as pq  # noqa: PLC0415

    random_state = np.random.default_rng(0)
    folder.mkdir(parents=True)
    for part in range(PARTS):
        writer = None
        for first in range(0, rows // PARTS, PIECE):
            table = pa.table(piece(random_state, min(PIECE, rows // PARTS - first)))
            writer = writer or pq.ParquetWriter(
                folder / f"part{part}.parquet", table.schema, compression="zstd"
            )
            writer.write_table(table)
        assert writer is not None
        writer.close()


def piece(random_state: np.random.Generator, rows: int) -> dict[str, Any]:
    """Make some rows."""
    sizes = np.random.default_rng(1).integers(2, 7, 25).tolist()
    target = random_state.integers(0, 2, rows).astype(np.uint8)
    columns: dict[str, Any] = {}
    for j, size in enumerate(sizes):
        code = random_state.integers(0, size, rows).astype(np.uint8)
        if j < 5:
            follow = random_state.random(rows, dtype=np.float32) < 0.03 * (j + 1)
            code[follow] = target[follow]
        elif j < 10:
            follow = random_state.random(rows, dtype=np.float32) < 0.3
            code[follow] = np.minimum(columns[f"c{j - 5:02d}"][follow], size - 1)
        columns[f"c{j:02d}"] = code
    for j in range(25):
        value = random_state.standard_normal(rows, dtype=np.float32)
        if j < 5:
            value += np.float32(0.05 * (j + 1)) * target
        elif j < 10:
            value += np.float32(0.5) * columns[f"x{j - 5:02d}"]
        columns[f"x{j:02d}"] = value
    import pyarrow as pa  # noqa: PLC0415

    text = {name: LETTERS[columns[name]] for name in [f"c{j:02d}" for j in range(1, 25, 2)] + ["c00"]}
    return {**columns, **{name: pa.array(value, pa.string()) for name, value in text.items()}, "y": target}


def names() -> list[str]:
    """Return the names of all columns."""
    return [f"c{j:02d}" for j in range(25)] + [f"x{j:02d}" for j in range(25)] + ["y"]


def pattern(folder: Path) -> str:
    """Return what stands for the files."""
    return str(folder / "*.parquet")


def scan_counts(folder: Path, store: str = "") -> dict[str, Any]:
    """Count all pairs, after the passes that find edges."""
    began = Clock()
    scan = altsel.Dataset.scan(pattern(folder), "y", bins=BINS, store=store or None)
    edges = began.now()
    statistics = scan.statistics()
    found = began.now()
    return {
        "edges": edges,
        "statistics": [b - a for a, b in zip(edges, found, strict=True)],
        "fingerprint": statistics.fingerprint,
        "rows": statistics.rows,
        "check": int(
            (statistics.counts.astype(np.uint64) * np.arange(len(statistics.counts), dtype=np.uint64)).sum()
        ),
    }


def integers(folder: Path, engine: str) -> dict[str, Any]:
    """Count all pairs of the 25 columns of few values and the target, by one engine."""
    used = [name for name in names() if name[0] != "x"]
    counted = None
    began = Clock()
    if engine == "altsel":
        drop = [name for name in names() if name[0] == "x"]
        scan = altsel.Dataset.scan(pattern(folder), "y", drop=drop)
        first = began.now()
        statistics = scan.statistics()
        counted = [b - a for a, b in zip(first, began.now(), strict=True)]
        cells = sum(int((statistics.table(a, b) > 0).sum()) for a, b in itertools.combinations(used, 2))
    elif engine == "duckdb":
        import duckdb  # noqa: PLC0415

        connection = duckdb.connect()
        connection.execute("set threads=1")
        sets = ",".join(f"({a},{b})" for a, b in itertools.combinations(used, 2))
        source = f"read_parquet('{pattern(folder)}')"
        query = f"select {','.join(used)}, count(*) from {source} group by grouping sets ({sets})"
        cells = len(connection.execute(query).fetchall())
    else:
        import polars as pl  # noqa: PLC0415

        frame = pl.scan_parquet(pattern(folder))
        queries = [frame.group_by(a, b).len() for a, b in itertools.combinations(used, 2)]
        cells = sum(
            len(found)
            for first in range(0, len(queries), 100)
            for found in pl.collect_all(queries[first : first + 100], engine="streaming")
        )
    seconds = began.now()
    return {"seconds": seconds, "counted": counted or seconds, "cells": cells}


def searches(folder: Path, store: str) -> dict[str, Any]:
    """Answer questions from counts that are kept."""
    scan = altsel.Dataset.scan(pattern(folder), "y", bins=BINS, store=store)
    statistics = scan.statistics()
    result: dict[str, Any] = {}

    def timed(name: str, answer: Callable[[], altsel.Solutions]) -> None:
        began, passes = Clock(), scan.joint.passes
        found = answer()
        sets = [list(one.features) for one in found][:3]
        result[name] = [*began.now(), scan.joint.passes - passes, len(found), sets, found.stop.value]

    relevance = altsel.dependence(statistics, altsel.measures.mutual_information)
    uncertainty = altsel.dependence(statistics, altsel.measures.symmetric_uncertainty)
    test = altsel.independence.GSquare(scan)
    timed(
        "mRMR, k = 10, five alternatives",
        lambda: altsel.sequential(altsel.Problem(altsel.MRMR(relevance), 10), altsel.Dice(0.5), 5),
    )
    timed(
        "CFS, k = 10",
        lambda: altsel.sequential(altsel.Problem(altsel.CFS(uncertainty), 10), altsel.Dice(0.5), 0),
    )
    timed("HITON-MB, G-square", lambda: altsel.blankets.hiton_mb(test, alpha=1e-6))
    words = [name for name, kind in scan.kinds.items() if kind is altsel.data.Kind.CATEGORICAL]
    numbers = altsel.Dataset.scan(pattern(folder), "y", drop=words, store=store)
    partial = altsel.independence.PartialCorrelation(numbers.statistics())
    for name, search in (("HITON-MB", altsel.blankets.hiton_mb), ("TMFBS", altsel.blankets.tmfbs)):
        timed(f"{name}, partial correlation", lambda search=search: search(partial, alpha=1e-6))  # type: ignore[misc]
    timed("ranking by JMI, k = 5", lambda: altsel.ranking.jmi(scan, 5))
    limits = altsel.blankets.Limits(max_seconds=60)
    timed("TMFBS, G-square, 60 seconds", lambda: altsel.blankets.tmfbs(test, alpha=1e-6, limits=limits))
    return result


def killed(folder: Path, seed: str) -> dict[str, Any]:
    """Count with a process that is killed at a random moment, and go on; say what was left to do."""
    store = folder.parent / f"store{seed}"
    whole = subprocess_of("scan_counts", folder)
    wait = random.Random(seed).uniform(0.2, 0.95) * whole["wall"]
    process = subprocess.Popen(command("scan_counts", folder, str(store)), stdout=subprocess.DEVNULL)
    time.sleep(wait)
    process.send_signal(signal.SIGKILL)
    process.wait()
    kept = len(list(store.glob("*.npz"))) if store.exists() else 0
    resumed = subprocess_of("scan_counts", folder, str(store))
    stored = len(list(store.glob("*.npz")))
    shutil.rmtree(store, ignore_errors=True)
    same = resumed["fingerprint"] == whole["fingerprint"] and resumed["check"] == whole["check"]
    return {"after": wait, "kept": kept, "of": stored, "same": same}


class Clock:
    """CPU and wall seconds since it was made."""

    def __init__(self) -> None:
        self._cpu, self._wall = time.process_time(), time.perf_counter()

    def now(self) -> list[float]:
        """Return both."""
        return [time.process_time() - self._cpu, time.perf_counter() - self._wall]


def command(what: str, folder: Path, *arguments: str) -> list[str]:
    """Return the command of a measurement in its own process."""
    return [sys.executable, "-m", "benchmarks.scanning", "--measure", what, str(folder), *arguments]


def subprocess_of(what: str, folder: Path, *arguments: str) -> dict[str, Any]:
    """Measure in a process of its own; add its CPU and wall seconds and the memory it held."""
    began = time.perf_counter()
    done = subprocess.run(command(what, folder, *arguments), capture_output=True, text=True, check=True)
    return {**json.loads(done.stdout), "wall": time.perf_counter() - began}


def measured(what: str, folder: Path, *arguments: str) -> None:
    """Do one measurement in this process, and print it."""
    known = {one.__name__: one for one in (scan_counts, integers, searches, in_memory)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = known[what](folder, *arguments)
    print(json.dumps({**found, "cpu": time.process_time(), "memory": (peak() or 0) / 1e6}))


def in_memory(folder: Path) -> dict[str, Any]:
    """Compare a scan with a Dataset of the same rows."""
    import pyarrow.dataset  # noqa: PLC0415

    began = Clock()
    table = pyarrow.dataset.dataset(folder).to_table()
    data = altsel.data.binned(altsel.Dataset(table, "y"), BINS)
    seconds = began.now()
    scan = altsel.Dataset.scan(pattern(folder), "y", bins=BINS)
    statistics = scan.statistics()
    from altsel.data.columns import codes  # noqa: PLC0415

    coded = [*(codes(data.X[name]) for name in data.features), codes(data.y)]
    wrong = 0
    for i, j in itertools.combinations(range(len(coded)), 2):
        width = int(coded[j].max()) + 1
        counts = np.bincount(coded[i] * width + coded[j]).reshape(-1, width)
        wrong += not np.array_equal(counts, statistics.counts_of(i, j))
    measures = altsel.measures
    differ = {
        measure.name: float(
            np.abs(
                altsel.dependence(statistics, measure).redundancy.to_numpy()
                - altsel.dependence(data, measure).redundancy.to_numpy()
            ).max()
        )
        for measure in (measures.mutual_information, measures.symmetric_uncertainty)
    }
    return {
        "tables that differ": wrong,
        "tables": len(coded) * (len(coded) - 1) // 2,
        "differ": differ,
        "seconds": seconds,
    }


def report(folder: Path, large: bool) -> str:
    """Do what was not done yet, and write about all of it; measurements are kept in the folder."""
    sizes = {"small": SMALL, "usual": USUAL}
    for name, rows in sizes.items():
        if not (folder / name).exists():
            made(folder / name, rows)
    if large and not (folder / "large").exists():
        _multiplied(folder / "usual", folder / "large")
    kept = folder / "measured.json"
    done: dict[str, Any] = json.loads(kept.read_text()) if kept.exists() else {}

    def once(key: str, measure: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        if key not in done:
            done[key] = measure()
            kept.write_text(json.dumps(done))
        return dict(done[key])

    small, usual = folder / "small", folder / "usual"
    same = once("same", lambda: subprocess_of("in_memory", small))
    engines = {
        engine: once(engine, lambda engine=engine: subprocess_of("integers", usual, engine))  # type: ignore[misc]
        for engine in ("altsel", "polars", "duckdb")
    }
    scans = {"500 thousand": once("small", lambda: subprocess_of("scan_counts", small))}
    scans["5 million"] = once("usual", lambda: subprocess_of("scan_counts", usual))
    if large:
        scans["20 million"] = once("large", lambda: subprocess_of("scan_counts", folder / "large"))
    kills = [once(f"kill {seed}", lambda seed=seed: killed(small, str(seed))) for seed in range(KILLS)]  # type: ignore[misc]
    answers = once("searches", lambda: subprocess_of("searches", usual, str(folder / "store")))
    return text(same, engines, scans, kills, answers)


def _multiplied(source: Path, folder: Path) -> None:
    """Make four times as many rows of the same files under other names."""
    folder.mkdir()
    for copy in range(LARGE // USUAL):
        for path in source.glob("*.parquet"):
            os.link(path, folder / f"copy{copy}-{path.name}")


def text(
    same: dict[str, Any],
    engines: dict[str, dict[str, Any]],
    scans: dict[str, dict[str, Any]],
    kills: list[dict[str, Any]],
    answers: dict[str, Any],
) -> str:
    """Write the page."""
    versions = ", ".join(
        f"{name} {metadata.version(name)}" for name in ("pyarrow", "numpy", "duckdb", "polars")
    )
    lines = [
        "# Tables that do not fit in memory",
        "",
        f"`python -m benchmarks.scanning --large`; {versions}. Parquet (zstd, row groups of at most 250,000 "
        "rows) of 50 features, 13 of them text, 12 small integers, 25 floats that are cut into five bins of "
        "equal frequency, and a binary target. CPU seconds of one thread in a process of its own on a shared "
        "machine, start and import included; memory is the most that it held. Scaled down: the 20 million "
        "rows are the files of the 5 million, four times; scans were killed at 500,000 rows, in 8 parts.",
        "",
        "## Counts of all 1,275 pairs, and all moments",
        "",
        "| rows | kinds, levels, edges of bins | counts, moments | in all | a million rows | memory |",
        "|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {name} | {one['edges'][0]:.1f} s | {one['statistics'][0]:.1f} s | {one['cpu']:.1f} s "
        f"| {1e6 * one['cpu'] / one['rows']:.1f} s | {one['memory']:.0f} MB |"
        for name, one in scans.items()
    ]
    differ = ", ".join(f"{name.split(' (')[0]} {value:.1e}" for name, value in same["differ"].items())
    lines += [
        "",
        "Row groups of the smallest have 62,500 rows, of the others 250,000: memory does not grow with rows.",
        "",
        f"At 500,000 rows {same['tables'] - same['tables that differ']} of {same['tables']} tables are "
        f"those of `binned(Dataset(...), 5)`, number by number; redundancies differ by at most: {differ}. "
        f"To read and cut the rows in memory took {same['seconds'][0]:.1f} s and {same['memory']:.0f} MB.",
        "",
        "## The same tables by other engines",
        "",
        "All 325 tables of the 25 columns of few values and the target, 5 million rows: what the others "
        "count by one query (DuckDB: grouping sets; polars: lazy group-by, streaming, a hundred at a time). "
        "altsel reads twice: once for kinds and levels, which the others were not asked for, once to count.",
        "",
        "| engine | CPU in all | times altsel's | counting alone | times altsel's | memory |",
        "|---|---|---|---|---|---|",
    ]
    own = engines["altsel"]
    for name, one in engines.items():
        total, counted = one["seconds"][0], one["counted"][0]
        lines.append(
            f"| {name} | {total:.1f} s | {total / own['seconds'][0]:.1f} | {counted:.1f} s "
            f"| {counted / own['counted'][0]:.1f} | {one['memory']:.0f} MB |"
        )
    cells = {name: one["cells"] for name, one in engines.items()}
    told = ", ".join(f"{name} {number:,}" for name, number in cells.items())
    lines += ["", f"Cells that are not empty: {told}.", "", "## Killed and resumed, 500,000 rows", ""]
    lines += [
        "| killed after | results kept | results in the end | counts and fingerprint the same |",
        "|---|---|---|---|",
    ]
    lines += [
        f"| {one['after']:.1f} s | {one['kept']} | {one['of']} | {'yes' if one['same'] else 'NO'} |"
        for one in kills
    ]
    lines += [
        "",
        "## Answers, 5 million rows, counts in the store",
        "",
        "| question | CPU | passes of the files | sets found | stop | first set |",
        "|---|---|---|---|---|---|",
    ]
    for name, one in answers.items():
        if isinstance(one, list):
            cpu, _, passes, number, sets, stop = one
            first = ", ".join(sets[0]) if sets else ""
            lines.append(f"| {name} | {cpu:.1f} s | {passes} | {number} | {stop} | {first} |")
    lines += [
        "",
        "The first pass decodes the data once more and keeps the codes of all columns, a byte a value; the "
        "others read these. TMFBS with the G-square test, which conditions on all features at once, is given "
        "60 seconds of wall time: given seven and more columns it goes through the rows stratum by stratum.",
        "",
        f"Memory of the process that answered them: {answers['memory']:.0f} MB; what the system keeps of "
        "files in its own cache is not counted.",
        "",
    ]
    return "\n".join(lines)


def main() -> None:
    """Measure, and write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--large", action="store_true", help="also 20 million rows")
    parser.add_argument("--folder", type=Path, help="where data and measurements are kept; default: nowhere")
    parser.add_argument("--measure", nargs="+", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.measure:
        what, folder, *arguments = chosen.measure
        measured(what, Path(folder), *arguments)
        return
    os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", POLARS_MAX_THREADS="1")
    with tempfile.TemporaryDirectory() as temporary:
        page = report(chosen.folder or Path(temporary), chosen.large)
    (RESULTS / "scanning.md").write_text(stamped(page), encoding="utf-8")


if __name__ == "__main__":
    main()
