"""``table.toml``: how a table is read, kept in a file that every command takes, and Python too."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from shlex import quote, split
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from altsel.data.cleaning import ROWS_LOST, MissingName
from altsel.data.reading import MISSING_TOKENS, Reading, decimal_sign
from altsel.data.schema import Task
from altsel.errors import ArgumentError, ConfigurationError, checked_path, hidden, list_of_names
from altsel.validation import messages

SPOKEN = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";"}
"""Words for separators."""
NUMERIC = {"numeric": "continuous"}
"""Words for kinds besides their names."""


IN_ORDER = "ordinal:"
"""What stands before the values of an ordinal column, from the lowest to the highest."""
LISTS = {"na", "drop", "keep"}
"""Options that are given once for each of several values."""


def reading_of(given: Any) -> Reading:
    """Return how a file is written by options that say so: those of a command, or of ``table.toml``."""
    return Reading(
        None if given.sep is None else SPOKEN.get(given.sep, given.sep),
        given.encoding or "utf-8",
        decimal_sign(given.decimal, given.thousands),
        MISSING_TOKENS if given.na is None else tuple(given.na),
        given.thousands,
        given.skip_rows,
        int(given.sheet) if given.sheet is not None and given.sheet.isdecimal() else given.sheet,
    )


def way_of_missing(given: Any) -> str:
    """Return what is done with missing values by options that say so, as an argument in Python.

    Raises
    ------
    ArgumentError
        If two options contradict each other.
    """
    if given.missing is None:
        return "drop rows" if given.drop_missing else "error"
    if given.drop_missing and given.missing is not MissingName.DROP_ROWS:
        raise ArgumentError(f"--drop-missing and --missing {given.missing} exclude each other: leave one out")
    return str(given.missing.argument)


class TableFile(BaseModel):
    """What is said of a table: the reading options of the command line, by their names.

    Attributes
    ----------
    task, sep, encoding, decimal, thousands, skip_rows, sheet, na, drop, keep, drop_missing, missing, \
    rows_lost, most_missing, unique_rows
        As the options; what is not there is as usual.
    kind
        Kinds of columns by name, or the values of one from the lowest to the highest.
    notes
        What is said of the table whenever it is read so; commands say it in one line.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    task: Task | None = Field(default=None, strict=False)
    sep: str | None = None
    encoding: str | None = None
    decimal: str | None = None
    thousands: str | None = None
    skip_rows: int | None = None
    sheet: str | None = None
    na: list[str] | None = None
    drop: list[str] = []
    keep: list[str] = []
    drop_missing: bool = False
    missing: MissingName | None = Field(default=None, strict=False)
    rows_lost: float | None = None
    most_missing: float | None = None
    unique_rows: bool = False
    kind: dict[str, str | list[str]] = {}
    notes: list[str] = []

    def arguments(self, changes: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Return the arguments of `Dataset` that say the same, but for `changes`, arguments of it too.

        Raises
        ------
        ArgumentError
            If an option makes no sense.
        """
        reading = reading_of(self)
        told: dict[str, Any] = {
            "task": self.task,
            "reading": reading,
            "missing": way_of_missing(self),
            "kinds": {
                name: NUMERIC.get(kind, kind) if isinstance(kind, str) else kind
                for name, kind in self.kind.items()
            },
            "drop": tuple(self.drop),
            "keep": tuple(self.keep),
            "rows_lost": ROWS_LOST if self.rows_lost is None else self.rows_lost,
            "most_missing": self.most_missing,
            "unique_rows": self.unique_rows,
        }
        changes = dict(changes or {})
        told["kinds"] |= changes.pop("kinds", None) or {}
        for name, other in (("drop", "keep"), ("keep", "drop")):  # what is said last of a column counts
            last = list_of_names(other, changes.get(other, ()))
            told[name] = tuple(one for one in told[name] if one not in last)
        for name in ("drop", "keep"):
            told[name] += list_of_names(name, changes.pop(name, ()))
        return told | changes

    def with_options(self, text: str) -> TableFile:
        """Return what is said besides by options of the command line, as one would paste them.

        Examples
        --------
        >>> table = TableFile(drop=["id"]).with_options("--drop 'case no' --decimal , --kind price=numeric")
        >>> table.drop, table.decimal, table.kind
        (['id', 'case no'], ',', {'price': 'numeric'})
        """
        plain = self.model_dump()
        words = iter(split(text))
        for word in words:
            name = word.removeprefix("--").replace("-", "_")
            usual = TableFile.model_fields[name].default
            if usual is False:
                plain[name] = True
            elif name == "kind":
                column, kind = read_kind(next(words))
                plain[name] |= {column: kind}
            elif name in LISTS:
                value, other = next(words), {"drop": "keep", "keep": "drop"}.get(name)
                plain[name] = list(dict.fromkeys([*(plain[name] or ()), value]))
                if other is not None:  # what is said last of a column counts
                    plain[other] = [one for one in plain[other] if one != value]
                if name == "drop":
                    plain["kind"].pop(value, None)
            else:
                plain[name] = next(words)
        return TableFile.model_validate(plain, strict=False)

    def options(self) -> str:
        """Write it as options of the command line, quoted so that they can be pasted into a shell.

        Examples
        --------
        >>> TableFile(sep=";", drop_missing=True, kind={"size": ["s", "m"]}).options()
        "--sep ';' --drop-missing --kind size=ordinal:s,m"
        """
        return " ".join(f"--{name.replace('_', '-')}{_argument(value)}" for name, value in self.stated())

    def stated(self) -> Iterator[tuple[str, Any]]:
        """Yield what is not as usual as options are given: names and values, once for each of several."""
        given = self.model_dump(mode="json", exclude_defaults=True, exclude={"notes"})
        kinds = given.pop("kind", {})
        for name, value in given.items():
            yield from ((name, one) for one in (value if isinstance(value, list) else [value]))
        yield from (("kind", stated_kind(*one)) for one in kinds.items())

    def text(self, comment: str = "") -> str:
        """Write it as TOML, what is as usual left out, below a comment.

        Examples
        --------
        >>> print(TableFile(sep=";", drop=["id"], kind={"zip code": "categorical"}).text("How it is read"))
        # How it is read
        sep = ";"
        drop = ["id"]
        <BLANKLINE>
        [kind]
        "zip code" = "categorical"
        <BLANKLINE>
        """
        given = self.model_dump(mode="json", exclude_defaults=True)
        kinds = given.pop("kind", {})
        lines = [f"# {line}" for line in comment.splitlines()]
        lines += [f"{name} = {toml_value(value)}" for name, value in given.items()]
        lines += ["", "[kind]"] if kinds else []
        lines += [f"{_quoted(name)} = {toml_value(kind)}" for name, kind in kinds.items()]
        return "\n".join([*lines, ""])


def table_file(given: TableFile | Mapping[str, Any] | str | Path | None) -> TableFile:
    """Return how a table is to be read: from its keys, or from a TOML file that holds them.

    Raises
    ------
    ConfigurationError
        If the file cannot be read, is no TOML, or holds an unknown key or a wrong value; all faults are
        reported at once, each with its key.
    """
    if isinstance(given, TableFile):
        return given
    if given is None or isinstance(given, Mapping):
        return _checked(given or {}, "table")
    path = checked_path("table", given)
    return _checked(read_toml(path, "altsel look FILE --target COLUMN --write"), str(path))


def read_toml(path: Path, command: str) -> dict[str, Any]:
    """Read a TOML file, or raise a ConfigurationError that says which command writes such files."""
    try:
        return tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as fault:
        raise ConfigurationError(f"cannot read {path}: {fault.strerror or fault}") from fault
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as fault:
        raise ConfigurationError(
            f"{path} is not TOML, as {command} {path.name} writes it: {fault}"
        ) from fault


def _checked(plain: Mapping[str, Any], source: str) -> TableFile:
    try:
        return TableFile.model_validate(plain)
    except ValidationError as fault:
        wrong = "; ".join(messages(fault, [*TableFile.model_fields]))
        raise ConfigurationError(f"{source}: {wrong}") from fault


def read_kind(text: str) -> tuple[str, str | list[str]]:
    """Read the kind of a column as an option has it; the name is empty if it is none.

    Examples
    --------
    >>> read_kind("size=ordinal:s,m,l"), read_kind("a=b=numeric")
    (('size', ['s', 'm', 'l']), ('a=b', 'numeric'))
    """
    name, sign, values = text.partition(f"={IN_ORDER}")
    if sign:
        return name, [value.strip() for value in values.split(",")]
    name, _, kind = text.rpartition("=")
    return name, kind


def stated_kind(name: str, kind: str | list[str]) -> str:
    """Write the kind of a column as an option has it.

    Raises
    ------
    ConfigurationError
        If the values of an ordinal column cannot be written so.
    """
    if isinstance(kind, str):
        return f"{name}={kind}"
    if any("," in value for value in kind):
        raise ConfigurationError(
            f"kind of {name!r}: a value holds a comma, which separates values; read it in Python, "
            "altsel.Dataset.from_table(file, target, 'table.toml')"
        )
    return f"{name}={IN_ORDER}{','.join(kind)}"


def _argument(value: Any) -> str:
    return "" if value is True else f" {quote(str(value))}"


def toml_value(value: Any) -> str:
    """Write a value as TOML has it in one line: a text, number, list or table.

    Examples
    --------
    >>> print(toml_value([{"limit": 2, "cost": {"a b": 1.5}}]))
    [{"limit" = 2, "cost" = {"a b" = 1.5}}]
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return f"[{', '.join(map(toml_value, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_quoted(str(name))} = {toml_value(one)}' for name, one in value.items())}}}"
    return _quoted(value) if isinstance(value, str) else repr(value)


def _quoted(text: str) -> str:
    """Write a basic string of TOML; what a terminal obeys is escaped."""
    plain = text.replace("\\", "\\\\").replace('"', '\\"')
    signs = [f"\\U{ord(sign):08x}" if hidden(sign) else sign for sign in plain]
    return f'"{"".join(signs)}"'
