"""``table.toml``: how a table is read, kept in a file that every command takes, and Python too."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from altsel.data.columns import Task
from altsel.data.reading import MISSING_TOKENS, Reading
from altsel.errors import ConfigurationError, checked_path, hidden
from altsel.validation import messages

SPOKEN = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";"}
"""Words for separators."""
NUMERIC = {"numeric": "continuous"}
"""Words for kinds besides their names."""


class TableFile(BaseModel):
    """What is said of a table: the reading options of the command line, by their names.

    Attributes
    ----------
    task, sep, encoding, decimal, na, drop, drop_missing
        As the options; what is not there is as usual.
    kind
        Kinds of columns by name, or the values of one from the lowest to the highest.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    task: Task | None = Field(default=None, strict=False)
    sep: str | None = None
    encoding: str | None = None
    decimal: str | None = None
    na: list[str] | None = None
    drop: list[str] = []
    drop_missing: bool = False
    kind: dict[str, str | list[str]] = {}

    def arguments(self) -> dict[str, Any]:
        """Return the arguments of `Dataset` that say the same.

        Raises
        ------
        ArgumentError
            If an option makes no sense.
        """
        tokens = MISSING_TOKENS if self.na is None else tuple(self.na)
        sep = None if self.sep is None else SPOKEN.get(self.sep, self.sep)
        return {
            "task": self.task,
            "missing": "drop rows" if self.drop_missing else "error",
            "kinds": {
                name: NUMERIC.get(kind, kind) if isinstance(kind, str) else kind
                for name, kind in self.kind.items()
            },
            "drop": tuple(self.drop),
            "reading": Reading(sep, self.encoding or "utf-8", self.decimal or ".", tokens),
        }

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
        lines += [f"{name} = {_value(value)}" for name, value in given.items()]
        lines += ["", "[kind]"] if kinds else []
        lines += [f"{_quoted(name)} = {_value(kind)}" for name, kind in kinds.items()]
        return "\n".join([*lines, ""])


def read_table_file(path: str | Path) -> TableFile:
    """Read how a table is to be read from a TOML file.

    Raises
    ------
    ConfigurationError
        If the file cannot be read, is no TOML, or holds an unknown key or a wrong value; all faults are
        reported at once, each with its key.
    """
    path = checked_path("table", path)
    try:
        plain = tomllib.loads(path.read_bytes().decode("utf-8-sig"))
        return TableFile.model_validate(plain)
    except OSError as fault:
        raise ConfigurationError(f"cannot read {path}: {fault.strerror or fault}") from fault
    except ValidationError as fault:
        wrong = "; ".join(messages(fault, [*TableFile.model_fields]))
        raise ConfigurationError(f"{path}: {wrong}") from fault
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as fault:
        raise ConfigurationError(
            f"{path} is not TOML, as altsel look FILE --target COLUMN --write {path.name} writes it: {fault}"
        ) from fault


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    return str(value) if isinstance(value, int) else _quoted(value)


def _quoted(text: str) -> str:
    """Write a basic string of TOML; what a terminal obeys is escaped."""
    plain = text.replace("\\", "\\\\").replace('"', '\\"')
    signs = [f"\\U{ord(sign):08x}" if hidden(sign) else sign for sign in plain]
    return f'"{"".join(signs)}"'
