"""Which loops run in a test: those of numpy or plain Python, or compiled ones."""

from __future__ import annotations

from typing import Any

import pytest

from altsel.compiling import Loops


def choose_loops(loops: Loops[Any], kind: str, patch: pytest.MonkeyPatch) -> Any:
    """Let a pair of loops answer with one kind, whatever the work; return it, or skip without numba."""
    found = loops.compiled if kind == "numba" else loops.plain
    if kind == "numba" and found is None:
        pytest.skip("numba is not installed")
    for name in ("after", "worth", "ready"):
        patch.setattr(loops, name, lambda *_: found)
    patch.setattr(loops, "to_come", lambda: False)
    return found
