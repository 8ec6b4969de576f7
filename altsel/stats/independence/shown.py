"""How a test of any kind is shown."""

from __future__ import annotations

from typing import Any

from altsel.display.html import Html, Table, name_cell, names_cell, page
from altsel.display.names import short


class Shown:
    """Shows a test by its name, its target and its features."""

    def __repr__(self) -> str:
        test: Any = self
        return f"<{_words(test)} of {short(test.target)!r}, {len(test.features)} features>"

    def _repr_html_(self) -> str:
        test: Any = self
        rows = [
            ["target", name_cell(test.target)],
            ["features", Html(f"{len(test.features):,}: {names_cell(test.features)}")],
        ]
        seed = getattr(test, "seed", None)
        rows += [] if seed is None else [["seed", str(seed)]]
        table = Table("Test of independence", ["part", "value"], rows, len(rows), left={0, 1})
        return page(_words(test), [table])


def _words(test: Any) -> str:
    return str(getattr(test, "name", type(test).__name__))
