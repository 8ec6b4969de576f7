"""The page that shows searches for blankets and neighbours beside bnlearn's: F1, and CPU seconds.

Run: python -m benchmarks.blanket_peers > benchmarks/results/blanket_peers.md

It reads the figures that `benchmarks.blanket_readings` (ours), `benchmarks.bnlearn_runs` and
`benchmarks.blanket_cpu` (both need R and bnlearn) keep in results/.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.blanket_readings import SEARCHES, TESTS
from benchmarks.command import stamped

RESULTS = Path(__file__).parent / "results"
TEXT = Path(__file__).with_name("blanket_peers_text.md")
"""What the page says between its figures."""
READINGS = ("default", *TESTS, "association")


@dataclass(frozen=True)
class Cell:
    """One search on one network and size: F1 by sample, of ours by reading and of bnlearn by test."""

    network: str
    rows: int
    search: str
    ours: pd.DataFrame
    theirs: pd.DataFrame

    @cached_property
    def best(self) -> str:
        """The test with which bnlearn has the better mean."""
        return str(self.theirs.mean().idxmax())

    @cached_property
    def bound(self) -> float:
        """The better mean of bnlearn less its standard error."""
        values = self.theirs[self.best].dropna()
        return float(values.mean() - error(values))

    @cached_property
    def means(self) -> pd.Series:
        """Mean of each reading over the samples that bnlearn has."""
        return self.ours.loc[self.theirs[self.best].dropna().index].mean()

    def holds(self, reading: str) -> bool:
        """Return whether F1 is at least the bound by one reading."""
        return bool(self.means.get(reading, 0.0) >= self.bound)

    @property
    def reached_by(self) -> list[str]:
        """The readings by which F1 is at least the bound."""
        return [reading for reading in READINGS if self.holds(reading)]


def cells() -> list[Cell]:
    """Read all figures of F1."""
    ours = pd.read_csv(RESULTS / "blanket_readings.csv")
    theirs = pd.read_csv(RESULTS / "bnlearn.csv")
    found = []
    for key, part in ours.groupby(["rows", "network", "search"], sort=False):
        rows, network, search = (str(value) for value in key)
        same = (theirs["network"] == network) & (theirs["rows"] == int(rows))
        peers = theirs[same & (theirs["search"] == SEARCHES[search][0])]
        f1 = part.pivot_table(index="sample", columns="reading", values="f1")
        by_test = peers.pivot_table(index="sample", columns="test", values="f1")
        found.append(Cell(network, int(rows), search, f1, by_test))
    return sorted(found, key=lambda cell: cell.rows)


def error(values: pd.Series) -> float:
    """Return the standard error of a mean."""
    return float(np.std(values, ddof=1) / np.sqrt(len(values)))


def shown(values: pd.Series, sign: str = "") -> str:
    """Write a mean with its standard error."""
    values = values.dropna()
    return f"{values.mean():{sign}.3f} ± {error(values):.3f}"


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    """Write a table of Markdown."""
    head = list(head)
    yield "| " + " | ".join(head) + " |"
    yield "|" + "---|" * len(head)
    for row in rows:
        yield "| " + " | ".join(row) + " |"


def verdict(found: list[Cell]) -> Iterator[str]:
    """Say in how many cells F1 is reached, and by what where not by default."""
    short = [cell for cell in found if not cell.holds("default")]
    reached = [cell for cell in found if cell.reached_by]
    yield "F1 is at least bnlearn's better one less its own standard error"
    yield f"- in **{len(found) - len(short)} of {len(found)}** cells by default,"
    yield f"- in **{len(reached)}** by the best of default, `mi` and `mi-adf`: the user's choice of test.\n"
    yield "The cells where the default falls short, means over the samples that bnlearn has:\n"
    head = ("network, rows", "search", "bnlearn", "less its error", *READINGS, "reached by")
    rows = (
        (
            f"{cell.network}, {cell.rows}",
            cell.search,
            f"`{cell.best}` {cell.theirs[cell.best].mean():.4f}",
            f"{cell.bound:.4f}",
            *(f"{cell.means[key]:.4f}" if key in cell.means else "" for key in READINGS),
            ", ".join(cell.reached_by) or "none",
        )
        for cell in short
    )
    yield from table(head, rows)


def seconds() -> Iterator[str]:
    """Write CPU seconds of both sides, measured in turn: ours by default, then by bnlearn's test."""
    runs = pd.read_csv(RESULTS / "blanket_cpu.csv")
    for ours, what in (("altsel", "by default"), ("same_test", "with bnlearn's test")):
        sums = runs.groupby(["search", "network"], sort=False)[[ours, "bnlearn"]].mean()
        networks = list(dict.fromkeys(runs["network"]))
        pairs = [[sums.loc[search, network].tolist() for network in networks] for search in SEARCHES]
        ratios = [mine / theirs for row in pairs for mine, theirs in row]
        yield (
            f"\nAltsel {what}: at most 1 in {sum(ratio <= 1 for ratio in ratios)} of {len(ratios)} cells "
            "(our seconds / bnlearn's, and their ratio).\n"
        )
        body = (
            (search, *(f"{mine:.2f} / {theirs:.2f} = **{mine / theirs:.2f}**" for mine, theirs in row))
            for search, row in zip(SEARCHES, pairs, strict=True)
        )
        yield from table(("search", *networks), body)


def figures(found: list[Cell]) -> Iterator[str]:
    """Write a table for each network and size."""
    for rows, network in dict.fromkeys((cell.rows, cell.network) for cell in found):
        here = [cell for cell in found if (cell.rows, cell.network) == (rows, network)]
        ours = [reading for reading in READINGS if any(reading in cell.ours for cell in here)]
        theirs = [str(test) for test in here[0].theirs]
        yield f"\n### {network}, {rows} rows, {len(here[0].ours)} samples\n"
        head = ("search", *ours, *(f"bnlearn `{test}`" for test in theirs), "default less the better")
        yield from table(head, (row(cell, ours, theirs) for cell in here))


def row(cell: Cell, ours: list[str], theirs: list[str]) -> list[str]:
    """Write the figures of a cell."""
    difference = (cell.ours["default"] - cell.theirs[cell.best]).dropna()
    return [
        cell.search,
        *(shown(cell.ours[reading]) if reading in cell.ours else "" for reading in ours),
        *(shown(cell.theirs[test]) for test in theirs),
        shown(difference, "+"),
    ]


def main() -> None:
    """Print the page."""
    found = cells()
    before, between, after = TEXT.read_text(encoding="utf-8").split("<!-- figures -->\n")
    print(stamped(before), *verdict(found), between, *seconds(), after, *figures(found), sep="\n")


if __name__ == "__main__":
    main()
