"""JSON schemas of results, for other software: ``python -m altsel.results.schemas FOLDER``."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, cast

from pydantic import TypeAdapter

import altsel.results

KINDS = (
    *("Discoveries", "ImportanceDistribution", "ImportanceRanges", "Orientation", "Performance"),
    *("RemovalStability", "ScoreCard"),
    *("Shadow", "Solutions", "Stability", "StableSelection", "Taxonomy"),
)
"""Results that are written with the names of their attributes; fronts and tests of equivalence are not."""
DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema(kind: str) -> dict[str, Any]:
    """Return the JSON schema of a kind of results.

    Examples
    --------
    >>> made = schema("Solutions")
    >>> made["title"], sorted(made["required"])[:3]
    ('Solutions', ['criterion', 'sets', 'stop'])
    """
    adapter: TypeAdapter[Any] = TypeAdapter(cast(Any, getattr(altsel.results, kind)))
    return {"$schema": DIALECT, **adapter.json_schema()}


def write(folder: Path) -> None:
    """Write all schemas into a folder, a file each."""
    folder.mkdir(parents=True, exist_ok=True)
    for kind in KINDS:
        text = json.dumps(schema(kind), indent=1, sort_keys=True, ensure_ascii=False)
        (folder / f"{kind}.json").write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
