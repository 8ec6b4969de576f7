"""Read Bayesian networks in the Bayesian Interchange Format (BIF)."""

from __future__ import annotations

import gzip
import re
from itertools import product
from pathlib import Path

import numpy as np
import numpy.typing as npt

from altsel.errors import ArgumentError, DataError
from altsel.stats.network import BayesianNetwork

_WORD = r'(?:"[^"]*"|[^\s,;|(){}\[\]]+)'
_VARIABLE = re.compile(rf"variable\s+({_WORD})\s*\{{.*?\[\s*(\d+)\s*\]\s*\{{(.*?)\}}", re.DOTALL)
_PROBABILITY = re.compile(r"probability\s*\((.*?)\)\s*\{(.*?)\}", re.DOTALL)
_ROW = re.compile(r"(?:\((.*?)\)|(table|default))\s*([^;]*);", re.DOTALL)
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


def read_network(path: str | Path) -> BayesianNetwork:
    """Read a Bayesian network from a BIF file, plain or compressed by gzip.

    Parameters
    ----------
    path
        File ``*.bif`` or ``*.bif.gz``, as in the bnlearn repository of Bayesian networks.

    Returns
    -------
    BayesianNetwork

    Raises
    ------
    ArgumentError
        If the file cannot be read.
    DataError
        If it is no BIF, names an unknown variable or state, or lacks probabilities.

    Examples
    --------
    >>> asia = read_network("examples/data/asia.bif")
    >>> asia.blanket("either")
    ('tub', 'lung', 'bronc', 'xray', 'dysp')
    """
    try:
        with gzip.open(path, "rt") if str(path).endswith(".gz") else Path(path).open() as file:
            text = file.read()
    except (OSError, UnicodeDecodeError) as fault:
        raise ArgumentError(f"the network {str(path)!r} cannot be read: {fault}") from fault
    return parse_network(text)


def parse_network(text: str) -> BayesianNetwork:
    """Read a Bayesian network from the text of a BIF file."""
    text = _COMMENT.sub("", text)
    states = {}
    for name, count, listed in _VARIABLE.findall(text):
        states[_bare(name)] = _names(listed)
        if len(states[_bare(name)]) != int(count):
            raise DataError(f"variable {_bare(name)!r} has {len(_names(listed))} states, not {count}")
    if not states:
        raise DataError("no variable found: this is not a BIF file")
    parents, tables = {}, {}
    for head, body in _PROBABILITY.findall(text):
        node, _, causes = head.partition("|")
        name, given = _bare(node), _names(causes)
        unknown = [one for one in (name, *given) if one not in states]
        if unknown:
            raise DataError(f"probability ({head.strip()}) names the unknown variable {unknown[0]!r}")
        parents[name] = given
        tables[name] = _table(name, [states[one] for one in given], len(states[name]), body)
    missing = [name for name in states if name not in tables]
    if missing:
        raise DataError(f"variable {missing[0]!r} has no probabilities")
    return BayesianNetwork(states, {name: parents[name] for name in states}, tables)


def _table(name: str, given: list[tuple[str, ...]], size: int, body: str) -> npt.NDArray[np.float64]:
    """Fill the conditional probability table, one row for each combination of the parents' states."""
    shape = (*map(len, given), size)
    table = np.full(shape, np.nan)
    place = {states: spot for spot, states in zip(np.ndindex(shape[:-1]), product(*given), strict=True)}
    for listed, word, numbers in _ROW.findall(body):
        try:
            values = np.array([float(value) for value in numbers.replace(",", " ").split()])
            if word == "table":
                table[...] = values.reshape(shape)
            elif word == "default":
                table[np.isnan(table).any(axis=-1)] = values
            else:
                table[place[_names(listed)]] = values
        except (ValueError, KeyError) as fault:
            raise DataError(f"probabilities of {name!r}: cannot read {listed or word!r}: {fault}") from fault
    if np.isnan(table).any():
        raise DataError(f"probabilities of {name!r} are missing for some states of its parents")
    return table


def _names(text: str) -> tuple[str, ...]:
    return tuple(_bare(name) for name in re.findall(_WORD, text))


def _bare(name: str) -> str:
    return name.strip().strip('"')
