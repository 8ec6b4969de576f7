"""The numbers that AFS prints beside ours, of all folds and of each."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import isnan, nan, sqrt

import pandas as pd

from benchmarks.studies.afs_design import FOLDS, SIZES
from benchmarks.studies.comparison import Comparison

NAMES = {"mi": "MI", "gain": "Model Gain", "fcbf": "FCBF", "wrapper": "Greedy Wrapper", "mrmr": "mRMR"}
SETTLED = {"optimal", "infeasible"}
RUN_KEYS = ["data", "fold", "selector", "k", "tau"]
HEAD = ["section", "what", "paper", "ours", "of each fold", "standard errors", "why different"]


@dataclass(frozen=True)
class Number:
    """A number of the paper: where it says it, what, its words; how ours is found and written."""

    section: str
    what: str
    paper: str
    value: Callable[[pd.DataFrame], float]
    form: str = "{:.2f}"

    def cells(self, table: pd.DataFrame) -> list[str]:
        """Lay out the number, ours, those of the folds, and how many standard errors they are apart.

        The error of the difference is that of our folds and the paper's ten, by the spread of ours.
        """
        ours, folds = self.value(table), [self.value(part) for _, part in table.groupby("fold")]
        known = [value for value in folds if not isnan(value)]
        spread = round(float(pd.Series(known).std(ddof=1)), 9) if len(known) > 1 else nan
        error = spread * sqrt(1 / FOLDS + 1 / max(len(known), 1))
        compared = Comparison("afs", self.section, "", "", self.what, self._printed, ours, error)
        each = " ".join(map(self.text, known)) if len(known) > 1 else ""
        return [self.section, self.what, self.paper, self.text(ours), each, compared.distance, compared.why]

    @property
    def _printed(self) -> str:
        """The paper's figure; of a share, which it rounds to per cents, as a fraction; nothing for words."""
        found = re.fullmatch(r"(\.?\d+)( %)?( \(all\))?", self.paper)
        if found is None:
            return ""
        return f"{int(found[1]) / 100:.2f}" if found[2] else found[1]

    def text(self, value: float) -> str:
        """Write one of our values."""
        if isnan(value):
            return ""
        return per_cent(value) if "%" in self.form else self.form.format(value)


def per_cent(value: float) -> str:
    """Write a share, small ones with a digit more."""
    digits = 0 if value in {0.0, 1.0} or value >= 0.1 else 1
    return f"{100 * value:.{digits}f} %"


def share(values: Callable[[pd.DataFrame], pd.Series], of: str = "") -> Callable[[pd.DataFrame], float]:
    """Return what finds the share of sets that something holds for, of those that a query finds."""
    return lambda table: float(values(table.query(of) if of else table).mean())


def median(query: str) -> Callable[[pd.DataFrame], float]:
    """Return what finds the median test MCC of trees of the sets that a query finds."""
    return lambda table: float(table.query(query)["tree_test"].median())


def no_set(table: pd.DataFrame) -> pd.Series:
    """Say which sets were not found."""
    return table["features"].isna()


def settled(table: pd.DataFrame) -> pd.Series:
    """Say which sets are proved, or proved not to be."""
    return table["status"].isin(SETTLED)


def unproved(table: pd.DataFrame) -> pd.Series:
    """Say which of the sets found are not proved."""
    return ~settled(table[~no_set(table)])


def infeasible(table: pd.DataFrame) -> pd.Series:
    """Say which sets are proved not to be."""
    return table["status"] == "infeasible"


def numbers() -> Iterator[Number]:
    """Yield every number that the paper prints."""
    exact, percent = "selector != 'wrapper'", "%"
    yield Number("5.2.2", "sets solved or proved infeasible in 60 s, without the wrapper", "94 % (all)",
                 share(settled, exact), percent)  # fmt: skip
    for name, paper in (("fcbf", "89 %"), ("mi", "19 %")):
        yield Number("6.3", f"no set, {NAMES[name]}", paper, share(no_set, f"selector == '{name}'"), percent)
    for name, paper in (("gain", ".57"), ("mi", ".54"), ("wrapper", ".51")):
        what = f"median test MCC of trees, {NAMES[name]}"
        yield Number("6.3", what, paper, median(f"selector == '{name}'"))
    for k, paper in zip(SIZES, (".50", ".60"), strict=True):
        yield Number("6.3", f"median test MCC of trees, k = {k}", paper, median(f"k == {k}"))
    together = f"{exact} and search == 'sum'"
    yield Number(
        "6.4.1", "sets found but not proved, simultaneous", "10 %", share(unproved, together), percent
    )
    yield Number("6.4.1", "the same, sequential", "0 %", share(unproved, f"{exact} and search != 'sum'"),
                 percent)  # fmt: skip
    for words, query, paper in (("up to 3", "asked <= 3", "< 1 %"), ("4", "asked == 4", "4 %"),
                                ("5", "asked == 5", "32 %")):  # fmt: skip
        what = f"the same, simultaneous, {words} alternatives"
        yield Number("6.4.1", what, paper, share(unproved, f"{together} and {query}"), percent)
    for number, paper in ((0, "0 %"), (1, "2 %"), (2, "14 %"), (5, "24 %"), (10, "30 %")):
        what = "the original" if number == 0 else f"alternative {number}"
        query = f"selector == 'mi' and search == 'sequential' and number == {number}"
        yield Number("6.4.2", f"infeasible, sequential, MI, {what}", paper, share(infeasible, query), percent)
    what = "rank correlation of n and median train Q, over data sets, MI"
    yield Number("6.1", what, "none", lambda table: with_n(table, "train"))
    yield Number("6.1", "the same, test MCC of trees", "none", lambda table: with_n(table, "tree_test"))
    for name, paper in (("mi", "strong"), ("gain", "strong"), ("fcbf", "weak"), ("wrapper", "weak")):
        what = f"influence of tau: median share of train Q lost at tau = 1, {NAMES[name]}"
        yield Number("6.4.3", what, paper, lambda table, name=name: lost(table, name), percent)  # type: ignore[misc]


def with_n(table: pd.DataFrame, column: str) -> float:
    """Correlate the ranks of numbers of features and of medians of something, over data sets."""
    by_data = table[table["selector"] == "mi"].groupby("data")
    part = by_data.agg(n=("n", "first"), value=(column, "median")).dropna()
    return float(part["n"].corr(part["value"], method="spearman")) if len(part) > 2 else nan


def lost(table: pd.DataFrame, selector: str) -> float:
    """Return the median share of a run's best quality that its alternatives lose at the strictest tau."""
    part = table[(table["search"] == "sequential") & (table["tau"] == 1.0) & ~no_set(table)]
    top = part.groupby(RUN_KEYS)["train"].transform("max")
    chosen = (part["selector"] == selector) & (part["number"] > 0) & (top > 0)
    return float(1 - (part["train"] / top)[chosen].median())
