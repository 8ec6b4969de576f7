"""CSV files."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from altsel.data.columns import LARGEST_EXACT
from altsel.data.files.first_lines import UNCLOSED, FirstLines, first_lines, ragged
from altsel.data.files.inference import known_logic
from altsel.data.files.spreadsheet import skipped_titles
from altsel.data.findings.finding import Effect, Finding
from altsel.data.leading_zeros import OPENERS, collapsed, differing_by_zeros
from altsel.errors import ArgumentError, DataError, DataWarning
from altsel.runtime.caller import warn_caller

if TYPE_CHECKING:
    from altsel.data.reading import Reading

HEAD = 1 << 18
"""Bytes of a file in which a quote is looked for."""
TOKEN_SHARE = 0.05
"""Share of a column of text that is missing, from which tokens of missing values are counted."""


class CSVFile:
    """One CSV file, and how it is read.

    Attributes
    ----------
    path
        The file.
    reading
        How the user says that it is written.
    names
        The names in its header.
    findings
        What stands above the header.
    """

    def __init__(self, path: Path, reading: Reading) -> None:
        # pandas renames a second "a" to "a.1"; the header is read by itself so that this is noticed
        self.path, self.reading = path, reading
        usual = reading.usual_separator(path)
        found = FirstLines(reading.skip_rows or 0)
        if reading.skip_rows is None:
            found = first_lines(path, reading.encoding, reading.separator, usual)
        if found.likelier is not None:
            raise reading.separated_otherwise(path, found.likelier)
        self.skip = found.skip
        self._form: dict[str, Any] = {
            "sep": reading.separator or found.separator or usual,
            "encoding": reading.encoding,
            "skiprows": found.skip,
        }
        if self._form["sep"] == reading.decimal and reading.thousands is None and not _quotes(path):
            raise ArgumentError(
                f"{reading.decimal!r} cannot be both separator and decimal sign of {path}, which quotes no "
                "field; name the separator"
            )
        self.findings = [skipped_titles(found.titles)] if found.titles else []
        if found.separator is not None:
            message = f"its first line, 'sep={found.separator}', is skipped"
            self.findings.append(Finding("sep= line", (), message, effect=Effect.SKIPPED))
        header = pd.read_csv(path, header=None, nrows=1, dtype=str, keep_default_na=False, **self._form)
        self.names: list[Any] = list(header.iloc[0])
        if found.header and self.names != list(found.header):  # as of lines that end in other ways
            raise DataError(f"{path} has lines above its header that cannot be skipped; take them out")

    def table(self, unused: Collection[str]) -> pd.DataFrame:
        """Read the rows; `unused` columns may hold anything.

        Raises
        ------
        DataError
            If a line has more fields than the header, or integers are too large.
        """
        try:
            table = self._read()
        except (pd.errors.ParserWarning, pd.errors.ParserError) as fault:
            if UNCLOSED in str(fault):
                raise
            extra, wrong = ragged(
                self.path, self.reading.encoding, self._form["sep"], self.skip, len(self.names)
            )
            if wrong:
                raise DataError(f"{self.path}: {wrong}") from fault
            if not extra:
                raise
            self.names += [""] * extra
            table = self._read()
        used = [index for index in self._numbers if self.names[index] not in unused]
        self._check_integers(table[used])
        return table.apply(known_logic) if len(table) else table

    def tokens(self, table: pd.DataFrame) -> dict[int, Mapping[str, int]]:
        """Count tokens of missing values in each column that lacks some, if a column of text lacks many."""
        of_text = [index for index, kind in enumerate(table.dtypes) if kind.kind not in "iufb"]
        if not any(table[index].isna().mean() >= TOKEN_SHARE for index in of_text):
            return {}
        lacking: list[int] = np.flatnonzero(table.isna().any().to_numpy()).tolist()
        form = {**self._form, **self._rows}
        texts = pd.read_csv(
            self.path,
            header=0,
            names=self._numbers,
            usecols=lacking,
            dtype=str,
            keep_default_na=False,
            **form,
        )
        counts = {index: texts[index].str.strip().value_counts() for index in lacking}
        known = set(self.reading.missing)
        return {
            j: {str(one): int(n) for one, n in found.items() if one in known} for j, found in counts.items()
        }

    @property
    def _numbers(self) -> list[int]:
        return list(range(len(self.names)))

    @property
    def _rows(self) -> dict[str, Any]:
        return {"index_col": False, "skip_blank_lines": len(self.names) > 1}

    def _read(self) -> pd.DataFrame:
        with warnings.catch_warnings():
            warnings.simplefilter("error", pd.errors.ParserWarning)
            table: pd.DataFrame = pd.read_csv(
                self.path,
                header=0,
                names=self._numbers,
                keep_default_na=False,
                na_values=["", " ", *self.reading.tokens()],
                low_memory=False,
                decimal=self.reading.decimal,
                **self._form,
                **self._rows,
            )
            return table

    def _check_integers(self, table: pd.DataFrame) -> None:
        """Refuse integers that floats cannot tell apart; note those that differ by leading zeros only."""
        form = {**self._form, "skip_blank_lines": len(self.names) > 1}
        integers = [index for index in self._numbers if index in table and _is_whole(table[index])]
        large = [i for i in integers if table[i].dtype.kind == "f" and table[i].abs().max() >= LARGEST_EXACT]
        for index in collapsed(self.path, large, form):
            raise DataError(
                f"column {self.names[index]!r} holds integers beyond 2^53 that floats cannot tell apart, and "
                "missing values; fill these, subtract what the numbers have in common, or begin each with a "
                "letter if they are names"
            )
        for index, (one, other) in differing_by_zeros(self.path, integers, form).items():
            warn_caller(
                f"column {self.names[index]!r} is read as numbers, so {one} and {other} count as the same; "
                "if they are names, begin each with a letter",
                DataWarning,
            )


def _is_whole(column: pd.Series[Any]) -> bool:
    """Return whether a column holds integers, which missing values make floats."""
    if column.dtype.kind in "iu":
        return True
    if column.dtype.kind != "f" or not column.hasnans:
        return False
    held = column.dropna()
    return bool(len(held) and (held % 1 == 0).all())


def _quotes(path: Path) -> bool:
    """Return whether a file quotes a field in its first part."""
    with OPENERS.get(path.suffix.lower(), open)(path, "rb") as file:
        return b'"' in file.read(HEAD)
