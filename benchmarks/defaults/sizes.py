"""Sets of the size that is found, beside `RFECV`, `RFE` and `SelectKBest` of the same size."""

from __future__ import annotations

from pathlib import Path

import altsel
from benchmarks.defaults.criteria import CRITERIA, LIMIT, best, timed
from benchmarks.defaults.peers import best_by, eliminated, eliminated_by_folds
from benchmarks.defaults.records import Chosen, recorded
from benchmarks.defaults.splits import RULES, Split
from benchmarks.defaults.tables import differences, each, ways

SCORES = ("F", "information")
PEERS = (*(f"SelectKBest ({score})" for score in SCORES), "RFE")
SIZES = (5, 10)
AS_RFECV = ", as many as RFECV"
ABOVE_NOISE = "mRMR above noise"
HEAD = f"""# Sizes compared

Run: `python -m benchmarks.defaults sizes FOLDER …` (30 data sets of PMLB and those of the papers, without
those that are there twice).

{RULES}

Criteria are altsel's with their default measure; the best set is found by `altsel.sequential` in at most
{LIMIT} s. *Found* is the size that `altsel.choose_size` finds, for mRMR without the features that it leaves
out as no more relevant than noise. *mRMR above noise* is the same of as many features as `RFECV` has, or of
those that are left. `RFECV` is scikit-learn's: a logistic or
ridge regression on numbers and dummies of categories, all standardised, five folds, one feature a step, the
size with the least loss (the one that is measured on other rows); a category goes whole, by the root mean
square of its coefficients. `RFE` is the same elimination down to a given size. `SelectKBest` takes
categories as codes. CPU seconds are those of choosing, measures included.

Differences are paired: the mean over the splits of a data set, then the mean over data sets with its 95 %
interval (Student's t), in how many data sets the loss is smaller, equal, larger, and the mean difference of
each model."""


def page(folders: list[Path], number: int, file: Path | None) -> str:
    """Measure what is not in the file; return the page."""
    records = recorded(folders, number, choose, file)
    same = [f"{one}{AS_RFECV}" for one in (*CRITERIA, ABOVE_NOISE)]
    peers = [*(f"{one}{AS_RFECV}" for one in PEERS[:-1]), "RFECV"]
    found = [f"{one}, found" for one in CRITERIA]
    as_many = {one: [f"{peer}, as many as {one}" for peer in PEERS] for one in CRITERIA}
    beside = [(f"{one}, found", peer) for one in CRITERIA for peer in [*as_many[one], "RFECV", "all columns"]]
    usual = [f"{one}, {k}" for k in SIZES for one in (*CRITERIA, *PEERS)]
    parts = [
        HEAD,
        f"{len(records.names)} data sets, {len(records.losses)} splits.",
        "## As many features as RFECV chooses",
        differences(records, [(one, peer) for one in same for peer in peers]),
        ways(records, [*same, *peers]),
        "## The size that each finds",
        differences(records, beside),
        ways(records, [*found, *(way for of in as_many.values() for way in of), "RFECV", "all columns"]),
        "## Five features, and ten",
        differences(records, [(f"{one}, found", f"{one}, {k}") for one in CRITERIA for k in SIZES]),
        ways(records, usual),
        "## Each data set, as many features as RFECV chooses",
        each(records, [*same, *peers], "RFECV"),
        "## Each data set, the size that each finds",
        each(records, [*found, "RFECV", "all columns"], "RFECV"),
    ]
    return "\n\n".join(parts)


def choose(split: Split) -> Chosen:
    """Choose sets of one split in all ways."""
    chosen: Chosen = {"all columns": (split.columns, 0.0), "RFECV": timed(eliminated_by_folds, split)}
    number = {AS_RFECV: len(chosen["RFECV"][0])} | {f", {k}": k for k in SIZES}
    data = split.data()
    for label, make in CRITERIA.items():
        criterion, measuring = timed(make, data)
        size, sizing = timed(altsel.choose_size, criterion, data)
        of_that_size, seconds = timed(best, criterion, int(size.value), size.left_out)
        chosen[f"{label}, found"] = of_that_size, measuring + sizing + seconds
        if label == "mRMR":
            of_that_size, seconds = timed(best, criterion, number[AS_RFECV], size.left_out)
            chosen[f"{ABOVE_NOISE}{AS_RFECV}"] = of_that_size, measuring + sizing + seconds
        for after in (AS_RFECV, *(f", {k}" for k in SIZES)):
            of_that_size, seconds = timed(best, criterion, number[after])
            chosen[f"{label}{after}"] = of_that_size, measuring + seconds
        number[f", as many as {label}"] = int(size.value)
    ranks, eliminating = timed(eliminated, split)
    for after, k in number.items():
        for score in SCORES:
            chosen[f"SelectKBest ({score}){after}"] = timed(best_by, score, split, k)
        chosen[f"RFE{after}"] = [one for one, rank in ranks.items() if rank <= k], eliminating
    return chosen
