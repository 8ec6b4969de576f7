"""`RawTable`: a table as it was read, before anything is left out, and what reading it found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import pandas as pd

from altsel.data.findings.finding import Finding
from altsel.data.findings.recognition import recognise, recognise_columns


@dataclass(frozen=True, eq=False)
class RawTable:
    """A table as it was read.

    Attributes
    ----------
    frame
        The table, with names for columns that have none: ``Unnamed: 0`` and so on.
    findings
        What was skipped in its file.
    tokens
        How often each token of a missing value occurs in each column.
    decimal
        Decimal sign of the file.
    unnamed
        The columns that have no name of their own.
    from_file
        Whether it is from a file, so that numbers are text only if something else is written with them.
    """

    frame: pd.DataFrame
    findings: tuple[Finding, ...] = ()
    tokens: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    unnamed: tuple[str, ...] = ()
    decimal: str = "."
    from_file: bool = False

    def recognised(
        self, target: str | None, keep: tuple[str, ...] = (), *, columns_only: bool = False
    ) -> tuple[Finding, ...]:
        """Recognise what is odd about the table; see `altsel.data.findings.recognise`."""
        look = recognise_columns if columns_only else recognise
        found = look(
            self.frame, target, keep=keep, tokens=self.tokens, decimal=self.decimal, from_file=self.from_file
        )
        return (*self.findings, *found)
