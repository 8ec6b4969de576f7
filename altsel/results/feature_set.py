"""One feature set, and what is known of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from math import exp, isfinite
from typing import Literal

from altsel.display.names import brief
from altsel.display.renderers import renderer
from altsel.errors import ArgumentError
from altsel.results.comparison import Comparison
from altsel.results.orientation import Orientation
from altsel.runtime.caller import note_unpriced

GIVE = "give each a cost, 0 if that is meant"
"""What is said of names that have no cost."""


class Proof(StrEnum):
    """What is known of a feature set.

    ``OPTIMAL``: no set that keeps the rules, and differs as wanted from the sets before it, is better
    (the bound meets the score to within 1e-9, relative). ``FEASIBLE``: admissible, with a bound and a gap.
    ``HEURISTIC``: admissible, nothing more is known. ``TESTED``: accepted by statistical tests.

    Examples
    --------
    >>> from altsel import Dice, Problem, Univariate, sequential
    >>> sequential(Problem(Univariate([3, 2, 1]), k=1), Dice(1), 0)[0].proof is Proof.OPTIMAL
    True
    """

    OPTIMAL = "optimal"
    FEASIBLE = "feasible"
    HEURISTIC = "heuristic"
    TESTED = "tested"


class Role(StrEnum):
    """What a feature is to the target.

    ``NEIGHBOUR``: a parent or a child; ``SPOUSE``: another parent of a child; ``MEMBER``: in
    the Markov blanket, as one or the other; ``REJECTED``: separated from the target; ``UNDECIDED``: the
    search was cut short before it could tell. The other roles of such a search are those until then.

    Examples
    --------
    >>> from altsel import blankets, independence
    >>> import networkx as nx
    >>> graph = nx.DiGraph([("a", "y"), ("y", "b"), ("c", "b")])
    >>> found = blankets.mmmb(independence.DSeparation(graph, "y"))[0]
    >>> [(verdict.feature, verdict.role.value) for verdict in found.verdicts]
    [('a', 'parent or child'), ('b', 'parent or child'), ('c', 'spouse')]
    """

    NEIGHBOUR = "parent or child"
    SPOUSE = "spouse"
    MEMBER = "member"
    REJECTED = "rejected"
    UNDECIDED = "not decided"


@dataclass(frozen=True)
class Verdict:
    """What tests found of one feature.

    Attributes
    ----------
    feature
        Its name.
    role
        What it is to the target.
    log_p
        Natural logarithm of p in the test that decided: the largest p of a selected feature,
        the p above alpha of a rejected one, the last p of one that is not decided. None if the data
        sufficed for no test, or none was needed, or done yet.
    given
        The features given in that test: for a rejected feature, the set that separates it.
    determined
        Of a rejected feature that those given all but determine: their multiple correlation, above .999. The
        test could see next to nothing, and either may stand for the other. None of all others.

    Examples
    --------
    >>> one = Verdict("a", Role.REJECTED, log_p=-0.5, given=("b",))
    >>> round(one.p, 3), one.given
    (0.607, ('b',))
    """

    feature: str
    role: Role
    log_p: float | None
    given: tuple[str, ...] = ()
    determined: float | None = None

    @property
    def p(self) -> float | None:
        """The p-value; 0 if it is too small for a float."""
        return None if self.log_p is None else exp(self.log_p)


@dataclass(frozen=True)
class Step:
    """One step of a greedy search: the feature that was added, and the score that chose it.

    Attributes
    ----------
    feature
        Its name.
    score
        The score that chose it.

    Examples
    --------
    >>> from altsel import Dataset, ranking
    >>> data = Dataset({"a": [0, 1] * 10, "b": [0, 0, 1, 1] * 5}, [0, 1] * 10)
    >>> [step.feature for step in ranking.mim(data, k=2)[0].path]
    ['a', 'b']
    """

    feature: str
    score: float


@dataclass(frozen=True)
class ErrorBounds:
    """Bounds on the error of the best possible classifier that sees a set of features (UV section 6).

    Attributes
    ----------
    entropy
        Conditional entropy ``H(C | S)`` of the target, in bits.
    lower
        Smallest error rate that Fano's inequality admits for that entropy.
    upper
        ``H(C | S) / 2``, or the error rate of the most frequent class if that is smaller.
    corrected
        Whether the entropy was corrected for bias (Miller and Madow); plug-in if not.

    Examples
    --------
    >>> from altsel import Dataset, blankets
    >>> data = Dataset({"a": [0, 1, 0, 1, 1] * 20, "b": [0, 0, 1, 1, 1] * 20}, [0, 1, 0, 1, 0] * 20)
    >>> plug_in, corrected = blankets.error_bounds(data, ["a"])
    >>> round(plug_in.entropy, 2), round(plug_in.upper, 2), corrected.corrected
    (0.55, 0.28, True)
    """

    entropy: float
    lower: float
    upper: float
    corrected: bool


@dataclass(frozen=True)
class FeatureSet:
    """One feature set and what is known of it.

    Attributes
    ----------
    features
        Names, in the order of the data's columns.
    score
        The objective's value, computed by its formula from the set itself; for a set accepted by
        tests ``-log10 p`` of its weakest member.
    proof
        What was proved.
    bound
        Upper bound on the score; of an optimal set its score, to within the 1e-9 of the proof. In a
        simultaneous search the proof is one for all sets together: then it is the score plus what the
        *total* might still rise.
    gap
        ``(bound - score) / |score|``; in a simultaneous search relative to the total.
    seconds
        Wall time spent on this set.
    holdout
        Score by the same criterion on rows that the search did not see, if it was requested; no accuracy of
        prediction.
    verdicts
        What tests found of every feature, if there were any.
    path
        The features in the order in which a greedy search added them.
    error
        Bounds on the error of any classifier, plug-in and corrected, if they were requested.
    comparisons
        What tests of equivalence found of this set and the reference, if there were any.
    p_null
        Share of the searches of permuted targets whose best set scores as well, if it was requested.
    members
        All names of the features that go by several; see `altsel.Dataset.grouped`.
    spent
        What it costs by each budget among the rules of the search.
    orientation
        On which side of the target its members are, if that was requested.

    Examples
    --------
    >>> one = FeatureSet(("a", "b"), 0.9, Proof.FEASIBLE, bound=0.99, gap=0.1)
    >>> len(one), "a" in one, list(one), one.proof.value
    (2, True, ['a', 'b'], 'feasible')
    """

    features: tuple[str, ...]
    score: float
    proof: Proof
    bound: float | None = None
    gap: float | None = None
    seconds: float = 0.0
    holdout: float | None = None
    verdicts: tuple[Verdict, ...] = ()
    path: tuple[Step, ...] = ()
    error: tuple[ErrorBounds, ...] = ()
    comparisons: tuple[Comparison, ...] = ()
    p_null: float | None = None
    members: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)
    spent: tuple[float, ...] = field(default=(), compare=False)
    orientation: Orientation | None = None

    def __contains__(self, name: object) -> bool:
        return name in self.features

    def __len__(self) -> int:
        return len(self.features)

    def __iter__(self) -> Iterator[str]:
        return iter(self.features)

    def __repr__(self) -> str:
        names = brief(self.features) or "nothing"
        return f"<FeatureSet: {names}; score {self.score:.6g}, {self.proof.value}>"

    def _repr_html_(self) -> str:
        return str(renderer("html", self)(self))

    def cost(self, costs: Mapping[str, float]) -> float:
        """Sum the costs of the features, of several names the cheapest.

        Costs of other names are let be: a set does not know the table's columns, and costs are stated of all.

        Raises
        ------
        ArgumentError
            If a cost is no finite number.

        Warns
        -----
        DataWarning
            Of features that are not named, which cost nothing.

        Examples
        --------
        >>> FeatureSet(("a", "b"), 1.0, Proof.TESTED).cost({"a": 2.0, "b": 0.5, "c": 9.0})
        2.5
        """
        return float(sum(costs.get(name, 0.0) for name in self.names("cheapest", costs)))

    def names(
        self, choose: Literal["first", "cheapest"] = "first", costs: Mapping[str, float] | None = None
    ) -> tuple[str, ...]:
        """Return a column of the table for each feature: where it goes by several names, one of them.

        Parameters
        ----------
        choose
            ``"first"``: the one that stands for all; ``"cheapest"``: the one that costs least, the first
            of them.
        costs
            Cost of each name.

        Raises
        ------
        ArgumentError
            If the way to choose is unknown, costs are missing or not used, or one is no finite number.

        Warns
        -----
        DataWarning
            Of names without a cost, which counts as 0.

        Examples
        --------
        >>> one = FeatureSet(("a", "b"), 1.0, Proof.OPTIMAL, members={"a": ("a", "a2", "a3")})
        >>> one.names(), one.names("cheapest", {"a": 3.0, "a2": 1.0, "a3": 2.0, "b": 1.0})
        (('a', 'b'), ('a2', 'b'))
        """
        if choose not in ("first", "cheapest"):
            raise ArgumentError(f"choose={choose!r}; use 'first' or 'cheapest'")
        if (costs is None) != (choose == "first"):
            fix = "give costs={name: number}" if costs is None else "they count with choose='cheapest'"
            raise ArgumentError(f"choose={choose!r} with costs={costs!r}: {fix}")
        known = costs or {}
        for name, amount in known.items():
            if isinstance(amount, bool) or not isinstance(amount, (int, float)) or not isfinite(amount):
                raise ArgumentError(f"the cost of {name!r} is {amount!r}; use a number")
        if choose == "cheapest":
            every = [name for f in self for name in self.members.get(f, (f,))]
            note_unpriced("cost of a set", (name for name in every if name not in known), GIVE)
        return tuple(min(self.members.get(f, (f,)), key=lambda name: known.get(name, 0.0)) for f in self)

    @property
    def parents_and_children(self) -> tuple[str, ...]:
        """The features that tests found to be parents or children of the target."""
        return self._in_role(Role.NEIGHBOUR)

    @property
    def spouses(self) -> tuple[str, ...]:
        """The features that tests found to be other parents of the target's children."""
        return self._in_role(Role.SPOUSE)

    @property
    def rejected(self) -> dict[str, Verdict]:
        """What separates each of the other features from the target."""
        return {verdict.feature: verdict for verdict in self.verdicts if verdict.role is Role.REJECTED}

    @property
    def undecided(self) -> dict[str, Verdict]:
        """What was known of the features that a search had not decided on when it was cut short."""
        return {verdict.feature: verdict for verdict in self.verdicts if verdict.role is Role.UNDECIDED}

    def _in_role(self, role: Role) -> tuple[str, ...]:
        return tuple(verdict.feature for verdict in self.verdicts if verdict.role is role)
