"""Measures of dependence by their names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from inspect import isclass
from typing import TYPE_CHECKING, Any

from altsel.errors import ArgumentError
from altsel.runtime.entries import Entry, Table

if TYPE_CHECKING:
    from altsel.stats.dependence import Measure


@dataclass(frozen=True, eq=False)
class MeasureEntry(Entry):
    """A class, which is called with a seed if it takes one; a measure; or a function of two arrays.

    Parameters
    ----------
    slow
        Whether it fits models or looks for neighbours: nothing is measured by it again unasked.
    """

    slow: bool = False


_FOLDER = "altsel.stats.dependence"
_PLAIN = {"debiased": False}
MEASURES = Table(
    "measure",
    "altsel.measures",
    (
        MeasureEntry("association", f"{_FOLDER}:association"),
        MeasureEntry("mutual-information", f"{_FOLDER}:MutualInformation"),
        MeasureEntry("symmetric-uncertainty", f"{_FOLDER}:symmetric_uncertainty"),
        MeasureEntry("absolute-pearson", f"{_FOLDER}:absolute_pearson"),
        MeasureEntry("absolute-spearman", f"{_FOLDER}:absolute_spearman"),
        MeasureEntry("correlation-ratio", f"{_FOLDER}:correlation_ratio"),
        MeasureEntry("gaussian-copula-information", f"{_FOLDER}:gaussian_copula_information"),
        MeasureEntry("importances", f"{_FOLDER}:Importance", slow=True),
        MeasureEntry("permutation-importance", f"{_FOLDER}:PermutationImportance", slow=True),
        MeasureEntry("relief", f"{_FOLDER}:Relief", slow=True),
        MeasureEntry("mutual-information-plain", f"{_FOLDER}:MutualInformation", _PLAIN),
        MeasureEntry("symmetric-uncertainty-plain", f"{_FOLDER}:SymmetricUncertainty", _PLAIN),
        MeasureEntry("correlation-ratio-plain", f"{_FOLDER}:CorrelationRatio", _PLAIN),
        MeasureEntry("importances-plain", f"{_FOLDER}:Importance", _PLAIN),
        MeasureEntry("permutation-importance-plain", f"{_FOLDER}:PermutationImportance", {"folds": None}),
        MeasureEntry("relief-plain", f"{_FOLDER}:Relief", _PLAIN),
    ),
    page="reference/measures",
)
"""Those that end in "plain" keep what chance gives a feature of many levels."""


def measure(name: str, seed: int) -> Measure:
    """Return the measure of a name."""
    from altsel.stats.dependence import Measure, Pairwise  # noqa: PLC0415  (heavy)

    checked_seed(seed)
    entry = MEASURES[name]
    made = entry.load()
    if isclass(made):
        made = entry.make(**({"random_state": seed} if entry.takes("random_state") else {}))
    if isinstance(made, Measure):
        return made
    if not callable(made):
        raise entry.refused(f"a {type(made).__name__} is neither a measure nor a function of two arrays")
    return Pairwise(_OfPackage(made, entry))


def checked_seed(seed: int) -> None:
    """Refuse a seed below 0."""
    if seed < 0:
        raise ArgumentError(f"--seed {seed}; use a number of at least 0")


@dataclass(frozen=True)
class _OfPackage:
    """A function of two arrays that another package added: what it raises names the package."""

    function: Callable[..., float]
    entry: Entry

    @property
    def __name__(self) -> str:  # shown in results
        return str(getattr(self.function, "__name__", self.entry.name))

    def __call__(self, first: Any, second: Any) -> float:
        value: float = self.entry.run(self.function, first, second)
        return value
