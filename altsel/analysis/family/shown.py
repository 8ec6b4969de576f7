"""A family of Markov blankets as a short table: what each feature is, and what that rests on."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from altsel.display.html import Table, name_cell, page
from altsel.errors import printable
from altsel.results.feature_report import FeatureClass
from altsel.results.solutions import Solutions
from altsel.results.solutions_text import about
from altsel.results.text import meanings, number_of, percent, text_table

HEAD = ["feature", "class", "in"]
MEANINGS = {"in": "share of the blankets that hold it"}
OUT = (FeatureClass.OUTSIDE.value, FeatureClass.FORBIDDEN.value)
"""Classes of features that are counted, and not listed."""
LISTED = 40
"""Features that the text lists."""


def text(found: Solutions, bounds: tuple[int, int], classes: pd.DataFrame, notes: Sequence[str]) -> str:
    """Show a family as plain text."""
    inside = classes[~classes["class"].isin(OUT)]
    rows = [[printable(name), *cells] for name, *cells in _cells(inside[:LISTED])]
    table = [*text_table(HEAD, rows, right={2}, prose={1}), *meanings(HEAD, MEANINGS)] if rows else []
    more = [number_of(len(inside) - LISTED, "more feature")] if len(inside) > LISTED else []
    ended = [*more, f"{number_of(len(classes) - len(inside), 'feature')} in no blanket", *notes]
    return "\n".join([_title(found, bounds), *table, "; ".join(ended)])


def html(found: Solutions, bounds: tuple[int, int], classes: pd.DataFrame, notes: Sequence[str]) -> str:
    """Show a family in a notebook."""
    inside = classes[~classes["class"].isin(OUT)]
    rows = ([name_cell(name, found.universe), *cells] for name, *cells in _cells(inside))
    table = Table(_title(found, bounds), HEAD, rows, len(inside), "feature", left={0, 1})
    ended = [f"{number_of(len(classes) - len(inside), 'feature')} in no blanket", *notes]
    return page(about(found), [table, "; ".join(ended)])


def _title(found: Solutions, bounds: tuple[int, int]) -> str:
    """Report how many blankets there are."""
    least, most = bounds
    removals = number_of(len(found.dual.failed) if found.dual else 0, "failed removal")
    number = f"{least:,}" if least == most else f"{least:,} to {most:,}"
    return f"{number} {'blanket' if most == 1 else 'blankets'} by {removals}"


def _cells(classes: pd.DataFrame) -> list[list[str]]:
    """Return name, class and share of each feature; no share where it is not known."""
    rows = zip(classes["feature"], classes["class"], classes["share"], strict=True)
    return [[name, kind, percent(None if pd.isna(share) else share)] for name, kind, share in rows]
