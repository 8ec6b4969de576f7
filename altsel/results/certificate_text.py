"""What failed removals prove of a family of blankets, in plain words."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from altsel.results.dual import Dual, Evidence
from altsel.results.feature_set import Proof
from altsel.results.stop import Stop
from altsel.results.text import number_of

if TYPE_CHECKING:
    from altsel.results.solutions import Solutions

CONFIRMED_BY = {
    Evidence.NEEDED: "a removed feature tells something given all others",
    Evidence.NOT_EQUIVALENT: "what is left is not equivalent",
    Evidence.UNCONFIRMED: "no test confirms it",
}
"""What confirms that there is no blanket without some features."""
GROUPING = "--group-above 0.99, in Python data.grouped(0.99)"
"""How near copies are made one feature."""


def certificate_lines(found: Solutions, grouping: str | None = None) -> list[str]:
    """Report whether it is proved that there is no other blanket, from what, and what was done to refute it.

    Parameters
    ----------
    found
        Solutions of a search for all blankets; others have no such lines.
    grouping
        How columns that nearly are copies can be made one feature; empty: there are none; None: not known.

    Examples
    --------
    >>> import numpy as np, altsel
    >>> a, b, noise = np.random.default_rng(0).normal(size=(3, 500))
    >>> data = altsel.Dataset({"a": a, "b": b, "copy": 2 * a}, a + b + noise)
    >>> found = altsel.blankets.tmfbs(altsel.independence.PartialCorrelation(data), 0.01)
    >>> print(*certificate_lines(found), sep="; ")
    certificate: complete, no other set has a feature of each of 2 failed removals; 2 of 2 failed removals \
confirmed: a removed feature tells something given all others
    """
    dual = found.dual
    if dual is None or (found.stop is Stop.INFEASIBLE and not dual.complete):
        return []
    lines = [f"certificate: {_proved(found, dual)}"]
    counts = Counter(one.evidence for one in dual.failed)
    for one in (each for each in Evidence if counts[each]):
        verb = "not confirmed" if one is Evidence.UNCONFIRMED else "confirmed"
        of = number_of(len(dual.failed), "failed removal")
        lines.append(f"{counts[one]} of {of} {verb}: {CONFIRMED_BY[one]}")
    lines += _attempts(dual)
    if dual.nested:
        lines.append(
            f"sets found that contain another one, so that tests contradict each other: {dual.nested}"
        )
    if not dual.reference_confirmed and not dual.complete:
        lines.append("tests do not confirm that the reference makes all other features superfluous")
    how = GROUPING if grouping is None and (dual.missed or dual.withdrawn) else grouping
    if found.stop is Stop.HEURISTIC and dual.doubts() and how:
        lines.append(f"where columns nearly are copies of each other no proof stands; group them: {how}")
    return lines


def _proved(found: Solutions, dual: Dual) -> str:
    """Report what the failed removals prove."""
    removals = number_of(len(dual.failed), "failed removal")
    other = "set" if found.stop is Stop.INFEASIBLE else "other set"
    keeps = " keeps the rules and" if dual.rules else ""
    if dual.complete or found.stop is Stop.EXHAUSTED:
        rests = (
            "" if dual.reference_confirmed else ", if the reference is a blanket, which tests do not confirm"
        )
        return f"complete, no {other}{keeps} has a feature of each of {removals}{rests}"
    if any(one.proof is Proof.OPTIMAL for one in found):
        return f"no other set that{keeps} has a feature of each of {removals} costs less"
    return f"not complete, {removals} {'is' if len(dual.failed) == 1 else 'are'} known"


def infeasible_text(found: Solutions) -> str:
    """Report what a search for blankets has proved that ended as infeasible.

    Examples
    --------
    >>> import numpy as np, altsel
    >>> a, b, noise = np.random.default_rng(0).normal(size=(3, 500))
    >>> test = altsel.independence.PartialCorrelation(altsel.Dataset({"a": a, "b": b}, a + noise))
    >>> rules = altsel.blankets.Limits(subject_to=[altsel.domain.forbid("a")])
    >>> infeasible_text(altsel.blankets.tmfbs(test, 0.01, limits=rules))
    'no blanket keeps the rules'
    """
    proved = found.dual is not None and found.dual.complete
    return "no blanket keeps the rules" if proved else "no set keeps the rules"


def _attempts(dual: Dual) -> list[str]:
    """Report what was tried to refute the proof, and what that found."""
    found = [f"{number_of(dual.missed, 'blanket')} had been missed"] if dual.missed else []
    if dual.withdrawn:
        found.append(f"{number_of(dual.withdrawn, 'removal')} had not failed")
    if not dual.attempts:
        return [", ".join(found)] if found else []
    outcome = ", ".join(found) if found else "none did"
    return [f"{number_of(dual.attempts, 'attempt')} to refute it by searches of random features: {outcome}"]
