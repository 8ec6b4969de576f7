"""How a table was read before: kept in ``table.toml`` by `altsel look`, or with solutions by their search."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from altsel.cli.told_notes import notes_in
from altsel.data.table_file import TableFile, stated_kind, table_file
from altsel.errors import ConfigurationError, DataError


def kept_options(path: Path) -> Mapping[str, Any]:
    """Return the options that a file keeps, as a command is given them.

    Raises
    ------
    ConfigurationError
        If the file cannot be read, or is no such file.
    DataError
        If it is a result that does not say which command found it.
    """
    return options_of(_request(path)) if path.suffix.lower() == ".json" else as_given(table_file(path))


def kept_notes(path: Path) -> list[str]:
    """Return the notes on the table that a file keeps."""
    return notes_in(_request(path)) if path.suffix.lower() == ".json" else table_file(path).notes


def options_of(request: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the options of the command that found solutions; none if no command did."""
    command = request.get("command")
    given = command.get("options") if isinstance(command, Mapping) else None
    return given if isinstance(given, Mapping) else {}


def as_given(kept: TableFile) -> dict[str, Any]:
    """Write what a file keeps as a command is given it.

    Raises
    ------
    ConfigurationError
        If the values of an ordinal column cannot be written so.
    """
    given = kept.model_dump(exclude_defaults=True, exclude={"notes"})
    kinds = given.pop("kind", {})
    return {**given, **({"kind": [stated_kind(*one) for one in kinds.items()]} if kinds else {})}


def _request(path: Path) -> Mapping[str, Any]:
    try:
        plain = json.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as fault:
        raise ConfigurationError(f"cannot read {path}: {fault.strerror or fault}") from fault
    except (ValueError, RecursionError) as fault:
        raise ConfigurationError(f"{path} is not JSON: {fault}") from fault
    request = plain.get("request") if isinstance(plain, dict) else None
    if not isinstance(request, Mapping) or not options_of(request):
        raise DataError(
            f"{path} does not say how its table was read; --table takes a file that altsel look wrote by "
            "--write, or solutions that a command wrote by --format json"
        )
    return request
