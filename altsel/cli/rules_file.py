"""Rules of a domain from a TOML file, checked strictly."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from altsel.catalogue.rules import checked_rules
from altsel.cli.costs_file import read_costs
from altsel.cli.messages import note
from altsel.data.dataset import Dataset
from altsel.data.scanning import Scan
from altsel.data.table_file import toml_value
from altsel.errors import ConfigurationError, DataWarning, listing
from altsel.models.rule import Across, Rule
from altsel.results.members import known_names
from altsel.runtime.caller import warn_caller


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
    read = checked_rules(plain, path)
    return Rules(read.rules(), read.across(), plain)
