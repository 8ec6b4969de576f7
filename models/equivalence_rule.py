"""Equivalence to a reference as a rule: a set must predict, or tell, as much as a given one by tests."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from altsel.errors import ArgumentError, list_of_names, listing
from altsel.models.objective import Objective
from altsel.models.predicate import MONOTONE, Condition
from altsel.models.rule_of_data import Origin
from altsel.models.units import Units
from altsel.results.members import Members
from altsel.stats.equivalence.criterion import Criterion, Equivalent
from altsel.stats.independence.base import innermost, members_of


def predicts_as_well(
    reference: Iterable[str], criterion: Equivalent, monotone: str | None = None
) -> EquivalenceRule:
    """Want sets that count as equivalent to a reference, by tests of equivalence.

    The best sets by the objective are compared in turn; one that differs significantly is cut off, and the
    search goes on. That tests find no difference is no proof that there is none.

    Parameters
    ----------
    reference
        Names of the features of the set to compare with, or a set that was found.
    criterion
        What judges: ``altsel.comparison.recommended_criterion(test)``, a `altsel.comparison.Criterion`, or
        one test of equivalence.
    monotone
        ``"up"`` if you hold that every larger set is equivalent too: then one set that is not cuts off many.
        It is believed, and checked on sets near those that are returned. Where the criterion tells
        better from worse by one direction only, such as `altsel.comparison.NonInferiority`, it may be so;
        default: nothing is believed.

    Returns
    -------
    EquivalenceRule
        For ``Problem(subject_to=[...])``.

    Raises
    ------
    ArgumentError
        If the reference is empty, names what the data lack, or `criterion` or `monotone` is none; with
        the problem, if its criterion is of another table or target.

    Examples
    --------
    >>> import numpy as np, altsel
    >>> random = np.random.default_rng(0)
    >>> a, b, noise = random.normal(size=(3, 500))
    >>> data = altsel.Dataset({"a": a, "b": b, "a, by mail": 2 * a}, a + b + noise)
    >>> test = altsel.independence.PartialCorrelation(data)
    >>> rule = predicts_as_well(["a", "b"], altsel.comparison.recommended_criterion(test))
    >>> cheap = altsel.Univariate({"a": -5.0, "b": -2.0, "a, by mail": -1.0})
    >>> altsel.sequential(altsel.Problem(cheap, (1, 2), [rule]), altsel.Dice(0.5), 0)[0].features
    ('b', 'a, by mail')
    """
    given = list_of_names("reference", reference)
    if not given:
        raise ArgumentError("reference: name at least one feature")
    if not callable(criterion):
        raise ArgumentError(
            f"criterion={criterion!r:.60}; give altsel.comparison.recommended_criterion(test), say"
        )
    if monotone not in MONOTONE:
        raise ArgumentError(f"monotone={monotone!r}; use 'down', 'up' or None")
    judge = criterion if isinstance(criterion, Criterion) else Criterion([criterion])
    origin, members = _origin(judge)
    names = Units(members, "predicts_as_well").names(given)
    absent = [name for name in names if origin.features is not None and name not in origin.features]
    if absent:
        raise ArgumentError(f"reference: the data of the criterion lack {listing(absent)}")
    return EquivalenceRule(tuple(names), judge, origin, monotone)


def _origin(judge: Criterion) -> tuple[Origin, Members]:
    """Return what the tests of a criterion were made of, as far as one of them tells."""
    for test in judge.tests:
        inner = getattr(test, "test", None)
        data = getattr(innermost(inner) if inner is not None else getattr(test, "models", None), "data", None)
        if data is not None:
            return Origin.of(data, data.target, data.features), data.members
        if inner is not None:
            return Origin.of(None, inner.target, inner.features), members_of(inner)
    return Origin(), {}


@dataclass(frozen=True, eq=False)
class EquivalenceRule(Condition):
    """A set counts as equivalent to a reference; see `predicts_as_well`.

    Attributes
    ----------
    reference
        Its names.
    criterion
        The tests, one after another.
    origin
        What they were made of.
    monotone
        See `altsel.models.predicate.Condition`.
    """

    reference: tuple[str, ...]
    criterion: Criterion
    origin: Origin
    monotone: str | None = None
    _judged: dict[frozenset[str], bool] = field(default_factory=dict, init=False, repr=False)

    has_rows = False
    rows_suffice = False

    @property
    def __name__(self) -> str:
        return f"predicts as well as {listing(self.reference)}: {self.criterion.name}"

    def holds(self, names: tuple[str, ...]) -> bool:
        """Compare a set with the reference, once."""
        key = frozenset(names)
        if key not in self._judged:
            same = key == frozenset(self.reference)
            self._judged[key] = same or self.criterion(self.reference, names).equivalent
        return self._judged[key]

    def check(self, objective: Objective) -> None:
        """Refuse a criterion of another table."""
        self.origin.refuse_other(self.__name__, objective)

    def __call__(self, block: object) -> None:
        """Add nothing: tests judge whole sets."""
