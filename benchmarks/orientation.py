"""Sides of the members of blankets, told from samples of networks whose arrows are known.

    OMP_NUM_THREADS=1 python -m benchmarks.orientation FOLDER

FOLDER holds networks as ``*.bif``. Of each node of each network that has a blanket by HITON-MB (G-square,
alpha .01), the sides of its members are told, on 500 and on 5,000 rows, with at most eight variables
learned around. Writes results/orientation.md.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections import Counter
from pathlib import Path

import altsel
from altsel.blankets import Around, hiton_mb, orientation
from altsel.data import BayesianNetwork
from altsel.results import Orientation, Side
from benchmarks.command import folder_of, stamped

RESULTS = Path(__file__).parent / "results" / "orientation.md"
NETWORKS = ("asia", "sachs", "child", "insurance", "alarm", "hailfinder")
ROWS, ALPHA, MOST = (500, 5_000), 0.01, 8
HEAD = """# Sides of the members of blankets

`python -m benchmarks.orientation FOLDER`: of every node of six networks, blankets by HITON-MB (G-square,
alpha .01) and `altsel.blankets.orientation` with at most eight variables learned around. *Told*: members
called parent or child. *Right*: of these, those that are. *Reversed*: a parent called a child, or the other
way round. *No neighbour*: called a parent or child, and neither. *Share told*: of the true parents and
children that are in the blankets found. CPU seconds include finding the blankets.

| network | rows | told | right | reversed | no neighbour | precision | share told | CPU s |
|---|---|---|---|---|---|---|---|---|
"""


def sides(network: BayesianNetwork, rows: int, node: str) -> Orientation | None:
    """Tell the sides around one node from a sample; None if there is no blanket to tell of."""
    table = network.sample(rows, 1)
    table = table[[name for name in table if table[name].nunique() > 1]]
    if node not in table:
        return None
    test = altsel.independence.GSquare(altsel.Dataset(table.drop(columns=node), table[node]))
    found = hiton_mb(test, ALPHA)
    if not len(found) or not found[0].features:
        return None
    return orientation(found, test, ALPHA, around=Around(most=MOST))


def counted(network: BayesianNetwork, node: str, found: Orientation) -> Counter[str]:
    """Compare what is told of a node with the network."""
    truth = dict.fromkeys(network.parents(node), Side.PARENT)
    truth |= dict.fromkeys(network.children(node), Side.CHILD)
    counts: Counter[str] = Counter()
    for one in found.members:
        counts["neighbours"] += one.feature in truth
        if one.side in {Side.PARENT, Side.CHILD}:
            wanted = truth.get(one.feature)
            counts["no neighbour" if wanted is None else "right" if wanted is one.side else "reversed"] += 1
    return counts


def row_of(name: str, network: BayesianNetwork, rows: int) -> str:
    """Make a row of the table."""
    counts, began = Counter[str](), time.process_time()
    for node in network.nodes:
        found = sides(network, rows, node)
        if found is not None:
            counts += counted(network, node, found)
    spent = time.process_time() - began
    told = counts["right"] + counts["reversed"] + counts["no neighbour"]
    parts = " | ".join(str(counts[what]) for what in ("right", "reversed", "no neighbour"))
    share = (
        counts["right"] / max(told, 1),
        (counts["right"] + counts["reversed"]) / max(counts["neighbours"], 1),
    )
    return f"| {name} | {rows:,} | {told} | {parts} | {share[0]:.2f} | {share[1]:.2f} | {spent:.1f} |"


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=folder_of("*.bif"))
    folder, lines = parser.parse_args().folder, []
    for name in NETWORKS:
        network = altsel.read_network(folder / f"{name}.bif")
        for rows in ROWS:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", altsel.DataWarning)
                lines.append(row_of(name, network, rows))
            print(lines[-1], flush=True)
    RESULTS.write_text(stamped(HEAD + "\n".join(lines) + "\n"), encoding="utf-8")


if __name__ == "__main__":
    main()
