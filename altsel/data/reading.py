"""How a file of a table is read: separator, encoding, decimal sign, what stands for a missing value."""

from __future__ import annotations

import warnings
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from altsel.data.columns import LARGEST_EXACT
from altsel.data.intake.arrow import parquet, text_columns, with_sorted_categories, with_text
from altsel.data.leading_zeros import collapsed, differing_by_zeros
from altsel.errors import (
    AltselError,
    ArgumentError,
    ConfigurationError,
    DataError,
    DataWarning,
    list_of_names,
    listing,
    of_kind,
)

MISSING_TOKENS = ("NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "null", "NULL", "None", "?", ".")
"""What stands for a missing value in a text file, in every column, besides an empty field."""
SHEETS = {".xlsx", ".xls", ".xlsm", ".ods"}
FEW_NUMBERS = 5
"""As many measurements may be in order by chance; more in order are a scale, as of a spectrum."""
BLANK = ("", " ")
"""What may stand before and after a token of a missing value."""
SPOKEN = {"\t": "tab"}
OTHER_SEPARATORS = (";", "\t", "|")


FIRST_BYTES = {
    b"PK": ("a spreadsheet or another zip file", "save the sheet as CSV"),
    b"\xd0\xcf\x11\xe0": ("a spreadsheet of an old kind", "save it as CSV"),
    b"\x1f\x8b": ("compressed by gzip", "let its name end in .csv.gz"),
    b"\xfd7zXZ": ("compressed by xz", "let its name end in .csv.xz"),
    b"BZh": ("compressed by bzip2", "let its name end in .csv.bz2"),
    b"PAR1": ("a Parquet file", "let its name end in .parquet"),
    b"\xff\xfe\x00\x00": ("written in UTF-32", "name its encoding: encoding='utf-32' (--encoding utf-32)"),
    b"\xff\xfe": ("written in UTF-16", "name its encoding: encoding='utf-16' (--encoding utf-16)"),
    b"\xfe\xff": ("written in UTF-16", "name its encoding: encoding='utf-16' (--encoding utf-16)"),
}
"""How files begin that are given for a CSV file by mistake."""


IN_PASSES = (
    "count it in passes, altsel.Dataset.scan(...) (command line: --scan), or leave out columns (drop=)"
)
"""What to do with a file that cannot be held."""
HOW_WRITTEN = "how a CSV file is written: altsel.data.Reading(separator=';'), say"
"""What an argument `reading` is, for messages."""


@dataclass(frozen=True)
class Reading:
    """How a CSV file is read; a Parquet file knows itself.

    Parameters
    ----------
    separator
        What separates columns; default: a tab for ``.tsv``, else a comma.
    encoding
        Name of the encoding, such as ``"latin-1"``.
    decimal
        Decimal sign of numbers, ``"."`` or ``","``.
    missing
        Fields that stand for a missing value in every column, besides empty ones.

    Raises
    ------
    ArgumentError
        If separator or decimal sign is not one character, both are the same, or the encoding is unknown.

    Examples
    --------
    >>> Reading(separator=";", decimal=",").missing[:2]
    ('NA', 'N/A')
    """

    separator: str | None = None
    encoding: str = "utf-8"
    decimal: str = "."
    missing: tuple[str, ...] = MISSING_TOKENS

    def __post_init__(self) -> None:
        of_kind("separator", self.separator, str | None, "a text such as ';'")
        of_kind("decimal", self.decimal, str, "'.' or ','")
        of_kind("encoding", self.encoding, str, "the name of an encoding, such as 'latin-1'")
        for name, sign in (("separator", self.separator or ","), ("decimal", self.decimal)):
            if len(sign) != 1 or not sign.isascii():
                raise ArgumentError(f"{name}={sign!r}; use one character of ASCII")
        if self.decimal == (self.separator or ","):
            raise ArgumentError(
                f"{self.decimal!r} cannot be both separator and decimal sign; name the separator"
            )
        if self.decimal not in (".", ","):
            raise ArgumentError(f"decimal={self.decimal!r}; use '.' or ','")
        if self.separator == "":
            raise ArgumentError("the separator is empty; name one, such as ';' or tab")
        try:
            "".encode(self.encoding)
        except (LookupError, ValueError) as fault:
            raise ArgumentError(f"unknown encoding {self.encoding!r}; try 'utf-8' or 'latin-1'") from fault
        object.__setattr__(self, "missing", list_of_names("missing", self.missing))

    def table(self, path: Path, unused: Collection[str] = ()) -> tuple[pd.DataFrame, list[Any]]:
        """Read a file; return the table, and its names as they are there; `unused` columns may hold anything.

        Raises
        ------
        ArgumentError
            If there is no such file.
        DataError
            If it is no table.
        """
        if path.is_dir():
            raise ArgumentError(f"{path} is a folder; name a file in it")
        if not path.is_file():
            refuse_pipe(path)
            raise ArgumentError(f"no such file: {path}")
        if path.suffix.lower() in SHEETS:
            raise DataError(f"{path} is a spreadsheet; save it as CSV, or give pandas.read_excel's table")
        try:
            if path.suffix.lower() in {".parquet", ".pq"}:
                table = _parquet(path, unused)
                names = list(table.columns)
                refuse_unknown(unused, names)
                return table, names
            return self._csv(path, unused)
        except (AltselError, DataWarning):
            raise
        except (MemoryError, pd.errors.ParserError) as fault:
            if isinstance(fault, MemoryError) or "out of memory" in str(fault):
                raise ArgumentError(f"{path} takes more memory than there is: {IN_PASSES}") from fault
            raise self._no_table(path, fault) from fault
        except (pd.errors.ParserWarning, pd.errors.EmptyDataError) as fault:
            raise self._no_table(path, fault) from fault
        except UnicodeError as fault:
            _refuse_no_text(path)
            raise DataError(
                f"{path} is not written in {self.encoding}; name its encoding, such as encoding='latin-1' "
                f"(command line: --encoding latin-1): {fault}"
            ) from fault
        except Exception as fault:  # what readers and unpackers raise on broken bytes is not documented
            raise DataError(f"cannot read {path}: {type(fault).__name__}: {fault}") from fault

    def _no_table(self, path: Path, fault: Exception) -> DataError:
        return DataError(
            f"{path} is not a table with a header line: {fault}; are its columns separated by "
            f"{self._separator(path)!r} (separator=, --sep)?"
        )

    def tokens(self) -> list[str]:
        """Return what stands for a missing value, with and without blanks around it."""
        return [f"{before}{token}{after}" for token in self.missing for before in BLANK for after in BLANK]

    def _separator(self, path: Path) -> str:
        return self.separator or ("\t" if ".tsv" in path.suffixes else ",")

    def _csv(self, path: Path, unused: Collection[str]) -> tuple[pd.DataFrame, list[Any]]:
        # pandas renames a second "a" to "a.1"; the header is read by itself so that this is noticed
        form: dict[str, Any] = {"sep": self._separator(path), "encoding": self.encoding}
        header = pd.read_csv(path, header=None, nrows=1, dtype=str, keep_default_na=False, **form)
        names = list(header.iloc[0])
        self.refuse_header(path, names)
        refuse_unknown(unused, names)
        rows: dict[str, Any] = {"index_col": False, "skip_blank_lines": len(names) > 1}
        with warnings.catch_warnings():
            warnings.simplefilter("error", pd.errors.ParserWarning)
            table = pd.read_csv(
                path,
                header=0,
                names=list(range(len(names))),
                keep_default_na=False,
                na_values=["", " ", *self.tokens()],
                low_memory=False,
                decimal=self.decimal,
                **form,
                **rows,
            )
        used = [index for index in table if names[index] not in unused]
        _check_integers(path, table[used], names, form | rows)
        return table.apply(_known_logic) if len(table) else table, names

    def refuse_header(self, path: Path, names: list[str]) -> None:
        """Raise a DataError if the first line of a file is none of a table separated so."""
        if path.suffix.lower() == ".json" or names[0].startswith("{"):
            raise DataError(f"{path} is JSON, not a table; tables are CSV or Parquet files")
        self._refuse_other_separator(path, names)
        _refuse_no_header(path, names)

    def _refuse_other_separator(self, path: Path, names: list[str]) -> None:
        if self.separator is not None or len(names) > 1:
            return
        for sign in OTHER_SEPARATORS:
            if sign in names[0]:
                raise DataError(
                    f"{path} has one column, {listing(names)}: its columns seem to be separated by {sign!r}; "
                    f"say so: separator={sign!r} (command line: --sep {SPOKEN.get(sign, repr(sign))})"
                )


def _check_integers(path: Path, table: pd.DataFrame, names: list[str], form: dict[str, Any]) -> None:
    """Refuse integers that floats cannot tell apart; note those that differ by leading zeros only."""
    integers = [index for index in range(len(names)) if index in table and _is_whole(table[index])]
    large = [
        index
        for index in integers
        if table[index].dtype.kind == "f" and table[index].abs().max() >= LARGEST_EXACT
    ]
    for index in collapsed(path, large, form):
        raise DataError(
            f"column {names[index]!r} holds integers beyond 2^53 that floats cannot tell apart, and "
            "missing values; fill these, subtract what the numbers have in common, or begin each with a "
            "letter if they are names"
        )
    for index, (one, other) in differing_by_zeros(path, integers, form).items():
        warnings.warn(
            f"column {names[index]!r} is read as numbers, so {one} and {other} count as the same; if "
            "they are names, begin each with a letter",
            DataWarning,
            stacklevel=2,
        )


def _refuse_no_header(path: Path, names: list[str]) -> None:
    """Refuse a first line that is a row: numbers, but for one at most, in no order of their size."""
    numbers = pd.to_numeric(pd.Series(names, dtype=object), errors="coerce").dropna()
    if len(numbers) < max(len(names) - 1, 2):
        return
    integers, unique = bool((numbers % 1 == 0).all()), numbers.is_unique
    ordered = unique and (numbers.is_monotonic_increasing or numbers.is_monotonic_decreasing)
    if ordered and (integers or len(numbers) > FEW_NUMBERS):
        return
    message = f"{path} has no header line, it seems: the first line holds numbers, {listing(names)}"
    if not ordered and not (unique and integers):
        raise DataError(f"{message}; write the names of the columns above it")
    warnings.warn(message, DataWarning, stacklevel=2)


def _is_whole(column: pd.Series[Any]) -> bool:
    """Return whether a column holds integers, which missing values make floats."""
    if column.dtype.kind in "iu":
        return True
    if column.dtype.kind != "f" or not column.hasnans:
        return False
    held = column.dropna()
    return bool(len(held) and (held % 1 == 0).all())


def _parquet(path: Path, unused: Collection[str]) -> pd.DataFrame:
    text = text_columns(path)
    try:
        # As a data set of Arrow, which pandas makes of it, a file of 20,000 columns takes 1.8 GB.
        with parquet.ParquetFile(path, read_dictionary=text) as file:
            table = with_text(file.read(use_threads=False), unused)
        return with_sorted_categories(table.to_pandas(), text)
    except ImportError as fault:
        raise ConfigurationError("Parquet files need pyarrow: pip install 'altsel[parquet]'") from fault


def _known_logic(column: pd.Series[Any]) -> pd.Series[Any]:
    """Keep a column of ``True`` and ``False`` with missing values one of logic, not of objects."""
    present = column.dropna()
    if column.dtype == object and present.map(lambda value: isinstance(value, bool)).all():
        return column.astype("boolean").astype("Float64").astype("float64")
    return column


def refuse_pipe(path: Path) -> None:
    """Raise an ArgumentError if what is there is no file on disk, which is read several times."""
    if path.exists():
        raise ArgumentError(
            f"{path} is no regular file but a pipe or a device, and is read more than once: write it to a "
            "file, and name that"
        )


def refuse_unknown(unused: Collection[str], names: list[Any]) -> None:
    """Refuse to leave out what is not there, before anything is said of the columns that are."""
    absent = [name for name in unused if name not in names]
    if absent:
        several = "; name one each time" if any("," in name for name in absent) else ""
        raise ArgumentError(
            f"drop: there is no column {listing(absent)}; there are {listing(names)}{several}"
        )


def _refuse_no_text(path: Path) -> None:
    """Recognise a file by its first bytes where its name says that it is a table in text."""
    with path.open("rb") as file:
        head = file.read(8)
    for bytes_, (kind, fix) in FIRST_BYTES.items():
        if head.startswith(bytes_):
            raise DataError(f"{path} is {kind}, not a table in text; {fix}")
