"""Whether assumption 1 of TMFBS held where a search for all blankets relied on it."""

from __future__ import annotations

from collections.abc import Callable, Collection

from altsel.search.blankets.blanket_search import BlanketSearch, checked_search
from altsel.stats.independence.base import may_suffice

Confirm = Callable[[BlanketSearch, Collection[str]], bool]
"""Returns whether a state without candidates leads to a blanket, or no blanket avoids what is excluded there.

Takes the search, with what its backward phase left, and the features of the reference that are excluded.
"""


def confirmed(search: BlanketSearch, missing: Collection[str]) -> bool:
    """Return whether tests confirm what TMFBS assumes of a state without candidates.

    Either the members are a Markov blanket of all features left, or those are no blanket: a feature of the
    reference that is excluded still tells something given all of them.

    Parameters
    ----------
    search
        Members after the backward phase, and the features left as candidates.
    missing
        Features of the reference that are excluded.

    References
    ----------
    Borboudakis and Tsamardinos (2021), assumption 1 and theorem 1.

    Examples
    --------
    >>> import numpy as np
    >>> from altsel import Dataset, blankets, independence
    >>> random = np.random.default_rng(0)
    >>> a, b, c = random.normal(size=(3, 200))
    >>> data = Dataset({"a": a, "b": b, "c": c}, a - b + random.normal(size=200))
    >>> test = independence.PartialCorrelation(data)
    >>> template = blankets.Template(confirm=confirmed)
    >>> blankets.tmfbs(test, template=template).stop.value
    'exhausted'
    """
    checked_search(search)
    return is_blanket(search) or _is_needed(search, missing)


def is_blanket(search: BlanketSearch) -> bool:
    """Return whether the members make all features left superfluous, by the chain rule.

    ``T ⊥ Y_j | S`` for all j, then ``T ⊥ Y_j | S, Y_1, …, Y_{j-1}``; the smallest p times the number of
    tests (Bonferroni) must be above alpha. The former must all be tested; of the latter, those for which the
    rows do not suffice tell nothing.
    """
    left, given = search.open(), list(search.members)
    if not left:
        return True
    level = search.alpha / len(left)
    first = search.results(left, given)
    if not first.independent(level).all():
        return False
    for name, other in zip(left[1:], left, strict=False):
        given.append(other)
        if not may_suffice(search.test, name, given):
            break  # nor do the rows for more
        answer = search.results([name], given)
        if not answer.tested[0]:
            break
        if answer.dependent(level)[0]:
            return False
    return True


def _is_needed(search: BlanketSearch, missing: Collection[str]) -> bool:
    """Return whether one of some features tells something given all features left."""
    names = sorted(missing)
    if not names:
        return False
    answers = search.results(names, [*search.members, *search.open()])
    return bool(answers.dependent(search.alpha / len(names)).any())
