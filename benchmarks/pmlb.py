"""Multivariate criteria on a folder of data sets: what is proved, infeasible, open, in what time.

    python -m benchmarks.pmlb FOLDER

Every ``*.csv.gz`` with a column ``target``: k = 5, Dice dissimilarity of at least 0.4, sequential
search with three alternatives, mutual information as relevance and redundancy, no time limit.
Writes benchmarks/results/pmlb.md.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections import Counter
from pathlib import Path

import altsel
from altsel.data.frames import to_table
from benchmarks.command import stamped
from benchmarks.instances import filled

CRITERIA = {"mRMR": altsel.MRMR, "CFS": altsel.CFS, "FCBF": altsel.FCBF}
RESULTS = Path(__file__).parent / "results" / "pmlb.md"
WANTED = 4


def solved(criterion: str, dependence: altsel.Dependence) -> tuple[list[str], float]:
    """Describe each of the four sets what became of it, and the CPU seconds of all."""
    began = time.process_time()
    problem = altsel.Problem(CRITERIA[criterion](dependence), 5)
    found = altsel.sequential(problem, altsel.Dice(0.4), WANTED - 1)
    said = ["proved" if subset.proof is altsel.Proof.OPTIMAL else "open" for subset in found]
    rest = "infeasible" if found.stop is altsel.Stop.INFEASIBLE else "open"
    return said + [rest] * (WANTED - len(said)), time.process_time() - began


def main() -> None:
    """Run all and write the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    rows, totals = [], {name: (Counter[str](), [0.0]) for name in CRITERIA}
    for path in sorted(parser.parse_args().folder.glob("*.csv.gz")):
        table = to_table(path)
        target = table.pop("target")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", altsel.DataWarning)
            data = altsel.Dataset(table.apply(filled), target)
        began = time.process_time()
        dependence = altsel.dependence(data, altsel.measures.mutual_information)
        size = f"{len(data.y)} x {len(dependence.redundancy)}"
        cells = [path.name.removesuffix(".csv.gz"), size, f"{time.process_time() - began:.2f}"]
        for name in CRITERIA:
            said, cpu = solved(name, dependence)
            totals[name][0].update(said)
            totals[name][1].append(cpu)
            cells.append(
                " ".join(f"{said.count(kind)} {kind}" for kind in dict.fromkeys(said)) + f", {cpu:.2f}"
            )
        rows.append(f"| {' | '.join(cells)} |")
        print(rows[-1], flush=True)
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(stamped(_page(rows, totals)), encoding="utf-8")


def _page(rows: list[str], totals: dict[str, tuple[Counter[str], list[float]]]) -> str:
    lines = ["# Multivariate criteria on data sets of PMLB", "", "`python -m benchmarks.pmlb FOLDER`."]
    lines += [*(__doc__ or "").splitlines()[4:-1], ""]
    lines += ["| criterion | sets requested | proved | infeasible | open | CPU s, all | CPU s, largest |"]
    lines += ["|---|---|---|---|---|---|---|"]
    for name, (counts, cpu) in totals.items():
        wanted = sum(counts.values())
        shares = (
            f"{counts[kind]} ({counts[kind] / wanted:.0%})" for kind in ("proved", "infeasible", "open")
        )
        lines.append(f"| {name} | {wanted} | {' | '.join(shares)} | {sum(cpu):.1f} | {max(cpu):.2f} |")
    head = ["data set", "rows x features", "s for dependence", *(f"{name}: sets, CPU s" for name in totals)]
    lines += ["", f"| {' | '.join(head)} |", f"|{'---|' * len(head)}", *rows]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
