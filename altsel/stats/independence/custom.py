"""Any function as a test, of arrays or of a table; kernel tests of other libraries."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from inspect import Parameter, signature
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from altsel._types import FloatArray
from altsel.data.dataset import Dataset, checked_dataset
from altsel.data.schema import Kind
from altsel.errors import (
    ArgumentError,
    ConfigurationError,
    DataError,
    DataWarning,
    checked_integer,
    flags,
    listing,
    of_kind,
)
from altsel.runtime.caller import warn_caller
from altsel.runtime.on_demand import load
from altsel.stats.independence.base import BoundTest, Variables
from altsel.stats.independence.protocol import TestResults

Function = Callable[..., Any]
"""Takes a candidate and the target, shape (rows,), and the given features, shape (rows, features);
returns p, or p and a statistic."""
FEW_LEVELS = 2
"""Levels up to which codes 0 and 1 are as good as numbers."""


class Question(NamedTuple):
    """What a test is asked, by name: is each candidate independent of the target given others."""

    candidates: tuple[str, ...]
    target: str
    given: tuple[str, ...]


class Custom(BoundTest):
    """A test of one's own.

    Parameters
    ----------
    data
        Features and target; categories are handed over as codes 0, 1, …, or as they are in a table.
    function
        ``function(x, y, given)`` returns p, or p and a statistic. It may take the keywords ``names``, a
        tuple of ``candidates``, ``target`` and ``given``, and ``kinds``, the kind of each variable by name.
    name
        The test in words.
    table
        Whether it is called by ``function(table)`` with a `pandas.DataFrame` instead: the columns are the
        candidate, the target, and the given features, by their names, categories as they are.
    batch
        Whether x has all candidates, shape (rows, candidates), and the function returns p, or p and a
        statistic, of each, shape (candidates,).
    seed
        Seed of everything random in the function, for the result.

    Raises
    ------
    ArgumentError
        If the function takes other arguments, or a table and a batch are both wanted.

    Warns
    -----
    DataWarning
        If there are categories of more than two levels, and the function takes neither a table nor kinds:
        as codes they would be taken for numbers.

    Examples
    --------
    >>> import altsel
    >>> from scipy.stats import kendalltau
    >>> def kendall(x, y, given):
    ...     return kendalltau(x, y).pvalue  # would have to use `given`
    >>> data = altsel.Dataset({"a": [1.0, 2, 3, 4, 5, 6]}, [1.5, 2, 4, 3, 6, 7])
    >>> Custom(data, kendall, "Kendall's tau")(["a"]).p.round(4).tolist()
    [0.0167]
    """

    def __init__(
        self,
        data: Dataset,
        function: Function,
        name: str = "",
        *,
        table: bool = False,
        batch: bool = False,
        seed: int | None = None,
    ) -> None:
        checked_dataset("a test", data)
        of_kind("function", function, Callable, "a function of candidate, target and given")
        of_kind("name", name, str, "a text")
        of_kind("seed", seed, Integral | None, "an integer, or None")
        flags(table=table, batch=batch)
        if table and batch:
            raise ArgumentError(
                "table=True has one candidate, and batch=True all of them; choose one of both"
            )
        self.seed = seed
        self.name = name or getattr(function, "__name__", "custom test")
        self.data, self._variables = data, Variables.of(data)
        self._matrix = np.column_stack([data.matrix(), data.target_values()])
        self._function, self._table, self._batch = function, table, batch
        self._kinds = {**data.kinds, data.target: data.target_kind}
        self._keywords = _keywords_of(function, self.name, 1 if table else 3)
        if not table and "kinds" not in self._keywords:
            self._warn_of_categories()

    def _warn_of_categories(self) -> None:
        coded = [
            name
            for j, name in enumerate(self._variables.names)
            if self._kinds[name] is Kind.CATEGORICAL and self._matrix[:, j].max() >= FEW_LEVELS
        ]
        if coded:
            warn_caller(
                f"{self.name}: categories would be taken for numbers 0, 1, 2, … ({listing(coded)}): "
                "let the function take the keyword kinds, or use table=True",
                DataWarning,
            )

    def __call__(self, candidates: Sequence[str], given: Sequence[str] = ()) -> TestResults:
        """Call the function, for each candidate or for all at once.

        Raises
        ------
        DataError
            If it returns no p between 0 and 1.
        """
        indices, known = self._variables.indices(candidates, given)
        names = self._variables.names
        asked = Question(tuple(candidates), self.target, tuple(names[j] for j in known))
        if self._batch:
            p, statistic = self._all(asked, indices, known)
        else:
            found = [
                self._one(name, int(j), asked, known) for name, j in zip(candidates, indices, strict=True)
            ]
            p, statistic = np.array(found, dtype=float).reshape(-1, 2).T
        log_p = np.log(np.maximum(p, np.finfo(float).tiny))
        ones = np.ones(len(p))
        return TestResults(tuple(candidates), log_p, statistic, ones, statistic, ones.astype(bool))

    def _told(self, asked: Question) -> dict[str, Any]:
        told: Mapping[str, Any] = {"names": asked, "kinds": self._kinds}
        return {key: told[key] for key in self._keywords}

    def _one(self, name: str, j: int, asked: Question, known: Sequence[int]) -> tuple[float, float]:
        told = self._told(asked._replace(candidates=(name,)))
        goal = self._variables.index[self.target]
        if self._table:
            columns = {one: self._column(one) for one in (name, self.target, *asked.given)}
            result = self._function(pd.DataFrame(columns), **told)
        else:
            x, y, given = self._matrix[:, j], self._matrix[:, goal], self._matrix[:, list(known)]
            result = self._function(x, y, given, **told)
        p, statistic = result if isinstance(result, tuple) else (result, _strength(result))
        self._check(np.array([p], dtype=float), asked._replace(candidates=(name,)))
        return float(p), float(statistic)

    def _all(self, asked: Question, indices: Any, known: Sequence[int]) -> tuple[FloatArray, FloatArray]:
        goal = self._variables.index[self.target]
        x, y, given = self._matrix[:, indices], self._matrix[:, goal], self._matrix[:, list(known)]
        result = self._function(x, y, given, **self._told(asked))
        p, statistic = result if isinstance(result, tuple) else (result, _strength(result))
        p, statistic = np.asarray(p, dtype=float), np.asarray(statistic, dtype=float)
        if p.shape != (len(indices),) or statistic.shape != p.shape:
            raise DataError(
                f"{self.name} gave p of shape {p.shape} for {len(indices)} candidates; one each is needed"
            )
        self._check(p, asked)
        return p, statistic

    def _check(self, p: FloatArray, asked: Question) -> None:
        for name, value in zip(asked.candidates, p.tolist(), strict=True):
            if not 0 <= value <= 1:
                raise DataError(f"{self.name} gave p = {value!r} for {name!r}; p must be between 0 and 1")

    def _column(self, name: str) -> Any:
        return (self.data.y if name == self.data.target else self.data.X[name]).array


def _strength(p: Any) -> Any:
    return -np.log(np.maximum(np.asarray(p, dtype=float), 1e-300))


def _keywords_of(function: Function, name: str, positional: int) -> tuple[str, ...]:
    """Return which of the keywords a function takes, and refuse one that takes other arguments."""
    try:
        given = signature(function).parameters.values()
    except (TypeError, ValueError):  # of a compiled function nothing is known
        return ()
    open_ended = any(one.kind is Parameter.VAR_POSITIONAL for one in given)
    places = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    first = [one for one in given if one.kind in places and one.name not in {"names", "kinds"}]
    needed = [one for one in first if one.default is Parameter.empty]
    if len(needed) > positional or (len(first) < positional and not open_ended):
        wanted = "table" if positional == 1 else "x, y, given"
        raise ArgumentError(
            f"{name} takes {listing(one.name for one in first)}, and is called with ({wanted})"
        )
    return tuple(one.name for one in given if one.name in {"names", "kinds"})


def kernel(data: Dataset, *, rows: int = 1000, random_state: int = 0) -> Custom:
    """Build the kernel test of conditional independence (KCI) of the causal-learn package.

    It sees any dependence, also a non-linear one, but takes time of the cube of the rows.

    Parameters
    ----------
    data
        Numbers; categories count as codes.
    rows
        Rows used at most, drawn at random.
    random_state
        Seed of the draw.

    Raises
    ------
    ConfigurationError
        If causal-learn is not installed: ``pip install "altsel[kernel]"``.

    References
    ----------
    Zhang, Peters, Janzing and Schölkopf, UAI 2011.

    Examples
    --------
    >>> random = np.random.default_rng(0)
    >>> a = random.normal(size=60)
    >>> data = Dataset({"a": a, "b": random.normal(size=60)}, np.cos(3 * a))
    >>> kernel(data, rows=60)(["a", "b"]).p < 0.01  # doctest: +SKIP
    array([ True, False])
    """
    checked_integer("rows", rows, 10)
    try:
        tests = load("causallearn.utils.KCI.KCI")
    except ImportError as fault:
        raise ConfigurationError(
            'the kernel test needs causal-learn: pip install "altsel[kernel]"'
        ) from fault
    chosen = np.sort(np.random.default_rng(random_state).permutation(len(data.y))[:rows])

    def kernel(x: FloatArray, y: FloatArray, given: FloatArray, kinds: object) -> tuple[float, float]:
        del kinds  # categories count as codes
        x, y, given = x[chosen, None], y[chosen, None], given[chosen]
        if given.shape[1]:
            p, statistic = tests.KCI_CInd().compute_pvalue(x, y, given)
        else:
            p, statistic = tests.KCI_UInd().compute_pvalue(x, y)
        return float(min(max(p, 0.0), 1.0)), float(statistic)

    return Custom(data, kernel, "kernel test of conditional independence", seed=random_state)
