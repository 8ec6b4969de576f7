"""What a search for all Markov blankets was asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from altsel.errors import level, of_kind
from altsel.results.solutions import Solutions
from altsel.search.blankets.all.costs import listed_costs
from altsel.search.blankets.all.template import Template
from altsel.search.blankets.limits import Limits, checked_limits
from altsel.stats.equivalence.criterion import Equivalent, criterion
from altsel.stats.independence.protocol import Independence, checked_test

Costs = Mapping[str, float]


@dataclass(frozen=True)
class BlanketProblem:
    """What was wanted of a search for all Markov blankets, or for the best of them; `altsel.audit` takes it.

    Parameters
    ----------
    test, alpha, equivalent
        As in `altsel.blankets.tmfbs`.
    learner
        What the search repeats: the template of `tmfbs` or `best`, or the learner of `tie_star`. Default:
        forward-backward selection.
    limits
        Features forced in or left out, and domain constraints; an audit needs no others.
    costs
        Of a search for the best blankets, as in `altsel.blankets.best`. Default: 1 for each feature.

    Raises
    ------
    ArgumentError
        If an argument is of the wrong kind.

    Examples
    --------
    >>> import numpy as np, altsel
    >>> a, b, noise = np.random.default_rng(0).normal(size=(3, 500))
    >>> data = altsel.Dataset({"a": a, "b": b, "copy": 2 * a}, a + b + noise)
    >>> problem = BlanketProblem(altsel.independence.PartialCorrelation(data), alpha=0.01)
    >>> found = altsel.blankets.tmfbs(problem.test, problem.alpha)
    >>> altsel.audit(found, problem).verdict
    'confirmed'
    """

    test: Independence
    alpha: float = 0.05
    equivalent: Equivalent | None = None
    learner: Template | Callable[..., Solutions] | None = None
    limits: Limits | None = None
    costs: Costs | Sequence[Costs] | None = None

    def __post_init__(self) -> None:
        checked_test(self.test)
        level("alpha", self.alpha)
        of_kind("learner", self.learner, Template | Callable | None, "altsel.blankets.iamb, say")
        checked_limits(self.limits)
        criterion(self.test, self.equivalent)
        if self.costs is not None:
            listed_costs(self.costs)
