"""`Look`: what was found of a table before a search, what is proposed, and the command to run next."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

from altsel.data.findings.finding import Effect, Finding
from altsel.data.table_file import TableFile
from altsel.display.renderers import renderer
from altsel.errors import printable
from altsel.looking.shape import Shape
from altsel.results.base import Result
from altsel.results.text import number_of
from altsel.runtime.files import replacing

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class ColumnSummary:
    """One column of a table.

    Attributes
    ----------
    name
        Its name.
    kind, why
        Its kind, and by what it has it; or why it is no feature.
    values
        How many different values it has; None if it is no feature.
    missing, alone
        Missing values, and rows in which it alone is missing.
    relevance, p
        Association with the target in [0, 1], the default measure of searches, and the p-value that it stands
        for; None if it is no feature.
    shape
        Its distribution.
    """

    name: str
    kind: str
    why: str
    values: int | None = None
    missing: int = 0
    alone: int = 0
    relevance: float | None = None
    p: float | None = None
    shape: Shape | None = None


@dataclass(frozen=True)
class Look(Result):
    """What matters of a table before it is searched, and how it is to be read.

    Attributes
    ----------
    source, target
        The file, and the target's column.
    task
        ``"binary"``, ``"multiclass"`` or ``"regression"``; empty if the table cannot be searched.
    rows, left
        Rows, and those that are left as is proposed.
    features, units
        How many features are left, and how many if copies count once.
    columns
        All columns, in the order of the table.
    findings
        What is odd, each with what fixes it.
    table
        How the table is to be read: what was known, and the fixes that are proposed.
    fault
        Why it cannot be searched yet; empty if it can.
    notes
        What is said of the table whenever it is read as `table` says.

    Examples
    --------
    >>> import altsel
    >>> rows = {"dose": [1, 2, 3, 4] * 10, "size": [1, 2, 2, 1, 3] * 8}
    >>> found = altsel.look({**rows, "ill": ["no", "no", "yes", "yes"] * 10}, "ill")
    >>> [(one.kind, one.columns) for one in found.findings], found.table.drop
    ([('leak', ('dose',))], ['dose'])
    """

    source: str
    target: str
    task: str
    rows: int
    left: int
    features: int
    units: int
    columns: tuple[ColumnSummary, ...]
    findings: tuple[Finding, ...]
    table: TableFile
    fault: str = ""
    notes: tuple[str, ...] = ()

    def command(self, table: str | Path | None = None) -> str:
        """Return the command to run next; empty if the table cannot be searched yet.

        Parameters
        ----------
        table
            A file that `write` made, which then says how the table is read.
        """
        if self.fault:
            return ""
        told = self.table.options() if table is None else f"--table {quote(str(table))}"
        target = f"--target {quote(self.target)}"
        return " ".join(["altsel select", quote(self.source), target, *filter(None, [told])])

    def write(self, path: str | Path) -> Path:
        """Write how the table is to be read to a file, ``table.toml``, which commands and Python take.

        Columns that are left out by themselves are named in it, so that reading with it finds nothing anew.

        Raises
        ------
        ArgumentError
            If the file cannot be written.
        """
        left_out = [name for one in self.findings if one.effect is Effect.LEFT_OUT for name in one.columns]
        named = [name for name in left_out if name not in self.table.kind]
        drop = list(dict.fromkeys([*self.table.drop, *named]))
        table = self.table.model_copy(update={"drop": drop, "notes": [*self.notes]})
        how = f"How {printable(self.source)} is read, target {printable(self.target)}: {self.command(path)}"
        with replacing(path) as part:
            part.write_text(table.text(how), encoding="utf-8", newline="")
        return Path(path)

    def proposed(self) -> Iterator[Finding]:
        """Yield what the next command fixes."""
        return (one for one in self.findings if one.effect is Effect.PROPOSED)

    def to_frame(self) -> pd.DataFrame:
        """Tabulate the columns."""
        import pandas as pd  # noqa: PLC0415  (heavy)

        rows = [{**asdict(one), "shape": one.shape.words if one.shape else ""} for one in self.columns]
        return pd.DataFrame(rows)

    def _plain(self) -> dict[str, Any]:
        plain: dict[str, Any] = {
            name: value
            for name, value in vars(self).items()
            if name not in {"columns", "findings", "table", "notes"}
        }
        plain["command"] = self.command()
        plain["findings"] = [asdict(one) for one in self.findings]
        plain["columns"] = [asdict(one) for one in self.columns]
        plain["table"] = self.table.model_dump(mode="json", exclude_defaults=True)
        return plain

    def to_html(self) -> str:
        """Return a page for any browser, with a picture of each column; it needs no other file."""
        return str(renderer("page", self)(self))

    def __str__(self) -> str:
        return str(renderer("text", self)(self))

    def __repr__(self) -> str:
        counts = f"{number_of(self.rows, 'row')}, {number_of(len(self.findings), 'finding')}"
        return f"<Look: {counts}, target {self.target!r}>"
