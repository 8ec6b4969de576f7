"""ORDERVARIABLES of TMFBS: all candidates that could be selected now, the best first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from altsel.search.blankets.blanket_search import BlanketSearch, checked_search
from altsel.stats.independence.protocol import Screening, TestResults

OrderAll = Callable[[BlanketSearch], Iterable[str]]
"""Names all candidates that could be selected, the best first; what is not requested need not be found."""


def dependent_in_turn(search: BlanketSearch) -> Iterator[str]:
    """Name the candidates dependent given all members by ascending p, as far as they are requested.

    Tests that rank candidates at less cost than they test them are requested of the best one, then for
    the best of the rest, and so on; every candidate counts as one test.

    Parameters
    ----------
    search
        The state of the search: its test, level, members and candidates.

    Examples
    --------
    >>> import numpy as np
    >>> from altsel import Dataset, blankets, independence
    >>> random = np.random.default_rng(0)
    >>> a, b, c = random.normal(size=(3, 200))
    >>> data = Dataset({"a": a, "b": b, "c": c}, a - b + random.normal(size=200))
    >>> test = independence.PartialCorrelation(data)
    >>> [one.features for one in blankets.tmfbs(test, template=blankets.Template(dependent_in_turn))]
    [('a', 'b')]
    """
    checked_search(search)
    left, members, alpha, test = search.open(), tuple(search.members), search.alpha, search.test
    if not left:
        return
    if not isinstance(test, Screening):
        answers = search.results(left, members)
        search.keep(answers, members)
        dependent = answers.dependent(alpha)
        yield from [left[j] for j in answers.order().tolist() if dependent[j]]
        return
    search.budget.add(len(left))
    while left:
        answers = test.best_first(left, members, TestResults.order)
        if not answers.dependent(alpha).any():
            answers = test(left, members)  # that there is none is for full tests to say
        first = int(answers.order()[0])
        if not answers.dependent(alpha)[first]:
            search.keep(answers, members)
            return
        yield left.pop(first)


def dependent_in_pairs(search: BlanketSearch) -> list[str]:
    """Name the dependent candidates; where there is none, those that are dependent given one other.

    Forward-backward selection finds no feature that tells of the target only along with another one, as
    in ``T = X xor Y``. This order does, with up to p tests for each candidate.

    Parameters
    ----------
    search
        The state of the search: its test, level, members and candidates.

    Examples
    --------
    >>> import numpy as np
    >>> from altsel import Dataset, blankets, independence
    >>> data = Dataset({"left": [0, 0, 1, 1] * 50, "right": [0, 1] * 100}, [0, 1, 1, 0] * 50)
    >>> test = independence.GSquare(data)
    >>> blankets.tmfbs(test)[0].features
    ()
    >>> template = blankets.Template(dependent_in_pairs)
    >>> [one.features for one in blankets.tmfbs(test, template=template)]
    [('left', 'right')]
    """
    checked_search(search)
    left, members = search.open(), tuple(search.members)
    if not left:
        return []
    answers = search.results(left, members)
    search.keep(answers, members)
    dependent = answers.dependent(search.alpha)
    if dependent.any():
        return [left[j] for j in answers.order().tolist() if dependent[j]]
    strongest: dict[str, float] = {}
    for other in left:
        rest = [name for name in left if name != other]
        if not rest:
            break
        results = search.results(rest, (*members, other))
        for j, hit in enumerate(results.dependent(search.alpha).tolist()):
            if hit:
                strongest[rest[j]] = min(strongest.get(rest[j], 0.0), float(results.log_p[j]))
    index = {name: j for j, name in enumerate(left)}
    return sorted(strongest, key=lambda name: (strongest[name], index[name]))
