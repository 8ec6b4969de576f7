"""Which fixes the next command has: numbers that are written as text, and what to do about missing values."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from math import ceil
from shlex import split

from altsel.data.cleaning import ROWS_LOST
from altsel.data.findings.finding import Effect, Finding, options
from altsel.data.reading import MISSING_TOKENS
from altsel.data.table_file import TableFile
from altsel.errors import listing
from altsel.looking.gaps import Gaps

NUMBERS = {"currency", "percent", "number with unit", "thousands", "decimal comma", "number as text", "limit"}
CATEGORY, TOKEN = "None as category", "missing token"


def words_of(found: Iterable[Finding], tokens: Collection[str]) -> list[str]:
    """Return the tokens of missing values that may be categories."""
    fixes = [split(one.fix) for one in found if one.kind == CATEGORY]
    return [token for token in tokens if any(token not in fix for fix in fixes)]


def proposed_by(
    found: Iterable[Finding], stated: TableFile, tokens: Collection[str], words: Collection[str]
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
    words
        Those of them that are to be read as the categories that they may be.
    """
    table, result = stated, []
    for one in found:
        if one.kind in NUMBERS | {TOKEN} or (one.kind == CATEGORY and {*words_of([one], tokens)} <= {*words}):
            one = replace(_as_possible(one, table), effect=Effect.PROPOSED)  # noqa: PLW2901
        table = table.with_options(one.fix) if one.effect is Effect.PROPOSED else table
        result.append(one)
    if table.na != stated.na:  # a fix is of one column, and may name again what another one's takes away
        left = [token for token in dict.fromkeys([*(table.na or ()), *tokens]) if token not in words]
        some = [token for token in MISSING_TOKENS if token not in words]
        named = left or some[:1]
        table = table.model_copy(update={"na": named})
        result = [_with_tokens(one, named) if _is_of_tokens(one) else one for one in result]
    return table, result


def _is_of_tokens(one: Finding) -> bool:
    return one.kind in {CATEGORY, TOKEN} and one.effect is Effect.PROPOSED


def _with_tokens(one: Finding, tokens: Collection[str]) -> Finding:
    """Let the fix name all tokens, as it takes the place of the usual ones."""
    return replace(one, fix=options("na", [*tokens]), argument=f"reading=Reading(missing={tuple(tokens)!r})")


def _as_possible(one: Finding, table: TableFile) -> Finding:
    """Read the column alone where its decimal comma is what separates columns."""
    if "--decimal ," not in one.fix or (table.sep or ",") not in {",", "comma"}:
        return one
    (name,) = one.columns
    return replace(one, fix=options("kind", [f"{name}=numeric"]), argument=f"kinds={{{name!r}: 'numeric'}}")


def of_gaps(gaps: Gaps, rows: int, target: str) -> Finding | None:
    """Say what missing values cost and what is to be done about them; None if there are none."""
    if gaps.left == rows:
        return None
    by_cost = sorted(gaps.missing, key=lambda name: -gaps.missing[name])
    most = ", ".join(f"{name!r} ({gaps.missing[name]:,})" for name in by_cost[:5])
    more = f" and {len(by_cost) - 5} more" if len(by_cost) > 5 else ""
    then = f"; without {listing(gaps.drop)} {gaps.left_then:,} are left" if gaps.drop else ""
    message = f"{gaps.left:,} of {rows:,} rows have no missing value; missing are {most}{more}{then}"
    fix = [options("drop", gaps.drop)] if gaps.drop else []
    arguments = [f"drop={[*gaps.drop]!r}"] if gaps.drop else []
    if gaps.left_then < rows:
        fix, arguments = [*fix, "--drop-missing"], [*arguments, "missing='drop rows'"]
    with_target = rows - gaps.missing.get(target, 0)
    lost = ceil(100 * (1 - gaps.left_then / max(with_target, 1))) / 100
    if lost > ROWS_LOST:  # of those with a target, if one feature is left
        fix, arguments = [*fix, f"--rows-lost {lost:g}"], [*arguments, f"rows_lost={lost:g}"]
    names = tuple(name for name in by_cost if name != target)
    return Finding("missing values", names, message, " ".join(fix), ", ".join(arguments), Effect.PROPOSED)
