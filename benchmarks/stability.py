"""Stability of single answers and of collections where several sets explain the target; a resumed run.

    python -m benchmarks.stability several  # the case of the introduction of TMFBS, by rows and level
    python -m benchmarks.stability killed   # 200 resamples on two workers, killed twice and resumed
    python -m benchmarks.stability real     # ionosphere: searches for one set, for alternatives, for blankets

Each prints a section of benchmarks/results/stability.md.
"""

from __future__ import annotations

import argparse
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import altsel
from benchmarks.command import stamped

IONOSPHERE = Path(__file__).parents[1] / "examples" / "data" / "ionosphere.csv.gz"
RESAMPLES = 200


@dataclass(frozen=True)
class Blankets:
    """All blankets by TMFBS; `level` is that of the tests of equivalence."""

    level: float

    def __call__(self, rows: altsel.Dataset) -> altsel.Solutions:
        """Search."""
        test = altsel.independence.PartialCorrelation(rows)
        equivalent = altsel.comparison.recommended_criterion(test, self.level)
        return altsel.blankets.tmfbs(test, 0.001, equivalent=equivalent)


@dataclass(frozen=True)
class Alternatives:
    """The best five features and alternatives by sums of correlations."""

    number: int

    def __call__(self, rows: altsel.Dataset) -> altsel.Solutions:
        """Search."""
        quality = altsel.Univariate(altsel.dependence(rows, altsel.measures.absolute_pearson))
        return altsel.sequential(altsel.Problem(quality, 5), altsel.Dice(0.4), self.number)


def several_solutions(rows: int) -> altsel.Dataset:
    """Return two causes, each measured three times with hardly any error: nine sets explain the target."""
    random = np.random.default_rng(0)
    causes = random.normal(size=(2, rows))
    table = {f"{'ab'[c]}{i}": causes[c] + 0.03 * random.normal(size=rows) for c in range(2) for i in range(3)}
    table |= {f"noise{i}": random.normal(size=rows) for i in range(3)}
    return altsel.Dataset(table, causes.sum(axis=0) + random.normal(size=rows))


def several() -> None:
    """Print stability by rows and level."""
    print("## Several solutions\n")
    print(
        "Two causes, each measured three times with hardly any error (standard deviation "
        ".03), three noises, target: the"
    )
    print(
        f"sum of the causes and an error. Nine sets explain the target. {RESAMPLES} "
        "subsamples of half the rows, TMFBS at"
    )
    print("alpha .001; the level is that of the tests of equivalence. ± 95 %.\n")
    print("| rows | level | sets in all rows | first sets, Nogueira | two first sets | two collections |")
    print("|---|---|---|---|---|---|")
    for rows in (300, 1000, 3000):
        for level in (0.05, 0.001):
            found = altsel.stability(Blankets(level), several_solutions(rows), RESAMPLES, "subsample")
            cells = [str(one) for one in (found.nogueira, found.first, found.collection)]
            print(f"| {rows} | {level:g} | {len(found.reference)} | {' | '.join(cells)} |", flush=True)


def real() -> None:
    """Print stability of searches of ionosphere."""
    data = altsel.Dataset(IONOSPHERE, "target")
    print(f"\n## Ionosphere\n\n{RESAMPLES} subsamples of half the 351 rows.\n")
    print("| search | sets in all rows | first sets, Nogueira | two first sets | two collections |")
    print("|---|---|---|---|---|")
    searches: dict[str, Alternatives | Blankets] = {
        "best five, no alternative": Alternatives(0),
        "best five, three alternatives": Alternatives(3),
        "best five, ten alternatives": Alternatives(10),
        "all blankets, level .05": Blankets(0.05),
    }
    for name, search in searches.items():
        found = altsel.stability(search, data, RESAMPLES, "subsample")
        cells = [str(one) for one in (found.nogueira, found.first, found.collection)]
        print(f"| {name} | {len(found.reference)} | {' | '.join(cells)} |", flush=True)


def killed() -> None:
    """Kill a worker, then the whole run, then resume it; compare with a run that was left alone."""
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "runs.sqlite"
        call = [sys.executable, "-W", "ignore", "-m", "benchmarks.stability", "resumable", str(store)]
        run = subprocess.Popen(call, stdout=subprocess.PIPE, text=True, start_new_session=True)
        _wait(store, 40)
        worker = _workers(run.pid)[0]
        os.kill(worker, signal.SIGKILL)
        at_worker = _stored(store)
        _wait(store, 120)
        os.killpg(run.pid, signal.SIGKILL)
        run.wait()
        at_all = _stored(store)
        again = subprocess.run(call, capture_output=True, text=True, check=True)
        alone = altsel.stability(Alternatives(3), altsel.Dataset(IONOSPHERE, "target"), RESAMPLES)
    print(
        f"\n## Killed and resumed\n\n{RESAMPLES} bootstrap resamples of ionosphere on two "
        "workers (loky): a worker was killed"
    )
    print(
        f"(SIGKILL) with {at_worker} results stored, the run went on; driver and workers "
        f"were killed with {at_all} stored;"
    )
    same = again.stdout.strip() == alone.to_json(None)
    print(
        f"the same call then did the other {RESAMPLES + 1 - at_all} only. Result the same "
        f"as of one process left alone: {same}."
    )


def resumable(store: str) -> None:
    """Run what is killed and resumed."""
    data = altsel.Dataset(IONOSPHERE, "target")
    print(altsel.stability(Alternatives(3), data, RESAMPLES, n_jobs=2, store=store).to_json(None))


def _wait(store: Path, number: int) -> None:
    while not store.exists() or _stored(store) < number:
        time.sleep(0.02)


def _stored(store: Path) -> int:
    try:
        with sqlite3.connect(store, timeout=60) as base:
            return int(base.execute("SELECT count(*) FROM results").fetchone()[0])
    except sqlite3.OperationalError:  # the table is not made yet
        return 0


def _workers(driver: int) -> list[int]:
    """Return the processes a driver has begun that compute."""
    children = Path(f"/proc/{driver}/task/{driver}/children").read_text().split()
    return [int(pid) for pid in children if "popen_loky" in Path(f"/proc/{pid}/cmdline").read_text()]


def main() -> None:
    """Run one part."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("part", choices=["several", "killed", "real", "resumable"])
    parser.add_argument("store", nargs="?")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    began = time.process_time()
    if options.part == "resumable":
        resumable(options.store)
        return
    print(stamped())
    {"several": several, "killed": killed, "real": real}[options.part]()
    print(f"\n{time.process_time() - began:.0f} s of CPU.")


if __name__ == "__main__":
    main()
