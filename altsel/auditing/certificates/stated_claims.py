"""Claims as a certificate states them, beside those of an answer."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from altsel.auditing.certificates.claim import Claim, Known, Together, Transversals

NEAR = 1e-6
"""Share by which a stated score, or 1 where that is more, may differ from that of an answer."""


@dataclass(frozen=True)
class Expected:
    """What a certificate of an answer would state of a claim, where its question is known.

    Attributes
    ----------
    named
        Names of criteria and rows, by size.
    limit
        What no other sets exceed; None: there are none.
    """

    named: dict[str, Any]
    limit: float | None


def read_claims(path: str | Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Read the first line of a certificate, and those of claims, proved and not covered."""
    packed = str(path).endswith(".gz")
    with gzip.open(path, "rt", encoding="utf-8") if packed else Path(path).open(encoding="utf-8") as file:
        header = json.loads(next(file))
        lines = [json.loads(line) for line in file if '"claim"' in line or '"not covered"' in line]
    return header, [line for line in lines if isinstance(line, dict) and {"claim", "not covered"} & set(line)]


def differences(
    line: Mapping[str, Any], claim: Known, universe: Sequence[str], expected: Expected | None = None
) -> Iterator[str]:
    """Say in what a line differs from the claim that it is to prove, or proves less."""
    place = {name: j for j, name in enumerate(universe)}

    def indices(sets: Iterable[Iterable[str]]) -> list[list[int]]:
        return sorted(sorted(place[name] for name in one) for one in sets)

    if isinstance(claim, Transversals):
        if sorted(map(sorted, line.get("sets", []))) != indices(claim.sets):
            yield "the sets are others"
        if sorted(map(sorted, line.get("each has one of", []))) != indices(claim.others):
            yield "the failed removals are others"
        return
    if expected is not None:
        for name, own in expected.named.items():
            if line.get(name) != own:
                yield f"the {name} are others, or of sets of other sizes"
    if isinstance(claim, Together):
        if line.get("together") != claim.count or sorted(map(sorted, line["family"])) != indices(claim.sets):
            yield "the sets are others"
    else:
        yield from _of_sets(line, claim, indices)
    yield from _of_limit(line, claim, expected)


def _of_sets(line: Mapping[str, Any], claim: Claim, indices: Any) -> Iterator[str]:
    if line["of"] != claim.of:
        yield f"it is of {line['of']!r} of the other sets, and not of {claim.of!r}"
    stated = sorted((sorted(one["set"]), one["at least"]) for one in line["sets"])
    own = sorted((indices([one])[0], one.score) for one in claim.sets)
    if [members for members, _ in stated] != [members for members, _ in own]:
        yield "the sets are others"
        return
    for (_, level), (_, score) in zip(stated, own, strict=True):
        if abs(number(level) - score) > NEAR * max(1.0, abs(score)):
            yield f"the score is {number(level)!r}, that of the solutions {score!r}"


def _of_limit(line: Mapping[str, Any], claim: Claim | Together, expected: Expected | None) -> Iterator[str]:
    """Say whether other sets may score more than is claimed."""
    if isinstance(claim, Claim) and claim.of == "none":
        return
    stated = line.get("at most together", line["at most"])
    if stated is None:
        return  # there are no such sets at all
    by_counts = isinstance(claim, Together) and claim.total == "min" and "price" in line
    share = claim.count if by_counts and isinstance(claim, Together) else 1  # a sum stands for the least
    if expected is not None:
        most = expected.limit
    else:
        most = None if claim.limit is None else claim.limit + NEAR * max(1.0, abs(claim.limit))
    if most is None or number(stated) > share * most:
        yield f"other sets may score up to {number(stated)!r}"


def number(value: int | str) -> float:
    """Read a number of a certificate as a float."""
    return float(value) if isinstance(value, int) else float.fromhex(value)
