"""What a page says on top, in words: the rows, the result in two sentences, and what is known of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from altsel.errors import printable
from altsel.report.checks import checks_of
from altsel.results.feature_set import Proof
from altsel.results.shares import shares_of_best
from altsel.results.solutions import Solutions
from altsel.results.stop import ENDS
from altsel.results.text import number_of, number_text, percent

if TYPE_CHECKING:
    from altsel.auditing.audit import Audit
    from altsel.data.dataset import Dataset
    from altsel.report.evidence import Tested
    from altsel.report.parts import Numbers, Parts

LISTED = 6
"""Columns left out, and classes, that are named in a sentence."""
Sentence = list[Any]
"""Texts, and lists of features' numbers between them."""


def summary_of(
    found: Solutions,
    numbers: Numbers,
    parts: Parts,
    tested: Tested,
    known: tuple[dict[str, Any] | None, Audit | None],
) -> dict[str, Any]:
    """Return sentences on the data and the result, and a card for each question that a reader has.

    A sentence is a list of texts, and of lists of features' numbers. `known` is what the checker said of a
    certificate, and an audit; see `altsel.report.checks`.
    """
    return {
        "data": _data(parts),
        "result": _result(found, numbers),
        "checks": checks_of(found, parts, tested, *known) if found.sets else [],
    }


def _data(parts: Parts) -> list[Sentence]:
    data = parts.data
    if data is None:
        return [["The page was made without the table, so it says nothing of the rows."]]
    made: list[Sentence] = [
        [
            f"{number_of(len(data.y), 'row')} and {number_of(len(data.features), 'column')} to choose from; "
            f"{printable(data.target)}: {_target(data)}."
        ]
    ]
    if parts.other_data:
        made.append(["What is measured on this page may be of other rows than those of the search."])
    made.append([_dropped(data)])
    left = [printable(str(name)) for name in dict.fromkeys([*data.constant, *data.left_out])]
    if left:
        made.append([f"{number_of(len(left), 'column')} left out: {_listed(left)}."])
    if parts.holdout is not None:
        rows = number_of(len(parts.holdout.y), "row")
        made.append([f"{rows} more were kept apart from the search; losses of sets are judged on them."])
    return made


def _dropped(data: Dataset) -> str:
    if not data.dropped:
        return "No row was dropped for missing values."
    before = len(data.y) + data.dropped
    share = percent(data.dropped / before)
    return f"{data.dropped:,} of {before:,} rows ({share}) were dropped, as they miss a value."


def _target(data: Dataset) -> str:
    """Describe the target: shares of classes, or the least, middle and largest number."""
    if not data.discrete_target:
        low, middle, high = (float(data.y.quantile(q)) for q in (0, 0.5, 1))
        return f"from {number_text(low)} to {number_text(high)}, median {number_text(middle)}"
    counts = data.y.value_counts()
    shares = [
        f"{printable(str(name))} {count:,} ({percent(count / len(data.y))})" for name, count in counts.items()
    ]
    return _listed(shares)


def _listed(texts: Sequence[str]) -> str:
    more = len(texts) - LISTED
    return ", ".join(texts[:LISTED]) + (f" and {more} more" if more > 0 else "")


def _result(found: Solutions, numbers: Numbers) -> list[Sentence]:
    """Return the result in two sentences: what is best, and how the others stand beside it."""
    if not found.sets:
        return [[f"No set was found ({ENDS[found.stop]})."]]
    tested = all(one.proof is Proof.TESTED for one in found)
    best = max(range(len(found)), key=lambda i: found[i].score)
    of = f" for {printable(found.target)}" if found.target else ""
    sizes = sorted({len(one) for one in found})
    size = number_of(sizes[0], "feature") if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]} features"
    what = f"{number_of(len(found), 'set')} of {size}{of}: "
    if tested:
        accepted = "tests accept it: " if len(found) == 1 else "tests accept each of them. Set 0 is "
        first: Sentence = [what + accepted, numbers(found[0]), "."]
    else:
        score = number_text(found[best].score)
        first = [what + f"the highest score, {score}, has set {best}: ", numbers(found[best]), "."]
    return [first, *([_others(found, numbers, best)] if len(found) > 1 else [])]


def _others(found: Solutions, numbers: Numbers, best: int) -> Sentence:
    """Return how much of the best score the others have, what is in all sets, and how many differ."""
    sets = [frozenset(one) for one in found]
    always = [name for name in found[best] if all(name in one for one in sets)]
    swapped = [len(sets[best] - one) for i, one in enumerate(sets) if i != best]
    low, high = min(swapped), max(swapped)
    span = str(low) if low == high else f"{low} to {high}"
    one = "The other one" if len(found) == 2 else f"The other {len(found) - 1}"
    shares = shares_of_best(found)
    has = "has" if len(found) == 2 else "have"
    rest = [share for i, share in enumerate(shares) if i != best]
    told = f"{has} {percent(min(rest))} to {percent(max(rest))} of that score and " if rest else ""
    if rest and percent(min(rest)) == percent(max(rest)):
        told = f"{has} {percent(max(rest))} of that score and "
    lacks = "lacks" if len(found) == 2 else "lack"
    made: Sentence = [f"{one} {told}{lacks} {span} of its features; in all sets: "]
    return [*made, numbers(always), "."] if always else [f"{made[0]}none."]
