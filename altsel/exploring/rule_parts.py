"""Rules one by one, as chips show them: each may be taken back, and a conflict names those in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from altsel.catalogue.rules import checked_rules
from altsel.errors import ArgumentError, absence
from altsel.models.rule import Across, Rule, title_of

QUALITY = "minimum_quality"
"""The only rule that is a number, and no list."""


@dataclass(frozen=True)
class RulePart:
    """One rule among those of a question.

    Attributes
    ----------
    key, place
        Where it stands: the key of a file of rules, and the place in its list.
    rule, across
        The rule; one on all sets together is the second.
    words
        What it says.
    """

    key: str
    place: int
    rule: Rule | None
    across: Across | None
    words: str

    def plain(self) -> dict[str, Any]:
        """Write where it stands, and what it says."""
        return {"key": self.key, "place": self.place, "words": self.words}


def rule_parts(stated: Mapping[str, Any]) -> list[RulePart]:
    """Take rules apart: each required or forbidden feature is one, and each entry of the other keys.

    Raises
    ------
    ConfigurationError
        If there is an unknown key or a wrong value.

    Examples
    --------
    >>> [part.words for part in rule_parts({"require": ["a"], "forbid": ["b", "c"]})]
    ["require 'a'", "forbid 'b'", "forbid 'c'"]
    """
    checked_rules(stated, "rules")
    parts = []
    for key, given in stated.items():
        entries = [given] if key == QUALITY else given
        for place, entry in enumerate(entries):
            read = checked_rules({key: entry if key == QUALITY else [entry]}, "rules")
            rule, across = next(iter(read.rules()), None), next(iter(read.across()), None)
            parts.append(RulePart(key, place, rule, across, title_of(rule or across)))
    return parts


def refuse_unknown_names(stated: Mapping[str, Any], known: Sequence[str], absent: Mapping[str, str]) -> None:
    """Refuse rules that name what is no feature, before a search does so deep inside.

    Raises
    ------
    ArgumentError
        If a name is none of those known.
    """
    every = set(known)
    for name in _names(stated):
        if name not in every:
            raise ArgumentError(f"rules name {name!r}, which is no feature{absence(name, known, absent)}")


def _names(stated: Any) -> list[str]:
    """List all names in rules: texts in lists, and names of costs."""
    if isinstance(stated, str):
        return [stated]
    if isinstance(stated, Mapping):
        numbered = [value for name, value in stated.items() if name in {"cost", "dependence"}]
        others = [value for name, value in stated.items() if name not in {"cost", "dependence"}]
        numbers = [name for value in numbered if isinstance(value, Mapping) for name in value]
        return [*numbers, *(name for value in others for name in _names(value))]
    if isinstance(stated, Sequence):
        return [name for value in stated for name in _names(value)]
    return []
