"""Every blanket search with d-separation as its test, on every node of networks: exact or not, at what cost.

Run: python -m benchmarks.oracle FOLDER/{alarm,asia,child,hailfinder,insurance}.bif
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import altsel
from altsel import blankets as blanket
from benchmarks.command import stamped

GAMMA = 3
"""Sets of three separate every pair of these networks that can be separated."""

Search = Callable[..., altsel.Solutions]


def whole(gamma: int | None) -> dict[str, Search]:
    """Name the searches for a blanket; those by subsets condition on at most gamma features."""
    return {
        "forward_backward": blanket.forward_backward,
        "FBED, K = 1": partial(blanket.forward_backward_early_dropping, extra_runs=1),
        "grow_shrink": blanket.grow_shrink,
        "grow_shrink, columns": partial(blanket.grow_shrink, candidate_order="columns"),
        "iamb": blanket.iamb,
        "inter_iamb": blanket.inter_iamb,
        "fast_iamb": blanket.fast_iamb,
        "kiamb": blanket.kiamb,
        "mmmb": partial(blanket.mmmb, max_conditioning=gamma),
        "hiton_mb": partial(blanket.hiton_mb, max_conditioning=gamma),
        "pcmb": partial(blanket.pcmb, max_conditioning=gamma),
        "ipcmb": partial(blanket.ipcmb, max_conditioning=gamma),
        "stmb": partial(blanket.stmb, max_conditioning=gamma),
        "bamb": partial(blanket.bamb, max_conditioning=gamma),
        "eemb": partial(blanket.eemb, max_conditioning=gamma),
    }


def near(gamma: int | None) -> dict[str, Search]:
    """Name the searches for parents and children that are exact by their symmetry correction."""
    return {
        "mmpc, symmetric": partial(blanket.mmpc, max_conditioning=gamma, symmetric=True),
        "hiton_pc, symmetric": partial(blanket.hiton_pc, max_conditioning=gamma, symmetric=True),
        "pc_simple, symmetric": partial(blanket.pc_simple, max_conditioning=gamma, symmetric=True),
    }


WHOLE = whole(GAMMA)
NEAR = near(GAMMA) | {
    "mmpc": partial(blanket.mmpc, max_conditioning=GAMMA),
    "hiton_pc": partial(blanket.hiton_pc, max_conditioning=GAMMA),
    "pc_simple": partial(blanket.pc_simple, max_conditioning=GAMMA),
}


def examine(network: altsel.data.BayesianNetwork, search: Search, near: bool) -> str:
    """Run a search on every node; tell how many are exact, and which are not."""
    graph, began, tests, wrong = network.graph(), time.perf_counter(), 0, []
    for node in network.nodes:
        found = search(altsel.independence.DSeparation(graph, node))
        truth = set(network.parents_and_children(node) if near else network.blanket(node))
        tests += found.effort.tests
        if set(found[0]) != truth:
            more, less = sorted(set(found[0]) - truth), sorted(truth - set(found[0]))
            wrong.append(f"{node}: too many {', '.join(more) or 'none'}; missing {', '.join(less) or 'none'}")
    exact = len(network.nodes) - len(wrong)
    seconds = time.perf_counter() - began
    return f"{exact} of {len(network.nodes)} | {tests} | {seconds:.1f} | {'<br>'.join(wrong)}"


def main() -> None:
    """Print one row a network and search."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", type=Path, nargs="+")
    print(stamped())
    print("| network | search | exact nodes | tests | seconds | the others |")
    print("|---|---|---|---|---|---|")
    for file in parser.parse_args().files:
        network = altsel.read_network(file)
        for name, search in {**WHOLE, **NEAR}.items():
            message = examine(network, search, name in NEAR)
            print(f"| {file.stem} | {name} | {message} |", flush=True)


if __name__ == "__main__":
    main()
