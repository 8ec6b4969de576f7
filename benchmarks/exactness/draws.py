"""Numbers at random: relevances, redundancies and costs of every style and magnitude."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from math import nextafter
from random import Random

STYLES: dict[str, Callable[[Random], float]] = {
    "random": lambda rng: rng.random(),
    "rounded": lambda rng: round(rng.random(), 2),
    "whole": lambda rng: float(rng.randint(0, 9)),
    "signed": lambda rng: round(rng.gauss(0.2, 1), 2),
    "gauss": lambda rng: rng.gauss(0.5, 1),
    "ties": lambda rng: rng.choice([0.2, 0.5, 0.5, 0.75]),
    "same": lambda rng: 0.4,
}
MAGNITUDES = ("ordinary", "tiny", "huge", "mixed", "huge pair", "huge loss")
SHARES = (60, 8, 8, 10, 7, 7)
Table = tuple[tuple[float, ...], ...]


def magnitude(rng: Random) -> str:
    """Draw how large the numbers of an instance are."""
    return rng.choices(MAGNITUDES, SHARES)[0]


def scaled(rng: Random, number: float, size: str) -> float:
    """Bring a number of about 1 to a magnitude."""
    if size == "mixed":
        return float(number * 10 ** rng.uniform(-9, 9))
    return number * {"tiny": 1e-9, "huge": 1e9}.get(size, 1.0)


def numbers(rng: Random, count: int, size: str, signed: bool = True) -> list[float]:
    """Draw numbers of one style; below 0 only if `signed`."""
    style = STYLES[rng.choice(list(STYLES))]
    drawn = [scaled(rng, style(rng), size) for _ in range(count)]
    return drawn if signed else [abs(one) for one in drawn]


def relevances(rng: Random, count: int, size: str) -> list[float]:
    """Draw relevances; one of them a huge loss, if that is the magnitude."""
    drawn = numbers(rng, count, size)
    if size == "huge loss":
        drawn[rng.randrange(count)] = -1e9
    return drawn


def redundancies(rng: Random, relevance: list[float], size: str, signed: bool, edges: bool) -> Table:
    """Draw a symmetric table; `edges` are numbers at or one step beside the smaller relevance of a pair."""
    n = len(relevance)
    flat = numbers(rng, n * n, size, signed)
    table = [[flat[n * min(i, j) + max(i, j)] for j in range(n)] for i in range(n)]
    pairs = [(i, j) for j in range(n) for i in range(j)]
    for i, j in pairs if edges else []:
        if rng.random() < 0.5:
            table[i][j] = table[j][i] = _beside(rng, min(relevance[i], relevance[j]))
    if size == "huge pair":
        i, j = rng.choice(pairs)
        table[i][j] = table[j][i] = 1e9
    if rng.random() < 0.5:
        for i in range(n):
            table[i][i] = scaled(rng, 1.0, "ordinary" if size == "mixed" else size)
    return tuple(map(tuple, table))


def _beside(rng: Random, number: float) -> float:
    ends = {"at": number, "below": nextafter(number, -1e300), "above": nextafter(number, 1e300)}
    ends["far below"] = number - abs(number)
    return ends[rng.choice(["at", "below", "above", "far below", "far below", "far below"])]


def doubled(rng: Random, relevance: list[float], table: Table) -> tuple[list[float], Table]:
    """Make one feature the copy of another."""
    i, j = rng.sample(range(len(relevance)), 2)
    source = list(range(len(relevance)))
    source[j] = i
    copied = tuple(tuple(table[a][b] for b in source) for a in source)
    return [relevance[a] for a in source], copied


def costs(rng: Random, count: int) -> list[float]:
    """Draw costs: whole, quarters, decimals, negative ones too, all tiny, or of mixed magnitude."""
    style = rng.choice(["whole", "whole", "quarters", "decimals", "signed", "mixed", "tiny"])
    if style == "tiny":
        return [rng.randint(0, 9) * 1e-9 for _ in range(count)]
    if style == "mixed":
        return [float(rng.random() * 10 ** rng.uniform(-9, 9)) for _ in range(count)]
    if style == "decimals":
        return [rng.randint(1, 99) / 10 for _ in range(count)]
    low, high, unit = {"whole": (0, 9, 1), "quarters": (0, 40, 4), "signed": (-5, 9, 1)}[style]
    return [rng.randint(low, high) / unit for _ in range(count)]


def threshold(rng: Random, values: list[float], edge: float = 0.3) -> float:
    """Choose a limit clearly between two values, or with some probability just at one."""
    ordered = sorted(set(values))
    gaps = [(a, b) for a, b in pairwise(ordered) if b - a > 1e-6 * max(abs(a), abs(b))]
    if not gaps or rng.random() < edge:
        return rng.choice(ordered)
    low, high = rng.choice(gaps)
    return (low + high) / 2
