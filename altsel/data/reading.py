"""How a file of a table is read: separator, encoding, signs of numbers, what stands for a missing value."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from altsel.data.files.first_lines import checked_skip
from altsel.data.files.raw_table import RawTable
from altsel.data.files.refusals import refuse_no_header
from altsel.errors import ArgumentError, DataError, list_of_names, of_kind
from altsel.runtime.on_demand import OnDemand

_files: Any = OnDemand("altsel.data.files.any_file")  # it takes a `Reading`: named, not imported

MISSING_TOKENS = ("NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "null", "NULL", "None", "?", ".")
"""What stands for a missing value in a text file, in every column, besides an empty field."""
BLANK = ("", " ")
"""What may stand before and after a token of a missing value."""
SPOKEN = {"\t": "tab"}
OTHER_SEPARATORS = (";", "\t", "|")


OTHER_DECIMAL = {".": ",", ",": "."}
"""The decimal sign, where the usual one stands between thousands."""
HOW_WRITTEN = "how a CSV file is written: altsel.data.Reading(separator=';'), say"
"""What an argument `reading` is, for messages."""


@dataclass(frozen=True)
class Reading:
    """How a CSV file is read; a Parquet file knows itself.

    Parameters
    ----------
    separator
        What separates columns; default: what a first line ``sep=;`` says, a tab for ``.tsv``, a semicolon
        where the decimal sign is a comma, else a comma.
    encoding
        Name of the encoding, such as ``"latin-1"``.
    decimal
        Decimal sign of numbers, ``"."`` or ``","``.
    missing
        Fields that stand for a missing value in every column, besides empty ones.
    thousands
        Mark between thousands, such as ``","``; columns of text whose fields all are numbers are read so.
    skip_rows
        Lines above the header; default: titles are recognised, and skipped with a warning.
    sheet
        Name or number of the sheet of a spreadsheet; default: the first.

    Raises
    ------
    ArgumentError
        If separator or decimal sign is not one character, or the encoding is unknown; as a file is read, if
        both are the same and it quotes no field.

    Examples
    --------
    >>> Reading(separator=";", decimal=",").missing[:2]
    ('NA', 'N/A')
    """

    separator: str | None = None
    encoding: str = "utf-8"
    decimal: str = "."
    missing: tuple[str, ...] = MISSING_TOKENS
    thousands: str | None = None
    skip_rows: int | None = None
    sheet: str | int | None = None

    def __post_init__(self) -> None:
        of_kind("separator", self.separator, str | None, "a text such as ';'")
        of_kind("decimal", self.decimal, str, "'.' or ','")
        of_kind("encoding", self.encoding, str, "the name of an encoding, such as 'latin-1'")
        for name, sign in (("separator", self.separator or ";"), ("decimal", self.decimal)):
            if len(sign) != 1 or not sign.isascii():
                raise ArgumentError(f"{name}={sign!r}; use one character of ASCII")
        if self.decimal not in (".", ","):
            raise ArgumentError(f"decimal={self.decimal!r}; use '.' or ','")
        if self.thousands is not None and (len(str(self.thousands)) != 1 or self.thousands == self.decimal):
            other = OTHER_DECIMAL.get(str(self.thousands))
            hint = f": decimal={other!r} (--decimal {other})" if other else ""
            raise ArgumentError(
                f"thousands={self.thousands!r}; use one character other than the decimal sign{hint}"
            )
        of_kind("sheet", self.sheet, str | int | None, "name or number of a sheet")
        checked_skip(self.skip_rows)
        if self.separator == "":
            raise ArgumentError("the separator is empty; name one, such as ';' or tab")
        try:
            "".encode(self.encoding)
        except (LookupError, ValueError) as fault:
            raise ArgumentError(f"unknown encoding {self.encoding!r}; try 'utf-8' or 'latin-1'") from fault
        object.__setattr__(self, "missing", list_of_names("missing", self.missing))

    def table(self, path: Path, unused: Collection[str] = ()) -> RawTable:
        """Read a file; `unused` columns may hold anything.

        Raises
        ------
        ArgumentError
            If there is no such file.
        DataError
            If it is no table.
        """
        found: RawTable = _files.read(self, path, unused)
        return found

    def tokens(self) -> list[str]:
        """Return what stands for a missing value, with and without blanks around it."""
        return [f"{before}{token}{after}" for token in self.missing for before in BLANK for after in BLANK]

    def usual_separator(self, path: Path) -> str:
        """Return what separates columns, unless the file says otherwise."""
        if self.separator or ".tsv" in path.suffixes:
            return self.separator or "\t"
        return "," if self.decimal == "." else ";"

    def refuse_header(self, path: Path, names: list[str]) -> None:
        """Raise a DataError if the first line of a file is none of a table separated so."""
        if path.suffix.lower() == ".json" or names[0].startswith("{"):
            raise DataError(f"{path} is JSON, not a table; tables are CSV or Parquet files")
        self._refuse_other_separator(path, names)
        refuse_no_header(path, names)

    def _refuse_other_separator(self, path: Path, names: list[str]) -> None:
        if self.separator is not None or len(names) > 1:
            return
        for sign in OTHER_SEPARATORS:
            if sign in names[0]:
                raise self.separated_otherwise(path, sign)

    def separated_otherwise(self, path: Path, sign: str) -> DataError:
        """Return the error of a file whose columns are separated by another sign."""
        return DataError(
            f"the columns of {path} seem to be separated by {sign!r}, not by {self.usual_separator(path)!r}; "
            f"say so: separator={sign!r} (command line: --sep {SPOKEN.get(sign, repr(sign))})"
        )


def decimal_sign(decimal: str | None, thousands: str | None) -> str:
    """Return the decimal sign, as far as it was named; not what stands between thousands."""
    return decimal or ("," if thousands == "." else ".")
