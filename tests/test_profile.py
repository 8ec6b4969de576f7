from __future__ import annotations

from pathlib import Path

import pytest

import altsel
from altsel import ConfigurationError


def write(folder: Path, text: str) -> Path:
    path = folder / "solvers.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("profiles = [", "not TOML"),
        ("[profiles.mine]\nengine = 'highs'\ntimelimit = 3", "profiles.mine.timelimit"),
        ("[profiles.highs]\nengine = 'highs'\ntime_limit = -3", "profiles.highs.time_limit"),
        ("[profiles.highs]\nengine = 'highs'\ngap = 'small'", "profiles.highs.gap"),
        ("[profiles.highs]\nengine = 'magic'", "profiles.highs.engine"),
        ("[profiles.highs]\nengine = 'pyomo'", "'solver' is needed"),
        ("default = 'other'\n[profiles.highs]\nengine = 'highs'", "default 'other'"),
        ("[profiles.highs]\nengine = 'highs'\nthreads = 0\ngap = 2", "threads"),
        ("", "profiles"),
    ],
)
def test_a_malformed_file_is_one_error_that_names_the_key(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        altsel.solver("highs", file=write(tmp_path, text))
    assert told in str(caught.value)
    assert "solvers.toml" in str(caught.value)


def test_several_faults_are_told_at_once(tmp_path: Path) -> None:
    path = write(tmp_path, "[profiles.highs]\nengine = 'highs'\nthreads = 0\ngap = 2")
    with pytest.raises(ConfigurationError, match=r"threads.*gap|gap.*threads"):
        altsel.solver("highs", file=path)


def test_look_up_is_argument_then_environment_then_upwards_then_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = {name: f"[profiles.{name}]\nengine = 'highs'\n" for name in ("argued", "environ", "upward")}
    paths = {}
    for name, text in texts.items():
        (tmp_path / name / "deep").mkdir(parents=True)
        paths[name] = write(tmp_path / name, f"default = '{name}'\n" + text)
    monkeypatch.chdir(tmp_path / "upward" / "deep")
    assert altsel.solver().name == "upward"
    monkeypatch.setenv("ALTSEL_SOLVERS", str(paths["environ"]))
    assert altsel.solver().name == "environ"
    assert altsel.solver(file=paths["argued"]).name == "argued"
    monkeypatch.delenv("ALTSEL_SOLVERS")
    monkeypatch.chdir(tmp_path)
    assert altsel.solver().name == "highs"


def test_unknown_and_absent_solvers_say_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"no solver profile 'magic'.*'highs'"):
        altsel.solver("magic")
    path = write(
        tmp_path,
        "default = 'x'\n[profiles.x]\nengine = 'pyomo'\nsolver = 'cplex'\nexecutable = '/none/cplex'",
    )
    with pytest.raises(ConfigurationError, match="not installed"):
        altsel.solver("x", file=path)


@pytest.mark.parametrize(
    ("engine", "options"),
    [
        ("highs", "no_such_option = 1"),
        ("highs", "presolve = 'perhaps'"),
        ("cp-sat", "no_such_option = 1"),
        ("scip", "'no/such/option' = 1"),
    ],
)
def test_a_wrong_native_option_is_an_error(tmp_path: Path, engine: str, options: str) -> None:
    pytest.importorskip({"highs": "highspy", "cp-sat": "ortools", "scip": "pyscipopt"}[engine])
    path = write(tmp_path, f"default='x'\n[profiles.x]\nengine = '{engine}'\n[profiles.x.options]\n{options}")
    problem = altsel.Problem(altsel.Univariate([2, 1]), k=1)
    with pytest.raises(ConfigurationError, match="option"):
        altsel.sequential(problem, altsel.Dice(1), 0, altsel.solver(file=path))


@pytest.mark.parametrize("limit", [0, -1, float("nan"), float("inf")])
def test_a_time_limit_must_be_a_positive_number(limit: float) -> None:
    with pytest.raises(ConfigurationError, match="time_limit"):
        altsel.solver("highs", time_limit=limit)
