"""What was requested of a search, as its solutions state it: read with the kinds of its values checked."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, NotRequired

from pydantic import ConfigDict, TypeAdapter, ValidationError
from typing_extensions import TypedDict

from altsel.errors import DataError, listing
from altsel.results.stop import Stop
from altsel.validation import messages


class PlainDiversity(TypedDict, total=False):
    """How different sets must be; see `altsel.models.dissimilarity_data`."""

    __pydantic_config__ = ConfigDict(extra="forbid", allow_inf_nan=False)  # type: ignore[misc]

    kind: str
    measure: str
    tau: float
    penalty: float
    features: int
    weights: dict[str, float]
    groups: dict[str, str]
    base: str
    r: float
    alike: list[list[str]]


class PlainHoldout(TypedDict):
    """Which rows a search kept apart: drawn by what, how many, and their fingerprint."""

    __pydantic_config__ = ConfigDict(extra="forbid", allow_inf_nan=False)  # type: ignore[misc]

    share: float
    seed: int
    rows: int
    data: str
    groups: NotRequired[str]


class Asked(TypedDict, total=False):
    """The parts of a request that an audit uses."""

    __pydantic_config__ = ConfigDict(extra="allow", allow_inf_nan=False)  # type: ignore[misc]

    search: str
    alternatives: int
    limit: int
    total: str | None
    k: list[int]
    criterion: dict[str, Any]
    diversity: PlainDiversity | None
    within: dict[str, float | str] | None
    least: float | None
    known: list[list[str]]
    rules: list[dict[str, Any]]
    across: list[dict[str, Any]]
    data: str | None
    holdout: PlainHoldout
    command: dict[str, Any]


class PlainPoint(TypedDict):
    """One point of a front."""

    dissimilarity: float
    quality: float
    sets: list[list[str]]
    proved: bool


class PlainFront(TypedDict):
    """A front, as its JSON holds it."""

    __pydantic_config__ = ConfigDict(extra="forbid", allow_inf_nan=False)  # type: ignore[misc]

    measure: str
    quality: str
    reference: tuple[tuple[str, ...], ...]
    stop: Stop
    points: list[PlainPoint]
    members: NotRequired[dict[str, tuple[str, ...]]]
    target: NotRequired[str | None]
    data: NotRequired[str | None]
    versions: NotRequired[dict[str, str]]
    request: NotRequired[Asked]


def read_request(request: Mapping[str, Any]) -> dict[str, Any]:
    """Return a request as a dict.

    Raises
    ------
    DataError
        If a part is of the wrong kind; it names the key.
    """
    of = "what the solutions say was requested"
    if not isinstance(request, Mapping):
        raise DataError(f"{of} must be a table, not {listing([request])}")
    try:
        return dict(_requests().validate_python(dict(request), strict=True))
    except ValidationError as fault:
        raise DataError(f"{of}: {first_fault(fault)}") from fault


def first_fault(fault: ValidationError) -> str:
    """Describe what is wrong first of all, and where."""
    return messages(fault)[0]


@cache
def _requests() -> TypeAdapter[Asked]:
    return TypeAdapter(Asked)
