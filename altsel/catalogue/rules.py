"""Rules of a domain as plain data: what a file of rules may hold, checked strictly."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from altsel.errors import ConfigurationError
from altsel.models import domain
from altsel.models.rule import Across, Rule
from altsel.validation import messages

Number = int | float


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class _Counted(_Strict):
    number: int = Field(ge=0)
    of: list[str] = Field(min_length=1)


class _Implied(_Strict):
    first: str = Field(alias="if")
    then: list[str] = Field(min_length=1)


class _Panel(_Strict):
    cost: Number = Field(ge=0)
    of: list[str] = Field(min_length=1)


class _Budget(_Strict):
    limit: Number
    cost: dict[str, Number] = {}
    fixed: list[_Panel] = []
    other: Number | None = None


class _Proxy(_Strict):
    limit: Number
    dependence: dict[str, Number]
    other: Number | None = None


class RulesFile(_Strict):
    """What a file of rules may hold; see `altsel.domain` for the meanings.

    Attributes
    ----------
    require, forbid
        Names of features.
    at_most, at_least, exactly
        Tables with ``number`` and ``of``.
    implies
        Tables with ``if`` and ``then``.
    all_or_none, mutually_exclusive
        Lists of groups.
    budget
        Tables with ``limit``, ``cost`` of features (of a file of rules also the name of a file that has
        them), ``fixed``: tables with ``cost`` and ``of``, and the cost
        of ``other`` features.
    proxy_limit
        Tables with ``limit``, ``dependence`` of features, and that of ``other`` features.
    minimum_quality
        A number.
    in_at_most
        Tables with ``number`` (of sets) and ``of``: a rule on all sets together.
    """

    require: list[str] = []
    forbid: list[str] = []
    at_most: list[_Counted] = []
    at_least: list[_Counted] = []
    exactly: list[_Counted] = []
    implies: list[_Implied] = []
    all_or_none: list[list[str]] = []
    mutually_exclusive: list[list[str]] = []
    budget: list[_Budget] = []
    proxy_limit: list[_Proxy] = []
    minimum_quality: Number | None = None
    in_at_most: list[_Counted] = []

    def across(self) -> list[Across]:
        """Build the rules on all sets together."""
        return [domain.in_at_most(stated.number, stated.of) for stated in self.in_at_most]

    def rules(self) -> list[Rule]:
        """Build the rules on each set, in the order of the attributes."""
        made = [
            make(*names)
            for make, names in ((domain.require, self.require), (domain.forbid, self.forbid))
            if names
        ]
        counts: list[tuple[Callable[[int, list[str]], Rule], list[_Counted]]] = [
            (domain.at_most, self.at_most),
            (domain.at_least, self.at_least),
            (domain.exactly, self.exactly),
        ]
        made += [make(entry.number, entry.of) for make, entries in counts for entry in entries]
        made += [domain.implies(imply.first, *imply.then) for imply in self.implies]
        made += [domain.all_or_none(group) for group in self.all_or_none]
        made += [domain.mutually_exclusive(group) for group in self.mutually_exclusive]
        made += [
            domain.budget(one.cost, one.limit, [(panel.cost, panel.of) for panel in one.fixed], one.other)
            for one in self.budget
        ]
        made += [
            domain.proxy_limit(stated.dependence, stated.limit, stated.other) for stated in self.proxy_limit
        ]
        return made + ([] if self.minimum_quality is None else [domain.minimum_quality(self.minimum_quality)])


COUNTED = '{name} = [{{number = 2, of = ["age", "dose"]}}]'
"""A rule that counts features."""
GROUPS = '{name} = [["age", "dose"]]'
"""A rule on groups of features."""
EXAMPLES = {
    "require": 'require = ["age"]',
    "forbid": 'forbid = ["age"]',
    **{name: COUNTED.format(name=name) for name in ("at_most", "at_least", "exactly", "in_at_most")},
    "implies": 'implies = [{if = "age", then = ["dose"]}]',
    **{name: GROUPS.format(name=name) for name in ("all_or_none", "mutually_exclusive")},
    "budget": "budget = [{limit = 5, cost = {age = 1, dose = 2.5}, other = 0}]",
    "proxy_limit": "proxy_limit = [{limit = 0.3, dependence = {age = 0.2, dose = 0.4}, other = 0}]",
    "minimum_quality": "minimum_quality = 0.4",
}
"""How each rule is written, in one line."""


def checked_rules(plain: Mapping[str, Any], source: str) -> RulesFile:
    """Return what plain data say of rules; `source` says in messages where they are from.

    Raises
    ------
    ConfigurationError
        If there is an unknown key or a wrong value; all faults are reported at once, each with its key.

    Examples
    --------
    >>> [rule.title for rule in checked_rules({"require": ["age"]}, "rules.toml").rules()]
    ["require 'age'"]
    """
    try:
        return RulesFile.model_validate(plain)
    except ValidationError as fault:
        wrong = "; ".join(messages(fault, [*RulesFile.model_fields]))
        known = {str(one["loc"][0]) for one in fault.errors(include_url=False)} & EXAMPLES.keys()
        shown = "".join(f"; write {EXAMPLES[name]}" for name in sorted(known))
        raise ConfigurationError(f"{source}: {wrong}{shown}") from fault
