"""Texts in the DOT language of Graphviz."""

from __future__ import annotations

from html import escape

PIECE = 1000
"""Characters of a text between its quotes: of more than 16384 at once Graphviz reads none."""


def quoted(text: str) -> str:
    """Quote a text, in pieces where it is long.

    Examples
    --------
    >>> quoted('a < "b"')
    '"a &lt; &quot;b&quot;"'
    """
    pieces = [text[start : start + PIECE] for start in range(0, max(len(text), 1), PIECE)]
    return " + ".join(f'"{_escaped(piece)}"' for piece in pieces)


def _escaped(text: str) -> str:
    """Escape for a string in double quotes, where Graphviz reads entities too."""
    return escape(text).replace("\\", "\\\\\u2060")
