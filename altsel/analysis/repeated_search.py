"""A search repeated on other rows or another target, and what it selects there."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from pathlib import Path

from altsel.data.dataset import Dataset
from altsel.errors import ArgumentError, DataError, DataWarning, FalseDiscoveryWarning, checked_path
from altsel.results.sets import Names
from altsel.results.solutions import Solutions
from altsel.results.stop import Stop
from altsel.runtime.identity import identity
from altsel.runtime.progress import parts
from altsel.runtime.store import Store

Search = Callable[[Dataset], Solutions | Sequence[Sequence[str]]]
"""What finds sets in data: ``lambda data: altsel.sequential(Problem(MRMR(data), 5), Dice(0.5), 3)``."""


def search_rows(search: Search, data: Dataset) -> Solutions | tuple[Names, ...]:
    """Search some data, without the notes that were made of all rows already.

    Raises
    ------
    KeyboardInterrupt
        If the user has stopped the search, which then returned what it had.
    ArgumentError
        If the search returns no sets of features of these data.
    """
    with warnings.catch_warnings(), parts():
        warnings.simplefilter("ignore", DataWarning)
        warnings.simplefilter("ignore", FalseDiscoveryWarning)
        found = search(data)
    if isinstance(found, Solutions):
        if found.stop is Stop.INTERRUPT:
            raise KeyboardInterrupt
        return found
    if isinstance(found, str) or not isinstance(found, Sequence) or any(isinstance(s, str) for s in found):
        raise ArgumentError(f"the search returned {found!r:.60}; it must return Solutions, or lists of names")
    return tuple(map(tuple, found))


def sets_of(found: Solutions | Sequence[Sequence[str]]) -> tuple[Names, ...]:
    """Return the sets as tuples of names."""
    return tuple(tuple(subset) for subset in found)


def same_sets(reference: Sequence[Names], found: Solutions) -> bool:
    """Return whether all rows gave the sets of solutions again; of a search that was cut short, some of them.

    Examples
    --------
    >>> from altsel import Dice, Problem, Univariate, sequential
    >>> found = sequential(Problem(Univariate([3, 2, 1]), k=1), Dice(1), alternatives=1)
    >>> same_sets([("x1",), ("x0",)], found), same_sets([("x0",)], found)
    (True, False)
    """
    then, now = set(map(frozenset, reference)), {frozenset(one.features) for one in found}
    return then == now if found.stop.finished else then <= now or now <= then


def stored(path: str | Path | None, *what: object) -> Store | None:
    """Open a store for results of a search, told apart by all that they depend on."""
    return None if path is None else Store(checked_path("store", path), identity(*what))


def refuse_no_search(search: object, wanted: str) -> None:
    """Raise an ArgumentError unless there is a search to be repeated."""
    if not callable(search):
        raise ArgumentError(
            f"{wanted} repeats the search: give search=, a function of a Dataset that returns Solutions"
        )


def refuse_unknown(sets: Sequence[Names], data: Dataset) -> None:
    """Raise a DataError that names a feature which the data lack."""
    for number, subset in enumerate(sets):
        for name in subset:
            if name not in data.features:
                raise DataError(f"set {number} has {name!r}, which is no feature of the data")
