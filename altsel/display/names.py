"""Names on one line, cut where they are long."""

from __future__ import annotations

from collections.abc import Sequence

from altsel.errors import printable


def short(name: str, longest: int = 40) -> str:
    """Cut a name in its middle, as names differ at either end.

    Examples
    --------
    >>> short("mean fractal dimension", 12)
    'mean fra…ion'
    """
    shown = printable(name if len(name) <= 500 else name[:250] + name[-250:])
    if len(shown) <= longest:
        return shown
    end = (longest - 1) // 3
    return f"{shown[: longest - 1 - end]}…{shown[len(shown) - end :] if end else ''}"


def brief(words: Sequence[str], shown: int = 6, longest: int = 24) -> str:
    """List names on one line, the first few.

    Examples
    --------
    >>> brief(["a", "b", "c"], 2)
    'a, b and 1 more'
    """
    listed = ", ".join(short(word, longest) for word in words[:shown])
    return listed + (f" and {len(words) - shown} more" if len(words) > shown else "")
