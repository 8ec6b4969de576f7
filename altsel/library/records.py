"""What is known of each question, a JSON file each: so that a library is made in parts, and goes on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from altsel.errors import DataError
from altsel.library.optimum import Optimum
from altsel.runtime.files import replacing

FOLDER = "records"


def record_path(folder: Path, name: str) -> Path:
    """Return where the record of a question is."""
    return folder / FOLDER / f"{name}.json"


def save(folder: Path, name: str, known: Optimum, more: dict[str, Any]) -> None:
    """Save what is known of a question, whole or not at all."""
    path = record_path(folder, name)
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps({"name": name, **asdict(known), **more}, indent=1)
    with replacing(path) as part:
        part.write_text(f"{text}\n", encoding="utf-8", newline="\n")


def records(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield all records, by name.

    Raises
    ------
    DataError
        If one is damaged.
    """
    for path in sorted((folder / FOLDER).glob("*.json")):
        try:
            yield json.loads(path.read_text("utf-8"))
        except (OSError, ValueError) as fault:
            raise DataError(f"{path} is damaged: {fault}; delete it, and it is made again") from fault
