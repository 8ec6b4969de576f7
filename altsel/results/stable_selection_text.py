"""A stable selection as text, and as a table for notebooks."""

from __future__ import annotations

from altsel.display.html import Table, name_cell, page
from altsel.errors import printable
from altsel.results.stable_selection import StableFeature, StableSelection
from altsel.results.text import meanings, number_of, percent, text_table

SHOWN = 20
"""Features shown in a text besides those selected; all are in tables and JSON."""
HEAD = ["feature", "in halves", "selected"]
"""Head of the table."""
MEANINGS = {"in halves": "share of the halves of the rows in which the search selects it"}
"""What the columns mean."""


def text(found: StableSelection) -> str:
    """Write the features, the most frequent first, and the bounds."""
    order = _leading(found)
    shown = order[: max(SHOWN, len(found.selected))]
    left = len(order) - len(shown)
    more = [f"… and {number_of(left, 'more feature')}"] if left else []
    table = text_table(HEAD, [_row(one) for one in shown], right={1})
    return "\n".join([title(found), "", *table, *more, *meanings(HEAD, MEANINGS), "", *bounds(found)])


def html(found: StableSelection) -> str:
    """Show the same in a notebook."""
    order = _leading(found)
    names = [one.feature for one in order]
    rows = ([name_cell(one.feature, names), *_row(one)[1:]] for one in order)
    table = Table("The most frequent first", HEAD, rows, len(order), "feature", {0, 2})
    return page(title(found), [table, *meanings(HEAD, MEANINGS), *bounds(found)])


def title(found: StableSelection) -> str:
    """Report how many features were selected."""
    count = f"{len(found.selected)} of {number_of(len(found.stable), 'feature')} selected"
    at = "" if found.threshold is None else f" in {percent(found.threshold)} of the halves or more"
    target = f", target {printable(found.target)!r}" if found.target else ""
    return f"{count}{at}{target}"


def bounds(found: StableSelection) -> list[str]:
    """Report how many are wrong at most, and when."""
    what = f"{found.size:.3g} of {len(found.stable)} features in a half, in the mean; {found.of}"
    how = f"{number_of(found.pairs, 'pair')} of halves; {what}."
    if found.threshold is None:
        return [how, "No threshold keeps to so few errors: select fewer features, or allow more errors."]
    known = {
        "always": found.worst_case,
        "if shares of pairs have one peak": found.unimodal,
        "if they are r-concave": found.r_concave,
    }
    said = "; ".join(f"{value:.2g} {when}" for when, value in known.items() if value is not None)
    return [
        how,
        "Wrong are features that the search selects in a half no more often than a feature on average; in "
        f"the mean at most so many of them are selected: {said}.",
    ]


def _leading(found: StableSelection) -> list[StableFeature]:
    return sorted(found.stable, key=lambda one: -one.share)


def _row(one: StableFeature) -> list[str]:
    return [printable(one.feature), percent(one.share), "yes" if one.selected else ""]
