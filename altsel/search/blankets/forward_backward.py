"""Forward-backward selection: the template TFBS (algorithm 1 of TMFBS) and what fills it in."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

import numpy as np

from altsel._types import IntArray
from altsel.errors import checked_integer, of_kind
from altsel.results.solutions import Solutions
from altsel.search.blankets.blanket_search import BlanketSearch, begin, checked_search
from altsel.search.blankets.limits import Limits
from altsel.stats.independence.protocol import Independence, TestResults

OrderVariables = Callable[[BlanketSearch], Iterable[str]]
"""Names the candidates that could be selected now, the best first; none if nothing more should be."""

BackwardPhase = Callable[[BlanketSearch], None]
"""Takes false positives out of the members."""


def checked_phases(order_variables: object, backward_phase: object) -> None:
    """Raise an ArgumentError if one of the two phases of a search is no function."""
    of_kind("order_variables", order_variables, Callable, "a function such as altsel.blankets.dependent_by_p")
    such_as = "a function such as altsel.blankets.remove_least_dependent"
    of_kind("backward_phase", backward_phase, Callable, such_as)


def dependent_by_p(search: BlanketSearch, among: Collection[str] | None = None) -> list[str]:
    """ORDERVARIABLES of FBS: candidates dependent given all members, by ascending p; `among` some or all.

    Parameters
    ----------
    search
        The state of the search: its test, level, members and candidates.
    among
        The candidates to test; default: all.

    Examples
    --------
    >>> import numpy as np
    >>> from altsel import Dataset, blankets, independence
    >>> random = np.random.default_rng(0)
    >>> a, b, c = random.normal(size=(3, 200))
    >>> data = Dataset({"a": a, "b": b, "c": c}, a - b + random.normal(size=200))
    >>> test = independence.PartialCorrelation(data)
    >>> blankets.forward_backward(test, order_variables=dependent_by_p)[0].features
    ('a', 'b')
    """
    return _dependent(search, TestResults.order, among)


def dependent_by_association(search: BlanketSearch) -> list[str]:
    """Rank the candidates dependent given all members by their statistic for each degree of freedom.

    A statistic grows by 1 for each degree of freedom even without dependence. By this order features
    of many values, after which fewer tests are possible, do not come first for their size.

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
    >>> blankets.forward_backward(test, order_variables=dependent_by_association)[0].features
    ('a', 'b')
    """
    return _dependent(search, TestResults.order_by_association)


def dependent_by_information(search: BlanketSearch) -> list[str]:
    """Rank the candidates dependent given all members by effect: ``argmax I(X; T | S)`` (UV eq. 47).

    For tests in tables and likelihood ratios the effect is the conditional mutual information. An estimate
    of it grows with the number of values, so features of many values come first.

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
    >>> blankets.forward_backward(test, order_variables=dependent_by_information)[0].features
    ('a', 'b')
    """
    return _dependent(search, TestResults.order_by_effect)


def _dependent(
    search: BlanketSearch, order: Callable[[TestResults], IntArray], among: Collection[str] | None = None
) -> list[str]:
    checked_search(search)
    candidates = [name for name in search.open() if among is None or name in among]
    if not candidates:
        return []
    if among is None:
        answers = search.best_first(candidates, order)
    else:  # every answer counts, not only the first
        answers = search.results(candidates, search.members)
        search.keep(answers, search.members)
    dependent = answers.dependent(search.alpha)
    return [candidates[j] for j in order(answers).tolist() if dependent[j]]


def remove_least_dependent(search: BlanketSearch) -> None:
    """BACKWARDPHASE of FBS: remove the member with the highest p given the others, while that is above alpha.

    p is found anew after every removal, so that of two members which each explain the other one stays.

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
    >>> blankets.forward_backward(test, backward_phase=remove_least_dependent)[0].features
    ('a', 'b')
    """
    checked_search(search)
    while True:
        weakest = _weakest(search)
        if weakest is None:
            return
        search.members.remove(weakest)


def _weakest(search: BlanketSearch) -> str | None:
    """Name the least dependent member given the others, if it is independent; keep the answer."""
    answers = search.least_dependent_given_the_others()
    independent = answers.independent(search.alpha)
    rows = zip(answers.log_p.tolist(), (-np.abs(answers.statistic)).tolist(), answers.candidates, strict=True)
    leaving = [row for row, out in zip(rows, independent, strict=True) if out]
    if not leaving:
        return None
    log_p, _, name = max(leaving)
    search.note(name, log_p, [member for member in search.members if member != name])
    return name


def forward_backward(
    test: Independence,
    alpha: float = 0.05,
    *,
    order_variables: OrderVariables = dependent_by_p,
    backward_phase: BackwardPhase = remove_least_dependent,
    limits: Limits | None = None,
) -> Solutions:
    """Add the first candidate again and again, then remove false positives (TFBS).

    With its default functions this is forward-backward selection by tests of independence (FBS):
    ``C = candidates with p(T; C | S) <= alpha, ascending``; add the first; when there is none,
    remove the member with the highest ``p(T; S_i | S without S_i) > alpha`` until there is none.

    Parameters
    ----------
    test
        A test bound to the target.
    alpha
        Level of the tests.
    order_variables
        Names the candidates that could be selected now, the best first.
    backward_phase
        Removes false positives from the members.
    limits
        Features forced in or left out, and limits.

    Returns
    -------
    Solutions
        One set, ``proof=TESTED``; ``stop`` is ``COUNT``, or ``LIMIT``, ``TIME`` or
        ``INTERRUPT`` with the members until then.

    Raises
    ------
    ArgumentError
        If alpha or the limits are wrong.

    References
    ----------
    Borboudakis and Tsamardinos (2021), algorithms 1 and 2.

    Examples
    --------
    >>> import networkx as nx
    >>> from altsel.independence import DSeparation
    >>> graph = nx.DiGraph([("cause", "y"), ("y", "effect"), ("other", "effect"), ("far", "cause")])
    >>> forward_backward(DSeparation(graph, "y"))[0].features
    ('cause', 'effect', 'other')
    """
    checked_phases(order_variables, backward_phase)
    search = begin(test, alpha, limits)
    with search.limited():
        template(search, order_variables, backward_phase)
    return search.solutions(f"forward-backward selection, alpha={alpha:g}")


def template(search: BlanketSearch, order_variables: OrderVariables, backward_phase: BackwardPhase) -> None:
    """TFBS, as a loop: select the first in the order until there is none, then go back."""
    while candidates := list(order_variables(search)):
        search.admit(candidates[0])
    backward_phase(search)


@dataclass
class EarlyDropping:
    """ORDERVARIABLES of FBED-K: a candidate once found independent is dropped until the run is over.

    Parameters
    ----------
    extra_runs
        K: how often the dropped candidates come back after the first run; None until nothing changes.

    Examples
    --------
    >>> import numpy as np
    >>> from altsel import Dataset, blankets, independence
    >>> random = np.random.default_rng(0)
    >>> a, b, c = random.normal(size=(3, 200))
    >>> data = Dataset({"a": a, "b": b, "c": c}, a - b + random.normal(size=200))
    >>> test = independence.PartialCorrelation(data)
    >>> blankets.forward_backward(test, order_variables=EarlyDropping(extra_runs=1))[0].features
    ('a', 'b')
    """

    extra_runs: int | None = 0

    def __post_init__(self) -> None:
        if self.extra_runs is not None:
            checked_integer("extra_runs", self.extra_runs, 0)
        self._left: set[str] | None = None
        self._at_start: list[str] | None = None
        self._runs = 0

    def __call__(self, search: BlanketSearch) -> list[str]:
        """Order the candidates not dropped yet; begin another run when none is left."""
        while True:
            if self._left is None:
                if self._at_start == search.members or self._over():
                    return []
                self._left, self._at_start = set(search.open()), list(search.members)
                self._runs += 1
            ordered = dependent_by_p(search, self._left)
            self._left = set(ordered)
            if ordered:
                return ordered
            self._left = None

    def _over(self) -> bool:
        return self.extra_runs is not None and self._runs > self.extra_runs


def forward_backward_early_dropping(
    test: Independence, alpha: float = 0.05, *, extra_runs: int | None = 0, limits: Limits | None = None
) -> Solutions:
    """Forward-backward selection with early dropping, FBED-K.

    As `forward_backward`, but candidates found independent given the members are dropped for the
    rest of the run: a first run costs few tests; K = `extra_runs` more runs bring the dropped ones
    back. With K = 1 all of the Markov blanket's spouses are found under faithfulness and a
    perfect test. With K = 0, the default here, spouses that are independent of the target alone are
    missed, and what only they explain may stay; the command's ``--method fbed`` takes K = 1.

    Parameters
    ----------
    test
        A test bound to the target.
    alpha
        Level of the tests.
    extra_runs
        K; None: until nothing changes.
    limits
        Features forced in or left out, and limits.

    Returns
    -------
    Solutions
        As `forward_backward`.

    References
    ----------
    Borboudakis and Tsamardinos, Journal of Machine Learning Research 20 (2019).

    Examples
    --------
    >>> import networkx as nx
    >>> from altsel.independence import DSeparation
    >>> test = DSeparation(nx.DiGraph([("y", "effect"), ("other", "effect")]), "y")
    >>> [forward_backward_early_dropping(test, extra_runs=runs)[0].features for runs in (0, 1)]
    [('effect',), ('effect', 'other')]
    """
    if extra_runs is not None:
        checked_integer("extra_runs", extra_runs, 0)
    search = begin(test, alpha, limits)
    with search.limited():
        template(search, EarlyDropping(extra_runs), remove_least_dependent)
    runs = "until nothing changes" if extra_runs is None else f"K={extra_runs}"
    return search.solutions(f"forward-backward selection with early dropping, {runs}, alpha={alpha:g}")
