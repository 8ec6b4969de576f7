"""``altsel near-optimal``, ``altsel front`` and the most different sets, on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest
from typer.testing import CliRunner

import altsel
from altsel.cli.app import app
from tests.conftest import IONOSPHERE

ASK = [str(IONOSPHERE), "--target", "target", "-k", "3", "--measure", "absolute-pearson"]
pytestmark = pytest.mark.filterwarnings("ignore::altsel.DataWarning")


def call(*arguments: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, list(arguments))
    return done.exit_code, done.stdout, done.stderr


@pytest.mark.slow
def test_near_optimal_sets_come_with_a_certificate() -> None:
    code, out, _ = call("near-optimal", *ASK, "--within", "0.02")
    assert code == 0
    assert "stop: exhausted" in out
    code, out, err = call("near-optimal", *ASK, "--within", "0.5", "--limit", "3", "--format", "csv")
    assert code == 4
    assert "there are more than 3; raise --limit (3)" in err
    assert len(out.splitlines()) == 4
    code, out, _ = call("near-optimal", *ASK, "--within", "0.2", "--tau", "1")
    assert (code, "stop: exhausted" in out) == (0, True)


@pytest.mark.slow
def test_a_front_is_shown_written_and_drawn(tmp_path: Path) -> None:
    code, out, _ = call("front", *ASK, "--plot", str(tmp_path / "front.png"))
    assert (code, "4 points; stop: exhausted" in out) == (0, True)
    assert (tmp_path / "front.png").read_bytes().startswith(b"\x89PNG")
    code, out, _ = call("front", *ASK, "--format", "json")
    points = json.loads(out)["points"]
    assert [round(point["dissimilarity"], 3) for point in points] == [0, 0.333, 0.667, 1]
    assert all(point["proved"] for point in points)
    code, _, _ = call("front", *ASK, "--format", "csv", "--output", str(tmp_path / "front.csv"))
    assert len(pd.read_csv(tmp_path / "front.csv")) == 4


@pytest.mark.slow
def test_rules_that_leave_nothing_exit_with_3(tmp_path: Path) -> None:
    rules = tmp_path / "rules.toml"
    rules.write_text('require = ["a05"]\nforbid = ["a05"]\n')
    for command in ("front", "near-optimal"):
        assert call(command, *ASK, "--rules", str(rules))[0] == 3
    code, _, err = call("select", *ASK, "--rules", str(rules))
    assert code == 3
    assert "cannot hold together:\n- require 'a05'\n- forbid 'a05'\nEach of them" in err


@pytest.mark.slow
def test_the_most_different_sets_are_a_search_of_select() -> None:
    code, out, _ = call("select", *ASK, "--search", "most-different", "--within", "0.3", "--tau", "0")
    assert (code, out.count("optimal")) == (0, 6)
    code, _, err = call("select", *ASK, "--search", "most-different", "--within", "0")
    assert code == 3
    assert "raise --within" in err


@pytest.mark.slow
def test_sets_may_differ_on_average_or_at_a_penalty() -> None:
    code, out, _ = call("select", *ASK, "--average", "--tau", "1", "--alternatives", "1")
    assert (code, out.count("optimal")) == (0, 2)
    code, out, _ = call("select", *ASK, "--penalty", "0.1", "--tau", "1", "--alternatives", "11")
    assert (code, out.count("optimal")) == (0, 12)
    done = CliRunner().invoke(app, ["select", *ASK, "--penalty", "1", "--average"])
    assert "exclude each other" in str(done.exception)
    done = CliRunner().invoke(app, ["select", *ASK, "--average", "--search", "greedy-balancing"])
    assert "needs Dice or Jaccard" in str(done.exception)


def test_a_plot_that_cannot_be_written_is_refused_before_the_work() -> None:
    done = CliRunner().invoke(app, ["front", *ASK, "--plot", "/nowhere/front.png"])
    assert isinstance(done.exception, altsel.ArgumentError)
    assert "--plot /nowhere/front.png" in str(done.exception)


def test_a_front_that_ended_early_says_what_its_last_point_is_not() -> None:
    problem = altsel.Problem(altsel.Univariate([5, 4, 4, 3]), k=2)
    whole = altsel.pareto_front(problem, altsel.Dice(0))
    assert str(whole).endswith("2 points; stop: exhausted")
    cut = altsel.Front(whole.points[:1], altsel.Stop.TIME, whole.measure, whole.quality)
    assert str(cut).endswith("1 point; stop: time; a set more different than the last may be as good")


@pytest.mark.slow
def test_the_least_p_that_permutations_can_give_is_said() -> None:
    _, out, _ = call("select", *ASK, "--alternatives", "1", "--permutations", "19")
    assert "as well; with 19 permutations at least 0.05" in " ".join(out.split())
    _, out, _ = call("select", *ASK, "--permutations", "2", "--alternatives", "1", "--format", "json")
    found = altsel.Solutions.from_json(out)
    assert found.permutations == 2
    assert "with 2 permutations at least 0.333" in found._repr_html_()
