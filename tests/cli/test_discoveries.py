"""``altsel discoveries``: what the library finds, rules, a claim; ``altsel stability --select``."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import altsel
from altsel.cli.app import app
from altsel.results import Discoveries


def call(*arguments: object) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, list(map(str, arguments)))
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.exit_code, done.stdout, done.stderr


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    random = np.random.default_rng(0)
    values = pd.DataFrame(random.normal(size=(200, 24)), columns=[f"x{j}" for j in range(24)])
    values["y"] = values.iloc[:, :12].sum(axis=1) + random.normal(size=200)
    values.round(6).to_csv(file := tmp_path_factory.mktemp("discoveries") / "table.csv", index=False)
    return file


@pytest.mark.slow
def test_it_finds_what_the_library_finds(table: Path, tmp_path: Path) -> None:
    ask = ("discoveries", table, "--target", "y", "--fdr", 0.2, "--draws", 4)
    found = altsel.discoveries(altsel.Dataset(table, "y"), 0.2, draws=4)
    assert len(found.selected) >= 12
    code, out, _ = call(*ask)
    assert (code, out) == (0, f"{found}\n")
    code, out, _ = call(*ask, "--format", "json")
    assert Discoveries.from_json(out) == found
    assert call(*ask, "--output", tmp_path / "found.csv", "--quiet")[0] == 0
    assert pd.read_csv(tmp_path / "found.csv")["q"].to_numpy() == pytest.approx(found.features["q"])
    measured = call(*ask, "--measure", "absolute-pearson", "--knockoffs", "sequential", "--format", "json")
    assert json.loads(measured[1])["statistic"] == "absolute Pearson correlation"


@pytest.mark.slow
def test_sets_are_searched_among_them_and_claimed(table: Path, tmp_path: Path) -> None:
    rules, sets = tmp_path / "among.toml", tmp_path / "sets.json"
    ask = (
        "discoveries",
        table,
        "--target",
        "y",
        "--fdr",
        0.2,
        "--draws",
        4,
        "--store",
        tmp_path / "d.sqlite",
    )
    code, _, err = call(*ask, "--write", rules)
    assert code == 0
    assert f"--rules {rules}" in err
    found = altsel.discoveries(altsel.Dataset(table, "y"), 0.2, draws=4)
    searched = ("--target", "y", "-k", 6, "--alternatives", 1, "--tau", 0.5, "--objective", "univariate")
    assert call("select", table, *searched, "--rules", rules, "--output", sets, "--quiet")[0] == 0
    solutions = altsel.Solutions.from_json(sets.read_text())
    assert not {name for one in solutions for name in one.features} & set(found.undiscovered)
    code, out, _ = call(*ask, "--claim", sets)
    assert out.endswith(f"\n{found.claim(solutions)}\n")
    code, out, err = call(*ask, "--claim", sets, "--format", "json")
    assert Discoveries.from_json(out) == found
    assert str(found.claim(solutions)) in err


def test_what_cannot_be_found_is_refused(table: Path) -> None:
    with pytest.raises(altsel.ArgumentError, match="no feature is selected, or at least 50"):
        call("discoveries", table, "--target", "y", "--fdr", 0.02)


@pytest.mark.slow
def test_stable_features_are_selected(table: Path, tmp_path: Path) -> None:
    found = tmp_path / "found.json"
    call("select", table, "--target", "y", "-k", 4, "--objective", "univariate", "--output", found, "--quiet")
    ask = ("stability", found, table, "--resamples", 6, "--quiet")
    pairs = ("--scheme", "complementary-pairs", "--select", 2)
    code, out, _ = call(*ask, *pairs, "--format", "json")
    selection = altsel.results.StableSelection.from_json(out)
    assert (code, selection.pairs, selection.size) == (0, 3, 4)
    assert call(*ask, *pairs)[1] == f"{selection}\n"
    with pytest.raises(altsel.ArgumentError, match="--scheme complementary-pairs"):
        call(*ask, "--select", 2)
    with pytest.raises(altsel.ArgumentError, match="leave one out"):
        call(*ask, *pairs, "--removals")
