"""Tables read, mRMR stated and `altsel select` from end to end, before and after: CPU seconds and memory.

Run: OMP_NUM_THREADS=1 python -m benchmarks.intake BEFORE [FOLDER] > benchmarks/results/intake.md
BEFORE is a checkout of an earlier commit (git worktree add --detach BEFORE COMMIT); FOLDER holds the sets of
`SETS` as CSV. Each measurement is a process of its own; earlier and later ones take turns.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

ROOT = Path(__file__).parents[1]
ROWS, WIDE, TRIES, SEARCH_SECONDS = 500_000, 100_000, 1, 100
PHASES = ("reading", "measures", "search")
SETS = ("arcene", "leukemia", "prostate", "uji-longitude", "madelon")
Result = dict[str, Any]
COMMAND = "--target target --objective mrmr -k 10 --measure absolute-pearson --alternatives 5"
"""Options of the command that is compared."""
OF_SELECTIONS = f"""`altsel select FILE {COMMAND} --time-limit {SEARCH_SECONDS}`,
before / after. The limit is one of the clock, for the whole command: on a busy machine the search gets a
small part of it, as its CPU seconds show."""


def write_rows(path: Path) -> None:
    """Write 25 columns of text or dictionaries, 2 to 29 levels, 25 of floats and a target to Parquet."""
    import pyarrow as pa  # noqa: PLC0415
    from pyarrow import parquet  # noqa: PLC0415

    random = np.random.default_rng(0)
    columns: dict[str, Any] = {}
    for j in range(25):
        levels = np.array([f"level {i}" for i in range(int(random.integers(2, 30)))])
        codes = random.integers(0, len(levels), ROWS)
        names = pa.array(levels)
        columns[f"c{j}"] = (
            names.take(pa.array(codes))
            if j % 2
            else pa.DictionaryArray.from_arrays(codes.astype("i4"), names)
        )
        columns[f"f{j}"] = random.normal(size=ROWS)
    columns["target"] = random.integers(0, 2, ROWS)
    parquet.write_table(pa.table(columns), path)


def parquet_file(path: Path) -> Callable[[], Any]:
    """Read rows from a file."""
    import altsel  # noqa: PLC0415

    return lambda: altsel.Dataset(path, "target")


def pairs_of_rows(path: Path) -> Callable[[], Any]:
    """Measure the symmetric uncertainty of all pairs of them, numbers in five bins."""
    import altsel  # noqa: PLC0415

    data = altsel.Dataset(path, "target")
    return lambda: altsel.measures.symmetric_uncertainty.redundancy(data)


def wide_array(path: Path) -> Callable[[], Any]:
    """Take 200 x 100,000 floats."""
    import altsel  # noqa: PLC0415

    table, target = np.random.default_rng(0).normal(size=(200, WIDE)), np.arange(200) % 2
    return lambda: altsel.Dataset(table, target)


def logical(path: Path) -> Callable[[], Any]:
    """Take 1,000,000 x 50 of true and false."""
    import pandas as pd  # noqa: PLC0415

    import altsel  # noqa: PLC0415

    table = pd.DataFrame(np.random.default_rng(0).random((1_000_000, 50)) < 0.3).rename(columns=str)
    return lambda: altsel.Dataset(table, np.arange(1_000_000) % 2)


def sparse(path: Path) -> Callable[[], Any]:
    """Take a sparse matrix of 20,000 x 2,000, 1 % ones, and measure the mutual information of all pairs."""
    from scipy.sparse import csr_array  # noqa: PLC0415

    import altsel  # noqa: PLC0415

    table = csr_array(np.random.default_rng(0).random((20_000, 2000)) < 0.01, dtype=float)

    def call() -> Any:
        try:
            data = altsel.Dataset(table, np.arange(20_000) % 2)
        except altsel.ArgumentError:  # as it was before
            data = altsel.Dataset(table.toarray(), np.arange(20_000) % 2)
        altsel.measures.mutual_information.redundancy(data)
        return data

    return call


def first_node(path: Path) -> Callable[[], Any]:
    """State mRMR of 8,000 features, whose correlations are given, up to the first node of the search."""
    import altsel  # noqa: PLC0415
    from altsel.exact.sources.quadratic import branch_and_bound  # noqa: PLC0415

    random = np.random.default_rng(0)
    relevance, factors = random.random(8000), random.normal(size=(8000, 60))
    factors /= np.linalg.norm(factors, axis=1)[:, None]
    redundancy = np.abs(factors @ factors.T)
    np.minimum(redundancy, redundancy.T, out=redundancy)

    def reached(*_: Any) -> Any:
        raise KeyboardInterrupt

    patch.object(branch_and_bound.Search, "examine", reached).start()

    def call() -> None:
        problem = altsel.Problem(altsel.MRMR(altsel.Dependence(relevance, redundancy)), 10)
        with suppress(KeyboardInterrupt):
            altsel.sequential(problem, altsel.Dice(0.5), 5)

    return call


CASES: dict[str, tuple[str, Callable[[Path], Callable[[], Any]]]] = {
    "parquet": ("500,000 x 50 from Parquet, half categorical", parquet_file),
    "pairs": ("the symmetric uncertainties of all pairs of them", pairs_of_rows),
    "array": ("200 x 100,000 floats", wide_array),
    "logical": ("1,000,000 x 50 true and false", logical),
    "sparse": ("20,000 x 2,000 sparse, 1 % ones, and mutual information of all pairs", sparse),
    "mrmr": ("mRMR of 8,000 features, up to the first node", first_node),
}


def memory(entry: str) -> float:
    """Return an entry of what Linux says of this process, in MB."""
    text = Path("/proc/self/status").read_text()
    return float(re.findall(rf"{entry}:\s+(\d+)", text)[0]) / 1000


def measure(case: str, path: Path) -> None:
    """Print CPU seconds and added memory of one case, and the fingerprint of the data that it makes."""
    import altsel  # noqa: PLC0415

    warnings.simplefilter("ignore")
    small = altsel.Dataset({"a": [1, 2, 3, 4], "b": list("xyxy")}, [0, 1, 0, 1])  # imports what is needed
    altsel.measures.symmetric_uncertainty.redundancy(small)
    call = CASES[case][1](path)
    gc.collect()
    Path("/proc/self/clear_refs").write_text("5")  # forget the peak so far
    held, began = memory("VmRSS"), time.process_time()
    made = call()
    result = {"cpu": time.process_time() - began, "peak": memory("VmHWM") - held}
    print(json.dumps({**result, "same": getattr(made, "fingerprint", None)}))


def printed(checkout: Path, arguments: list[str]) -> tuple[str, str]:
    """Run Python on a checkout; return what it prints, and what it says of its work."""
    environment = {**os.environ, "PYTHONPATH": str(checkout)}
    # -P: modules are looked for in the checkout, not beside this file
    done = subprocess.run(
        [sys.executable, "-P", *arguments],
        env=environment,
        capture_output=True,
        text=True,
        cwd=checkout,
        check=False,  # 4 where a limit was reached
    )
    return done.stdout, done.stderr


def best(results: list[Result]) -> Result:
    """Return the least seconds and memory of several tries."""
    return {**results[0], **{what: min(one[what] for one in results) for what in ("cpu", "peak")}}


def cases(before: Path, path: Path, chosen: list[str]) -> Iterator[str]:
    """Compare the cases."""
    yield "| what | CPU s before | after | ratio | MB before | after | same data |"
    yield "|---|---|---|---|---|---|---|"
    for case in chosen:
        tries: dict[Path, list[Result]] = {before: [], ROOT: []}
        for _ in range(TRIES):
            for checkout, results in tries.items():
                answer, _ = printed(checkout, [__file__, "--case", case, str(path)])
                results.append(json.loads(answer.splitlines()[-1]))
        old, new = best(tries[before]), best(tries[ROOT])
        same = "" if new["same"] is None else ("yes" if old["same"] == new["same"] else "NO")
        ratio = old["cpu"] / new["cpu"]
        yield (
            f"| {CASES[case][0]} | {old['cpu']:.2f} | {new['cpu']:.2f} | {ratio:.1f} | {old['peak']:,.0f} "
            f"| {new['peak']:,.0f} | {same} |"
        )


def selections(before: Path, folder: Path, chosen: list[str]) -> Iterator[str]:
    """Compare the command on the widest sets, by what it says of its work; before / after."""
    yield f"| data | rows x features | CPU s reading | {' | '.join(PHASES[1:])} | in all | peak | proved |"
    yield "|---|---|---|---|---|---|---|---|"
    for name in chosen:
        file = folder / f"{name}.csv.gz"
        command = ["-m", "altsel", "select", str(file), *COMMAND.split(), "--format", "json", "--verbose"]
        command += ["--time-limit", str(SEARCH_SECONDS)]
        columns = [_selection(*printed(one, command)) for one in (before, ROOT)]
        cells = (" / ".join(pair) for pair in zip(*columns, strict=True))
        yield f"| {name} | {shape(file)} | {' | '.join(cells)} |"


def _selection(answer: str, told: str) -> list[str]:
    parts = re.findall(r"(\w[a-z ]*) ([\d,.]+) s(?: \(CPU ([\d,.]+) s\))?", told.splitlines()[-1])
    seconds = {what: cpu or wall for what, wall, cpu in parts}  # CPU seconds are told where they are others
    peak = re.findall(r"peak memory (.*)", told)[-1]
    sets = json.loads(answer)["sets"]
    proved = f"{sum(one['proof'] == 'optimal' for one in sets)} of {len(sets)}"
    return [*(seconds.get(what, "0") for what in (*PHASES, "in all")), peak, proved]


def shape(file: Path) -> str:
    """Count rows and features of a file."""
    import pandas as pd  # noqa: PLC0415

    table = pd.read_csv(file, keep_default_na=False, na_values=[""], low_memory=False)
    return f"{len(table):,} x {table.shape[1] - 1:,}"


def main() -> None:
    """Print all tables, or measure one case."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("before", type=Path, nargs="?")
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--case", nargs=2, metavar=("NAME", "FILE"))
    parser.add_argument("--only", nargs="*", default=list(CASES), choices=list(CASES))
    parser.add_argument("--sets", nargs="*", default=list(SETS))
    given = parser.parse_args()
    if given.case:
        measure(given.case[0], Path(given.case[1]))
        return
    commit = subprocess.run(
        ["git", "-C", str(given.before), "log", "-1", "--format=%h %cs"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    # checkouts that are measured may not have it
    from benchmarks.command import stamped  # noqa: PLC0415

    print(stamped(f"# Reading data\n\nBefore: commit {commit}. {__doc__}"))
    with tempfile.TemporaryDirectory() as temporary:
        path = Path(temporary) / "rows.parquet"
        write_rows(path)
        for line in cases(given.before, path, given.only):
            print(line, flush=True)
    if given.folder:
        print(f"\n{OF_SELECTIONS}\n")
        for line in selections(given.before, given.folder, given.sets):
            print(line, flush=True)


if __name__ == "__main__":
    main()
