"""What is given for a table by mistake, refused by what it is: pipes, other formats, no header."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

import pandas as pd

from altsel.errors import ArgumentError, DataError, DataWarning, listing
from altsel.runtime.caller import warn_caller

FEW_NUMBERS = 5
"""As many measurements may be in order by chance; more in order are a scale, as of a spectrum."""
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


def refuse_no_header(path: Path, names: list[str]) -> None:
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
    warn_caller(message, DataWarning)


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


def refuse_no_text(path: Path) -> None:
    """Recognise a file by its first bytes where its name says that it is a table in text."""
    with path.open("rb") as file:
        head = file.read(8)
    for bytes_, (kind, fix) in FIRST_BYTES.items():
        if head.startswith(bytes_):
            raise DataError(f"{path} is {kind}, not a table in text; {fix}")
