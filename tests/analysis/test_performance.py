"""Performance: intervals and tests by hand and by scikit-learn; nested and null by loops of their own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.model_selection import KFold, ShuffleSplit, StratifiedKFold, cross_val_predict, cross_val_score
from sklearn.tree import DecisionTreeClassifier
from typer.testing import CliRunner, Result

import altsel
from altsel.catalogue import EstimatorName, predictor
from altsel.cli.app import app
from altsel.cli.repeated import RepeatedSearch
from altsel.comparison import CrossValidatedModels, ResampledT
from altsel.data.dealing import subset
from altsel.data.frames import to_table
from altsel.errors import AltselError, ArgumentError, DataError, DataWarning
from altsel.results.estimate import Estimate
from altsel.stats.equivalence.models.sklearn import usual_estimator
from altsel.stats.equivalence.resampled import estimated

RNG = np.random.default_rng(0)
TABLE = pd.DataFrame(RNG.normal(size=(120, 6)), columns=list("abcdef"))
NUMBERS = altsel.Dataset(TABLE, pd.Series(TABLE["a"] + TABLE["b"] + RNG.normal(size=120), name="y"))
CLASSES = altsel.Dataset(TABLE, np.where(TABLE["a"] + RNG.normal(size=120) > 0, "yes", "no"))


class TwoByCorrelation:
    """A search: the two features most correlated with the target, then the next two."""

    def __init__(self, counted: Path | None = None) -> None:
        self.counted = counted

    def __call__(self, data: altsel.Dataset) -> list[tuple[str, ...]]:
        if self.counted is not None:
            with self.counted.open("a") as file:
                file.write("1")
        strength = np.abs(np.corrcoef(data.matrix().T, data.target_values())[-1, :-1])
        order = [data.features[j] for j in np.argsort(-strength)]
        return [tuple(order[:2]), tuple(order[2:4])]

    def __repr__(self) -> str:
        return "TwoByCorrelation()"


def test_the_corrected_t_is_that_of_the_formula() -> None:
    # mean .1, variance .005, (1/5 + 1/4) .005 = .00225; R: 2 * pt(-.1 / sqrt(.00225), 4), qt(.975, 4)
    interval = estimated([0.1, 0.2, 0.0, 0.1, 0.1], ratio=0.25)
    assert (interval.value, interval.high) == pytest.approx((0.1, 0.1 + 0.131698355))
    assert estimated([0.5], ratio=0.25) == Estimate(0.5, parts=(0.5,))

    class Scores:
        ratio = 0.25

        def scores(self, names: Any) -> np.ndarray:
            return np.array([0.6, 0.7, 0.5, 0.6, 0.6]) if names == ["a"] else np.full(5, 0.5)

    models: Any = Scores()
    found = ResampledT(models)(["a"], ["b"])
    assert (found.statistic, found.p, found.difference) == pytest.approx((2.108185, 0.1027004, 0.1))
    assert ResampledT(models)(["b"], ["c"]).p == 1
    models.scores = lambda names: np.full(5, 0.6 if names == ["a"] else 0.5)  # as accuracies of few rows are
    same = ResampledT(models)(["a"], ["b"])
    assert (same.p, same.tested) == (1, False)
    assert same.difference == pytest.approx(0.1)
    assert str(estimated([0.1] * 5, ratio=0.25)) == "0.1"


def test_scores_and_losses_are_those_of_scikit_learn() -> None:
    folds = KFold(5, shuffle=True, random_state=3)
    models = CrossValidatedModels(NUMBERS, Ridge(), cv=5, random_state=3)
    X, y = TABLE[["a", "c"]], NUMBERS.y
    assert models.scores(["c", "a"]) == pytest.approx(cross_val_score(Ridge(), X, y, cv=folds))
    predicted = cross_val_predict(Ridge(), X, y, cv=folds)
    assert models.predictions(["a", "c"]) == pytest.approx(predicted)
    assert models.losses(["a", "c"]) == pytest.approx((y - predicted) ** 2)
    assert models.ratio == pytest.approx(0.25)
    assert models.losses([]).mean() == pytest.approx(y.var(ddof=0), rel=0.1)
    classes = CrossValidatedModels(CLASSES, LogisticRegression(), scoring="roc_auc", cv=4)
    stratified = StratifiedKFold(4, shuffle=True, random_state=0)
    scores = cross_val_score(LogisticRegression(), TABLE[["a"]], CLASSES.y, cv=stratified, scoring="roc_auc")
    assert classes.scores(["a"]) == pytest.approx(scores)


@pytest.mark.slow
def test_sets_beside_all_features_and_none() -> None:
    found = altsel.performance([["a", "b"], ["a", "c"], ["e"]], NUMBERS, LinearRegression(), cv=5)
    models = CrossValidatedModels(NUMBERS, LinearRegression(), cv=5)
    for one, names in zip(found.sets, (["a", "b"], ["a", "c"], ["e"]), strict=True):
        assert one.score == estimated(models.scores(names), models.ratio)
    change = found[1].difference
    assert change is not None
    assert change.value == pytest.approx(found[1].score.value - found[0].score.value)
    assert found.all_features.value == pytest.approx(models.scores(list("abcdef")).mean())
    assert found.comparisons is not None
    alone = [ResampledT(models)(["a", "b"], names).p for names in (["a", "c"], ["e"])]
    by_holm = {"smaller": min(2 * min(alone), 1), "larger": max(2 * min(alone), *alone)}
    assert sorted(pair.adjusted[0] for pair in found.comparisons) == pytest.approx(list(by_holm.values()))
    assert found.p_null is None
    assert json.loads(found.to_json())["sets"][0]["features"] == ["a", "b"]
    assert list(found.to_frame()["set"]) == ["0", "1", "2", "all", "none"]
    assert "against set 0" in str(found)
    assert "p, null" not in str(found)


@pytest.mark.slow
def test_nested_searches_the_rows_learned_from_again() -> None:
    search = TwoByCorrelation()
    found = altsel.performance(search(NUMBERS), NUMBERS, Ridge(), cv=4, search=search, nested=True)
    scores = []
    for train, test in KFold(4, shuffle=True, random_state=0).split(TABLE):
        names = search(subset(NUMBERS, train, NUMBERS.features))[0]
        model = Ridge().fit(TABLE.iloc[train][sorted(names)], NUMBERS.y.iloc[train])
        scores.append(model.score(TABLE.iloc[test][sorted(names)], NUMBERS.y.iloc[test]))
    assert found[0].nested is not None
    assert found[0].nested.parts == pytest.approx(scores)
    assert found[0].bias == pytest.approx(found[0].score.value - np.mean(scores))
    assert "searched again" in str(found)


@pytest.mark.slow
def test_the_null_repeats_the_search_with_permuted_targets() -> None:
    search = TwoByCorrelation()
    found = altsel.performance(
        search(NUMBERS), NUMBERS, Ridge(), cv=3, search=search, permutations=9, random_state=5
    )
    best = []
    for number in range(9):
        order = np.random.default_rng((5, number)).permutation(120)
        data = altsel.Dataset(TABLE, NUMBERS.y.iloc[order].reset_index(drop=True))
        folds = KFold(3, shuffle=True, random_state=5)
        best.append(
            max(
                cross_val_score(Ridge(), TABLE[sorted(names)], data.y, cv=folds).mean()
                for names in search(data)
            )
        )
    assert found.null == pytest.approx(best)
    hits = sum(value >= found[1].score.value for value in best)
    assert (found[0].p_null, found[1].p_null) == (0.1, (1 + hits) / 10)
    assert found.p_null == 0.1


@pytest.mark.slow
def test_repeated_searches_go_on_from_their_store(tmp_path: Path) -> None:
    def scored(permutations: int) -> altsel.results.Performance:
        search = TwoByCorrelation(tmp_path / "calls")
        more: dict[str, Any] = {"search": search, "store": tmp_path / "runs.sqlite", "cv": 3}
        return altsel.performance([["a"]], NUMBERS, Ridge(), permutations=permutations, **more)

    first = scored(3)
    again = scored(5)
    assert again.null[:3] == first.null
    assert (tmp_path / "calls").read_text() == "11111"


def test_the_bias_is_that_of_the_folds_that_have_the_set() -> None:
    again = iter([[("a",), ("b",)], *[[("a",)]] * 4])
    found = [("a",), ("b",)]
    scored = altsel.performance(
        found, NUMBERS, LinearRegression(), cv=5, search=lambda rows: next(again), nested=True
    )
    assert [one.nested_folds for one in scored.sets] == [(0, 1, 2, 3, 4), (0,)]
    assert [one.bias for one in scored.sets] == pytest.approx([0, 0], abs=1e-12)
    assert "(1 of 5 folds)" in str(scored)


def test_folds_drawn_anew_do_not_meet_stored_ones(tmp_path: Path) -> None:
    def bias() -> float | None:
        drawn = ShuffleSplit(2, random_state=np.random.RandomState(next(seeds)))
        return altsel.performance(
            [["a"]], NUMBERS, None, cv=drawn, search=only_a, nested=True, store=tmp_path / "s.sqlite"
        )[0].bias

    seeds = iter(range(3))
    assert [bias() for _ in range(3)] == [0, 0, 0]


def only_a(rows: altsel.Dataset) -> list[list[str]]:
    return [["a"]]


def test_an_iterator_of_folds_serves_more_than_once() -> None:
    cv = KFold(3).split(TABLE)
    scored = altsel.performance([["a"]], NUMBERS, LinearRegression(), cv=cv, search=only_a, permutations=2)
    assert len(scored.null) == 2
    with pytest.raises(ArgumentError, match="cv has no folds"):
        altsel.performance([["a"]], NUMBERS, LinearRegression(), cv=[])


def test_a_search_gets_no_column_of_groups() -> None:
    seen: list[tuple[str, ...]] = []

    def search(rows: altsel.Dataset) -> list[list[str]]:
        seen.append(rows.features)
        return [["a"]]

    data = altsel.Dataset(TABLE.assign(group=np.arange(120) // 5), NUMBERS.y)
    altsel.performance([["a"]], data, LinearRegression(), cv=3, groups="group", search=search, nested=True)
    assert {"group" in features for features in seen} == {False}


@pytest.mark.slow
def test_groups_stay_together_and_are_no_feature() -> None:
    groups = np.repeat(np.arange(30), 4)
    data = altsel.Dataset(TABLE.assign(patient=groups), NUMBERS.y)
    named = altsel.performance([["a"]], data, Ridge(), cv=5, groups="patient")
    given = altsel.performance([["a"]], NUMBERS, Ridge(), cv=5, groups=groups)
    assert named.all_features == given.all_features
    models = CrossValidatedModels(NUMBERS, Ridge(), cv=5, groups=groups)
    assert all(not set(groups[train]) & set(groups[test]) for train, test in models.folds)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"nested": True}, "nested=True repeats the search: give search="),
        ({"permutations": 5}, "permutations=5 repeats the search"),
        ({"permutations": -1}, "permutations=-1; use an integer of at least 0"),
        ({"permutations": 5, "groups": [0, 1] * 60, "search": list}, "rows for exchangeable"),
        ({"groups": [1, 2]}, "groups has shape"),
        ({"groups": "z"}, "groups='z' is no column"),
        ({"scoring": "none"}, "scoring='none' is no scorer of scikit-learn"),
        ({"scoring": "auc"}, "did you mean 'roc_auc'"),
        ({"scoring": ["r2"]}, "give the name of one scorer"),
        ({"scoring": "zz"}, "there are 'accuracy', 'adjusted_mutual_info_score'"),
        ({"estimator": LinearRegression}, r"the class LinearRegression; give an object of it"),
        ({"groups": "a"}, "set 0 has 'a', which groups='a' makes no feature"),
        ({"cv": 1}, "cv=1; use an integer of at least 2"),
        ({"cv": 200}, "cv=200: Cannot have number of splits"),
        ({"cv": 110}, r"score r2 of fold 10 is nan; use fewer folds"),
        ({"estimator": DecisionTreeClassifier()}, "which holds numbers: give a regressor"),
        ({"estimator": 3}, "3 is no scikit-learn estimator"),
        ({"search": lambda data: "a", "nested": True}, "fold 0: the search returned 'a'"),
    ],
)
@pytest.mark.filterwarnings("ignore:R.2 score is not well-defined")
def test_what_is_refused(more: dict[str, Any], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        altsel.performance([["a"]], NUMBERS, **{"estimator": Ridge(), **more})


@pytest.mark.slow
def test_what_is_refused_of_sets_and_data() -> None:
    with pytest.raises(ArgumentError, match="there are no sets"):
        altsel.performance([], NUMBERS)
    for wrong in (["ab", "c"], "ab", [["a"], 3], {"a": ["a"]}, 3, [[1]]):
        with pytest.raises(ArgumentError, match=r"found=.*; give Solutions, or lists of names"):
            altsel.performance(wrong, NUMBERS)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="set 1 names 'b' more than once"):
        altsel.performance([["a"], ["b", "b"]], NUMBERS)
    with pytest.raises(ArgumentError, match="performance takes a Dataset, not a DataFrame"):
        altsel.performance([["a"]], TABLE)  # type: ignore[arg-type]
    with pytest.raises(DataError, match="set 1 has 'z'"):
        altsel.performance([["a"], ["z"]], NUMBERS)
    found = altsel.sequential(
        altsel.Problem(altsel.Univariate(altsel.dependence(NUMBERS, altsel.measures.absolute_pearson)), 2),
        altsel.Dice(0.5),
        1,
    )
    with pytest.raises(DataError, match="explain 'y', not 'y2'"):
        altsel.performance(found, altsel.Dataset(TABLE, NUMBERS.y.rename("y2")))
    rare = altsel.Dataset(TABLE, ["rare"] * 3 + ["often"] * 117)
    with pytest.warns(DataWarning, match="has 3 rows: not every one of the 10 folds"):
        altsel.performance([["a"]], rare)


def test_categories_of_a_fold_without_one_of_them(mixed: altsel.Dataset) -> None:
    found = altsel.performance([["colour"], ["colour", "noisy"]], mixed, cv=5)
    with pytest.raises(ArgumentError, match="'colour' hold categories: give a pipeline that encodes them"):
        altsel.performance(
            [["colour"]],
            mixed.holdout(mixed.X.assign(colour="a" + mixed.X["colour"].astype(str)), mixed.y),
            DecisionTreeClassifier(),
        )
    assert found[1].score.value > found.no_features.value


@pytest.mark.slow
def test_a_picture(tmp_path: Path) -> None:
    search = TwoByCorrelation()
    found = altsel.performance(
        search(NUMBERS), NUMBERS, Ridge(), cv=3, search=search, nested=True, permutations=2
    )
    assert found.draw(tmp_path / "found.png").stat().st_size > 5000
    with pytest.raises(ArgumentError, match="is no picture"):
        found.draw(tmp_path / "found.xyz")


@pytest.fixture(scope="module")
def csv(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("performance") / "data.csv"
    TABLE.assign(y=NUMBERS.y).to_csv(path, index=False)
    return path


def run(*arguments: object) -> Result:
    result = CliRunner().invoke(app, list(map(str, arguments)))
    assert result.exit_code in {0, 4}, result.output + str(result.exception)
    return result


SEARCHES = [
    ("select", "-k", "2:3", "--objective", "mrmr", "--measure", "absolute-pearson", "--alternatives", 1),
    ("select", "-k", 2, "--measure", "absolute-spearman", "--search", "most-different", "--within", "0.5"),
    ("near-optimal", "-k", 2, "--measure", "absolute-pearson", "--within", "0.3", "--tau", "0.5"),
    ("blanket", "--method", "iamb", "--alpha", "0.05", "--test", "partial-correlation"),
    ("blankets", "--alpha", "0.05", "--method", "tie-star", "--learner", "iamb", "--rules"),
    ("rank", "--method", "mifs", "-k", 3, "--beta", "0.5", "--bins", 4),
]


@pytest.mark.parametrize("words", SEARCHES, ids=lambda words: f"{words[0]}-{len(words)}")
def test_the_search_of_a_file_is_the_command_that_wrote_it(
    words: tuple[object, ...], csv: Path, tmp_path: Path
) -> None:
    if words[-1] == "--rules":
        (tmp_path / "rules.toml").write_text('forbid = ["f"]\n')
        words = (*words, tmp_path / "rules.toml")
    name, *options = words
    found = altsel.Solutions.from_json(run(name, csv, "--target", "y", *options, "--format", "json").stdout)
    again = RepeatedSearch(found.request)(NUMBERS)
    assert [one.features for one in again] == [one.features for one in found]
    assert [one.score for one in again] == pytest.approx([one.score for one in found])


@pytest.mark.slow
def test_the_command(csv: Path, tmp_path: Path) -> None:
    found = tmp_path / "found.json"
    run("rank", csv, "--target", "y", "--method", "mim", "-k", 2, "--output", found)
    words = ("performance", found, csv, "--estimator", "tree", "--cv", 3, "--nested", "--permutations", 2)
    message = run(*words, "--store", tmp_path / "runs.sqlite", "--plot", tmp_path / "p.svg")
    assert message.stdout.startswith("r2, DecisionTreeRegressor, 3 folds")
    assert (tmp_path / "p.svg").exists()
    plain = json.loads(run(*words, "--format", "json").stdout)
    assert len(plain["null"]) == 2
    assert run(*words, "--format", "csv").stdout.startswith("set,features,score,score low")
    plain = json.loads(found.read_text())
    found.write_text(json.dumps({**plain, "request": {}}))
    fault = CliRunner().invoke(app, list(map(str, words))).exception
    assert isinstance(fault, AltselError)
    assert "does not say which command found it" in str(fault)


@pytest.mark.filterwarnings("ignore:.*rows left:altsel.DataWarning")
@pytest.mark.slow
def test_the_command_takes_groups_from_a_column_that_was_dropped(csv: Path, tmp_path: Path) -> None:
    groups, found = np.repeat(np.arange(30), 4), tmp_path / "found.json"
    table = pd.read_csv(csv).assign(pid=groups)
    table.loc[3, "f"] = None
    table.to_csv(tmp_path / "groups.csv", index=False)
    how = ("--target", "y", "--drop", "pid", "--drop-missing", "--output", found)
    run("rank", tmp_path / "groups.csv", *how, "--method", "mim", "-k", 2)
    words = (
        "performance",
        found,
        tmp_path / "groups.csv",
        "--estimator",
        "tree",
        "--cv",
        3,
        "--format",
        "json",
    )
    plain = json.loads(run(*words, "--groups", "pid").stdout)
    kept = np.arange(120) != 3
    read = to_table(tmp_path / "groups.csv").drop(columns="pid").dropna()  # a tree tells last digits apart
    data = altsel.Dataset(read, "y")
    sets = altsel.Solutions.from_json(found.read_text())
    models = predictor(EstimatorName.TREE, data, 0)
    by_hand = altsel.performance(sets, data, models, cv=3, groups=groups[kept], other_data=True)
    other = altsel.performance(sets, data, models, cv=3, other_data=True)
    assert plain["sets"][0]["score"]["value"] == pytest.approx(by_hand[0].score.value)
    assert by_hand[0].score.value != pytest.approx(other[0].score.value)
    fault = CliRunner().invoke(app, list(map(str, (*words, "--groups", "pidd")))).exception
    assert isinstance(fault, AltselError)
    assert "did you mean 'pid'" in str(fault)


@pytest.mark.slow
def test_columns_prepared_once_for_all_sets_give_what_the_whole_pipeline_gives() -> None:
    random = np.random.default_rng(0)
    levels = np.where(np.arange(60) == 7, "rare", random.choice(["u", "v", "w"], 60))  # unseen in one fold
    table = pd.DataFrame({"a": random.normal(size=60), "level": levels, "b": random.normal(size=60)})
    for target in (table["a"] + random.normal(size=60), (table["b"] > 0).astype(int)):
        data = altsel.Dataset(table, target.rename("y"))
        usual, whole = CrossValidatedModels(data), CrossValidatedModels(data, usual_estimator(data))
        for names in (["b", "level", "a"], ["level"], ["a"], []):
            assert usual.scores(names) == pytest.approx(whole.scores(names))
            assert usual.losses(names) == pytest.approx(whole.losses(names), rel=1e-9)
            assert usual.predictions(names) == pytest.approx(whole.predictions(names), rel=1e-9)
