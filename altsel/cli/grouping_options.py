"""Options of commands that search a table: whether copies are one feature, and whether it is held."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

import altsel
from altsel import catalogue
from altsel.cli.blanket_options import BlanketOptions
from altsel.cli.kept_apart import describe_rows_apart, like, parted, print_rows_apart
from altsel.cli.messages import note
from altsel.cli.options import Holdout, TableOptions
from altsel.cli.reading_options import ReadingOptions
from altsel.cli.scanned import SCAN_BINS, refuse_options, scan_of, why_scan
from altsel.data.near_copies import NEAR, likenesses
from altsel.errors import ArgumentError
from altsel.results.text import number_of
from altsel.runtime.phases import READING, phase

NEARLY = (NEAR, 0.99, 0.95, 0.9)
"""Correlations from which groups of near copies are proposed, the first that there are any of."""


@dataclass(frozen=True)
class SearchedRows:
    """The table that is searched, the rows kept apart, if any, and which these are, as plain data."""

    table: altsel.Dataset | Any
    held: altsel.Dataset | None
    request: Mapping[str, Any]


@dataclass(frozen=True)
class GroupingOptions:
    """Which columns are one feature."""

    group_copies: Annotated[
        bool, typer.Option(help="Make one feature of columns that are copies or recodings of each other.")
    ] = True
    group_above: Annotated[
        float | None,
        typer.Option(help="Make one feature of columns all correlated by so much too, such as 0.999."),
    ] = None

    scan: Annotated[
        bool | None,
        typer.Option(
            help="Read the file in passes, for tables larger than memory. Default: for several files, a "
            "folder or a pattern such as 'data/*.parquet', and a table over half of the memory."
        ),
    ] = None
    scan_bins: Annotated[
        int, typer.Option(help="Bins of equal frequency that a scan cuts numbers into for counts.")
    ] = SCAN_BINS
    holdout: Holdout = 0.0

    @phase(READING)
    def tested_rows(
        self, reading: ReadingOptions, source: TableOptions, search: BlanketOptions
    ) -> SearchedRows:
        """Read the table of a search for blankets, as `rows` does."""
        keep, one = search.rows.values(), {"--bins": search.bins}
        return self.rows(
            reading, source, keep, bins=search.bins, seed=search.seed, groups=search.groups, one_table=one
        )

    def rows(
        self,
        reading: ReadingOptions,
        source: TableOptions,
        keep: Collection[str] = (),
        need_rows: Mapping[str, object] | None = None,
        *,
        bins: int | None = None,
        seed: int = 0,
        groups: str | None = None,
        one_table: Mapping[str, object] | None = None,
    ) -> SearchedRows:
        """Read a table, keep rows of it apart and group its columns, or scan it; print what was done.

        Columns named in `keep` are no members of groups; options of `need_rows` that were given are refused
        before a table is scanned. `bins` are those that the command counts in, whatever a scan's are. By
        `seed` rows are kept apart, those of one value in the column of `groups` together. Where values are
        missing the table may be several, unless an option of `one_table` was given, or it is None.
        """
        self._check()
        data, target = Path(source.data), source.target
        if catalogue.several(reading.way) and one_table is not None:
            own = {
                "--groups, --weights or --event": keep,
                "--group-above": self.group_above,
                "--holdout": self.holdout,
                "--scan": self.scan,
            }
            _refuse_with_several(reading, {**own, **(need_rows or {}), **one_table})
            return SearchedRows(reading.several(data, target), None, {})
        why = why_scan(data, self.scan)
        if why is not None:
            own = {
                "--groups, --weights or --event": keep,
                "--group-above": self.group_above,
                "--holdout": self.holdout,
                "--most-missing": reading.most_missing is not None,
                "--unique-rows": reading.unique_rows,
            }
            refuse_options({**own, **(need_rows or {})}, data, why)
            scan = scan_of(data, target, reading, self.scan_bins if bins is None else bins, why)
            return SearchedRows(scan, None, {})
        whole, held = parted(reading.dataset(data, target), self.holdout, seed, groups)
        print_rows_apart(whole, held, "the search does not see them")
        table = self.grouped(whole, keep)
        if self.group_copies:
            self._note(whole, table)
        return SearchedRows(table, like(table, held), describe_rows_apart(held, self.holdout, seed, groups))

    def grouped(self, table: altsel.Dataset, keep: Collection[str] = ()) -> altsel.Dataset:
        """Return a table with its columns grouped as the options say."""
        self._check()
        if not self.group_copies:
            return table
        made = table.grouped(1.0 if self.group_above is None else self.group_above)
        if not set(keep).intersection(name for names in made.members.values() for name in names):
            return made
        groups = [[name for name in names if name not in keep] for names in made.members.values()]
        return table.grouped([names for names in groups if len(names) > 1])

    def proposed(self, table: altsel.Dataset | Any) -> str:
        """Propose how to make near copies one feature, by the largest bound that finds any; empty: none."""
        if not isinstance(table, altsel.Dataset):
            return ""
        bounds = [one for one in NEARLY if self.group_above is None or one < self.group_above]
        for bound in bounds:
            near = likenesses(table.X, table.kinds, bound)
            if near:
                some = number_of(len(near), "column")
                return f"--group-above {bound} ({some} as near to others as |r| >= {bound})"
        return ""

    def _check(self) -> None:
        if self.group_above is not None and not self.group_copies:
            raise ArgumentError("--group-above groups copies too: leave out --no-group-copies")

    def _note(self, whole: altsel.Dataset, table: altsel.Dataset) -> None:
        left_out = len(whole.features) - len(table.features)
        if left_out:
            what = "copies" if self.group_above is None else "copies or near copies"
            message = f"{left_out} of {len(whole.features)} columns are {what} of others"
            note(f"{message}, grouped with them; --no-group-copies keeps them apart")
        if self.group_above is None and (near := table.near_copies):
            name, like, _ = near[0]
            message = f"columns nearly are copies of others (|r| of at least {NEAR}): {len(near)}"
            fix = f"--group-above {NEAR} makes one feature of each group"
            note(f"{message}, such as {name!r} of {like!r}; {fix}")


def _refuse_with_several(reading: ReadingOptions, options: Mapping[str, object]) -> None:
    """Raise an ArgumentError if an option was given that needs one table."""
    given = [name for name, value in options.items() if value]
    if given:
        raise ArgumentError(
            f"{given[0]} needs one table, and --missing {reading.missing} makes several: leave it out, or "
            "use --missing category or drop-rows"
        )
