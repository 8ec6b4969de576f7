"""How well models predict, as a table: a row a set and what they are compared with, and what columns mean."""

from __future__ import annotations

from math import floor, log10
from typing import TYPE_CHECKING, Any

import numpy as np

from altsel.errors import printable
from altsel.results.comparison import EQUIVALENT
from altsel.results.text import least_p, number_text, text_table

if TYPE_CHECKING:
    from altsel.results.estimate import Estimate
    from altsel.results.performance import Performance

SHORT = {"corrected resampled t test": "scores", "permutation mean test": "losses"}
"""What tests compare, for the heads of a table."""


def text(scored: Performance) -> str:
    """Lay out scores, their intervals and what the columns mean."""
    head, rows = shown(scored)
    for row in rows:
        row[1] = "" if row[1] is None else ", ".join(map(printable, row[1])) or "nothing"
    table = text_table(head, rows, right=set(range(2, len(head))))
    return "\n".join([f"{scored.scoring}, {scored.models}", *table, *notes(scored)])


def shown(scored: Performance) -> tuple[list[str], list[list[Any]]]:
    """Return heads and rows of the table; sets are tuples of names, rows that are of no set have None."""
    tests = scored.comparisons.tests if scored.comparisons else ()
    nested, null = any(one.nested for one in scored.sets), bool(scored.null)
    digits, ends = _digits([one.score.value for one in scored.sets]), bool(scored.holdout)
    compared = _compares(scored)
    head = ["set", "features", "score", *(["against set 0"] if compared else [])]
    head += [f"p, {_compared(scored, test)}" for test in tests]
    head += [*(["searched again", "bias"] if nested else []), *(["p, null"] if null else [])]
    rows: list[list[Any]] = []
    for number, one in enumerate(scored.sets):
        cells: list[Any] = [str(number), one.features, _estimate(one.score, digits, ends)]
        cells += [_estimate(one.difference, digits, ends)] if compared else []
        cells += [number_text(scored.p_of(number).get(test)) for test in tests]
        bias = "" if one.bias is None else _fixed(one.bias, digits)
        cells += [_estimate(one.nested, digits) + one.searched_again, bias] if nested else []
        rows.append([*cells, *([number_text(one.p_null)] if null else [])])
    for name, features, score, difference in scored.others():
        row: list[Any] = [name, features, _estimate(score, digits, ends)]
        row += [_estimate(difference, digits, ends)] if compared else []
        rows.append([*row, *[""] * (len(head) - len(row))])
    return head, rows


def notes(scored: Performance) -> list[str]:
    """Return what the columns mean, a line each."""
    mark = "[ ]" if scored.holdout else "±"
    lines = [f"{mark}: {100 * scored.confidence:g} %, {scored.intervals}"]
    where = "rows" if scored.holdout else "folds"
    if _compares(scored):
        lines.append(f"against set 0: what a row scores more than set 0 on the same {where}")
    if scored.forest is not None:
        lines.append("forest: the ten features most important to a random forest of the rows learned from")
    nothing = (
        "constants, and features always in"
        if scored.loss == "deviance"
        else "the mean or the shares of the classes"
    )
    lines.append(f"all: all features; none: no feature, so {nothing}")
    if scored.comparisons is not None:
        tests = scored.comparisons.tests
        what = " and of ".join(f"{_compared(scored, test)} by the {test}" for test in tests)
        lines.append(f"p against set 0, of {what}; Holm's correction")
        lines.append(f"\"equivalent\" ('altsel equivalence', 'taxonomy') asks more of a set: {EQUIVALENT}")
    if any(one.nested for one in scored.sets):
        lines.append("searched again: by the search of the rows learned from; bias: score less it")
        if any(one.searched_again for one in scored.sets):
            lines.append("where the search finds fewer sets in a fold, bias is that of the others")
    if scored.null:
        middle, most = number_text(float(np.median(scored.null))), number_text(max(scored.null))
        what = f"the best of {len(scored.null)} searches with permuted targets"
        lines.append(f"null: {what} scores {middle} in the median, {most} at most")
        least = least_p(len(scored.null))
        lines.append(f"p, null: share of these searches, this one counted in, that score as well{least}")
    return lines


def _compares(scored: Performance) -> bool:
    """Return whether anything is known to score more or less than set 0."""
    rest = (one.difference for one in scored.sets)
    return any(one is not None for one in (*rest, *(difference for *_, difference in scored.others())))


def _compared(scored: Performance, test: str) -> str:
    """Name what a test compares: the loss, where it is known."""
    what = SHORT.get(test, test)
    return scored.loss if scored.loss is not None and what == "losses" else what


def _estimate(estimate: Estimate | None, digits: int, ends: bool = False) -> str:
    """Show an estimate with so many decimals, its interval by the ends or half of it; nothing for None."""
    if estimate is None:
        return ""
    shown, low, high = _fixed(estimate.value, digits), estimate.low, estimate.high
    if low is None or high is None:
        return shown
    if ends:
        return f"{shown} [{_fixed(low, digits)}, {_fixed(high, digits)}]"
    return f"{shown} ± {high - estimate.value:.{digits}f}"


def _fixed(value: float, digits: int) -> str:
    """Show so many decimals, and no minus before zeros."""
    return f"{round(value, digits) + 0.0:.{digits}f}"


def _digits(scores: list[float]) -> int:
    """Decimals that show three digits of the largest score."""
    largest = max(map(abs, scores))
    return min(max(2 - floor(log10(largest)), 0), 12) if largest else 3
