"""Correct p-values for the number of candidates tested at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from altsel._types import FloatArray
from altsel.stats.independence.base import Wrapper
from altsel.stats.independence.protocol import Independence, TestResults


class BenjaminiHochberg(Wrapper):
    """Wrap a test so that alpha bounds the share of false discoveries among its candidates.

    Of m candidates tested at once, the j-th smallest p becomes ``min_{i >= j} p_(i) m / i``: at
    alpha, the expected share of false ones among those declared dependent is at most alpha
    (for independent or positively dependent tests). One candidate alone is not corrected.

    Parameters
    ----------
    test
        The test.

    References
    ----------
    Benjamini and Hochberg, Journal of the Royal Statistical Society B 57 (1995).

    Examples
    --------
    >>> np.exp(adjusted(np.log([0.01, 0.04, 0.03, 0.9]))).round(4).tolist()
    [0.04, 0.0533, 0.0533, 0.9]
    """

    def __init__(self, test: Independence) -> None:
        self._test = test

    @property
    def separable(self) -> bool:
        """No: p is corrected for the number of candidates."""
        return False

    @property
    def corrected(self) -> bool:
        """Yes."""
        return True

    @property
    def name(self) -> str:
        """The test in words."""
        return f"{self._test.name}, Benjamini-Hochberg"

    def __call__(self, candidates: Sequence[str], given: Sequence[str] = ()) -> TestResults:
        """Test the candidates, and correct p among those that could be tested."""
        answers = self._test(candidates, given)
        log_p = answers.log_p.copy()
        log_p[answers.tested] = adjusted(log_p[answers.tested])
        return replace(answers, log_p=log_p)


def adjusted(log_p: FloatArray) -> FloatArray:
    """Adjust logarithms of p by the rule of Benjamini and Hochberg."""
    count = len(log_p)
    order = np.argsort(log_p, kind="stable")
    scaled = log_p[order] + np.log(count / np.arange(1, count + 1))
    lowest = np.minimum.accumulate(scaled[::-1])[::-1]
    result = np.empty(count)
    result[order] = np.minimum(lowest, 0.0)
    return result
