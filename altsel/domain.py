"""Rules of a domain, ready made, for ``Problem(subject_to=...)`` and ``Problem(across=...)``.

Each is data with a name: it can be printed, compared, pickled and written to TOML, and says in
conflicts what it demands. A rule of your own is a function of a Pyomo block with ``x[name]``,
``size`` and ``quality``.

===========================  ==================================================
``require``, ``forbid``      features that are in, or out
``at_most``, ``at_least``    how many of a group; ``exactly`` too
``implies``                  one feature brings others
``all_or_none``              a group together, or not at all
``mutually_exclusive``       at most one of a group
``budget``                   costs of features, and of panels bought as a whole
``proxy_limit``              how much a set may tell of a sensitive feature
``minimum_quality``          least value of the objective
``in_at_most``               in how many of the sets features may be (``across``)
===========================  ==================================================
"""

from altsel.models.domain import (
    all_or_none,
    at_least,
    at_most,
    budget,
    exactly,
    forbid,
    implies,
    in_at_most,
    minimum_quality,
    mutually_exclusive,
    proxy_limit,
    require,
)

__all__ = [
    "all_or_none",
    "at_least",
    "at_most",
    "budget",
    "exactly",
    "forbid",
    "implies",
    "in_at_most",
    "minimum_quality",
    "mutually_exclusive",
    "proxy_limit",
    "require",
]
