"""Which ways find five features that matter, in eight kinds of generated data."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

import altsel
from altsel.measures import (
    CorrelationRatio,
    Measure,
    MutualInformation,
    SymmetricUncertainty,
    absolute_spearman,
    association,
    correlation_ratio,
    gaussian_copula_information,
    mutual_information,
    symmetric_uncertainty,
)
from altsel.models import Objective
from benchmarks.generated import KINDS, TARGETS, WIDE, drawn

Way = Callable[[altsel.Dataset], list[str]]
K = 5
JUDGED = 300
"""Rows at which defaults are judged."""
U_SHAPED = {"curved": {"t0", "t1", "t2"}}
CATEGORICAL = {"categories": {"t0", "t1", "t2", "t3", "t4"}, "mixed": {"t2", "t3"}}
HEAD = """# Measures compared on generated data

Run: `python -m benchmarks.defaults generated{arguments}` ({seeds} seeds; `benchmarks.generated` says what
is drawn). Five features of fifteen or more matter; a way chooses five: the most relevant by a measure, or
the best set of mRMR or CFS with association (*association* itself is the default of a plain sum). *Plain*
measures keep what chance gives. Spearman and the Gaussian copula take no categories.

Features that matter among the five; the share found of the effects that are U-shaped (three of *curved*)
and of those of categories (*categories*, two of *mixed*); in how many of the sets of *many levels* and
*mixed* a noise category of 200 levels or more is; what the two halves of the rows share of their sets; CPU
seconds of all."""


def relevant(measure: Measure) -> Way:
    """Return what chooses the features of largest relevance."""
    return lambda data: most(measure.relevance(data), data)


def by_p(data: altsel.Dataset) -> list[str]:
    """Choose by the p-value of the test that `auto` chooses."""
    return most(-altsel.independence.auto(data)(list(data.features)).log_p, data)


def most(values: np.ndarray, data: altsel.Dataset) -> list[str]:
    """Return the features of largest values."""
    return [data.features[j] for j in np.argsort(-values, kind="stable")[:K]]


def best(make: Callable[[altsel.Dataset], Objective]) -> Way:
    """Return what chooses the best set by a criterion."""

    def choose(data: altsel.Dataset) -> list[str]:
        found = altsel.sequential(altsel.Problem(make(data), K), altsel.Dice(0.5), 0)
        return list(found[0].features)

    return choose


DEFAULTS: dict[str, Way] = {
    "association": relevant(association),
    "mRMR, association": best(altsel.MRMR),
    "CFS, association": best(altsel.CFS),
}
WAYS: dict[str, Way] = DEFAULTS | {
    "p of a test": by_p,
    "mutual information": relevant(mutual_information),
    "symmetric uncertainty": relevant(symmetric_uncertainty),
    "correlation ratio": relevant(correlation_ratio),
    "Spearman": relevant(absolute_spearman),
    "Gaussian copula": relevant(gaussian_copula_information),
    "mutual information, plain": relevant(MutualInformation(debiased=False)),
    "symmetric uncertainty, plain": relevant(SymmetricUncertainty(debiased=False)),
    "correlation ratio, plain": relevant(CorrelationRatio(debiased=False)),
}


@dataclass(frozen=True)
class Tried:
    """What a way found in one size and kind of target; nan where it takes no such data."""

    found: tuple[float, ...]
    u_shaped: float
    categorical: float
    wide: float
    halves: float
    seconds: float

    @property
    def mean(self) -> float:
        """Return the mean over kinds of data."""
        return float(np.mean(self.found))


def page(seeds: int, sizes: list[int]) -> str:
    """Try all ways; return the page."""
    tried = {
        (rows, target): {name: _tried(way, rows, target, seeds) for name, way in WAYS.items()}
        for rows in sizes
        for target in TARGETS
    }
    arguments = f" --seeds {seeds} --rows {' '.join(map(str, sizes))}"
    parts = [HEAD.format(arguments=arguments, seeds=seeds), "## Mean over kinds of data", _means(tried)]
    if JUDGED in sizes:
        parts += [f"## At {JUDGED} rows, mean over targets", _judged([tried[JUDGED, one] for one in TARGETS])]
    for (rows, target), of_ways in tried.items():
        parts += [f"## {rows:,} rows, {target}", _table(of_ways)]
    return "\n\n".join(parts)


def _tried(way: Way, rows: int, target: str, seeds: int) -> Tried:
    began = time.process_time()
    sets: dict[str, list[list[str]]] = {kind: [] for kind in KINDS}
    halves = []
    for kind, chosen in sets.items():
        for seed in range(seeds):
            table, y = drawn(kind, target, rows, seed)
            try:
                chosen.append(way(altsel.Dataset(table, y, keep=list(table))))
            except altsel.DataError:
                break
            if seed < seeds // 3:
                parts = (table.iloc[: rows // 2], table.iloc[rows // 2 :])
                two = [way(altsel.Dataset(one, y[one.index], keep=list(one))) for one in parts]
                halves.append(len(set(two[0]) & set(two[1])) / K)
    return Tried(
        tuple(_share(sets, {kind: {f"t{j}" for j in range(K)}}) * K for kind in KINDS),
        _share(sets, U_SHAPED),
        _share(sets, CATEGORICAL),
        _mean([bool(WIDE[kind] & set(one)) for kind in WIDE for one in sets[kind]]),
        _mean(halves),
        time.process_time() - began,
    )


def _share(sets: dict[str, list[list[str]]], wanted: dict[str, set[str]]) -> float:
    """Return the share of the wanted features that is in the sets of those kinds."""
    return _mean([name in one for kind, names in wanted.items() for one in sets[kind] for name in names])


def _mean(values: list[bool] | list[float]) -> float:
    return float(np.mean(values)) if values else float("nan")


def _means(tried: dict[tuple[int, str], dict[str, Tried]]) -> str:
    lines = [f"| rows, target | {' | '.join(WAYS)} |", "|---" * (len(WAYS) + 1) + "|"]
    for (rows, target), of_ways in tried.items():
        cells = " | ".join(_number(one.mean) for one in of_ways.values())
        lines.append(f"| {rows:,} rows, {target} | {cells} |")
    return "\n".join(lines)


def _judged(tried: list[dict[str, Tried]]) -> str:
    """Return what is asked of a default: found, wide noise, and effects that others find."""
    lines = [
        "| way | found | of 200 levels or more | U-shaped, found | categorical, found |",
        "|---|---|---|---|---|",
    ]
    for name in WAYS:
        of_way = [one[name] for one in tried]
        columns = [[one.mean for one in of_way], *([getattr(one, part) for one in of_way] for part in PARTS)]
        lines.append(f"| {name} | {' | '.join(_number(float(np.mean(one))) for one in columns)} |")
    return "\n".join(lines)


PARTS = ("wide", "u_shaped", "categorical")


def _table(of_ways: dict[str, Tried]) -> str:
    heads = [*KINDS, "mean", "U-shaped", "categorical", "of 200 levels or more", "halves"]
    lines = [f"| way | {' | '.join(heads)} | CPU s |", "|---" * (len(heads) + 2) + "|"]
    for name, one in of_ways.items():
        numbers = [*one.found, one.mean, one.u_shaped, one.categorical, one.wide, one.halves]
        lines.append(f"| {name} | {' | '.join(map(_number, numbers))} | {one.seconds:.1f} |")
    return "\n".join(lines)


def _number(value: float) -> str:
    return "–" if np.isnan(value) else f"{value:.2f}"
