"""Rules of a domain as plain parameters of an estimator."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any

from altsel import domain
from altsel.errors import ArgumentError, DataError, did_you_mean, listing
from altsel.models.given_by_feature import by_feature
from altsel.models.rule import Rule

Feature = str | int
"""A feature by its name, or by its position among the columns."""


@dataclass(frozen=True)
class DomainParameters:
    """What sets must or may not have, and may cost.

    Parameters
    ----------
    require, forbid
        Features that are in, or out.
    groups
        Groups of features, by name or not: at most one of each is chosen.
    costs, budget
        Cost of features, and most that a set may cost.
    """

    require: Collection[Feature] = ()
    forbid: Collection[Feature] = ()
    groups: Mapping[str, Collection[Feature]] | Collection[Collection[Feature]] | None = None
    costs: Mapping[Feature, float] | None = None
    budget: float | None = None

    def rules(self, names: Sequence[str], usable: Collection[str]) -> list[Rule]:
        """Return the rules on sets of the usable among some columns.

        Raises
        ------
        ArgumentError
            If a feature is unknown, or costs are given without a budget.
        DataError
            If a required feature is constant, or always in.

        Examples
        --------
        >>> DomainParameters(require=["a"], forbid=[1]).rules(["a", "b", "c"], ["a", "b", "c"])
        [<rule: require 'a'>, <rule: forbid 'b'>]
        """
        required = features_named("require", self.require, names)
        lost = [name for name in required if name not in usable]
        if lost:
            raise DataError(
                f"require names {listing(lost)}, constant in these rows, or given: it cannot be chosen"
            )
        forbidden = [name for name in features_named("forbid", self.forbid, names) if name in usable]
        found = [domain.require(*required)] if required else []
        found += [domain.forbid(*forbidden)] if forbidden else []
        for group in self._groups():
            members = [name for name in features_named("groups", group, names) if name in usable]
            found += [domain.mutually_exclusive(members)] if len(members) > 1 else []
        return found + self._within_budget(names, usable)

    def _groups(self) -> Iterable[Collection[Feature]]:
        if self.groups is None:
            return ()
        if isinstance(self.groups, str) or not isinstance(self.groups, Collection):
            raise ArgumentError(f"groups={self.groups!r}; give groups of features: {{'visit': ['a', 'b']}}")
        return self.groups.values() if isinstance(self.groups, Mapping) else self.groups

    def _within_budget(self, names: Sequence[str], usable: Collection[str]) -> list[Rule]:
        if self.costs is None and self.budget is None:
            return []
        if self.costs is None or self.budget is None:
            raise ArgumentError(
                "give both costs and budget: what each feature costs, and what a set may cost"
            )
        costs = by_feature(self.costs)
        if not isinstance(costs, Mapping):
            raise ArgumentError(f"costs={costs!r}; give costs by feature: {{'age': 2}}")
        of = dict(zip(features_named("costs", costs, names), costs.values(), strict=True))
        paid = {name: cost for name, cost in of.items() if name in usable}
        return [domain.budget(paid, self.budget)] if paid else []


def features_named(what: str, given: Any, names: Sequence[str]) -> list[str]:
    """Return features by their names.

    Raises
    ------
    ArgumentError
        If one is unknown, is there twice, or a single name is given in place of a list.

    Examples
    --------
    >>> features_named("require", ["b", 0], ["a", "b"])
    ['b', 'a']
    """
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise ArgumentError(f"{what}={given!r}; give a list of features: [{given!r}]")
    found = []
    for feature in given:
        if _is_position(feature, len(names)):
            found.append(names[int(feature)])
        elif feature in names:
            found.append(str(feature))
        else:
            hint = did_you_mean(str(feature), names) or f"; there are {listing(names)}"
            raise ArgumentError(f"{what} names {feature!r}, which is no feature{hint}")
    if len(set(found)) < len(found):
        raise ArgumentError(f"{what} names a feature twice: {listing(found)}")
    return found


def _is_position(feature: Any, columns: int) -> bool:
    return isinstance(feature, Integral) and not isinstance(feature, bool) and 0 <= int(feature) < columns
