"""Loops of annealings and realisations by numba, where that is installed (``pip install "altsel[fast]"``)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from altsel.compiling import Loops, Sources
from altsel.exact.kernels import annealing, realisation

ANNEALING = Sources((annealing.__name__,))
REALISATION = Sources((realisation.__name__,))
STEPS = ("ones", "inside", "canonical", "branched", "chosen_next", "counts_left", "narrow")
"""What `realisation.searched` calls, each after what it calls itself."""
STEP = {"forceinline": True, "_nrt": False}
"""How steps are compiled: within their caller, and without counts of who uses an array."""


@dataclass(frozen=True)
class Annealing:
    """The loop; without numba a step takes far longer, and there are fewer.

    Attributes
    ----------
    annealed
        As `altsel.exact.kernels.annealing.annealed`.
    steps
        Of a short annealing.
    share
        One of so many annealings is made.
    """

    annealed: Callable[..., float]
    steps: int
    share: int = 1


@dataclass(frozen=True)
class Realisation:
    """Loops of `altsel.exact.kernels.realisation`."""

    listed: Callable[..., int]
    searched: Callable[..., int]


def _annealing() -> Annealing | None:
    compile_, step = ANNEALING.compiler(), ANNEALING.compiler(**STEP)
    if compile_ is None or step is None:
        return None
    names = vars(annealing) | {"begun": compile_(annealing.begun)}
    names |= {one.__name__: step(one) for one in (annealing.drawn, annealing.costs, annealing.make)}
    return Annealing(compile_(annealing.annealed, names), 300_000)


def _realisation() -> Realisation | None:
    compile_, step = REALISATION.compiler(), REALISATION.compiler(**STEP)
    if compile_ is None or step is None:
        return None
    names = dict(vars(realisation))
    for one in STEPS:
        names[one] = step(names[one], names)
    return Realisation(compile_(realisation.listed, names), compile_(realisation.searched, names))


PLAIN = Annealing(annealing.annealed, 15_000, 4)
"""The same without numba."""
ANNEALINGS = Loops(PLAIN, ANNEALING, annealing.annealed, 3.0, _annealing)
REALISATIONS = Loops(None, REALISATION, realisation.searched, 5.0, _realisation)
"""Both kinds; there is no plain one: as it is it takes too long."""
