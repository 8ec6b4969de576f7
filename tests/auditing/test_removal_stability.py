"""Removals under resampling: families that differ from resample to resample, and copies in data."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from typer.testing import CliRunner

import altsel
from altsel.auditing import BlanketProblem
from altsel.blankets import removal_stability
from altsel.cli.app import app
from altsel.errors import ArgumentError
from altsel.results import RemovalStability
from tests.oracles.known_blankets import table

NAMES = tuple("abcdef")
NUMBERS = altsel.Dataset(
    pd.DataFrame(np.random.default_rng(0).normal(size=(40, len(NAMES))), columns=list(NAMES)), range(40)
)
Groups = list[frozenset[str]]


def groups_of(rows: altsel.Dataset) -> Groups:
    """Draw one to three groups of features that tell the same; what is left tells nothing."""
    random = np.random.default_rng(int(rows.y.astype(int).sum()) * 1000 + len(rows.y))
    places = random.integers(0, random.integers(2, 5), len(NAMES))
    groups = [frozenset(n for n, at in zip(NAMES, places, strict=True) if at == j) for j in (1, 2, 3)]
    return [group for group in groups if group]


def exact(groups: Groups) -> altsel.independence.JointTable:
    """Make the joint distribution of a target that tells all groups' bits apart."""
    rows = []
    for number in range(2 ** len(groups)):
        bits = [number >> j & 1 for j in range(len(groups))]
        of = {name: bit for group, bit in zip(groups, bits, strict=True) for name in group}
        row = {name: of[name] ^ (j % 2) if name in of else None for j, name in enumerate(NAMES)}
        for coin in (0, 1):
            rows.append({n: coin if value is None else value for n, value in row.items()} | {"y": number})
    return table(rows)


@pytest.mark.slow
@pytest.mark.parametrize("learner", [None, pytest.param(altsel.blankets.iamb, marks=pytest.mark.long)])
def test_of_every_resample_those_removals_fail_that_hold_all_features_of_a_group(learner: Any) -> None:
    met: list[Groups] = []

    def problem_of(rows: altsel.Dataset) -> BlanketProblem:
        met.append(groups_of(rows))
        return BlanketProblem(exact(met[-1]), learner=learner)

    random = np.random.default_rng(1)
    asked = [NAMES[:1], NAMES, *(tuple(n for n in NAMES if random.random() < 0.6) or "a" for _ in range(8))]
    found = removal_stability(asked, problem_of, NUMBERS, resamples=40)
    whole, *others = met
    assert len(others) == 40
    for names, failed, share in zip(found.removals, found.failed, found.shares, strict=True):
        fails = [any(group <= set(names) for group in groups) for groups in others]
        assert share.value == pytest.approx(np.mean(fails))
        assert (share.low, share.high) == pytest.approx(stats.binomtest(sum(fails), 40).proportion_ci())
        assert failed == any(group <= set(names) for group in whole)


def near_copies(rows: int = 300) -> altsel.Dataset:
    """Return two signals, one measured twice with little error, and noise."""
    random = np.random.default_rng(3)
    a, b, noise, e, f, g = random.normal(size=(6, rows))
    return altsel.Dataset({"a1": a + 0.3 * e, "a2": a + 0.3 * f, "b": b, "noise": noise}, a + b + g)


@pytest.mark.slow
def test_a_copy_halves_what_is_selected_and_not_what_is_needed() -> None:
    data = near_copies()
    test_of = altsel.independence.PartialCorrelation

    def first(rows: altsel.Dataset) -> altsel.Solutions:
        return altsel.ranking.mrmr(rows, 2)

    selected = altsel.stability(first, data, 40).frequencies()["in the first set"]
    found = removal_stability([["a1"], ["a2"], ["a1", "a2"], ["b"], ["noise"]], test_of, data, 40)
    share = dict(zip(found.removals, (one.value for one in found.shares), strict=True))
    assert 0.2 < selected["a1"] < 0.8
    assert share["a1", "a2"] == share["b",] == 1
    assert share["noise",] == 0


def test_it_takes_what_a_search_found_and_is_stored_and_read_back(tmp_path: Path) -> None:
    data = several()
    test_of = partial(altsel.independence.PartialCorrelation)
    found = altsel.blankets.tmfbs(test_of(data), 1e-3)
    run = partial(removal_stability, found, test_of, data, 5, store=tmp_path / "s.sqlite")
    measured = run()
    assert measured.removals == (("b",), ("a", "copy"), ("a",), ("copy",))
    assert run().to_json() == measured.to_json()
    assert RemovalStability.from_json(measured.to_json()) == measured
    assert list(measured.to_frame()["failed"]) == [True, True, False, False]
    assert "a, copy  no blanket        100 %" in str(measured)


def several() -> altsel.Dataset:
    a, b, noise = np.random.default_rng(0).normal(size=(3, 200))
    return altsel.Dataset({"a": a, "copy": 2 * a, "b": b}, a + b + noise)


@pytest.mark.parametrize(
    ("asked", "limits", "message"),
    [
        ([], None, "at least one"),
        ([[]], None, "at least one"),
        ([["z"]], None, "there is no feature 'z'"),
        ([["b"]], altsel.blankets.Limits(include=["b"]), "'b' is forced in"),
        (altsel.ranking.mim(several(), 1), None, "has no failed removals"),
    ],
)
def test_what_is_refused(asked: Any, limits: altsel.blankets.Limits | None, message: str) -> None:
    def problem_of(rows: altsel.Dataset) -> BlanketProblem:
        return BlanketProblem(altsel.independence.PartialCorrelation(rows), limits=limits)

    with pytest.raises(ArgumentError, match=message):
        removal_stability(asked, problem_of, several(), 2)


@pytest.mark.slow
def test_the_command(tmp_path: Path) -> None:
    data, path, found = several(), tmp_path / "data.csv", tmp_path / "found.json"
    data.X.assign(y=data.y).to_csv(path, index=False)

    def run(*words: object) -> str:
        result = CliRunner().invoke(app, list(map(str, words)))
        assert result.exit_code == 0, result.output + str(result.exception)
        return result.stdout

    run("blankets", path, "--target", "y", "--alpha", 0.001, "--no-group-copies", "--output", found)
    words = ("stability", found, path, "--removals", "--resamples", 4, "--store", tmp_path / "s")
    assert run(*words).startswith("4 resamples of 200 rows (subsample), target 'y'\n\nwithout")
    plain = json.loads(run(*words, "--format", "json"))
    assert (plain["removals"][1], plain["shares"][1]["value"]) == (["a", "copy"], 1)
    assert run(*words, "--format", "csv").startswith("removed,failed,share,low,high\n")
    run("rank", path, "--target", "y", "--method", "mim", "-k", 1, "--output", found)
    refused = CliRunner().invoke(app, ["stability", str(found), str(path), "--removals"])
    assert "'altsel rank' wrote the file" in str(refused.exception)
