"""Which fixes the next command has: numbers that are written as text, and what to do about missing values."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from shlex import split

from altsel.data.findings.finding import Effect, Finding, options
from altsel.data.table_file import TableFile
from altsel.errors import listing
from altsel.looking.gaps import Gaps

NUMBERS = {"currency", "percent", "number with unit", "thousands", "decimal comma", "number as text"}
CATEGORY, TOKEN = "None as category", "missing token"


def proposed_by(
    found: Iterable[Finding], stated: TableFile, tokens: Collection[str]
) -> tuple[TableFile, list[Finding]]:
    """Add the fixes of numbers written as text and of missing values to what is stated.

    Parameters
    ----------
    found
        What was recognised; its order stays.
    stated
        How the table is read.
    tokens
        What stands for a missing value in the file as it is read now.
    """
    table, result, words = stated, [], set()
    for one in found:
        if one.kind not in NUMBERS | {CATEGORY, TOKEN} or not _possible(one, table):
            result.append(one)
            continue
        table = table.with_options(one.fix)
        result.append(replace(one, effect=Effect.PROPOSED))
        words |= {*tokens} - {*split(one.fix)} if one.kind == CATEGORY else set()
    if words and table.na is not None:  # another column's fix names again what this one's takes away
        table = table.model_copy(update={"na": [token for token in table.na if token not in words]})
    return table, result


def _possible(one: Finding, table: TableFile) -> bool:
    """Return whether a decimal comma, if the fix has one, is not what separates columns."""
    return "--decimal ," not in one.fix or (table.sep or ",") not in {",", "comma"}


def of_gaps(gaps: Gaps, rows: int, target: str, needless: Collection[str] = ()) -> Finding | None:
    """Say what missing values cost and what is to be done about them; None if there are none.

    `needless` are columns of one value that miss some.
    """
    if gaps.left == rows and not needless:
        return None
    by_cost = sorted(gaps.missing, key=lambda name: -gaps.missing[name])
    most = ", ".join(f"{name!r} ({gaps.missing[name]:,})" for name in by_cost[:5])
    more = f" and {len(by_cost) - 5} more" if len(by_cost) > 5 else ""
    drop = [*needless, *gaps.drop]
    then = f"; without {listing(drop)} {gaps.left_then:,} are left" if drop else ""
    message = f"{gaps.left:,} of {rows:,} rows have no missing value; missing are {most}{more}{then}"
    fix = [options("drop", drop)] if drop else []
    arguments = [f"drop={drop!r}"] if drop else []
    if gaps.left_then < rows:
        fix, arguments = [*fix, "--drop-missing"], [*arguments, "missing='drop rows'"]
    names = tuple(name for name in by_cost if name != target)
    return Finding("missing values", names, message, " ".join(fix), ", ".join(arguments), Effect.PROPOSED)
