"""Rows of a Bayesian network: as they are, under interventions, with noise, with values missing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from graphlib import TopologicalSorter
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from altsel._types import FloatArray, IntArray
from altsel.data.networks.conditional_gaussian import ConditionalGaussian
from altsel.errors import ArgumentError, checked_integer, listing

if TYPE_CHECKING:
    from altsel.data.networks.network import BayesianNetwork

Shares = float | Mapping[str, float]


@dataclass(frozen=True)
class Spoiling:
    """What a measurement does to values.

    Attributes
    ----------
    missing
        Probability that a value is missing, of all variables or by name.
    noise
        Deviations of the errors of numbers, in those of their columns; probability of another state.
    """

    missing: Shares = 0.0
    noise: Shares = 0.0

    def checked(self, what: str, network: BayesianNetwork) -> dict[str, float]:
        """Return the share of each variable that has one."""
        given = getattr(self, what)
        shares = given if isinstance(given, Mapping) else dict.fromkeys(network.nodes, given)
        for name, share in shares.items():
            if name not in network.states:
                raise ArgumentError(f"{what} has {name!r}, which is no variable of the network")
            most = np.inf if what == "noise" and not network.states[name] else 1.0
            if isinstance(share, bool) or not isinstance(share, (int, float)) or not 0 <= share <= most:
                limit = "a number of at least 0" if most > 1 else "a probability, between 0 and 1"
                raise ArgumentError(f"{what} of {name!r} must be {limit}; it is {share!r}")
        return {name: float(share) for name, share in shares.items() if share}


def drawn_rows(
    network: BayesianNetwork,
    rows: int,
    random: np.random.Generator,
    do: Mapping[str, Any],
    spoiling: Spoiling,
) -> pd.DataFrame:
    """Draw rows; see `BayesianNetwork.sample`.

    1. Each variable in topological order. What an intervention replaces is drawn all the same, so that
    the other variables have the noise that they have without it. 2. Errors of measurement, of what was drawn.
    3. Missing values.
    """
    checked_integer("rows", rows, 1)
    fixed = {name: _fixed(network, name, value, rows) for name, value in do.items()}
    noise, missing = spoiling.checked("noise", network), spoiling.checked("missing", network)
    drawn: dict[str, Any] = {}
    for name in TopologicalSorter({name: network.parents[name] for name in network.nodes}).static_order():
        own = _drawn(network, name, drawn, rows, random)
        drawn[name] = fixed.get(name, own)
    for name, share in noise.items():
        drawn[name] = _measured(drawn[name], len(network.states[name]), share, random)
    columns = {}
    for name in network.nodes:
        lost = random.random(rows) < missing[name] if name in missing else np.zeros(rows, dtype=bool)
        columns[name] = _column(drawn[name], network.states[name], lost)
    return pd.DataFrame(columns)


def _drawn(
    network: BayesianNetwork, name: str, drawn: Mapping[str, Any], rows: int, random: np.random.Generator
) -> Any:
    table, parents = network.tables[name], network.parents[name]
    states = [drawn[parent] for parent in parents if network.states[parent]]
    if isinstance(table, ConditionalGaussian):
        numbers = [drawn[parent] for parent in parents if not network.states[parent]]
        return table.values(states, numbers, random.standard_normal(rows))
    steps = np.cumsum(np.broadcast_to(table[tuple(states)], (rows, table.shape[-1])), axis=1)
    return (random.random((rows, 1)) * steps[:, -1:] >= steps[:, :-1]).sum(axis=1)


def _fixed(network: BayesianNetwork, name: str, value: Any, rows: int) -> Any:
    """Read the values that a variable is set to, as codes or numbers."""
    if name not in network.states:
        raise ArgumentError(f"do has {name!r}, which is no variable of the network")
    given = np.broadcast_to(np.asarray(value), (rows,)) if np.shape(value) in ((), (rows,)) else None
    if given is None:
        raise ArgumentError(f"do sets {name!r} to {len(value)} values; give one, or {rows:,}")
    states = network.states[name]
    if states:
        codes = pd.Index(states).get_indexer(pd.Index(given))
        if (codes < 0).any():
            unknown = given[codes < 0][0]
            raise ArgumentError(f"do sets {name!r} to {str(unknown)!r}; its states are {listing(states, 20)}")
        return codes
    try:
        numbers = given.astype(float)
    except (TypeError, ValueError):
        numbers = np.array([np.nan])
    if not np.isfinite(numbers).all():
        raise ArgumentError(f"do sets {name!r}, which is a number, to what is no finite number")
    return numbers


def _measured(values: Any, states: int, share: float, random: np.random.Generator) -> IntArray | FloatArray:
    """Add errors to numbers; replace states by others, each as likely."""
    if not states:
        return np.asarray(values + share * values.std() * random.standard_normal(len(values)))
    wrong = random.random(len(values)) < share
    others = (values + random.integers(1, max(states, 2), len(values))) % states
    return np.asarray(np.where(wrong, others, values))


def _column(values: Any, states: tuple[str, ...], lost: Any) -> Any:
    if states:
        return pd.Categorical.from_codes(np.where(lost, -1, values), categories=pd.Index(states))
    return np.where(lost, np.nan, values)
