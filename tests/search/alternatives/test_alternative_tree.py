"""Trees that stay an alternative: the same splits as a literal growth, and always a valid set."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from altsel import (
    AlternativeTreeClassifier,
    AlternativeTreeRegressor,
    ArgumentError,
    Average,
    DataError,
    Dice,
    Jaccard,
    Penalised,
    domain,
)

NAMES = ["x0", "x1", "x2", "x3", "x4", "x5"]
Sets = list[frozenset[str]]


def valid_sets(k: Any, distance: Any, tau: float, earlier: list[set[str]], rule: bool) -> Sets:
    """List all valid sets; the rule allows at most one of x0 and x5."""
    low, high = (k, k) if isinstance(k, int) else k
    found = (frozenset(some) for size in range(low, high + 1) for some in combinations(NAMES, size))
    return [
        one
        for one in found
        if all(distance(one, other) >= tau - 1e-12 for other in earlier)
        and one not in map(frozenset, earlier)
        and not (rule and {"x0", "x5"} <= one)
    ]


def dice(one: Any, other: Any) -> float:
    return 1 - 2 * len(one & other) / (len(one) + len(other))


def jaccard(one: Any, other: Any) -> float:
    return 1 - len(one & other) / len(one | other)


def literal(X: np.ndarray, y: np.ndarray, leaves: int, admits: Callable[[set[str]], bool]) -> Any:
    """Grow a regression tree best first, split by split; refuse ties between features."""
    parts: list[Any] = [np.arange(len(y))]
    used: list[str] = []
    banned: list[str] = []
    while len(parts) < leaves:
        splits = []
        for i, rows in enumerate(parts):
            for j, name in enumerate(NAMES):
                if name in banned:
                    continue
                for cut in np.unique(X[rows, j])[:-1]:
                    left = X[rows, j] <= cut
                    loss = sum(((y[rows][side] - y[rows][side].mean()) ** 2).sum() for side in (left, ~left))
                    gain = ((y[rows] - y[rows].mean()) ** 2).sum() - loss
                    splits.append((gain, i, name, rows[left], rows[~left]))
        splits.sort(key=lambda split: -split[0])
        if not splits:
            break
        gain, i, name, left, right = splits[0]
        assume(not any(other[2] != name and other[0] > gain - 1e-9 for other in splits[1:]))
        if name not in used:
            if not admits({*used, name}):
                banned.append(name)
                continue
            used.append(name)
        parts[i : i + 1] = [left, right]
    fitted = np.zeros(len(y))
    for rows in parts:
        fitted[rows] = y[rows].mean()
    return used, banned, fitted


@pytest.mark.slow
@settings(max_examples=20)
@given(
    seed=st.integers(0, 10_000),
    k=st.sampled_from([2, 3, (1, 3), (2, 4)]),
    distance=st.sampled_from([(Dice, dice), (Jaccard, jaccard)]),
    tau=st.sampled_from([0.3, 0.5, 0.75, 1.0]),
    earlier=st.lists(st.sets(st.sampled_from(NAMES), min_size=2, max_size=3), max_size=2),
    rule=st.booleans(),
    leaves=st.integers(2, 9),
)
def test_splits_are_those_of_a_literal_growth_and_the_set_is_valid(
    seed: int, k: Any, distance: Any, tau: float, earlier: list[set[str]], rule: bool, leaves: int
) -> None:
    valid = valid_sets(k, distance[1], tau, earlier, rule)
    random = np.random.default_rng(seed)
    X = random.normal(size=(30, len(NAMES)))
    y = X @ random.normal(size=len(NAMES)) ** 3 + random.normal(size=30)
    rules = [domain.at_most(1, ["x0", "x5"])] if rule else []
    learner = AlternativeTreeRegressor(
        k,
        distance[0](tau),
        earlier,
        tree=DecisionTreeRegressor(max_leaf_nodes=leaves),
        subject_to=rules,
    )
    if not valid:
        with pytest.raises(ArgumentError, match="no set of k="):
            learner.fit(X, y)
        return
    used, banned, fitted = literal(X, y, leaves, lambda some: any(some <= one for one in valid))
    learner.fit(X, y)
    assert frozenset(learner.selected_features_) in valid
    assert set(learner.used_features_) == set(used) <= set(learner.selected_features_)
    most = k if isinstance(k, int) else k[1]
    if len(used) < most:
        assert list(learner.banned_features_) == banned
    np.testing.assert_allclose(learner.predict(X), fitted, atol=1e-9)


def test_without_bounds_it_is_scikit_learns_tree() -> None:
    X, y = load_iris(return_X_y=True, as_frame=True)
    plain = DecisionTreeClassifier(max_depth=3, random_state=0).fit(X, y)
    tree = AlternativeTreeClassifier((1, 4), tree=DecisionTreeClassifier(max_depth=3)).fit(X, y)
    assert (tree.predict(X) == plain.predict(X)).all()
    assert tree.banned_features_ == ()
    weights = np.where(y == 0, 0.0, 1.0)
    weighted = AlternativeTreeClassifier((1, 4)).fit(X, y, weights)
    assert (weighted.predict(X)[y > 0] == y[y > 0]).all()


@pytest.mark.slow
def test_each_alternative_keeps_its_distance_to_all_before() -> None:
    X, y = load_iris(return_X_y=True, as_frame=True)
    X = X.assign(**{f"noise {j}": np.random.default_rng(j).normal(size=len(X)) for j in range(4)})
    found: list[tuple[str, ...]] = []
    for _ in range(3):
        tree = AlternativeTreeClassifier(3, Dice(0.6), found).fit(X, y)
        assert len(tree.selected_features_) == 3
        assert all(dice(set(tree.selected_features_), set(one)) >= 0.6 for one in found)
        assert tree.score(X, y) == pytest.approx((tree.predict(X) == y).mean())
        found.append(tree.selected_features_)
    assert {"petal length (cm)", "petal width (cm)"} <= set(found[0])
    with pytest.raises(ArgumentError, match="no set of k=3"):
        AlternativeTreeClassifier(3, Dice(1), [*found, list(X.columns)]).fit(X, y)


@pytest.mark.slow
def test_it_is_a_scikit_learn_estimator() -> None:
    X, y = load_iris(return_X_y=True)
    tree = AlternativeTreeClassifier(2, Dice(1), [("x2", "x3")], tree=DecisionTreeClassifier(max_depth=4))
    again = clone(tree)
    assert again.get_params()["tree__max_depth"] == 4
    scores = cross_val_score(tree, X, y, cv=4)
    assert (scores.min() > 0.5, scores.max() < 0.9) == (True, True)  # petals are not to be had
    search = GridSearchCV(tree, {"k": [1, 2], "earlier": [(), (("x2", "x3"),)]}, cv=3).fit(X, y)
    assert search.best_params_["earlier"] == ()
    fitted = again.fit(X, y)
    assert fitted.selected_features_ == ("x0", "x1")
    assert fitted.predict_proba(X).shape == (150, 3)
    assert fitted.classes_.tolist() == [0, 1, 2]
    assert (fitted.predict(X) == clone(tree).fit(X, y).predict(X)).all()


def test_a_set_is_completed_by_what_splits_the_root_best() -> None:
    X = np.random.default_rng(1).normal(size=(300, 5))
    y = 3.0 * X[:, 1] + 2 * X[:, 4] + X[:, 2]
    for k, earlier, completed in ((2, [], ("x1", "x4")), (3, [["x0", "x1", "x4"]], ("x1", "x2", "x3"))):
        stump = DecisionTreeRegressor(max_leaf_nodes=2)
        tree = AlternativeTreeRegressor(k, Dice(0.6), earlier, tree=stump).fit(X, y)
        assert (tree.used_features_, tree.selected_features_) == (("x1",), completed)


def test_a_pure_target_still_has_a_valid_set() -> None:
    X = np.random.default_rng(0).normal(size=(20, 5))
    tree = AlternativeTreeRegressor(3, Jaccard(0.5), [["x0", "x1", "x2"]]).fit(X, np.ones(20))
    assert tree.used_features_ == ()
    assert jaccard(set(tree.selected_features_), {"x0", "x1", "x2"}) >= 0.5


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"k": 9}, "k=9"),
        ({"earlier": [["age"]]}, "earlier: there is no column 'age'"),
        ({"tree": DecisionTreeClassifier()}, "give a DecisionTreeRegressor"),
        ({"tree": DecisionTreeRegressor(max_features=2)}, "draws splits at random"),
        ({"tree": DecisionTreeRegressor(splitter="random")}, "draws splits at random"),
        ({"dissimilarity": Penalised(Dice(1), 0.5)}, "keeps bounds"),
        ({"dissimilarity": Average(Dice(0.5))}, "keeps bounds"),
        ({"dissimilarity": 0.5}, "is no dissimilarity"),
    ],
)
def test_wrong_arguments_are_refused(options: dict[str, Any], message: str) -> None:
    X = np.random.default_rng(0).normal(size=(20, 4))
    with pytest.raises(ArgumentError, match=message):
        AlternativeTreeRegressor(**{"k": 2, **options}).fit(X, X[:, 0])


def test_wrong_tables_are_refused() -> None:
    X = pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": ["u", "v", "w"]})
    tree = AlternativeTreeRegressor(1)
    with pytest.raises(DataError, match="'b' hold something else"):
        tree.fit(X, [1, 2, 3])
    with pytest.raises(DataError, match="same name"):
        tree.fit(X[["a", "a"]], [1, 2, 3])
    tree.fit(X[["a"]], [1, 2, 3])
    for weights, message in (
        ([-1, 1, 1], "finite numbers of at least 0"),
        ([0, 0, 0], "not all of them 0"),
        ([1, 1], r"shape \(2,\); give one number for each of 3 rows"),
        (["a", "b", "c"], "must be numbers"),
    ):
        with pytest.raises(DataError, match=f"sample_weight .*{message}"):
            tree.fit(X[["a"]], [1, 2, 3], weights)
    with pytest.raises(DataError, match="missing or infinite values in 'a'; fill them"):
        tree.predict(pd.DataFrame({"a": [1.0, np.nan]}))
    with pytest.raises(DataError, match="columns are not those of fit"):
        tree.predict(X)
