"""Solutions as a text table, and what its columns mean."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from altsel.errors import printable
from altsel.results.members import with_others
from altsel.results.shares import shares_of_best
from altsel.results.text import number_of, number_text, percent, text_table

if TYPE_CHECKING:
    from altsel.results.solutions import Solutions

KEPT_APART = "score, kept apart"
"""What the score of a set on rows that the search did not see is called: it is no accuracy."""
WHAT_IT_IS = (
    "the same score on rows that the search did not see; how models predict there: altsel performance"
)
GAP = "gap: how far a better set could be, (bound - score) / |score|"


def text(found: Solutions) -> str:
    """Tabulate the sets, a line each, and say below how the search ended and what the columns mean."""
    held = any(one.holdout is not None for one in found)
    null = any(one.p_null is not None for one in found)
    shares, open_ = shares_of_best(found), any(one.gap for one in found)
    rows = []
    for index, one in enumerate(found):
        names = ", ".join(with_others(name, found.members) for name in one)
        row = [
            str(index),
            names,
            *(f"{cost:.6g}" for cost in one.spent),
            f"{one.score:.6g}",
            *([percent(shares[index])] if shares else []),
        ]
        rest = ["" if one.holdout is None else f"{one.holdout:.6g}"] if held else []
        rest += [number_text(one.p_null)] if null else []
        rows.append([*row, one.proof.value, *([percent(one.gap)] if open_ else []), *rest])
    head = ["set", "features", *found.cost_columns, "score", *(["of best"] if shares else []), "proof"]
    head += [*(["gap"] if open_ else []), *([KEPT_APART] if held else []), *(["p, null"] if null else [])]
    right = set(range(len(head))) - {1, head.index("proof")}
    counts = f"{number_of(len(found), 'set')} of {number_of(len(found.universe), 'feature')}"
    lines = [printable(about(found)), *text_table(head, rows, right=right)]
    lines.append(f"{counts}; stop: {found.stop.value}; {found.effort.cost()}")
    lines += [f"{KEPT_APART}: {WHAT_IT_IS}"] if held else []
    lines += [GAP] if open_ else []
    lines += [found.noise.about(found.sets)] if found.noise and found.sets else []
    return "\n".join([*lines, *([found.null_note()] if null else [])])


FITS = {"LinearFit", "ModelFit"}
"""Criteria whose name holds the target."""


def names_target(found: Solutions) -> bool:
    """Return whether the criterion itself says for which target, as fits of models do."""
    criterion = found.request.get("criterion")
    fits = isinstance(criterion, Mapping) and criterion.get("name") in FITS
    return fits and f" of {found.target}" in found.criterion


def about(found: Solutions) -> str:
    """Report by what the sets were searched, and for which target."""
    if not found.target or names_target(found):
        return found.criterion
    tested = any(one.proof.value == "tested" for one in found)
    return (
        f"{found.criterion}; target {found.target!r}" if tested else f"{found.criterion} with {found.target}"
    )
