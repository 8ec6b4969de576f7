"""Which result a JSON text holds, and what takes it: for messages about a file of another kind."""

from __future__ import annotations

import json
from dataclasses import dataclass


@dataclass(frozen=True)
class Kind:
    """A kind of result that is written as JSON.

    Attributes
    ----------
    name
        What it is, in words.
    keys
        Keys that tell it from the others.
    taken
        Which commands take its file.
    """

    name: str
    keys: frozenset[str]
    taken: str = "no command takes it"


A_FRONT = Kind("a front", frozenset({"points"}), "'altsel report' and 'altsel audit' take it")
KINDS = (
    A_FRONT,
    Kind(
        "solutions",
        frozenset({"sets", "stop", "universe"}),
        "'altsel report', 'audit', 'graph', 'equivalence', 'taxonomy', 'performance' and 'stability' take it",
    ),
    Kind(
        "a performance",
        frozenset({"all_features", "no_features"}),
        "'altsel report found.json --performance' takes it, beside the solutions it is of",
    ),
    Kind(
        "a stability",
        frozenset({"collections", "nogueira"}),
        "'altsel report found.json --stability' takes it, beside the solutions it is of",
    ),
    Kind("a stability of removals", frozenset({"removals", "shares"})),
    Kind("tests of equivalence", frozenset({"pairs", "tests"})),
    Kind("ranges of importance", frozenset({"pairs", "tolerance", "best"})),
    Kind(
        "a score card",
        frozenset({"items", "per_point", "totals"}),
        "'altsel report found.json --score-card' and 'altsel score-card --different-from' take it",
    ),
    Kind("a taxonomy", frozenset({"reports", "alpha"})),
    Kind("a multiple-solutions graph", frozenset({"nodes", "edges", "universe"})),
    Kind("a look at a table", frozenset({"findings", "columns", "table"})),
    Kind("discoveries", frozenset({"tested", "run_level", "knockoffs"})),
    Kind("a stable selection", frozenset({"stable", "threshold", "pairs"})),
    Kind("a distribution of importance", frozenset({"resamples", "all_rows"})),
    Kind(
        "a study",
        frozenset({"claims", "tried", "corrected"}),
        "found.json beside it holds its sets, for all commands that take solutions",
    ),
    Kind("null levels", frozenset({"features", "largest", "scores"})),
)
"""All results that commands and ``to_json`` write."""


def kind_of(text: str) -> Kind | None:
    """Return the kind of result that a text holds, None if it is no such JSON.

    Examples
    --------
    >>> kind_of('{"points": [], "measure": "Dice"}').name, kind_of("a,b")
    ('a front', None)
    """
    try:
        plain = json.loads(text)
    except (ValueError, RecursionError):
        return None
    keys = set(plain) if isinstance(plain, dict) else set()
    return next((kind for kind in KINDS if kind.keys <= keys), None)
