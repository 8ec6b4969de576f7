"""The loops of nodes of regularised models, compiled by numba where it is installed (``altsel[fast]``)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from altsel._types import IntArray
from altsel.compiling import Loops, Sources, interruptible
from altsel.exact.kernels import model_nodes
from altsel.exact.sources.generalised import shares
from altsel.stats.generalised import compiled as fits
from altsel.stats.generalised.model import RegularisedModel

ORDER = (
    *(fits.exponential, fits.log_of_one_and, fits.row_sums, fits.predicted, shares.shares),
    *(model_nodes.tangent, model_nodes.approached, model_nodes.relaxed, model_nodes.more_of_each),
    *(model_nodes.bound_of_pair, model_nodes.hopeful),
)
"""Functions to compile, each after those it calls."""
MODULES = (shares, fits, model_nodes)
SOURCES = Sources(tuple(one.__name__ for one in MODULES))
STEP, ENTRY = 3e-4, 1.5e-8
"""CPU seconds that a weighting of a node takes without numba: by itself, and a row of a column."""


@dataclass(frozen=True)
class Kernels:
    """Loops of `altsel.exact.kernels.model_nodes`."""

    tangent: Callable[..., float]
    relaxed: Callable[..., Any]
    more_of_each: Callable[..., None]
    hopeful: Callable[..., Any]


def _compiled() -> Kernels | None:
    compile_ = SOURCES.compiler(fastmath={"reassoc", "contract", "arcp", "nsz"})
    if compile_ is None:
        return None
    names = {name: value for module in MODULES for name, value in vars(module).items()}
    for plain in ORDER:
        names[plain.__name__] = compile_(plain, names)
    return Kernels(*(interruptible(names[one]) for one in Kernels.__annotations__))


LOOPS: Loops[Kernels | None] = Loops(None, SOURCES, model_nodes.relaxed, 15.0, _compiled)
"""The loops where they are compiled; None: numpy does without."""


def for_nodes(model: RegularisedModel, columns: int) -> Kernels | None:
    """Return the loops for a node of so many columns, and count it; None: numpy takes it."""
    if not (model.family.plain and model.single):
        return None
    return LOOPS.after(shares.ROUNDS * (STEP + ENTRY * columns * model.columns.shape[1]))


def members_of(
    model: RegularisedModel, prices: Any, chosen: IntArray, free: IntArray, count: int
) -> model_nodes.Members:
    """Return the features of a node by their columns."""
    own = model.own[:, 0]
    fixed = np.append(model.always, own[chosen])
    return model_nodes.Members(fixed, own[free], prices[free], count)
