"""What tests say of the sets and of the features, and what replaces what."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import isfinite
from typing import TYPE_CHECKING, Any

from altsel.analysis.substitutions import substitutions
from altsel.analysis.taxonomy import taxonomy
from altsel.errors import printable
from altsel.report.sets import column, filled
from altsel.results.comparison import EQUIVALENT, lost, smallest_p
from altsel.results.equivalence import Equivalence
from altsel.results.feature_set import Proof
from altsel.results.solutions import Solutions
from altsel.results.taxonomy import Taxonomy

if TYPE_CHECKING:
    from altsel.data.dataset import Dataset
    from altsel.report.parts import Numbers

COMPARED = 200
"""Sets that are compared with set 0, and ways of replacement whose loss is measured, where data are given."""
UNTESTED = "Whether these sets are equivalent was not tested, as the page was made without the data."
WITHOUT = "No other set is known to be equivalent to set 0, so none tells what can replace its features."
BY_MORE = (
    "The sets that are equal to set 0 differ from it by features that tell nothing given the others, "
    "so none tells what can replace its features."
)
"""What is to be known of ways of replacement."""
VERDICTS = f"equal: equivalent to set 0 ({EQUIVALENT}); better, worse: it predicts so; else different"
WAYS = 2000
"""Ways of replacement that a page holds."""
REPLACED = 2000
"""Sets that are compared with each other for what replaces what: there are as many pairs as their square."""


@dataclass(frozen=True)
class Tested:
    """What tests on a table found: which sets are equivalent, what the features are, what replaces what."""

    taxonomy: Taxonomy | None = None
    equivalence: Equivalence | None = None
    replacing: Any = None
    """A test of equivalence for the loss of replacements; None without data."""


def evidence_of(
    found: Solutions, data: Dataset | None, holdout: Dataset | None = None, *, other_data: bool = False
) -> Tested:
    """Test the sets and features on a table, as `altsel.equivalence` and `altsel.taxonomy` do by default.

    Losses of sets are those of the rows held out, if there are any.

    Raises
    ------
    DataError
        If the table is not the one of the search, and not said to be another.
    """
    if not found.sets:
        return Tested()
    if data is None:
        blankets = all(one.proof is Proof.TESTED for one in found)
        return Tested(taxonomy(found) if blankets else None)
    from altsel.analysis.equivalence import default_tests, equivalence  # noqa: PLC0415  (heavy)
    from altsel.analysis.provenance import refuse_other_data  # noqa: PLC0415
    from altsel.stats.independence.auto import auto  # noqa: PLC0415

    if not other_data:
        refuse_other_data(found, data)
    usual = default_tests(data, holdout)
    several = len(found) > 1
    compared = equivalence([one.features for one in found[:COMPARED]], usual) if several else None
    family = all(one.proof is Proof.TESTED for one in found)
    classes = taxonomy(found, auto(data), equivalent=None if family else compared, other_data=True)
    return Tested(classes, compared, usual[0] if several else None)


def columns(found: Solutions, tested: Tested) -> list[dict[str, Any]]:
    """Return loss, p and verdict of each set against set 0, as far as known."""
    if tested.equivalence is None:
        losses = [lost(one.comparisons) for one in found]
        p = [smallest_p(one.comparisons) for one in found]
        verdicts: list[str | None] = [None for _ in found]
    else:
        pairs = {pair.second: pair for pair in tested.equivalence}
        held = [pairs.get(i) for i in range(len(found))]
        losses = [None if pair is None else lost(pair.comparisons) for pair in held]
        p = [None if pair is None else min(pair.adjusted, default=None) for pair in held]
        verdicts = [None if pair is None else tested.equivalence.verdict(pair) for pair in held]
    return filled(
        [
            column(
                "added loss", "loss of its models less that of set 0's: below 0 it predicts better", losses
            ),
            column("p", "smallest p of the tests against set 0", p, "p"),
            column("beside set 0", VERDICTS, verdicts, "verdict"),
        ]
    )


def substitutions_of(found: Solutions, numbers: Numbers, tested: Tested) -> dict[str, Any]:
    """Return what replaces what, the most frequent ways first, and how many are left out."""
    known = tested.taxonomy
    note = UNTESTED if known is None else None if known.judged else WITHOUT
    equal = tested.equivalence is not None and any(pair.equivalent for pair in tested.equivalence)
    note = BY_MORE if note == WITHOUT and equal else note
    found = found if known is None else known.among(found)
    if len(found) > REPLACED:
        note = f"{note or ''} These are the ways among the first {REPLACED:,} sets of {len(found):,}.".strip()
        found = replace(found, sets=found.sets[:REPLACED])
    ways = substitutions(found)
    if tested.replacing is not None and len(ways) <= COMPARED:
        ways = substitutions(found, tested.replacing)
    ways = ways.sort_values("sets", ascending=False, kind="stable")
    rows = [
        [
            numbers([name]),
            [] if not along else numbers(along),
            _entering(entering, numbers),
            int(count),
            _finite(loss),
            _finite(p),
        ]
        for name, along, entering, count, loss, p in ways[:WAYS].itertuples(index=False)
    ]
    return {"rows": rows, "more": max(len(ways) - WAYS, 0), "note": note}


def taxonomy_of(numbers: Numbers, tested: Tested) -> dict[str, Any] | None:
    """Return the classes of the features, and what they rest on."""
    known = tested.taxonomy
    if known is None:
        return None
    return {
        "alpha": known.alpha,
        "correction": known.correction,
        "notes": [f"{note[0].upper()}{note[1:]}." for note in known.notes()],
        "rows": [
            [
                numbers([one.feature]),
                one.feature_class.value,
                one.relevance.value,
                one.share,
                one.basis.value,
                one.log_p,
                numbers(one.given) if len(one.given) < len(numbers.of) - 1 else None,
                one.contradicted,
            ]
            for one in known
        ],
    }


def equivalence_of(tested: Tested) -> dict[str, Any] | None:
    """Return p of every pair and test, and the classes of equivalent sets."""
    known = tested.equivalence
    if known is None:
        return None
    return {
        "tests": [printable(test) for test in known.tests],
        "alpha": known.alpha,
        "corrected": known.corrected,
        "compared": len(known.sets),
        "classes": known.classes(),
        "meaning": VERDICTS,
        "holds": [
            [
                replace(c, p=p).equivalent(known.alpha) if c.tested else None
                for c, p in zip(pair.comparisons, pair.adjusted, strict=True)
            ]
            for pair in known
        ],
        "rows": [
            [
                pair.first,
                pair.second,
                *(p if c.tested else None for c, p in zip(pair.comparisons, pair.adjusted, strict=True)),
                lost(pair.comparisons),
                known.verdict(pair),
                known.equivalent_text(pair),
            ]
            for pair in known
        ],
    }


def discarded(found: Solutions, numbers: Numbers) -> list[list[Any]]:
    """Return sets that the search found and did not return, and why."""
    return [
        [numbers(one.features), printable(one.reason), lost(one.comparisons), smallest_p(one.comparisons)]
        for one in found.discarded
    ]


def _entering(names: tuple[str, ...], numbers: Numbers) -> list[Any]:
    """Return numbers of features; the name itself of a column that is another's copy."""
    return [numbers.of.get(name, printable(name)) for name in names]


def _finite(value: float) -> float | None:
    return float(value) if isfinite(value) else None
