"""What each way of choosing gave on each split, kept in a file of one split a line, and its means."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student

from benchmarks.defaults.splits import Split, is_noise, splits

Chosen = dict[str, tuple[list[str], float]]
"""Features and CPU seconds of each way."""
Measured = dict[str, tuple[list[str], list[float], float]]
"""Features, losses of three models, and CPU seconds of each way."""


@dataclass(frozen=True)
class Records:
    """What was chosen in each split, and the losses.

    ``features``, ``losses`` (of three models) and ``seconds`` are keyed by data set and split, and way.
    """

    features: dict[tuple[str, int], dict[str, list[str]]]
    losses: dict[tuple[str, int], dict[str, list[float]]]
    seconds: dict[tuple[str, int], dict[str, float]]

    @property
    def names(self) -> list[str]:
        """Return the data sets."""
        return list(dict.fromkeys(name for name, _ in self.losses))

    def loss(self, way: str, models: slice = slice(None)) -> NDArray[np.float64]:
        """Return the mean loss of a way in each data set."""
        return self._by_set(lambda key: float(np.mean(self.losses[key][way][models])))

    def size(self, way: str) -> NDArray[np.float64]:
        """Return how many features a way chose in each data set."""
        return self._by_set(lambda key: len(self.features[key][way]))

    def noise(self, way: str) -> NDArray[np.float64]:
        """Return the share of added columns among what a way chose in each data set."""
        return self._by_set(lambda key: float(np.mean([is_noise(one) for one in self.features[key][way]])))

    def cpu(self, way: str) -> NDArray[np.float64]:
        """Return the CPU seconds of a way in each data set."""
        return self._by_set(lambda key: self.seconds[key][way])

    def shared(self, way: str) -> NDArray[np.float64]:
        """Return what the sets of two splits have in common, by Dice's formula, in each data set."""
        sets: dict[str, list[set[str]]] = {}
        for (name, _), ways in self.features.items():
            sets.setdefault(name, []).append(set(ways[way]))
        pairs = {name: list(combinations(some, 2)) for name, some in sets.items()}
        return np.array(
            [np.mean([2 * len(a & b) / (len(a) + len(b)) for a, b in two]) for two in pairs.values() if two]
        )

    def _by_set(self, number: Callable[[tuple[str, int]], float]) -> NDArray[np.float64]:
        return np.array(
            [np.mean([number(key) for key in self.losses if key[0] == name]) for name in self.names]
        )


def interval(differences: NDArray[np.float64]) -> tuple[float, float]:
    """Return the 95 % interval of a mean over data sets, by Student's t."""
    room = student.ppf(0.975, len(differences) - 1) * np.std(differences, ddof=1) / np.sqrt(len(differences))
    return float(differences.mean() - room), float(differences.mean() + room)


def recorded(
    folders: list[Path], number: int, choose: Callable[[Split], Chosen], file: Path | None
) -> Records:
    """Choose and measure on every split that a file does not have yet."""
    records, known = Records({}, {}, {}), dict(_known(file))
    for split in splits(folders, number):
        key = (split.name, split.number)
        if key not in known:
            chosen = choose(split)
            known[key] = {
                way: (features, split.losses(features), seconds)
                for way, (features, seconds) in chosen.items()
            }
            if file is not None:
                with file.open("a", encoding="utf-8") as lines:
                    lines.write(json.dumps([*key, known[key]]) + "\n")
            print(*key, file=sys.stderr, flush=True)
        records.features[key] = {way: features for way, (features, _, _) in known[key].items()}
        records.losses[key] = {way: losses for way, (_, losses, _) in known[key].items()}
        records.seconds[key] = {way: seconds for way, (_, _, seconds) in known[key].items()}
    return records


def _known(
    file: Path | None,
) -> Iterator[tuple[tuple[str, int], dict[str, tuple[list[str], list[float], float]]]]:
    if file is not None and file.exists():
        for line in file.read_text("utf-8").splitlines():
            name, number, ways = json.loads(line)
            yield (name, number), {way: tuple(one) for way, one in ways.items()}
