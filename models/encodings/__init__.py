"""What a rule says beyond linear rows, written as rows: logic, disjunctions, ordered sets, products.

`encode` does so on a rule's own block. What is no polynomial, such as a root of the size, is put aside: it is
evaluated on sets.
"""

from __future__ import annotations

from typing import Any

from altsel.models.encodings.convex_rows import Curve
from altsel.models.encodings.logic import logic_to_rows
from altsel.models.encodings.piecewise import ordered_sets_to_rows, piecewise_to_rows
from altsel.models.encodings.products import Rest, linear_form, products_to_rows

__all__ = ["Curve", "Rest", "encode", "linear_form"]


def encode(block: Any, title: str) -> list[Rest]:
    """Write all that a rule says on its block as linear rows, exactly, and return the rows that cannot be.

    Parameters
    ----------
    block
        The rule's own block; changed in place.
    title
        The rule in words, for errors.

    Returns
    -------
    list of Rest
        Constraints that are no polynomials of 0/1 and bounded variables; they are switched off. Convex ones
        have tangents in their place, which admit more than they do.

    Raises
    ------
    ArgumentError
        If a component is of a kind that no solver takes, or a bound is missing. It names the rule and the
        row.
    """
    piecewise_to_rows(block, title)
    logic_to_rows(block, title)
    ordered_sets_to_rows(block, title)
    return products_to_rows(block, title)
