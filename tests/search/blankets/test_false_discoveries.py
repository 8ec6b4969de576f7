"""One warning where a search is expected to select features by chance, and none where it is not."""

from __future__ import annotations

import subprocess
import sys
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import altsel
from altsel import blankets
from altsel.cli.app import app
from altsel.errors import FalseDiscoveryWarning
from altsel.independence import BenjaminiHochberg, Counted, DSeparation, JointTable, PartialCorrelation
from tests.search.blankets.test_learners import EVERY


def table(features: int = 30) -> altsel.Dataset:
    random = np.random.default_rng(0)
    frame = pd.DataFrame(random.normal(size=(60, features))).rename(columns="x{}".format)
    return altsel.Dataset(frame, pd.Series(frame["x0"] + random.normal(size=60), name="y"))


def said(search: Callable[[], object]) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        search()
    assert {one.category for one in caught} <= {FalseDiscoveryWarning}
    return [str(one.message) for one in caught]


@pytest.mark.parametrize("name", EVERY)
def test_every_search_for_one_blanket_warns_once(name: str) -> None:
    (message,) = said(lambda: EVERY[name](PartialCorrelation(table()), 0.05))
    for part in ("alpha=0.05", "30 candidates", "about 1.5", "BenjaminiHochberg(test)", "--correct"):
        assert part in message
    assert "\n" not in message


@pytest.mark.parametrize(
    "search",
    [
        partial(blankets.tmfbs, limits=blankets.Limits(max_states=5)),
        partial(blankets.tie_star, limits=blankets.Limits(max_states=3)),
        partial(blankets.tie_star, learner=blankets.iamb, limits=blankets.Limits(max_states=3)),
    ],
)
def test_searches_for_all_blankets_warn_once(search: Callable[..., object]) -> None:
    assert len(said(lambda: search(PartialCorrelation(table()), 0.05))) == 1


def test_parts_of_the_rows_are_warned_of_once() -> None:
    assert len(said(lambda: blankets.aggregated(table(), PartialCorrelation, learner=blankets.iamb))) == 1


def test_the_line_is_at_one_expected_candidate_of_those_that_are_tested() -> None:
    test = PartialCorrelation(table(20))
    assert not said(lambda: blankets.iamb(test, 0.05))
    assert said(lambda: blankets.iamb(test, 0.051))
    assert not said(lambda: blankets.iamb(test, 0.051, limits=blankets.Limits(exclude=["x5"])))
    assert not said(lambda: blankets.iamb(test, 0.051, limits=blankets.Limits(include=["x0"])))


def test_corrected_tests_and_oracles_are_no_reason() -> None:
    test = PartialCorrelation(table())
    by_hochberg = BenjaminiHochberg(test)
    for corrected in (by_hochberg, Counted(by_hochberg), BenjaminiHochberg(Counted(test))):
        assert not said(partial(blankets.iamb, corrected, 0.05))
    assert said(lambda: blankets.iamb(Counted(test), 0.05))
    graph = nx.DiGraph([("x0", "y"), *((f"x{j}", f"z{j}") for j in range(30))])
    assert not said(lambda: blankets.iamb(DSeparation(graph, "y"), 0.05))
    index = pd.MultiIndex.from_tuples([(0, 0), (1, 1)], names=["a", "y"])
    assert not said(lambda: blankets.iamb(JointTable(pd.Series(0.5, index), "y"), 0.9))


def test_it_points_to_the_call() -> None:
    with pytest.warns(FalseDiscoveryWarning) as caught:
        blankets.iamb(PartialCorrelation(table()), 0.05)
    assert caught[0].filename == __file__


@pytest.mark.slow
def test_the_command_line_notes_it_in_one_line(tmp_path: Path) -> None:
    file = tmp_path / "table.csv"
    data = table()
    data.X.assign(y=data.y).to_csv(file, index=False)
    command = ["blanket", str(file), "--target", "y", "--method", "iamb", "--alpha", "0.05", "--quiet"]
    run = [sys.executable, "-m", "altsel", *command]
    notes = subprocess.run(run, capture_output=True, text=True, check=True).stderr
    assert notes.startswith("note: alpha=0.05 and 30 candidates")
    assert len(notes.splitlines()) == 1
    corrected = CliRunner().invoke(app, [*command, "--correct"])  # a warning would be an error here
    assert (corrected.exit_code, corrected.stderr) == (0, "")


def test_a_test_corrected_for_few_rows_is_not_corrected_for_candidates() -> None:
    random = np.random.default_rng(0)
    levels = altsel.Dataset(
        pd.DataFrame(random.integers(0, 2, (60, 60))).add_prefix("x"), random.integers(0, 2, 60)
    )
    for test in (altsel.independence.GSquare(levels), Counted(altsel.independence.GSquare(levels))):
        (message,) = said(partial(blankets.iamb, test, 0.05))
        assert "60 candidates" in message
