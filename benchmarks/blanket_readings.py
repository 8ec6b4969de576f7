"""F1 of our searches on samples of known networks: by default, with bnlearn's own tests, in another order.

Run: python -m benchmarks.blanket_readings FOLDER [--networks child …] [--rows 500 5000] [--samples 10]
Adds to results/blanket_readings.csv what it does not have; `benchmarks.blanket_peers` makes the tables of it.
"""

from __future__ import annotations

import csv
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from pathlib import Path
from statistics import mean

import altsel
from altsel import blankets, independence
from benchmarks.blanket_samples import Sample, arguments, samples

ALPHA = 0.01
RECORD = Path(__file__).parent / "results" / "blanket_readings.csv"
COLUMNS = ("network", "rows", "sample", "search", "reading", "f1")
Search = Callable[..., altsel.Solutions]
WHOLE: dict[str, tuple[str, Search]] = {
    "grow_shrink": ("gs", blankets.grow_shrink),
    "iamb": ("iamb", blankets.iamb),
    "inter_iamb": ("inter.iamb", blankets.inter_iamb),
    "fast_iamb": ("fast.iamb", blankets.fast_iamb),
}
NEAR: dict[str, tuple[str, Search]] = {
    "mmpc": ("mmpc", blankets.mmpc),
    "hiton_pc": ("si.hiton.pc", blankets.hiton_pc),
}
SEARCHES = {**WHOLE, **NEAR}
"""bnlearn's name of each search, and ours."""
TESTS: dict[str, dict[str, object]] = {
    "mi": {"corrected": False, "adjusted": False, "samples_per_cell": 0},
    "mi-adf": {"corrected": False, "adjusted": True, "untestable": "independent"},
}
"""Options of `GSquare` that make it bnlearn's test of that name: ``mi`` counts all cells, also those that
cannot occur, and tests always; ``mi-adf`` counts those that do, and calls tables of fewer than five rows a
cell independence."""


def readings(sample: Sample, name: str) -> tuple[str, ...]:
    """Name how a search is run on a sample: by default, with bnlearn's tests, or in another order."""
    if not sample.numeric:
        return ("default", *TESTS)
    return ("default", "association") if name == "grow_shrink" else ("default",)


def found(sample: Sample, data: altsel.Dataset, name: str, reading: str) -> dict[str, tuple[str, ...]]:
    """Find the set of every target by one search; the test is made here too."""
    search = SEARCHES[name][1]
    if reading == "association":
        search = partial(search, candidate_order=reading)
    options = TESTS.get(reading)
    test = independence.auto(data) if options is None else independence.GSquare(data, **options)  # type: ignore[arg-type]
    return {node: search(test.with_target(node), ALPHA)[0].features for node in sample.targets}


def f1(found: Collection[str], truth: Collection[str]) -> float:
    """Return the harmonic mean of precision and recall; 1 if there is nothing to find and nothing found."""
    right = len(set(found) & set(truth))
    return 2 * right / (len(found) + len(truth)) if found or truth else 1.0


def scored(sample: Sample, found: Mapping[str, Collection[str]], near: bool) -> float:
    """Return the mean F1 over the targets of a sample."""
    truth = sample.neighbours if near else sample.blankets
    return mean(f1(found[node], truth[node]) for node in sample.targets)


def recorded() -> dict[tuple[str, ...], float]:
    """Read the figures kept, by all columns but the last."""
    if not RECORD.exists():
        return {}
    with RECORD.open(newline="") as file:
        return {tuple(row[:-1]): float(row[-1]) for row in csv.reader(file) if row[0] != COLUMNS[0]}


def missing(
    sample: Sample, wanted: Collection[str], have: Collection[tuple[str, ...]]
) -> Iterator[list[str]]:
    """Run on one sample what is not kept yet, and yield its rows."""
    data = sample.data()
    for name in SEARCHES:
        for reading in (reading for reading in readings(sample, name) if reading in wanted):
            key = (sample.network, str(sample.rows), str(sample.number), name, reading)
            if key not in have:
                value = scored(sample, found(sample, data, name, reading), name in NEAR)
                yield [*key, f"{value:.5f}"]


def main() -> None:
    """Add what is missing to the file, sample by sample."""
    parser = arguments(__doc__)
    parser.add_argument("--readings", nargs="+", default=["default", *TESTS, "columns"])
    given = parser.parse_args()
    warnings.simplefilter("ignore", altsel.FalseDiscoveryWarning)
    have = recorded()
    if not have:
        RECORD.write_text(",".join(COLUMNS) + "\n")
    for network in given.networks:
        for rows in given.rows:
            for sample in samples(given.folder, network, rows, given.samples):
                lines = missing(sample, given.readings, have)
                with RECORD.open("a", newline="") as file:
                    csv.writer(file, lineterminator="\n").writerows(lines)


if __name__ == "__main__":
    main()
