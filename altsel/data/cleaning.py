"""What of a table is taken: which columns, and how many rows may be lost."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from math import isfinite
from typing import Any

from altsel.errors import ArgumentError, flags, list_of_names, listing


class MissingName(StrEnum):
    """What is done with missing values, in words of the command line."""

    ERROR = "error"
    DROP_ROWS = "drop-rows"
    CATEGORY = "category"
    COMPLETE_ROWS = "complete-rows"
    IMPUTE = "impute"

    @property
    def argument(self) -> str:
        """The same as an argument in Python."""
        return self.value.replace("-", " ")


WAYS = ("error", "drop rows", "category")
"""What `missing` of a data set may be."""
ELSEWHERE = {
    "impute": "; imputed tables are made by altsel.imputation.impute",
    "complete rows": "; tests on the rows that have what they need: altsel.imputation.CompleteRows",
}
"""Ways that one table does not have, and where they are."""
ROWS_LOST = 0.2
"""Largest share of the rows with a target that is dropped for missing values, unless more is meant."""


@dataclass(frozen=True)
class Cleaning:
    """What a user wants taken of a table; see the arguments of `altsel.Dataset`.

    Raises
    ------
    ArgumentError
        If an argument is none of what it may be.
    """

    missing: str = "error"
    keep: Collection[str] = ()
    rows_lost: float = ROWS_LOST
    most_missing: float | None = None
    unique_rows: bool = False

    def __post_init__(self) -> None:
        if self.missing not in WAYS:
            further = ELSEWHERE.get(str(self.missing), "")
            raise ArgumentError(f"missing={self.missing!r}; use {listing(WAYS)}{further}")
        object.__setattr__(self, "keep", list_of_names("keep", self.keep))
        _share("rows_lost", self.rows_lost)
        if self.most_missing is not None:
            _share("most_missing", self.most_missing)
        flags(unique_rows=self.unique_rows)


def _share(name: str, value: Any) -> None:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not number or not isfinite(value) or not 0 <= value <= 1:
        raise ArgumentError(f"{name}={value!r}; use a share from 0 to 1, such as 0.2")
