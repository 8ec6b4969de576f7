"""Aggregation of blankets over folds: the printed rule, by hand; limits and errors."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import joblib
import numpy as np
import pandas as pd
import pytest

import altsel
from altsel.blankets import Folds, Limits, aggregated, frequencies
from altsel.independence import GSquare, PartialCorrelation, PredictivePermutation
from altsel.results.feature_set import FeatureSet, Proof
from tests.oracles.synthetic_tables import classes, numbers


def scripted(*sets: str, stops: tuple[altsel.Stop, ...] = ()) -> Any:
    """Return a learner that finds written sets, one after another, and the rows it was given."""
    left, ends = list(sets), list(stops)
    rows: list[pd.Index[Any]] = []

    def learn(test: Any, alpha: float, *, limits: Limits) -> altsel.Solutions:
        rows.append(test.data.X.index)
        one = FeatureSet(tuple(left.pop(0)), 1.0, Proof.TESTED)
        stop = ends.pop(0) if ends else altsel.Stop.COUNT
        effort = altsel.results.Effort(tests=10, seconds=0.0)
        return altsel.Solutions((one,), stop, test.features, "by script", "y", "script", effort)

    return learn, rows


@pytest.mark.parametrize(
    ("sets", "best", "z"),
    [
        (("ab", "a", "abc"), "a", 3.0),  # f: a 3, b 2, c 1
        (("ab", "ab", "c"), "ab", 2.0),
        (("bc", "ab", "ad"), "ab", 2.0),
        (("ab", "c", "d"), "c", 1.0),  # of equal z the smaller, then the first
        (("", "", "ab"), "ab", 1.0),
        (("", "", ""), "", 0.0),
    ],
)
def test_the_rule_of_the_paper(sets: tuple[str, ...], best: str, z: float) -> None:
    learn, _ = scripted(*sets)
    found = aggregated(numbers(), PartialCorrelation, learner=learn, folds=Folds(3))
    assert found[0].features == tuple(best)
    assert f"z = {z:.4g}" in found.search
    kept = list(sets)
    kept.remove(best)
    assert sorted("".join(one.features) for one in found.discarded) == sorted(kept)
    assert found.effort.tests == 30


def test_parts_by_several_workers_agree_with_one_after_another() -> None:
    data = numbers(rows=200)

    def without_times(found: altsel.Solutions) -> altsel.Solutions:
        effort = replace(found.effort, seconds=0.0, peak_memory=0)
        return replace(found, effort=effort, sets=tuple(replace(one, seconds=0.0) for one in found))

    alone = aggregated(data, PartialCorrelation, folds=4)
    with joblib.parallel_config("threading", n_jobs=2):
        assert without_times(aggregated(data, PartialCorrelation, folds=4)) == without_times(alone)
        limited = aggregated(data, PartialCorrelation, folds=4, limits=Limits(max_tests=10))
    single = aggregated(data, PartialCorrelation, folds=4, limits=Limits(max_tests=10), n_jobs=1)
    assert without_times(limited) == without_times(single)
    with pytest.raises(altsel.DataError, match="fold 2 of 3: no level"):
        aggregated(data, PartialCorrelation, learner=refusing, folds=3, n_jobs=1)


def refusing(test: Any, alpha: float, *, limits: Limits) -> altsel.Solutions:
    """Refuse to learn at the second call."""
    if len(refused := refusing.__dict__.setdefault("parts", [])) == 1:
        raise altsel.DataError("no level")
    refused.append(1)
    return altsel.blankets.iamb(test, alpha, limits=limits)


def test_frequencies_are_told() -> None:
    learn, _ = scripted("ab", "a", "abc")
    found = aggregated(numbers(), PartialCorrelation, learner=learn, folds=3)
    assert frequencies(found).to_dict() == {"a": 3, "b": 2, "c": 1}
    assert found.discarded[0].reason == "fold 1 of 3: z = 2.5; parts that have each feature: a 3, b 2"


@pytest.mark.parametrize("part", ["rest", "fold"])
@pytest.mark.parametrize("data", [numbers(rows=53), classes(rows=61)])
def test_folds_are_disjoint_and_have_their_share_of_each_class(data: altsel.Dataset, part: str) -> None:
    rows, size = list(Folds(5, part, 3).rows(data)), len(data.y)
    if part == "rest":
        rows = [np.setdiff1d(np.arange(size), own) for own in rows]
    assert sorted(np.concatenate(rows)) == list(range(size))
    counts = pd.DataFrame([data.y.iloc[own].value_counts() for own in rows]).fillna(0)
    if data.discrete_target:
        assert (counts.max() - counts.min()).max() <= 1


@pytest.mark.slow
def test_every_learner_and_test() -> None:
    data = numbers(rows=2000)
    for learner in (altsel.blankets.ppfs, altsel.blankets.iamb, altsel.blankets.hiton_mb):
        assert aggregated(data, PartialCorrelation, 0.001, learner=learner)[0].features == ("a", "d")
    data = numbers(rows=300)
    found = aggregated(data, lambda part: PredictivePermutation(part, "linear"), folds=Folds(3, "fold"))
    assert "a" in found[0]
    assert found.universe == data.features
    assert aggregated(classes(), GSquare)[0].features[0] == "a"


def test_features_that_are_constant_in_a_part() -> None:
    data = numbers(rows=60)
    table = data.X.assign(rare=(np.arange(60) == 7).astype(float))
    rare = altsel.Dataset(table, data.y)
    found = aggregated(rare, PartialCorrelation, limits=Limits(include=["rare"]))
    assert "rare" in found[0]
    assert aggregated(rare, PartialCorrelation, limits=Limits(exclude=["rare"]))[0].features


def test_limits_are_for_all_parts_together() -> None:
    learn, rows = scripted("a", "b", "c")
    found = aggregated(numbers(), PartialCorrelation, learner=learn, limits=Limits(max_tests=25))
    assert (found.stop, len(rows), len(found.discarded)) == (altsel.Stop.LIMIT, 3, 2)
    assert "3 of them done" in found.search
    learn, rows = scripted("ab", "a", stops=(altsel.Stop.COUNT, altsel.Stop.INTERRUPT))
    found = aggregated(numbers(), PartialCorrelation, learner=learn)
    assert (found.stop, found[0].features, found.discarded) == (altsel.Stop.INTERRUPT, ("a", "b"), ())
    assert "1 of them done" in found.search  # what was half learned does not count
    learn, _ = scripted("a", stops=(altsel.Stop.TIME,))
    found = aggregated(numbers(), PartialCorrelation, learner=learn)
    assert (found.stop, found[0].features) == (altsel.Stop.TIME, ("a",))
    assert "0 of them done" in found.search
    learn, rows = scripted("a")
    found = aggregated(numbers(), PartialCorrelation, learner=learn, limits=Limits(max_seconds=0.0))
    assert (found.stop, len(rows)) == (altsel.Stop.TIME, 1)


def test_wrong_arguments() -> None:
    data = numbers(rows=20)
    with pytest.raises(altsel.ArgumentError, match="give a function of a Dataset"):
        aggregated(data, PartialCorrelation(data))  # type: ignore[arg-type]
    with pytest.raises(altsel.ArgumentError, match="learner='iamb'; give a search"):
        aggregated(data, PartialCorrelation, learner="iamb")  # type: ignore[arg-type]
    with pytest.raises(altsel.ArgumentError, match="11 folds of 20 rows"):
        aggregated(data, PartialCorrelation, folds=Folds(11))
    with pytest.raises(altsel.ArgumentError, match="number of folds=1"):
        Folds(1)
    with pytest.raises(altsel.ArgumentError, match="part='rests'; use 'rest', 'fold'"):
        Folds(3, "rests")
    with pytest.raises(altsel.ArgumentError, match="there is no feature 'z'"):
        aggregated(data, PartialCorrelation, limits=Limits(include=["z"]))
    with pytest.raises(altsel.ArgumentError, match="only searches for all blankets"):
        aggregated(data, PartialCorrelation, limits=Limits(max_solutions=3))
    with pytest.raises(altsel.ArgumentError, match="alpha=2"):
        aggregated(data, PartialCorrelation, 2)
    rare = altsel.Dataset(data.X, pd.Series([1] + [0] * 19, name="y"))
    with pytest.raises(altsel.DataError, match="fold 1 of 5: "):
        aggregated(rare, GSquare, folds=Folds(5, "fold", 1))


def test_an_interrupt_between_two_searches_keeps_the_parts_learned() -> None:
    left = [2]

    def make(part: altsel.Dataset) -> PartialCorrelation:
        left[0] -= 1
        if left[0] < 0:
            raise KeyboardInterrupt
        return PartialCorrelation(part)

    found = aggregated(numbers(), make)
    assert (found.stop, len(found.discarded)) == (altsel.Stop.INTERRUPT, 1)
