"""``altsel blanket`` and ``altsel rank``, as users call them."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import altsel
from altsel.catalogue import LEARNERS, RANKINGS, TESTS
from altsel.cli.app import app
from altsel.results.text import p_text
from tests.conftest import IONOSPHERE, ROOT

pytestmark = pytest.mark.filterwarnings("ignore::altsel.DataWarning")  # a constant column of ionosphere


@pytest.fixture(scope="session")
def asia(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("asia") / "asia.csv"
    altsel.read_network(ROOT / "examples" / "data" / "asia.bif").sample(3000, 0).to_csv(path, index=False)
    return path


def run(*arguments: object, code: int = 0) -> str:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments], catch_exceptions=False)
    assert result.exit_code == code, result.output
    return result.stdout


@pytest.mark.parametrize("method", LEARNERS.own)
def test_every_method_finds_the_neighbours_of_either(asia: Path, method: str) -> None:
    found = json.loads(run("blanket", asia, "--target", "either", "--method", method, "--format", "json"))
    assert {"lung", "tub", "xray"} & set(found["sets"][0]["features"])
    assert found["effort"]["tests"] > 0


@pytest.mark.slow
@pytest.mark.parametrize(
    "test",
    [one for one in TESTS.own if one not in {"kernel", "poisson", "negative-binomial", "cox"}],
)
def test_every_test_runs(test: str) -> None:
    tables = {"g2", "chi2", "trend"}
    options = ["--bins", "3"] if test in tables else []
    options += ["--splits", "3", "--estimator", "linear"] if test == "predictive" else []
    message = run("blanket", IONOSPHERE, "--target", "target", "--method", "mmpc", "--test", test, *options)
    assert "stop: count" in message
    few = test in {"trend", "gcm", "wgcm"}  # of three features in three bins 351 rows fill 27 cells
    assert ("best possible classifier" in message) == few


@pytest.fixture(scope="session")
def clinics(tmp_path_factory: pytest.TempPathFactory) -> Path:
    random = np.random.default_rng(0)
    clinic, n = np.repeat(np.arange(40), 10), 400
    table = pd.DataFrame(random.normal(size=(n, 3)), columns=["a", "b", "c"])
    table["beds"] = np.repeat(random.normal(size=40), 10)
    table["dose"] = random.choice(["low", "mid", "high"], n)
    latent = table["a"] + table["dose"].map({"low": 0, "mid": 1, "high": 2}) + random.normal(size=40)[clinic]
    table["pain"] = np.array(["none", "some", "much"])[np.digitize(latent, [0.5, 1.5])]
    table["visits"] = random.negative_binomial(2, 2 / (2 + np.exp(1.5 + 0.5 * table["a"])))
    table["better"] = (latent + random.logistic(size=n) > 1).astype(int)
    table["clinic"], table["times"] = clinic, random.integers(0, 3, n)
    path = tmp_path_factory.mktemp("clinics") / "clinics.csv"
    table.to_csv(path, index=False)
    return path


ORDERS = ("--kind", "dose=ordinal:low,mid,high", "--kind", "pain=ordinal:none,some,much")


@pytest.mark.slow
def test_orders_and_counts_are_options(clinics: Path) -> None:
    found = run("blanket", clinics, "--target", "pain", *ORDERS, "--method", "iamb")
    assert "proportional-odds" in found
    assert "dose" in found
    counts = run(
        "blanket", clinics, "--target", "visits", "--test", "negative-binomial", "--task", "regression"
    )
    assert "negative binomial" in counts
    declared = run("blanket", clinics, "--target", "visits", "--kind", "visits=count", "--kind", ORDERS[1])
    assert "negative binomial" in declared


OF_CLINICS = ("--drop", "pain", "--drop", "visits", "--drop", "dose")


@pytest.mark.parametrize("command", ["blanket", "blankets"])
def test_groups_and_weights_are_columns_and_no_features(clinics: Path, command: str) -> None:
    rows = ("--groups", "clinic", "--weights", "times")
    options = ("--target", "better", *OF_CLINICS, *rows, "--format", "json")
    found = json.loads(run(command, clinics, *options))
    assert "generalised score test (logistic or multinomial regression, 40 groups)" in json.dumps(found)
    assert found["sets"][0]["features"] == ["a"]
    assert not {"clinic", "times"} & set(found["universe"])
    assert found["request"]["command"]["options"]["groups"] == "clinic"


def test_what_heeds_no_groups_or_weights_refuses_them(clinics: Path) -> None:
    def message(*options: str) -> str:
        result = CliRunner().invoke(
            app, ["blanket", str(clinics), "--target", "better", *OF_CLINICS, *options]
        )
        assert isinstance(result.exception, altsel.ArgumentError)
        return str(result.exception)

    assert "--groups: the test spearman takes no groups" in message(
        "--groups", "clinic", "--test", "spearman"
    )
    assert "--weights: the test predictive takes" in message("--weights", "times", "--test", "predictive")
    assert "--folds divides rows, not groups" in message("--groups", "clinic", "--folds", "3")
    assert "weights='wait' names no column" in message("--weights", "wait")


def test_analyses_know_of_the_groups_and_weights_of_a_search(clinics: Path, tmp_path: Path) -> None:
    found = tmp_path / "found.json"
    options = ("--target", "better", *OF_CLINICS, "--groups", "clinic", "--output", found)
    run("blankets", clinics, *options)
    result = CliRunner().invoke(app, ["taxonomy", str(found), str(clinics)], catch_exceptions=False)
    assert result.exit_code == 0
    assert "note: the search was told '--groups clinic'; classes heed that, but" in result.stderr


def test_the_table_says_what_was_tested_how_often_and_how_sure(asia: Path) -> None:
    message = run("blanket", asia, "--target", "bronc", "--method", "hiton-mb", "--alpha", "0.01")
    assert message.startswith(
        "HITON-MB, alpha=0.01, max_conditioning=3: G-square test, alpha = 0.01, target 'bronc'"
    )
    assert "smoke    parent or child" in message
    assert "rejected" in message
    assert " tests, " in message
    assert "largest p of a member" in message
    assert "Fano" in message


def test_csv_has_one_row_a_feature(asia: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(run("blanket", asia, "--target", "bronc", "--format", "csv"))))
    assert [row["feature"] for row in rows] == [
        "asia", "tub", "smoke", "lung", "either", "xray", "dysp"
    ]  # fmt: skip
    assert isinstance(json.loads(rows[0]["given"]), list)


def test_limits_exit_with_4_and_keep_what_there_is(asia: Path, tmp_path: Path) -> None:
    output = tmp_path / "found.json"
    run(
        "blanket", asia, "--target", "bronc", "--method", "mmmb", "--max-tests", "12", "--correct",
        "--format", "json", "--output", output, code=4,
    )  # fmt: skip
    found = altsel.Solutions.from_json(output.read_text())
    assert (found.stop, "Benjamini" in found.criterion) == (altsel.Stop.LIMIT, True)


@pytest.mark.parametrize("method", RANKINGS.own)
def test_every_ranking_runs(method: str) -> None:
    options = ["-k", "4"] if RANKINGS[method].sized else []
    message = run("rank", IONOSPHERE, "--target", "target", "--method", method, *options)
    assert "rank  feature" in message
    assert "heuristic" in message


def test_capped_scores_stay_below_the_relevance(tmp_path: Path) -> None:
    path = tmp_path / "xor.csv"
    path.write_text("a,b,y\n0,0,0\n0,1,1\n1,0,1\n1,1,0\n")
    options = ["rank", path, "--target", "y", "--method", "cmim", "-k", "2", "--plain", "--format", "json"]
    for more, score in ((["--capped"], 0.0), ([], np.log(2))):
        found = json.loads(run(*options, *more))
        assert found["sets"][0]["path"][1]["score"] == pytest.approx(score, abs=1e-12)
        assert ("capped" in found["search"]) == bool(more)


@pytest.mark.parametrize("measure", [None, "absolute-pearson"])
def test_the_most_relevant_features_are_those_of_select(measure: str | None) -> None:
    options = [IONOSPHERE, "--target", "target", "-k", "5", *(["--measure", measure] if measure else [])]
    ranked = json.loads(run("rank", *options, "--method", "mim", "--format", "json"))
    selected = json.loads(run("select", *options, "--alternatives", "0", "--format", "json"))
    assert ranked["sets"][0]["features"] == selected["sets"][0]["features"]
    assert ranked["sets"][0]["score"] == pytest.approx(selected["sets"][0]["score"])


def test_rankings_as_csv_and_json_agree() -> None:
    arguments = ["rank", IONOSPHERE, "--target", "target", "--method", "jmi", "-k", "3", "--format"]
    table = pd.read_csv(io.StringIO(run(*arguments, "csv")))
    found = altsel.Solutions.from_json(run(*arguments, "json"))
    assert table["feature"].tolist() == [step.feature for step in found[0].path]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["blanket", "--alpha", "2"], "alpha=2.0"),
        (["blanket", "--exclude", "none"], "'none'"),
        (["blanket", "--max-conditioning", "-2"], "--max-conditioning -2"),
        (["blanket", "--test", "g2"], "bins"),
        (["rank", "--method", "mim"], "mim needs -k"),
        (["rank", "--method", "fcbf", "-k", "2"], "its own k"),
        (["rank", "--method", "jmi", "-k", "2", "--capped"], "--capped: for --method cmim"),
        (["rank", "--method", "mim", "-k", "99"], "only 33"),
        (["rank", "-k", "2", "--measure", "relief", "--bins", "5"], "--measure relief excludes --bins"),
        (["rank", "--method", "gomp", "--bins", "5"], "--bins: for --method mim"),
        (["rank", "--method", "gomp", "--plain"], "--plain is of information"),
        (["rank", "--method", "gomp", "-k", "2"], "gomp finds its own k"),
        (["rank", "--method", "jmi", "-k", "2", "--alpha", "0.02"], "--alpha: for --method gomp"),
        (
            ["rank", "-k", "2", "--method", "jmi", "--measure", "relief"],
            "--measure: for --method mim, mifs, mrmr, miq, not for --method jmi",
        ),
        (["rank", "-k", "2", "--plain"], "--plain is of information: give --bins 5"),
    ],
)
def test_wrong_calls_are_one_line(arguments: list[str], message: str) -> None:
    command, *options = arguments
    with pytest.raises(altsel.AltselError, match=message):
        CliRunner().invoke(
            app, [command, str(IONOSPHERE), "--target", "target", *options], catch_exceptions=False
        )


def test_small_p_are_shown_with_their_exponent() -> None:
    assert p_text(-1000.0) == "5.1e-435"
    assert p_text(0.0) == "1"


def test_a_limit_of_conditioning_is_refused_where_there_is_none(asia: Path) -> None:
    """It was ignored."""
    given = ("blanket", asia, "--target", "either", "--max-conditioning", "1")
    result = CliRunner().invoke(app, [str(argument) for argument in (*given, "--method", "iamb")])
    assert "for searches by subsets" in str(result.exception)
    run(*given, "--method", "mmpc")


@pytest.mark.slow
def test_ppfs_and_its_test_go_together(asia: Path) -> None:
    command = ["blanket", asia, "--target", "either", "--format", "json"]
    one = json.loads(run(*command, "--method", "ppfs"))
    other = json.loads(run(*command, "--test", "predictive"))
    assert one["sets"][0]["features"] == other["sets"][0]["features"]
    assert "predictive permutation" in one["criterion"]
    assert other["search"].startswith("PPFS")
    assert "G-square" in json.loads(run(*command, "--method", "ppfs", "--test", "g2"))["criterion"]


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", pytest.param("2", marks=pytest.mark.long)])
def test_options_of_the_predictive_test(jobs: str, asia: Path, tmp_path: Path) -> None:
    command = ["blanket", asia, "--target", "either", "--test", "predictive", "--format", "json"]
    options = ["--estimator", "linear", "--division", "random", "--splits", "8", "--knockoff", "shuffle"]
    with pytest.warns(FutureWarning, match="scheme='random', knockoff='shuffle': the test as printed"):
        found = json.loads(run(*command, *options, "--loss", "zero-one", "--shuffles", "2", "--jobs", jobs))
    assert "(linear or logistic regression, 8 random divisions, shuffled draws)" in found["criterion"]
    saved = tmp_path / "found.json"
    run(*command, "--estimator", "linear", "--folds", "3", "--part", "fold", "--output", saved)
    assert "aggregated over 3 folds" in json.loads(saved.read_text())["search"]
    assert "lung" in run("taxonomy", saved, asia, "--test", "predictive", "--estimator", "linear")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--estimator", "linear"], "'--estimator': for --test predictive, not for --test auto"),
        (["--part", "fold"], "give their number, such as --folds 5"),
        (["--test", "predictive", "--alpha", "0.0005"], "no p of the predictive permutation test"),
    ],
)
def test_options_that_do_not_go_together(asia: Path, arguments: list[str], message: str) -> None:
    result = CliRunner().invoke(app, ["blanket", str(asia), "--target", "either", *arguments])
    assert isinstance(result.exception, altsel.ArgumentError) or result.exit_code == 2
    assert message in f"{result.output} {result.exception}"


@pytest.mark.slow
@pytest.mark.parametrize("estimator", ["tree", "linear", "forest", "boosting"])
def test_every_estimator_takes_categories(tmp_path: Path, estimator: str) -> None:
    random = np.random.default_rng(0)
    size = random.normal(size=80)
    table = pd.DataFrame({"size": size, "colour": random.choice(["red", "green", "blue"], 80), "y": size > 0})
    table.to_csv(tmp_path / "t.csv", index=False)
    options = ["--test", "predictive", "--estimator", estimator, "--splits", "2", "--alpha", "0.05"]
    found = json.loads(run("blanket", tmp_path / "t.csv", "--target", "y", *options, "--format", "json"))
    assert found["sets"][0]["features"] == ["size"]
