"""Two sets of conventions for the experiments of the unified view: the paper's and the defaults."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

from altsel import Dataset, Solutions, ranking
from altsel import blankets as blanket
from altsel.blankets import Limits
from altsel.independence import GSquare
from altsel.search.blankets.forward_backward import OrderVariables, dependent_by_information
from altsel.stats.discrete.information import BINS

Search = Callable[[Dataset], Solutions]
Learner = Callable[..., Solutions]
Filter = Callable[..., Solutions]

ORDERED: dict[str, Learner] = {
    "IAMB": blanket.iamb,
    "Inter-IAMB": blanket.inter_iamb,
    "Fast-IAMB": blanket.fast_iamb,
}
"""The searches whose order of candidates is a convention."""
ALPHA = 0.01


@dataclass(frozen=True)
class Conventions:
    """Options of G-square, the order of IAMB's candidates, and the form of CMIM.

    A label is the paper's name of a method, with the convention in parentheses; `method` takes it off.
    """

    title: str
    options: dict[str, object]
    orders: dict[str, OrderVariables]
    capped: bool
    filters: dict[str, Filter] = field(default_factory=dict)

    def by_test(self, learner: Learner, limits: Limits, **more: object) -> Search:
        """Make a search of a learner; `more` goes to it."""

        def run(data: Dataset) -> Solutions:
            test = GSquare(data, **self.options)  # type: ignore[arg-type]
            return learner(test, ALPHA, limits=limits, **more)

        return run

    def tested(self, learners: dict[str, Learner], limits: Limits) -> dict[str, Search]:
        """Label the searches by tests; those of the IAMB family once for each order."""
        found: dict[str, Search] = {}
        for name, learner in learners.items():
            if name not in ORDERED:
                found[name] = self.by_test(learner, limits)
                continue
            for words, order in self.orders.items():
                found[f"{name} ({words})"] = self.by_test(learner, limits, order_variables=order)
        return found

    def ranked(self) -> dict[str, Filter]:
        """Label the filters."""
        words = "CMIM (capped)" if self.capped else "CMIM (eq. 39)"
        plain = self.capped  # the paper's estimates are plain
        return {**self.filters, words: partial(ranking.cmim, capped=self.capped, debiased=not plain)}


def method(label: str) -> str:
    """Return the paper's name of a method."""
    return re.sub(r" \([^)]*\)", "", label)


PAPER_LIKE = Conventions(
    "conventions of the paper",
    {"corrected": False},
    {"G2 / dof": blanket.dependent_by_association, "I": dependent_by_information},
    capped=True,
    filters={
        "mRMR": partial(ranking.mrmr, bins=BINS, debiased=False),
        "JMI": partial(ranking.jmi, debiased=False),
    },
)
TWO_BINS = replace(PAPER_LIKE, title=f"{PAPER_LIKE.title}, numbers in two bins")
DEFAULTS = Conventions("defaults of this package", {}, {"p": blanket.dependent_by_p}, capped=False)
