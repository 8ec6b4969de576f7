"""Test of independence of a time to an event, by Cox regression."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt
import pandas as pd

from altsel.data.dataset import Dataset, checked_dataset
from altsel.errors import ArgumentError, ConfigurationError, DataError
from altsel.runtime.on_demand import load
from altsel.stats.independence.base import BoundTest, Variables
from altsel.stats.independence.glm.design import Design
from altsel.stats.independence.protocol import TestResults
from altsel.stats.log_p import log_chi_square


class CoxRatio(BoundTest):
    """Test whether a feature adds to a proportional-hazards model of the time to an event.

    ``LR = 2 (l(T | S, X) - l(T | S))`` of partial likelihoods, asymptotically chi-square. The
    models are fitted by the lifelines package, one candidate at a time.

    Parameters
    ----------
    data
        Features of any kind; the target is the time, censored or not.
    event
        Whether the event was seen, one value a row; else the row is censored at that time.

    Raises
    ------
    ConfigurationError
        If lifelines is not installed: ``pip install "altsel[survival]"``.
    DataError
        If `event` has another length or is never true.

    References
    ----------
    Borboudakis and Tsamardinos (2021), section 2; Cox, Journal of the Royal Statistical Society B 34 (1972).

    Examples
    --------
    >>> from altsel import Dataset
    >>> random = np.random.default_rng(0)
    >>> dose = random.normal(size=100)
    >>> data = Dataset({"dose": dose, "noise": random.normal(size=100)}, random.exponential(np.exp(-dose)))
    >>> test = CoxRatio(data, event=np.ones(100))  # doctest: +SKIP
    >>> test(["dose", "noise"]).p < 0.01  # doctest: +SKIP
    array([ True, False])
    """

    name = "likelihood-ratio test (Cox regression)"

    def __init__(self, data: Dataset, event: npt.ArrayLike) -> None:
        try:
            self._fitter = load("lifelines").CoxPHFitter
        except ImportError as fault:
            raise ConfigurationError(
                'Cox regression needs lifelines: pip install "altsel[survival]"'
            ) from fault
        checked_dataset("a test", data)
        self._event = np.asarray(event, dtype=bool)
        if self._event.shape != (len(data.y),) or not self._event.any():
            raise DataError(f"event needs {len(data.y)} values, at least one of them true")
        self.data, self._variables = data, Variables.of(data)
        self._time = data.target_values() if not data.discrete_target else data.y.to_numpy(dtype=float)
        self._design = Design.of(data.X, list(data.kinds.values()))
        self._known = lru_cache(1000)(self._log_likelihood)

    def with_target(self, target: str) -> CoxRatio:
        """Refuse: only the time can be the target, so searches around neighbours are not possible."""
        raise ArgumentError(
            f"Cox regression has the time as its target, not {target!r}; "
            "use a search around one target: forward_backward, iamb, mmpc, hiton_pc, stmb"
        )

    def __call__(self, candidates: Sequence[str], given: Sequence[str] = ()) -> TestResults:
        """Fit the model with each candidate, and compare it with the one without."""
        indices, known = self._variables.indices(candidates, given)
        base, size = self._known(tuple(sorted(known)))
        fits = [self._known(tuple(sorted([*known, j]))) for j in indices.tolist()]
        statistic = np.array([max(2 * (reached - base), 0.0) for reached, _ in fits])
        dof = np.array([float(wide - size) for _, wide in fits])
        log_p = log_chi_square(statistic, dof)
        tested = np.ones(len(fits), dtype=bool)
        return TestResults(
            tuple(candidates), log_p, statistic, dof, statistic / (2 * len(self._time)), tested
        )

    def _log_likelihood(self, indices: tuple[int, ...]) -> tuple[float, int]:
        """Fit by the given features; return the log partial likelihood and the number of coefficients."""
        columns = self._design.given(indices)[:, 1:]
        table = pd.DataFrame(columns, columns=[f"x{j}" for j in range(columns.shape[1])])
        table["time"], table["event"] = self._time, self._event
        if not columns.shape[1]:
            table["x0"] = np.arange(len(table)) % 2.0  # lifelines needs a column to tell the null model
            return float(_null(self._fitter().fit(table, "time", "event"))), 0
        return float(self._fitter().fit(table, "time", "event").log_likelihood_), columns.shape[1]


def _null(fitted: object) -> float:
    """Log partial likelihood without any feature."""
    return float(fitted._ll_null_)  # type: ignore[attr-defined]
