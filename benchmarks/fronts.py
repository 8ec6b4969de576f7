"""Exact fronts of quality and dissimilarity on real data, drawn.

    python -m benchmarks.fronts FOLDER

For wdbc, sonar and ionosphere in the folder (``*.csv.gz``, column ``target``): k = 5, mRMR by absolute
correlations. Quality of one alternative over its Jaccard distance from the best set, and of the poorest
of three sets found at once over their least Dice dissimilarity. Writes benchmarks/results/fronts.md and
pictures.
"""

from __future__ import annotations

import argparse
import time
import warnings
from pathlib import Path

import altsel
from altsel.data.frames import to_table
from benchmarks.command import stamped

NAMES = ("wdbc", "sonar", "ionosphere")
RESULTS = Path(__file__).parent / "results"


def main() -> None:
    """Run all, draw, and write the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    text = []
    for name in NAMES:
        table = to_table(folder / f"{name}.csv.gz")
        target = table.pop("target")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", altsel.DataWarning)
            dependence = altsel.dependence(altsel.Dataset(table, target), altsel.measures.absolute_pearson)
        problem = altsel.Problem(altsel.MRMR(dependence), 5)
        began = time.perf_counter()
        single = altsel.pareto_front(problem, altsel.Jaccard(0))
        joint = altsel.pareto_front(problem, altsel.Dice(0), alternatives=2, total="min", together=True)
        seconds = time.perf_counter() - began
        for kind, front in (("one", single), ("three", joint)):
            front.draw(RESULTS / f"front_{name}_{kind}.png")
            text.append(f"## {name}, {kind}\n\n```text\n{front}\n```\n")
        print(f"{name}: {len(single)} and {len(joint)} points, {seconds:.1f} s", flush=True)
        print(f"proved: {single.proved and joint.proved}", flush=True)
    head = "# Fronts\n\n`python -m benchmarks.fronts FOLDER`.\n\n"
    (RESULTS / "fronts.md").write_text(stamped(head + "\n".join(text)), encoding="utf-8")


if __name__ == "__main__":
    main()
