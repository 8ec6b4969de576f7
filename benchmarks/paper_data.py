"""The data sets of the four papers, as the papers describe them and as the studies here read them.

Run: python -m benchmarks.paper_data FOLDER [FOLDER …]
Each folder is looked through for a set's CSV file; a set that is in none of them is left out.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from benchmarks import ppfs, protocol, unified_view_sets
from benchmarks.command import folder_of, stamped
from benchmarks.tmfbs_records import RESULTS, markdown

TITLES = {
    "afs": "Alternative feature selection, section 5.4: 106 to 9,822 rows, 15 to 168 features",
    "unified_view": "Unified view, tables 8, 12 and 16",
    "tmfbs": "TMFBS, table 2",
    "ppfs": "PPFS, table 1",
}
PAPER: dict[str, dict[str, tuple[int, int, int]]] = {
    "unified_view": {
        "mushroom": (5644, 22, 2), "kr-vs-kp": (3196, 36, 2), "madelon": (2000, 500, 2),
        "spambase": (4601, 57, 2), "prostate": (102, 6033, 2), "arcene": (100, 10000, 2),
        "leukemia": (72, 7070, 2), "splice": (3175, 60, 3), "waveform": (5000, 40, 3), "lung": (73, 325, 7),
    },
    "tmfbs": {
        "crime-nonviolent": (2118, 102, 0), "crime-violent": (1994, 102, 0), "blogfeedback": (60021, 276, 0),
        "uji-longitude": (21048, 520, 0), "ada": (4562, 46, 2), "clean2": (6598, 166, 2),
        "madelon": (2600, 500, 2),
    },
    "ppfs": {
        "statlog-heart": (270, 13, 2), "ionosphere": (351, 33, 2), "sonar": (208, 60, 2),
        "wdbc": (569, 30, 2), "credit-approval": (653, 15, 2), "ecoli": (336, 7, 7),
        "desharnais": (81, 11, 0), "maxwell": (62, 26, 0), "arcene": (100, 10000, 2),
        "madelon": (2000, 500, 2),
    },
}  # fmt: skip
"""Rows, features and classes (0: numbers), as printed."""
HEAD = ["data", "rows, paper", "ours", "features, paper", "ours", "classes, paper", "ours"]


@dataclass(frozen=True)
class Shape:
    """Rows, features and classes (0: numbers) of a data set as a study reads it."""

    rows: int
    features: int
    classes: int

    @classmethod
    def of(cls, X: pd.DataFrame, y: pd.Series, discrete: bool) -> Shape:
        """Count."""
        return cls(*X.shape, int(y.nunique()) if discrete else 0)


def shape(paper: str, folder: Path, name: str) -> Shape:
    """Read a set as the study of a paper does."""
    if paper == "tmfbs":
        table = protocol.read(folder, name)
        return Shape.of(table.drop(columns="target"), table["target"], table["target"].nunique() == 2)
    data = unified_view_sets.read(folder, name) if paper == "unified_view" else ppfs.table(folder, name)
    return Shape.of(data.X, data.y, data.discrete_target)


def rows(paper: str, folders: list[Path]) -> Iterator[list[str]]:
    """Lay out what a paper prints beside what is read."""
    for name, printed in PAPER[paper].items():
        folder = next((one for one in folders if (one / f"{name}.csv.gz").exists()), None)
        if folder is None:
            continue
        ours = shape(paper, folder, name)
        pairs = zip(printed, (ours.rows, ours.features, ours.classes), strict=True)
        numbers = [f"{number:,}" if number else "numbers" for pair in pairs for number in pair]
        yield [name, *numbers]


def afs(folders: list[Path]) -> list[str]:
    """Lay out the extent of the 30 sets of PMLB, which the paper gives in one sentence."""
    folder = next(one for one in folders if (one / "coil2000.csv.gz").exists())
    shapes = [pd.read_csv(file).shape for file in sorted(folder.glob("*.csv.gz"))]
    sizes, widths = [size for size, _ in shapes], [width - 1 for _, width in shapes]
    extent = [f"{min(one):,} to {max(one):,}" for one in (sizes, widths)]
    return [f"{len(shapes)} sets", "106 to 9,822", extent[0], "15 to 168", extent[1], "2", "2"]


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "folders", nargs="+", type=folder_of("*.csv.gz"), help="with the 30 of PMLB and the others"
    )
    folders = parser.parse_args().folders
    if not any((one / "coil2000.csv.gz").exists() for one in folders):
        parser.error("no folder has coil2000.csv.gz, one of the 30 data sets of PMLB")
    lines = [
        "# Data sets of the papers",
        "",
        "`python -m benchmarks.paper_data FOLDER …`: as printed, and as the studies read them, without",
        "constant columns, and without rows that miss values where the paper says so.",
        "",
    ]
    for paper, title in TITLES.items():
        found = [afs(folders)] if paper == "afs" else list(rows(paper, folders))
        lines += [f"## {title}", "", markdown(HEAD, found), ""]
    (RESULTS / "paper_data.md").write_text(stamped("\n".join(lines)), encoding="utf-8")


if __name__ == "__main__":
    main()
