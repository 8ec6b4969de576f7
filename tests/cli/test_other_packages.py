"""The command line takes what other packages add, by name, and stays whole if that is broken."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import altsel
from altsel.bench.grid import Grid
from altsel.bench.question import problem_of, search
from altsel.catalogue import MEASURES, OBJECTIVES, Entry
from altsel.catalogue.measures import MeasureEntry
from altsel.cli.entry_names import EntryName
from altsel.errors import PluginWarning
from altsel.models import Objective
from altsel.sklearn import AlternativeFeatureSelector, MarkovBlanketSelector
from tests.cli.test_cli import Run, run
from tests.other_packages import Install, install

__all__ = ["install", "run"]
JSON = ["--format", "json"]
KINDS = {
    "altsel.objectives": {"shifted": "toys:Shifted"},
    "altsel.measures": {"product": "toys:product"},
    "altsel.independence": {"pearson": "toys:Pearson"},
    "altsel.blankets": {"copied": "toys:copied"},
    "altsel.rankings": {"linear": "toys:linear"},
    "altsel.dissimilarities": {"exact-dice": "toys:ExactDice"},
    "altsel.solvers": {"scipy": "toys:Scipy"},
}
TOYS = '''import numpy as np
import scipy.optimize

from altsel import Dice, Univariate, blankets, independence, measures, ranking
from altsel.results import Stop
from altsel.solvers.engine import Ability, Answer


class Shifted(Univariate):
    """Relevances and ten for each feature."""

    def __init__(self, dependence):
        super().__init__(dependence.relevance + 10)
        object.__setattr__(self, "name", "shifted")
        object.__setattr__(self, "target", dependence.target)

    default_measure = staticmethod(lambda a, b: abs(float(np.corrcoef(a, b)[0, 1])))


def product(a, b):
    return abs(float(((a - a.mean()) * (b - b.mean())).mean() / a.std()))


def Pearson(data):
    return independence.PartialCorrelation(data)


def copied(test, alpha=0.05, *, limits=None):
    return blankets.iamb(test, alpha, limits=limits)


def linear(data, k):
    return ranking.mrmr(data, k, measure=measures.absolute_pearson)


def ExactDice(tau):
    return Dice(tau)


class Scipy:
    package = "scipy"
    abilities = frozenset({Ability.BOUND})

    def version(self):
        return "1"

    def solve(self, rows, limits):
        kept = scipy.optimize.LinearConstraint(rows.matrix, rows.low, rows.high)
        found = scipy.optimize.milp(
            rows.cost,
            integrality=rows.integer.astype(int),
            bounds=scipy.optimize.Bounds(rows.lower, rows.upper),
            constraints=kept if rows.matrix.shape[0] else (),
        )
        if found.status == 2:
            return Answer(Stop.INFEASIBLE, None)
        return Answer(Stop.EXHAUSTED, found.x, found.mip_dual_bound)
'''
"""A toy of each kind."""


@pytest.fixture
def data(tmp_path: Path) -> str:
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.normal(size=(60, 5)), columns=list("abcde")).round(3)
    table["y"] = (table["a"] + table["b"] + 0.3 * rng.normal(size=60)).round(3)
    path = tmp_path / "table.csv"
    table.to_csv(path, index=False)
    return str(path)


def sets_of(text: str) -> list[list[str]]:
    return [one["features"] for one in json.loads(text)["sets"]]


@pytest.mark.slow
def test_select_takes_a_criterion_a_measure_a_dissimilarity_and_a_solver(
    run: Run, install: Install, data: str, tmp_path: Path
) -> None:
    install("toys", KINDS, TOYS)
    ask = ["select", data, "--target", "y", "-k", "2", "--tau", "0.5", "--alternatives", "2"]
    usual = run(*ask, "--measure", "absolute-pearson", *JSON)
    file = tmp_path / "found.json"
    mine = ["--objective", "shifted", "--measure", "product", "--dissimilarity", "exact-dice"]
    done = run(*ask, *mine, "--solver", "scipy", "--output", str(file))
    assert done.returncode == 0, done.stderr
    assert sets_of(file.read_text("utf-8"))[0] == sets_of(usual.stdout)[0]
    assert json.loads(file.read_text("utf-8"))["criterion"] == "shifted"
    assert run("audit", str(file), data).returncode == 0
    file.write_text(file.read_text("utf-8").replace('"objective": "shifted"', '"objective": "gone"'), "utf-8")
    unknown = "the objective 'gone' of the search in the file is not known here; install the package"
    assert unknown in run("audit", str(file), data).stderr
    assert run(*ask, *mine[:2]).returncode == 0  # by the measure that it is defined with


def test_blanket_takes_a_test_and_a_learner(run: Run, install: Install, data: str) -> None:
    install("toys", KINDS, TOYS)
    mine = run("blanket", data, "--target", "y", "--test", "pearson", "--method", "copied", *JSON)
    assert mine.returncode == 0, mine.stderr
    usual = ["blanket", data, "--target", "y", "--test", "partial-correlation", "--method", "iamb"]
    assert sets_of(mine.stdout) == sets_of(run(*usual, *JSON).stdout) == [["a", "b"]]


@pytest.mark.slow
def test_rank_takes_a_ranking(run: Run, install: Install, data: str) -> None:
    install("toys", KINDS, TOYS)
    mine = run("rank", data, "--target", "y", "--method", "linear", "-k", "2", *JSON)
    usual = ["rank", data, "--target", "y", "-k", "2", "--measure", "absolute-pearson"]
    assert sets_of(mine.stdout) == sets_of(run(*usual, *JSON).stdout) == [["a", "b"]]
    refused = run("rank", data, "--target", "y", "--method", "linear", "-k", "2", "--beta", "2")
    assert "--beta: for --method mifs, not for --method linear" in refused.stderr
    every = ["blankets", data, "--target", "y", "--test", "pearson", "--method", "tie-star"]
    assert run(*every, "--learner", "copied").returncode == 0
    weighted = run("blanket", data, "--target", "y", "--test", "pearson", "--weights", "a")
    assert "the test pearson takes no weights" in weighted.stderr


@pytest.mark.slow
def test_selectors_take_them(install: Install, data: str) -> None:
    install("toys", KINDS, TOYS)
    table = pd.read_csv(data)
    X, y = table.drop(columns="y"), table["y"]
    chosen = AlternativeFeatureSelector("shifted", k=2, relevance="product", distance="exact-dice").fit(X, y)
    assert chosen.get_feature_names_out().tolist() == ["a", "b"]
    blanket = MarkovBlanketSelector("copied", test="pearson").fit(X, y)
    assert blanket.get_feature_names_out().tolist() == ["a", "b"]
    with pytest.raises(altsel.ArgumentError, match=r"criterion='shifte'; use .*'shifted'.*did you mean"):
        AlternativeFeatureSelector("shifte", k=2).fit(X, y)


def test_a_benchmark_takes_them(install: Install, data: str) -> None:
    install("toys", KINDS, TOYS)
    grid = Grid([Path(data)], "y", objectives=["shifted", "univariate"], k=["2"], dissimilarity="exact-dice")
    mine, usual = grid.cases()
    assert (mine.measure, usual.measure) == ("default", "association")
    found, known = (search(case, problem_of(case), "auto") for case in (mine, usual))
    assert found[0].features == known[0].features == ("a", "b")


@pytest.mark.slow
def test_names_are_listed_in_help_errors_and_completion(run: Run, install: Install, data: str) -> None:
    install("toys", KINDS, TOYS)
    assert "ordinal-fit-ebic, shifted." in " ".join(run("select", "--help").stdout.replace("│", " ").split())
    wrong = run("select", data, "--target", "y", "--objective", "shift")
    assert wrong.returncode == 2
    assert "did you mean 'shifted'?" in " ".join(wrong.stderr.replace("│", " ").split())
    assert EntryName(OBJECTIVES).complete("s") == ["shifted"]
    assert "scipy" in run("solvers").stdout


@pytest.mark.slow
def test_what_is_broken_is_one_error_and_only_where_it_is_used(run: Run, install: Install, data: str) -> None:
    groups = {group: {"mine": "bad:Mine", "none": "bad:none"} for group in KINDS}
    install("bad", groups, "none = 5\nraise RuntimeError('two\\nlines')")
    select, blanket = ["select", data, "--target", "y", "-k", "2"], ["blanket", data, "--target", "y"]
    assert run(*select).returncode == run(*blanket).returncode == run("solvers").returncode == 0
    for command, option in (
        *((select, option) for option in ("objective", "measure", "dissimilarity", "solver")),
        *((blanket, option) for option in ("test", "method")),
    ):
        tau = ["--tau", "0.5"] if option == "dissimilarity" else []
        done = run(*command, *tau, f"--{option}", "mine")
        assert done.returncode == 2
        assert "'mine' of package bad 1.0 fails: RuntimeError: two lines" in done.stderr
        assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_what_is_none_of_its_kind_is_refused(run: Run, install: Install, data: str) -> None:
    text = "number = 5\ndef nothing(*given): return 5\ndef fails(*given): raise KeyError('x')"
    install("odd", {group: {"number": "odd:number", "odd": "odd:nothing"} for group in KINDS}, text)
    select, blanket = ["select", data, "--target", "y", "-k", "2"], ["blanket", data, "--target", "y"]
    for command, option, why in (
        (select, "objective", "gives a int, which is no altsel.models.Objective"),
        (
            [*select, "--tau", "0.5"],
            "dissimilarity",
            "gives a int, which is no altsel.models.Dissimilarity",
        ),
        (select, "solver", "is no engine: it has no 'package', 'abilities', 'version', 'solve'"),
        (blanket, "test", "gives a int, which is no altsel.independence.Independence"),
    ):
        done = run(*command, f"--{option}", "odd")
        assert done.returncode == 2, option
        assert f"'odd' of package odd 1.0: {why}" in done.stderr
    assert "neither a measure nor a function" in run(*select, "--measure", "number").stderr
    assert "is no function of a test" in run(*blanket, "--method", "number").stderr
    assert "TypeError" in run(*select, "--tau", "0.5", "--dissimilarity", "number").stderr


def test_a_function_that_fails_names_its_package(run: Run, install: Install, data: str) -> None:
    install("odd", {"altsel.measures": {"fails": "odd:fails"}}, "def fails(a, b): raise KeyError('x')")
    done = run("select", data, "--target", "y", "-k", "2", "--measure", "fails")
    assert (done.returncode, done.stdout) == (2, "")
    assert "'fails' of package odd 1.0 fails: KeyError: 'x'" in done.stderr


def test_a_name_of_altsels_own_is_noted_in_help(run: Run, install: Install) -> None:
    install("bad", {"altsel.objectives": {"mrmr": "bad:Mine"}}, "raise RuntimeError")
    done = run("select", "--help")
    assert done.returncode == 0
    assert "package bad 1.0 adds the objective 'mrmr'" in " ".join(done.stderr.split())
    with pytest.warns(PluginWarning, match="'mrmr'"):
        assert "mrmr" in list(OBJECTIVES)


@pytest.mark.slow
def test_a_new_entry_is_all_that_the_command_line_needs(
    run: Run, monkeypatch: pytest.MonkeyPatch, data: str
) -> None:
    """The checklists of an objective and of a measure: a class, a function and an entry each."""

    class Doubled(altsel.Univariate):
        """Twice the relevance."""

        default_measure = altsel.measures.absolute_pearson

        def __init__(self, dependence: Any) -> None:
            super().__init__(dependence.relevance * 2)

    def largest_product(a: Any, b: Any) -> float:
        return float(np.abs(a * b).max())

    assert issubclass(Doubled, Objective)
    monkeypatch.setitem(OBJECTIVES.own, "doubled", Entry("doubled", Doubled))
    monkeypatch.setitem(MEASURES.own, "largest", MeasureEntry("largest", largest_product))
    for more in ([], ["--measure", "largest"], ["--measure", "largest", "--normalize"]):
        done = run("select", data, "--target", "y", "-k", "2", "--objective", "doubled", *more)
        assert (done.returncode, done.stdout.count("optimal")) == (0, 1), done.stderr
    shown = " ".join(run("select", "--help").stdout.replace("│", " ").split())
    assert "ordinal-fit-ebic, doubled." in shown
    assert "relief-plain, largest." in shown
