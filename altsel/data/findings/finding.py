"""`Finding`: one fault of a table, the columns that have it, and what fixes it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from shlex import quote


class Effect(StrEnum):
    """What is done about a finding when a table is read."""

    LEFT_OUT = "left out"
    SKIPPED = "skipped"
    WARNING = "warning"
    REMARK = "remark"
    PROPOSED = "proposed"


@dataclass(frozen=True)
class Finding:
    """A fault of a table.

    Attributes
    ----------
    kind
        What it is, in a few words: ``"row number"``, ``"id"``, ``"free text"``, ``"date"``, ``"currency"``, …
    columns
        Names of the columns that have it; none if it is of rows.
    message
        One sentence for a reader, which names the columns.
    fix
        Options of the command line, quoted so that they can be pasted.
    argument
        The same for `Dataset`, as Python.
    effect
        ``"left out"``: the columns are, unless `keep` names them; ``"skipped"``: rows or lines are;
        ``"warning"``: told whenever the table is read; ``"remark"``: for those who look, as it is common;
        ``"proposed"``: the fix is part of what `altsel.look` proposes.

    Examples
    --------
    >>> Finding("id", ("case no",), "'case no' …", options("keep", ["case no"])).fix
    "--keep 'case no'"
    """

    kind: str
    columns: tuple[str, ...]
    message: str
    fix: str = ""
    argument: str = ""
    effect: Effect = Effect.WARNING


def options(name: str, values: list[str] | tuple[str, ...]) -> str:
    """Write an option once for each value, quoted for a shell.

    Examples
    --------
    >>> options("kind", ["Start Date=date", "dose=numeric"])
    "--kind 'Start Date=date' --kind dose=numeric"
    """
    return " ".join(f"--{name} {quote(value)}" for value in values)
