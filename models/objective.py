"""What a criterion must offer, and what it may declare besides to be solved faster."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from enum import StrEnum
from functools import cached_property
from math import inf, isfinite
from numbers import Integral
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.data.dataset import Dataset
from altsel.errors import ArgumentError, DataError
from altsel.models.own_code import call_own, number_of
from altsel.runtime.clock import clock
from altsel.stats.dependence import Dependence, Measure, association
from altsel.stats.generalised.worth import FittedModels
from altsel.stats.least_squares import Design


class Kind(StrEnum):
    """What a criterion is, as an exact method sees it.

    Examples
    --------
    >>> from altsel import CFS, MRMR, BlackBox, Univariate
    >>> [objective.kind.value for objective in (Univariate, MRMR, CFS, BlackBox)]
    ['plain sum', 'quadratic form', 'ratio', 'black box']
    """

    SUM = "plain sum"
    QUADRATIC = "quadratic form"
    RATIO = "ratio"
    LEAST_SQUARES = "least squares"
    MODEL_FIT = "regularised model"
    GENERAL = "model"
    BLACK_BOX = "black box"


Rows = Sequence[tuple[FloatArray, float, float]]
"""Linear conditions: coefficients of the features, least and largest sum over a set."""


class SizedBy(StrEnum):
    """What tells how many features a set should have, where nobody says.

    Attributes
    ----------
    NOTHING
        Nothing is known.
    ITSELF
        The criterion is highest at some size.
    NOISE
        Each feature counts alone: those more relevant than noise.
    PATH
        Features are added as long as each tells more of the target than it repeats.
    PENALTY
        The criterion only rises; less a price for each feature it is highest at some size.

    Examples
    --------
    >>> from altsel import Univariate
    >>> Univariate([2, 1]).sized_by.value
    'noise'
    """

    NOTHING = "nothing"
    ITSELF = "itself"
    NOISE = "noise"
    PATH = "path"
    PENALTY = "penalty"


class Objective:
    """A criterion with two faces: the paper's formula on a mask, and its MILP on a block.

    A class needs ``features``, ``name``, `score` and `express`. Everything else has a default here, and
    says what exact methods may make use of; which methods that opens is `altsel.exact.auto`'s table.

    Attributes
    ----------
    features
        Names of the features, in the order of the mask.
    name
        The criterion in words, shown in results.
    kind
        ``SUM`` needs `weights`; ``QUADRATIC`` needs `quadratic`; ``RATIO`` needs `parametric` and
        `bound_from_excess`; ``LEAST_SQUARES`` needs `least_squares`; ``MODEL_FIT`` needs
        `model_fit`; ``GENERAL`` is known by its model;
        ``BLACK_BOX`` by its values alone.
    exchangeable
        Whether `exchanged` scores all exchanges of one feature at once.
    relevance
        One number a feature, if there is such; local searches begin with the largest.
    conflict
        Pairs of features that exclude each other, boolean of shape (features, features).
    most
        No set scores more.
    most_sets
        Number of sets up to which all may be scored; None: as many as can be listed.
    target, seed, fingerprint
        Where its numbers come from.
    members
        Names that stand for the same feature, by the one in `features`; see ``Dataset.grouped``.
    absent
        Why other columns of the data are no features, by name.
    default_measure
        The measure of dependence it is defined with, used for a data set.
    of_data
        Whether it takes a data set itself, and no measure of dependence.
    has_zero
        Whether its 0 means something, so that a share of it does.
    rises
        Whether it never falls when features are added to a set.
    sized_by
        What tells how many features a set should have.
    quick_to_refit
        Whether it is fitted again and again in seconds.

    Examples
    --------
    >>> import pyomo.environ as pyo
    >>> class Few(Objective):
    ...     name, features = "minus the size", ("a", "b")
    ...     def score(self, mask): return -float(mask.sum())
    ...     def express(self, block, sizes): block.quality = pyo.Expression(expr=-block.size)
    >>> Few().kind.value, Few().conditional
    ('model', False)
    >>> from altsel import Dice, Problem, sequential
    >>> sequential(Problem(Few(), k=(1, 2)), Dice(0.5), 0, "highs")[0].score
    -1.0
    """

    features: Sequence[str]
    name: str
    kind: ClassVar[Kind] = Kind.GENERAL
    exchangeable: ClassVar[bool] = False
    relevance: FloatArray | None = None
    conflict: BoolArray | None = None
    most: float = inf
    most_sets: ClassVar[int | None] = None
    target: str | None = None
    seed: int | None = None
    fingerprint: str | None = None
    members: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    absent: Mapping[str, str] = MappingProxyType({})
    default_measure: ClassVar[Measure] = association
    of_data: ClassVar[bool] = False
    has_zero: bool = True
    rises: bool = False
    sized_by: SizedBy = SizedBy.NOTHING
    quick_to_refit: bool = True

    def score(self, mask: BoolArray) -> float:
        """Evaluate the formula on a set, given as a boolean mask over `features`."""
        raise NotImplementedError

    def express(self, block: Any, sizes: tuple[int, int]) -> None:
        """Add the formula to a block: an Expression ``block.quality`` of the variables ``block.x``."""
        raise NotImplementedError

    def is_feasible(self, mask: BoolArray) -> bool:
        """Return whether the criterion admits a set."""
        del mask
        return True

    @property
    def quick_for_noise(self) -> bool:
        """Whether sets for permuted targets are found in seconds, and mean something."""
        return self.quick_to_refit

    @property
    def conditional(self) -> bool:
        """Whether some sets may not be feasible."""
        return type(self).is_feasible is not Objective.is_feasible

    @property
    def rows(self) -> Rows | None:
        """The conditions as linear rows; None if there are none, or they are not linear."""
        return None

    @property
    def as_sum(self) -> tuple[Objective, Any] | None:
        """A plain sum and a rule on a set's block that say the same; None if there are none."""
        return None

    def with_relevance(self, relevance: FloatArray) -> Objective:
        """Return the criterion with other relevances, as those of another target; redundancies stay.

        Raises
        ------
        ArgumentError
            If it has none.
        """
        if self.relevance is None or self.of_data:
            raise ArgumentError(f"{self.name} has no relevances that could be others")
        other = copy(self)
        other.__dict__.update(relevance=relevance)
        for name in [*other.__dict__]:
            if isinstance(getattr(type(self), name, None), cached_property):
                del other.__dict__[name]
        return other

    def for_data(self, data: Dataset) -> Objective:
        """Return the same criterion of other data, where it takes data itself."""
        raise ArgumentError(f"{self.name} is not made of {data}")

    def penalised(self, data: Dataset) -> Objective:
        """Return the criterion less a price for each feature, where only that has a best size."""
        raise ArgumentError(f"{self.name} of {data} has no penalty")

    def scores(self, members: IntArray) -> FloatArray:
        """Score many sets, given by the indices of their features, shape (sets, k); -inf if not feasible."""
        result = np.full(len(members), -inf)
        mask = np.zeros(len(self.features), dtype=bool)
        for i, indices in enumerate(members):
            clock().check()
            mask[:] = False
            mask[indices] = True
            if self.checked_feasible(mask):
                result[i] = self.checked_score(mask)
        return result

    def checked_score(self, mask: BoolArray) -> float:
        """Evaluate the formula, and refuse what is no finite number: no proof could be built on it.

        Raises
        ------
        ArgumentError
            If the formula fails; it names the set.
        DataError
            If it gives no finite number; it names the set.
        """
        value = self.evaluated_score(mask)
        if not isfinite(value):
            raise DataError(
                f"{self.name} gives {value} for {self._named(mask)!r}; it must be a finite number"
            )
        return value

    def evaluated_score(self, mask: BoolArray) -> float:
        """Evaluate the formula, which may be missing or infinite of a set that is not feasible.

        Raises
        ------
        ArgumentError
            If it fails; it names the set.
        DataError
            If it gives no number; it names the set.
        """

        def title() -> str:
            return f"{self.name}: score of {self._named(mask)!r}, given as a mask by the order of features,"

        return number_of(call_own(self.score, (mask,), title), title, DataError)

    def checked_feasible(self, mask: BoolArray) -> bool:
        """Return whether the criterion admits a set; refuse an answer that is neither yes nor no.

        Raises
        ------
        ArgumentError
            If `is_feasible` fails, or gives neither True nor False; it names the set.
        """

        def title() -> str:
            return f"{self.name}: is_feasible of {self._named(mask)!r}"

        value = call_own(self.is_feasible, (mask,), title)
        if not isinstance(value, (bool, np.bool_)) and not (isinstance(value, Integral) and value in (0, 1)):
            raise ArgumentError(f"{title()} gives {value!r:.60}; return True or False")
        return bool(value)

    def _named(self, mask: BoolArray) -> tuple[str, ...]:
        """Return the names of a set given as a mask."""
        return tuple(f for f, inside in zip(self.features, mask, strict=True) if inside)

    def exchanged(self, members: IntArray) -> FloatArray:
        """Score the sets in which feature j replaces the i-th member, shape (k, features).

        `members` are indices, shape (k,). Entries where j is a member itself mean nothing.
        """
        raise NotImplementedError

    def grown(self, members: IntArray) -> FloatArray | None:
        """Score the sets with one feature more, shape (features,), where that tells more than relevances do.

        Entries of members, and of sets that are not scored so, are minus infinity; None by default.
        """
        del members
        return None

    @property
    def weights(self) -> FloatArray:
        """The weights of a plain sum, in the order of `features`."""
        raise NotImplementedError

    def quadratic(self, k: int) -> tuple[FloatArray, FloatArray]:
        """Write it for k features as ``sum_i a_i s_i - sum_{i<j} b_ij s_i s_j``; infinite b exclude."""
        raise NotImplementedError

    @property
    def by_levels(self) -> bool:
        """Whether a ratio is solved by levels: `parametric` decides whether a set exceeds one."""
        return False

    def parametric(self, level: float) -> Objective:
        """Return the quadratic form that is above 0 if and only if this ratio is above the level."""
        raise NotImplementedError

    def bound_from_excess(self, level: float, excess: float, sizes: tuple[int, int]) -> float:
        """Bound this ratio, where its form at a level is at most `excess`."""
        raise NotImplementedError

    def denominators(self, sizes: tuple[int, int]) -> tuple[float, float]:
        """Bound the denominator of this ratio's square, over all sets of the given sizes."""
        raise NotImplementedError

    @property
    def least_squares(self) -> Design:
        """The standardised columns and target whose least squares it is."""
        raise NotImplementedError

    @property
    def model_fit(self) -> FittedModels:
        """The models whose losses it is, and what their coefficients cost."""
        raise NotImplementedError

    @property
    def slack(self) -> float:
        """How much better a set a search of the quadratic form may miss, absolute."""
        return 0.0

    def clipped(self, level: float, sizes: tuple[int, int]) -> Objective:
        """Return the same criterion with smaller numbers that still keep hopeless sets below a level."""
        del level, sizes
        return self

    def set_helper_values(self, block: Any) -> None:
        """Set the model's own variables to the values that follow from those of ``x``."""

    @property
    def has_helpers(self) -> bool:
        """Whether the model has variables of its own."""
        return type(self).set_helper_values is not Objective.set_helper_values

    def add_cut(self, block: Any) -> bool:
        """Where the model only bounds the quality, add the row that is right at its set; return if it did."""
        del block
        return False

    def complete(self, block: Any, sizes: tuple[int, int]) -> None:
        """Add all rows that `add_cut` may add for sets of these sizes, so that the model needs no search."""
        del block, sizes

    @property
    def settings(self) -> Mapping[str, str]:
        """Parameters of the criterion, as files of solutions name them."""
        return {}


def is_own(thing: object) -> bool:
    """Return whether an objective, a rule or a measure is the user's own: its class is none of altsel's."""
    return not type(thing).__module__.startswith("altsel.")


def describe(objective: Objective, dependence: Dependence, name: str) -> None:
    """Set the name of a frozen objective, and what it takes over from the dependence."""
    object.__setattr__(objective, "features", tuple(dependence.relevance.index))
    object.__setattr__(objective, "name", f"{name} by {dependence.measure}")
    object.__setattr__(objective, "target", dependence.target)
    object.__setattr__(objective, "seed", dependence.seed)
    object.__setattr__(objective, "fingerprint", dependence.fingerprint)
    object.__setattr__(objective, "members", dependence.members)
    object.__setattr__(objective, "absent", dependence.absent)
