"""Results read back from the JSON they were written as."""

from __future__ import annotations

import json
from collections.abc import Hashable
from functools import cache, partial
from math import isfinite
from typing import Any, TypeVar, cast

from pydantic import TypeAdapter, ValidationError

from altsel.errors import DataError, of_kind
from altsel.results.kinds import kind_of
from altsel.results.request import first_fault

Read = TypeVar("Read")


def read_json(kind: type[Read], text: str, what: str) -> Read:
    """Read a result that its ``to_json`` wrote.

    Parameters
    ----------
    kind
        The dataclass, or typed dict.
    text
        The JSON.
    what
        What it is the JSON of, for a message.

    Raises
    ------
    DataError
        If the text is not JSON, or a key is missing or of the wrong kind; it names the key.

    Examples
    --------
    >>> from altsel.results.estimate import Estimate
    >>> read_json(Estimate, '{"value": "much"}', "an estimate")
    Traceback (most recent call last):
    altsel.errors.DataError: not the JSON of an estimate: value: must be a number, not 'much'
    """
    found = validated(kind, text, what)
    json.loads(text, parse_constant=partial(_refuse, what), parse_float=partial(_finite, what))
    return found


def validated(kind: type[Read], text: str, what: str) -> Read:
    """Read JSON as `read_json` does, of a kind that refuses numbers that are not finite by itself."""
    of_kind("text", text, str | bytes, f"the JSON of {what}")
    reader = _reader(cast(Hashable, kind))
    try:
        found: Read = reader.validate_json(text, strict=True)
    except ValidationError as fault:
        raise not_json_of(what, text, fault) from fault
    return found


def not_json_of(what: str, text: str, fault: ValidationError) -> DataError:
    """Return the error of a text that is not the JSON of something: what it is, or what is wrong first."""
    held = kind_of(text)
    if held is not None and held.name != what.lower():
        return DataError(f"not the JSON of {what} but of {held.name}")
    return DataError(f"not the JSON of {what}: {first_fault(fault)}")


def _refuse(what: str, constant: str) -> None:
    """Refuse NaN and Infinity, which JSON does not have, but its readers take."""
    raise DataError(f"not the JSON of {what}: {constant} is no number of JSON")


def _finite(what: str, number: str) -> float:
    """Refuse numbers that are too large for a float, such as 1e999."""
    if not isfinite(value := float(number)):
        raise DataError(f"not the JSON of {what}: {number} is too large for a number")
    return value


@cache
def _reader(kind: Hashable) -> TypeAdapter[Any]:
    return TypeAdapter(cast(Any, kind))
