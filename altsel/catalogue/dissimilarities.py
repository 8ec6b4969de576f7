"""Dissimilarities by name, with the weights, groups or correlations that some need."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import altsel
from altsel.catalogue.names import DissimilarityName
from altsel.errors import ArgumentError, ConfigurationError, listing, of_kind

if TYPE_CHECKING:
    from altsel.models import Dissimilarity

BY_WEIGHT = {
    DissimilarityName.WEIGHTED_DICE: "WeightedDice",
    DissimilarityName.WEIGHTED_JACCARD: "WeightedJaccard",
}
BY_TABLE = {*BY_WEIGHT, DissimilarityName.GROUP_DICE}
"""Those that need a weight, or a group, of each feature."""


@dataclass(frozen=True)
class DissimilarityFactory:
    """Makes the dissimilarity that options describe, for a table; all that can be is checked at once.

    Parameters
    ----------
    name
        Which one.
    file
        A TOML file with a weight, or a group, for each feature.
    alike
        Least absolute correlation at which two features count as the same; None: only the same feature does.

    Raises
    ------
    ArgumentError
        If the name needs a file and there is none, or the other way about.
    ConfigurationError
        If the file cannot be read, or holds something else.
    """

    name: DissimilarityName
    file: Path | None = None
    alike: float | None = None
    given: Mapping[str, Any] = field(init=False)

    def __post_init__(self) -> None:
        if (self.file is not None) != (self.name in BY_TABLE):
            needs = "needs" if self.file is None else "takes no"
            raise ArgumentError(
                f"--dissimilarity {self.name} {needs} --feature-file: a TOML file with a "
                f"{'group' if self.name is DissimilarityName.GROUP_DICE else 'weight'} for each feature"
            )
        plain = {DissimilarityName.DICE, DissimilarityName.JACCARD}
        if self.alike is not None and self.name not in plain:
            raise ArgumentError(
                f"--alike goes with --dissimilarity {listing(sorted(plain))}, not with {self.name}"
            )
        object.__setattr__(self, "given", {} if self.file is None else self._read(self.file))

    def _read(self, file: Path) -> dict[str, Any]:
        """Read the weights, or groups."""
        try:
            given = tomllib.loads(file.read_bytes().decode("utf-8"))
        except (OSError, UnicodeDecodeError) as fault:
            raise ConfigurationError(f"cannot read {file}: {fault}") from fault
        except (tomllib.TOMLDecodeError, RecursionError) as fault:
            raise ConfigurationError(f"{file} is not TOML: {fault}") from fault
        wanted, what = (
            ((int, float), "a number") if self.name in BY_WEIGHT else ((str,), "the name of a group")
        )
        for feature, value in given.items():
            if not isinstance(value, wanted) or isinstance(value, bool):
                raise ConfigurationError(f"{file}: {feature}: {value!r:.40} is not {what}")
        return given

    def __call__(self, tau: float, table: altsel.Dataset | Any = None) -> Dissimilarity:
        """Return the dissimilarity with a threshold, for a table."""
        if self.name in BY_WEIGHT:
            return getattr(altsel, BY_WEIGHT[self.name])(tau, self.given)  # type: ignore[no-any-return]
        if self.name is DissimilarityName.GROUP_DICE:
            return altsel.GroupDice(tau, self.given)
        if self.name is DissimilarityName.OVERLAP:
            return altsel.Overlap(tau)
        if self.name is DissimilarityName.HAMMING:
            of_kind(
                "table", table, altsel.Dataset, "a Dataset: a Hamming distance is a share of all features"
            )
            return altsel.Hamming(tau, len(table.features))
        base = altsel.Dice(tau) if self.name is DissimilarityName.DICE else altsel.Jaccard(tau)
        return base if self.alike is None else altsel.CorrelationAware(base, table, self.alike)
