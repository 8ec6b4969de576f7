"""Results that a command gave, compared with those it gives now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from altsel.auditing.recomputation import short
from altsel.exact.verification.verifier import CLOSE, Check

EARLY = {"time", "limit", "interrupt"}
LEFT_OUT = {"effort", "versions", "request", "data"}
"""Keys that say what a run cost, or are looked at elsewhere."""
LATER = {"target", "dual"}
"""Keys that fronts, and blankets, of older versions do not have."""
FOUND = {"sets", "points", "stop", "discarded", "dual", "noise"}
"""Keys of what a search finds, of which one that ends early has a part, or none."""
NEAR = 1e-6


def compared(plain: Mapping[str, Any], again: Mapping[str, Any]) -> Iterator[Check]:
    """Compare what a file holds with what came out again; of a search that ended early only what it has.

    Parameters
    ----------
    plain, again
        The JSON of a command, then and now.
    """
    early, cut = plain.get("stop") in EARLY, again.get("stop") in EARLY
    if not {"sets", "points"} & again.keys():
        yield Check("the same again", None, f"nothing came out now: {again.get('stop')}")
        return
    keys = [key for key in {**plain, **again} if key not in LEFT_OUT and (key in plain or key not in LATER)]
    for key in keys:
        then, now = _without_seconds(plain.get(key)), _without_seconds(again.get(key))
        if then == now:
            yield Check(f"{key}: the same again", True)
        elif key in FOUND and (early or cut):
            yield _in_part(key, then, now)
        else:
            yield Check(f"{key}: the same again", False, _difference(then, now))


def _in_part(key: str, then: Any, now: Any) -> Check:
    """Judge what differs where one of the searches ended early."""
    claim = f"{key}: the same again, as far as both searches came"
    if isinstance(then, list) and isinstance(now, list) and then and all(item in now for item in then):
        return Check(claim, True)
    return Check(claim, None, f"one of the searches ended early; {_difference(then, now)}")


def _difference(then: Any, now: Any) -> str:
    """Report where two values first differ."""
    if isinstance(then, dict) and isinstance(now, dict):
        key = next(key for key in {**then, **now} if then.get(key) != now.get(key))
        return f"{key}: {_difference(then.get(key), now.get(key))}"
    if isinstance(then, list) and isinstance(now, list):
        if len(then) != len(now):
            return f"{len(now)} now, {len(then)} in the file"
        place = next(j for j, (one, other) in enumerate(zip(then, now, strict=True)) if one != other)
        return f"number {place}: {_difference(then[place], now[place])}"
    return f"{_value(now)} now, {_value(then)} in the file"


def _value(value: Any) -> str:
    """Write a single value; of several only that they are there."""
    return "nothing" if value is None else "something" if isinstance(value, (dict, list)) else short(value)


def same_points(plain: Mapping[str, Any], again: Mapping[str, Any], solver: str) -> Iterator[Check]:
    """Compare points of a front with those of another solver, which may find others of equal quality."""
    then, now = plain["points"], again.get("points", [])
    open_end = plain.get("stop") in EARLY or again.get("stop") in EARLY or "points" not in again
    missing = [item for item in then if not any(_alike(item, another) for another in now)]
    further = [item for item in now if not any(_alike(item, another) for another in then)]
    for claim, wrong in (("every point is found", missing), ("no other point is found", further)):
        found = short(wrong[0]) if wrong else ""
        yield Check(f"{claim} by {solver}", None if wrong and open_end else not wrong, found)


def _alike(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    difference = abs(one["dissimilarity"] - other["dissimilarity"])
    return bool(difference <= NEAR and abs(one["quality"] - other["quality"]) <= CLOSE * abs(one["quality"]))


def _without_seconds(value: Any) -> Any:
    """Leave out what differs from run to run."""
    if isinstance(value, dict):
        return {key: _without_seconds(one) for key, one in value.items() if key != "seconds"}
    return [_without_seconds(item) for item in value] if isinstance(value, list) else value
