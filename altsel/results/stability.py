"""What a search selects from one resample of the rows to the next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from altsel.errors import ArgumentError, listing, of_kind, printable
from altsel.results.base import Drawn, Readable
from altsel.results.estimate import Estimate, defined
from altsel.results.text import meanings, number_of, percent, text_table

Names = tuple[str, ...]
SHOWN = 20
"""Features and sets shown in a text; all are in tables and JSON."""

MEANINGS = {
    "found again": "share of the resamples with the very same set",
    "most similar": "Dice similarity to the most similar set of a resample, in the mean",
}
"""What the columns of the table of sets mean."""


@dataclass(frozen=True)
class Stability(Readable, Drawn):
    """What a search selects from one resample of the rows to the next.

    Attributes
    ----------
    features
        Names of all features.
    reference
        The sets found in all rows.
    collections
        The sets found in each resample.
    scheme
        How rows were drawn, in words.
    nogueira
        Nogueira's measure of the first sets; None where it is not defined.
    first
        Mean similarity (Dice) of the first sets of two resamples.
    collection
        Mean similarity of the collections of two resamples, by the best matching of their sets.
    target, rows
        Name of the target, and how many rows there are.
    data
        Fingerprint of the data: `Dataset.fingerprint`; None if it is not known.
    versions
        What produced it.
    request
        What was requested of the search, as `Solutions.request` says it; nothing if it is not known.

    Examples
    --------
    >>> same = (("a",), ("b",))
    >>> found = Stability(("a", "b", "c"), same, (same, same[::-1]), "by hand", None, None, None)
    >>> found.frequencies().loc["a"].tolist(), found.of_groups({"both": ["a", "b"]}).loc["both"].tolist()
    ([0.5, 1.0], [1.0, 1.0])
    """

    features: Names
    reference: tuple[Names, ...]
    collections: tuple[tuple[Names, ...], ...]
    scheme: str
    nogueira: Estimate | None
    first: Estimate | None
    collection: Estimate | None
    target: str | None = None
    rows: int = 0
    data: str | None = None
    versions: Mapping[str, str] = field(default_factory=dict)
    request: Mapping[str, Any] = field(default_factory=dict)
    _called = "a stability"

    def __len__(self) -> int:
        return len(self.collections)

    def frequencies(self) -> pd.DataFrame:
        """Tabulate in which share of the resamples the first set, or any set, has each feature."""
        return self.of_groups({name: [name] for name in self.features}).rename_axis("feature")

    def of_groups(self, groups: Mapping[str, Collection[str]]) -> pd.DataFrame:
        """Tabulate in which share of the resamples the first set, or any set, has any member of a group.

        Parameters
        ----------
        groups
            Members of each group by its name, such as features that are copies of each other.

        Raises
        ------
        ArgumentError
            If the groups are no lists of names by name, or a member is no feature.
        """
        such_as = "members by name: {'first two': ['a', 'b']}"
        of_kind("groups", groups, Mapping, such_as)
        for group, members in groups.items():
            if isinstance(members, str) or not isinstance(members, Collection):
                raise ArgumentError(f"groups: {group!r} has {members!r:.60}; give {such_as}")
        unknown = {name for members in groups.values() for name in members}.difference(self.features)
        if unknown:
            raise ArgumentError(f"there is no feature {listing(sorted(unknown))}")
        first = [set(sets[0]) if sets else set() for sets in self.collections]
        any_set = [set().union(*sets) for sets in self.collections]
        rows = {
            group: [_share([bool(held & set(members)) for held in holding]) for holding in (first, any_set)]
            for group, members in groups.items()
        }
        columns = ["in the first set", "in any set"]
        return pd.DataFrame.from_dict(rows, orient="index", columns=columns).rename_axis("group")

    def sets(self) -> pd.DataFrame:
        """Tabulate in which share of the resamples each set was found; sets of all rows come first.

        ``similar`` is the mean similarity (Dice) of a set and the set most similar to it in a resample.
        """
        counts = Counter(frozenset(one) for sets in self.collections for one in {frozenset(s) for s in sets})
        mine = [frozenset(one) for one in self.reference]
        others = [held for held, _ in counts.most_common() if held not in mine]
        rows = [
            {
                "features": tuple(name for name in self.features if name in held),
                "of all rows": held in mine,
                "found": counts[held] / max(len(self), 1),
                "similar": self._similar(held),
            }
            for held in [*dict.fromkeys(mine), *others]
        ]
        return pd.DataFrame(rows, columns=["features", "of all rows", "found", "similar"])

    def to_frame(self) -> pd.DataFrame:
        """Tabulate the features: `frequencies`."""
        return self.frequencies().reset_index()

    def _similar(self, held: frozenset[str]) -> float:
        return sum(max((_dice(held, set(s)) for s in sets), default=0.0) for sets in self.collections) / max(
            len(self), 1
        )

    def __repr__(self) -> str:
        measure = f", Nogueira's measure {self.nogueira}" if self.nogueira else ""
        return f"<Stability: {number_of(len(self), 'resample')}{measure}>"

    def __str__(self) -> str:
        title = f"{len(self)} resamples of {self.rows} rows ({self.scheme})"
        title += f", target {printable(self.target)!r}" if self.target else ""
        alike = f"similarity of two {defined(self.first)}"
        lines = [
            title,
            f"first sets: Nogueira's measure of stability {defined(self.nogueira)}; {alike}",
            f"collections: similarity of two {defined(self.collection)}, sets matched at best (Dice)",
            "",
        ]
        table = self.frequencies().sort_values("in any set", ascending=False, kind="stable")
        table = table[table["in any set"] > 0]
        rows = [
            [printable(str(name)), percent(first), percent(some)] for name, first, some in table.itertuples()
        ]
        lines += text_table(["feature", "in the first set", "in any set"], rows[:SHOWN], right={1, 2})
        lines += [f"… and {len(rows) - SHOWN} more features"] if len(rows) > SHOWN else []
        mine = self.sets().query("`of all rows`")
        rows = [
            [str(number), ", ".join(map(printable, one[0])) or "nothing", percent(one[2]), f"{one[3]:.3g}"]
            for number, one in enumerate(mine.itertuples(index=False))
        ]
        head = ["set of all rows", "features", "found again", "most similar"]
        lines += ["", *text_table(head, rows[:SHOWN], right={0, 2, 3})] if rows else []
        lines += [f"… and {len(rows) - SHOWN} more sets"] if len(rows) > SHOWN else []
        lines += meanings(head, MEANINGS) if rows else []
        return "\n".join(lines)


def _share(held: list[bool]) -> float:
    return sum(held) / max(len(held), 1)


def _dice(first: Collection[str], second: Collection[str]) -> float:
    sizes = len(first) + len(second)
    return 2 * len(set(first) & set(second)) / sizes if sizes else 1.0
