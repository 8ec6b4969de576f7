"""The search of linear fits feature by feature where categories have many levels, against all sets."""

from __future__ import annotations

import logging
import warnings
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest

import altsel
from altsel import Dice, LinearFit, Problem, Proof, Stop
from altsel.exact import auto  # noqa: F401  (before lists are switched off)
from altsel.exact.rules.limits import Limits
from altsel.exact.sources import tree as open_nodes
from altsel.exact.sources.every_set import engine as all_sets
from altsel.exact.sources.least_squares import category_bound, category_tree
from altsel.exact.sources.least_squares.category_tree import CategoryTree
from altsel.runtime.clock import limited
from altsel.search.alternatives.near_optimal import near_optimal
from altsel.stats.blocks import exchanged
from altsel.stats.least_squares import projected

Members = tuple[str, ...]


@pytest.fixture(autouse=True)
def no_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small problems would be answered by a list of all sets."""
    monkeypatch.setattr(all_sets, "MOST_SETS", 0)


def table(seed: int) -> tuple[pd.DataFrame, np.ndarray]:
    """Make numbers and categories, one nested in another, one with a level of another, a near copy."""
    rng, rows = np.random.default_rng([30, seed]), 60
    first, second = rng.integers(0, 6, rows), rng.integers(0, 4, rows)
    x = rng.normal(size=(rows, 3))
    columns: dict[str, Any] = {
        "first": first.astype(str),
        "nested": (first // 2).astype(str),
        "second": second.astype(str),
        "shared": np.where(second == 0, 0, 1 + rng.integers(0, 3, rows)).astype(str),
        "x": x[:, 0],
        "near": x[:, 0] + 10.0 ** -(1 + 4 * seed) * rng.normal(size=rows),
        "z": x[:, 1],
        "level": (first == 1) * 1.0,
    }
    target = rng.normal(size=6)[first] + rng.normal(size=4)[second] + x[:, 0] + rng.normal(size=rows)
    frame = pd.DataFrame(columns)
    categories = frame.columns[[kind.kind != "f" for kind in frame.dtypes]]
    return frame.astype(dict.fromkeys(categories, "category")), target


def fit(frame: pd.DataFrame, target: Any, **how: Any) -> LinearFit:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", altsel.DataWarning)
        return LinearFit(altsel.Dataset(frame, target, task="regression"), **how)


def worths(
    frame: pd.DataFrame, target: np.ndarray, sizes: range, penalty: str | None
) -> dict[Members, float]:
    """What sets are worth, by singular values of their own dummies."""
    rows, y = len(target), target - target.mean()
    blocks: dict[Any, Any] = {}
    found: dict[Any, float] = {}
    for name in frame:
        number = frame[name].dtype.kind == "f"
        dummies = frame[[name]] if number else pd.get_dummies(frame[name]).iloc[:, 1:]
        blocks[name] = dummies.to_numpy(dtype=float) - dummies.to_numpy(dtype=float).mean(axis=0)
    for size in sizes:
        for members in combinations(frame, size):
            columns = np.column_stack([blocks[name] for name in members])
            left, lengths, _ = np.linalg.svd(columns, full_matrices=False)
            along = left[:, lengths > 1e-10].T @ y
            u, p = 1 - along @ along / (y @ y), 1 + columns.shape[1]
            price = {"bic": np.log(rows), "aic": 2.0}.get(str(penalty), 0.0)
            found[members] = -(rows * np.log(u) + price * p) if penalty else 1 - u
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("penalty", "sizes", "seed"), [(None, (4, 4), 0), ("bic", (1, 5), 1)])
@pytest.mark.parametrize("wide", [5, 250], ids=["best first", "depth first"])
def test_sets_with_categories_are_those_of_all_sets(
    wide: int, penalty: str | None, sizes: tuple[int, int], seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(category_tree, "WIDE", wide)
    monkeypatch.setattr(category_bound, "PRECISE", wide)
    frame, target = table(seed)
    quality = fit(frame, target, penalty=penalty)
    worth = worths(frame, target, range(sizes[0], sizes[1] + 1), penalty)
    best, size = max(worth.values()), sizes if penalty else 4
    found = altsel.sequential(Problem(quality, size), Dice(0.5), 1)
    first = set(found[0].features)
    others = [w for s, w in worth.items() if 4 * len({*s} & first) <= len(s) + len(first)]
    assert [one.score for one in found] == pytest.approx([best, max(others)], abs=1e-7)
    assert all(one.proof is Proof.OPTIMAL for one in found)
    loss = 4.0 if penalty else 0.03
    near = near_optimal(Problem(quality, size), altsel.AbsoluteLoss(loss), 2000)
    assert near.stop is Stop.EXHAUSTED
    surely = {frozenset(s) for s, w in worth.items() if w > best - loss + 1e-6}
    perhaps = {frozenset(s) for s, w in worth.items() if w > best - loss - 1e-6}
    assert surely <= {frozenset(one.features) for one in near} <= perhaps


def with_levels(levels: tuple[int, ...], rows: int) -> LinearFit:
    rng = np.random.default_rng(31)
    frame = pd.DataFrame(rng.normal(size=(rows, 8))).add_prefix("x")
    for count in levels:
        frame[f"c{count}"] = pd.Categorical(rng.integers(0, count, rows))
    effect = rng.normal(size=levels[-1])[frame[f"c{levels[-1]}"].cat.codes]
    return fit(frame, frame["x0"] + 0.5 * frame["x1"] + effect + rng.normal(size=rows), penalty="bic")


@pytest.mark.slow
def test_many_levels_are_decided_in_few_nodes() -> None:
    """Each number of columns that sets may have was once a search of its own: hundreds of them."""
    quality = with_levels((90, 60, 40, 30, 20, 15, 12, 8, 6), 400)
    every = Limits(np.zeros((0, 17)), np.zeros(0))
    tree = CategoryTree(quality, (1, 8), every)
    stop, bound = tree.search(1e-10, most_nodes=300)
    assert (stop, bound) == (Stop.EXHAUSTED, -np.inf)
    assert tree.best is not None
    assert {quality.features[j] for j in tree.best} >= {"x0", "x1", "c6"}
    short = CategoryTree(quality, (1, 8), every)
    stop, bound = short.search(1e-10, most_nodes=5)
    assert stop is Stop.LIMIT
    assert tree.value <= bound < quality.most


def test_a_search_says_how_far_it_is(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(open_nodes, "HEARTBEAT", 0.0)
    with caplog.at_level(logging.INFO, "altsel"):
        altsel.sequential(Problem(with_levels((12, 8, 6), 80), 4), Dice(0.5), 0)
    assert any(message.startswith("least squares: best ") for message in caplog.messages)


def test_time_that_is_up_leaves_a_good_set_and_a_bound() -> None:
    quality = with_levels((30, 20, 6), 150)
    with limited(1e-9):
        tree = CategoryTree(quality, (1, 5), Limits(np.zeros((0, 11)), np.zeros(0)))
        assert tree.search(1e-10) == (Stop.TIME, quality.most)


def test_a_list_that_is_given_up_leaves_its_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    """What came next once began from nothing, and with no time left ended with a poor set."""
    monkeypatch.setattr("altsel.search.alternatives.near_optimal._best_listed", lambda *_: None)
    seen: list[Any] = []

    def next_one(run: Any, *_: Any) -> tuple[None, Stop]:
        seen.extend(run.start)
        return None, Stop.TIME

    monkeypatch.setattr("altsel.search.alternatives.near_optimal._next", next_one)
    near_optimal(Problem(with_levels((12, 6), 80), 3), altsel.AbsoluteLoss(1.0))
    assert [set(one) for one in seen] == [{"x0", "x1", "c6"}]


def test_exchanges_and_additions_are_scored_as_sets_are() -> None:
    frame, target = table(6)  # a near copy of which products tell nothing
    for penalty in (None, "bic"):
        quality = fit(frame, target, penalty=penalty)
        index = {name: j for j, name in enumerate(quality.features)}
        for names in (("first", "x", "z"), ("first", "nested", "x"), ("second", "near", "level")):
            members = np.array([index[name] for name in names])
            for values, sets in (
                (quality.exchanged(members), [np.delete(members, i) for i in range(3)]),
                ([quality.grown(members)], [members]),
            ):
                for row, rest in zip(values, sets, strict=True):
                    for j in np.setdiff1d(np.arange(8), members):
                        mask = np.isin(np.arange(8), [*rest, j])
                        assert row[j] == pytest.approx(quality.score(mask), abs=1e-9) or row[j] == -np.inf


def test_many_columns_are_projected_at_once_as_one_by_one() -> None:
    quality = with_levels((60, 20, 6), 100)
    design = quality.design
    for names in (["c60", "x0"], ["c60", "c20", "x0", "c6"], [*quality.features]):
        inside = design.columns_of(np.flatnonzero(np.isin(quality.features, names)))
        value, rank = projected(design.columns[inside], design.target)
        assert design.explained(inside) == pytest.approx(design.offset + value, abs=1e-12)
    whole, independent = design.all_together()
    assert whole == pytest.approx(design.offset + value, abs=1e-12)
    assert independent == rank


def test_exchanges_of_a_dependent_set_are_left_to_the_definition() -> None:
    frame, target = table(0)
    quality = fit(frame, target)
    members = np.flatnonzero(np.isin(quality.features, ["first", "nested"]))
    assert exchanged(quality.design, members, 1e-4) is None
