"""What a plan tries, the simplest first."""

from __future__ import annotations

from altsel.studying.grid import configurations
from altsel.studying.plan import Plan


def test_every_selection_meets_every_model() -> None:
    tried = configurations(Plan(sizes=[2, 3], models=["linear", "tree"]))
    assert tried[0].model is None
    assert tried[0].name == "no features"
    assert len(tried) == 1 + 2 * (2 * 2 * 2 + 2 + 1)
    assert [one.selection.name for one in tried[-2:]] == ["all features"] * 2
    assert len({one.name for one in tried}) == len(tried)


def test_criteria_that_fit_models_have_no_measure() -> None:
    tried = configurations(Plan(criteria=["linear-fit"], learners=[], sizes=[2], models=["linear"]))
    assert [one.name for one in tried] == [
        "no features",
        "linear-fit, k = 2; linear model",
        "all features; linear model",
    ]
