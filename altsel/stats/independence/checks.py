"""Whether a test of one's own keeps what every search relies on."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from math import sqrt
from typing import Any, get_args

import numpy as np
import pandas as pd

from altsel._types import FloatArray
from altsel.data.dataset import Dataset
from altsel.errors import ArgumentError, checked_integer, flags, of_kind
from altsel.stats.independence.known_samples import BEHIND, NOISE, NULL, TRUE, Columns, sample
from altsel.stats.independence.protocol import Independence, checked_test

Make = Callable[[Dataset], Independence]
ALPHA, ERRORS = 0.05, 3.0
"""Level that is looked at; standard errors by which it may be exceeded."""
POWER = 0.5
"""How often a plain dependence must be found."""
SIDES = 20
"""Samples that are tested from both sides."""


def check_test(
    make: Make,
    columns: Columns = "numbers",
    *,
    rows: int = 200,
    repeats: int = 200,
    random_state: int = 0,
    raises: bool = True,
) -> pd.DataFrame:
    """Check that a test does what searches rely on, as scikit-learn's ``check_estimator`` does.

    Samples are drawn of ``behind -> y``, ``behind -> null``, ``y -> true``, and ``noise``, with linear
    relations and normal errors of numbers, and with tables of three values of categories. Checked are: the
    level, given nothing and given ``behind`` (at .05, up to three standard errors); that a plain dependence
    is found; that p is a probability; that candidates tested together have the p that each has alone; that
    the order of columns, of candidates and of what is given does not matter; that the same data give the same
    p again; that both sides agree; that the test can be sent to other processes. Other relations and kinds of
    data need a study of their own (``benchmarks/level.py``).

    Parameters
    ----------
    make
        Makes the test of a data set: a class of tests, or a function such as
        ``lambda data: altsel.independence.Custom(data, function)``.
    columns
        ``"numbers"``, ``"categories"``, or ``"mixed"``: a target of classes, and features of both kinds.
    rows
        Rows of a sample.
    repeats
        Samples.
    random_state
        Seed of the samples.
    raises
        Whether a check that fails raises an error; else it is told in the table.

    Returns
    -------
    DataFrame
        Columns ``check``, ``ok`` and ``found``.

    Raises
    ------
    ArgumentError
        If a check fails, with all that fail; or if an argument is out of its range.

    Examples
    --------
    >>> from altsel.independence import Custom, PartialCorrelation, check_test
    >>> bool(check_test(PartialCorrelation, repeats=20).ok.all())
    True
    >>> def never(x, y, given):
    ...     return 1.0
    >>> told = check_test(lambda data: Custom(data, never), repeats=10, raises=False)
    >>> "finds a dependence" in told[~told.ok].check.tolist()
    True
    """
    of_kind("make", make, Callable, "a class of tests, or a function of a data set")
    if columns not in get_args(Columns):
        raise ArgumentError(f"columns={columns!r}; use one of {', '.join(map(repr, get_args(Columns)))}")
    checked_integer("rows", rows, 20)
    checked_integer("repeats", repeats, 10)
    checked_integer("random_state", random_state, 0)
    flags(raises=raises)
    samples = _Samples(make, columns, rows, repeats, random_state)
    told = []
    for name, look in samples.checks():
        try:
            ok, found = look()
        except Exception as fault:
            ok, found = False, f"{type(fault).__name__}: {fault}"
        told.append((name, ok, found))
    table = pd.DataFrame(told, columns=["check", "ok", "found"]).astype({"ok": bool})
    failed = table[~table.ok]
    if raises and len(failed):
        lines = [f"{row.check}: {row.found}" for row in failed.itertuples()]
        raise ArgumentError("the test fails: " + "; ".join(lines))
    return table


@dataclass
class _Samples:
    """The test on many samples."""

    make: Make
    columns: Columns
    rows: int
    repeats: int
    seed: int
    _known: dict[int, Dataset] = field(default_factory=dict)

    def checks(self) -> Iterator[tuple[str, Callable[[], tuple[bool, str]]]]:
        """Name the checks."""
        yield "is a test", self.is_a_test
        yield "p is a probability", self.probability
        yield "level, given nothing", lambda: self.level(self.of_nothing)
        yield "level, given what explains", lambda: self.level(self.of_null)
        yield "finds a dependence", self.power
        yield "candidates together", self.together
        yield "order of columns", self.order_of_columns
        yield "order of the given", self.order_of_given
        yield "the same again", self.again
        yield "both sides agree", self.sides
        yield "can be sent to processes", self.pickled

    @cached_property
    def of_nothing(self) -> FloatArray:
        """P of noise, given nothing, in each sample."""
        return np.array([self.test(j)([NOISE]).p[0] for j in range(self.repeats)])

    @cached_property
    def of_null(self) -> FloatArray:
        """P of what is independent given what explains."""
        return np.array([self.test(j)([NULL], [BEHIND]).p[0] for j in range(self.repeats)])

    def test(self, number: int = 0) -> Independence:
        """Return the test of one sample."""
        return self.make(self.data(number))

    def data(self, number: int) -> Dataset:
        """Draw a sample, once."""
        if number not in self._known:
            self._known[number] = self._drawn(number)
        return self._known[number]

    def _drawn(self, number: int) -> Dataset:
        random = np.random.default_rng([self.seed, number])
        parts = sample(self.columns, self.rows, random)
        target = pd.Series(parts.pop("y"), name="y")
        return Dataset(pd.DataFrame(parts), target, task="regression" if self.columns == "numbers" else None)

    def is_a_test(self) -> tuple[bool, str]:
        """Whether it is bound to the data, and has a name."""
        test, data = self.test(), self.data(0)
        checked_test(test)
        ok = tuple(test.features) == data.features and test.target == "y" and bool(test.name)
        return ok, f"features {', '.join(test.features)}; target {test.target}; name {test.name!r}"

    def probability(self) -> tuple[bool, str]:
        """Whether p is from 0 to 1."""
        every = np.concatenate([self.of_nothing, self.of_null, self.test()([NULL, TRUE, NOISE], [BEHIND]).p])
        ok = bool(np.isfinite(every).all() and (every >= 0).all() and (every <= 1).all())
        return ok, f"from {np.nanmin(every):.3g} to {np.nanmax(every):.3g}"

    def level(self, p: FloatArray) -> tuple[bool, str]:
        """Whether true nulls are rejected as seldom as is said."""
        share = float((p <= ALPHA).mean())
        most = ALPHA + ERRORS * sqrt(ALPHA * (1 - ALPHA) / len(p))
        return share <= most, f"rejected at .05 in {share:.3f} of {len(p)} samples; at most {most:.3f}"

    def power(self) -> tuple[bool, str]:
        """Whether what is plainly dependent is found."""
        p = np.array([self.test(j)([TRUE], [BEHIND]).p[0] for j in range(min(self.repeats, SIDES))])
        share = float((p <= ALPHA).mean())
        return share >= POWER, f"found in {share:.2f} of {len(p)} samples"

    def together(self) -> tuple[bool, str]:
        """Whether candidates tested together have the p that each has alone, in any order."""
        test = self.test()
        all_at_once, names = test([TRUE, NULL, NOISE], [BEHIND]).p, [NOISE, TRUE, NULL]
        turned, alone = test(names, [BEHIND]).p, [test([name], [BEHIND]).p[0] for name in names]
        return _same(np.append(turned, alone), np.tile(np.roll(all_at_once, 1), 2))

    def order_of_columns(self) -> tuple[bool, str]:
        """Whether the columns of the table may stand in another order."""
        data = self.data(0)
        other = Dataset(data.X[data.X.columns[::-1]], data.y, kinds=data.kinds, task=data.task)
        tests = self.make(data), self.make(other)
        found = [one([NULL, TRUE], [BEHIND]).p for one in tests]
        return _same(found[0], found[1])

    def order_of_given(self) -> tuple[bool, str]:
        """Whether what is given may be named in another order."""
        test = self.test()
        return _same(test([TRUE], [BEHIND, NOISE]).p, test([TRUE], [NOISE, BEHIND]).p)

    def again(self) -> tuple[bool, str]:
        """Whether the same data give the same p."""
        return _same(self.test()([NULL, TRUE], [BEHIND]).p, self.test()([NULL, TRUE], [BEHIND]).p)

    def sides(self) -> tuple[bool, str]:
        """Whether a feature and the target may change places: searches look around features, too."""
        count, agree = min(self.repeats, SIDES), 0
        for number in range(count):
            test = self.test(number)
            for name in (TRUE, NULL):
                there = test.with_target(name)(["y"], [BEHIND]).p[0] <= ALPHA
                agree += there == (test([name], [BEHIND]).p[0] <= ALPHA)
        share = agree / (2 * count)
        return share >= 0.8, f"the same verdict at .05 in {share:.2f} of {2 * count}"

    def pickled(self) -> tuple[bool, str]:
        """Whether a copy in another process would give the same."""
        test = self.test()
        return _same(pickle.loads(pickle.dumps(test))([TRUE], [BEHIND]).p, test([TRUE], [BEHIND]).p)


def _same(found: Any, expected: Any) -> tuple[bool, str]:
    ok = bool(np.allclose(found, expected, rtol=1e-6, atol=1e-12))
    return ok, f"p differs by {float(np.max(np.abs(np.asarray(found) - expected))):.3g} at most"
