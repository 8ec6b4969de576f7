"""What tests of independence share: names of variables, one of which is the target."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Self

import numpy as np

from altsel._types import IntArray
from altsel.data.dataset import Dataset
from altsel.errors import ArgumentError, absence, listing
from altsel.stats.independence.protocol import (
    BackwardElimination,
    Independence,
    TestResults,
    backward,
    suffices,
)
from altsel.stats.independence.shown import Shown


@dataclass(frozen=True, eq=False)
class Variables:
    """Names of the features and the target of a test, and where they stand.

    Parameters
    ----------
    names
        All variables.
    target
        The one that is the target now.
    members
        Names that stand for the same variable; see ``Dataset.grouped``.
    absent
        Why other columns of the data are none, by name.
    """

    names: tuple[str, ...]
    target: str
    members: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    absent: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, data: Dataset) -> Variables:
        """Return the features and the target of a table."""
        return cls((*data.features, data.target), data.target, data.members, data.absent)

    def __post_init__(self) -> None:
        if self.target not in self.index:
            raise ArgumentError(f"there is no variable {self.target!r} to be the target")

    @cached_property
    def index(self) -> dict[str, int]:
        """Where each variable stands."""
        return {name: j for j, name in enumerate(self.names)}

    @cached_property
    def features(self) -> tuple[str, ...]:
        """All variables but the target."""
        return tuple(name for name in self.names if name != self.target)

    def with_target(self, target: str) -> Variables:
        """Return the variables with another one as the target."""
        return Variables(self.names, target, self.members, self.absent)

    def indices(self, candidates: Sequence[str], given: Collection[str]) -> tuple[IntArray, list[int]]:
        """Look up what a test is to answer; a name that is given twice counts once.

        Raises
        ------
        ArgumentError
            If a name is unknown, the target, a candidate that is also given, or a candidate twice.
        """
        refuse_no_names(candidates, given)
        try:
            indices = np.array([self.index[name] for name in candidates], dtype=np.int64)
            known = list(dict.fromkeys(self.index[name] for name in given))
        except KeyError as fault:
            name = str(fault.args[0])
            why = absence(name, self.index, self.absent)
            raise ArgumentError(f"there is no feature {name!r}{why}") from fault
        except TypeError as fault:
            raise ArgumentError(f"candidates and given are lists of names: {fault}") from fault
        if len(set(candidates)) < len(candidates):
            twice = [name for name, times in Counter(candidates).items() if times > 1]
            raise ArgumentError(f"candidates named more than once: {listing(twice)}")
        goal = self.index[self.target]
        if goal in known or (indices == goal).any():
            raise ArgumentError(f"{self.target!r} is the target; it can be neither candidate nor given")
        both = set(known).intersection(indices.tolist())
        if both:
            raise ArgumentError(f"given already: {listing(self.names[j] for j in sorted(both))}")
        return indices, known


def refuse_no_names(candidates: object, given: object) -> None:
    """Raise an ArgumentError unless candidates and given are collections of names."""
    for names in (candidates, given):
        if isinstance(names, str) or not hasattr(names, "__len__"):
            shown = f"the name {names!r}" if isinstance(names, str) else repr(names)
            raise ArgumentError(f"candidates and given are lists of names, not {shown}")


class BoundTest(Shown):
    """A test of its own data; ``_variables`` says which variable is the target now."""

    _variables: Variables

    @property
    def features(self) -> tuple[str, ...]:
        """All variables but the target, in the order of the data."""
        return self._variables.features

    @property
    def target(self) -> str:
        """Name of the target."""
        return self._variables.target

    @property
    def members(self) -> dict[str, tuple[str, ...]]:
        """All names of the features that go by several; see ``Dataset.grouped``."""
        return {name: names for name, names in self._variables.members.items() if name != self.target}

    @property
    def absent(self) -> Mapping[str, str]:
        """Why other columns of the data are no features, by name."""
        return self._variables.absent

    def with_target(self, target: str) -> Self:
        """Return the same test for another variable; what was prepared is shared."""
        other = copy.copy(self)
        other._variables = self._variables.with_target(target)
        return other


class Wrapper(Shown):
    """A test that passes on what another one answers."""

    _test: Independence

    @property
    def inner(self) -> Independence:
        """The test that answers."""
        return self._test

    @property
    def name(self) -> str:
        """The test in words."""
        return self._test.name

    @property
    def seed(self) -> int | None:
        """Seed of the test, if anything in it is random."""
        return getattr(self._test, "seed", None)

    @property
    def features(self) -> tuple[str, ...]:
        """All variables but the target, in the order of the data."""
        return self._test.features

    @property
    def target(self) -> str:
        """Name of the target."""
        return self._test.target

    @property
    def members(self) -> dict[str, tuple[str, ...]]:
        """All names of the features that go by several; see ``Dataset.grouped``."""
        return dict(getattr(self._test, "members", {}))

    @property
    def absent(self) -> Mapping[str, str]:
        """Why other columns of the data are no features, by name."""
        return dict(getattr(self._test, "absent", {}))

    @property
    def separable(self) -> bool:
        """Whether p of a candidate does not depend on what else is tested at once."""
        return bool(getattr(self._test, "separable", True))

    @property
    def controls_discoveries(self) -> bool:
        """Whether p is corrected for the number of candidates."""
        return bool(getattr(self._test, "controls_discoveries", False))

    @property
    def eliminates(self) -> bool:
        """Whether the inner test removes features at less cost than it tests each by itself."""
        return isinstance(innermost(self._test), BackwardElimination)

    def suffices(self, candidate: str, given: Sequence[str]) -> bool:
        """Ask the inner test whether the rows suffice."""
        return suffices(self._test, candidate, given)

    def backward(self, features: Sequence[str], given: Sequence[str], alpha: float) -> Iterator[TestResults]:
        """Let the inner test remove features one after another."""
        return backward(self._test, features, given, alpha)

    def with_target(self, target: str) -> Self:
        """Return the same test for another variable."""
        other = copy.copy(self)
        other._test = self._test.with_target(target)
        return other


def innermost(test: Independence) -> Independence:
    """Return the test that others are wrapped around."""
    while isinstance(test, Wrapper):
        test = test.inner
    return test


def may_suffice(test: Independence, candidate: str, given: Sequence[str]) -> bool:
    """Return whether a test's own rule, if it has one, says that the rows suffice; no test is made.

    A test without such a rule says by `TestResults.tested` whether they did.
    """
    rule = getattr(innermost(test), "suffices", None)
    return rule is None or bool(rule(candidate, given))


def members_of(test: Independence) -> dict[str, tuple[str, ...]]:
    """Return all names of the features of a test that go by several, if it says so."""
    return dict(getattr(test, "members", {}))
