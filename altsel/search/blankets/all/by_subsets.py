"""TMFBS by tests given subsets of the members: the templates of MMPC and of HITON-PC."""

from __future__ import annotations

from dataclasses import dataclass, field

from altsel.search.blankets.all.confirmation import confirmed
from altsel.search.blankets.all.template import Template
from altsel.search.blankets.blanket_search import BlanketSearch
from altsel.search.blankets.forward_backward import remove_least_dependent
from altsel.search.blankets.parents_and_children import Neighbours, checked_conditioning
from altsel.search.blankets.weakest import LastWord, Weakest


@dataclass
class _State:
    """What is known of a set of members: who is not separated, how weak, and who separates the others."""

    left: list[str]  # by marginal association
    weakest: Weakest
    separated: dict[str, LastWord]


@dataclass(eq=False)
class Unseparated:
    """ORDERVARIABLES of MMPC and HITON-PC: candidates that no subset of the members separates.

    Subsets have up to `max_conditioning` members; all members together are a subset too, whatever
    their number. The result depends on members and candidates only; what was tested for the members before
    the last one is remembered along a path of the search tree.

    Parameters
    ----------
    max_conditioning
        Largest subset but for the whole set; None: any size.
    max_min
        Order by the strongest of the weakest associations (MMPC) instead of by marginal
        association (HITON-PC).
    """

    max_conditioning: int | None = 3
    max_min: bool = True
    _search: BlanketSearch | None = None
    _path: dict[tuple[str, ...], _State] = field(default_factory=dict)

    def __post_init__(self) -> None:
        checked_conditioning(self.max_conditioning)

    def __call__(self, search: BlanketSearch) -> list[str]:
        """Name the candidates, the best first."""
        if self._search is not search:
            self._search, self._path = search, {}
        members = tuple(search.members)
        self._path = {part: state for part, state in self._path.items() if members[: len(part)] == part}
        state = self._path.get(members) or self._extended(search, members)
        self._path[members] = state
        for name, word in state.separated.items():
            search.note(name, *word)
        open_ = set(search.open())
        left = [name for name in state.left if name in open_]
        return sorted(left, key=state.weakest.of) if self.max_min else left

    def _extended(self, search: BlanketSearch, members: tuple[str, ...]) -> _State:
        """Test what was not separated by fewer members given the subsets that hold a new one."""
        known = max(self._path, key=len, default=None)
        near = Neighbours(search, self.max_conditioning)
        if known is None:
            left, new = near.associated(), members
            separated = {name: search.word(name) for name in near.separated}
        else:
            before = self._path[known]
            inside = set(members)
            left = [name for name in before.left if name not in inside]
            near.weakest = before.weakest.copy()
            separated, new = dict(before.separated), members[len(known) :]
        containing = new[0] if len(new) == 1 else None
        subsets = list(near.subsets(containing)) if new else []
        if self.max_conditioning is not None and len(members) > self.max_conditioning:
            subsets.append(members)
        for given in subsets:
            for name in near.separate(left, given):
                left.remove(name)
                separated[name] = search.word(name)
        return _State(left, near.weakest, separated)


@dataclass(frozen=True)
class RemoveSeparated:
    """BACKWARDPHASE of MMPC and HITON-PC: remove members that a subset of the others separates.

    One after another, the smallest subsets first, so that of two that separate each other one stays; then,
    given all others, as in forward-backward selection.

    Parameters
    ----------
    max_conditioning
        Largest subset but for all others; None: any size.
    """

    max_conditioning: int | None = 3

    def __call__(self, search: BlanketSearch) -> None:
        """Remove false positives from the members."""
        Neighbours(search, self.max_conditioning).eliminate([])
        remove_least_dependent(search)


def mmpc_template(max_conditioning: int | None = 3) -> Template:
    """Build the template of TMFBS that works as MMPC does.

    ORDERVARIABLES: ``C = {X : I(X; T | Z) > 0 for all Z of S'}`` by descending ``min_Z I(X; T | Z)``;
    BACKWARDPHASE: members with ``I(X; T | Z) = 0`` for a subset Z of the others leave. Z are the
    subsets of up to `max_conditioning` members, and the whole set.

    With a perfect test and without pruning, every Markov blanket is found no member of which is separated
    from the target by a subset of the other members: on the way from the empty set its members stay
    candidates, and given all of them nothing is left to select. A blanket with a spouse, or with features
    that tell something only together, is none of these.

    So the search confirms, wherever no candidate is left, that the members are a blanket of the features left
    there, or that these are none. Where that holds everywhere, pruning rules 1 and 2 are sound and
    ``stop=EXHAUSTED``: a perfect test has found all blankets. Otherwise ``stop=HEURISTIC``, and the words
    of the search say in how many states it did not hold: there may be more. Rule 3 has no such proof; it is
    used only if requested, and then ends in ``HEURISTIC`` where it applies.

    Parameters
    ----------
    max_conditioning
        Largest subset but for the whole set; None: any size, which may take exponential time.

    Raises
    ------
    ArgumentError
        If the number is negative or no integer.

    References
    ----------
    Borboudakis and Tsamardinos (2021), section 5, theorem 1; Tsamardinos, Brown and Aliferis, Machine
    Learning 65 (2006).

    Examples
    --------
    >>> import numpy as np, altsel
    >>> random = np.random.default_rng(0)
    >>> a, b = random.normal(size=(2, 500))
    >>> data = altsel.Dataset({"a": a, "b": b, "copy": 2 * a}, a + b + random.normal(size=500))
    >>> found = altsel.blankets.tmfbs(altsel.independence.PartialCorrelation(data), template=mmpc_template())
    >>> [subset.features for subset in found], found.stop.value
    ([('a', 'b'), ('b', 'copy')], 'exhausted')
    """
    return _template("MMPC", max_conditioning, max_min=True)


def hiton_pc_template(max_conditioning: int | None = 3) -> Template:
    """Build the template of TMFBS that works as HITON-PC does.

    As `mmpc_template`, but candidates are ordered by marginal association, ``I(X; T)``.

    Parameters
    ----------
    max_conditioning
        As for `mmpc_template`.

    References
    ----------
    Borboudakis and Tsamardinos (2021), section 5; Aliferis, Tsamardinos and Statnikov, AMIA 2003.

    Examples
    --------
    >>> import networkx as nx, altsel
    >>> spouse = altsel.independence.DSeparation(nx.DiGraph([("y", "child"), ("other", "child")]), "y")
    >>> found = altsel.blankets.tmfbs(spouse, template=hiton_pc_template())
    >>> found[0].features, found.stop.value  # no blanket without the other parent
    (('child',), 'heuristic')
    """
    return _template("HITON-PC", max_conditioning, max_min=False)


def _template(name: str, max_conditioning: int | None, *, max_min: bool) -> Template:
    gamma = "none" if max_conditioning is None else str(max_conditioning)
    return Template(
        Unseparated(max_conditioning, max_min),
        RemoveSeparated(max_conditioning),
        name=f"{name}, max_conditioning={gamma}",
        confirm=confirmed,
    )
