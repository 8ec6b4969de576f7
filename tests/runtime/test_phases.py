"""Phases of a call: each moment in one of them, imports apart, nothing where no account is open."""

from __future__ import annotations

import builtins
import re
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from altsel.runtime import phases
from altsel.runtime.phases import IMPORTS, SEARCH, Account, Spent, accounted, phase
from tests.conftest import IONOSPHERE, ROOT

PARTS = ("start", "imports", "reading", "measures", "search", "writing")


def burn(seconds: float) -> None:
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass


@phase("inner")
def inner() -> None:
    burn(0.02)


def test_a_phase_inside_another_takes_over_and_all_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    moments = [Spent(2.0**i, 3.0**i) for i in range(20)]
    rest = iter(moments)
    monkeypatch.setattr(Spent, "now", lambda: next(rest))
    with accounted() as account:
        with phase("outer"):
            inner()
            with accounted() as same:
                assert same is account
        assert account.phase == SEARCH
        with pytest.raises(KeyError), phase("faulty"):
            raise KeyError
        assert account.phase == SEARCH
        spent = account.spent()
    assert set(spent) == {"outer", "inner", "faulty", SEARCH}
    assert spent["inner"] == moments[3] - moments[2]
    assert sum(spent.values(), Spent()) == moments[moments.index(next(rest)) - 1] - moments[0]


def test_a_phase_has_the_cpu_seconds_used_in_it() -> None:
    began = Spent.now()
    with accounted() as account:
        inner()
        spent = account.spent()
    assert 0.02 <= spent["inner"].cpu <= (Spent.now() - began).cpu


def test_imports_are_a_phase_of_their_own_while_an_account_is_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    passed = SimpleNamespace(seconds=0.0)
    monkeypatch.setitem(sys.modules, "altsel_passed", passed)
    monkeypatch.setattr(Spent, "now", lambda: Spent(passed.seconds, passed.seconds))
    slow = "import altsel_passed\naltsel_passed.seconds += 5.0\n"
    (tmp_path / "altsel_slow_to_import.py").write_text(slow)
    monkeypatch.syspath_prepend(str(tmp_path))
    real = builtins.__import__
    with accounted() as account, phase("search"):
        passed.seconds += 1.0
        import altsel_slow_to_import  # type: ignore[import-not-found] # noqa: F401, PLC0415
    assert builtins.__import__ is real
    spent = account.spent()
    assert (spent[IMPORTS].cpu, spent["search"].cpu) == (5.0, 1.0)


def test_without_an_account_nothing_is_kept() -> None:
    inner()
    assert phases._in_force.get() is None


def test_a_process_began_before_this_test() -> None:
    before, account = Spent.now(), Account.of_process()
    assert account.phase == "start"
    began, loaded = account.spent()["start"], phases._loaded
    assert before.cpu <= began.cpu <= Spent.now().cpu
    assert began.wall > before.wall - loaded


@pytest.mark.slow
def test_a_command_says_where_its_time_went() -> None:
    call = [sys.executable, "-m", "altsel", "select", str(IONOSPHERE), "--target", "target", "-k", "3"]
    done = subprocess.run(
        [*call, "--objective", "mrmr", "--measure", "mutual-information", "--verbose"],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    last = done.stderr.splitlines()[-1]
    shown = re.sub(r" \(CPU [\d.]+ s\)", "", last)
    seconds = {name: float(number) for name, number in re.findall(r"([a-z][a-z ]+) ([\d.]+) s", shown)}
    assert tuple(seconds)[:6] == PARTS
    assert sum(seconds[name] for name in PARTS) == pytest.approx(seconds["in all"], abs=0.035)
    assert all(seconds[name] > 0 for name in ("start", "imports", "reading", "measures", "search"))
