"""`Scan`: a table that is read in passes, and never held."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.data.cleaning import ROWS_LOST, Cleaning
from altsel.data.files.names import checked_names
from altsel.data.files.refusals import refuse_unknown
from altsel.data.findings import Effect, Finding
from altsel.data.findings.telling import reasons, told
from altsel.data.reading import HOW_WRITTEN, Reading
from altsel.data.scanning.alike import Request, layout_of
from altsel.data.scanning.code_files import coded
from altsel.data.scanning.first_rows import recognised, refuse_conversions
from altsel.data.scanning.joint_counts import JointCounts
from altsel.data.scanning.joint_passes import JointPasses
from altsel.data.scanning.laid_out import LaidOut
from altsel.data.scanning.layout import Layout, layout, surveyed_levels
from altsel.data.scanning.moments import Moments
from altsel.data.scanning.partitions import BatchesPart, Partition
from altsel.data.scanning.passes import Columns, Counting, Kept, Narrowing, Surveying, centres, results
from altsel.data.scanning.quantiles import Wanted, edges_of, wanted
from altsel.data.scanning.sources import partitions
from altsel.data.scanning.statistics import Statistics
from altsel.data.scanning.survey import Survey, note_loss, of_levels, refuse_inexact
from altsel.data.scanning.widths import refuse_many_numbers, refuse_wide, too_wide
from altsel.data.schema import Kind, Task
from altsel.data.target import no_target
from altsel.display.names import short
from altsel.errors import (
    ArgumentError,
    DataError,
    DataWarning,
    checked_integer,
    flags,
    listing,
    of_kind,
)
from altsel.parallel import checked_jobs
from altsel.runtime.caller import warn_caller
from altsel.runtime.on_demand import OnDemand
from altsel.runtime.phases import MEASURES, READING, phase

_sampling: Any = OnDemand("altsel.data.scanning.sampling")  # it makes a `Dataset`: named, not imported

BATCH_ROWS = 65_536
TABLE_BYTES = 128_000_000
"""Bytes that tables of several columns may take."""
NARROWING_BYTES = 256_000_000
"""Bytes that a pass takes for the edges of columns; the others have passes of their own."""


@dataclass(frozen=True)
class ScanOptions:
    """How a scan reads, and what it keeps.

    Attributes
    ----------
    reading
        How CSV files are written.
    missing
        ``"error"`` or ``"drop rows"``.
    keep, rows_lost
        As of `Dataset`.
    store
        Folder of what is done; None: nothing is kept.
    batch_rows
        Most rows held at once.
    table_bytes
        Bytes that tables of several columns may take.
    n_jobs
        Workers for partitions.
    """

    reading: Reading | None = None
    missing: str = "error"
    keep: Collection[str] = ()
    rows_lost: float = ROWS_LOST
    store: Path | None = None
    batch_rows: int = BATCH_ROWS
    table_bytes: int = TABLE_BYTES
    n_jobs: int | None = None

    def __post_init__(self) -> None:
        Cleaning(self.missing, self.keep, self.rows_lost)  # which checks them
        if self.missing == "category":
            raise ArgumentError(
                "missing='category' (--missing category) is for tables in memory: a scan takes 'error' or "
                "'drop rows'"
            )
        of_kind("reading", self.reading, Reading | None, HOW_WRITTEN)
        checked_jobs(self.n_jobs)
        checked_integer("batch_rows", self.batch_rows, 1)
        checked_integer("table_bytes", self.table_bytes, 1)


@dataclass(frozen=True, eq=False, repr=False)
class Scan(LaidOut):
    """A table in files, or in batches that something hands over, that is read in passes of fixed memory.

    ``Dataset.scan`` makes it, and reads once for kinds and levels, then two or three times more for the
    edges of bins, if there are any. It has the names and kinds of a `Dataset` but no rows: `statistics`
    counts them, `sample` draws some.

    Attributes
    ----------
    layout
        The columns: kinds, levels, edges of bins.
    rows, dropped
        Rows in use, and rows dropped for missing values.
    partitions
        What is read as a whole: row groups of Parquet files, CSV files.
    options
        How it is read.
    left_out
        Why columns were left out before they were counted, by name.

    Examples
    --------
    >>> import altsel, pyarrow as pa
    >>> scan = altsel.Dataset.scan([pa.record_batch({"a": [1, 1, 2, 2], "y": [0, 0, 1, 1]})], "y")
    >>> scan, scan.kinds["a"].value
    (<Scan: 4 rows, 1 features, target 'y' (binary), 1 partitions>, 'binary')
    """

    layout: Layout
    survey: Survey
    partitions: tuple[Partition, ...]
    columns: Columns
    options: ScanOptions
    counted_rows: tuple[int, ...]
    left_out: Mapping[str, str] = field(default_factory=dict)
    members: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def __repr__(self) -> str:
        what = f"{self.rows:,} rows, {len(self.features)} features, target {short(self.target)!r}"
        return f"<Scan: {what} ({self.task.value}), {len(self.partitions)} partitions>"

    @property
    def rows(self) -> int:
        """Number of rows in use."""
        return self.survey.rows

    @property
    def dropped(self) -> int:
        """Number of rows dropped for missing values."""
        return self.survey.dropped

    @property
    def absent(self) -> Mapping[str, str]:
        """Why other columns are no features, by name."""
        return {**super().absent, **self.left_out}

    @property
    def fingerprint(self) -> str:
        """SHA-256 of columns, counts and moments, whatever files they came from."""
        return self.statistics().fingerprint

    @property
    def X(self) -> NoReturn:  # noqa: N802 (as of Dataset)
        """There are no rows; a DataError says so."""
        refuse_rows("this")

    @property
    def y(self) -> NoReturn:
        """There are no rows; a DataError says so."""
        refuse_rows("this")

    def with_bins(self, bins: int | None) -> Scan:
        """Return the same scan with numbers cut into other bins of equal frequency, or into none."""
        if bins == self.bins:
            return self
        if bins is not None:
            checked_integer("bins", bins, 2)
        return with_layout(self, Request(self.target, self.task, self.layout.declared_kinds, bins))

    @cached_property
    def _statistics(self) -> dict[tuple[bool, bool], Statistics]:
        return {}

    @phase(MEASURES)
    def statistics(self, *, pairs: bool = True, by_level: bool = False) -> Statistics:
        """Count pairs of levels and sum products of numbers, in one pass.

        Parameters
        ----------
        pairs
            Count all pairs; else each feature with the target only.
        by_level
            Sum each number over the rows of each level, too, which `correlation_ratio` needs.

        Returns
        -------
        Statistics
            Remembered: requested again they cost nothing.

        Raises
        ------
        ArgumentError
            If the table of all pairs would take more than 400 MB: there are too many levels.
        DataError
            If a file has changed, or a value appears that the first pass did not see.
        """
        flags(pairs=pairs, by_level=by_level)
        known = [
            (has, found)
            for has, found in self._statistics.items()
            if has >= (pairs, by_level) and has[1] >= by_level
        ]
        if known:
            return known[0][1]
        refuse_wide(self.layout.sizes.tolist(), self.layout.names, pairs)
        refuse_many_numbers(len(self.layout.numeric))
        counting = Counting(self.columns, self.layout, pairs, by_level)
        counts: IntArray | None = None
        floats: dict[int, tuple[FloatArray, FloatArray, FloatArray | None]] = {}
        for index, found in results(counting, self.partitions, self._kept, self.options.n_jobs):
            counts = found["counts"] if counts is None else counts + found["counts"]
            floats[index] = found["products"], found["lost"], found.get("by_level")
        numeric = [self.layout.columns[j] for j in self.layout.numeric.tolist()]
        moments, sums = Moments.zero(centres(numeric)), None
        for index in sorted(floats):
            products, lost, own = floats[index]
            moments = moments.plus(products, lost)
            sums = own if sums is None else sums + own  # type: ignore[operator]
        assert counts is not None
        if moments.rows != self.rows:
            raise DataError(
                f"{moments.rows:,} rows were read, {self.rows:,} before: the data have changed; scan again"
            )
        made = Statistics(self.layout, counts, pairs, moments, sums, self.dropped)
        self._statistics[pairs, by_level] = made
        return made

    @property
    def _kept(self) -> Kept | None:
        return None if self.options.store is None else Kept(self.options.store)

    @cached_property
    def joint(self) -> JointCounts:
        """Counts of several columns together, one pass for a set of them."""
        codes = coded(self.options.store, self.columns, self.layout, self.rows)
        passes = JointPasses(codes, self.partitions, self.rows, self.options.n_jobs)
        return JointCounts(passes, self.statistics(), self.options.table_bytes)

    def sample(self, n: int, random_state: int = 0) -> Any:
        """Draw rows, each set of n equally likely, as a `Dataset`, in one pass.

        Parameters
        ----------
        n
            Number of rows; all of them if there are no more.
        random_state
            Seed.

        Returns
        -------
        Dataset
            Of the same features, kinds and task; numbers are as they are, not cut. Features that are constant
            among these rows are left out.

        Raises
        ------
        DataError
            If the target has one value among these rows.
        """
        return _sampling.sampled(self, n, random_state)


def refuse_rows(what: str) -> NoReturn:
    """Raise the DataError of what needs rows."""
    raise DataError(
        f"{what} needs the rows, which a scan does not hold: use scan.sample(100_000, random_state=0), a "
        "Dataset of some rows drawn at random, or what takes counts and moments: mutual information of "
        "discrete or binned columns (bins=5), symmetric uncertainty, Pearson correlation, correlation ratio, "
        "GSquare, ChiSquare, PartialCorrelation"
    )


@phase(READING)
def scanned(
    source: Any, request: Request, drop: Collection[str], options: ScanOptions, like: Any = None
) -> Scan:
    """Build the scan of files or batches; see ``Dataset.scan``."""
    if request.bins is not None:
        checked_integer("bins", request.bins, 2)
    form = options.reading or Reading()
    refuse_conversions(request.kinds, form)
    parts = partitions(source, options.reading)
    if options.store is not None and any(isinstance(part, BatchesPart) for part in parts):
        raise ArgumentError(
            "store= keeps what was read of files; batches cannot be told from others: leave it out"
        )
    names = _names(parts, drop)
    if request.target not in names:
        raise no_target(request.target, names, source)
    found: list[Finding] = []
    if like is None:
        keep = [*options.keep, *map(str, request.kinds)]
        found = recognised(parts, names, request.target, keep, form)
        for message in told(found):
            warn_caller(f"by the first rows, {message}", DataWarning)
        unused = {name for one in found if one.effect is Effect.LEFT_OUT for name in one.columns}
        names = [name for name in names if name not in unused]
    most = surveyed_levels(names, request.target, request.task, request.kinds)
    columns = Columns(tuple(names), options.missing, options.batch_rows)
    seen = dict(results(Surveying(columns, most), parts, _store(options), options.n_jobs))
    survey, counted = Survey.empty(most), []
    for index, part in enumerate(parts):  # in one order, so that means are the same after a restart
        one = Survey.of(seen.pop(index))
        survey.merge(one, part.name)
        counted.append(one.rows)
    note_loss(survey, request.target, options.rows_lost)
    refuse_inexact(survey)
    columns = replace(columns, lacking=survey.dropped > 0)
    blank = Layout((), Task.BINARY, Kind.BINARY, (), None)
    raw = Scan(blank, survey, parts, columns, options, tuple(counted), reasons(found, drop, ()))
    if like is None:
        made = with_layout(raw, request)
    else:
        made = replace(raw, layout=layout_of(like, request, columns.needed))
    if made.constant:
        message = f"constant columns are left out and never selected: {listing(made.constant)}"
        warn_caller(message, DataWarning)
    return made


def with_layout(scan: Scan, request: Request) -> Scan:
    """Find the edges of bins, and decide on the columns."""
    plain = layout(scan.survey, request.target, request.task, request.kinds, {}, None)
    if request.bins is None:
        return replace(scan, layout=plain)
    cut = [one.name for one in plain.columns if not one.size]
    most = min(request.bins, scan.rows)
    wide = too_wide([one.size or most for one in plain.columns], plain.names, pairs=True)
    if wide is not None:  # said before the passes that find edges
        warn_caller(wide, DataWarning)
    edges = _edges(scan, cut, request.bins)
    return replace(
        scan, layout=layout(scan.survey, request.target, request.task, request.kinds, edges, request.bins)
    )


def _edges(scan: Scan, names: Sequence[str], bins: int) -> dict[str, FloatArray]:
    """Find the edges of columns of numbers, exactly, by passes over these alone."""
    tallies = scan.survey.tallies
    histograms = {name: tallies[name].histogram or of_levels(tallies[name].levels or {}) for name in names}
    found, shares = wanted(histograms, scan.rows, bins)
    while open_ := {name: one for name, one in found.items() if not one.done}:
        narrowing = Narrowing(scan.columns, _within(open_, NARROWING_BYTES))
        narrowing.learn(results(narrowing, scan.partitions, scan._kept, scan.options.n_jobs))
    return edges_of(found, shares, {name: tallies[name].high for name in names})


def _within(open_: Mapping[str, Wanted], most: int) -> dict[str, Wanted]:
    """Choose columns for one pass, one at least, that take no more bytes together."""
    ends = np.cumsum([one.size for one in open_.values()])
    number = max(int(np.searchsorted(ends, most, side="right")), 1)
    return dict(islice(open_.items(), number))


def _store(options: ScanOptions) -> Kept | None:
    return None if options.store is None else Kept(options.store)


def _names(parts: Sequence[Partition], drop: Collection[str]) -> list[str]:
    """Return the names of the columns in use, which all partitions have.

    Raises
    ------
    DataError
        If a file lacks one or has more, or names are empty or twice; names the file.
    """
    first: list[str] | None = None
    everything: list[str] = []
    seen: set[Any] = set()
    for part in parts:
        where = str(getattr(part, "path", part.name))
        if where in seen:
            continue
        seen.add(where)
        try:
            names = checked_names(part.names())
        except DataError as fault:
            message = str(fault)
            raise DataError(message if where in message else f"{where}: {message}") from fault
        if first is None:
            everything = list(names)
            first = [name for name in names if name not in drop]
            origin = where
            continue
        everything += names
        here, there = set(names), {*first, *drop}
        absent = [name for name in first if name not in here]
        more = [name for name in names if name not in there]
        if absent:
            raise DataError(f"{where} lacks the columns {listing(absent)}, which {origin} has")
        if more:
            raise DataError(
                f"{where} has the columns {listing(more)}, which {origin} lacks; leave them out (drop=)"
            )
    refuse_unknown(drop, list(dict.fromkeys(everything)))
    assert first is not None
    return first
