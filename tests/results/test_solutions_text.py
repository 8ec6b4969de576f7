"""The title of solutions: by what they were searched, and for which target, said once."""

from __future__ import annotations

from dataclasses import replace

import altsel
from altsel.report.content import content
from altsel.report.parts import Parts
from altsel.results.solutions_text import about, names_target


def test_other_criteria_do_not_say_for_which_target() -> None:
    found = altsel.sequential(altsel.Problem(altsel.Univariate([2, 1]), k=1), altsel.Dice(0), 0)
    named = replace(found, criterion="sum of association", target="association")
    assert about(named) == "sum of association with association"
    assert not names_target(found)


def test_fits_name_their_target() -> None:
    heart = altsel.Dataset(altsel.example("heart"), "disease")
    fits = [
        altsel.ModelFit(heart),
        altsel.ModelFit(heart, penalty="bic"),
        altsel.ModelFit(heart, given=["age"]),
    ]
    for quality in fits:
        found = altsel.sequential(altsel.Problem(quality, k=1), altsel.Dice(0), 0)
        assert str(found).splitlines()[0] == quality.name
        assert content(found, Parts())[0]["names_target"]
        assert names_target(found)
