"""Score cards beside the sets: points to add up, and the risk of each total."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from altsel.errors import ArgumentError, of_kind, printable
from altsel.results.score_card import ScoreCard
from altsel.results.score_card_text import MEANINGS, POINTS, RISKS, notes, title
from altsel.results.solutions import Solutions
from altsel.results.text import meanings

if TYPE_CHECKING:
    from altsel.report.parts import Parts


def cards_of(found: Solutions, parts: Parts) -> list[dict[str, Any]]:
    """Return what is shown of score cards, one a card.

    Raises
    ------
    ArgumentError
        If they are none, or of another target.
    """
    of_kind("score_cards", parts.score_cards, Sequence, "a list of score cards")
    for card in parts.score_cards:
        of_kind("score_cards", card, ScoreCard, "a list of what altsel.score_card returned")
        if card.target != found.target and found.target is not None:
            raise ArgumentError(
                f"{parts.called('score_cards')} tells the risk of {printable(card.target)!r}, and the sets "
                f"explain {printable(found.target)!r}: give cards of the same target"
            )
    return [
        {
            "title": title(card),
            "points": [[printable(item.name), item.points] for item in card.items],
            "totals": [[one.total, one.risk, one.rows, one.share] for one in card.totals],
            "said": "; ".join(meanings([*POINTS, *RISKS], MEANINGS)),
            "notes": notes(card),
        }
        for card in parts.score_cards
    ]
