"""Every blanket search by d-separation on random graphs: how many blankets are exact.

Run: python -m benchmarks.random_graphs [--graphs 300] [--seed 0] >> benchmarks/results/oracle.md
"""

from __future__ import annotations

import argparse
import time
from functools import partial

import networkx as nx
import numpy as np

import altsel
from altsel import blankets
from benchmarks import oracle
from benchmarks.command import stamped

WHOLE = oracle.whole(None) | {
    "FBED, until nothing changes": partial(blankets.forward_backward_early_dropping, extra_runs=None),
    "iamb, by association": partial(blankets.iamb, order_variables=blankets.dependent_by_association),
    "iamb, by information": partial(blankets.iamb, order_variables=blankets.dependent_by_information),
    "iamb, shrink": partial(blankets.iamb, backward_phase=blankets.shrink),
}
NEAR = oracle.near(None)
TARGETS = 2
"""Targets of each graph."""


def drawn(random: np.random.Generator) -> nx.DiGraph[str]:
    """Draw an acyclic graph of 5 to 15 nodes, with a share of .1 to .45 of all arcs."""
    nodes, density = int(random.integers(5, 16)), random.uniform(0.1, 0.45)
    arcs = np.triu(random.random((nodes, nodes)) < density, 1)
    names = [f"v{j}" for j in random.permutation(nodes)]
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(sorted(names))
    graph.add_edges_from((names[i], names[j]) for i, j in np.argwhere(arcs).tolist())
    return graph


def truth(graph: nx.DiGraph[str], target: str, near: bool) -> set[str]:
    """Return the neighbours of a node, or its blanket."""
    around = {*graph.predecessors(target), *graph.successors(target)}
    mates = {parent for child in graph.successors(target) for parent in graph.predecessors(child)}
    return around if near else (around | mates) - {target}


def main() -> None:
    """Print one row a search."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--graphs", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    random = np.random.default_rng(arguments.seed)
    graphs = [drawn(random) for _ in range(arguments.graphs)]
    print(stamped())
    print(f"\n## {arguments.graphs} random graphs of 5 to 15 nodes, {TARGETS} targets each\n")
    print("| search | exact | CPU seconds |\n|---|---|---|")
    for name, search in {**WHOLE, **NEAR}.items():
        began, right, count = time.process_time(), 0, 0
        for graph in graphs:
            for target in list(graph)[:TARGETS]:
                found = search(altsel.independence.DSeparation(graph, target), limits=None)
                right += set(found[0]) == truth(graph, target, name in NEAR)
                count += 1
        print(f"| {name} | {right} of {count} | {time.process_time() - began:.0f} |", flush=True)


if __name__ == "__main__":
    main()
