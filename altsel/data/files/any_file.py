"""A table of a file of any kind, read as its options say; rows that are no cases are left out."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from altsel.data.files.csv_file import CSVFile
from altsel.data.files.first_lines import UNCLOSED, last_row
from altsel.data.files.inference import only_rows, with_thousands
from altsel.data.files.last_rows import rows_of_cases
from altsel.data.files.names import unique_names, unnamed_of
from altsel.data.files.raw_table import RawTable
from altsel.data.files.refusals import refuse_no_text, refuse_pipe, refuse_unknown
from altsel.data.files.spreadsheet import is_spreadsheet, read_spreadsheet
from altsel.data.findings.finding import Finding
from altsel.data.intake.arrow import read_parquet
from altsel.data.reading import Reading
from altsel.errors import AltselError, ArgumentError, DataError, DataWarning

IN_PASSES = (
    "count it in passes, altsel.Dataset.scan(...) (command line: --scan), or leave out columns (drop=)"
)
"""What to do with a file that cannot be held."""


def read(reading: Reading, path: Path, unused: Collection[str] = ()) -> RawTable:
    """Read a file; see `Reading.table`."""
    if path.is_dir():
        raise ArgumentError(f"{path} is a folder; name a file in it")
    if not path.is_file():
        refuse_pipe(path)
        raise ArgumentError(f"no such file: {path}")
    try:
        if path.suffix.lower() in {".parquet", ".pq"}:
            table = read_parquet(path, unused)
            refuse_unknown(unused, list(table.columns))
            names = unique_names(table.columns)
            made_up = unnamed_of(table.columns, names)
            table.columns = pd.Index(names, dtype=object)
            return RawTable(table, unnamed=made_up, decimal=reading.decimal, from_file=True)
        return _sheet(reading, path, unused) if is_spreadsheet(path) else _csv(reading, path, unused)
    except (AltselError, DataWarning):
        raise
    except (MemoryError, pd.errors.ParserError) as fault:
        if isinstance(fault, MemoryError) or "out of memory" in str(fault):
            raise ArgumentError(f"{path} takes more memory than there is: {IN_PASSES}") from fault
        raise _no_table(reading, path, fault) from fault
    except (pd.errors.ParserWarning, pd.errors.EmptyDataError) as fault:
        raise _no_table(reading, path, fault) from fault
    except UnicodeError as fault:
        refuse_no_text(path)
        raise DataError(
            f"{path} is not written in {reading.encoding}; name its encoding, such as encoding='latin-1' "
            f"(command line: --encoding latin-1): {fault}"
        ) from fault
    except Exception as fault:  # what readers and unpackers raise on broken bytes is not documented
        raise DataError(f"cannot read {path}: {type(fault).__name__}: {fault}") from fault


def _csv(reading: Reading, path: Path, unused: Collection[str]) -> RawTable:
    file = CSVFile(path, reading)
    reading.refuse_header(path, file.names)
    refuse_unknown(unused, unique_names(file.names))
    table = file.table(unused)
    return _raw(reading, table, file.names, file.findings, file.tokens(table))


def _sheet(reading: Reading, path: Path, unused: Collection[str]) -> RawTable:
    table, names, found, tokens = read_spreadsheet(path, reading)
    refuse_unknown(unused, unique_names(names))
    return _raw(reading, table, names, found, tokens)


def _raw(
    reading: Reading, table: pd.DataFrame, names: list[Any], found: list[Finding], tokens: Mapping[int, Any]
) -> RawTable:
    """Leave out the rows that are no cases, and read what they kept from being numbers."""
    table.columns = pd.Index(checked := unique_names(names), dtype=object)
    kept, skipped = rows_of_cases(table)
    if skipped:
        table = only_rows(table, kept, reading)
    table = with_thousands(table, reading.thousands, reading.decimal)
    counts = {checked[index]: one for index, one in tokens.items()}
    return RawTable(table, (*found, *skipped), counts, unnamed_of(names, checked), reading.decimal, True)


def _no_table(reading: Reading, path: Path, fault: Exception) -> DataError:
    if isinstance(fault, pd.errors.EmptyDataError) and not reading.skip_rows:
        return DataError(f"{path}: the file is empty")
    if UNCLOSED in str(fault):
        line = last_row(path, reading.encoding, reading.usual_separator(path))
        return DataError(f"{path}: a quote is opened in the row at line {line:,} and never closed; close it")
    return DataError(
        f"{path} is not a table with a header line: {fault}; are its columns separated by "
        f"{reading.usual_separator(path)!r} (separator=, --sep)?"
    )
