"""Spouses from all other features, through the neighbours that connect them: STMB, BAMB and EEMB."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from altsel.results.feature_set import Role
from altsel.results.solutions import Solutions
from altsel.search.blankets.blanket_search import begin
from altsel.search.blankets.grow_shrink import shrink
from altsel.search.blankets.limits import Limits
from altsel.search.blankets.parents_and_children import Neighbours, checked_conditioning
from altsel.search.blankets.spouses import Options
from altsel.stats.independence.protocol import Independence


@dataclass
class ConnectedSpouses:
    """Neighbours, and the spouses through each of them that is not forced in."""

    near: Neighbours
    through: dict[str, list[str]] = field(default_factory=dict)

    @property
    def spouses(self) -> list[str]:
        """All spouses that are no neighbours."""
        every = dict.fromkeys(name for mates in self.through.values() for name in mates)
        return [name for name in every if name not in self.near.found]

    def connect(self, name: str, neighbours: Iterable[str] | None = None) -> None:
        """Enter a separated feature with each neighbour that connects it to the target; default: of all."""
        given = self.near.separated[name]
        for neighbour in self.through if neighbours is None else neighbours:
            if neighbour not in given and self.near.search.dependent(name, (*given, neighbour)):
                self.through[neighbour].append(name)

    def leave(self, neighbour: str) -> None:
        """Remove a neighbour that was separated: it is none, but perhaps a spouse."""
        self.near.found.remove(neighbour)
        del self.through[neighbour]
        self.connect(neighbour)

    def separated(self, name: str, sets: Iterable[tuple[str, ...]]) -> bool:
        """Return whether one of some sets separates a feature from the target."""
        return any(self.near.separate([name], given) for given in sets)


def found_with_spouses(
    test: Independence,
    alpha: float,
    limits: Limits | None,
    options: Options,
    search_for: Callable[[ConnectedSpouses], None],
) -> Solutions:
    """Search for neighbours and spouses; last, spouses and then neighbours leave that the others separate."""
    search = begin(test, alpha, limits)
    both = ConnectedSpouses(Neighbours(search, checked_conditioning(options.max_conditioning)))
    spouses: list[str] = []
    with search.limited():
        search_for(both)
        spouses.extend(both.spouses)
        shrink(search, spouses, both.near.found)
        shrink(search, both.near.found, spouses)
    return search.solutions(options.label(alpha), Role.NEIGHBOUR, spouses)
