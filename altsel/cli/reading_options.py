"""Options of all commands that read a table: how its file is written, which columns count, and as what."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import typer

import altsel
from altsel import catalogue
from altsel.cli.groups import restored
from altsel.cli.kept_reading import kept_notes, kept_options
from altsel.cli.messages import note
from altsel.cli.options import DropMissing, Missing
from altsel.cli.told_notes import known_from, told_once
from altsel.data.cleaning import ROWS_LOST
from altsel.data.conversion import DATES
from altsel.data.findings.numerals import LIMITS
from altsel.data.reading import MISSING_TOKENS, Reading
from altsel.data.scanning import Scan
from altsel.data.scanning.scan import refuse_rows
from altsel.data.schema import Kind, Task
from altsel.data.table_file import NUMERIC, TableFile, read_kind, reading_of, way_of_missing
from altsel.errors import ArgumentError, DataError, DataWarning, listing
from altsel.runtime.phases import READING, phase

KINDS: dict[str, Kind | str] = {
    **{word: Kind(kind) for word, kind in NUMERIC.items()},
    **{word: word for word in (*sorted(DATES), *LIMITS)},
    **{str(kind): kind for kind in Kind},
}
"""Words for kinds."""
NUMBER = 20
"""Imputed tables."""
TOKENS = " ".join(MISSING_TOKENS)
ADDED = ("drop", "keep", "kind")
"""Options that are of single columns: those given are added to those of before."""


@dataclass(frozen=True)
class ReadingOptions:
    """How a table is read."""

    task: Annotated[Task | None, typer.Option(help="Kind of the target; inferred by default.")] = None
    drop_missing: DropMissing = False
    missing: Missing = None
    rows_lost: Annotated[
        float | None,
        typer.Option(
            help=f"Largest share of the rows with a target that --drop-missing drops; default: {ROWS_LOST}."
        ),
    ] = None
    most_missing: Annotated[
        float | None,
        typer.Option(help="Leave out columns that miss more than this share of their values, as 0.3."),
    ] = None
    unique_rows: Annotated[
        bool, typer.Option("--unique-rows", help="Leave out rows that are copies of others.")
    ] = False
    sep: Annotated[
        str | None,
        typer.Option(
            help="What separates columns: ';', tab; default: comma, .tsv: tab; ';' with --decimal ,"
        ),
    ] = None
    encoding: Annotated[
        str | None, typer.Option(help="Encoding of the file, such as latin-1; default: utf-8.")
    ] = None
    decimal: Annotated[str | None, typer.Option(help="Decimal sign of numbers: . or , Default: .")] = None
    thousands: Annotated[
        str | None, typer.Option(help="Mark between thousands of numbers, such as , or . or '.")
    ] = None
    skip_rows: Annotated[
        int | None,
        typer.Option(help="Lines above the header to skip. Default: titles are recognised."),
    ] = None
    sheet: Annotated[str | None, typer.Option(help="Sheet of a spreadsheet. Default: the first.")] = None
    drop: Annotated[list[str] | None, typer.Option(help="Column to leave out; repeat for more.")] = None
    keep: Annotated[
        list[str] | None,
        typer.Option(
            help="Column that is a feature although it looks like a row number, an id or free text; repeat."
        ),
    ] = None
    kind: Annotated[
        list[str] | None,
        typer.Option(
            help="COLUMN=categorical, numeric, date, ordinal, count or binary; text is read as numbers by "
            "numeric (1.50 €, 45 %), date (days since 1970), half-limit or at-limit (<0.5); the order of "
            "text: COLUMN=ordinal:low,mid,high. Repeat for more. Of the target: ordinal or count."
        ),
    ] = None
    na: Annotated[
        list[str] | None,
        typer.Option(help=f"What stands for a missing value, instead of {TOKENS}; repeat."),
    ] = None

    table: Annotated[
        Path | None,
        typer.Option(
            help="table.toml of altsel look, or solutions as JSON: the table is read as they say, but for "
            "the options given besides."
        ),
    ] = None

    def __post_init__(self) -> None:
        if self.table is not None:
            earlier = kept_options(Path(self.table))
            known_from(Path(self.table), kept_notes(Path(self.table)))
            object.__setattr__(self, "table", None)
            for name, value in vars(self.or_as(earlier)).items():
                object.__setattr__(self, name, value)

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> ReadingOptions:
        """Build the options that a command was given; those it was not are as usual.

        Raises
        ------
        DataError
            If an option is of no kind that the command takes.
        """
        return restored(cls, {name: value for name, value in given.items() if value is not None})

    def or_as(self, before: Mapping[str, Any]) -> ReadingOptions:
        """Return the options as another command was given them, but for those that these are about.

        What is said here of one thing changes nothing else: columns to leave out are added, and kinds of
        other columns stay.
        """
        earlier, given = ReadingOptions.of(before), self.given()
        for name in ADDED:
            both = [*(getattr(earlier, name) or ()), *(given.get(name) or ())]
            given[name] = list(dict.fromkeys(both)) or None
        for one, other in (("drop", "keep"), ("keep", "drop")):  # what is said now of a column counts
            now = set(getattr(self, other) or ())
            given[one] = [name for name in given[one] or () if name not in now] or None
        return replace(earlier, **given)

    def given(self) -> dict[str, Any]:
        """Return what is not as usual, by the names of the options."""
        usual = ReadingOptions()
        return {name: value for name, value in vars(self).items() if value != getattr(usual, name)}

    def reading(self) -> Reading:
        """Return how the file is written.

        Raises
        ------
        ArgumentError
            If an option makes no sense.
        """
        several = [token for token in self.na or () if "," in token]
        if several and not self.sep:
            raise ArgumentError(f"--na {several[0]!r}: name one token each time: --na NA --na '?'")
        return reading_of(self)

    def kinds(self) -> dict[str, Kind | str | list[str]]:
        """Return the kinds of single columns, or their values in order.

        Raises
        ------
        ArgumentError
            If one is unknown.
        """
        kinds: dict[str, Kind | str | list[str]] = {}
        for text in self.kind or ():
            name, kind = read_kind(str(text))
            if isinstance(kind, list):
                kinds[name] = kind
                continue
            if not name or kind not in KINDS:
                raise ArgumentError(
                    f"--kind {text!r}; use COLUMN=KIND, where KIND is one of {listing(KINDS, 10)}"
                )
            kinds[name] = KINDS[kind]
        return kinds

    @phase(READING)
    def dataset(self, data: Path, target: str) -> altsel.Dataset:
        """Read a table, and say what a reader of the result should know; of copies its grouping tells."""
        self.refuse_several()
        table: altsel.Dataset = self._read(data, target, rows_lost=self.most_lost)
        if self.task is None and table.task is Task.MULTICLASS and table.y.dtype != "category":
            classes = f"{table.y.nunique()} classes; --task regression for numbers"
            note(f"target {target!r} read as {classes}")
        return table

    def refuse_several(self) -> None:
        """Refuse ways to treat missing values that make several tables, where one is needed."""
        if catalogue.several(self.way):
            raise ArgumentError(
                f"--missing {self.missing}: this needs one table, and altsel select, near-optimal, front, "
                "blanket and blankets take several: use --missing category or drop-rows here"
            )

    @phase(READING)
    def several(self, data: Path, target: str) -> Any:
        """Read a table with gaps as several, and say what that assumes."""
        tables = self._read(data, target)
        note(catalogue.ASSUMES[self.way].format(number=NUMBER))
        return tables

    def _read(self, data: Path, target: str, **more: Any) -> Any:
        """Read a table by what is done with its missing values."""
        with told_once(data, target), warnings.catch_warnings():
            warnings.filterwarnings("ignore", "columns are copies of others", DataWarning)
            return catalogue.of_missing(self.way, "--missing")(
                data,
                target,
                task=self.task,
                kinds=self.kinds(),
                drop=tuple(self.drop or ()),
                reading=self.reading(),
                keep=tuple(self.keep or ()),
                most_missing=self.most_missing,
                unique_rows=self.unique_rows,
                **more,
            )

    def kept(self) -> TableFile:
        """Return the same as a file keeps it."""
        kinds = {name: kind if isinstance(kind, list) else str(kind) for name, kind in self.kinds().items()}
        return TableFile.model_validate({**self.given(), "kind": kinds})

    @property
    def most_lost(self) -> float:
        """Largest share of the rows that may be dropped."""
        return ROWS_LOST if self.rows_lost is None else self.rows_lost

    @property
    def way(self) -> str:
        """What is done with missing values, as an argument in Python."""
        return way_of_missing(self)


@phase(READING)
def holdout(table: altsel.Dataset, data: Path, missing: str) -> altsel.Dataset:
    """Read other rows of a table, and say so if they are the same."""
    if isinstance(table, Scan):
        refuse_rows("--holdout-data")
    try:
        held = table.holdout(data, table.target, missing=missing)
    except DataError as fault:
        raise DataError(f"{data}: {fault}") from fault
    if held.dropped:
        note(
            f"{data}: {len(held.y):,} of {len(held.y) + held.dropped:,} rows left, the others have missing "
            "values"
        )
    if held.fingerprint == table.fingerprint:
        message = "holds the rows that the sets are chosen by: hold-out scores say nothing"
        note(f"{data} {message}")
    return held
