"""JSON schemas of results, for other software: ``python -m altsel.results.schemas FOLDER``."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, cast

from pydantic import TypeAdapter

import altsel.results
from altsel.results.request import PlainFront
from altsel.runtime.on_demand import OnDemand

_graphs: Any = OnDemand("altsel.analysis.msg.graph")  # layers above: named, not imported
_looks: Any = OnDemand("altsel.looking.result")

KINDS = (
    *("Discoveries", "Equivalence", "FamilyClaim", "Front", "ImportanceDistribution", "ImportanceRanges"),
    *("Look", "MSG", "Orientation", "Performance", "RemovalStability", "ScoreCard", "Shadow", "Solutions"),
    *("Stability", "StableSelection", "Study", "Taxonomy"),
)
"""Results that are written as JSON: all of them, as a test holds."""
DIALECT = "https://json-schema.org/draft/2020-12/schema"

ADDED: dict[str, dict[str, Any]] = {"Equivalence": {"classes": list[list[int]]}, "Look": {"command": str}}
"""Keys that are written besides the attributes, by the kind of result."""
LEFT_OUT = {"Look": ("notes",)}
"""Attributes that are not written."""


def schema(kind: str) -> dict[str, Any]:
    """Return the JSON schema of a kind of results.

    Examples
    --------
    >>> made = schema("Solutions")
    >>> made["title"], sorted(made["required"])[:3]
    ('Solutions', ['criterion', 'sets', 'stop'])
    >>> schema("Equivalence")["properties"]["classes"]["type"]
    'array'
    """
    adapter: TypeAdapter[Any] = TypeAdapter(cast(Any, _written_as(kind)))
    made: dict[str, Any] = {"$schema": DIALECT, **adapter.json_schema(), "title": kind}
    for name, of in ADDED.get(kind, {}).items():
        made["properties"][name] = {**TypeAdapter(of).json_schema(), "title": name.capitalize()}
        made["required"] = [*made["required"], name]
    for name in LEFT_OUT.get(kind, ()):
        del made["properties"][name]
    _open(made)
    return made


def _open(made: Any) -> None:
    """Allow further keys, in place: later versions may add some, and what holds today's schema reads on."""
    if isinstance(made, dict) and made.get("additionalProperties") is False:
        del made["additionalProperties"]
    for part in made.values() if isinstance(made, dict) else made if isinstance(made, list) else ():
        _open(part)


def _written_as(kind: str) -> object:
    """Return the class whose attributes are the keys: that of the result, but for a front."""
    above: dict[str, Any] = {"MSG": _graphs, "Look": _looks}
    return PlainFront if kind == "Front" else getattr(above.get(kind, altsel.results), kind)


def write(folder: Path) -> None:
    """Write all schemas into a folder, a file each."""
    folder.mkdir(parents=True, exist_ok=True)
    for kind in KINDS:
        text = json.dumps(schema(kind), indent=1, sort_keys=True, ensure_ascii=False)
        (folder / f"{kind}.json").write_text(f"{text}\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
