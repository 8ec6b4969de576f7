"""Discoveries as text, and as a table for notebooks."""

from __future__ import annotations

from altsel.display.html import Table, name_cell, page
from altsel.errors import printable
from altsel.results.discoveries import Discoveries, TestedFeature
from altsel.results.family_claim import FamilyClaim
from altsel.results.text import meanings, number_of, percent, text_table

SHOWN = 20
"""Features shown in a text besides those selected; all are in tables and JSON."""
HEAD = ["feature", "statistic", "in draws", "e", "q", "selected"]
"""Head of the table."""
MEANINGS = {
    "statistic": "how much more relevant than its knockoff, mean of the draws",
    "in draws": "share of the draws whose own filter selects it",
    "e": "e-value: evidence that it tells what no other feature does",
    "q": "smallest level at which it is selected",
}
"""What the columns mean."""


def text(found: Discoveries) -> str:
    """Write the features, those of the largest e-values first, and what is promised of them."""
    order = [one for one in found.leading() if one.e_value > 0] or found.leading()
    shown = order[: max(SHOWN, len(found.selected))]
    left = len(found.tested) - len(shown)
    more = [f"… and {number_of(left, 'more feature')}"] if left else []
    table = text_table(HEAD, [_row(one) for one in shown], right={1, 2, 3, 4})
    return "\n".join([title(found), "", *table, *more, *meanings(HEAD, MEANINGS), "", *promise(found)])


def html(found: Discoveries) -> str:
    """Show the same in a notebook."""
    order = found.leading()
    names = [one.feature for one in order]
    rows = ([name_cell(one.feature, names), *_row(one)[1:]] for one in order)
    table = Table("The largest e-values first", HEAD, rows, len(order), "feature", {0, 5})
    return page(title(found), [table, *meanings(HEAD, MEANINGS), *promise(found)])


def claim_html(claim: FamilyClaim) -> str:
    """Show what is promised of sets in a notebook."""
    names = ", ".join(map(printable, claim.features[:SHOWN]))
    more = len(claim.features) - SHOWN
    return page("Features shown", [str(claim), f"{names}{f', … and {more} more' if more > 0 else ''}"])


def title(found: Discoveries) -> str:
    """Report how many features were discovered."""
    count = f"{len(found.selected)} of {number_of(len(found.tested), 'feature')}"
    target = f", target {printable(found.target)!r}" if found.target else ""
    return f"{count} discovered at level {found.level:g}{target}"


def promise(found: Discoveries) -> list[str]:
    """Report what is promised, on which condition, and what the method cannot find."""
    share = f"{100 * found.level:g} %"
    lines = [
        f"In the mean at most {share} of the selected are false (independent of the target given all other "
        "features), if knockoffs have the distribution of the features.",
        f"Knockoffs: {found.knockoffs}; {number_of(found.draws, 'draw')}; statistic: {found.statistic}.",
    ]
    if not found.selected:
        lines.append(
            f"At this level no feature is selected, or at least {found.least}: fewer that tell of the target "
            "are not found."
        )
    return lines


def _row(one: TestedFeature) -> list[str]:
    return [
        printable(one.feature),
        f"{one.statistic:.3g}",
        percent(one.frequency),
        f"{one.e_value:.3g}",
        f"{one.q_value:.2g}",
        "yes" if one.selected else "",
    ]
