"""What it rests on that failed removals stand for all blankets, and why those of a search do not."""

from __future__ import annotations

from altsel.errors import listing
from altsel.results.certificate_text import GROUPING
from altsel.results.dual import Dual
from altsel.results.solutions import Solutions
from altsel.results.stop import Stop
from altsel.results.text import number_of

DUAL = "dual, "
"""What the words of a search by `altsel.blankets.dual` begin with."""


def why_not(found: Solutions) -> str | None:
    """Report why the failed removals of a search do not stand for all blankets; None if they do."""
    dual = found.dual
    if dual is None:
        return "the failed removals are not known; search by altsel.blankets.tmfbs, tie_star or dual"
    if dual.rules:
        return (
            f"the search kept rules ({listing(dual.rules)}), so that not all failed removals are known; "
            "search without, or ask altsel.blankets.best for blankets that keep rules"
        )
    refuted = any(not set(one) & set(removal.removed) for one in found for removal in dual.failed)
    if (dual.complete or dual.draws) and not refuted:
        return None
    return _not_all(found)


def _not_all(found: Solutions) -> str:
    """Report why the failed removals are not all, and what to do, other than what was done."""
    is_dual = found.search.startswith(DUAL)
    if not found.stop.finished:
        why = (
            f"the search was cut short (stop: {found.stop.value}), so that not all failed removals are known"
        )
        other = "" if is_dual else ", or search by altsel.blankets.dual, which lists no blankets"
        return f"{why}; raise the limit{other}"
    why = "neither a proof nor draws tell that the failed removals are all"
    if is_dual:
        return f"{why}; if columns nearly are copies of each other, group them: {GROUPING}"
    best = ": altsel.blankets.best finds only the cheapest" if found.search.startswith("best") else ""
    return f"{why}{best}; search by altsel.blankets.dual"


def basis(found: Solutions, dual: Dual, not_minimal: int) -> list[str]:
    """Describe what the answers rest on.

    Parameters
    ----------
    found, dual
        The search, and what it proved.
    not_minimal
        How many of the sets found contain a smaller one.
    """
    proved = "proved: no other set has a feature of each failed removal"
    told = [proved if dual.complete else f"not proved: {dual.draws_text()}", *dual.doubts()]
    if dual.complete and found.stop is Stop.HEURISTIC and not dual.doubts():
        told.append("the search was by a method that guarantees nothing (stop: heuristic)")
    if not_minimal:
        verb = "is" if not_minimal == 1 else "are"
        told.append(f"{number_of(not_minimal, 'set')} found {verb} not minimal, and not counted")
    if dual.forced:
        told.append(f"in every blanket as the search was told so: {listing(dual.forced)}")
    if dual.left_out:
        told.append(f"left out as the search was told so: {listing(dual.left_out)}")
    return told
