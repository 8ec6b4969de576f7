"""Why there is no further set, and single changes that would give one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from altsel.results.stop import Stop


@dataclass(frozen=True)
class Repair:
    """A change that is proved to fix the search, the nearest of its kind.

    Attributes
    ----------
    name
        ``"tau"``, ``"k"`` or ``"alternatives"``.
    value
        The largest value below the one requested that works; of k, if none does, the smallest above.

    Examples
    --------
    >>> from altsel import Dice, Problem, Univariate, explain
    >>> explain(Problem(Univariate([3, 2, 1]), k=2), Dice(1), alternatives=1).repairs[0]
    Repair(name='tau', value=0.5)
    """

    name: str
    value: float

    def __str__(self) -> str:
        return f"{self.name} {'=' if self.name == 'k' else '<='} {self.value:g}"


@dataclass(frozen=True)
class Explanation:
    """Why there is no set, or no further one.

    Attributes
    ----------
    conflict
        Names of conditions that cannot hold together; empty if all can, or if that is not known.
    stop
        How the search itself ended.
    what
        What there is not, in words.
    irreducible
        Whether it is proved that each of the conditions is needed for the conflict.
    smallest
        Whether it is proved that there is no conflict of fewer conditions.
    repairs
        Single changes that are proved to fix it.
    sought
        Whether such changes were looked for.

    Examples
    --------
    >>> from altsel import Dice, Problem, Univariate, explain
    >>> why = explain(Problem(Univariate([3, 2, 1]), k=2), Dice(1), alternatives=1)
    >>> why.conflict
    ('k = 2', 'differs from set 0 by Dice of at least 1')
    >>> why.smallest, [repair.name for repair in why.repairs]
    (True, ['tau', 'k', 'alternatives'])
    """

    conflict: tuple[str, ...]
    stop: Stop
    what: str = "no set"
    irreducible: bool = False
    smallest: bool = False
    repairs: tuple[Repair, ...] = ()
    sought: bool = True

    def __str__(self) -> str:
        return self._told("\n- ", "\n- ", "\n")

    def line(self) -> str:
        """Return the same as one line, for errors and cells of tables."""
        return self._told(" ", "; ", ". ")

    def _told(self, before: str, between: str, after: str) -> str:
        """Report what cannot hold, with this before, between and after the conditions."""
        if not self.conflict:
            found = {Stop.COUNT: "Nothing is in conflict: all sets requested exist."}
            return found.get(self.stop, f"It was not found out whether anything is in conflict: {self.stop}.")
        verb = "are" if self.what.endswith("sets") else "is"
        begin = f"There {verb} {self.what}:"
        if len(self.conflict) == 1:
            return f"{begin} this condition alone cannot hold: {self.conflict[0]}. {self._fix()}".rstrip()
        message = f"{begin} these conditions cannot hold together:"
        message += before + between.join(_joined(self.conflict)) + after
        message += f"Each of them is needed for the conflict.{after[-1]}" if self.irreducible else ""
        return (message + self._fix()).rstrip()

    def _fix(self) -> str:
        offers = [str(repair) for repair in self.repairs]
        if not offers and not self.sought:
            return ""
        if not offers:
            return "No other k, tau or number of alternatives was found that would do."
        listed = offers[0] if len(offers) == 1 else f"{', '.join(offers[:-1])} or {offers[-1]}"
        return f"Feasible if {listed}."


def _joined(names: Sequence[str]) -> list[str]:
    """Name sets together that the same distance is kept from."""
    indices: dict[str, list[str]] = {}
    for name in names:
        match = re.fullmatch(r"differs from set (\d+) by (.*)", name)
        indices.setdefault(match[2] if match else name, []).extend([match[1]] if match else [])
    message = []
    for words, sets in indices.items():
        plural = "sets" if len(sets) > 1 else "set"
        message.append(f"differs from {plural} {', '.join(sets)} by {words}" if sets else words)
    return message
