"""The sentences of a study: they say what was shown, and where nothing was, that."""

from __future__ import annotations

from dataclasses import replace

import pytest

from altsel.results.equivalence import Equivalence, Pair
from altsel.results.estimate import Estimate
from altsel.results.study import Study, Tried, TriedTau
from altsel.studying.claims import claims
from altsel.studying.plan import Plan
from tests.display.shown_objects import discoveries, performance, solutions, stability

NAMES = ["a", "b", "c", "d", "e"]
STUDY = Study(
    target="y",
    rows=80,
    holdout=20,
    loss="Brier score",
    tried=(Tried("no features", 0, 0.25, 0), Tried("mrmr", 4, 0.1, 0.7), Tried("all features", 5, 0.11, 0.3)),
    best=1,
    shown=1,
    corrected=Estimate(0.12, 0.1, 0.15),
    corrected_shown=Estimate(0.13, 0.1, 0.16),
    gain=Estimate(0.13, 0.1, 0.16),
    beside={"log-loss": Estimate(0.4)},
    judged=Estimate(0.14, 0.1, 0.18),
    judged_shown=Estimate(0.14, 0.1, 0.18),
    tau=0.5,
    taus=(TriedTau(0.5, 0.01, 0.02), TriedTau(0.75, 0.1, 0.02)),
    claims=(),
    looked=(),
    found=solutions(NAMES, 2),
    performance=performance(NAMES, 2),
    equivalence=None,
    stability=stability(NAMES, 2),
    discoveries=discoveries(NAMES),
)


def said(study: Study, plan: Plan | None = None, certified: dict[str, int] | None = None) -> str:
    return "\n".join(claims(study, plan or Plan(), certified))


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({}, "the least loss has: mrmr."),
        ({}, "0.12 (0.1 to 0.15) (95 % interval), corrected for the choice; 0.1 without the correction"),
        ({}, "It predicts better than no features do"),
        ({"gain": Estimate(0.01, -0.1, 0.1)}, "That it predicts better than no features do is not shown"),
        ({}, "On the 20 rows kept apart, judged once, its Brier score is 0.14 (0.1 to 0.18)."),
        (
            {"best": 2},
            "does not select: it is of all features. Of what selects, the best is: mrmr; its Brier score, "
            "corrected: 0.13",
        ),
        ({}, "1 alternative; sets differ by 0.5 or more (Dice), the largest tried that costs at most"),
        ({"tau": 0.75}, "0.75 or more (Dice), the smallest tried; each costs more than a standard error"),
        (
            {"tau": 0.75, "taus": (TriedTau(0.75, 0.1, 0.02), TriedTau(0.9, None, None))},
            "each costs more than a standard error of the loss out of fold, or has too few alternatives in",
        ),
        (
            {"tau": 0.75, "taus": (TriedTau(0.75, None, None),)},
            "0.75 or more (Dice), the smallest tried; in some folds there are fewer alternatives by each.",
        ),
        ({"found": solutions(NAMES, 1)}, "No other set differs by 0.5 or more (Dice) from set 0."),
        ({"found": solutions(NAMES, 1)}, "set 0 is proved best by its criterion."),
        ({"gain": Estimate(-0.01, -0.1, 0.0)}, "their Brier score less its is -0.01 (-0.1 to 0)."),
        ({"tau": None, "taus": ()}, "the search finds 1 other set that tests take for a blanket as well"),
        ({}, "in nine of ten or more: "),
        ({"stability": replace(stability(NAMES, 2), nogueira=None)}, "the stability of set 0 is not defined"),
        ({}, "Discoveries, features that tell what no other does: 'b', 'd'; in the mean over such studies"),
        ({}, "In these rows set 0 is proved best by its criterion"),
    ],
)
def test_sentences(changes: dict[str, object], told: str) -> None:
    assert told in said(replace(STUDY, **changes))  # type: ignore[arg-type]


def test_what_was_not_looked_for_is_not_said() -> None:
    bare = replace(STUDY, judged=None, stability=None, discoveries=None)
    text = said(bare, Plan(alternatives=0, certificate=False))
    for word in ("kept apart", "halves", "Discoveries", "sets differ by", "certificate"):
        assert word not in text


def test_equivalence_is_counted() -> None:
    pairs = tuple(Pair(0, i, (), (), i == 1) for i in (1, 2))
    found = Equivalence((("a",), ("b",), ("c",)), pairs, (), 0.05, True)
    text = said(replace(STUDY, equivalence=found))
    assert "tests find of the others: 1 equal, 1 different; losses are judged on the 20 rows" in text


def test_a_certificate_counts_what_a_checker_verified() -> None:
    assert "checked 3 claims of that; 1 are not covered" in said(STUDY, None, {"verified": 3, "open": 1})
