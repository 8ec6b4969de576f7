"""The columns beside the matrix: scores, bounds and what was proved of each set."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from altsel.results.feature_set import Proof
from altsel.results.shares import shares_of_best
from altsel.results.solutions import Solutions
from altsel.results.solutions_text import KEPT_APART, WHAT_IT_IS

PROOFS = {
    Proof.OPTIMAL: "none that keeps the rules, and differs as wanted from the sets before it, is better: "
    "the bound meets the score",
    Proof.FEASIBLE: "admissible; none is better than the bound",
    Proof.HEURISTIC: "admissible; nothing more is known",
    Proof.TESTED: "accepted by statistical tests",
}
"""What each proof means, in words."""


def column(name: str, meaning: str, values: Sequence[Any], form: str = "number") -> dict[str, Any]:
    """Build a column of the matrix: its head, what it means, and a value for each set.

    ``form`` says how a value is shown: ``number``, ``p``, ``share`` (as a percentage) or ``text``.
    """
    return {"name": name, "meaning": meaning, "values": list(values), "form": form}


def filled(columns: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Leave out columns that have no value."""
    return [one for one in columns if any(value is not None for value in one["values"])]


def columns(found: Solutions) -> list[dict[str, Any]]:
    """Return score, size, bound, gap, proof, score on rows kept apart and null p, as far as known."""
    tested = all(one.proof is Proof.TESTED for one in found)
    score = "-log10 p of the weakest member" if tested else "the criterion's value"
    return [
        column("score", score, [one.score for one in found]),
        *_shares(found),
        *_costs(found),
        column("size", "number of features", [len(one) for one in found]),
        *([] if found.proved else _bounds(found)),
        column("proof", "what is known of the score", [one.proof.value for one in found], "text"),
        *filled(
            [
                column(KEPT_APART, WHAT_IT_IS, [one.holdout for one in found]),
                column(
                    "p, null", "share of permuted targets that do as well", [s.p_null for s in found], "p"
                ),
            ]
        ),
    ]


def _shares(found: Solutions) -> list[dict[str, Any]]:
    """Return the share of the best score that each set has, where that says something."""
    shares = shares_of_best(found)
    return [column("of best", "share of the highest score", shares, "share")] if shares else []


def _costs(found: Solutions) -> list[dict[str, Any]]:
    """Return what each set costs by each budget."""
    return [
        column(name, "what the set costs, of what the budget allows", costs)
        for name, costs in zip(
            found.cost_columns, zip(*(one.spent for one in found), strict=True), strict=True
        )
    ]


def _bounds(found: Solutions) -> list[dict[str, Any]]:
    """Return bound and gap, which say nothing new where every set is proved optimal."""
    return filled(
        [
            column("bound", "no admissible set scores more", [one.bound for one in found]),
            column("gap", "(bound - score) / |score|", [one.gap for one in found], "share"),
        ]
    )


def proofs(found: Solutions) -> dict[str, str]:
    """Report what the proofs mean that the sets have."""
    return {proof.value: meaning for proof, meaning in PROOFS.items() if any(s.proof is proof for s in found)}
