"""The dual of a family of blankets as a short table: failed removals, what confirms each, what they prove."""

from __future__ import annotations

from typing import TYPE_CHECKING

from altsel.display.html import Table, name_cell, names_cell, page
from altsel.display.names import brief, short
from altsel.results.text import meanings, number_of, p_text, text_table

if TYPE_CHECKING:
    from altsel.results.dual import Dual, FailedRemoval

HEAD = ["without", "evidence", "feature", "p"]
MEANINGS = {"without": "every blanket has one of these features", "p": "of the feature, given all others"}
SHOWN = 10
"""Failed removals that the text lists."""


def text(dual: Dual) -> str:
    """Tabulate the smallest failed removals, and say below what casts doubt on them."""
    failed = sorted(dual.failed, key=lambda one: len(one.removed))
    rows = [[brief(one.removed), *_reason(one), p_text(one.log_p)] for one in failed[:SHOWN]]
    table = [*text_table(HEAD, rows, right={3}, prose={0, 1}), *meanings(HEAD, MEANINGS)] if rows else []
    more = [number_of(len(failed) - SHOWN, "more failed removal")] if len(failed) > SHOWN else []
    return "\n".join([dual.title(), *table, *more, *_ended(dual)])


def html(dual: Dual) -> str:
    """Show a dual in a notebook."""
    failed = sorted(dual.failed, key=lambda one: len(one.removed))
    rows = (
        [names_cell(one.removed), one.evidence.value, name_cell(one.feature or ""), p_text(one.log_p)]
        for one in failed
    )
    table = Table("Failed removals", HEAD, rows, len(failed), "failed removal", left={0, 1, 2})
    return page(dual.title(), [table, *_ended(dual)])


def _reason(one: FailedRemoval) -> list[str]:
    return [one.evidence.value, short(one.feature) if one.feature else ""]


def _ended(dual: Dual) -> list[str]:
    told = [*dual.doubts(), *filter(None, [dual.draws_text()])]
    return ["; ".join(told)] if told else []
