"""What is wrong in a file of settings or solutions, in plain words: key by key."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from pydantic import ValidationError

from altsel.errors import listing

MUST = {
    "string_type": "must be a text",
    "int_type": "must be an integer",
    "int_from_float": "must be an integer",
    "float_type": "must be a number",
    "bool_type": "must be true or false",
    "tuple_type": "must be a list",
    "dict_type": "must be a table",
    "model_type": "must be a table",
    "finite_number": "must be finite",
    "missing": "is missing",
}
"""Requirements by pydantic's kinds of error."""


def messages(fault: ValidationError, keys: Collection[str] = ()) -> list[str]:
    """Describe what is wrong, one text a fault, each with its key.

    Parameters
    ----------
    fault
        What pydantic found.
    keys
        Keys that there are at the top, named where one is unknown.
    """
    found: dict[str, str] = {}
    for one in fault.errors(include_url=False):
        path = [part for part in one["loc"] if not _internal(part)]
        parts = [f"[{part}]" if isinstance(part, int) else f".{part}" for part in path]
        where = "".join(parts).removeprefix(".")
        wrong = _wrong(one, keys if len(path) == 1 else ())
        if where not in found or one["type"] == "float_type":  # of integers or numbers, the wider
            found[where] = f"{where}: {wrong}".removeprefix(": ")
    return list(found.values())


def _wrong(one: Mapping[str, Any], keys: Collection[str]) -> str:
    kind, context = one["type"], one.get("ctx", {})
    if kind == "extra_forbidden":
        return "unknown key" + (f"; there are {listing(keys, 20)}" if keys else "")
    if kind == "value_error":
        return str(context.get("error", one["msg"]))
    if kind == "too_short":
        return f"must have {context['min_length']} entry or more"
    limits = {"greater_than_equal": "at least", "greater_than": "more than", "less_than_equal": "at most"}
    if kind in limits:
        return f"must be {limits[kind]} {next(iter(context.values()))}, not {one['input']!r}"
    if kind == "list_type":
        return _no_list(one["input"])
    given = "" if kind == "missing" else f", not {listing([one['input']])}"
    return MUST[kind] + given if kind in MUST else str(one["msg"])


def _no_list(given: object) -> str:
    if isinstance(given, dict):
        return "must be a list of tables: write its head in two brackets, [[…]]"
    example = ': ["a", "b"]' if isinstance(given, str) else ""
    return f"must be a list{example}, not {listing([given])}"


def _internal(part: Any) -> bool:
    """Return whether a part of a path is one of pydantic's own: the branch of a union."""
    return isinstance(part, str) and part in {"int", "float", "str", "bool", "list[str]"}
