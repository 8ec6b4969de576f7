"""Rules of a domain from a TOML file, checked strictly."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from altsel.cli.costs_file import read_costs
from altsel.cli.messages import note
from altsel.data.dataset import Dataset
from altsel.data.scanning import Scan
from altsel.data.table_file import toml_value
from altsel.errors import ConfigurationError, DataWarning, listing
from altsel.models import domain
from altsel.models.rule import Across, Rule
from altsel.results.members import known_names
from altsel.runtime.caller import warn_caller
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


@dataclass(frozen=True)
class Rules:
    """Rules on each set, and on all sets together.

    Attributes
    ----------
    subject_to, across
        The rules.
    plain
        What they were made of.
    listed
        Names whose costs are from a file of prices, which may name more than there are features.
    """

    subject_to: Sequence[Rule] = ()
    across: Sequence[Across] = ()
    plain: Mapping[str, Any] = field(default_factory=dict)
    listed: Mapping[str, str] = field(default_factory=dict)

    def on(self, known: Collection[str]) -> Rules:
        """Return the rules without prices of what is none of the known features.

        Raises
        ------
        ConfigurationError
            If nothing with a price is a feature.
        """
        others = self.others(known)
        if not others:
            return replace(self, listed={})
        file = self.listed[others[0]]
        if len(others) == len(self.listed):
            raise ConfigurationError(
                f"{file}: nothing that it names is a feature: {listing(others)}; its first column has names "
                f"of features, such as {listing(known, 3)}"
            )
        plain = {**self.plain, "budget": [_priced(one, {*others}) for one in self.plain["budget"]]}
        return replace(made_rules(plain, file), plain=plain)

    def others(self, known: Collection[str]) -> list[str]:
        """Name what has a price and is none of the known features."""
        return [name for name in self.listed if name not in known]


def rules_on(rules: Rules, table: Dataset | Scan) -> Rules:
    """Return rules on a table, and note the prices that it has no use for."""
    known = known_names(table.features, table.members)
    made, others = rules.on(known), rules.others(known)
    if others:
        note(
            f"{rules.listed[others[0]]}: not used, as none is a feature here: the costs of {listing(others)}"
        )
    return made


def rules_text(path: str | Path, table: Dataset | Scan) -> str:
    """Return the text of a file of rules, with the costs that are in a file of their own."""
    text = Path(path).read_text(encoding="utf-8")
    rules = _with_prices(_plain(text, str(path)), Path(path))
    if not rules.listed:
        return text
    rules = rules.on(known_names(table.features, table.members))
    return "".join(f"{name} = {toml_value(value)}\n" for name, value in rules.plain.items())


def _priced(budget: Mapping[str, Any], others: Collection[str]) -> dict[str, Any]:
    return {**budget, "cost": {name: one for name, one in budget["cost"].items() if name not in others}}


def read_rules(path: str | Path | None) -> Rules:
    """Read rules for ``Problem(subject_to=..., across=...)`` from a TOML file.

    Parameters
    ----------
    path
        The file; see `RulesFile` for its keys. The costs of a budget may be a file of prices,
        ``cost = "costs.csv"``, in the folder of the rules. None: no rules.

    Returns
    -------
    Rules
        The rules.

    Raises
    ------
    ConfigurationError
        If the file cannot be read, is no TOML, or holds an unknown key or a wrong value; all
        faults are reported at once, each with its key.
    """
    if path is None:
        return Rules()
    try:
        text = Path(path).read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as fault:
        raise ConfigurationError(f"cannot read {path}: {fault}") from fault
    made = _with_prices(_plain(text, str(path)), Path(path))
    if not made.subject_to and not made.across:
        warn_caller(f"{path} holds no rule", DataWarning)
    return made


def _with_prices(plain: dict[str, Any], path: Path) -> Rules:
    """Build rules whose costs may be in files of their own."""
    budgets = plain.get("budget")
    listed: dict[str, str] = {}
    if isinstance(budgets, list):
        filled = []
        for one in budgets:
            named = one.get("cost") if isinstance(one, dict) else None
            if isinstance(named, str):
                file = path.parent / named
                costs, *more = read_costs(file, f"{path}: budget: cost")
                if more:
                    raise ConfigurationError(
                        f"{path}: budget: {file} has {1 + len(more)} columns of costs; a budget takes one"
                    )
                listed |= dict.fromkeys(costs, str(file))
                one = {**one, "cost": costs}  # noqa: PLW2901
            filled.append(one)
        plain = {**plain, "budget": filled}
    return replace(made_rules(plain, str(path)), listed=listed)


def _plain(text: str, path: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as fault:
        raise ConfigurationError(f"{path} is not TOML: {fault}") from fault


def rules_in(text: str, path: str) -> Rules:
    """Build rules of the text of a TOML file; `path` says in messages where it is from."""
    return made_rules(_plain(text, path), path)


def made_rules(plain: Mapping[str, Any], path: str) -> Rules:
    """Build rules of plain data, checked; `path` says in messages where they are from."""
    try:
        read = RulesFile.model_validate(plain)
        return Rules(read.rules(), read.across(), plain)
    except ValidationError as fault:
        wrong = "; ".join(messages(fault, [*RulesFile.model_fields]))
        known = {str(one["loc"][0]) for one in fault.errors(include_url=False)} & EXAMPLES.keys()
        shown = "".join(f"; write {EXAMPLES[name]}" for name in sorted(known))
        raise ConfigurationError(f"{path}: {wrong}{shown}") from fault
