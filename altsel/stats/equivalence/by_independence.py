"""Information equivalence by the test of independence itself; by an oracle it is exact."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import exp, log

from altsel.data.scanning import Scan
from altsel.results.comparison import Comparison, Definition
from altsel.stats.equivalence.models.frequencies import FrequencyModels
from altsel.stats.equivalence.protocol import Names
from altsel.stats.independence.base import innermost
from altsel.stats.independence.g_square import GSquare
from altsel.stats.independence.protocol import Independence, checked_test
from altsel.stats.log_p import log_chi_square


@dataclass(frozen=True)
class ByIndependence:
    r"""Definition 12 by a test of independence: ``T ⊥ Y | X`` and ``T ⊥ X | Y``, feature by feature.

    By the chain rule ``T ⊥ Y | X`` holds if and only if ``T ⊥ Y_j | X, Y_1, …, Y_{j-1}`` for all j.
    G-square statistics of a chain and their degrees of freedom add up to those of all features
    at once; otherwise p is the smallest of the chain times its length (Bonferroni). p of both
    directions is the smaller one. Features for which the rows do not suffice leave the sets untested,
    unless in a table of counts they are functions of the given ones: copies and codes in common.

    Parameters
    ----------
    test
        A test, or an oracle, bound to the target.

    References
    ----------
    Borboudakis and Tsamardinos (2021), definition 12.

    Examples
    --------
    >>> import altsel
    >>> columns = {"a": [0, 0, 1, 1] * 30, "b": [0, 1] * 60, "c": [5, 5, 7, 7] * 30}
    >>> data = altsel.Dataset(columns, [0, 1, 1, 1] * 30)
    >>> same = ByIndependence(altsel.independence.GSquare(data))
    >>> same(["a", "b"], ["b", "c"]).p, same(["a", "b"], ["b"]).p < 1e-9
    (1.0, True)
    """

    test: Independence

    definition = Definition.INFORMATION

    def __post_init__(self) -> None:
        checked_test(self.test)

    @property
    def name(self) -> str:
        """The test in words."""
        return f"information equivalence by {self.test.name}"

    def __call__(self, first: Names, second: Names) -> Comparison:
        """Compare two sets; the statistic is ``-log p``."""
        results = [self._chain(first, second), self._chain(second, first)]
        log_p = min(log_p for log_p, _ in results)
        tested = all(tested for _, tested in results)
        return Comparison(
            self.name, self.definition, exp(log_p) if tested else 1.0, 0.0 - log_p, tested=tested
        )

    def _chain(self, given: Names, rest: Names) -> tuple[float, bool]:
        """Test whether some features tell nothing more given others: log p, and whether it was tested."""
        known = list(given)
        new = [name for name in rest if name not in given]
        smallest, statistic, dof = 0.0, 0.0, 0.0
        for name in new:
            answer = self.test([name], known)
            if not answer.tested[0] and not self._determined(name, known):
                return 0.0, False
            smallest = min(smallest, float(answer.log_p[0]))
            statistic, dof = statistic + float(answer.statistic[0]), dof + float(answer.dof[0])
            known.append(name)
        if not new:
            return 0.0, True
        base = innermost(self.test)
        if isinstance(base, GSquare) and base.groups is None:
            return float(log_chi_square(statistic, dof)), True
        return min(smallest + log(len(new)), 0.0), True

    def _determined(self, name: str, given: Names) -> bool:
        return self._frequencies is not None and self._frequencies.determined(name, given)

    @cached_property
    def _frequencies(self) -> FrequencyModels | None:
        base = innermost(self.test)
        if not isinstance(base, GSquare) or isinstance(base.data, Scan):
            return None
        return FrequencyModels(base.data)
