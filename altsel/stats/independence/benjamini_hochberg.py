"""Correct p-values for the number of candidates tested at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from altsel.stats.corrections import benjamini_hochberg
from altsel.stats.independence.base import Wrapper
from altsel.stats.independence.protocol import Independence, TestResults, checked_test


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
    >>> import numpy as np, altsel
    >>> noise = np.random.default_rng(0).normal(size=(100, 4))
    >>> test = altsel.independence.PartialCorrelation(altsel.Dataset(noise, noise.sum(axis=1) ** 2))
    >>> (BenjaminiHochberg(test)(test.features).p >= test(test.features).p).all()
    np.True_
    """

    def __init__(self, test: Independence) -> None:
        checked_test(test)
        self._test = test

    @property
    def separable(self) -> bool:
        """No: p is corrected for the number of candidates."""
        return False

    @property
    def controls_discoveries(self) -> bool:
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
        log_p[answers.tested] = benjamini_hochberg(log_p[answers.tested])
        return replace(answers, log_p=log_p)
