"""Tables of many columns: seconds and memory of reading, measuring, ranking and searching, a process a case.

Run: python -m benchmarks.width [--before CHECKOUT] [--million] [--only WORDS]  (CHECKOUT: of an earlier
commit; with words only the cases whose names have them, which are printed and not written)
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.command import folder_of, stamped

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "benchmarks" / "results" / "width.md"
WIDTHS, MILLION = (1_000, 10_000, 100_000), 1_000_000
FEW_ROWS, MANY_ROWS = 60, 2_000
LIMITS = {MILLION: 4_000_000_000}
ADDRESSES = 2_000_000_000
"""Bytes of addresses that a process may take, unless `LIMITS` says others (as by ``ulimit -v``)."""
LONGEST = 180
"""CPU seconds after which a case is ended."""
START = """
import atexit, resource, warnings
resource.setrlimit(resource.RLIMIT_AS, ({addresses}, {addresses}))
resource.setrlimit(resource.RLIMIT_CPU, ({seconds}, {seconds} + 5))
warnings.simplefilter("ignore")
import altsel, pandas, pyarrow.parquet
from altsel.runtime.memory import peak
atexit.register(lambda: print("peak", peak()))
"""
PEARSON = "-k 5 --measure absolute-pearson"
COMMAND = f"""
import contextlib, io, sys
from altsel.cli.app import main
sys.argv = "altsel select {{file}} --target target {PEARSON}".split()
with contextlib.redirect_stdout(io.StringIO()):
    try:
        main()
    except SystemExit as end:
        sys.exit(end.code)
"""
BINARY = """
import numpy as np
from altsel import measures, ranking
X, y = np.load("{file}", mmap_mode="r"), np.load("{file}.target.npy")
data = altsel.Dataset(X, y)
"""
CHAIN = """
found = altsel.Univariate(altsel.dependence(data, measures.absolute_pearson))
found = altsel.sequential(altsel.Problem(found, 5), altsel.Dice(0.5), 5)
assert all(str(one.proof) == "optimal" for one in found)
"""
SCREENED = """
found = altsel.Problem(altsel.{criterion}(data), 10)
found = altsel.sequential(found, altsel.Dice(0.5), 5)
assert all(str(one.proof) == "optimal" for one in found)
"""


@dataclass(frozen=True)
class Case:
    """What a process does with a table: its file's kind, and lines of Python."""

    name: str
    kind: str
    lines: str


@dataclass(frozen=True)
class Cost:
    """CPU seconds and largest resident memory of a process, in MB; what it said if it failed."""

    seconds: float
    peak: float
    failed: str = ""


CASES = (
    Case("`Dataset` of Parquet", "parquet", "altsel.Dataset('{file}', 'target')"),
    Case("`Dataset` of CSV", "csv", "altsel.Dataset('{file}', 'target')"),
    Case(
        "`Dataset` of a pandas frame",
        "parquet",
        "altsel.Dataset(pyarrow.parquet.ParquetFile('{file}').read().to_pandas(), 'target')",
    ),
    Case("`altsel select`, Parquet", "parquet", COMMAND),
    Case("`altsel select`, CSV", "csv", COMMAND),
    Case("0 and 1: `Dataset`", "npy", BINARY),
    Case("0 and 1: Pearson", "npy", f"{BINARY}measures.absolute_pearson.relevance(data)"),
    Case("0 and 1: symmetric uncertainty", "npy", f"{BINARY}measures.symmetric_uncertainty.relevance(data)"),
    Case("0 and 1: association", "npy", f"{BINARY}measures.association.relevance(data)"),
    Case("0 and 1: six best sets of 5, Pearson", "npy", f"{BINARY}{CHAIN}"),
    Case("0 and 1: mRMR, 200 steps", "npy", f"{BINARY}ranking.mrmr(data, 200, bins=2)"),
    Case("0 and 1: gOMP", "npy", f"{BINARY}ranking.gomp(data, alpha=1e-5)"),
    Case(
        "0 and 1: SES, partial correlations",
        "npy",
        f"{BINARY}altsel.blankets.ses(altsel.independence.PartialCorrelation(data), 1e-5)",
    ),
    *(
        Case(f"0 and 1: six best sets of 10, {name}", "npy", BINARY + SCREENED.format(criterion=criterion))
        for name, criterion in (("mRMR", "MRMR"), ("CFS", "CFS"), ("FCBF", "FCBF"))
    ),
    Case(
        "`altsel select --objective mrmr`, Parquet",
        "parquet",
        COMMAND.replace(PEARSON, "-k 10 --objective mrmr"),
    ),
    Case(
        "`altsel select --objective cfs`, Parquet",
        "parquet",
        COMMAND.replace(PEARSON, "-k 10 --objective cfs"),
    ),
)


def prepared(folder: Path, kind: str, width: int) -> tuple[Path, float]:
    """Write a table once; return its file, and the bytes of its values in MB."""
    path = folder / f"{width}.{kind}"
    rows, size = (MANY_ROWS, 1) if kind == "npy" else (FEW_ROWS, 4)
    if not path.exists():
        random = np.random.default_rng(width)
        if kind == "npy":
            _write_binary(path, width, random)
        else:
            _write_numbers(path, random.normal(size=(rows, width)).astype(np.float32))
    return path, rows * width * size / 1e6


def _write_numbers(path: Path, values: np.ndarray) -> None:
    names = [f"c{j}" for j in range(values.shape[1])]
    target = (values[:, 0] + values[:, 1] > 0).astype(np.int8)
    if path.suffix == ".parquet":
        pq.write_table(
            pa.Table.from_arrays([*map(pa.array, values.T), pa.array(target)], [*names, "target"]), path
        )
        return
    with path.open("w") as file:
        file.write(",".join([*names, "target"]) + "\n")
        for row, label in zip(values, target, strict=True):
            file.write(",".join(map("{:.6g}".format, row)) + f",{label}\n")


def _write_binary(path: Path, width: int, random: np.random.Generator) -> None:
    values = np.lib.format.open_memmap(path, "w+", np.int8, (MANY_ROWS, width))
    for first in range(0, MANY_ROWS, 50):
        values[first : first + 50] = random.random((50, width), dtype=np.float32) < 0.3
    signal = values[:, :5].sum(axis=1) + random.normal(size=MANY_ROWS)
    np.save(f"{path}.target.npy", (signal > 1.5).astype(np.int64))
    values.flush()


def run(lines: str, checkout: Path, addresses: int) -> Cost:
    """Run lines of Python by the altsel of a checkout, with so many bytes of addresses."""
    places = {"PYTHONPATH": str(checkout), "ARROW_DEFAULT_MEMORY_POOL": "system"}
    process = subprocess.Popen(
        [sys.executable, "-c", START.format(addresses=addresses, seconds=LONGEST) + lines],
        env=os.environ | places | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
        cwd=checkout,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    assert process.stdout is not None
    said, told = process.stderr.read().strip().splitlines(), process.stdout.read().split()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    over = f"not ended in {LONGEST} s" if process.returncode == -signal.SIGXCPU else ""
    last = over or (said[-1] if said else f"ended by signal {-process.returncode}")
    failed = last if process.returncode else ""
    peak = int(told[-1]) / 1e6 if told[-2:-1] == ["peak"] else float("nan")  # none if it was ended
    return Cost(used.ru_utime + used.ru_stime, peak, failed)


def exponent(costs: dict[int, Cost]) -> str:
    """Return the exponent of the columns in the seconds beyond those of the fewest, which all take."""
    done = {width: one.seconds for width, one in costs.items() if not one.failed}
    least = done.pop(min(done), 0.0) if done else 0.0
    beyond = {width: seconds - least for width, seconds in done.items() if seconds > least}
    if len(beyond) < 2:
        return ""
    slope = np.polyfit(np.log(list(beyond)), np.log(list(beyond.values())), 1)[0]
    return f"{slope:.2f}"


def rows(folder: Path, cases: list[Case], checkouts: list[Path], widths: tuple[int, ...]) -> Iterator[str]:
    """Measure cases, and yield the rows of the page."""
    for case in cases:
        all_costs: list[dict[int, Cost]] = [{} for _ in checkouts]
        sizes: dict[int, float] = {}
        for width in widths if case.kind == "npy" else [one for one in widths if one < MILLION]:
            file, sizes[width] = prepared(folder, case.kind, width)
            for costs, checkout in zip(all_costs, checkouts, strict=True):
                lines = case.lines.replace("{file}", str(file))
                costs[width] = run(lines, checkout, LIMITS.get(width, ADDRESSES))
                print(case.name, width, costs[width], file=sys.stderr, flush=True)
        for width, size in sizes.items():
            cells = [_cell(costs[width]) for costs in all_costs]
            grows = exponent(all_costs[-1]) if width == max(sizes) else ""
            yield f"| {case.name} | {width:,} | {size:,.3g} | {' | '.join(cells)} | {grows} |"


def _cell(cost: Cost) -> str:
    if not cost.failed:
        return f"{cost.seconds:.1f} | {cost.peak:,.0f}"
    short = any(word in cost.failed for word in ("MemoryError", "alloc", "more memory"))
    return f"{cost.seconds:.1f} | {'out of memory' if short else cost.failed[:60].replace('|', '/')}"


TEXT = f"""# Many columns

`python -m benchmarks.width{{options}}`: CPU seconds and largest resident memory of a new process a case,
one thread, its start and imports ({{start.seconds:.1f}} s and {{start.peak:.0f}} MB) included, beside
the bytes of the values themselves. A process may take {ADDRESSES / 1e9:g} GB of addresses (as by
`ulimit -v`), of a million columns {LIMITS[MILLION] / 1e9:g} GB. Arrow takes its memory from the system
(`ARROW_DEFAULT_MEMORY_POOL=system`, which the command line sets by itself).

Tables: {FEW_ROWS} rows of `float32` normals; {MANY_ROWS:,} rows of 0 and 1 as `int8` in a file of numpy
(`np.load(…, mmap_mode="r")`), which `Dataset` takes without a copy. `altsel select` finds the best five
columns by absolute Pearson correlation, or ten by a criterion of pairs, and what 19 shuffled targets reach.
Sets are proved, by the criteria's own measures; pairs are measured among few features. The last column
is x in `columns^x`, fitted to the seconds beyond those of a thousand columns.

"""


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--before", type=folder_of("altsel"), help="checkout of an earlier commit")
    parser.add_argument("--million", action="store_true", help="a million columns of 0 and 1, too")
    parser.add_argument("--only", default="", help="words in the names of cases, which are printed only")
    given = parser.parse_args()
    checkouts = [*([given.before.resolve()] if given.before else []), ROOT]
    widths = (*WIDTHS, MILLION) if given.million else WIDTHS
    head = ["case", "columns", "MB of values"]
    head += ["seconds before", "MB before"] if given.before else []
    head += ["seconds", "MB", "grows"]
    with tempfile.TemporaryDirectory() as folder:
        table = [*rows(Path(folder), [one for one in CASES if given.only in one.name], checkouts, widths)]
        start = run("", ROOT, ADDRESSES)
    options = f"{' --before CHECKOUT' if given.before else ''}{' --million' if given.million else ''}"
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}", *table]
    if given.only:
        print(*table, sep="\n")
        return
    PAGE.write_text(stamped(TEXT.format(options=options, start=start) + "\n".join(lines) + "\n"))


if __name__ == "__main__":
    main()
