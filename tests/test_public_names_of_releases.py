"""What was public in a release keeps working: names, arguments, and the order of those given by position."""

from __future__ import annotations

import importlib
import inspect
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parent / "releases"
KNOWN = {
    "altsel.formulate": "takes the number of sets where it was, and warns",
    "altsel.models.formulate": "the same function",
    "altsel.blankets.Limits": "attempts came before subject_to, which is given by name in all examples",
    "altsel.data.Scan": "made by altsel.data.scan, not by users",
}
"""What has changed nevertheless, and why nobody is hurt."""


def released(path: Path) -> dict[str, list[list[Any]] | None]:
    """Read names, and of what can be called its arguments: name, kind, whether there is a default."""
    found: dict[str, list[list[Any]] | None] = json.loads(path.read_text("utf-8"))
    return found


def faults(name: str, before: list[list[Any]] | None) -> Iterator[str]:
    """Yield what a caller of the release would meet."""
    space, _, attribute = name.rpartition(".")
    thing = getattr(importlib.import_module(space), attribute, None)
    if thing is None:
        yield "is gone"
        return
    if before is None or inspect.ismodule(thing):
        return
    now = list(inspect.signature(thing).parameters.values())
    names, old = [one.name for one in now], [one[0] for one in before]
    open_ended = any(one.kind is one.VAR_KEYWORD for one in now)
    yield from (f"takes no {one} any more" for one in old if one not in names and not open_ended)
    by_position = [one for one, kind, _ in before if kind.startswith("POSITIONAL")]
    ordered = [one.name for one in now if one.kind.name.startswith("POSITIONAL")]
    if ordered[: len(by_position)] != by_position:
        yield f"takes {ordered} by position, {by_position} before"
    for one in now:
        if one.name not in old and one.default is one.empty and not one.kind.name.startswith("VAR"):
            yield f"needs {one.name}"


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.json")), ids=lambda path: str(path.stem))
def test_what_was_public_works(path: Path) -> None:
    wrong = {
        name: told
        for name, before in released(path).items()
        if name not in KNOWN and (told := list(faults(name, before)))
    }
    assert wrong == {}


def test_what_is_known_to_have_changed_has() -> None:
    every = {name: before for path in FOLDER.glob("*.json") for name, before in released(path).items()}
    assert all(list(faults(name, every[name])) for name in KNOWN)


def test_a_name_that_is_gone_is_seen() -> None:
    assert list(faults("altsel.no_such_name", None)) == ["is gone"]
    assert list(
        faults("altsel.Dice", [["tau", "POSITIONAL_OR_KEYWORD", False], ["x", "KEYWORD_ONLY", True]])
    ) == ["takes no x any more"]
