"""Our searches beside bnlearn's: with the default test, and read with bnlearn's own test and order."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping
from functools import partial
from statistics import mean

import altsel
from altsel import blankets, independence
from altsel.search.blankets.blanket_search import BlanketSearch
from benchmarks.blanket_samples import Sample

ALPHA = 0.01
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
    """Name how a search is run on a sample: by default, with bnlearn's tests, or in bnlearn's order."""
    if not sample.numeric:
        return ("default", *TESTS)
    return ("default", "columns") if name == "grow_shrink" else ("default",)


def in_columns(sample: Sample) -> Search:
    """Return grow-shrink in the order of columns: one dependent is added, one independent leaves.

    After each of both the next is looked for from the first one again.
    """
    index = {column: j for j, column in enumerate(sample.table.columns)}

    def first(search: BlanketSearch) -> list[str]:
        candidates = sorted(search.open(), key=index.__getitem__)
        if not candidates:
            return []
        dependent = search.results(candidates, search.members).dependent(search.alpha).tolist()
        return [column for column, some in zip(candidates, dependent, strict=True) if some][:1]

    return partial(blankets.forward_backward, order_variables=first, backward_phase=remove_first)


def remove_first(search: BlanketSearch) -> None:
    """Remove the first member that is independent given the others, until there is none."""
    while out := search.each_given_the_others().independent(search.alpha).tolist():
        if not any(out):
            return
        search.members.pop(out.index(True))


def found(sample: Sample, data: altsel.Dataset, name: str, reading: str) -> dict[str, tuple[str, ...]]:
    """Find the set of every target by one search; the test is made here too."""
    search = in_columns(sample) if reading == "columns" else SEARCHES[name][1]
    options = TESTS.get(reading)
    test = independence.auto(data) if options is None else independence.GSquare(data, **options)  # type: ignore[arg-type]
    return {node: search(test.with_target(node), ALPHA)[0].features for node in sample.targets}


def ours(sample: Sample, name: str, reading: str = "default") -> tuple[float, float]:
    """Return F1 and CPU seconds of a search of ours, all targets: what the test prepares counts too.

    As bnlearn's data frame of factors, the data set is made before.
    """
    data = sample.data()
    began = time.process_time()
    sets = found(sample, data, name, reading)
    return scored(sample, sets, name in NEAR), time.process_time() - began


def f1(found: Collection[str], truth: Collection[str]) -> float:
    """Return the harmonic mean of precision and recall; 1 if there is nothing to find and nothing found."""
    right = len(set(found) & set(truth))
    return 2 * right / (len(found) + len(truth)) if found or truth else 1.0


def scored(sample: Sample, found: Mapping[str, Collection[str]], near: bool) -> float:
    """Return the mean F1 over the targets of a sample."""
    truth = sample.neighbours if near else sample.blankets
    return mean(f1(found[node], truth[node]) for node in sample.targets)
