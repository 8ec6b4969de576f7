"""Count a test's work, and remember its answers."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from altsel.errors import checked_integer
from altsel.stats.independence.base import Wrapper, refuse_no_names
from altsel.stats.independence.protocol import Independence, TestResults, backward, checked_test

Row = tuple[float, float, float, float, bool]


@dataclass
class TestCounts:
    """What was requested of a counted test, and what it did.

    Attributes
    ----------
    calls
        Times it was called.
    requested
        Answers given.
    tests
        Answers that had to be computed; the others were remembered.
    """

    __test__ = False  # for pytest: no class of tests

    calls: int = 0
    requested: int = 0
    tests: int = 0


class Counted(Wrapper):
    """Wrap a test to count what it does, and to remember its last answers.

    Answers are remembered by target, candidate and the set given, in whatever order that came.

    Parameters
    ----------
    test
        The test.
    remembered
        How many answers are kept at most; 0 only counts.

    Attributes
    ----------
    account
        The counts, shared by all targets.

    Examples
    --------
    >>> import altsel
    >>> data = altsel.Dataset({"a": [0, 0, 1, 1] * 10, "b": [0, 1] * 20}, [0, 0, 1, 1] * 10)
    >>> test = Counted(altsel.independence.GSquare(data))
    >>> answers = [test(["a", "b"]), test(["b"])]
    >>> test.account
    TestCounts(calls=2, requested=3, tests=2)
    """

    def __init__(self, test: Independence, remembered: int = 100_000) -> None:
        checked_test(test)
        checked_integer("remembered", remembered, 0)
        self._test, self._remembered = test, remembered
        self._known: OrderedDict[tuple[str, str, frozenset[str]], Row] = OrderedDict()
        self.account = TestCounts()

    def __call__(self, candidates: Sequence[str], given: Sequence[str] = ()) -> TestResults:
        """Answer from memory, and let the test answer the rest."""
        refuse_no_names(candidates, given)
        if len(set(candidates)) < len(candidates) or not len(candidates):
            return self._test(candidates, given)
        base = frozenset(given)
        rows: dict[str, Row] = {}
        missing = []
        for name in candidates:
            known = self._known.get((self.target, name, base))
            if known is None:
                missing.append(name)
            else:
                rows[name] = known
        if missing:
            rows |= self._computed(missing, given, base)
        self.account.calls += 1
        self.account.requested += len(candidates)
        self.account.tests += len(missing)
        columns = np.array([rows[name] for name in candidates], dtype=float).reshape(-1, 5).T
        log_p, statistic, dof, effect, tested = columns
        return TestResults(tuple(candidates), log_p, statistic, dof, effect, tested.astype(bool))

    def backward(self, features: Sequence[str], given: Sequence[str], alpha: float) -> Iterator[TestResults]:
        """Let the inner test remove features, and count."""
        for answers in backward(self._test, features, given, alpha):
            self.account.calls += 1
            self.account.requested += 1
            self.account.tests += 1
            yield answers

    def _computed(self, names: list[str], given: Sequence[str], base: frozenset[str]) -> dict[str, Row]:
        answers = self._test(names, given)
        parts = (answers.log_p, answers.statistic, answers.dof, answers.effect, answers.tested)
        found = dict(zip(names, zip(*(part.tolist() for part in parts), strict=True), strict=True))
        for name, row in found.items():
            self._known[self.target, name, base] = row
        while len(self._known) > self._remembered:
            self._known.popitem(last=False)
        return found
