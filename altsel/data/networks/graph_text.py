"""Graphs of Bayesian networks as text: DOT, and the model strings of other packages."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from altsel.display.dot import quoted
from altsel.errors import ArgumentError, listing

if TYPE_CHECKING:
    from altsel.data.networks.network import BayesianNetwork

FORMS = ("bnlearn", "dagitty", "lavaan")
WORD = re.compile(r"[A-Za-z.][A-Za-z0-9_.]*")
"""Names that lavaan reads."""


def dot(network: BayesianNetwork) -> str:
    """Write a graph in the DOT language.

    Examples
    --------
    >>> import altsel
    >>> dot(altsel.read_network("examples/data/asia.bif")).splitlines()[-2].strip()
    '"either" -> "dysp";'
    """
    nodes = [f"  {quoted(name)};" for name in network.nodes]
    arrows = [f"  {quoted(cause)} -> {quoted(name)};" for cause, name in network.edges]
    return "\n".join(["digraph {", *nodes, *arrows, "}"]) + "\n"


def model_string(network: BayesianNetwork, form: str) -> str:
    """Write a graph as a model string; see `BayesianNetwork.to_model_string`."""
    if form not in FORMS:
        raise ArgumentError(f"form must be one of {listing(FORMS)}; it is {form!r}")
    if form == "bnlearn":
        _readable(network, form, r"[^\[\]|:]+")
        given = {name: ":".join(network.parents[name]) for name in network.nodes}
        return "".join(f"[{name}|{parents}]" if parents else f"[{name}]" for name, parents in given.items())
    if form == "dagitty":
        _readable(network, form, r'[^"\\]+')
        alone = [_text(name) for name in network.nodes if not network.parents_and_children(name)]
        return f"dag {{ {' '.join([*alone, *(f'{_text(a)} -> {_text(b)}' for a, b in network.edges)])} }}"
    _readable(network, form, WORD.pattern)
    alone = [name for name in network.nodes if not network.parents_and_children(name)]
    if alone:
        raise ArgumentError(f"{alone[0]!r} has no parents and no children, and lavaan has no words for that")
    return "\n".join(
        f"{name} ~ {' + '.join(network.parents[name])}" for name in network.nodes if network.parents[name]
    )


def _readable(network: BayesianNetwork, form: str, pattern: str) -> None:
    if odd := [name for name in network.nodes if not re.fullmatch(pattern, name)]:
        raise ArgumentError(f"{form} cannot read the name {odd[0]!r}; rename the variable, or use to_dot()")


def _text(name: str) -> str:
    return json.dumps(name, ensure_ascii=False)
