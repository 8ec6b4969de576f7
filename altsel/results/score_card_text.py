"""A score card as people use it: points to add up, and the risk of each total."""

from __future__ import annotations

from altsel.display.html import Table, name_cell, page
from altsel.errors import printable
from altsel.results.score_card import ScoreCard
from altsel.results.text import meanings, number_of, number_text, percent, text_table

POINTS, RISKS = ["feature", "points"], ["total", "risk", "rows", "observed"]
SHOWN = 60
"""Totals that are written; `ScoreCard.risks` has all."""
MEANINGS = {
    "points": "added where it holds, or per unit of a column as it is",
    "total": "sum of the points",
    "risk": "probability by the card",
    "rows": "rows with this total",
    "observed": "share among them",
}


def text(card: ScoreCard) -> str:
    """Write the points, the risks of the totals, and what is proved."""
    lines = [title(card), ""]
    if card.items:
        points = [[printable(item.name), f"{item.points:+d}"] for item in card.items]
        lines += [*text_table(POINTS, points, right={1}), ""]
    risks = _risks(card)
    lines += text_table(RISKS, risks[:SHOWN], right={0, 1, 2, 3})
    lines += [f"… and {number_of(len(risks) - SHOWN, 'more total')}"] if len(risks) > SHOWN else []
    lines += meanings([*POINTS, *RISKS], MEANINGS)
    return "\n".join([*lines, *notes(card)])


def html(card: ScoreCard) -> str:
    """Show the same in a notebook."""
    names = [item.name for item in card.items]
    points = ([name_cell(item.name, names), f"{item.points:+d}"] for item in card.items)
    parts: list[Table | str] = [
        Table("Add up the points of what holds", POINTS, points, len(names), "feature", left={0}),
        Table("Risk of the total", RISKS, iter(_risks(card)), len(card.totals), "total"),
        *meanings([*POINTS, *RISKS], MEANINGS),
        *(f"{note[0].upper()}{note[1:]}." for note in notes(card)),
    ]
    return page(title(card), parts)


def title(card: ScoreCard) -> str:
    """Report of what the card tells the risk."""
    return f"risk of {printable(card.target)} = {printable(card.classes[1])} by {_features(card)}"


def notes(card: ScoreCard) -> list[str]:
    """Report the loss, and what is proved of it."""
    explained = f"loss {number_text(card.loss)}, {percent(card.explained)} of that without features explained"
    of = f"{card.question}, of {number_of(card.candidates, 'candidate')}"
    if card.gap == 0:
        return [explained, f"proved: no card has a smaller loss ({of})"]
    bound = f"no card has a loss below {number_text(card.bound)}, which is {percent(card.gap)} less"
    return [explained, f"{bound} ({of}); the search ended early: {card.stop.value}"]


def _features(card: ScoreCard) -> str:
    if card.items:
        return number_of(len(card.items), "feature")
    return "no feature: none is better than none" if card.gap == 0 else "no feature: no better one was found"


def _risks(card: ScoreCard) -> list[list[str]]:
    return [[str(one.total), percent(one.risk), f"{one.rows:g}", percent(one.share)] for one in card.totals]
