"""Five features by many measures and criteria: losses of three models on other rows of data sets."""

from __future__ import annotations

from pathlib import Path

from altsel import dependence
from altsel.measures import (
    Association,
    CorrelationRatio,
    Measure,
    MutualInformation,
    SymmetricUncertainty,
    association,
    correlation_ratio,
    mutual_information,
    symmetric_uncertainty,
)
from benchmarks.defaults.criteria import CRITERIA, LIMIT, best, timed
from benchmarks.defaults.peers import best_by, eliminated
from benchmarks.defaults.records import Chosen, recorded
from benchmarks.defaults.splits import RULES, Split
from benchmarks.defaults.tables import differences, each, ways

K = 5
MEASURED: dict[str, tuple[Measure, tuple[str, ...]]] = {
    "association": (association, ("sum", "mRMR", "CFS")),
    "association, not squared": (Association(squared=False), ("mRMR", "CFS")),
    "mutual information": (mutual_information, ("sum", "mRMR")),
    "symmetric uncertainty": (symmetric_uncertainty, ("sum", "mRMR", "CFS")),
    "correlation ratio": (correlation_ratio, ("sum", "mRMR", "CFS")),
    "mutual information, plain": (MutualInformation(debiased=False), ("sum", "mRMR")),
    "symmetric uncertainty, plain": (SymmetricUncertainty(debiased=False), ("sum", "mRMR", "CFS")),
    "correlation ratio, plain": (CorrelationRatio(debiased=False), ("sum", "mRMR", "CFS")),
}
"""Measures and criteria that choose by them; association squared or not gives plain sums the same sets."""
PEERS = ("SelectKBest (F)", "SelectKBest (information)", "RFE")
DEFAULTS = tuple(f"{one}, association" for one in CRITERIA)
HEAD = f"""# Measures compared on data sets

Run: `python -m benchmarks.defaults sets FOLDER …` (30 data sets of PMLB and those of the papers, without
those that are there twice): {K} features, by altsel's criteria with many measures, the best set by
`altsel.sequential` in at most {LIMIT} s, and by scikit-learn. *Plain* measures keep what chance gives.

{RULES}

Differences are paired: the mean over the splits of a data set, then the mean over data sets with its 95 %
interval (Student's t), in how many data sets the loss is smaller, equal, larger, and the mean difference of
each model."""


def page(folders: list[Path], number: int, file: Path | None) -> str:
    """Measure what is not in the file; return the page."""
    records = recorded(folders, number, choose, file)
    names = list(next(iter(records.losses.values())))
    parts = [
        HEAD,
        f"{len(records.names)} data sets, {len(records.losses)} splits.",
        ways(records, names),
        "## Defaults beside scikit-learn",
        differences(records, [(way, peer) for way in DEFAULTS for peer in PEERS]),
        "## Each data set",
        each(records, [*DEFAULTS, *PEERS], DEFAULTS[0]),
    ]
    return "\n\n".join(parts)


def choose(split: Split) -> Chosen:
    """Choose five features of one split in all ways."""
    chosen: Chosen = {}
    data = split.data()
    for name, (measure, labels) in MEASURED.items():
        given, measuring = timed(dependence, data, measure)
        for label in labels:
            features, seconds = timed(best, CRITERIA[label](given), K)
            chosen[f"{label}, {name}"] = features, measuring + seconds
    for score in ("F", "information"):
        chosen[f"SelectKBest ({score})"] = timed(best_by, score, split, K)
    ranks, seconds = timed(eliminated, split)
    chosen["RFE"] = [one for one, rank in ranks.items() if rank <= K], seconds
    return chosen
