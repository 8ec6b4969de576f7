"""Read Bayesian networks in the Bayesian Interchange Format (BIF)."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Sequence
from math import prod
from pathlib import Path

import numpy as np

from altsel._types import FloatArray
from altsel.data.networks.bif_text import Tokens
from altsel.data.networks.network import BayesianNetwork
from altsel.errors import ArgumentError, DataError, checked_path, listing

MOST_ENTRIES = 2**26
"""Most numbers in a table of probabilities: half a GiB."""
MOST_AXES = 32
"""Most axes of an array, in any version of numpy."""


def read_network(path: str | Path) -> BayesianNetwork:
    """Read a Bayesian network from a BIF file, plain or compressed by gzip.

    Parameters
    ----------
    path
        File ``*.bif`` or ``*.bif.gz``, as in the bnlearn repository of Bayesian networks.

    Returns
    -------
    BayesianNetwork
        Its variables, their values and probabilities.

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
    path = checked_path("path", path)
    try:
        opened = gzip.open if str(path).endswith(".gz") else open
        with opened(path, "rt", encoding="utf-8-sig") as file:
            text = file.read()
    except (OSError, EOFError, zlib.error, ValueError) as fault:
        raise ArgumentError(f"the network {str(path)!r} cannot be read: {fault}") from fault
    try:
        return parse_network(text)
    except DataError as fault:
        raise DataError(f"{path}: {fault}") from fault


def parse_network(text: str) -> BayesianNetwork:
    """Read a Bayesian network from the text of a BIF file."""
    return _Parser(text).network()


class _Parser(Tokens):
    """Reads the blocks of a file once; what is not understood is refused."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.states: dict[str, tuple[str, ...]] = {}
        self.parents: dict[str, tuple[str, ...]] = {}
        self.tables: dict[str, FloatArray] = {}

    def network(self) -> BayesianNetwork:
        """Read the blocks of the file."""
        bodies: dict[str, int] = {}
        while self.position < len(self.tokens):
            kind = self.word()
            if kind == "network":
                self.skip_to("{")
                while not self.taken("}"):
                    if self.word() != "property":
                        raise self.fault("a network has properties only", back=1)
                    self.skip_to(";")
            elif kind == "variable":
                self.variable()
            elif kind == "probability":
                name = self.head()
                bodies[name] = self.position
                self.skip_to("}")
            else:
                raise self.fault(
                    f"{kind!r} begins no block of a BIF file: network, variable or probability", back=1
                )
        if not self.states:
            raise DataError("no variable found: this is not a BIF file")
        for name, position in bodies.items():
            self.tables[name] = self.body(name, position)
        missing = [name for name in self.states if name not in self.tables]
        if missing:
            raise DataError(f"variable {missing[0]!r} has no probabilities")
        parents = {name: self.parents[name] for name in self.states}
        return BayesianNetwork(self.states, parents, self.tables)

    def variable(self) -> None:
        """Read name and states: ``NAME { type discrete [ 2 ] { no, yes }; }``."""
        name = self.word()
        if name in self.states:
            raise self.fault(f"variable {name!r} is there twice", back=1)
        self.take("{")
        while not self.taken("}"):
            kind = self.word()
            if kind == "property":
                self.skip_to(";")
                continue
            if name in self.states or kind != "type" or self.word() != "discrete":
                raise self.fault(f"variable {name!r} needs one type, discrete", back=1)
            self.take("[")
            count = self.word()
            self.take("]")
            self.take("{")
            self.states[name] = states = self.names("}")
            self.taken(";")
            if count != str(len(states)) or len(set(states)) < len(states):
                raise self.fault(
                    f"variable {name!r} has states {listing(states)}, not {count} different ones"
                )
        if name not in self.states:
            raise self.fault(f"variable {name!r} has no states", back=1)

    def head(self) -> str:
        """Read a node and its parents: ``( X | A, B ) {``."""
        self.take("(")
        name = self.word()
        self.taken("|")  # the format takes bars and commas for blanks
        given = () if self.taken(")") else self.names(")")
        if name in self.parents:
            raise self.fault(f"the probabilities of {name!r} are there twice", back=1)
        if name in given or len(set(given)) < len(given):
            raise self.fault(f"{name!r} has parents {listing(given)}", back=1)
        self.parents[name] = given
        self.take("{")
        return name

    def body(self, name: str, position: int) -> FloatArray:
        """Fill the conditional probability table, one row for each combination of the parents' states."""
        unknown = [parent for parent in (name, *self.parents[name]) if parent not in self.states]
        if unknown:
            raise DataError(f"probability ({name!r}) names the unknown variable {unknown[0]!r}")
        given = [self.states[parent] for parent in self.parents[name]]
        shape = (*map(len, given), len(self.states[name]))
        _refuse_large(name, shape)
        table, rest = np.full(shape, np.nan), None
        self.position = position
        while not self.taken("}"):
            if self.taken("("):
                spot = self.spot(name, given, self.names(")"))
                values = self.numbers(name, shape[-1:])
            elif (kind := self.word()) == "property":
                self.skip_to(";")
                continue
            elif kind == "default" and rest is None:
                rest = self.numbers(name, shape[-1:])
                continue
            elif kind == "table":
                # the states of the node itself vary slowest
                spot, values = (), np.moveaxis(self.numbers(name, (shape[-1], *shape[:-1])), 0, -1)
            else:
                raise self.fault(f"probabilities of {name!r}: cannot read {kind!r}", back=1)
            if not np.isnan(table[spot]).all():
                raise self.fault(f"probabilities of {name!r} are there twice for the same states", back=1)
            table[spot] = values
        if rest is not None:
            table[np.isnan(table).any(axis=-1)] = rest
        if np.isnan(table).any():
            raise DataError(f"probabilities of {name!r} are missing for some states of its parents")
        return table

    def spot(self, name: str, given: Sequence[tuple[str, ...]], states: tuple[str, ...]) -> tuple[int, ...]:
        """Find the row of some states of the parents."""
        known = len(states) == len(given) and all(map(tuple.__contains__, given, states))
        if not known:
            raise self.fault(
                f"probabilities of {name!r}: its parents have no states {listing(states)}", back=1
            )
        return tuple(map(tuple.index, given, states))

    def numbers(self, name: str, shape: tuple[int, ...]) -> FloatArray:
        """Read as many numbers as a table has entries, and the semicolon after them."""
        words = self.names(";")
        try:
            values = np.array([float(word.replace("_", "?")) for word in words])
        except ValueError as fault:
            raise self.fault(f"probabilities of {name!r}: {fault}", back=1) from fault
        if len(values) != prod(shape) or not np.isfinite(values).all():
            raise self.fault(f"probabilities of {name!r}: {prod(shape)} finite numbers are needed", back=1)
        return values.reshape(shape)


def _refuse_large(name: str, shape: tuple[int, ...]) -> None:
    """Refuse a table before there is no memory for it."""
    entries = prod(shape)
    if entries > MOST_ENTRIES:
        raise DataError(
            f"the probabilities of {name!r} with {len(shape) - 1} parents need a table of {entries:.3g} "
            f"numbers, {entries * 8 / 2**30:.3g} GiB; {MOST_ENTRIES} at most are read"
        )
    if len(shape) > MOST_AXES:
        raise DataError(f"{name!r} has {len(shape) - 1} parents; {MOST_AXES - 1} at most are read")
