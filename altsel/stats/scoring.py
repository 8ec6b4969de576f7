"""Scorers and estimators of scikit-learn that a user names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from altsel.errors import ArgumentError, did_you_mean, listing, of_kind
from altsel.runtime.on_demand import OnDemand

metrics: Any = OnDemand("sklearn.metrics")


def refuse_no_estimator(estimator: object, *methods: str) -> None:
    """Raise an ArgumentError unless an estimator is an object with some methods.

    Examples
    --------
    >>> refuse_no_estimator(int, "fit")
    Traceback (most recent call last):
    altsel.errors.ArgumentError: estimator is the class int; give an object of it: int()
    """
    if isinstance(estimator, type):
        name = estimator.__name__
        raise ArgumentError(f"estimator is the class {name}; give an object of it: {name}()")
    if not all(hasattr(estimator, method) for method in methods):
        needs = " and ".join(methods)
        raise ArgumentError(f"{estimator!r} is no scikit-learn estimator: it needs {needs}")


def scorer(estimator: object, scoring: str | Callable[..., float] | None) -> Any:
    """Return what scores an estimator: by a name of scikit-learn, a function, or as it does itself.

    Raises
    ------
    ArgumentError
        If there is no such scorer, or the estimator has none of its own.
    """
    of_kind("scoring", scoring, str | Callable | None, "the name of one scorer, such as 'r2', or a scorer")
    if isinstance(scoring, str) and scoring not in (names := sorted(metrics.get_scorer_names())):
        fix = did_you_mean(scoring, names) or f"; there are {listing(names, len(names))}"
        raise ArgumentError(f"scoring={scoring!r} is no scorer of scikit-learn{fix}")
    try:
        return metrics.check_scoring(estimator, scoring)
    except (ValueError, TypeError) as fault:
        raise ArgumentError(f"scoring={scoring!r}: {fault}") from fault
