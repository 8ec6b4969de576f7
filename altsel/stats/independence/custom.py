"""Any function of three arrays as a test, among them kernel tests of other libraries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from numbers import Integral

import numpy as np

from altsel._types import FloatArray
from altsel.data.dataset import Dataset, checked_dataset
from altsel.errors import ConfigurationError, DataError, checked_integer, of_kind
from altsel.runtime.on_demand import load
from altsel.stats.independence.base import BoundTest, Variables
from altsel.stats.independence.protocol import TestResults

Function = Callable[[FloatArray, FloatArray, FloatArray], float | tuple[float, float]]
"""Takes a candidate and the target, shape (rows,), and the given features, shape (rows, features);
returns p, or p and a statistic."""


class Custom(BoundTest):
    """A test of one's own, called for one candidate at a time.

    Parameters
    ----------
    data
        Features and target; categories are handed over as codes 0, 1, ….
    function
        ``function(x, y, given)`` returns p, or p and a statistic.
    name
        The test in words.
    seed
        Seed of everything random in the function, for the result.

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

    def __init__(self, data: Dataset, function: Function, name: str = "", *, seed: int | None = None) -> None:
        checked_dataset("a test", data)
        of_kind("function", function, Callable, "a function of candidate, target and given")
        of_kind("name", name, str, "a text")
        of_kind("seed", seed, Integral | None, "an integer, or None")
        self.seed = seed
        self.name = name or getattr(function, "__name__", "custom test")
        self.data, self._variables = data, Variables.of(data)
        self._matrix = np.column_stack([data.matrix(), data.target_values()])
        self._function = function

    def __call__(self, candidates: Sequence[str], given: Sequence[str] = ()) -> TestResults:
        """Call the function for each candidate.

        Raises
        ------
        DataError
            If it returns no p between 0 and 1.
        """
        indices, known = self._variables.indices(candidates, given)
        target, others = self._matrix[:, self._variables.index[self.target]], self._matrix[:, known]
        found = [
            self._one(self._matrix[:, j], target, others, name)
            for j, name in zip(indices, candidates, strict=True)
        ]
        p, statistic = np.array(found, dtype=float).reshape(-1, 2).T
        log_p = np.log(np.maximum(p, np.finfo(float).tiny))
        ones = np.ones(len(p))
        return TestResults(tuple(candidates), log_p, statistic, ones, statistic, ones.astype(bool))

    def _one(self, x: FloatArray, y: FloatArray, given: FloatArray, name: str) -> tuple[float, float]:
        result = self._function(x, y, given)
        p, statistic = result if isinstance(result, tuple) else (result, -np.log(max(float(result), 1e-300)))
        if not 0 <= p <= 1:
            raise DataError(f"{self.name} gave p = {p!r} for {name!r}; p must be between 0 and 1")
        return float(p), float(statistic)


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

    def kernel(x: FloatArray, y: FloatArray, given: FloatArray) -> tuple[float, float]:
        x, y, given = x[chosen, None], y[chosen, None], given[chosen]
        if given.shape[1]:
            p, statistic = tests.KCI_CInd().compute_pvalue(x, y, given)
        else:
            p, statistic = tests.KCI_UInd().compute_pvalue(x, y)
        return float(min(max(p, 0.0), 1.0)), float(statistic)

    return Custom(data, kernel, "kernel test of conditional independence", seed=random_state)
