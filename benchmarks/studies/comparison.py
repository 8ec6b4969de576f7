"""A figure of a paper beside ours, how far they are apart, and why."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from math import inf, isnan
from pathlib import Path

from benchmarks.paper_data import TITLES
from benchmarks.tmfbs_records import markdown

TEXTS = Path(__file__).parent / "texts"
MOST = 2.0
"""Standard errors from which on a difference needs a reason."""
ROUNDED = 100
"""Printed integers from here on are rounded; smaller ones, as a precision of 1, are exact."""
FEATURES = 2.0
"""Numbers of features that are farther apart, and by a quarter of the paper's, need a reason."""
HEAD = ["table", "data", "method", "figure", "paper", "ours", "standard errors", "why different"]


@dataclass(frozen=True)
class Comparison:
    """One figure: the paper's as printed, ours, and the standard error of their difference, if known.

    It can also be known that the paper's is outside all of several that ours is the mean of.
    """

    page: str
    table: str
    data: str
    method: str
    figure: str
    printed: str
    ours: float
    error: float
    digits: int = 3
    spread: float = float("nan")
    printed_spread: str = ""
    outside: bool = False

    @property
    def away(self) -> float:
        """Number of standard errors between the figures; what rounding explains is none."""
        try:
            printed = float(self.printed.replace(",", ""))
        except ValueError:
            return float("nan")
        places = len(self.printed.partition(".")[2])
        difference = abs(self.ours - printed)
        rounding = 0.5 * 10.0**-places if places or printed >= ROUNDED else 0.0
        if difference <= rounding + 1e-12:
            return 0.0
        return difference / self.error if self.error > 0 else (float("nan") if isnan(self.error) else inf)

    @property
    def why(self) -> str:
        """Return the reason for a difference; none is given where there is none to explain."""
        wanted = self.away > MOST or self.outside
        return reason(self.page, self.table, self.data, self.method, self.figure) if wanted else ""

    @property
    def distance(self) -> str:
        """Write the number of standard errors, as far as it is known; "exact" where there is no error."""
        return "" if isnan(self.away) else ("exact" if self.away == inf else f"{self.away:.1f}")

    def cells(self) -> list[str]:
        """Lay out a row of the table."""
        spread = "" if isnan(self.spread) else f" ± {self.spread:.{self.digits}f}"
        ours = f"{self.ours:.{self.digits}f}{spread}"
        printed = self.printed + (f" ± {self.printed_spread}" if self.printed_spread else "")
        return [self.table, self.data, self.method, self.figure, printed, ours, self.distance, self.why]


@cache
def reasons() -> dict[str, list[dict[str, str]]]:
    """Return the reasons of each page; the first that fits is given."""
    return tomllib.loads((TEXTS / "reasons.toml").read_text("utf-8"))


def reason(page: str, *given: str) -> str:
    """Return the first reason that fits a table, data, method and figure; nothing if none does."""
    for one in reasons().get(page, []):
        wanted = (one.get(key, "*") for key in ("table", "data", "method", "figure"))
        if all(fnmatchcase(value, pattern) for value, pattern in zip(given, wanted, strict=True)):
            return one["why"]
    return ""


def apart(ours: float, printed: float) -> bool:
    """Say whether numbers of features are so far apart that they need a reason."""
    return abs(ours - printed) > max(FEATURES, printed / 4)


def compared(rows: Iterable[Comparison]) -> str:
    """Lay out figures beside each other."""
    return markdown(HEAD, [row.cells() for row in rows])


def summary(rows: Iterable[Comparison]) -> str:
    """Say how many figures are compared, and how many agree."""
    known = [row.away for row in rows if not isnan(row.away)]
    near = sum(away <= MOST for away in known)
    others = "the others have a reason, or are said to be unexplained"
    return f"{near} of {len(known)} figures agree to {MOST:g} standard errors; {others}."


def tables(path: Path) -> list[str]:
    """Return the tables of a page of results."""
    found: list[list[str]] = [[]]
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("|"):
            found[-1].append(line)
        elif found[-1]:
            found.append([])
    return ["\n".join(lines) for lines in found if lines]


def data_sets(paper: str) -> str:
    """Return the table of a paper's data sets beside what is read here."""
    return tables(TEXTS.parents[1] / "results" / "paper_data.md")[list(TITLES).index(paper)]


def filled(name: str, parts: dict[str, str]) -> str:
    """Put tables into the text of a page, where it names them between double braces."""
    text = (TEXTS / f"{name}.md").read_text("utf-8")
    for key, part in parts.items():
        text = text.replace("{{" + key + "}}", part)
    return text.rstrip() + "\n"
