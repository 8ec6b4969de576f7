"""Tests of times, clusters and one's own, by name: command, selector and Python find the same."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import altsel
from altsel import blankets, independence
from altsel.sklearn import MarkovBlanketSelector
from tests.cli.test_cli import Run, run

__all__ = ["run"]


OWN = """
import numpy as np


def adjusted(x, y, given, kinds):
    from scipy.stats import spearmanr
    left = [v - given @ np.linalg.lstsq(given, v, rcond=None)[0] if given.size else v for v in (x, y)]
    return float(spearmanr(*left).pvalue)
"""


def clinic() -> pd.DataFrame:
    """Patients of a hundred wards: two numbers, two categories, and the time to an event or its censoring."""
    random = np.random.default_rng(1)
    rows = 600
    table = pd.DataFrame({"age": random.normal(0, 10, rows), "crp": random.normal(size=rows)})
    table["stage"] = random.choice(["I", "II", "III"], rows)
    table["site"] = random.choice(["north", "south", "west"], rows)
    table["ward"] = np.arange(rows) // 6
    frailty = 0.4 * random.normal(size=100)[table["ward"]]
    risk = np.exp(0.06 * table["age"] + 1.1 * (table["stage"] == "III") + frailty)
    time, censored = random.exponential(1 / risk), random.exponential(2.0, rows)
    table["died"] = (time <= censored).astype(int)
    table["months"] = np.minimum(time, censored)
    return table


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own_tests_of_the_clinic.py").write_text(OWN)
    clinic().to_csv(tmp_path / "clinic.csv", index=False)
    return tmp_path / "clinic.csv"


def same(
    run: Run, file: Path, options: list[str], test: Any, selector: MarkovBlanketSelector, **rows: Any
) -> Any:
    """Search by the command line, a selector and Python; return what all three found."""
    done = run("blanket", file.name, "--target", "months", "--method", "iamb", "--format", "json", *options)
    assert done.returncode == 0, done.stderr
    table = pd.read_csv(file)
    by_command = altsel.Solutions.from_json(done.stdout)[0].features
    by_python = blankets.iamb(test(altsel.Dataset(table, "months")), 0.01)[0].features
    fitted = selector.fit(table.drop(columns="months"), table["months"], **rows)
    assert by_command == by_python == fitted.solutions_[0].features
    return by_command


def by_iamb(test: Any, **more: Any) -> MarkovBlanketSelector:
    return MarkovBlanketSelector("iamb", test=test, task="regression", **more)


@pytest.mark.slow
def test_survival_with_clusters(run: Run, file: Path) -> None:
    options = ["--event", "died", "--groups", "ward"]
    table = pd.read_csv(file)
    found = same(
        run,
        file,
        options,
        lambda data: independence.auto(data, event="died", groups="ward"),
        by_iamb(partial(independence.CoxScore, event="died", groups="ward")),
    )
    assert set(found) == {"age", "stage"}
    by_arrays = by_iamb("cox", event="died")
    by_arrays.fit(table.drop(columns=["months", "ward"]), table["months"], groups=table["ward"])
    assert by_arrays.solutions_[0].features == found


@pytest.mark.slow
def test_survival_and_the_learner_of_times(run: Run, file: Path) -> None:
    same(
        run,
        file,
        ["--event", "died", "--test", "cox"],
        partial(independence.CoxRatio, event="died"),
        by_iamb("cox", event="died"),
    )
    done = run("blanket", file.name, "--target", "months", "--event", "died")
    assert (done.returncode, "IAMB" in done.stdout) == (0, True), done.stderr
    done = run("blanket", file.name, "--target", "months", "--event", "died", "--test", "g2")
    assert done.returncode == 2
    assert (
        "--event: the test g2 takes no event; use --test with one of 'auto', 'cox', 'predictive'"
        in done.stderr
    )


@pytest.mark.slow
def test_robust_errors_and_a_test_of_ones_own(run: Run, file: Path) -> None:
    same(
        run,
        file,
        ["--test", "robust-score"],
        lambda data: independence.RobustScore(data, np.arange(600)),
        by_iamb("robust-score"),
    )
    scope: dict[str, Any] = {}
    exec(OWN, scope)
    adjusted = scope["adjusted"]
    found = same(
        run,
        file,
        ["--test", "own_tests_of_the_clinic:adjusted"],
        partial(independence.Custom, function=adjusted),
        by_iamb(adjusted),
    )
    assert "age" in found
    done = run("blanket", file.name, "--target", "months", "--test", "own_tests_of_the_clinic:other")
    assert done.returncode == 2
    assert "'own_tests_of_the_clinic:other', your own, fails: AttributeError" in done.stderr


@pytest.mark.slow
def test_any_learner_of_the_predictive_test(run: Run, file: Path) -> None:
    predictive = ["blanket", file.name, "--target", "stage", "--test", "predictive"]
    predictive += ["--drop", "site", "--drop", "ward", "--estimator"]
    done = run(*predictive, "sklearn.naive_bayes:GaussianNB")
    assert done.returncode == 0, done.stderr
    assert "GaussianNB" in done.stdout
    done = run(*predictive, "bayes")
    assert (done.returncode, "'bayes' is not one of" in done.stderr) == (2, True)


def test_an_extra_that_is_missing(run: Run, file: Path) -> None:
    try:
        import causallearn  # noqa: F401, PLC0415
    except ImportError:
        done = run("blanket", file.name, "--target", "months", "--test", "kernel")
        assert (done.returncode, 'pip install "altsel[kernel]"' in done.stderr) == (2, True)
