"""Sizes, diversities, losses and searches for alternatives by their names."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import altsel
from altsel.catalogue.names import SearchName, Total
from altsel.errors import ArgumentError

if TYPE_CHECKING:
    from altsel.models import Dissimilarity
    from altsel.results import Solutions


def sizes(text: str) -> int | tuple[int, int]:
    """Read sizes of sets: ``5`` or ``3:5``.

    Examples
    --------
    >>> sizes("5"), sizes("3:5")
    (5, (3, 5))
    """
    parts = text.split(":")
    try:
        numbers = [int(part) for part in parts]
    except ValueError as fault:
        raise ArgumentError(f"-k {text!r}; use an integer, or two as in 3:5") from fault
    if len(numbers) > 2:
        raise ArgumentError(f"-k {text!r}; use an integer, or two as in 3:5")
    return numbers[0] if len(numbers) == 1 else (numbers[0], numbers[1])


def diversity(measured: Dissimilarity, average: bool, penalty: float | None) -> Any:
    """Return the diversity that wants a dissimilarity of each pair, on average, or at a penalty."""
    if average and penalty is not None:
        raise ArgumentError("--average and --penalty exclude each other")
    if penalty is not None:
        return altsel.Penalised(measured, penalty)
    return altsel.Average(measured) if average else measured


def loss(share: float | None, amount: float | None) -> Any:
    """Return the loss of a share of the best quality, 5 % if none is given, or of an amount.

    Raises
    ------
    ArgumentError
        If both are given.
    """
    if share is not None and amount is not None:
        raise ArgumentError("--within and --within-absolute exclude each other")
    if amount is not None:
        return altsel.AbsoluteLoss(amount)
    return altsel.RelativeLoss(0.05 if share is None else share)


def search(
    name: SearchName, total: Total, solver: Any, within: Any, start: Sequence[Collection[str]] = ()
) -> Callable[[altsel.Problem, Any, int], Solutions]:
    """Return the search of a name: a function of problem, diversity and number of alternatives."""
    if start and name in {SearchName.REPLACEMENT, SearchName.BALANCING}:
        raise ArgumentError(f"--search {name} begins with no sets: leave --start out")
    if name is SearchName.REPLACEMENT:
        return altsel.greedy.replacement
    if name is SearchName.BALANCING:
        return altsel.greedy.balancing
    if name is SearchName.MOST_DIFFERENT:
        return partial(altsel.most_different, within=within, solver=solver, start=start)
    if name is SearchName.SEQUENTIAL:
        return partial(altsel.sequential, solver=solver, start=start)
    return partial(altsel.simultaneous, total=total.value, solver=solver, start=start)
