"""Run one part of the study, and print its page."""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path

import benchmarks.defaults
from benchmarks.command import folder_of, in_one_line, stamped, whole
from benchmarks.defaults import generated, sets, sizes


def main() -> None:
    """Read the command line; print a page."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=benchmarks.defaults.__doc__, formatter_class=raw)
    parts = parser.add_subparsers(dest="part", required=True)
    drawn = parts.add_parser("generated")
    drawn.add_argument("--seeds", type=whole(3), default=30)
    drawn.add_argument("--rows", type=whole(60), nargs="*", default=[60, 100, 300, 1000, 3000])
    for name, splits in {"sets": 2, "sizes": 3}.items():
        read = parts.add_parser(name)
        read.add_argument("folders", type=folder_of("*.csv.gz"), nargs="+")
        read.add_argument("--splits", type=whole(2), default=splits)
        read.add_argument("--records", type=Path)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    with in_one_line(parser):
        if given.part == "generated":
            print(stamped(generated.page(given.seeds, given.rows)))
        else:
            study = {"sets": sets, "sizes": sizes}[given.part]
            print(stamped(study.page(given.folders, given.splits, given.records)))


if __name__ == "__main__":
    main()
