"""What is said of findings whenever a table is read: few sentences, each with what fixes it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from altsel.data.findings.finding import Effect, Finding, options
from altsel.errors import listing

CALLED = {
    "unnamed and empty": "empty, without a name",
    "empty": "empty",
    "constant": "constant",
    "missing": "too many values missing",
    "date": "dates or times",
    "row number": "row numbers",
    "id": "names of rows",
    "free text": "free text",
}
"""What columns are called that are left out; others by what is said of each."""
NO_USE = {"unnamed and empty", "empty", "constant", "missing", "date"}
"""Columns that nothing can be done with as they are."""


def told(found: Iterable[Finding]) -> list[str]:
    """Return one sentence on columns left out, one on what was skipped, and one for each other fault.

    Examples
    --------
    >>> one = Finding("id", ("nr",), "'nr' …", "--keep nr", "keep=['nr']", Effect.LEFT_OUT)
    >>> told([one])
    ["columns left out: 'nr' (names of rows); keep=['nr'] (--keep nr) takes such a column as it is"]
    """
    found = list(found)
    left = [one for one in found if one.effect is Effect.LEFT_OUT]
    skipped = [one.message for one in found if one.effect is Effect.SKIPPED]
    sentences = [_left_out(left)] if left else []
    sentences += [f"in the file, {'; '.join(skipped)}"] if skipped else []
    return [*sentences, *_together([one for one in found if one.effect is Effect.WARNING])]


def reasons(found: Iterable[Finding], drop: Iterable[str], constant: Iterable[str]) -> Mapping[str, str]:
    """Return why columns are no features, by name, each with the option that takes it all the same.

    Parameters
    ----------
    found
        What was recognised in the table.
    drop, constant
        Columns that a user leaves out, and those of one value.

    Examples
    --------
    >>> one = Finding("id", ("nr",), "'nr' …", "--keep nr", "keep=['nr']", Effect.LEFT_OUT)
    >>> reasons([one], ["x"], [])["nr"]
    "it was left out on reading (names of rows); keep=['nr'] (--keep nr) takes it as it is"
    """
    known = dict.fromkeys(constant, "it is constant in the rows in use, and left out")
    known |= dict.fromkeys(drop, "it was left out by drop= (--drop)")
    for one in found:
        if one.effect is not Effect.LEFT_OUT or one.kind == "constant":
            continue
        takes = "takes it as it is" if one.fix.startswith("--keep") else "reads it as numbers"
        how = f"; {one.argument} ({one.fix}) {takes}" if one.fix else ""
        known |= dict.fromkeys(one.columns, f"it was left out on reading ({_what(one)}){how}")
    return known


def _what(one: Finding) -> str:
    return CALLED.get(one.kind) or one.message.partition(" holds ")[2]


def _left_out(left: list[Finding]) -> str:
    parts: dict[str, list[Finding]] = {}
    for one in left:
        parts.setdefault(f"{_what(one)}{_order(one)}", []).append(one)
    texts = [f"{_names(group)} ({what}{_how(group)})" for what, group in parts.items()]
    names = [name for one in left if one.kind not in NO_USE for name in one.columns][:1]
    hint = f"; keep={names} ({options('keep', names)}) takes such a column as it is" if names else ""
    return f"columns left out: {'; '.join(texts)}{hint}"


def _order(one: Finding) -> str:
    return ", and the rows are sorted by the target" if "sorted by" in one.message else ""


def _how(group: list[Finding]) -> str:
    """Return the options that read columns as numbers instead."""
    fixes = list(dict.fromkeys(one.fix for one in group if one.fix and not one.fix.startswith("--keep")))
    return f": {' '.join(fixes[:5])} reads them" if fixes else ""


def _together(found: list[Finding]) -> list[str]:
    """Report the same of several columns once."""
    groups: dict[tuple[str, str], list[Finding]] = {}
    for one in found:
        own = repr(one.columns[0]) if one.columns else ""
        said = one.message.removeprefix(own) if own else one.message
        groups.setdefault((one.kind, said), []).append(one)
    return [_sentence(said, group) for (_, said), group in groups.items()]


def _sentence(said: str, group: list[Finding]) -> str:
    several = len(group) > 1
    whole = f"{_names(group)}{said.replace(' holds ', ' hold ')}" if several else group[0].message
    fixes = list(dict.fromkeys(one.fix for one in group if one.fix))
    arguments = list(dict.fromkeys(one.argument for one in group if one.argument))
    if not fixes:
        return whole
    python = f" (Python: {arguments[0]})" if arguments else ""
    return f"{whole}{'' if whole.endswith('?') else ':'} {' '.join(fixes[:5])}{python}"


def _names(group: list[Finding]) -> str:
    return listing([name for one in group for name in one.columns])
