"""Solvers as text: what the command line and benchmarks are given."""

from __future__ import annotations

from typing import Any

import pytest

import altsel
from altsel.exact.solver_text import option, solver_of, with_settings


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("presolve=off", ("presolve", "off")),
        (" threads = 2 ", ("threads", 2)),
        ("mip_rel_gap=1e-3", ("mip_rel_gap", 1e-3)),
        ("misc/catchctrlc=False", ("misc/catchctrlc", False)),
        ("use_lns=true", ("use_lns", True)),
    ],
)
def test_a_value_is_read_as_what_it_looks_like(text: str, read: tuple[str, Any]) -> None:
    name, value = option(text)
    assert (name, value, type(value)) == (*read, type(read[1]))


@pytest.mark.parametrize("text", ["presolve", "=off", "presolve=", "a=1,b=2", ""])
def test_another_form_is_refused(text: str) -> None:
    with pytest.raises(altsel.ArgumentError, match=r"option .*; use NAME=VALUE"):
        option(text)


def test_settings_are_told_apart_from_options() -> None:
    made: Any = solver_of("highs:presolve=off,threads=2,gap=0.5,seed=4,time_limit=7")
    assert made.limits.options == {"presolve": "off"}
    told = made.limits
    assert (told.threads, told.gap, told.seed, told.time_limit) == (2, 0.5, 4, 7.0)
    auto: Any = solver_of(with_settings("auto", ["threads=2"]), seed=3)
    assert (auto.engine.limits.threads, auto.engine.limits.seed) == (2, 3)


@pytest.mark.slow
def test_the_seed_of_everything_reaches_solvers_that_take_one() -> None:
    highs: Any = solver_of("highs", 5)
    own: Any = solver_of("highs:seed=2", 5)
    assert (highs.limits.seed, own.limits.seed) == (5, 2)
    if "glpk" in [one.name for one in altsel.profiles() if one.version]:
        glpk: Any = solver_of("glpk", 5)  # it draws nothing at random
        assert glpk.limits.seed is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("highs:threads", "use NAME=VALUE"),
        ("highs:threads=two", "threads: must be an integer"),
        ("quantum", "no solver profile 'quantum'"),
        ("auto:presolve=off", "options are one solver's own"),
    ],
)
def test_a_wrong_text_is_one_error(text: str, message: str) -> None:
    with pytest.raises(altsel.AltselError, match=message):
        solver_of(text)


@pytest.mark.parametrize("option", ["solution_file=x", "log_file=/tmp/x", "presolve=/etc/passwd", "write=1"])
def test_a_file_of_solutions_may_not_make_a_solver_touch_files(option: str) -> None:
    with pytest.raises(
        altsel.ConfigurationError, match=rf"'highs': a file asks for .*{option.split('=', maxsplit=1)[0]}"
    ):
        solver_of(f"highs:{option}", trusted=False)
    safe: Any = solver_of("highs:presolve=off,threads=2", trusted=False)
    assert safe.limits.options == {"presolve": "off"}
