"""SES: the set of MMPC, and signatures by exchange of single features."""

from __future__ import annotations

import numpy as np
import pytest

import altsel
from altsel.blankets import Limits, mmpc, ses, tmfbs


def data(rows: int = 400) -> altsel.Dataset:
    """Two features with two and one near copies, and noise."""
    random = np.random.default_rng(3)
    a, b, noise = random.normal(size=(3, rows))
    table = {"a": a, "a2": 2 * a, "a3": 1 - a, "b": b, "b2": -b, "noise": noise}
    return altsel.Dataset(table, a - b + 0.5 * random.normal(size=rows))


def test_every_exchange_is_found_and_nothing_else() -> None:
    test = altsel.independence.PartialCorrelation(data())
    found = ses(test, 0.001)
    assert found[0].features == mmpc(test, 0.001)[0].features
    wanted = {frozenset([a, b]) for a in ("a", "a2", "a3") for b in ("b", "b2")}
    assert {frozenset(one.features) for one in found} == wanted
    assert wanted == {frozenset(one.features) for one in tmfbs(test, 0.001)}
    assert found.stop is altsel.Stop.HEURISTIC
    assert [one.proof for one in found] == [altsel.Proof.TESTED] + 5 * [altsel.Proof.HEURISTIC]
    for one in found:
        members = [verdict for verdict in one.verdicts if verdict.feature in one]
        p = [float(test([verdict.feature], verdict.given).p[0]) for verdict in members]
        assert one.score == pytest.approx(-np.log10(max(p)))


def test_a_number_of_signatures_and_members_that_are_forced_in() -> None:
    test = altsel.independence.PartialCorrelation(data())
    some = ses(test, 0.001, number=2)
    assert (len(some), some.stop) == (2, altsel.Stop.COUNT)
    forced = ses(test, 0.001, limits=Limits(include=("a",)))
    assert {frozenset(one.features) for one in forced} == {frozenset(["a", b]) for b in ("b", "b2")}
    with pytest.raises(altsel.ArgumentError, match="number"):
        ses(test, 0.001, number=0)


def test_what_is_separated_otherwise_is_no_equivalent() -> None:
    random = np.random.default_rng(5)
    a, noise = random.normal(size=(2, 500))
    behind = a + random.normal(size=500)
    table = altsel.Dataset({"a": a, "behind": behind, "noise": noise}, a + random.normal(size=500))
    found = ses(altsel.independence.PartialCorrelation(table), 0.01)
    assert [one.features for one in found] == [("a",)]
