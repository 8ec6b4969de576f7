"""Write Bayesian networks in the Bayesian Interchange Format (BIF)."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

from altsel.errors import DataError, checked_path

if TYPE_CHECKING:
    from altsel.data.networks.network import BayesianNetwork

PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_.\-]*")
"""Names that need no quotes."""


def bif_text(network: BayesianNetwork, path: str | Path | None = None) -> str:
    """Write a discrete network; see `BayesianNetwork.to_bif`."""
    text = "\n".join(_lines(network)) + "\n"
    if path is not None:
        path = checked_path("path", path)
        data = text.encode("utf-8")
        path.write_bytes(gzip.compress(data, mtime=0) if str(path).endswith(".gz") else data)
    return text


def _lines(network: BayesianNetwork) -> Iterator[str]:
    numbers = [name for name in network.nodes if not network.states[name]]
    if numbers:
        raise DataError(f"{numbers[0]!r} is a number, and BIF knows variables with states only")
    yield "network unknown {\n}"
    for name, states in network.states.items():
        listed = ", ".join(map(quoted, states))
        yield f"variable {quoted(name)} {{\n  type discrete [ {len(states)} ] {{ {listed} }};\n}}"
    for name in network.nodes:
        yield from _probabilities(network, name)


def _probabilities(network: BayesianNetwork, name: str) -> Iterator[str]:
    table, parents = network.tables[name], network.parents[name]
    if not parents:
        yield f"probability ( {quoted(name)} ) {{\n  table {_numbers(table)};\n}}"
        return
    yield f"probability ( {quoted(name)} | {', '.join(map(quoted, parents))} ) {{"
    given = [network.states[parent] for parent in parents]
    for spot in product(*(range(len(states)) for states in given)):
        at = ", ".join(quoted(states[i]) for states, i in zip(given, spot, strict=True))
        yield f"  ({at}) {_numbers(table[spot])};"
    yield "}"


def _numbers(row: object) -> str:
    return ", ".join(repr(float(x)) for x in row)  # type: ignore[attr-defined]


def quoted(name: str) -> str:
    """Write a name, in quotes where it needs them."""
    if '"' in name or "\n" in name:
        raise DataError(f"the name {name!r} has a quote or a line break, which BIF cannot hold")
    return name if PLAIN.fullmatch(name) else f'"{name}"'
