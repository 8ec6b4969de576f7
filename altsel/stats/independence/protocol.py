"""What a conditional-independence test takes and what it returns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import log
from typing import Protocol, runtime_checkable

import numpy as np
import pandas as pd

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.errors import ArgumentError, level


@dataclass(frozen=True, eq=False)
class TestResults:
    """Answers to "is this feature independent of the target given these?", one a candidate.

    Attributes
    ----------
    candidates
        Names of the features tested.
    log_p
        Natural logarithm of p; never minus infinity, so small ones can be compared.
    statistic, dof
        Test statistic and its degrees of freedom.
    effect
        Effect size; the test's documentation says which.
    tested
        False where the data do not suffice for the test: then p is 1 and tells nothing.

    Examples
    --------
    >>> from altsel import Dataset, independence
    >>> data = Dataset({"a": [1.0, 2, 3, 4, 5, 6], "b": [2.0, 1, 2, 1, 2, 1]}, [1.1, 2.2, 2.9, 4.2, 5.0, 5.8])
    >>> answers = independence.PartialCorrelation(data)(["a", "b"], given=[])
    >>> (answers.p < 0.05).tolist(), answers.to_frame().index.tolist()
    ([True, False], ['a', 'b'])
    """

    __test__ = False  # for pytest: no class of tests

    candidates: tuple[str, ...]
    log_p: FloatArray
    statistic: FloatArray
    dof: FloatArray
    effect: FloatArray
    tested: BoolArray

    @property
    def p(self) -> FloatArray:
        """The p-values; 0 where they are too small for a float."""
        return np.asarray(np.exp(self.log_p))

    def dependent(self, alpha: float) -> BoolArray:
        """Return which candidates were tested and have p of at most alpha, a number between 0 and 1."""
        level("alpha", alpha)
        return np.asarray(self.tested & (self.log_p <= log(alpha)))

    def independent(self, alpha: float) -> BoolArray:
        """Return which candidates were tested and have p above alpha, a number between 0 and 1."""
        level("alpha", alpha)
        return np.asarray(self.tested & (self.log_p > log(alpha)))

    def order(self) -> IntArray:
        """Rank the candidates: least p first, then largest statistic, then as they were given.

        Values that differ in rounding only (10 digits) count as equal.
        """
        keys = (-rounded(np.abs(self.statistic)), rounded(self.log_p), ~self.tested)
        return np.lexsort(keys).astype(np.int64)

    def order_by_association(self) -> IntArray:
        """Rank the candidates: largest statistic for each degree of freedom first, then least p."""
        share = np.abs(self.statistic) / np.maximum(self.dof, 1)
        return np.lexsort((rounded(self.log_p), -rounded(share), ~self.tested)).astype(np.int64)

    def order_by_effect(self) -> IntArray:
        """Rank the candidates: largest effect first (for tables the mutual information), then least p."""
        return np.lexsort((rounded(self.log_p), -rounded(np.abs(self.effect)), ~self.tested)).astype(np.int64)

    def first(self, count: int) -> TestResults:
        """Return the answers for the first candidates."""
        return self._part(slice(count))

    def only(self, index: int) -> TestResults:
        """Return the answer for one candidate."""
        return self._part(slice(index, index + 1))

    def _part(self, some: slice) -> TestResults:
        parts = (self.log_p, self.statistic, self.dof, self.effect)
        log_p, statistic, dof, effect = (part[some] for part in parts)
        return TestResults(self.candidates[some], log_p, statistic, dof, effect, self.tested[some])

    def to_frame(self) -> pd.DataFrame:
        """Tabulate the answers, one row a candidate."""
        columns = {
            "p": self.p,
            "log_p": self.log_p,
            "statistic": self.statistic,
            "dof": self.dof,
            "effect": self.effect,
            "tested": self.tested,
        }
        return pd.DataFrame(columns, index=pd.Index(self.candidates, name="feature"))


@runtime_checkable
class Independence(Protocol):
    """A conditional-independence test bound to data and a target.

    Calling it answers for all candidates at once whether each is independent of the target
    given some other features. ``with_target(name)`` is the same test with another variable as target.

    Examples
    --------
    >>> from altsel import Dataset, independence
    >>> data = Dataset({"a": [1.0, 2, 3, 4, 5, 6], "b": [2.0, 1, 2, 1, 2, 1]}, [1.1, 2.2, 2.9, 4.2, 5.0, 5.8])
    >>> test = independence.PartialCorrelation(data)
    >>> isinstance(test, Independence), test.target, test.with_target("a").target
    (True, 'y', 'a')
    """

    @property
    def name(self) -> str:
        """The test in words."""

    @property
    def features(self) -> tuple[str, ...]:
        """All variables but the target, in the order of the data."""

    @property
    def target(self) -> str:
        """Name of the target."""

    def __call__(self, candidates: Sequence[str], given: Sequence[str] = ()) -> TestResults:
        """Test each candidate against the target given the features in `given`."""

    def with_target(self, target: str) -> Independence:
        """Return the same test with another variable as target."""


@runtime_checkable
class Screening(Protocol):
    """A test that can rank candidates at less cost than it tests them."""

    def best_first(
        self, candidates: Sequence[str], given: Sequence[str], order: Callable[[TestResults], IntArray]
    ) -> TestResults:
        """Answer such that the first in the order is tested in full; the others may be estimated."""


def checked_test(test: object) -> None:
    """Raise an ArgumentError if something is no test of independence."""
    if not isinstance(test, Independence):
        kind = type(test).__name__
        raise ArgumentError(f"a {kind} is no independence test; give for example GSquare(data)")


@runtime_checkable
class Deciding(Protocol):
    """A test that can tell at less cost than it finds p that p is at most alpha."""

    def decided(
        self, candidates: Sequence[str], given: Sequence[str], alpha: float, weakest: FloatArray | None
    ) -> tuple[TestResults, BoolArray]:
        """Test candidates, in full unless p is certainly at most alpha.

        Parameters
        ----------
        candidates, given
            As when the test is called.
        alpha
            Level of the test.
        weakest
            Logarithm of p for each candidate, above which p is wanted from above as sharply as can be told.

        Returns
        -------
        tuple
            The answers, and which are in full; p of the others is at most what is given.
        """


@runtime_checkable
class LeaveOneOut(Protocol):
    """A test that answers at less cost for every one of some features given all others of them."""

    def leave_one_out(self, features: Sequence[str]) -> TestResults:
        """Test each feature given the others."""


@runtime_checkable
class LeastDependent(LeaveOneOut, Protocol):
    """One that finds the feature with the largest p at less cost than it tests them all."""

    def least_dependent(self, features: Sequence[str]) -> TestResults:
        """Test, of features given the others, those that may have the largest p."""


@runtime_checkable
class BackwardElimination(Protocol):
    """A test that removes features one after another at less cost than it tests each by itself."""

    def backward(self, features: Sequence[str], given: Sequence[str], alpha: float) -> Iterator[TestResults]:
        """Test each feature given those that are left and `given`; one that is independent leaves at once."""


@runtime_checkable
class RowRule(Protocol):
    """A test that knows for how many rows its answers are reliable."""

    def suffices(self, candidate: str, given: Sequence[str]) -> bool:
        """Return whether there are five rows for each cell or coefficient, rows counting as their weights."""


def suffices(test: Independence, candidate: str, given: Sequence[str]) -> bool:
    """Return whether the rows suffice to test a candidate reliably, by the test's own rule if it has one."""
    rule = getattr(test, "suffices", None)  # as isinstance(test, RowRule), which takes long, says
    if rule is not None:
        return bool(rule(candidate, given))
    return bool(test([candidate], tuple(given)).tested[0])


def backward(
    test: Callable[[Sequence[str], Sequence[str]], TestResults],
    features: Sequence[str],
    given: Sequence[str],
    alpha: float,
) -> Iterator[TestResults]:
    """Test features in turn given those that are left, by the test's own elimination if it has one."""
    if isinstance(test, BackwardElimination) and getattr(test, "eliminates", True):
        yield from test.backward(features, given, alpha)
        return
    left = list(features)
    for name in features:
        answer = test([name], [*(other for other in left if other != name), *given])
        yield answer
        if answer.independent(alpha)[0]:
            left.remove(name)


def joined(parts: Sequence[TestResults]) -> TestResults:
    """Concatenate results."""
    names = tuple(name for part in parts for name in part.candidates)
    numbers = [(part.log_p, part.statistic, part.dof, part.effect) for part in parts]
    log_p, statistic, dof, effect = np.concatenate([np.zeros((4, 0)), *numbers], axis=1)
    tested = np.concatenate([np.zeros(0, dtype=bool), *(part.tested for part in parts)])
    return TestResults(names, log_p, statistic, dof, effect, tested)


def one_by_one(
    test: Callable[[Sequence[str], Sequence[str]], TestResults], features: Sequence[str]
) -> TestResults:
    """Test each feature given all others of them."""
    return joined([test([name], [other for other in features if other != name]) for name in features])


def certain(candidates: Sequence[str], independent: BoolArray, strength: FloatArray) -> TestResults:
    """Answer without doubt: p is 1 for independence, and as good as 0 for dependence."""
    ones = np.ones(len(candidates))
    log_p = np.where(independent, 0.0, CERTAIN)
    return TestResults(tuple(candidates), log_p, strength, ones, strength, ones.astype(bool))


CERTAIN = -1000.0
"""Logarithm of p where an oracle knows of a dependence."""


def rounded(values: FloatArray) -> FloatArray:
    """Round to 33 significant bits, so that what differs in rounding only is equal."""
    mantissa, exponent = np.frexp(values)
    return np.asarray(np.ldexp(np.round(np.ldexp(mantissa, 33)), exponent - 33))
