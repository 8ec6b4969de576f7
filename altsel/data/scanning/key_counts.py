"""Loops that put codes of columns together to keys, and count keys: compiled by numba, or numpy's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from altsel._types import IntArray
from altsel.compiling import Loops, Sources
from altsel.data.scanning.coding import Codes

SPARSE = 4
"""Tables of more than so many cells a row of a block are added to cell by cell."""
CODE = 5e-9
"""CPU seconds that a code takes about without numba."""
Keys = npt.NDArray[np.integer[Any]]


@dataclass(frozen=True)
class Kernels:
    """Loops over rows.

    Attributes
    ----------
    extend
        ``extend(keys, size, codes)`` makes ``keys * size + codes`` of the keys.
    count
        ``count(table, keys, size, codes)`` adds 1 to the cell ``keys * size + codes`` of each row.
    """

    extend: Callable[[Keys, int, Codes], None]
    count: Callable[[IntArray, Keys, int, Codes], None]


def _extend(keys: Keys, size: int, codes: Codes) -> None:
    keys *= keys.dtype.type(size)
    keys += codes.astype(keys.dtype, copy=False)


def _count(table: IntArray, keys: Keys, size: int, codes: Codes) -> None:
    cells = keys * keys.dtype.type(size)
    cells += codes.astype(keys.dtype, copy=False)
    if len(table) > SPARSE * len(cells):
        np.add.at(table, cells, 1)
    else:
        table += np.bincount(cells, minlength=len(table))


PLAIN = Kernels(_extend, _count)
"""The same without numba."""


def _extend_loop(keys: Any, size: Any, codes: Any) -> None:
    for i in range(len(keys)):
        keys[i] = keys[i] * size + codes[i]


def _count_loop(table: Any, keys: Any, size: Any, codes: Any) -> None:
    for i in range(len(keys)):
        table[keys[i] * size + codes[i]] += 1


def _compiled() -> Kernels | None:
    compile_ = SOURCES.compiler()
    return Kernels(compile_(_extend_loop), compile_(_count_loop)) if compile_ else None


SOURCES = Sources((__name__,))
LOOPS = Loops(PLAIN, SOURCES, _count_loop, 1.0, _compiled)
"""Both kinds."""


def kernels(codes: int) -> Kernels:
    """Return the loops for so many codes, of rows and columns together."""
    return LOOPS.after(CODE * codes)
