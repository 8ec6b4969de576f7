"""When a set counts as equivalent to the reference, in a search for all blankets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from altsel.data.scanning import Scan, Statistics
from altsel.errors import ArgumentError, level, of_kind
from altsel.results.comparison import Comparison, Definition
from altsel.stats.equivalence.by_independence import ByIndependence
from altsel.stats.equivalence.comprehensive import Comprehensive
from altsel.stats.equivalence.models.frequencies import FrequencyModels
from altsel.stats.equivalence.models.glm import GLMModels
from altsel.stats.equivalence.permutation import PermutedVariance
from altsel.stats.equivalence.protocol import Models, Names
from altsel.stats.independence.base import innermost
from altsel.stats.independence.g_square import GSquare
from altsel.stats.independence.glm.families import Gaussian
from altsel.stats.independence.likelihood_ratio import LikelihoodRatio
from altsel.stats.independence.partial_correlation import PartialCorrelation
from altsel.stats.independence.protocol import Independence, checked_test
from altsel.stats.sign_flips import SignFlips


@dataclass(frozen=True)
class Judgement:
    """Whether two sets count as equivalent, and what tests found."""

    equivalent: bool
    comparisons: tuple[Comparison, ...] = ()


@runtime_checkable
class SetTest(Protocol):
    """A test of two feature sets, bound to data."""

    @property
    def name(self) -> str:
        """The test in words."""

    @property
    def definition(self) -> Definition:
        """The equivalence it tests."""

    def __call__(self, first: Names, second: Names) -> Comparison:
        """Compare two sets."""


@dataclass(frozen=True)
class Criterion:
    """Tests that a set must pass one after another; the first that it fails ends the comparison.

    Parameters
    ----------
    tests
        Tests of equivalence, or functions of two sets that return a bool.
    alpha
        Level of each test.

    Raises
    ------
    ArgumentError
        If there is no test, or alpha is no level.

    Examples
    --------
    >>> import altsel
    >>> same_size = Criterion([lambda first, second: len(first) == len(second)])
    >>> same_size(["a"], ["b"]).equivalent
    True
    """

    tests: Sequence[SetTest | Callable[[Names, Names], bool]]
    alpha: float = 0.05

    def __post_init__(self) -> None:
        of_kind("tests", self.tests, Iterable, "a list of tests of equivalence")
        if not self.tests or not all(callable(test) for test in self.tests):
            raise ArgumentError(
                "a criterion needs tests of equivalence, such as altsel.comparison.Comprehensive(models)"
            )
        level("alpha", self.alpha)

    @property
    def name(self) -> str:
        """The criterion in words."""
        names = [getattr(test, "name", getattr(test, "__name__", "a function")) for test in self.tests]
        return f"equivalent by {', then '.join(names)}, level {self.alpha:g}"

    @property
    def seed(self) -> int | None:
        """Seed of the permutations of a test, if one permutes."""
        signs = [test.signs for test in self.tests if hasattr(test, "signs")]
        return signs[0].random_state if signs else None

    def __call__(self, reference: Names, candidate: Names) -> Judgement:
        """Judge a candidate by the reference."""
        comparisons: list[Comparison] = []
        for test in self.tests:
            answer = test(reference, candidate)
            if isinstance(answer, Comparison):
                comparisons.append(answer)
                passed = answer.equivalent(self.alpha)
            else:
                passed = bool(answer)
            if not passed:
                return Judgement(False, tuple(comparisons))
        return Judgement(True, tuple(comparisons))


Equivalent = Criterion | SetTest | Callable[[Names, Names], bool]
"""What judges whether two sets are equivalent."""


def recommended_criterion(
    test: Independence, alpha: float = 0.05, signs: SignFlips | None = None
) -> Criterion:
    """Build the criterion that TMFBS recommends: filter by PEQ, then decide by IEQ.

    For partial correlation and likelihood ratios a permutation variance test on the losses of the
    same regression, then the comprehensive approach; for tables of counts the first on frequencies,
    then information equivalence by the test itself; for other tests, and oracles, only the latter. So also
    for ordinal targets, negative binomial counts, rows with weights or groups, and scans.

    Parameters
    ----------
    test
        The test of independence that a search uses.
    alpha
        Level of the tests; a high one discards more sets that are not equivalent.
    signs
        Permutations of the variance test.

    References
    ----------
    Borboudakis and Tsamardinos (2021), section 4.3.5.

    Examples
    --------
    >>> import altsel
    >>> data = altsel.Dataset({"a": [0, 0, 1, 1] * 10, "b": [0, 1] * 20}, [0, 0, 1, 1] * 10)
    >>> print(recommended_criterion(altsel.independence.GSquare(data)).name)
    equivalent by permutation variance test, then information equivalence by G-square test, level 0.05
    """
    checked_test(test)
    of_kind("signs", signs, SignFlips | None, "altsel.comparison.SignFlips(1000), say")
    signs, base = signs or SignFlips(), innermost(test)
    scanned = isinstance(getattr(base, "data", None), (Scan, Statistics))  # losses of models need rows
    weighted = getattr(base, "counts", None) is not None or getattr(base, "groups", None) is not None
    for kind, make in () if scanned or weighted else MODELS.items():
        models = make(base) if isinstance(base, kind) else None
        if models is not None:
            decides = Comprehensive(models) if isinstance(models, GLMModels) else ByIndependence(test)
            return Criterion([PermutedVariance(models, signs), decides], alpha)
    return Criterion([ByIndependence(test)], alpha)


def _of_likelihoods(test: LikelihoodRatio) -> GLMModels | None:
    family = test.family_of_target
    return GLMModels(test.data, family) if isinstance(family, GLMModels.FAMILIES) else None


MODELS: dict[type, Callable[[Any], Models | None]] = {
    GSquare: lambda test: FrequencyModels(test.data),
    PartialCorrelation: lambda test: None if test.ranks else GLMModels(test.data, Gaussian()),
    LikelihoodRatio: _of_likelihoods,
}
"""The models whose losses compare sets, by the test that goes with them; None where they have none."""


def criterion(test: Independence, equivalent: Equivalent | None) -> Criterion:
    """Build a criterion of what the user gave; without anything, the recommended one."""
    if equivalent is None:
        return recommended_criterion(test)
    return equivalent if isinstance(equivalent, Criterion) else Criterion([equivalent])
