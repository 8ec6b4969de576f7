from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import altsel
from altsel import ConfigurationError
from altsel.solvers import Ability, Found, SolveLimits, cpsat, highs, scip
from tests.solvers.test_solvers import knapsack


def write(folder: Path, text: str) -> Path:
    path = folder / "solvers.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("text", "message"),
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
def test_a_malformed_file_is_one_error_that_names_the_key(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        altsel.solver("highs", file=write(tmp_path, text))
    assert message in str(caught.value)
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


TOLD: dict[str, tuple[Any, Any, Callable[[Any], Any]]] = {
    "highs": (highs._silent, highs._configure, lambda h: h.getOptionValue("random_seed")[1]),
    "scip": (
        lambda: pyscipopt().Model,
        scip._configure,
        lambda m: m.getParam("randomization/randomseedshift"),
    ),
    "cp-sat": (
        lambda: cp_model().CpSolver,
        lambda made, limits: cpsat._configure(made, limits, integer=True),
        lambda solver: solver.parameters.random_seed,
    ),
}
"""Makes an engine, tells it its settings, and reads its seed, by name."""


def pyscipopt() -> Any:
    return pytest.importorskip("pyscipopt")


def cp_model() -> Any:
    return pytest.importorskip("ortools.sat.python.cp_model")


@pytest.mark.parametrize("name", TOLD)
def test_a_seed_reaches_the_engine(name: str) -> None:
    make, tell, read = TOLD[name]
    untold, told = make()(), make()()
    tell(untold, SolveLimits())
    tell(told, SolveLimits(seed=7))
    assert (read(untold), read(told)) == (0, 7)


@pytest.mark.slow
def test_settings_reach_every_solver_or_are_refused_by_name(profile: Found) -> None:
    settings: dict[Ability, dict[str, Any]] = {
        Ability.THREADS: {"threads": 2},
        Ability.SEED: {"seed": 5},
        Ability.TIME: {"time_limit": 50},
        Ability.GAP: {"gap": 1e-6},
    }
    for ability, setting in settings.items():
        if ability in profile.abilities:
            outcome = altsel.solver(profile.name, **setting)(knapsack())
            assert outcome.value == pytest.approx(10.125), ability
        else:
            with pytest.raises(
                ConfigurationError, match=f"{profile.name!r} takes no {ability}; leave it out"
            ):
                altsel.solver(profile.name, **setting)


def test_a_solver_that_altsel_does_not_know_is_told_nothing_but_options(tmp_path: Path) -> None:
    path = write(tmp_path, "default = 'x'\n[profiles.x]\nengine = 'pyomo'\nsolver = 'mosek_direct'")
    wrong: list[dict[str, Any]] = [{"time_limit": 5}, {"gap": 0.1}, {"threads": 2}, {"seed": 2}]
    for setting in wrong:
        with pytest.raises(ConfigurationError, match=r"'x' \(mosek_direct\) takes no .*its own 'options'"):
            altsel.solver("x", file=path, **setting)


def test_options_come_beside_the_profiles_and_win(tmp_path: Path) -> None:
    text = "default = 'x'\n[profiles.x]\nengine = 'highs'\nseed = 4\n"
    path = write(tmp_path, text + "options = {presolve = 'off', mip_rel_gap = 0.5}")
    made: Any = altsel.solver("x", file=path, options={"mip_rel_gap": 0.25}, threads=np.int64(2))  # type: ignore[arg-type]
    assert made.limits.options == {"presolve": "off", "mip_rel_gap": 0.25}
    assert (made.limits.threads, made.limits.seed) == (2, 4)


@pytest.mark.parametrize(
    ("wrong", "key"),
    [
        ({"threads": 0}, "threads"),
        ({"threads": 2.5}, "threads"),
        ({"threads": True}, "threads"),
        ({"seed": -1}, "seed"),
        ({"seed": "three"}, "seed"),
        ({"options": {"presolve": ["off"]}}, r"options\.presolve"),
        ({"options": "presolve"}, "options"),
    ],
)
def test_a_wrong_setting_is_named(wrong: dict[str, Any], key: str) -> None:
    with pytest.raises(ConfigurationError, match=f"'highs': {key}"):
        altsel.solver("highs", **wrong)


def test_auto_takes_what_every_solver_takes() -> None:
    made: Any = altsel.solver("auto", threads=2, seed=3)
    for one in (made.engine, made.packing):
        assert one is None or (one.limits.threads, one.limits.seed) == (2, 3)
    with pytest.raises(ConfigurationError, match="options are one solver's own: name it"):
        altsel.solver("auto", options={"presolve": "off"})


HOSTILE = {
    "executable": "engine = 'pyomo'\nsolver = 'glpk'\nexecutable = '{program}'",
    "solver": "engine = 'pyomo'\nsolver = '{program}'",
    "options.solution_file": "engine = 'highs'\noptions = {{solution_file = 'x'}}",
    "options.mip_improving_solution_file": "engine = 'highs'\noptions = {{mip_improving_solution_file='x'}}",
    "options.log_file": "engine = 'highs'\noptions = {{log_file = 'x'}}",
    "options.heuristics/repair/filename": "engine = 'scip'\noptions = {{'heuristics/repair/filename' = 'x'}}",
    "options.presolve": "engine = 'highs'\noptions = {{presolve = '/etc/passwd'}}",
    "options.ResultFile": "engine = 'pyomo'\nsolver = 'gurobi'\noptions = {{ResultFile = 'x.sol'}}",
    "options.write": "engine = 'pyomo'\nsolver = 'glpk'\noptions = {{write = 'x'}}",
}


@pytest.mark.parametrize("key", HOSTILE)
def test_a_file_that_nobody_chose_names_no_program_and_no_file(
    key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = tmp_path / "ran"
    program = tmp_path / "pwn.sh"
    program.write_text(f"#!/bin/sh\ntouch {ran}\necho 'GLPSOL 5.0'\n", encoding="utf-8")
    program.chmod(0o755)
    text = "default = 'mine'\n[profiles.mine]\n" + HOSTILE[key].format(program=program)
    path = write(tmp_path, text)
    (tmp_path / "deep").mkdir()
    monkeypatch.chdir(tmp_path / "deep")
    for call in (altsel.solver, lambda: list(altsel.profiles())):
        with pytest.raises(ConfigurationError) as caught:
            call()
        assert f"profiles.mine.{key}" in str(caught.value)
        assert f"ALTSEL_SOLVERS={path}" in str(caught.value)
    assert not ran.exists()
    found = {profile.name for profile in altsel.profiles(path)}  # a file that was given may
    assert found == {"mine"}


def test_a_file_that_nobody_chose_may_limit_and_choose(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "default = 'mine'\n[profiles.mine]\nengine = 'highs'\ntime_limit = 3\nthreads = 2\n"
    write(tmp_path, text + "options = {random_seed = 3, presolve = 'off'}")
    monkeypatch.chdir(tmp_path)
    assert altsel.solver().name == "mine"


def test_the_users_own_file_is_trusted_and_a_program_is_looked_for_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "config"
    (own / "bin").mkdir(parents=True)
    program = own / "bin" / "glpsol"
    program.write_text("#!/bin/sh\necho 'GLPSOL--GLPK LP/MIP Solver 5.7'\n", encoding="utf-8")
    program.chmod(0o755)
    profile = "[profiles.mine]\nengine = 'pyomo'\nsolver = 'glpk'\nexecutable = 'bin/glpsol'\n"
    write(own, "default = 'mine'\n" + profile)
    monkeypatch.setattr("altsel.solvers.profile_files.user_file", lambda: own / "solvers.toml")
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    [found] = altsel.profiles()
    assert found.profile.executable == str(program)
    assert (found.version or "").startswith("5.7")


@pytest.mark.skipif(os.name != "posix", reason="needs a script")
@pytest.mark.parametrize("name", ["gurobi.sh", "scip", "scipampl", "cplex", "cbc", "appsi_highs_persistent"])
def test_no_program_of_the_working_directory_is_run(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program, mark = tmp_path / name, tmp_path / "ran"
    program.write_text(f"#!/bin/sh\ntouch {mark}\necho 9.9\n")
    program.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    list(altsel.profiles())
    base = name.split(".", maxsplit=1)[0].removesuffix("ampl")
    path = tmp_path / "solvers.toml"
    path.write_text(f'default = "m"\n[profiles.m]\nengine = "pyomo"\nsolver = "{base}"\n')
    try:
        list(altsel.profiles())
        altsel.sequential(altsel.Problem(altsel.Univariate([3, 2, 1]), 2), altsel.Dice(0.5), 0, "m")
    except altsel.AltselError:
        pass
    assert not mark.exists()


def test_a_solver_shows_no_address() -> None:
    assert " at 0x" not in repr(altsel.solver("highs"))
