"""The first pass of a scan: what values each column holds, in memory that does not grow with the rows."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from altsel.data.columns import LARGEST_EXACT
from altsel.data.missing_values import said_of_rows, too_few_rows
from altsel.data.scanning.decoding import Batch, Labelled, Values, ValueType
from altsel.data.scanning.quantiles import NOTHING, Histogram
from altsel.errors import DataError, DataWarning, listing
from altsel.runtime.caller import warn_caller

Arrays = dict[str, npt.NDArray[Any]]
"""What a partition gives, as arrays that a file can hold."""
NARROW = 1 << 16
"""Integers that span at most so many values are counted by a table."""
MOST_LEVELS = 1 << 16
"""A column of more categories is refused: it names the rows."""
VALUE_TYPES = {"b": ValueType.LOGIC, "f": ValueType.NUMBERS}
"""Families by numpy's kinds of values; all others are integers."""
SEVERAL = 1000
"""Rows of a batch that are looked at first, for whether they hold too many values already."""


@dataclass(eq=False)
class Tally:
    """The values of one column.

    Parameters
    ----------
    most
        Levels are counted while they are at most so many; then only the range is known, and the histogram.

    Attributes
    ----------
    levels
        How often each value occurs, or None if there are more than `most`.
    low, high, total
        Smallest and largest number, and the sum.
    integral
        Whether all numbers are integers.
    histogram
        Numbers by the first digit of their order (`quantiles`), once there are too many levels.
    """

    most: int
    value_type: ValueType = ValueType.NOTHING
    levels: dict[Any, int] | None = field(default_factory=dict)
    low: float = np.inf
    high: float = -np.inf
    total: float = 0.0
    integral: bool = True
    histogram: Histogram | None = None

    def add(self, values: Values) -> None:
        """Count the values of a batch."""
        if isinstance(values, Labelled):
            self._of(ValueType.LABELS)
            counts = np.bincount(values.indices, minlength=len(values.labels))
            self._levels({values.labels[j]: int(counts[j]) for j in np.flatnonzero(counts).tolist()})
            return
        self._of(VALUE_TYPES.get(values.dtype.kind, ValueType.INTEGERS))
        if values.dtype.kind == "b":
            values = values.view(np.uint8)
        if not len(values):
            return
        low, high = values.min(), values.max()
        if not (np.isfinite(low) and np.isfinite(high)):
            raise DataError("infinite values in")
        self.low, self.high = min(self.low, low.item()), max(self.high, high.item())
        with np.errstate(over="ignore", invalid="ignore"):  # then the middle of the range stands for the mean
            self.total += float(values.sum(dtype=np.float64))
        if self.integral and values.dtype.kind == "f":
            self.integral = bool((values == np.rint(values)).all())
        if self.levels is not None and len(np.unique(values[:SEVERAL])) <= self.most:
            self._levels(_counted(values, int(high) - int(low)))
        else:
            self._spread(Histogram.of(values.astype(np.float64)))

    def merge(self, other: Tally) -> None:
        """Add the values of another partition."""
        if other.value_type is ValueType.NOTHING:
            return
        self._of(other.value_type)
        self.low, self.high = min(self.low, other.low), max(self.high, other.high)
        self.total, self.integral = self.total + other.total, self.integral and other.integral
        if other.levels is not None:
            self._levels(other.levels)
        elif other.histogram is not None:
            self._spread(other.histogram)

    def _of(self, value_type: ValueType) -> None:
        numeric = {ValueType.INTEGERS, ValueType.NUMBERS}
        if self.value_type in {ValueType.NOTHING, value_type}:
            self.value_type = value_type
        elif {self.value_type, value_type} == numeric:
            self.value_type = ValueType.NUMBERS
        else:
            raise DataError(f"holds {value_type} here and {self.value_type} before")

    def _levels(self, counts: Mapping[Any, int]) -> None:
        if self.levels is None:
            self._spread(of_levels(counts))
            return
        for label, count in counts.items():
            self.levels[label] = self.levels.get(label, 0) + count
        labels = self.value_type is ValueType.LABELS
        if labels and len(self.levels) > MOST_LEVELS:
            raise DataError(f"has more than {MOST_LEVELS:,} categories; leave it out (drop=)")
        if not labels and len(self.levels) > self.most:
            self._spread(NOTHING)

    def _spread(self, more: Histogram) -> None:
        """Count numbers by their first digit; the levels so far go there too."""
        before, self.levels = self.levels, None
        known = of_levels(before or {}) if self.histogram is None else self.histogram
        self.histogram = known + more


def of_levels(levels: Mapping[Any, int]) -> Histogram:
    """Count values by their first digit that are known with how often each occurs."""
    return Histogram.of(np.array(list(levels), dtype=np.float64), np.array(list(levels.values())))


def _counted(values: npt.NDArray[Any], span: int) -> dict[Any, int]:
    if values.dtype.kind in "iu" and span < NARROW:
        low = int(values.min())
        counts = np.bincount(values if low == 0 else values.astype(np.int64) - low)
        return {low + j: int(counts[j]) for j in np.flatnonzero(counts).tolist()}
    found, counts = np.unique(values, return_counts=True)
    return dict(zip(found.tolist(), counts.tolist(), strict=True))


@dataclass(eq=False)
class Survey:
    """What a first pass saw of a partition, or of all of them.

    Attributes
    ----------
    rows, dropped
        Rows in use, and rows that lack a value.
    tallies
        One a column.
    lacking
        How many rows lack a value of a column, by its name.
    """

    rows: int
    dropped: int
    tallies: dict[str, Tally]
    lacking: Counter[str] = field(default_factory=Counter)

    @classmethod
    def empty(cls, most: Mapping[str, int]) -> Survey:
        """Return the survey of no rows; `most` says how many levels of each column are counted."""
        return cls(0, 0, {name: Tally(count) for name, count in most.items()})

    def add(self, batch: Batch, where: str) -> None:
        """Count a batch."""
        self.rows, self.dropped = self.rows + batch.rows, self.dropped + batch.dropped
        self.lacking.update(batch.lacking)
        if not batch.rows:
            return
        for name, values in batch.values.items():
            try:
                self.tallies[name].add(values)
            except DataError as fault:
                raise DataError(_placed(name, fault, where)) from fault

    def merge(self, other: Survey, where: str) -> None:
        """Add the survey of another partition."""
        self.rows, self.dropped = self.rows + other.rows, self.dropped + other.dropped
        self.lacking.update(other.lacking)
        for name, tally in other.tallies.items():
            try:
                self.tallies[name].merge(tally)
            except DataError as fault:
                raise DataError(_placed(name, fault, where)) from fault

    def arrays(self) -> Arrays:
        """Return all of it as arrays."""
        plain: dict[str, Any] = {"rows": self.rows, "dropped": self.dropped, "lacking": self.lacking}
        result: Arrays = {}
        for j, (name, one) in enumerate(self.tallies.items()):
            levels = None if one.levels is None else [[label, count] for label, count in one.levels.items()]
            seen = None if one.low > one.high else [one.low, one.high]
            plain[str(j)] = [name, one.most, one.value_type, levels, seen, one.total, one.integral]
            if one.histogram is not None:
                result[f"digits {j}"] = np.stack([one.histogram.digits, one.histogram.counts])
        result["plain"] = np.array(json.dumps(plain))
        return result

    @classmethod
    def of(cls, arrays: Arrays) -> Survey:
        """Return the survey that arrays hold."""
        plain = json.loads(str(arrays["plain"]))
        rows, dropped, lacking = (plain.pop(name) for name in ("rows", "dropped", "lacking"))
        tallies = {}
        for j, (name, most, value_type, levels, seen, total, integral) in plain.items():
            low, high = seen or (np.inf, -np.inf)
            known = None if levels is None else dict(levels)
            tally = Tally(most, ValueType(value_type), known, low, high, total, integral)
            if f"digits {j}" in arrays:
                tally.histogram = Histogram(*arrays[f"digits {j}"])
            tallies[name] = tally
        return cls(rows, dropped, tallies, Counter(lacking))


def _placed(name: str, fault: DataError, where: str) -> str:
    text = str(fault)
    return (
        f"{text} {name!r}, {where}; clip or drop them"
        if text.startswith("infinite")
        else f"column {name!r} {text}; in {where}"
    )


def note_loss(survey: Survey, target: str, most: float) -> None:
    """Report how many rows were dropped, if any but not all were, as `altsel.data.missing_values` does.

    Raises
    ------
    DataError
        If a larger share of the rows with a target was than this.
    """
    if not survey.rows or not survey.dropped:
        return
    rows = survey.rows + survey.dropped
    share = 1 - survey.rows / (rows - survey.lacking[target])
    left = f"{survey.rows:,} of {rows:,} rows"
    if share > most:
        raise too_few_rows(left, survey.lacking, share, "leave out those columns (drop=, --drop)")
    warn_caller(said_of_rows(left, survey.lacking, target), DataWarning)


def refuse_inexact(survey: Survey) -> None:
    """Raise a DataError if integers are so large that floats may not tell them apart."""
    large = [
        name
        for name, one in survey.tallies.items()
        if one.value_type is not ValueType.LABELS and one.low <= one.high and _collapses(one)
    ]
    if large:
        raise DataError(
            f"columns {listing(large)} hold integers beyond 2^53 that floats may not tell apart; subtract "
            "what they have in common, or turn them into text if they are names"
        )


def _collapses(one: Tally) -> bool:
    if one.value_type is not ValueType.INTEGERS or max(abs(one.low), abs(one.high)) <= LARGEST_EXACT:
        return False
    return one.levels is None or len({float(level) for level in one.levels}) < len(one.levels)
