"""QUBO files in the format of qbsolv, and binary quadratic models as dimod reads them."""

from __future__ import annotations

import json
from math import isinf
from pathlib import Path
from typing import Any

import numpy as np

from altsel.errors import DataError, checked_path
from altsel.exact.interchange.binary_quadratic import BinaryQuadratic

SCHEMA = "3.0.0"
"""Of dimod's serialised binary quadratic models."""


def qubo_text(made: BinaryQuadratic) -> str:
    """Write a QUBO as qbsolv and others read it: a line a diagonal entry, then a line a pair.

    ``p qubo 0 variables diagonal pairs``; lines that begin with c are comments. Those of altsel name the
    variables (as JSON), the offset and the penalty, by which `read_qubo` reads it back.
    """
    lines: list[str] = [
        f"c minus {made.criterion}; E = offset + sum of the entries of a vector",
        f"c offset {float(made.offset)!r}",
        f"c penalty {float(made.penalty)!r}",
        f"c none_above {float(made.none_above)!r}",
        f"c features {made.features}",
        *(f"c variable {i} {json.dumps(name)}" for i, name in enumerate(made.names)),
        f"p qubo 0 {len(made.names)} {len(made.names)} {len(made.quadratic)}",
        *(f"{i} {i} {float(value)!r}" for i, value in enumerate(made.linear)),
        *(f"{i} {j} {float(value)!r}" for (i, j), value in made.quadratic.items()),
    ]
    return "\n".join(line.replace("\n", " ") for line in lines) + "\n"


def read_qubo(path: str | Path) -> BinaryQuadratic:
    """Read a QUBO file that altsel wrote.

    Parameters
    ----------
    path
        The file.

    Raises
    ------
    DataError
        If it is none.

    Examples
    --------
    >>> import tempfile
    >>> import altsel
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = altsel.export(altsel.Problem(altsel.Univariate([3, 2, 1]), k=2), f"{folder}/q.qubo")
    ...     made = read_qubo(path)
    >>> made.names, made.energies([[1, 1, 0]]).tolist()
    (('x0', 'x1', 'x2'), [-5.0])
    """
    file = checked_path("path", path)
    told: dict[str, str] = {}
    names: dict[int, str] = {}
    entries: dict[tuple[int, int], float] = {}
    size = 0
    try:
        for line in file.read_text("utf-8").splitlines():
            kind, _, rest = line.partition(" ")
            if kind == "c":
                word, _, value = rest.partition(" ")
                if word == "variable":
                    index, _, name = value.partition(" ")
                    names[int(index)] = str(json.loads(name))
                else:
                    told[word] = value
            elif kind == "p":
                size = int(rest.split()[2])
            elif line:
                i, j, weight = line.split()
                entries[min(int(i), int(j)), max(int(i), int(j))] = float(weight)
        linear = np.array([entries.get((i, i), 0.0) for i in range(size)])
        return BinaryQuadratic(
            names=tuple(names[i] for i in range(size)),
            features=int(told["features"]),
            linear=linear,
            quadratic={pair: value for pair, value in entries.items() if pair[0] != pair[1]},
            offset=float(told["offset"]),
            penalty=float(told["penalty"]),
            none_above=float(told["none_above"]),
            criterion=told["minus"].rpartition(";")[0],
        )
    except (OSError, UnicodeDecodeError, ValueError, KeyError, IndexError) as fault:
        raise DataError(f"{path} is no QUBO file of altsel's: {fault!r}") from fault


def bqm(made: BinaryQuadratic) -> dict[str, Any]:
    """Return a binary quadratic model as ``dimod.BinaryQuadraticModel.from_serializable`` takes it."""
    pairs = list(made.quadratic)
    return {
        "type": "BinaryQuadraticModel",
        "version": {"bqm_schema": SCHEMA},
        "use_bytes": False,
        "index_type": "uint32",
        "bias_type": "float64",
        "num_variables": len(made.names),
        "num_interactions": len(pairs),
        "variable_labels": list(made.names),
        "variable_type": "BINARY",
        "offset": made.offset,
        "info": {
            "criterion": f"minus {made.criterion}",
            "features": made.features,
            "penalty": made.penalty,
            "none_above": None if isinf(made.none_above) else made.none_above,
        },
        "linear_biases": made.linear.tolist(),
        "quadratic_biases": [made.quadratic[pair] for pair in pairs],
        "quadratic_head": [i for i, _ in pairs],
        "quadratic_tail": [j for _, j in pairs],
    }
