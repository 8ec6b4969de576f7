"""Statistically equivalent signatures: MMPC, and what its members can be exchanged for (SES)."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice, product
from math import log

from altsel.errors import checked_integer
from altsel.results.feature_set import FeatureSet, Proof, Role, Verdict
from altsel.results.solutions import Solutions
from altsel.results.stop import Stop
from altsel.search.blankets.blanket_search import begin
from altsel.search.blankets.limits import Limits
from altsel.search.blankets.mmpc import max_min
from altsel.search.blankets.parents_and_children import Neighbours, checked_conditioning
from altsel.stats.independence.protocol import Independence


def ses(
    test: Independence,
    alpha: float = 0.05,
    *,
    max_conditioning: int | None = 3,
    number: int = 100,
    limits: Limits | None = None,
) -> Solutions:
    """Find parents and children by MMPC, and signatures in which members are exchanged for equivalents (SES).

    X, separated by a set Z, is equivalent to a member Y of Z if Y is separated by Z with X in its place, and
    X depends on the target given the rest of Z: ``I(T; X | Z) = 0``, ``I(T; Y | Z - Y + X) = 0`` and
    ``I(T; X | Z - Y) > 0``. A signature takes one of each class of equivalents. The first one is that of
    `mmpc`; the others rest on exchanges of single features, so that two features that only together
    stand for one are not found, and a combination of several exchanges is not tested. `tmfbs` and `tie_star`
    find *all* blankets, compare each with the first, and say what was proved; SES is for tables too wide for
    them.

    Parameters
    ----------
    test
        A test bound to the target.
    alpha
        Level of the tests.
    max_conditioning
        Largest subset tried; None: any size, which may take exponential time.
    number
        At most so many signatures.
    limits
        Features forced in or left out, and limits; those forced in are not exchanged.

    Returns
    -------
    Solutions
        Signatures: the first with ``proof=TESTED``, the others ``proof=HEURISTIC``.

    Raises
    ------
    ArgumentError
        If an argument is out of its range.

    References
    ----------
    Lagani, Athineou, Farcomeni, Tsagris and Tsamardinos, Journal of Statistical Software 80 (2017),
    algorithm 1.

    Examples
    --------
    >>> import numpy as np
    >>> from altsel import Dataset, independence
    >>> random = np.random.default_rng(0)
    >>> a, b = random.normal(size=(2, 300))
    >>> data = Dataset({"a": a, "twin": 2 * a, "b": b}, a - b + random.normal(size=300))
    >>> [one.features for one in ses(independence.PartialCorrelation(data), 0.001)]
    [('a', 'b'), ('twin', 'b')]
    """
    checked_integer("number", number, 1)
    search = begin(test, alpha, limits)
    near = Neighbours(search, checked_conditioning(max_conditioning))
    classes: dict[str, list[Verdict]] = {}
    with search.limited():
        max_min(near)
        for name in near.found:
            classes[name] = []
        _exchanged(near, classes)
    gamma = "none" if max_conditioning is None else str(max_conditioning)
    found = search.solutions(f"SES, alpha={alpha:g}, max_conditioning={gamma}", Role.NEIGHBOUR)
    own = {one.feature: one for one in found[0].verdicts}
    ways = product(*([own[name], *others] for name, others in classes.items()))
    signatures = list(islice(ways, number + 1))
    more = tuple(_signature(test.features, one) for one in signatures[1:number])
    all_listed = found.stop is Stop.COUNT and len(signatures) <= number
    return replace(found, sets=(found[0], *more), stop=Stop.HEURISTIC if all_listed else found.stop)


def _exchanged(near: Neighbours, classes: dict[str, list[Verdict]]) -> None:
    """Enter with each member what it can be exchanged for, and by which test that is dependent."""
    search, member = near.search, {name: name for name in classes}
    for name, given in near.separated.items():
        for twin in given:
            own = member.get(twin)
            if own is None or own in search.forced:
                continue
            rest = tuple(one for one in given if one != twin)
            if not search.decided([twin], (*rest, name))[0].independent(search.alpha)[0]:
                continue
            answer = search.results([name], rest)
            if answer.dependent(search.alpha)[0]:
                classes[own].append(Verdict(name, Role.NEIGHBOUR, float(answer.log_p[0]), rest))
                member[name] = own
                break


def _signature(features: tuple[str, ...], verdicts: tuple[Verdict, ...]) -> FeatureSet:
    """Build a set; its score is that of its weakest member, as of the first."""
    names, weakest = {one.feature for one in verdicts}, max(one.log_p or 0.0 for one in verdicts)
    chosen = tuple(name for name in features if name in names)
    return FeatureSet(chosen, 0.0 - weakest / log(10), Proof.HEURISTIC, verdicts=verdicts)
