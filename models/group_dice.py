"""A dissimilarity of groups: sets differ if they draw on different sensors, panels or sources."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from altsel.errors import ArgumentError
from altsel.models.dissimilarity import exact, within_share
from altsel.models.given_by_feature import by_feature
from altsel.pyomo_on_demand import pyo


@dataclass(frozen=True)
class GroupDice:
    """Dice dissimilarity of the groups that sets draw on: ``d = 1 - 2 |g(F) & g(G)| / (|g(F)| + |g(G)|)``.

    ``g(F)`` are the groups with a feature in F: an alternative that takes another column of the same sensor
    is none.

    Parameters
    ----------
    tau
        Smallest dissimilarity, in [0, 1].
    groups
        The group of each feature; a feature that is not named is a group of its own.

    Raises
    ------
    ArgumentError
        If tau is outside [0, 1], or the groups are no mapping.

    Examples
    --------
    >>> sensor = {"mean": "ecg", "max": "ecg", "rate": "belt"}
    >>> GroupDice(0.5, sensor)({"mean"}, {"max"}), GroupDice(0.5, sensor)({"mean"}, {"rate"})
    (0.0, 1.0)
    >>> from altsel import Problem, Univariate, sequential
    >>> problem = Problem(Univariate({"mean": 3, "max": 2, "rate": 1}), k=1)
    >>> [one.features for one in sequential(problem, GroupDice(0.5, sensor), alternatives=1)]
    [('mean',), ('rate',)]
    """

    tau: float
    groups: Mapping[str, str] = field(hash=False)

    def __post_init__(self) -> None:
        exact(self.tau)
        object.__setattr__(self, "groups", by_feature(self.groups))
        if not isinstance(self.groups, Mapping) or not self.groups:
            raise ArgumentError(
                f"groups={self.groups!r:.60}; give the group of each feature: {{'age': 'person'}}"
            )
        object.__setattr__(self, "groups", {str(f): str(group) for f, group in self.groups.items()})

    def group(self, feature: str) -> tuple[str, bool]:
        """Return the group of a feature: its name, and whether it is one of those given."""
        return self.groups.get(feature, feature), feature in self.groups

    def __call__(self, first: Collection[str], second: Collection[str]) -> float:
        """Dissimilarity of two sets, not both empty."""
        one, other = ({self.group(f) for f in names} for names in (first, second))
        return 1 - 2 * len(one & other) / (len(one) + len(other))

    def rows(self, block: Any, first: Mapping[str, Any], second: Mapping[str, Any]) -> Iterator[Any]:
        """Yield ``|g(F) & g(G)| <= (1 - tau) / 2 (|g(F)| + |g(G)|)``, a variable for each group and set."""
        members: dict[tuple[str, bool], list[str]] = {}
        for f in first:
            members.setdefault(self.group(f), []).append(f)
        block.used = pyo.Var(range(2), range(len(members)), bounds=(0, 1))
        implied = block.model().component("implied")
        for (i, g), used in block.used.items():
            names, chosen = list(members.values())[g], (first, second)[i]
            yield used <= sum(chosen[f] for f in names)
            for f in names:
                yield used >= chosen[f]
            if implied is not None:
                implied[used] = 1
        block.common = pyo.Var(range(len(members)), bounds=(0, 1))
        for g, common in block.common.items():
            yield common >= block.used[0, g] + block.used[1, g] - 1
            if implied is not None:
                implied[common] = 1
        share = (1 - exact(self.tau)) / 2
        yield within_share(share, sum(block.common.values()), sum(block.used.values()))
