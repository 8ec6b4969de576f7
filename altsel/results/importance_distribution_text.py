"""A distribution of importance as text, and as a table for notebooks."""

from __future__ import annotations

from altsel.display.html import Table, name_cell, page
from altsel.errors import printable
from altsel.results.importance_distribution import FeatureDistribution, ImportanceDistribution
from altsel.results.text import meanings, number_of, number_text, percent, text_table

SHOWN = 20
"""Features shown in a text; all are in tables and JSON."""
HEAD = ("feature", "statement", "mean worth", "in all rows", "in resamples", "core", "sometimes", "never")
"""Head of the table."""
MEANINGS = {
    "statement": "the class that it surely has in 90 % of the resamples or more; ? if in none",
    "mean worth": "what a set loses without it, 0 where the set lacks it: mean over good sets and resamples",
    "in all rows": "least and largest worth in the good sets of all rows",
    "core": "share of the resamples in which all good sets have it",
    "never": "share of the resamples in which no good set has it",
}
"""What the columns mean."""


def text(found: ImportanceDistribution) -> str:
    """Write the features, those of most worth first."""
    known = found.leading()
    more = [f"… and {number_of(len(known) - SHOWN, 'more feature')}"] if len(known) > SHOWN else []
    table = text_table(HEAD, [_row(one) for one in known[:SHOWN]], right=set(range(2, len(HEAD))))
    return "\n".join([title(found), "", *table, *more, *meanings(HEAD, _meanings(found)), *notes(found)])


def html(found: ImportanceDistribution) -> str:
    """Show the same in a notebook."""
    known = found.leading()
    names = [one.feature for one in known]
    rows = ([name_cell(one.feature, names), *_row(one)[1:]] for one in known)
    table = Table("The most worth first", HEAD, rows, len(known), "feature", {0, 1})
    return page(title(found), [table, *meanings(HEAD, _meanings(found)), *notes(found)])


def title(found: ImportanceDistribution) -> str:
    """Report of which sets and rows it is."""
    target = f", target {printable(found.target)!r}" if found.target else ""
    count = number_of(found.all_rows.sets, "good set")
    return f"{count} of all rows, {number_of(len(found.resamples), 'resample')} ({found.scheme}){target}"


def notes(found: ImportanceDistribution) -> list[str]:
    """Report how many features are in no good set, and where lists are not complete."""
    left = len(found.features) - len(found.leading())
    told = [f"{number_of(left, 'feature')} in no good set of any resample"] if left else []
    if len(found.resamples) < found.needed:
        told.append(
            f"no statement can be made of {number_of(len(found.resamples), 'resample')}: "
            f"{found.needed} that agree are needed"
        )
    if not found.all_rows.complete:
        told.append("the list of all rows is not complete: its ranges are of the sets found")
    if open_lists := len(found.resamples) - found.complete:
        some = number_of(open_lists, "resample")
        told.append(f"{some} whose list is not complete: core and never are not known there")
    return told


def _meanings(found: ImportanceDistribution) -> dict[str, str]:
    range_ = f"range that {percent(found.level)} of the resamples keep, of least and of largest worths"
    return {**MEANINGS, "in resamples": range_}


def _row(one: FeatureDistribution) -> list[str]:
    kind = one.statement()
    return [
        printable(one.feature),
        kind.value if kind else "?",
        number_text(one.mean),
        f"{number_text(one.least)} to {number_text(one.most)}",
        f"{number_text(one.low)} to {number_text(one.high)}",
        *map(percent, one.shares),
    ]
