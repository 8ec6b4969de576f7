"""Rules of a benchmark: plain data by a name, so that a case can be hashed and sent to a worker."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from altsel.catalogue.rules import RulesFile, checked_rules


@dataclass(frozen=True)
class NamedRules:
    """What a file of rules states.

    Parameters
    ----------
    name
        Of the file, without its folder.
    stated
        Its rules as JSON, with sorted keys; see `named_rules`.
    """

    name: str
    stated: str


def named_rules(name: str, plain: Mapping[str, Any], optional: Collection[str] = ()) -> NamedRules:
    """Return rules by a name, checked.

    Parameters
    ----------
    name
        What they are called.
    plain
        As a file of rules has them.
    optional
        Names whose costs are left out where they are no features: those of a file of prices.

    Raises
    ------
    ConfigurationError
        If a key or value is wrong.

    Examples
    --------
    >>> named_rules("none of age", {"forbid": ["age"]}).stated
    '{"optional": [], "rules": {"forbid": ["age"]}}'
    """
    checked_rules(plain, name)
    stated = {"rules": dict(plain), "optional": sorted(optional)}
    return NamedRules(name, json.dumps(stated, sort_keys=True))


def rules_of(name: str, stated: str, known: Collection[str]) -> RulesFile:
    """Return the rules of a case, for a table of these features."""
    told = json.loads(stated)
    others = {*told["optional"]} - {*known}
    plain = told["rules"]
    if others:
        budgets = plain.get("budget", [])
        cut = [{**one, "cost": {f: c for f, c in one["cost"].items() if f not in others}} for one in budgets]
        plain = {**plain, "budget": cut}
    return checked_rules(plain, name)
