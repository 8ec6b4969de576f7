"""Labels that have an order are recognised, and only such."""

from __future__ import annotations

import pandas as pd
import pytest

from altsel.data.findings.orders import RANKS, SCALES, order_of, ordered_labels

ORDERED = [
    "Poor Fair Typical Good Excellent",
    "Po Fa TA Gd Ex",
    "low medium high",
    "never sometimes often",
    "nie manchmal häufig",
    "keine leicht mäßig schwer",
    "I II IV",
    "stage_2 stage_9 stage_10",
    "<18 18-65 66-80 >80",
    "0-9 10-19 20+",
    "S M L XXL",
]
NONE = ["red green blue", "A B C", "t1 t2 t3", "Poor Good", "1-2 2-4 3-5", "Fair Average OK Okay", "m w d"]


@pytest.mark.parametrize("words", ORDERED)
def test_an_order_is_found(words: str) -> None:
    labels = words.split()
    assert order_of(labels[::-1]) == (tuple(labels), True)


@pytest.mark.parametrize("words", NONE)
def test_there_is_no_order(words: str) -> None:
    assert order_of(words.split()) is None


def test_each_word_has_one_place_on_a_scale() -> None:
    assert all(
        len(ranks) == sum(len(place.split("|")) for place in scale.split(" > "))
        for scale, ranks in zip(SCALES, RANKS, strict=True)
    )


def test_what_is_not_certain_is_left_to_the_user() -> None:
    answers = ["Good", "None", "Fair"]
    table = pd.DataFrame(
        {
            "pool": answers,
            "fence": ["Good Privacy", "None", "Minimum Privacy"],
            "comma": ["0-1,000", "1,000-2,000", "2,000-3,000"],
            "done": pd.Categorical(["low", "mid", "high"], ["low", "mid", "high"], ordered=True),
            "y": ["low", "mid", "high"],
        }
    )
    found = {one.columns[0]: one for one in ordered_labels(table, "y")}
    assert {name: (one.fix, one.effect.value) for name, one in found.items()} == {
        "pool": ("--kind pool=ordinal:None,Fair,Good", "warning"),
        "fence": ("--kind 'fence=ordinal:None,Minimum Privacy,Good Privacy'", "warning"),
        "comma": ("", "warning"),
        "y": ("--kind y=ordinal:low,mid,high", "warning"),
    }
