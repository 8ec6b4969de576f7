"""Phases of a call: each moment in one of them, imports apart, nothing where no account is open."""

from __future__ import annotations

import builtins
import re
import subprocess
import sys
import time
from pathlib import Path

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


def test_a_phase_inside_another_takes_over_and_all_add_up() -> None:
    began = Spent.now()
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
    whole = Spent.now() - began
    assert set(spent) == {"outer", "inner", "faulty", SEARCH}
    assert 0.02 <= spent["inner"].cpu <= whole.cpu
    assert sum(spent.values(), Spent()).wall == pytest.approx(whole.wall, abs=0.01)
    assert sum(spent.values(), Spent()).cpu == pytest.approx(whole.cpu, abs=0.01)


def test_imports_are_a_phase_of_their_own_while_an_account_is_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = "import time\nuntil = time.process_time() + 0.05\nwhile time.process_time() < until:\n    pass\n"
    (tmp_path / "altsel_slow_to_import.py").write_text(slow)
    monkeypatch.syspath_prepend(str(tmp_path))
    real = builtins.__import__
    with accounted() as account, phase("search"):
        import altsel_slow_to_import  # type: ignore[import-not-found] # noqa: F401, PLC0415
    assert builtins.__import__ is real
    spent = account.spent()
    assert spent[IMPORTS].cpu >= 0.05 > spent["search"].cpu


def test_without_an_account_nothing_is_kept() -> None:
    inner()
    assert phases._in_force.get() is None


def test_a_process_began_before_this_test() -> None:
    account = Account.of_process()
    assert account.phase == "start"
    assert account.spent()["start"].cpu == pytest.approx(time.process_time(), rel=0.5)
    assert account.spent()["start"].wall > 0.1


def test_a_command_says_where_its_time_went() -> None:
    call = [sys.executable, "-m", "altsel", "select", str(IONOSPHERE), "--target", "target", "-k", "3"]
    began = time.perf_counter()
    done = subprocess.run(
        [*call, "--objective", "mrmr", "--verbose"], capture_output=True, text=True, check=True, cwd=ROOT
    )
    passed = time.perf_counter() - began
    last = done.stderr.splitlines()[-1]
    shown = re.sub(r" \(CPU [\d.]+ s\)", "", last)
    seconds = {name: float(number) for name, number in re.findall(r"([a-z][a-z ]+) ([\d.]+) s", shown)}
    assert tuple(seconds)[:6] == PARTS
    assert sum(seconds[name] for name in PARTS) == pytest.approx(seconds["in all"], abs=0.035)
    assert 0.5 * passed < seconds["in all"] <= passed + 0.05
    assert all(seconds[name] > 0 for name in ("start", "imports", "reading", "measures", "search"))
