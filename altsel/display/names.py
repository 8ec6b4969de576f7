"""Names on one line, cut where they are long."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import takewhile

from altsel.errors import printable


def short(name: str, longest: int = 40, among: Sequence[str] = ()) -> str:
    """Cut a name in its middle, or so that it stays different from the names that it is shown with.

    Examples
    --------
    >>> short("mean fractal dimension", 12)
    'mean fra…ion'
    >>> days = ["pressure of day 10 (mmHg)", "pressure of day 11 (mmHg)"]
    >>> [short(name, 14) for name in days], [short(name, 14, days) for name in days]
    (['pressure …mHg)', 'pressure …mHg)'], ['pres… 10 (mmH…', 'pres… 11 (mmH…'])
    """
    cut = _cut(name, longest)
    return _apart(tuple(among), longest).get(name, cut) if among and "…" in cut else cut


def brief(words: Sequence[str], shown: int = 6, longest: int = 24) -> str:
    """List names on one line, the first few.

    Examples
    --------
    >>> brief(["a", "b", "c"], 2)
    'a, b and 1 more'
    """
    listed = ", ".join(short(word, longest, words) for word in words[:shown])
    return listed + (f" and {len(words) - shown} more" if len(words) > shown else "")


def _cut(name: str, longest: int) -> str:
    shown = printable(name if len(name) <= 500 else name[:250] + name[-250:])
    if len(shown) <= longest:
        return shown
    end = (longest - 1) // 3
    return f"{shown[: longest - 1 - end]}…{shown[len(shown) - end :] if end else ''}"


@lru_cache(maxsize=16)
def _apart(names: tuple[str, ...], longest: int) -> Mapping[str, str]:
    """Cut names that would look alike around the place where they begin to differ; at last, number them."""
    cuts: dict[str, str] = {}
    waiting = [(group, -1) for group in _alike({name: _cut(name, longest) for name in names})]
    while waiting:
        group, before = waiting.pop()
        letters = zip(*map(printable, group), strict=False)
        place = sum(1 for _ in takewhile(lambda column: len(set(column)) == 1, letters))
        around = {name: _around(printable(name), place, longest) for name in group}
        cuts |= around
        waiting += [(left, place) for left in _alike(around) if place > before]
    left = _alike({name: cuts.get(name) or _cut(name, longest) for name in names})
    for number, name in enumerate((name for group in left for name in group), 1):
        mark = f"…{number}"
        cuts[name] = _cut(name, longest)[: max(longest - len(mark), 0)] + mark
    return cuts


def _alike(cuts: Mapping[str, str]) -> Iterator[list[str]]:
    """Yield the names that are cut to the same text, if several are."""
    groups: dict[str, list[str]] = {}
    for name, cut in cuts.items():
        groups.setdefault(cut, []).append(name)
    return (group for group in groups.values() if len(group) > 1)


def _around(shown: str, place: int, longest: int) -> str:
    """Keep the beginning, and what stands around a place."""
    head = longest // 3
    begin = min(place - longest // 6, len(shown) - (longest - head - 1))
    if begin <= head:
        return shown if len(shown) <= longest else f"{shown[: longest - 1]}…"
    left, room = shown[begin:], longest - head - 1
    return f"{shown[:head]}…{left if len(left) <= room else left[: room - 1] + '…'}"
