"""CSV files."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from altsel._types import BoolArray
from altsel.data.columns import LARGEST_EXACT
from altsel.data.files.first_lines import UNCLOSED, FirstLines, first_lines, ragged
from altsel.data.files.inference import with_logic
from altsel.data.files.spreadsheet import skipped_titles
from altsel.data.findings.finding import Effect, Finding
from altsel.data.intake.blocks import blocks, columns_where, is_plain
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
        header = pd.read_csv(path, header=None, nrows=1, dtype=object, keep_default_na=False, **self._form)
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
        self._check_integers(table, [name not in unused for name in self.names])
        return with_logic(table) if len(table) else table

    def tokens(self, table: pd.DataFrame) -> dict[int, Mapping[str, int]]:
        """Count tokens of missing values in each column that lacks some, if a column of text lacks many."""
        of_text = np.flatnonzero(~columns_where(table, is_plain)).tolist()
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
            return table.copy()  # pandas leaves each column by itself, which makes all that follows slow

    def _check_integers(self, table: pd.DataFrame, used: Sequence[bool]) -> None:
        """Refuse integers that floats cannot tell apart; note those that differ by leading zeros only."""
        form = {**self._form, "skip_blank_lines": len(self.names) > 1}
        integers, large = (np.flatnonzero(found & used).tolist() for found in _integers(table))
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


def _integers(table: pd.DataFrame) -> tuple[BoolArray, BoolArray]:
    """Return which columns hold integers, and which of these missing values make floats, beyond 2^53."""
    whole = columns_where(table, lambda kind: is_plain(kind) and kind.kind in "iu")
    large = np.zeros_like(whole)
    floats = np.flatnonzero(columns_where(table, lambda kind: is_plain(kind) and kind.kind == "f"))
    for indices, values, _ in blocks(table.iloc[:, floats]):
        absent = np.isnan(values)
        gappy = floats[indices[absent.any(axis=1) & ~absent.all(axis=1)]]
        held = np.where(absent, 0.0, values)[np.isin(floats[indices], gappy)]
        whole[gappy] = (held == np.rint(held)).all(axis=1) & np.isfinite(held).all(axis=1)
        large[gappy] = whole[gappy] & (np.abs(held).max(axis=1) >= LARGEST_EXACT)
    return whole, large


def _quotes(path: Path) -> bool:
    """Return whether a file quotes a field in its first part."""
    with OPENERS.get(path.suffix.lower(), open)(path, "rb") as file:
        return b'"' in file.read(HEAD)
