"""A family of Markov blankets, of which questions are answered from its failed removals, without a list."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from random import Random

import pandas as pd

from altsel.analysis.family import tables
from altsel.analysis.family.basis import basis, why_not
from altsel.analysis.family.shown import html, text
from altsel.analysis.msg.graph import MSG
from altsel.analysis.msg.of_transversals import graph_of_transversals
from altsel.errors import ArgumentError, checked_integer, list_of_names, of_kind
from altsel.exact.transversals.bounds import WIDTH
from altsel.exact.transversals.construction import MOST_NODES
from altsel.exact.transversals.costs import Priced
from altsel.exact.transversals.diagram import Diagram
from altsel.exact.transversals.most_different import DifferentPair
from altsel.exact.transversals.transversals import Transversals
from altsel.models.given_by_feature import by_feature
from altsel.results.dual import Dual
from altsel.results.members import costs_of_units, known_names
from altsel.results.solutions import Solutions
from altsel.results.text import number_of

Names = tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Blankets:
    """All Markov blankets of a target as one object: counted, ordered, compared and drawn, without a list.

    The blankets are the minimal sets that have a feature of each *failed removal*, a set of features without
    which a search found no blanket. Twenty removals can stand for a million blankets; a decision diagram of
    them (ZDD) answers.

    Parameters
    ----------
    found
        What `tmfbs`, `tie_star` or `dual` returned, without rules of the domain.
    most_nodes
        Nodes that the diagram may have while it is made: time and memory grow with it.

    Raises
    ------
    ArgumentError
        If the failed removals are not known, or are not all: the search was cut short, kept rules of the
        domain, or neither a proof nor draws tell that there is no other blanket.

    Notes
    -----
    A blanket is *minimal*: none of its features can be left out. It need not be of minimal *size*, as one
    feature may stand for two; `smallest` yields those with the fewest features. Features forced in
    (``Limits(include=…)``) are in every blanket. Copies that were `grouped` count as one feature.
    What all this rests on is in `notes`.

    References
    ----------
    Borboudakis and Tsamardinos (2021); Knuth, TAOCP 4A (2011), 7.1.4.

    Examples
    --------
    >>> import numpy as np, altsel
    >>> random = np.random.default_rng(0)
    >>> a, b, noise = random.normal(size=(3, 500))
    >>> data = altsel.Dataset({"a": a, "b": b, "total": a + b, "b twice": 2 * b}, a + 2 * b + noise)
    >>> found = altsel.blankets.tmfbs(altsel.independence.PartialCorrelation(data))
    >>> family = Blankets(found)
    >>> family.count(), family.sizes(), family.cheapest({"a": 1, "b": 3, "total": 2, "b twice": 1})
    (5, {2: 5}, Priced(features=('a', 'b twice'), cost=2.0))
    """

    found: Solutions
    most_nodes: int = MOST_NODES

    def __post_init__(self) -> None:
        of_kind("found", self.found, Solutions, "the Solutions of altsel.blankets.tmfbs, tie_star or dual")
        checked_integer("most_nodes", self.most_nodes, 3)
        refusal = why_not(self.found)
        if refusal:
            raise ArgumentError(refusal)

    @property
    def dual(self) -> Dual:
        """The failed removals, and what proves them."""
        assert self.found.dual is not None  # refused at the door
        return self.found.dual

    @cached_property
    def _sets(self) -> Transversals:
        forced = [(name,) for name in self.dual.forced]
        removals = [one.removed for one in self.dual.failed]
        return Transversals([*removals, *forced], self.found.universe, self.most_nodes)

    @property
    def _diagram(self) -> Diagram:
        if not self._sets.fits:
            raise ArgumentError(
                f"the diagram of the family needs more than {self.most_nodes:,} nodes; bounds, share_bounds, "
                "classes, smallest, cheapest, in_order, front and most_different do without; "
                "Blankets(found, most_nodes=…) allows more"
            )
        return self._sets.diagram

    def count(self) -> int:
        """Return the number of blankets.

        Raises
        ------
        ArgumentError
            If the diagram does not fit; see `bounds`. So do all that need it: `shares`, `sizes`,
            `substitutions`, `graph` and `sample`.
        """
        self._diagram  # noqa: B018  (or refused)
        return self._sets.count()

    def bounds(self) -> tuple[int, int]:
        """Return a lower and an upper bound on the number of blankets, equal where the diagram fits."""
        return self._sets.bounds()

    def sizes(self) -> dict[int, int]:
        """Return the number of blankets of each size; the first ones are of minimal size."""
        self._diagram  # noqa: B018
        return self._sets.sizes()

    def smallest(self) -> Iterator[Names]:
        """Yield the blankets of minimal size, ``argmin |B|``: those with the fewest features of all."""
        least = len(self.cheapest().features)
        ordered = (one.features for one in self.in_order())
        return takewhile(lambda names: len(names) == least, ordered)

    def shares(self) -> pd.Series[float]:
        """Return the share of blankets that hold each feature, of all features in the order of the data.

        Where the diagram does not fit, see `share_bounds`.
        """
        total = self.count()
        counts = self._sets.counts_by_feature()
        return pd.Series(
            {name: counts[name] / total for name in self.found.universe}, name="share", dtype=float
        )

    def share_bounds(self, width: int = WIDTH) -> pd.DataFrame:
        """Tabulate between what the share of blankets that hold each feature is proved to be.

        Both are the share itself where the diagram fits, and of features that `classes` tells of in any case.
        Else blankets with and without a feature are counted as in `bounds`. That can take minutes, and leave
        anything from 0 to 1; more nodes are closer.

        Parameters
        ----------
        width
            Nodes of one level of the diagram that are followed.

        Returns
        -------
        pandas.DataFrame
            ``feature``, ``low``, ``high``.
        """
        return tables.share_bounds(self._sets, width, self.found.universe)

    def classes(self) -> pd.DataFrame:
        """Tabulate what each feature is: indispensable, replaceable, or in no solution.

        Indispensable is what alone is a failed removal, replaceable what is in a larger one. Both need no
        diagram, and so hold for any number of blankets.

        Returns
        -------
        pandas.DataFrame
            ``feature``, ``class`` (a `FeatureClass`: *required* and *forbidden* if the search was told so),
            ``share`` of the blankets that hold it (NaN if the diagram does not fit), ``removals``, the number
            of failed removals with it.
        """
        return tables.classes(self._sets, self.dual, self.found.universe)

    def substitutions(self) -> pd.DataFrame:
        """Tabulate which features stand for which.

        Two features stand for each other if they are in one failed removal: every blanket has one of its
        features, and some blanket has the first and no other, some the second and no other.

        Returns
        -------
        pandas.DataFrame
            ``feature``, ``replaced by``, ``blankets`` (with the feature, that are still blankets if it alone
            is exchanged for the other), and their ``share`` of all blankets with the feature; 0 if others
            have to be exchanged along with it.
        """
        self._diagram  # noqa: B018
        return tables.substitutions(self._sets, self.found.universe)

    def cheapest(self, costs: Mapping[str, float] | None = None) -> Priced:
        """Return the blanket that costs least, ``min_B sum_{j in B} c_j``; the first of several.

        Parameters
        ----------
        costs
            Cost of each feature that is in a blanket, of any sign; copies that were grouped cost what the
            cheapest named one does. Default: 1 each, so that a blanket of minimal size is cheapest.

        Raises
        ------
        ArgumentError
            If a cost is missing or no finite number, or names no feature.
        """
        return next(self.in_order(costs))

    def in_order(self, costs: Mapping[str, float] | None = None) -> Iterator[Priced]:
        """Yield blankets by ascending cost, none made before it is asked for. Arguments as `cheapest`."""
        return self._sets.in_order(self._costs(costs))

    def front(self, costs: Mapping[str, float]) -> tuple[Priced, ...]:
        """Return, smallest first, the blankets that no other one beats in both size and cost, one a size.

        Arguments as `cheapest`. Where the diagram does not fit, by two solves for each of them.
        """
        return self._sets.front(self._costs(costs))

    def most_different(self, by: str = "shared") -> DifferentPair | None:
        """Return two blankets that have the least in common, proved by a solver; None if there is one only.

        Parameters
        ----------
        by
            ``"shared"``: the fewest features in common; if there are none, the two are disjoint signatures,
            else no two are. ``"dissimilarity"``: the largest Dice and Jaccard dissimilarity.

        Raises
        ------
        ArgumentError
            If `by` is another word.
        SolverError
            If the solver proves nothing.
        """
        return self._sets.most_different(by)

    def graph(self, *, or_nodes: bool = True) -> MSG:
        """Return the multiple-solutions graph, made from the diagram: its paths are the blankets.

        Parameters
        ----------
        or_nodes
            Whether nodes are merged into ones with alternatives.
        """
        self._diagram  # noqa: B018
        return graph_of_transversals(self._sets, self.found.target, or_nodes=or_nodes)

    def sample(self, number: int, random_state: int = 0) -> list[Names]:
        """Draw blankets, each with the same probability; one may come twice.

        Parameters
        ----------
        number
            How many.
        random_state
            Seed of the draws.
        """
        checked_integer("random_state", random_state, 0)
        self._diagram  # noqa: B018
        return self._sets.sample(number, Random(random_state))

    def __iter__(self) -> Iterator[Names]:
        """Yield all blankets, one by one; cheapest first by a solver where the diagram does not fit."""
        return iter(self._sets) if self._sets.fits else (one.features for one in self.in_order())

    def __contains__(self, names: object) -> bool:
        """Return whether a set of names is a blanket, and minimal."""
        return isinstance(names, Collection) and self._sets.contains(list_of_names("names", names))

    def _costs(self, costs: Mapping[str, float] | None) -> Mapping[str, float]:
        """Return a cost of each feature in a blanket."""
        named = list(dict.fromkeys(name for one in self._sets.removals for name in one))
        if costs is None:
            return dict.fromkeys(named, 1)
        given, members = by_feature(costs), self.found.members
        of_kind("costs", given, Mapping, "costs by feature: {'age': 2.0}")
        return costs_of_units(given, named, known_names(self.found.universe, members), members)

    def notes(self) -> list[str]:
        """Describe what the answers rest on."""
        not_minimal = sum(tuple(one.features) not in self for one in self.found)
        return basis(self.found, self.dual, not_minimal)

    def __repr__(self) -> str:
        removals = number_of(len(self.dual.failed), "failed removal")
        return f"<Blankets by {removals}, stop: {self.found.stop.value}>"

    def __str__(self) -> str:
        return text(self.found, self.bounds(), self.classes(), self.notes())

    def _repr_html_(self) -> str:
        return html(self.found, self.bounds(), self.classes(), self.notes())
