"""What is odd about single columns of a usable table: classes out of balance, numbers far from the others."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Any

import numpy as np
import pandas as pd

from altsel.data.columns import numbers
from altsel.data.dataset import Dataset
from altsel.data.findings.finding import Effect, Finding, options
from altsel.data.schema import Kind

FAR = 10.0
"""Interquartile ranges beyond the quartiles from which a number is far from the others."""
FEW_FAR = 0.02
"""Share of the rows up to which numbers are called outliers, not a long tail."""
RARE, RARE_ROWS = 0.05, 10
"""Share and number of rows below which a class is rare."""
OFTEN, LEVELS, GAP = 0.05, 10, 0.5
"""Share of the rows from which an extreme number may stand for something else, different numbers of the
others, and what lies between, in ranges of the others."""
CODE = re.compile(r"-?(9+|8+|7+|1)")
"""Numbers that stand for a missing value in many surveys."""
NUMERIC = {Kind.CONTINUOUS, Kind.INTEGER, Kind.COUNT}


def balance(data: Dataset) -> Iterator[Finding]:
    """Yield what is odd about the classes of a target, or about numbers that are taken for classes."""
    if not data.discrete_target:
        return
    counts, name = data.y.value_counts(), data.target
    if len(counts) == len(data.y):
        message = f"the target {name!r} is different in every row: names of rows, not classes?"
        yield Finding("unique target", (name,), message, effect=Effect.REMARK)
        return
    rare = counts[(counts < RARE_ROWS) | (counts < RARE * len(data.y))]
    if len(rare):
        parts = ", ".join(f"{label} ({count:,})" for label, count in rare.iloc[:5].items())
        message = (
            f"classes of {name!r} are rare among {len(data.y):,} rows: {parts}; a model that never says them "
            "is accurate, so score by balanced accuracy"
        )
        fix = "altsel performance … --scoring balanced_accuracy"
        yield Finding("class balance", (name,), message, fix, "scoring='balanced_accuracy'", Effect.REMARK)
    if data.y.dtype != "category" and len(data.classes) > 2:
        message = f"the target {name!r} holds integers, read as {len(data.classes)} classes"
        fix = "--task regression"
        yield Finding("numbers as classes", (name,), message, fix, "task='regression'", Effect.REMARK)


def outliers(data: Dataset, tokens: Collection[str] = ()) -> Iterator[Finding]:
    """Yield columns of numbers with a few values far from all others; `tokens` mean a missing value."""
    columns = {name: data.X[name] for name in data.features if data.kinds[name] in NUMERIC}
    if not data.discrete_target:
        columns[data.target] = data.y
    for name, column in columns.items():
        far, rest = _divided(column)
        if len(far):
            yield _of_far(name, sorted(far.tolist(), key=abs), rest, tokens)


def _divided(column: pd.Series[Any]) -> tuple[Any, Any]:
    """Return the values that are far from the others, if they are few or one and the same, and the others."""
    values = numbers(column)
    for often in (values == values.min(), values == values.max()):
        rest = values[~often]
        if often.mean() >= OFTEN and len(np.unique(rest)) >= LEVELS:
            between = max(rest.min() - values[often][0], values[often][0] - rest.max())
            if between > GAP * (rest.max() - rest.min()):
                return values[often], rest
    first, third = np.quantile(values, [0.25, 0.75])
    far = (values < first - FAR * (third - first)) | (values > third + FAR * (third - first))
    if first == third or far.sum() > max(FEW_FAR * len(values), 1):  # a long tail, or most rows are alike
        far[:] = False
    return values[far], values[~far]


def _of_far(name: str, far: list[float], rest: Any, tokens: Collection[str]) -> Finding:
    values = f"{len(far)} value{'' if len(far) == 1 else 's'}"
    shown = ", ".join(f"{one:g}" for one in dict.fromkeys(far[::-1][:3]))
    message = f"{name!r} has {values} far from the others ({rest.min():g} to {rest.max():g}): {shown}"
    if len(set(far)) > 1 or (len(far) == 1 and not CODE.fullmatch(f"{far[0]:g}")):
        message = f"{message}; the default measure goes by ranks, and does not heed how far"
        return Finding("outliers", (name,), message, effect=Effect.REMARK)
    named = [*tokens, f"{far[0]:g}"]
    message = f"{message}; if that means a missing value, say so"
    argument = f"reading=Reading(missing={tuple(named)!r})"
    return Finding("outliers", (name,), message, options("na", named), argument, Effect.REMARK)
