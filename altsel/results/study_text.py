"""A study as text: what may be claimed, then the configurations, the best first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from altsel.display.html import Table, name_cell, page
from altsel.errors import printable
from altsel.results.text import meanings, number_text, percent, text_table

if TYPE_CHECKING:
    from altsel.results.study import Study, Tried

SHOWN = 10
"""Configurations shown; all are in tables and JSON."""
HEAD = ("configuration", "features", "loss", "chosen")
MEANINGS = {
    "loss": "out of fold, not corrected for the choice",
    "chosen": "share of the bootstrap resamples in which it has the least loss",
}
"""What the columns of the table mean."""


def text(study: Study) -> str:
    """Write what was shown, what is odd about the table, and the leading configurations."""
    lines = [title(study), "", *(f"- {printable(claim)}" for claim in study.claims), ""]
    if study.looked:
        lines += ["Of the table:", *(f"- {printable(one)}" for one in study.looked), ""]
    lines += text_table(HEAD, [_row(one) for one in leading(study)], right={1, 2, 3}, prose={0})
    if len(study.tried) > SHOWN:
        lines.append(f"… and {len(study.tried) - SHOWN} more configurations")
    return "\n".join([*lines, *meanings(HEAD, MEANINGS)])


def html(study: Study) -> str:
    """Show the same in a notebook."""
    rows = ([name_cell(one.name, ()), *_row(one)[1:]] for one in leading(study))
    table = Table("Configurations", list(HEAD), rows, len(study.tried), "configuration", left={0})
    return page(title(study), [*study.claims, table, *meanings(HEAD, MEANINGS)])


def title(study: Study) -> str:
    """Report what the study is of."""
    apart = f", {study.holdout} more kept apart" if study.holdout else ""
    return f"Study of {study.rows} rows{apart}; target {printable(study.target)!r}"


def leading(study: Study) -> list[Tried]:
    """Return the configurations with the least losses."""
    return sorted(study.tried, key=lambda one: one.loss)[:SHOWN]


def _row(one: Tried) -> list[str]:
    return [one.name, f"{one.features:.1f}", number_text(one.loss), percent(one.chosen)]
