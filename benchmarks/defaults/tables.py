"""Tables of what ways of choosing gave on data sets."""

from __future__ import annotations

import numpy as np

from benchmarks.defaults.records import Records, interval
from benchmarks.defaults.splits import MODELS


def ways(records: Records, names: list[str]) -> str:
    """Return a table of ways, the one of least loss first."""
    columns = ["features", "loss", "median", *MODELS, "noise columns", "shared by two splits", "CPU s"]
    lines = [f"| way | {' | '.join(columns)} |", "|---" * (len(columns) + 1) + "|"]
    for way in sorted(names, key=lambda one: records.loss(one).mean()):
        of_models = [records.loss(way, slice(j, j + 1)).mean() for j in range(len(MODELS))]
        numbers = [records.loss(way).mean(), np.median(records.loss(way)), *of_models]
        numbers += [records.noise(way).mean(), records.shared(way).mean()]
        seconds = records.cpu(way).mean()
        cells = [f"{records.size(way).mean():.1f}", *(f"{one:.3f}" for one in numbers)]
        lines.append(f"| {way} | {' | '.join(cells)} | {f'{seconds:.2f}' if seconds else '–'} |")
    return "\n".join(lines)


def differences(records: Records, pairs: list[tuple[str, str]]) -> str:
    """Return a table of paired differences of losses."""
    columns = ["loss of", "less that of", "difference", "95 %", "smaller, equal, larger", *MODELS]
    lines = [f"| {' | '.join(columns)} |", "|---" * len(columns) + "|"]
    for way, peer in pairs:
        less = records.loss(way) - records.loss(peer)
        counts = f"{(less < 0).sum()}, {(less == 0).sum()}, {(less > 0).sum()}"
        low, high = interval(less)
        parts = [slice(j, j + 1) for j in range(len(MODELS))]
        of_models = [(records.loss(way, part) - records.loss(peer, part)).mean() for part in parts]
        cells = [f"{less.mean():+.3f}", f"{low:+.3f} to {high:+.3f}", counts]
        lines.append(f"| {' | '.join([way, peer, *cells, *(f'{one:+.3f}' for one in of_models)])} |")
    return "\n".join(lines)


def each(records: Records, names: list[str], size_of: str) -> str:
    """Return a table of data sets: the size that one way chose, and the losses of all."""
    lines = [f"| data set | features | {' | '.join(names)} |", "|---" * (2 + len(names)) + "|"]
    losses, sizes = [records.loss(way) for way in names], records.size(size_of)
    for j, name in enumerate(records.names):
        cells = " | ".join(f"{one[j]:.3f}" for one in losses)
        lines.append(f"| {name} | {sizes[j]:.1f} | {cells} |")
    return "\n".join(lines)
