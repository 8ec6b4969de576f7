"""Which fixes the next command has: numbers that are written as text, and what to do about missing values."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from math import ceil
from shlex import split

from altsel.data.cleaning import ROWS_LOST, MissingName
from altsel.data.findings.finding import Effect, Finding, options
from altsel.data.reading import MISSING_TOKENS
from altsel.data.table_file import TableFile
from altsel.errors import listing
from altsel.looking.gaps import Gaps
from altsel.results.text import number_of

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
    if "--decimal ," not in one.fix or table.decimal == "," or (table.sep or ",") not in {",", "comma"}:
        return one
    (name,) = one.columns
    return replace(one, fix=options("kind", [f"{name}=numeric"]), argument=f"kinds={{{name!r}: 'numeric'}}")


def of_gaps(gaps: Gaps, rows: int, target: str, way: MissingName | None = None) -> Finding | None:
    """Report what missing values cost and what is to be done about them, or is as told; None without any."""
    if gaps.left == rows:
        return None
    by_cost = sorted(gaps.missing, key=lambda name: -gaps.missing[name])
    most = _name_some(f"{name!r} ({gaps.missing[name]:,})" for name in by_cost)
    message = f"{gaps.left:,} of {rows:,} rows have no missing value; missing are {most}"
    if way is not None:
        names = tuple(name for name in by_cost if name != target)
        return Finding("missing values", names, f"{message}; as told: --missing {way}", effect=Effect.REMARK)
    fix = [options("drop", gaps.drop)] if gaps.drop else []
    arguments = [f"drop={[*gaps.drop]!r}"] if gaps.drop else []
    if gaps.left_then < rows:
        fix, arguments = [*fix, "--drop-missing"], [*arguments, "missing='drop rows'"]
    with_target = rows - gaps.missing.get(target, 0)
    lost = ceil(100 * (1 - gaps.left_then / max(with_target, 1))) / 100
    if lost > ROWS_LOST:  # of those with a target
        fix, arguments = [*fix, f"--rows-lost {lost:g}"], [*arguments, f"rows_lost={lost:g}"]
    names = tuple(name for name in by_cost if name != target)
    said = "; ".join([message, *_of_left_out(gaps), *_of_kept(gaps, names)])
    return Finding("missing values", names, said, " ".join(fix), ", ".join(arguments), Effect.PROPOSED)


def _of_left_out(gaps: Gaps) -> Iterator[str]:
    """Yield what leaving out columns gives, and what is lost by it."""
    telling = [name for name in gaps.drop if name in gaps.tells]
    silent = [name for name in gaps.drop if name not in gaps.tells]
    if gaps.drop:
        yield f"without {listing(gaps.drop)} {gaps.left_then:,} are left"
    if silent:
        which = listing(silent) if telling else "it" if len(silent) == 1 else "them"
        yield f"no dependence of the target on {which} shows"
    if telling:
        lost = _name_some(f"{name!r} (association {gaps.tells[name]:.2g})" for name in telling)
        yield f"what the target has to do with {lost} is lost: else fewer than half of the rows would be left"


def _of_kept(gaps: Gaps, names: Iterable[str]) -> Iterator[str]:
    """Yield which columns stay for what they tell, and what each costs by itself."""
    kept = [name for name in names if name in gaps.tells and name in gaps.costs]
    if kept:
        each = (
            f"{name!r} (association {gaps.tells[name]:.2g}, {number_of(gaps.costs[name], 'row')})"
            for name in kept
        )
        yield f"columns stay that tell something of the target, at the cost of rows: {_name_some(each)}"


def _name_some(each: Iterable[str]) -> str:
    """Name some, and how many more there are."""
    all_ = list(each)
    return ", ".join(all_[:5]) + (f" and {len(all_) - 5} more" if len(all_) > 5 else "")
