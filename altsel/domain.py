"""Rules of a domain, ready made, for ``Problem(subject_to=...)`` and ``Problem(across=...)``.

Each has a name, which results and conflicts show. All but ``criterion``, ``predicate`` and those by tests are
data: they can be compared, pickled and written to TOML. A rule of your own is a function of a Pyomo block
with ``x[name]``, ``size`` and ``quality``, which adds conditions to the block or returns them.

===========================  ==================================================
``require``, ``forbid``      features that are in, or out
``at_most``, ``at_least``    how many of a group; ``exactly`` too
``implies``                  one feature brings others
``all_or_none``              a group together, or not at all
``mutually_exclusive``       at most one of a group
``budget``                   costs of features, and of panels bought as a whole
``proxy_limit``              how much a set may tell of a sensitive feature
``minimum_quality``          least value of the objective
``criterion``                ends of a second objective
``predicate``                any function of the features
``blanket_of``               sets that hold a Markov blanket, or are one
``predicts_as_well``         sets equivalent to a reference, by tests
``in_at_most``               in how many of the sets features may be (``across``)
===========================  ==================================================
"""

from altsel.models.domain import (
    all_or_none,
    at_least,
    at_most,
    budget,
    criterion,
    exactly,
    forbid,
    implies,
    in_at_most,
    minimum_quality,
    mutually_exclusive,
    predicate,
    proxy_limit,
    require,
)
from altsel.models.equivalence_rule import predicts_as_well
from altsel.search.blankets.all.blanket_rule import blanket_of

__all__ = [
    "all_or_none",
    "at_least",
    "at_most",
    "blanket_of",
    "budget",
    "criterion",
    "exactly",
    "forbid",
    "implies",
    "in_at_most",
    "minimum_quality",
    "mutually_exclusive",
    "predicate",
    "predicts_as_well",
    "proxy_limit",
    "require",
]
