"""Every name of the command line stands for something that works."""

from __future__ import annotations

import re
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import Any, get_args, get_type_hints

import numpy as np
import pandas as pd
import pytest
from typer.models import OptionInfo
from typer.testing import CliRunner

import altsel
from altsel import catalogue
from altsel.catalogue import DISSIMILARITIES, MEASURES, OBJECTIVES
from altsel.cli.app import COMMANDS, app
from altsel.cli.panels import PLACES
from altsel.solvers.highs import Highs
from altsel.stats.corrections import FamilyWise
from tests.conftest import IONOSPHERE, ROOT

ASK = [str(IONOSPHERE), "--target", "target", "-k", "2"]


OF_CLASSES = [
    pytest.param(name, marks=pytest.mark.long if name.count("-fit-") or name == "multinomial-fit" else ())
    for name in OBJECTIVES.own
    if name.split("-")[0] not in {"poisson", "cox"}
    and name.count("-fit-") <= name.startswith(("logistic", "linear"))
]
"""Objectives for a target of classes; of fits of several families those with a penalty once."""


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::altsel.DataWarning")
@pytest.mark.parametrize("name", OF_CLASSES)
def test_every_criterion_selects_and_is_exported(name: str, tmp_path: Path) -> None:
    few = pd.read_csv(IONOSPHERE).loc[:150, [*(f"a{j:02}" for j in range(3, 15)), "target"]]
    few.to_csv(table := tmp_path / "table.csv", index=False)
    ask = [str(table), "--target", "target", "-k", "2"]
    measure = [] if catalogue.of_data(name) else ["--measure", "absolute-pearson"]
    chosen = ["--objective", name, *measure]
    done = CliRunner().invoke(app, ["select", *ask, *chosen, "--alternatives", "1", "--tau", "1"])
    assert done.exit_code == 0
    assert done.stdout.count("optimal") == 2
    file = tmp_path / "model.lp"
    done = CliRunner().invoke(app, ["export", *ask, *chosen, "--output", str(file)])
    assert done.exit_code == 0
    assert "set1_x_a05" in file.read_text()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "options"),
    [("poisson-fit", ["--offset", "exposure"]), ("cox-fit-bic", ["--event", "seen"]), ("ordinal-fit", [])],
)
def test_counts_times_and_levels_are_fitted(name: str, options: list[str], tmp_path: Path) -> None:
    random = np.random.default_rng(3)
    table = pd.DataFrame(random.normal(size=(80, 3)).round(3), columns=["a", "b", "c"])
    table["exposure"], table["seen"] = random.normal(size=80).round(2), random.integers(0, 2, 80)
    table["y"] = random.poisson(np.exp(table["a"] + table["exposure"]))
    table.to_csv(file := tmp_path / "table.csv", index=False)
    task = [] if name == "ordinal-fit" else ["--task", "regression"]
    ask = ["select", str(file), "--target", "y", "-k", "1", "--objective", name, *options, *task]
    found = tmp_path / "found.json"
    done = CliRunner().invoke(app, [*ask, "--ridge", "0.5", "--expand", "spline", "--output", str(found)])
    assert done.exit_code == 0, done.output
    assert '"optimal"' in found.read_text()
    done = CliRunner().invoke(app, ["audit", str(found), str(file)])
    assert done.exit_code == 0, done.output
    if options:
        done = CliRunner().invoke(app, ["performance", str(found), str(file), "--cv", "2"])
        assert done.exit_code == 0, done.output
        assert f"share of the deviance explained, {name[:3].title()}" in done.stdout
        assert f"(ridge 0.5; {options[0][2:]} {options[1]}; splines), 2 folds" in done.stdout
        assert "do without" not in done.stderr
        done = CliRunner().invoke(
            app, ["performance", str(found), str(file), "--cv", "2", "--estimator", "linear"]
        )
        assert f"told '{options[0]}', which the models that judge do without" in " ".join(done.stderr.split())
    refused = CliRunner().invoke(app, [*ask, "--ridge", "0"])
    assert refused.exit_code == 1
    assert "use a number above 0" in str(refused.exception)


@pytest.mark.filterwarnings("ignore::altsel.DataWarning")
@pytest.mark.slow
def test_linear_fits_take_a_ridge_and_no_measure(tmp_path: Path) -> None:
    file = tmp_path / "found.json"
    ridge = ["--objective", "linear-fit", "--ridge", "0.1", "--output", str(file)]
    assert CliRunner().invoke(app, ["select", *ASK, *ridge]).exit_code == 0
    done = CliRunner().invoke(app, ["performance", str(file), str(IONOSPHERE), "--nested", "--cv", "2"])
    assert done.exit_code == 0, done.output
    for wrong, why in (
        (["--objective", "mrmr", "--ridge", "0.1"], "'--ridge': mrmr fits no models"),
        (["--objective", "cfs", "--weights", "a03", "--given", "a05"], "cfs fits no models"),
        (["--objective", "linear-fit-bic", "--search", "most-different"], "use AbsoluteLoss(2), in its unit"),
        (["--search", "most-different", "--within", "0.1", "--within-absolute", "2"], "exclude each other"),
        (["--objective", "linear-fit", "--given", "age"], "no feature 'age'"),
        (["--objective", "linear-fit", "--weights", "a04"], "'a04' must hold finite numbers of at least 0"),
        (["--objective", "linear-fit", "--measure", "relief"], "leave it out"),
        (["--objective", "linear-fit", "--measure", "absolute-pearson"], "leave it out"),
        (["--within", "0.01"], "--within bounds what --search most-different may lose"),
        (["--within-absolute", "0.01", "--search", "simultaneous"], "altsel near-optimal"),
        (["--objective", "linear-fit", "--normalize"], "--normalize"),
        (["--objective", "linear-fit-bic", "--ridge", "0.1"], "ridge"),
    ):
        done = CliRunner().invoke(app, ["select", *ASK, *wrong])
        assert isinstance(done.exception, altsel.ArgumentError)
        assert why in str(done.exception)


@pytest.mark.filterwarnings("ignore::altsel.DataWarning")
def test_linear_fits_take_weights_and_columns_that_are_always_in(tmp_path: Path) -> None:
    table = pd.read_csv(IONOSPHERE)[["a03", "a04", "a05", "a06", "a07", "a08", "target"]]
    data, file = tmp_path / "rows.csv", tmp_path / "found.json"
    table.assign(share=np.arange(len(table)) % 3).to_csv(data, index=False)
    ask = [str(data), "--target", "target", "-k", "2", "--objective", "linear-fit", "--tau", "0.5"]
    ask += ["--weights", "share", "--given", "a03", "--given", "a05", "--alternatives", "1"]
    done = CliRunner().invoke(app, ["select", *ask, "--output", str(file)])
    assert done.exit_code == 0, done.output
    rows = altsel.Dataset(table.drop(columns="target"), table["target"])
    quality = altsel.LinearFit(rows, weights=np.arange(len(table)) % 3, given=["a03", "a05"])
    found = altsel.sequential(altsel.Problem(quality, 2), altsel.Dice(0.5), 1)
    again = altsel.Solutions.from_json(file.read_text())
    assert [one.features for one in again] == [one.features for one in found]
    assert [one.score for one in again] == pytest.approx([one.score for one in found], abs=1e-12)
    assert "weighted by share; given a03, a05" in again.criterion
    done = CliRunner().invoke(app, ["audit", str(file), str(data)])
    assert done.exit_code == 0, done.output


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::altsel.DataWarning")
def test_a_loss_may_be_an_amount(tmp_path: Path) -> None:
    file = tmp_path / "found.json"
    bic = [str(IONOSPHERE), "--target", "target", "-k", "1:2", "--objective", "linear-fit-bic"]
    near = ["near-optimal", *bic, "--within-absolute", "60", "--output", str(file)]
    assert CliRunner().invoke(app, near).exit_code == 0
    quality = altsel.LinearFit(altsel.Dataset(IONOSPHERE, "target"), penalty="bic")
    found = altsel.near_optimal(altsel.Problem(quality, (1, 2)), altsel.AbsoluteLoss(60))
    assert len(found) > 1
    again = altsel.Solutions.from_json(file.read_text())
    assert [one.features for one in again] == [one.features for one in found]
    done = CliRunner().invoke(app, ["audit", str(file), str(IONOSPHERE), "--verbose"])
    assert done.exit_code == 0, done.output
    assert "--within-absolute is what was requested" in done.output
    done = CliRunner().invoke(app, ["near-optimal", *bic])
    assert "--within-absolute 2" in str(done.exception)
    far = ["--search", "most-different", "--within-absolute", "30", "--alternatives", "1"]
    done = CliRunner().invoke(app, ["select", *bic, *far, "--output", str(file)])
    assert done.exit_code == 0, done.output
    first, second = altsel.Solutions.from_json(file.read_text())
    assert second.score >= first.score - 30


@pytest.mark.filterwarnings("ignore::altsel.DataWarning")
def test_a_penalty_by_the_name_of_a_criterion_points_to_it() -> None:
    done = CliRunner().invoke(app, ["select", *ASK, "--penalty", "bic"], env={"COLUMNS": "200"})
    assert done.exit_code == 2
    assert "its price is --objective linear-fit-bic" in done.output
    assert CliRunner().invoke(app, ["select", *ASK, "--penalty", "0.1", "--alternatives", "1"]).exit_code == 0


@pytest.mark.parametrize("name", MEASURES.own)
def test_every_measure_has_a_name_of_its_own(name: str) -> None:
    made = catalogue.measure(name, seed=3)
    assert made.name
    assert made.name not in {catalogue.measure(other, 3).name for other in MEASURES.own if other != name}
    with pytest.raises(altsel.ArgumentError, match="--seed -1"):
        catalogue.measure(name, -1)


def test_sizes_and_distances_are_read() -> None:
    assert catalogue.sizes("5") == 5
    assert catalogue.sizes("3:5") == (3, 5)
    for wrong in ("", "a", "3:", "1:2:3", "2.5"):
        with pytest.raises(altsel.ArgumentError, match="-k"):
            catalogue.sizes(wrong)


def test_dissimilarities_are_made_of_names_files_and_tables(tmp_path: Path) -> None:
    weights, groups = tmp_path / "weights.toml", tmp_path / "groups.toml"
    weights.write_text("a = 2\nb = 0.5\n")
    groups.write_text('a = "ecg"\n')
    table = altsel.Dataset({"a": [1.0, 2, 3, 4], "b": [1.0, 2, 3, 5]}, [0, 1, 0, 1])
    files = {"weighted-dice": weights, "weighted-jaccard": weights, "group-dice": groups}
    for name in DISSIMILARITIES.own:
        made = catalogue.DissimilarityFactory(name, files.get(name))(0.5, table)
        assert type(made).__name__.lower() == name.replace("-", "")
    alike = catalogue.DissimilarityFactory("dice", alike=0.9)(0.5, table)
    assert alike == altsel.CorrelationAware(altsel.Dice(0.5), alike=[("a", "b")])
    with pytest.raises(altsel.ArgumentError, match="weighted-dice needs --feature-file"):
        catalogue.DissimilarityFactory("weighted-dice")
    with pytest.raises(altsel.ArgumentError, match="dice takes no --feature-file"):
        catalogue.DissimilarityFactory("dice", weights)
    with pytest.raises(altsel.ArgumentError, match="--alike goes with --dissimilarity 'dice', 'jaccard'"):
        catalogue.DissimilarityFactory("overlap", alike=0.9)
    with pytest.raises(altsel.ConfigurationError, match=r"groups\.toml: a: 'ecg' is not a number"):
        catalogue.DissimilarityFactory("weighted-dice", groups)
    with pytest.raises(altsel.ConfigurationError, match="cannot read"):
        catalogue.DissimilarityFactory("group-dice", tmp_path / "none.toml")


OWN = {
    ("default", "near-optimal", "tau"): "none: all sets are listed, however similar",
    ("default", "bench", "tau"): "searches are compared at one that is given",
    ("default", "export", "tau"): "a model has one, unless sets are solved to find it",
    ("default", "bench", "alternatives"): "searches are compared with some",
    ("default", "bench", "solver"): "auto, unless profiles are named by a tag",
    ("type", "export", "format"): "forms of a question, not of a result",
    ("default", "export", "alternatives"): "none: the model of one set, unless more are wanted",
    ("default", "rank", "bins"): "criteria on tables need bins; tests cut numbers only if that is wanted",
    ("type", "performance", "estimator"): "one that is named; a test of independence takes any",
    ("default", "performance", "estimator"): "one model has to predict; only a predictive test has a model",
    ("type", "rank", "k"): "a ranking has one length",
    ("type", "score-card", "k"): "a card has at most so many features",
    ("default", "score-card", "alternatives"): "no option but this asks for another card",
    ("default", "score-card", "ridge"): "there is one model, which needs some",
    ("type", "bench", "search"): "those that bench can time",
    (
        "type",
        "equivalence",
        "correction",
    ): "tests of equivalence have Holm's or none",
    **{("type", name, "method"): "each finds another thing" for name in ("blanket", "blankets", "rank")},
    **{("default", name, "method"): "each finds another thing" for name in ("blanket", "blankets", "rank")},
}
"""Options that differ from their namesakes in other commands, and why."""
ROOT_OPTIONS = {"--version", "--help", "--install-completion", "--show-completion", "--null"}
REQUIRED_SOMEWHERE = {"target", "k", "output"}
"""What one command needs and another one knows, or has elsewhere."""


def options_of(name: str) -> dict[str, tuple[str, object, OptionInfo]]:
    """List the options of a command: name, type without None or list, default, and how it is declared."""
    function = getattr(import_module(f"altsel.cli.{COMMANDS[name][0]}"), name.replace("-", "_"))
    hints = get_type_hints(function, include_extras=True)
    found = {}
    for parameter in signature(function).parameters.values():
        kind, *more = get_args(hints[parameter.name]) if parameter.name != "ctx" else (None,)
        if more and isinstance(more[0], OptionInfo):
            parts = [part for part in get_args(kind) if part is not type(None)] or [kind]
            parts = list(get_args(parts[0])) or parts
            default = parameter.default
            default = default[0] if isinstance(default, list) else default
            found[parameter.name] = (parts[0].__name__, default, more[0])
    return found


EVERY = {name: options_of(name) for name in COMMANDS}
NAMES = sorted({option for options in EVERY.values() for option in options})


@pytest.mark.parametrize("option", NAMES)
def test_an_option_is_the_same_in_every_command(option: str) -> None:
    having = {name: options[option] for name, options in EVERY.items() if option in options}
    kinds = {kind for name, (kind, _, _) in having.items() if ("type", name, option) not in OWN}
    assert len(kinds) <= 1, (option, having)
    if option not in REQUIRED_SOMEWHERE:
        defaults = {
            default for name, (_, default, _) in having.items() if ("default", name, option) not in OWN
        }
        assert len(defaults) <= 1, (option, having)


@pytest.mark.filterwarnings("ignore::altsel.DataWarning")
@pytest.mark.parametrize(
    "command", [["select", "--alternatives", "0"], ["near-optimal", "--limit", "1"], ["front"]]
)
def test_settings_reach_the_solver(command: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    limits: list[Any] = []
    solve = Highs.solve

    def noted(*given: Any) -> Any:
        limits.append(given[-1])
        return solve(*given)

    monkeypatch.setattr(Highs, "solve", noted)
    settings = ["--solver", "highs:presolve=off", "--threads", "2", "--option", "mip_rel_gap=0.0"]
    ask = [command[0], *ASK, *command[1:], *settings, "--seed", "9", "--measure", "absolute-pearson"]
    done = CliRunner().invoke(app, ask)
    assert done.exit_code in {0, 4}, done.output
    assert limits
    assert all((one.threads, one.seed) == (2, 9) for one in limits)
    assert all(one.options == {"presolve": "off", "mip_rel_gap": 0.0} for one in limits)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::altsel.DataWarning")
def test_a_search_from_a_file_has_its_settings_but_none_that_touch_files(tmp_path: Path) -> None:
    file = tmp_path / "found.json"
    ask = ["select", *ASK, "--alternatives", "0", "--measure", "absolute-pearson", "--solver", "highs"]
    done = CliRunner().invoke(app, [*ask, "--option", "presolve=off", "--output", str(file)])
    assert done.exit_code == 0, done.output
    again = ["performance", str(file), str(IONOSPHERE), "--nested", "--cv", "2"]
    assert CliRunner().invoke(app, again).exit_code == 0
    evil = tmp_path / "written"
    text = file.read_text()
    assert '"presolve=off"' in text
    file.write_text(text.replace("presolve=off", f"solution_file={evil}"))
    done = CliRunner().invoke(app, again)
    assert isinstance(done.exception, altsel.ConfigurationError)
    assert "a file asks for its options 'solution_file'" in str(done.exception)
    assert not evil.exists()


def test_the_table_of_solvers_says_what_is_not_used_and_how_to_get_others(tmp_path: Path) -> None:
    file = tmp_path / "solvers.toml"
    kept = "[profiles.kept]\nengine = 'pyomo'\nsolver = 'gurobi_persistent'\n"
    many = "[profiles.many]\nengine = 'scip'\nthreads = 3\n"
    gone = "[profiles.gone]\nengine = 'pyomo'\nsolver = 'no_such'\nexecutable = '/no/such'\n"
    file.write_text(f"default = 'kept'\n{kept}{many}{gone}")
    done = CliRunner().invoke(app, ["solvers", "--file", str(file)])
    assert done.exit_code == 0, done.output
    kept, many, gone = done.stdout.splitlines()[1:4]
    assert "not used" in kept
    assert kept.endswith("use solver = 'gurobi_direct'")
    assert many.endswith("solver 'many' (scip) takes no threads; leave it out")
    assert "not installed: its 'executable' '/no/such' is no program" in gone


def test_every_option_has_a_panel_a_value_and_words() -> None:
    assert set(NAMES) == set(PLACES)  # a new option: name panel and value in altsel/cli/panels.py
    for options in EVERY.values():
        for option, (kind, default, declared) in options.items():
            assert (PLACES[option][1] == "") == (kind == "bool"), option
            assert re.fullmatch(r"\S.*[.,]", str(declared.help)), option
            if kind == "bool" and default is False:  # a switch that is off needs no way to turn it off
                assert declared.default == f"--{option.replace('_', '-')}", option


def test_levels_and_holdouts_have_one_name_for_one_thing() -> None:
    assert {name for name in EVERY if "alpha" in EVERY[name]} == {"blanket", "blankets", "rank", "taxonomy"}
    assert {name for name in EVERY if "level" in EVERY[name]} == {"blankets", "equivalence"}
    assert EVERY["equivalence"]["holdout"][0] == "float"
    assert EVERY["select"]["holdout_data"][0] == "Path"
    assert not {"test_data", "null", "processes"} & set(NAMES)


def test_the_level_of_a_taxonomy_is_the_same_in_python_and_on_the_command_line() -> None:
    assert signature(altsel.taxonomy).parameters["alpha"].default == EVERY["taxonomy"]["alpha"][1] == 0.01


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::altsel.DataWarning")
def test_every_correction_that_is_offered_works(tmp_path: Path) -> None:
    found = tmp_path / "found.json"
    options = ["--objective", "univariate", "--measure", "absolute-pearson", "--alternatives", "1"]
    done = CliRunner().invoke(app, ["select", *ASK, *options, "--output", str(found)])
    assert done.exit_code == 0
    for command in ("equivalence", "taxonomy"):
        refused = CliRunner().invoke(app, [command, str(found), str(IONOSPHERE), "--correction", "fisher"])
        assert refused.exit_code == 2
        assert ("benjamini-hochberg" in refused.output) is (command == "taxonomy")
    for correction in FamilyWise:
        done = CliRunner().invoke(
            app, ["equivalence", str(found), str(IONOSPHERE), "--correction", correction]
        )
        assert done.exit_code == 0


def test_names_of_options_in_messages_and_in_the_changelog_exist() -> None:
    known = {f"--{name.replace('_', '-')}" for name in NAMES}
    for path in (ROOT / "altsel").rglob("*.py"):
        for word in re.findall(r"--[a-z][a-z-]+", path.read_text(encoding="utf-8")):
            assert word == "--no-" or re.sub("^--no-", "--", word) in known | ROOT_OPTIONS, (path, word)
