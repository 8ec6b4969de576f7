"""What stands in the place of one data set where values are missing."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any

from altsel.data.dataset import Dataset
from altsel.errors import ArgumentError
from altsel.stats.dependence.measure import Dependence
from altsel.stats.independence.protocol import Independence


class SeveralTables(ABC):
    """Data sets made of one table with gaps: each imputed, or each of the rows that something needs.

    Searches ask `test` and `dependence` where they would ask one data set.
    """

    @property
    @abstractmethod
    def features(self) -> tuple[str, ...]:
        """Names of the features."""

    @property
    @abstractmethod
    def target(self) -> str:
        """Name of the target."""

    @property
    @abstractmethod
    def absent(self) -> Mapping[str, str]:
        """Why other columns are no features, by name."""

    @property
    @abstractmethod
    def fingerprint(self) -> str:
        """SHA-256 of all of them."""

    @property
    def members(self) -> dict[str, tuple[str, ...]]:
        """Names that stand for the same feature: none, as copies are not looked for."""
        return {}

    @property
    def identified_by(self) -> tuple[Any, ...]:
        """What tells them from others that are searched."""
        return type(self).__name__, self.fingerprint

    @property
    def guide(self) -> Dataset | None:
        """A data set of the same features, for choices that are guides, such as a size, if there is one."""
        return None

    @abstractmethod
    def test(self, make: Callable[[Dataset], Independence]) -> Independence:
        """Return a test of what `make` tests one data set by."""

    @abstractmethod
    def dependence(self, make: Callable[[Dataset], Dependence]) -> Dependence:
        """Return the dependences of what `make` measures one data set by."""

    def stacked(self) -> Any:
        """Return rows with weights, for criteria that fit models.

        Raises
        ------
        ArgumentError
            If there are none that a model may be fitted to.
        """
        raise ArgumentError(
            "fits of models need all values of a row: use missing='impute' or 'category' (--missing impute, "
            "category), or another criterion"
        )
