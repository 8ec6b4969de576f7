"""Rules of a domain, ready made: data that add named rows to one set's block.

Each function returns a rule for ``Problem(subject_to=[...])``, and works the same for one set and several.
All but `budget` with fixed costs and `minimum_quality` are linear rows over the features.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from math import inf, isfinite
from typing import Any

import numpy as np

from altsel.errors import ArgumentError, listing, of_kind
from altsel.models.criterion_rule import CriterionRule
from altsel.models.declarations import check_declared
from altsel.models.given_by_feature import by_feature
from altsel.models.objective import Objective
from altsel.models.predicate import MONOTONE, Predicate
from altsel.models.rule import Across, Rule, Stated, title_of

Numbers = Mapping[str, float]


def require(*features: str) -> Rule:
    """Have features in every set: ``x_j = 1``.

    Parameters
    ----------
    *features
        Names of the features.

    Examples
    --------
    >>> from altsel import Dice, Problem, Univariate, sequential
    >>> problem = Problem(Univariate([3, 2, 1]), k=2, subject_to=[require("x2")])
    >>> sequential(problem, Dice(0.5), 0)[0].features
    ('x0', 'x2')
    """
    group = _group("require", features)
    return Stated("require", f"require {listing(group)}", {"require": group})


def forbid(*features: str) -> Rule:
    """Have features in no set: ``x_j = 0``.

    Parameters
    ----------
    *features
        Names of the features.

    Examples
    --------
    >>> from altsel import Dice, Problem, Univariate, sequential
    >>> problem = Problem(Univariate([3, 2, 1]), k=2, subject_to=[forbid("x0")])
    >>> sequential(problem, Dice(0.5), 0)[0].features
    ('x1', 'x2')
    """
    group = _group("forbid", features)
    return Stated("forbid", f"forbid {listing(group)}", {"forbid": group})


def at_most(number: int, group: Collection[str]) -> Rule:
    """Limit the features of a group: ``sum_{j in G} x_j <= number``.

    Parameters
    ----------
    number
        Most of them that a set may have.
    group
        Names of the features.

    Examples
    --------
    >>> from altsel import Dice, Problem, Univariate, sequential
    >>> problem = Problem(Univariate([3, 2, 1]), k=2, subject_to=[at_most(1, ["x0", "x1"])])
    >>> sequential(problem, Dice(0.5), 0)[0].features
    ('x0', 'x2')
    """
    names = _group("at_most", group, number)
    data = {"at_most": [{"number": number, "of": names}]}
    return Stated("at_most", f"at most {number} of {listing(names)}", data)


def at_least(number: int, group: Collection[str]) -> Rule:
    """Want some features of a group: ``sum_{j in G} x_j >= number``; see `at_most`.

    Parameters
    ----------
    number
        Fewest of them that a set may have.
    group
        Names of the features.

    Examples
    --------
    >>> from altsel import Dice, Problem, Univariate, sequential
    >>> problem = Problem(Univariate([4, 3, 2, 1]), k=3, subject_to=[at_least(2, ["x1", "x2", "x3"])])
    >>> sequential(problem, Dice(0.5), 0)[0].features
    ('x0', 'x1', 'x2')
    """
    names = _group("at_least", group, number)
    data = {"at_least": [{"number": number, "of": names}]}
    return Stated("at_least", f"at least {number} of {listing(names)}", data)


def exactly(number: int, group: Collection[str]) -> Rule:
    """Fix the number of features of a group: ``sum_{j in G} x_j = number``; see `at_most`.

    Parameters
    ----------
    number
        How many of them every set has.
    group
        Names of the features.

    Examples
    --------
    >>> from altsel import Dice, Problem, Univariate, sequential
    >>> problem = Problem(Univariate([4, 3, 2, 1]), k=2, subject_to=[exactly(1, ["x0", "x1"])])
    >>> sequential(problem, Dice(0.5), 0)[0].features
    ('x0', 'x2')
    """
    names = _group("exactly", group, number)
    data = {"exactly": [{"number": number, "of": names}]}
    return Stated("exactly", f"exactly {number} of {listing(names)}", data)


def implies(first: str, *then: str) -> Rule:
    """Want features along with another: ``x_first <= x_j`` for all j of `then`.

    Parameters
    ----------
    first
        The feature that brings others.
    *then
        Names of those it brings.

    Examples
    --------
    >>> from altsel import Dice, Problem, Univariate, sequential
    >>> problem = Problem(Univariate([3, 2, 1]), k=2, subject_to=[implies("x0", "x2")])
    >>> sequential(problem, Dice(0.5), 0)[0].features
    ('x0', 'x2')
    """
    _group("implies", [first])
    names = _group("implies", then)
    data = {"implies": [{"if": first, "then": names}]}
    return Stated("implies", f"{first!r} implies {listing(names)}", data)


def all_or_none(group: Collection[str]) -> Rule:
    """Take a group whole or not at all: ``x_i = x_j``; say, the columns of a one-hot coding.

    Parameters
    ----------
    group
        Names of the features.

    Examples
    --------
    >>> from altsel import Dice, Problem, Univariate, sequential
    >>> problem = Problem(Univariate([3, 2, 1]), k=2, subject_to=[all_or_none(["x0", "x2"])])
    >>> sequential(problem, Dice(0.5), 0)[0].features
    ('x0', 'x2')
    """
    names = _group("all_or_none", group)
    data = {"all_or_none": [names]}
    return Stated("all_or_none", f"all or none of {listing(names)}", data)


def mutually_exclusive(group: Collection[str]) -> Rule:
    """Take one feature of a group at most: ``sum_{j in G} x_j <= 1``.

    Parameters
    ----------
    group
        Names of the features.

    Examples
    --------
    >>> from altsel import Dice, Problem, Univariate, sequential
    >>> problem = Problem(Univariate([3, 2, 1]), k=2, subject_to=[mutually_exclusive(["x0", "x1"])])
    >>> sequential(problem, Dice(0.5), 0)[0].features
    ('x0', 'x2')
    """
    names = _group("mutually_exclusive", group)
    data = {"mutually_exclusive": [names]}
    return Stated("mutually_exclusive", f"at most one of {listing(names)}", data)


def budget(
    costs: Numbers,
    limit: float,
    fixed: Collection[tuple[float, Collection[str]]] = (),
    other: float | None = None,
) -> Rule:
    """Limit the cost of a set: ``sum_j c_j x_j + sum_g c_g z_g <= limit``.

    Parameters
    ----------
    costs
        Cost of each feature.
    limit
        Most that a set may cost.
    fixed
        Pairs (cost, group): paid once if any feature of the group is chosen, ``z_g >= x_j``;
        a panel, a sensor, a visit.
    other
        Cost of each feature that neither `costs` nor a group names. Default: nothing, with a warning.

    Raises
    ------
    ArgumentError
        If a number is missing or infinite, or a fixed cost negative.

    Warns
    -----
    DataWarning
        When sets are searched: of features without a cost, if `other` is not given.

    Examples
    --------
    >>> from altsel import Dice, Problem, Univariate, sequential
    >>> rule = budget({"x0": 3, "x1": 1, "x2": 1}, limit=2)
    >>> sequential(Problem(Univariate([3, 2, 1]), k=2, subject_to=[rule]), Dice(0.5), 0)[0].features
    ('x1', 'x2')
    """
    costs = by_feature(costs)
    if not isinstance(costs, Mapping):
        raise ArgumentError(f"budget: {costs!r} are no costs; give them first, by feature: {{'age': 2}}")
    panels = [(_number("budget", cost), _group("budget", group)) for cost, group in _pairs(fixed)]
    if any(cost < 0 for cost, _ in panels):
        raise ArgumentError("budget: a fixed cost must be at least 0")
    costs_of = {str(f): _number("budget", cost) for f, cost in costs.items()}
    if not costs_of and not panels:
        raise ArgumentError("budget: give at least one cost, as cost = {age = 1.0}")
    most = _number("budget", limit)

    fixed_costs = [{"cost": cost, "of": group} for cost, group in panels]
    rest = {} if other is None else {"other": _number("budget", other)}
    data = {"budget": [{"limit": most, "cost": costs_of, "fixed": fixed_costs, **rest}]}
    return Stated("budget", f"budget of {limit:g}", data)


def _pairs(fixed: object) -> list[Any]:
    """Return fixed costs, each with a group."""
    such_as = "pairs of a cost and a group: [(10, ['ct', 'mri'])]"
    of_kind("fixed", fixed, Iterable, such_as)
    pairs: list[Any] = list(fixed)  # type: ignore[call-overload]
    for pair in pairs:
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise ArgumentError(f"fixed: {pair!r}; give {such_as}")
    return pairs


def proxy_limit(dependence: Numbers, limit: float, other: float | None = None) -> Rule:
    """Limit what a set tells of a protected column: ``sum_j d_j x_j <= limit``.

    Parameters
    ----------
    dependence
        Dependence of each feature and the protected column, such as the relevance of
        ``altsel.dependence(altsel.Dataset(X, protected))``.
    limit
        Most that the dependences of a set may sum to.
    other
        Dependence of each feature that is not named. Default: none, with a warning.

    Warns
    -----
    DataWarning
        When sets are searched: of features without a dependence, if `other` is not given.

    Examples
    --------
    >>> from altsel import Dice, Problem, Univariate, sequential
    >>> rule = proxy_limit({"x0": 0.5, "x1": 0.1, "x2": 0.1}, limit=0.3)
    >>> sequential(Problem(Univariate([3, 2, 1]), k=2, subject_to=[rule]), Dice(0.5), 0)[0].features
    ('x1', 'x2')
    """
    if not hasattr(dependence, "items"):
        raise ArgumentError(
            f"proxy_limit: {dependence!r} are no dependences; give them by feature: {{'age': 0.5}}"
        )
    numbers = {str(f): _number("proxy_limit", d) for f, d in dependence.items()}
    if not numbers:
        raise ArgumentError("proxy_limit: give at least one feature's dependence")
    most = _number("proxy_limit", limit)
    rest = {} if other is None else {"other": _number("proxy_limit", other)}
    data = {"proxy_limit": [{"limit": most, "dependence": numbers, **rest}]}
    return Stated("proxy_limit", f"proxy limit of {limit:g}", data)


def minimum_quality(least: float) -> Rule:
    """Want sets of some quality at least: ``Q(s) >= least``; says when alternatives become too poor.

    Parameters
    ----------
    least
        The least value of the objective.

    Examples
    --------
    >>> from altsel import Dice, Problem, Univariate, sequential
    >>> problem = Problem(Univariate([4, 3, 2, 1]), k=2, subject_to=[minimum_quality(5)])
    >>> [one.score for one in sequential(problem, Dice(0.5), alternatives=5)]
    [7.0, 6.0, 5.0, 5.0]
    """
    number = _number("minimum_quality", least)
    return Stated("minimum_quality", f"quality of at least {least:g}", {"minimum_quality": number})


def in_at_most(number: int, features: Collection[str]) -> Across:
    """Want each of some features in few of the sets: ``sum_i x_ij <= number``; for ``Problem(across=...)``.

    Parameters
    ----------
    number
        Most sets that may have the same feature.
    features
        Names of the features.

    Examples
    --------
    >>> from altsel import Dice, Problem, Univariate, sequential
    >>> problem = Problem(Univariate([9, 3, 2, 1]), k=2, across=[in_at_most(1, ["x0"])])
    >>> [subset.features for subset in sequential(problem, Dice(0.5), 1)]
    [('x0', 'x1'), ('x1', 'x2')]
    """
    names = _group("in_at_most", features, number)
    data = {"in_at_most": [{"number": number, "of": names}]}
    return Stated("in_at_most", f"{listing(names)} in at most {number} of the sets", data)


def predicate(
    function: Callable[[tuple[str, ...]], bool], name: str | None = None, monotone: str | None = None
) -> Rule:
    """Take any function of a feature set as a rule: ``f(features)`` must be True.

    For what is no formula of the features: variance inflation, fairness or accuracy of a fitted model. The
    best sets are evaluated in turn; one that breaks the rule is cut off, and the search goes on. The proof is
    as for every rule: no better set keeps it.

    Parameters
    ----------
    function
        Of a tuple of names in the order of the features (of grouped data one name a group); returns True or
        False, and the same for the same set. With `monotone` it is called with smaller or larger sets too.
    name
        The rule in words; default: the function's name.
    monotone
        ``"down"`` if what holds for a set holds for every part of it, such as a limit on a largest
        correlation; ``"up"`` if for every larger set, such as a least accuracy on the rows of the fit. Then
        one set that breaks the rule cuts off many. It is believed, and checked on sets near those that are
        returned.

    Raises
    ------
    ArgumentError
        If the function cannot be called, or `monotone` is another.

    Examples
    --------
    >>> from altsel import Dice, Problem, Univariate, sequential
    >>> short = predicate(lambda features: len("".join(features)) <= 5, name="short names", monotone="down")
    >>> problem = Problem(Univariate({"long": 3, "abc": 2, "de": 1}), k=2, subject_to=[short])
    >>> sequential(problem, Dice(0.5), 0)[0].features
    ('abc', 'de')
    """
    if not callable(function):
        raise ArgumentError(f"predicate: {function!r:.60} is no function of a tuple of names")
    of_kind("name", name, str | None, "the rule in words")
    if monotone not in MONOTONE:
        raise ArgumentError(f"predicate: monotone={monotone!r}; use 'down', 'up' or None")
    return Predicate(function, name or title_of(function), monotone)


def criterion(objective: Objective, at_least: float | None = None, at_most: float | None = None) -> Rule:
    """Limit a second criterion: ``at_least <= Q'(s) <= at_most``.

    The cheapest set within 5 % of the best mRMR; the best set whose fit tells at most so much of a sensitive
    column. It holds for the criterion's formula, from both sides, whatever the criterion's kind.

    Parameters
    ----------
    objective
        The other criterion, of the same features or more.
    at_least, at_most
        Ends; one of them at least.

    Raises
    ------
    ArgumentError
        If the objective is none or cannot be used, no end is given, or one is no finite number.

    Examples
    --------
    >>> from altsel import Dice, Problem, Univariate, sequential
    >>> cheap = Univariate({"a": -5, "b": -1, "c": -1})
    >>> good = criterion(Univariate({"a": 0.9, "b": 0.5, "c": 0.1}), at_least=1.3)
    >>> sequential(Problem(cheap, k=2, subject_to=[good]), Dice(0.5), 0)[0].features
    ('a', 'b')
    """
    of_kind("objective", objective, Objective, "an objective, such as altsel.MRMR(data)")
    check_declared(objective)
    if at_least is None and at_most is None:
        raise ArgumentError("criterion: give at_least=, at_most=, or both")
    low = -inf if at_least is None else _number("criterion", at_least)
    high = inf if at_most is None else _number("criterion", at_most)
    if low > high:
        raise ArgumentError(f"criterion: at_least={at_least!r} is above at_most={at_most!r}")
    return CriterionRule(objective, low, high)


def _group(rule: str, group: Collection[str], number: int = 0) -> list[str]:
    """Check a group's names, and a number of them."""
    if isinstance(group, str):
        raise ArgumentError(f"{rule}: give a list of features, not the text {group!r}")
    of_kind(rule, group, Iterable, "a list of features")
    listed = next((name for name in group if not isinstance(name, str)), None)
    if listed is not None:
        fix = f"{rule}(*names)" if isinstance(listed, (list, tuple, set)) else "names are texts"
        raise ArgumentError(f"{rule}: {listed!r} is no name of a feature; {fix}")
    names = list(dict.fromkeys(group))
    if not names or len(names) < len(list(group)):
        raise ArgumentError(f"{rule}: give at least one feature, and each once")
    if isinstance(number, bool) or not isinstance(number, int) or number < 0:
        raise ArgumentError(f"{rule}: {number!r} is no integer of at least 0")
    return names


def _number(rule: str, value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError) as fault:
        raise ArgumentError(f"{rule}: {str(value)[:40]!r} is no number of a size that can be used") from fault
    if isinstance(value, (str, bytes, bool, np.bool_)):
        raise ArgumentError(f"{rule}: {value!r:.40} is no number; give a finite one, such as 0.5")
    if not isfinite(number):
        raise ArgumentError(f"{rule}: {value!r} is missing or infinite")
    return number
