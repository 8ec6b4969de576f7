"""Steps of a fit that are done once for the same data and options, by ``joblib.Memory``."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

from sklearn.utils.validation import check_memory

from altsel import Dependence, dependence
from altsel._version import __version__
from altsel.catalogue import each
from altsel.data import Dataset
from altsel.errors import ArgumentError
from altsel.runtime.identity import identity


def remembered(memory: Any, step: str, key: str, compute: Callable[[], Any]) -> Any:
    """Compute a step, unless a memory has its result.

    Parameters
    ----------
    memory
        A ``joblib.Memory``, the path of its folder, or None: nothing is remembered.
    step, key
        Name of the step, and what its result depends on; see `key_of`.
    compute
        Does the step.
    """
    if memory is None:
        return compute()
    return check_memory(memory).cache(_computed, ignore=["compute"])(step, key, compute)


def remembered_dependence(memory: Any, data: Dataset, measure: Any) -> Dependence:
    """Measure data, or remember what they measure; relevances and, if they are used, redundancies apart."""

    @cache
    def measured() -> Dependence:
        found: Dependence = each(data, lambda one: dependence(one, measure), "dependence")
        return found

    if memory is None:
        return measured()
    key = key_of(data, measure)
    alone = remembered(memory, "relevances", key, lambda: _with_redundancy(measured(), None))
    pairs = partial(remembered, memory, "redundancies", key, lambda: measured().redundancy)
    return _with_redundancy(alone, pairs)


def _with_redundancy(given: Dependence, redundancy: Any) -> Dependence:
    named = (given.measure, given.target, given.seed, given.fingerprint, given.caveats)
    return Dependence(given.relevance, redundancy, *named).with_members(given.members)


def _computed(step: str, key: str, compute: Callable[[], Any]) -> Any:
    return compute()


def key_of(data: Dataset, *options: Any) -> str:
    """Return a hash of data, options and altsel's version.

    Raises
    ------
    ArgumentError
        If an option cannot be pickled.

    Examples
    --------
    >>> data = Dataset({"a": [1, 2, 3]}, [0, 1, 1])
    >>> key_of(data, 5) == key_of(data, 5), key_of(data, 5) == key_of(data, 6)
    (True, False)
    """
    try:
        return identity(__version__, data, options)
    except ArgumentError as fault:
        raise ArgumentError(
            f"memory= needs options that can be pickled: {fault}; or leave memory out"
        ) from fault
