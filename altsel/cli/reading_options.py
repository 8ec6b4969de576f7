"""Options of all commands that read a table: how its file is written, which columns count, and as what."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import wraps
from inspect import Parameter, signature
from typing import Annotated, Any, get_type_hints

import typer

from altsel.data.columns import Kind
from altsel.data.reading import MISSING_TOKENS, Reading
from altsel.errors import ArgumentError, listing

SPOKEN = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";"}
KINDS = {"numeric": Kind.CONTINUOUS, "ordinal": Kind.INTEGER, **{str(one): one for one in Kind}}
"""Words for kinds; numbers that are ordinal stay numbers, of which up to 20 count as discrete."""

OPTIONS: dict[str, tuple[Any, Any]] = {
    "sep": (str | None, typer.Option(help="What separates columns: ';', tab; default: comma, .tsv: tab.")),
    "encoding": (str, typer.Option(help="Encoding of the file, such as latin-1.")),
    "decimal": (str, typer.Option(help="Decimal sign of numbers: . or ,")),
    "drop": (list[str] | None, typer.Option(help="Column to leave out; repeat for more.")),
    "kind": (
        list[str] | None,
        typer.Option(help="COLUMN=categorical, numeric, ordinal or binary; repeat for more."),
    ),
    "na": (
        list[str] | None,
        typer.Option(help=f"What stands for a missing value, instead of {' '.join(MISSING_TOKENS)}; repeat."),
    ),
}
DEFAULTS: dict[str, Any] = {"encoding": "utf-8", "decimal": "."}


@dataclass(frozen=True)
class Asked:
    """How a table is to be read."""

    reading: Reading = field(default_factory=Reading)
    drop: tuple[str, ...] = ()
    kinds: Mapping[str, Kind] = field(default_factory=dict)


_IN_USE: ContextVar[Asked | None] = ContextVar("altsel_reading", default=None)


def as_asked() -> Asked:
    """Return how the command under way reads tables."""
    return _IN_USE.get() or Asked()


@contextmanager
def in_use(asked: Asked) -> Iterator[None]:
    """Read tables in one way for a while."""
    token = _IN_USE.set(asked)
    try:
        yield
    finally:
        _IN_USE.reset(token)


def asked_by(given: Mapping[str, Any]) -> Asked:
    """Make what options ask for; those not given are as usual.

    Raises
    ------
    ArgumentError
        If one makes no sense.
    """
    separator = given.get("sep")
    several = [token for token in given.get("na") or () if "," in token]
    if several and not separator:
        raise ArgumentError(f"--na {several[0]!r}: name one token each time: --na NA --na '?'")
    reading = Reading(
        None if separator is None else SPOKEN.get(separator, separator),
        given.get("encoding") or DEFAULTS["encoding"],
        given.get("decimal") or DEFAULTS["decimal"],
        MISSING_TOKENS if given.get("na") is None else tuple(given["na"]),
    )
    kinds = {}
    for text in given.get("kind") or ():
        name, sign, kind = str(text).rpartition("=")
        if not sign or kind not in KINDS:
            raise ArgumentError(
                f"--kind {text!r}; use COLUMN=KIND, where KIND is one of {listing(KINDS, 10)}"
            )
        kinds[name] = KINDS[kind]
    return Asked(reading, tuple(given.get("drop") or ()), kinds)


def reads_a_table(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of reading to a command; they hold while it runs."""

    @wraps(command)
    def run(*positional: Any, **named: Any) -> Any:
        given = {name: named.pop(name) for name in OPTIONS}
        with in_use(asked_by(given)):
            return command(*positional, **named)

    hints = get_type_hints(command, include_extras=True)
    plain = signature(command)
    known = [one.replace(annotation=hints[name]) for name, one in plain.parameters.items()]
    more = [
        Parameter(
            name, Parameter.KEYWORD_ONLY, default=DEFAULTS.get(name), annotation=Annotated[kind, option]
        )
        for name, (kind, option) in OPTIONS.items()
    ]
    run.__signature__ = plain.replace(parameters=[*known, *more])  # type: ignore[attr-defined]
    run.__annotations__ = {one.name: one.annotation for one in [*known, *more]}
    return run
