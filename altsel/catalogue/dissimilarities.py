"""Dissimilarities by name, with the weights, groups or correlations that some need."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import altsel
from altsel.errors import ArgumentError, ConfigurationError, listing, of_kind
from altsel.runtime.entries import Entry, Table

if TYPE_CHECKING:
    from altsel.models import Dissimilarity


@dataclass(frozen=True, eq=False)
class DissimilarityEntry(Entry):
    """A class, or a function, of a threshold tau.

    It is given what it has arguments for: ``weights`` or ``groups`` by feature, from a file, or the number of
    all ``features``.

    Parameters
    ----------
    alike
        Whether features may be declared to count as the same.
    """

    alike: bool = False

    @property
    def of_file(self) -> str:
        """What it needs of a file: ``"weights"``, ``"groups"`` or nothing."""
        return next((what for what in VALUES if self.takes(what)), "")


VALUES: dict[str, tuple[type | tuple[type, ...], str, str]] = {
    "weights": ((int, float), "a number", "a weight"),
    "groups": (str, "the name of a group", "a group"),
}
"""Type of a feature's value in a file, and the words for one."""
DISSIMILARITIES = Table(
    "dissimilarity",
    "altsel.dissimilarities",
    (
        DissimilarityEntry("dice", "altsel.models.dissimilarity:Dice", alike=True),
        DissimilarityEntry("jaccard", "altsel.models.dissimilarity:Jaccard", alike=True),
        DissimilarityEntry("overlap", "altsel.models.count_dissimilarities:Overlap"),
        DissimilarityEntry("hamming", "altsel.models.count_dissimilarities:Hamming"),
        DissimilarityEntry("weighted-dice", "altsel.models.weighted_dissimilarities:WeightedDice"),
        DissimilarityEntry("weighted-jaccard", "altsel.models.weighted_dissimilarities:WeightedJaccard"),
        DissimilarityEntry("group-dice", "altsel.models.group_dice:GroupDice"),
    ),
    page="formulations/dice_and_jaccard",
)


@dataclass(frozen=True)
class DissimilarityFactory:
    """Builds the dissimilarity that options describe, for a table; all that can be is checked at once.

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

    name: str
    file: Path | None = None
    alike: float | None = None
    given: Mapping[str, Any] = field(init=False)

    def __post_init__(self) -> None:
        entry = DISSIMILARITIES[self.name]
        if (self.file is not None) != bool(entry.of_file):
            needs = "needs" if self.file is None else "takes no"
            what = VALUES[entry.of_file or "weights"][2]
            raise ArgumentError(
                f"--dissimilarity {self.name} {needs} --feature-file: "
                f"a TOML file with {what} for each feature"
            )
        if self.alike is not None and not entry.alike:
            plain = sorted(name for name, one in DISSIMILARITIES.own.items() if one.alike)
            raise ArgumentError(f"--alike goes with --dissimilarity {listing(plain)}, not with {self.name}")
        object.__setattr__(self, "given", {} if self.file is None else self._read(self.file))

    def _read(self, file: Path) -> dict[str, Any]:
        """Read the weights, or groups."""
        try:
            given = tomllib.loads(file.read_bytes().decode("utf-8"))
        except (OSError, UnicodeDecodeError) as fault:
            raise ConfigurationError(f"cannot read {file}: {fault}") from fault
        except (tomllib.TOMLDecodeError, RecursionError) as fault:
            raise ConfigurationError(f"{file} is not TOML: {fault}") from fault
        wanted, what, _ = VALUES[DISSIMILARITIES[self.name].of_file]
        for feature, value in given.items():
            if not isinstance(value, wanted) or isinstance(value, bool):
                raise ConfigurationError(f"{file}: {feature}: {value!r:.40} is not {what}")
        return given

    def __call__(self, tau: float, table: altsel.Dataset | Any = None) -> Dissimilarity:
        """Return the dissimilarity with a threshold, for a table."""
        entry = DISSIMILARITIES[self.name]
        given: dict[str, Any] = {entry.of_file: self.given} if entry.of_file else {}
        if entry.takes("features"):
            of_kind(
                "table", table, altsel.Dataset, "a Dataset: a Hamming distance is a share of all features"
            )
            given["features"] = len(table.features)
        base = entry.make(tau, **given)
        if not callable(base):
            raise entry.refused(f"gives a {type(base).__name__}, which is no altsel.models.Dissimilarity")
        return base if self.alike is None else altsel.CorrelationAware(base, table, self.alike)
