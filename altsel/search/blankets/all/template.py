"""The template TMFBS: what makes an algorithm of it, which branches it leaves out, and one run of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import islice

from altsel.errors import ArgumentError, flags, of_kind
from altsel.results.feature_set import FeatureSet
from altsel.search.blankets.all.confirmation import Confirm
from altsel.search.blankets.all.order_variables import OrderAll, dependent_in_turn
from altsel.search.blankets.blanket_search import BlanketSearch
from altsel.search.blankets.forward_backward import (
    BackwardPhase,
    EarlyDropping,
    checked_phases,
    remove_least_dependent,
)


@dataclass(frozen=True)
class Template:
    """The two functions that make an algorithm of the template TMFBS.

    Parameters
    ----------
    order_variables
        Names all candidates that could be selected now, the best first; it must depend on nothing
        but the members and the candidates of the search.
    backward_phase
        Removes all false positives, and nothing else, from the members.
    name
        What the result calls it; nothing for forward-backward selection.
    confirm
        Judges where no candidate is left whether assumption 1 held there; None: it is taken for granted.

    Raises
    ------
    ArgumentError
        If the order is `EarlyDropping`, which depends on what was tested before.

    Examples
    --------
    >>> import numpy as np
    >>> from altsel import Dataset, blankets, independence
    >>> random = np.random.default_rng(0)
    >>> a, b, c = random.normal(size=(3, 200))
    >>> data = Dataset({"a": a, "b": b, "c": c}, a - b + random.normal(size=200))
    >>> test = independence.PartialCorrelation(data)
    >>> by_pairs = Template(blankets.dependent_in_pairs, name="by pairs")
    >>> [one.features for one in blankets.tmfbs(test, template=by_pairs)]
    [('a', 'b')]
    """

    order_variables: OrderAll = dependent_in_turn
    backward_phase: BackwardPhase = remove_least_dependent
    name: str = ""
    confirm: Confirm | None = None

    def __post_init__(self) -> None:
        checked_phases(self.order_variables, self.backward_phase)
        of_kind("name", self.name, str, "a text")
        of_kind("confirm", self.confirm, Callable | None, "a function such as altsel.blankets.confirmed")
        if isinstance(self.order_variables, EarlyDropping):
            raise ArgumentError(
                "EarlyDropping remembers what it dropped, so it cannot go back; "
                "use tie_star(learner=altsel.blankets.forward_backward_early_dropping)"
            )


@dataclass(frozen=True)
class Pruning:
    """The rules by which TMFBS leaves branches out.

    All are sound if the template finds a blanket wherever there is one (assumption 1). On samples
    that can fail: then fewer rules find more.

    Parameters
    ----------
    rule_1
        Stop at a state once a child of it has led to no solution.
    rule_2
        Stop at a state if a part of what is excluded has led to no solution before.
    rule_3
        Stop at a state once no solution of a child has the feature that was selected there.

    Examples
    --------
    >>> import numpy as np
    >>> from altsel import Dataset, blankets, independence
    >>> random = np.random.default_rng(0)
    >>> a, b, c = random.normal(size=(3, 200))
    >>> data = Dataset({"a": a, "b": b, "c": c}, a - b + random.normal(size=200))
    >>> test = independence.PartialCorrelation(data)
    >>> all_branches = blankets.tmfbs(test, prune=Pruning(rule_1=False, rule_2=False, rule_3=False))
    >>> [one.features for one in all_branches]
    [('a', 'b')]
    """

    rule_1: bool = True
    rule_2: bool = True
    rule_3: bool = True

    def __post_init__(self) -> None:
        flags(rule_1=self.rule_1, rule_2=self.rule_2, rule_3=self.rule_3)


def one_blanket(
    search: BlanketSearch,
    template: Template,
    among: Collection[str],
    choose: Callable[[Sequence[str]], str] | None = None,
) -> FeatureSet:
    """Run the template once (TFBS) on some of the features, from those forced in.

    Parameters
    ----------
    search
        The search whose test, level and account are used.
    template
        Its two functions.
    among
        The features that may be selected.
    choose
        Takes one of the candidates that could be selected; default: the first.

    References
    ----------
    Borboudakis and Tsamardinos (2021), algorithm 1.
    """
    search.at(search.forced, among)
    while candidates := _candidates(search, template, choose is None):
        search.admit(candidates[0] if choose is None else choose(candidates))
    template.backward_phase(search)
    return search.found()


def _candidates(search: BlanketSearch, template: Template, first: bool) -> list[str]:
    ordered = template.order_variables(search)
    return list(islice(ordered, 1)) if first else list(ordered)
