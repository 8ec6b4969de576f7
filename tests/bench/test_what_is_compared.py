"""What benchmarks take: models in files, rules, criteria of one's own, tags; and names of cases."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from typer.testing import CliRunner

import altsel
from altsel.bench import BenchSearch, Grid, bench, named_rules
from altsel.cli.app import app
from altsel.exact.solver_text import options_of
from altsel.solvers import tagged
from altsel.solvers.read_models import read_model
from tests.conftest import IONOSPHERE

ASK: dict[str, Any] = {"alternatives": (0,), "k": ("2",), "measures": ("absolute-pearson",)}
OWN = """
from altsel import Univariate


def doubled(dependence):
    return Univariate(2 * dependence.relevance)


def wrong(dependence):
    return 3
"""


@pytest.mark.slow
def test_models_are_solved_as_they_are(tmp_path: Path) -> None:
    problem = altsel.Problem(altsel.Univariate({"a": 5.0, "b": 4.0, "c": 3.0}), k=2)
    lp, mps = (altsel.export(problem, tmp_path / f"small.{end}") for end in ("lp", "mps"))
    packed = tmp_path / "packed.mps.gz"
    packed.write_bytes(gzip.compress(mps.read_bytes()))
    infeasible = tmp_path / "none.lp"
    infeasible.write_text("max\nobj: x\nst\nc: x >= 2\nbinary\nx\nend\n")
    (broken := tmp_path / "broken.mps").write_text("ROWS\n nonsense\n")
    of_pyomo = [one.name for one in altsel.profiles() if one.version and one.profile.solver][:1]
    solvers = ("auto", "cp-sat", *of_pyomo)
    grid = Grid([lp, mps, packed, infeasible, broken], solvers=solvers)
    found: Any = bench(grid, tmp_path / "out").set_index(["data", "solver"])
    for file, value in (("small.lp", 9.0), ("small.mps", -9.0), ("packed.mps.gz", -9.0)):
        assert found.loc[file, "objective_value"].tolist() == [value] * len(solvers)
        assert set(found.loc[file, "status"][:2]) == {"proved"}
        assert set(found.loc[file, "name"]) == {file.split(".")[0]}
        assert set(found.loc[file, "features"]) == {3}
    assert set(found.loc["none.lp", "status"]) == {"infeasible"}
    assert set(found.loc["broken.mps", "status"]) == {"error"}
    assert "cannot be read as a model" in str(found.loc[("broken.mps", "auto"), "message"])


def test_what_is_no_linear_model_is_refused(tmp_path: Path) -> None:
    (file := tmp_path / "square.lp").write_text("min\nobj: [ x^2 ] / 2\nst\nc: x >= 1\nend\n")
    with pytest.raises(altsel.DataError, match="quadratic objective"):
        read_model(file)
    (file := tmp_path / "no.mps.gz").write_text("no gzip")
    with pytest.raises(altsel.DataError, match="no whole gzip file"):
        read_model(file)
    (file := tmp_path / "semi.lp").write_text("min\nobj: x\nst\nc: x >= 1\nbounds\nx <= 3\nsemi\nx\nend\n")
    with pytest.raises(altsel.DataError, match="semi-continuous"):
        read_model(file)


def test_rules_and_criteria_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bench_own.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    rules = named_rules("none.toml", {"forbid": ["a05"]})
    criteria = ("univariate", "bench_own:doubled", "bench_own:wrong")
    found = bench(
        Grid([IONOSPHERE], "target", objectives=criteria, rules=(None, rules), **ASK), tmp_path / "out"
    )
    plain, twice, wrong = (found[found["objective"] == one] for one in criteria)
    values = plain["objective_value"].tolist()
    assert values[0] > values[1] > 0
    assert plain["rules"].tolist() == ["", "none.toml"]
    name = "ionosphere-univariate-absolute-pearson-k2"
    assert plain["name"].tolist() == [name, f"{name}-none"]
    assert wrong["status"].tolist() == ["error", "error"]
    assert "gives a int, which is no altsel.models.Objective" in wrong["message"].iloc[0]
    assert (twice["objective_value"] / plain["objective_value"].to_numpy()).tolist() == pytest.approx([2, 2])
    with pytest.raises(altsel.ConfigurationError, match="no_such"):
        Grid([IONOSPHERE], "target", objectives=("no_such:thing",))
    with pytest.raises(altsel.ConfigurationError, match="forbidden"):
        named_rules("wrong.toml", {"forbidden": ["a05"]})


def test_rules_of_prices_take_tables_of_other_features(tmp_path: Path) -> None:
    plain = {"budget": [{"limit": 3, "cost": {"a": 2, "b": 2, "c": 1, "z": 9}, "other": 0}]}
    table = pd.DataFrame({"a": [0, 0, 1, 1], "b": [0, 1, 1, 1], "c": [0, 1, 0, 1], "y": [0, 0, 1, 1]})
    table.to_csv(file := tmp_path / "table.csv", index=False)
    for optional, status in ((("z",), "proved"), ((), "error")):
        rules = named_rules("prices.toml", plain, optional)
        grid = Grid([file], "y", rules=(rules,), **ASK)
        assert bench(grid, tmp_path / "out")["status"].tolist() == [status]


def test_a_solver_that_is_not_installed_is_a_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    profiles = '[profiles.none]\nengine = "pyomo"\nsolver = "no_such_solver"\ntags = ["mine"]\n'
    profiles += '[profiles.highs]\nengine = "highs"\ntags = ["mine", "open"]\n'
    (file := tmp_path / "solvers.toml").write_text(profiles)
    monkeypatch.setenv("ALTSEL_SOLVERS", str(file))
    assert tagged("mine") == ["none", "highs"]
    with pytest.raises(altsel.ConfigurationError, match="has the tag 'yours'; there are 'mine', 'open'"):
        tagged("yours")
    small = altsel.export(altsel.Problem(altsel.Univariate([2.0, 1.0]), k=1), tmp_path / "small.lp")
    runs = bench(Grid([small], solvers=("none", "highs:presolve=off")), tmp_path / "out")
    assert runs["solver"].tolist() == ["none", "highs:presolve=off"]
    assert runs["status"].tolist() == ["error", "proved"]
    assert "'none' is not installed" in runs["message"][0]


@pytest.mark.slow
def test_the_command_takes_tags_and_writes_tables_for_papers(tmp_path: Path) -> None:
    small = altsel.export(altsel.Problem(altsel.Univariate([2.0, 1.0]), k=1), tmp_path / "small.lp")
    ask = ["bench", str(small), "--tag", "cp", "--solver", "highs", "--option", "highs.presolve=off"]
    done = CliRunner().invoke(app, [*ask, "--output", str(tmp_path)])
    assert done.exit_code == 0, done.output
    runs = pd.read_csv(tmp_path / "runs.csv")
    assert runs["solver"].tolist() == ["highs:presolve=off", "cp-sat"]
    assert (tmp_path / "comparison.tex").read_text().count(r"\\") == 4


def test_options_belong_to_their_solver() -> None:
    options = ["highs.presolve=off", "mip.tolerances=0.1", "seed=1"]
    assert options_of("highs:threads=2", options, {"highs"}) == [
        "presolve=off",
        "mip.tolerances=0.1",
        "seed=1",
    ]
    assert options_of("cbc", options, {"highs", "cbc"}) == ["mip.tolerances=0.1", "seed=1"]


def test_tables_need_a_target_and_keys_of_earlier_editions_stay(tmp_path: Path) -> None:
    with pytest.raises(altsel.ArgumentError, match="name the column of the target"):
        Grid([IONOSPHERE])
    [case] = Grid([IONOSPHERE], "target", searches=(BenchSearch.SUM,), alternatives=(2,)).cases()
    assert case.name == "ionosphere-univariate-k5-sum3-t50"
    [ruled] = Grid([IONOSPHERE], "target", rules=(named_rules("r", {"forbid": ["a05"]}),)).cases()
    assert ruled.key != case.key
