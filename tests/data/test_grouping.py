"""Copies, near copies and a user's groups, against definitions tried pair by pair."""

from __future__ import annotations

import pickle
import warnings
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import altsel
from altsel import ArgumentError, DataError, Dataset, DataWarning
from altsel.data import Kind
from altsel.data.dealing import subset
from altsel.data.near_copies import likenesses

Y = [0, 1, 1, 0, 1, 0, 0, 1]


def made(columns: dict[str, Any], y: Any = Y, **more: Any) -> Dataset:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        return Dataset(columns, y, **more)


def groups(data: Dataset) -> set[frozenset[str]]:
    return {frozenset(names) for names in data.members.values()}


def one_to_one(x: list[Any], y: list[Any]) -> bool:
    return len(set(zip(x, y, strict=True))) == len(set(x)) == len(set(y))


def on_a_line(x: list[int], y: list[int]) -> bool:
    k = next(i for i in range(len(x)) if x[i] != x[0])
    return y[k] != y[0] and all(
        (y[i] - y[0]) * (x[k] - x[0]) == (y[k] - y[0]) * (x[i] - x[0]) for i in range(len(x))
    )


def is_copy(data: Dataset, first: str, second: str) -> bool:
    x, y = (data.X[name].tolist() for name in (first, second))
    labels = [data.kinds[name] in {Kind.BINARY, Kind.CATEGORICAL} for name in (first, second)]
    return labels[0] == labels[1] and (one_to_one(x, y) if labels[0] else on_a_line(x, y))


@pytest.mark.slow
@given(st.data())
@settings(max_examples=40)
def test_copies_are_those_that_the_definition_finds(drawn: Any) -> None:
    values = st.lists(st.integers(0, 2), min_size=8, max_size=8).filter(lambda v: len(set(v)) > 1)
    base = drawn.draw(st.lists(values, min_size=1, max_size=3))
    columns: dict[str, list[Any]] = {}
    for number in range(6):
        one = drawn.draw(st.sampled_from(base))
        kind = drawn.draw(st.sampled_from(["line", "shuffled", "text", "itself"]))
        if kind == "line":
            slope = drawn.draw(st.sampled_from([-3, -1, 2]))
            one = [7 + slope * v for v in one]
        elif kind != "itself":
            labels = drawn.draw(st.permutations([0, 1, 2]))
            one = [f"v{labels[v]}" if kind == "text" else labels[v] for v in one]
        columns[f"x{number}"] = one
    data = made(columns)
    pairs = {pair for pair in combinations(data.features, 2) if is_copy(data, *pair)}
    found = data.grouped()
    assert {pair for names in found.members.values() for pair in combinations(sorted(names), 2)} == pairs
    assert all(names[0] == name for name, names in found.members.items())
    assert list(found.features) == [
        f for f in data.features if not any((e, f) in pairs for e in data.features)
    ]


def test_what_counts_as_a_recoding() -> None:
    x = np.array([0.1, 0.4, 2.5, 3.0, 7.7, 5.5, 9.1, 4.2])
    data = made(
        {
            "celsius": x,
            "fahrenheit": 32 + 1.8 * x,
            "minus": -x / 3,
            "cube": x**3,  # in the same order, not on a line
            "rounded": x.round(),
            "sex": [0, 1, 1, 0, 1, 0, 0, 0],
            "gender": ["m", "f", "f", "m", "f", "m", "m", "m"],
            "not sex": [5.5, 2.5, 2.5, 5.5, 2.5, 5.5, 5.5, 5.5],
            "size": ["s", "m", "l", "l", "m", "s", "s", "m"],
            "reversed": [3, 2, 1, 1, 2, 3, 3, 2],
        },
        kinds={"size": ["s", "m", "l"], "reversed": "ordinal"},
    )
    assert groups(data.grouped()) == {
        frozenset({"celsius", "fahrenheit", "minus"}),
        frozenset({"sex", "gender", "not sex"}),
        frozenset({"size", "reversed"}),
    }
    huge = made({"a": x * 1e-200, "b": x * 1e-300, "c": 1e12 + x})
    assert groups(huge.grouped()) == {frozenset({"a", "b"})}  # c has lost digits


def linked(r: np.ndarray, bound: float) -> set[frozenset[int]]:
    """Complete linkage, step by step."""
    parts = [frozenset({j}) for j in range(len(r))]
    while len(parts) > 1:
        least, one, other = max(
            ((min(r[i, j] for i in a for j in b), a, b) for a, b in combinations(parts, 2)),
            key=lambda entry: entry[0],
        )
        if least < bound:
            break
        parts = [part for part in parts if part not in {one, other}] + [one | other]
    return {part for part in parts if len(part) > 1}


@pytest.mark.parametrize("bound", [0.5, 0.8, 0.95])
@pytest.mark.parametrize("seed", range(4))
def test_near_copies_by_complete_linkage(bound: float, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("altsel.data.near_copies.BLOCK", 4)
    random = np.random.default_rng(seed)
    smooth = np.cumsum(random.normal(size=(14, 60)), axis=0)
    data = made({f"x{j}": row for j, row in enumerate(smooth)}, random.normal(size=60))
    r = np.abs(np.corrcoef(smooth))
    found = data.grouped(bound)
    assert {frozenset(int(name[1:]) for name in group) for group in groups(found)} == linked(r, bound)
    first = {j: next((i for i in range(j) if r[i, j] >= bound), None) for j in range(14)}
    near = likenesses(data.X, data.kinds, bound)
    assert [(j, i) for j, i, _ in near] == [(f"x{j}", f"x{i}") for j, i in first.items() if i is not None]
    assert [value for *_, value in near] == pytest.approx(
        [r[i, j] for j, i in first.items() if i is not None]
    )


def test_near_copies_leave_categories_to_copies_and_look_at_neighbours_where_there_are_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    x = np.arange(40.0)
    wave = np.sin(x) / 50
    columns = {"a": x, "f": np.cos(x), "b": x + wave, "c": x - wave, "text": [f"t{v % 3}" for v in range(40)]}
    data = made({**columns, "word": [f"w{-v % 3}" for v in range(40)]}, x % 2)
    found = data.grouped(0.999)
    assert groups(found) == {frozenset({"a", "b", "c"}), frozenset({"text", "word"})}
    assert [name for name, *_ in data.near_copies] == ["b", "c"]
    monkeypatch.setattr("altsel.data.near_copies.PRODUCTS", 0)
    assert [(name, like) for name, like, _ in likenesses(data.X, data.kinds, 0.999)] == [("c", "b")]


def test_groups_of_ones_own_and_costs() -> None:
    random = np.random.default_rng(0)
    a, b, c, d = random.normal(size=(4, 8))
    data = made({"a": a, "b": b, "c": c, "a2": 2 * a, "d": d, "one": [1] * 8})
    assert data.grouped([["c", "b"], {"d"}]).members == {"b": ("b", "c")}
    assert data.grouped({"c": ["b", "c"], "panel": ["d", "a"]}).members == {"a": ("a", "d"), "c": ("c", "b")}
    cheap = data.grouped(costs={"a": 3, "a2": 1})
    assert cheap.members == {"a2": ("a2", "a")}
    assert cheap.features == ("b", "c", "a2", "d")
    with pytest.warns(DataWarning, match="'b' has no cost"):
        assert data.grouped([["a", "b", "c"]], costs={"a": 3, "c": 2}).members == {"b": ("b", "a", "c")}
    again = data.grouped().grouped([["a2", "d"]], costs={"a": 9, "a2": 1, "d": 2})
    assert again.members == {"a": ("a", "a2", "d")}
    assert again.grouped(again.members).members == again.members
    assert data.grouped(again.members).fingerprint == again.fingerprint


@pytest.mark.parametrize(
    ("bound", "word"),
    [
        (0, "correlation above 0"),
        (1.01, "at most 1"),
        (float("nan"), "correlation"),
        (True, "correlation"),
        (None, "correlation"),
        ("a", "lists of names"),
        (["a", "b"], r"\['a'\]"),
        ([["a", "b"], ["b", "c"]], "'b' is in the groups"),
        ([["a", "b"], ["a", "b"]], "'a' is in the groups"),
        ([["a", "y"]], "is the target"),
        ([["a", "one"]], "constant"),
        ([["a", "B"]], "did you mean 'b'"),
        ([["a", "a"]], "twice"),
        ({"g": []}, "'g' is empty"),
        ([3], "no group"),
    ],
)
def test_what_is_no_group(bound: Any, word: str) -> None:
    random = np.random.default_rng(0)
    data = made({**dict(zip("abc", random.normal(size=(3, 8)), strict=True)), "one": [1] * 8})
    with pytest.raises(ArgumentError, match=word):
        data.grouped(bound)


def test_costs_are_numbers_of_features() -> None:
    data = made({"a": range(8), "b": Y})
    for costs, word in (
        ({"c": 1}, "'c', which is no feature"),
        ({"a": "x"}, "cost of 'a'"),
        ([1], "by name"),
    ):
        with pytest.raises(ArgumentError, match=word):
            data.grouped(costs=costs)  # type: ignore[arg-type]


def test_members_travel() -> None:
    random = np.random.default_rng(0)
    a, b, c = random.normal(size=(3, 60))
    table = pd.DataFrame({"a": a, "b": b, "a2": 1 - a, "c": c})
    y = pd.Series((a + b > 0).astype(int), name="y")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        data = Dataset(table, y).grouped()
    members = {"a": ("a", "a2")}
    held = data.holdout(table[["a", "b", "c"]], y)  # the other names need not be there
    part = subset(data, np.arange(30), ["b", "a"])
    without = subset(data, np.arange(30), ["b", "c"])
    assert [one.members for one in (data, held, part, without, altsel.data.binned(data))] == [
        members,
        members,
        members,
        {},
        members,
    ]
    given = altsel.dependence(data)
    assert given.members == given.normalized().members == pickle.loads(pickle.dumps(data)).members == members
    test = altsel.independence.Counted(altsel.independence.LikelihoodRatio(data))
    assert (test.members, test.with_target("b").members, test.with_target("a").members) == (
        members,
        members,
        {},
    )
    for found in (
        altsel.blankets.iamb(test),
        altsel.ranking.jmi(data, 2),
        altsel.blankets.tmfbs(test),
        altsel.blankets.aggregated(data, altsel.independence.LikelihoodRatio, learner=altsel.blankets.iamb),
    ):
        assert found.members == members
        assert found[0].members == {name: names for name, names in members.items() if name in found[0]}


def test_the_data_that_sets_were_found_in_are_grouped() -> None:
    a, b = np.random.default_rng(0).normal(size=(2, 40))
    data = made({"a": a, "b": b, "a2": 3 * a}, a + b)
    test = altsel.independence.PartialCorrelation(data.grouped())
    with pytest.raises(DataError, match=r"data\.grouped\(found\.members\)"):
        altsel.equivalence(altsel.blankets.iamb(test), data)


def test_copies_are_warned_of_with_the_call() -> None:
    with pytest.warns(DataWarning, match=r"data\.grouped\(\)"):
        Dataset({"a": range(8), "b": range(8)}, Y)


def test_near_copies_are_logged_with_the_call(caplog: pytest.LogCaptureFixture) -> None:
    x = np.arange(40.0)
    data = made({"a": x, "b": x + np.sin(x) / 50}, x % 2)
    with caplog.at_level("INFO", "altsel.data"):
        altsel.dependence(data.grouped(0.999))
        assert not caplog.text
        altsel.dependence(data)
    assert "'b' of 'a'; data.grouped(0.999)" in caplog.text


def test_repeated_searches_keep_members() -> None:
    a, b, noise = np.random.default_rng(0).normal(size=(3, 60))
    data = made({"a": a, "b": b, "a2": 3 * a}, a + b + noise).grouped()
    seen = []

    def search(rows: Dataset) -> altsel.Solutions:
        seen.append(rows.members)
        return altsel.blankets.iamb(altsel.independence.PartialCorrelation(rows))

    altsel.stability(search, data, resamples=2)
    altsel.performance(search(data), data, cv=2, search=search, nested=True, permutations=2)
    assert len(seen) == 8
    assert all(members == {"a": ("a", "a2")} for members in seen)
