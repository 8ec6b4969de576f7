"""What Windows does otherwise, by doubles of its modules."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from altsel.runtime import windows
from altsel.runtime.files import replacing, stands_for
from altsel.runtime.own_folders import IN_USE, own_folder
from altsel.runtime.processes import _watch, may_run, own_group, run_in_group
from tests.runtime.doubles import WindowsOs

HERE = 7
"""Number of a process that is at work, of the double."""
ENDED, ANOTHERS = 8, 9


class Kernel:
    """A double of kernel32: a process at work, one that has ended, and one that nobody may ask."""

    def __init__(self) -> None:
        self.open: list[int] = []
        for name in ("OpenProcess", "GetExitCodeProcess", "CloseHandle"):
            setattr(self, name, self._callable(getattr(self, f"_{name}")))

    @staticmethod
    def _callable(method: Any) -> Any:
        """Return a function that takes attributes, as foreign functions do."""
        return partial(method)

    def _OpenProcess(self, right: int, inherit: int, pid: int) -> int:  # noqa: N802
        assert (right, inherit) == (0x1000, 0)
        if pid in {HERE, ENDED}:
            self.open.append(pid)
            return pid
        return 0

    def _GetExitCodeProcess(self, handle: int, code: Any) -> int:  # noqa: N802
        code._obj.value = 259 if handle == HERE else 1
        return 1

    def _CloseHandle(self, handle: int) -> None:  # noqa: N802
        self.open.remove(handle)


@pytest.fixture
def kernel(monkeypatch: pytest.MonkeyPatch) -> Kernel:
    made = Kernel()
    monkeypatch.setattr(ctypes, "WinDLL", lambda name, use_last_error: made, raising=False)
    monkeypatch.setattr("altsel.runtime.processes.os", WindowsOs())
    return made


@pytest.mark.parametrize(
    ("pid", "error", "runs"),
    [(HERE, 0, True), (ENDED, 0, False), (ANOTHERS, 5, True), (ANOTHERS, 87, False), (0, 87, True)],
)
def test_whether_a_process_runs(
    pid: int, error: int, runs: bool, kernel: Kernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ctypes, "get_last_error", lambda: error, raising=False)
    assert may_run(pid) is runs
    assert not kernel.open


def test_what_a_killed_process_left_is_removed(
    kernel: Kernel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("altsel.runtime.files._machine", lambda: "here")
    left = [tmp_path / f".altsel.here.{pid}.part" for pid in (HERE, ENDED)]
    for part in left:
        part.touch()
    with replacing(tmp_path / "one.txt") as part:
        part.write_text("new")
    assert [part.exists() for part in left] == [True, False]
    assert not kernel.open


@pytest.mark.skipif(os.name != "posix", reason="there the real one is tried")
def test_programs_end_with_what_they_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("altsel.runtime.processes.os", WindowsOs())
    assert own_group() == {"creationflags": 0x200}
    monkeypatch.setattr("altsel.runtime.processes.own_group", dict)  # which no other system takes
    done = run_in_group(
        [sys.executable, "-c", "print(input())"], input="given\n", stdout=subprocess.PIPE, text=True
    )
    assert (done.returncode, done.stdout) == (0, "given\n")
    called: list[Any] = []
    monkeypatch.setattr(subprocess, "run", lambda command, **how: called.append(command))
    with pytest.raises(subprocess.TimeoutExpired):
        run_in_group([sys.executable, "-c", "input()"], input=None, stdin=subprocess.PIPE, timeout=0.01)
    [[program, *options, pid]] = called
    assert Path(program).name == "taskkill.exe"
    assert options == ["/T", "/F", "/PID"]
    assert not may_run_here(int(pid))


def may_run_here(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_file_that_is_read_is_replaced_once_it_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, real, tries = tmp_path / "one.txt", Path.replace, []

    def refused(part: Path, target: Path) -> Path:
        tries.append(target)
        if len(tries) < 3:
            raise PermissionError(13, "Access is denied")
        return real(part, target)

    monkeypatch.setattr(Path, "replace", refused)
    monkeypatch.setattr("altsel.runtime.files.os", WindowsOs())
    with replacing(path) as part:
        part.write_text("new")
    assert path.read_text() == "new"
    assert len(tries) == 3


class BackSlashes:
    """A path of Windows."""

    def __str__(self) -> str:
        return r"\dev\stdout"

    def as_posix(self) -> str:
        return "/dev/stdout"


def test_streams_have_names_there_too() -> None:
    path: Any = BackSlashes()
    assert stands_for(path) == 1


def test_folders_are_locked_by_an_open_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("altsel.runtime.own_folders.os", WindowsOs())
    monkeypatch.setattr("altsel.runtime.own_folders.fcntl", None)
    first, remove = own_folder("altsel-test-")
    (tmp_path / "altsel-test-other").mkdir()  # somebody else's, without a lock
    real = Path.unlink

    def refused(path: Path, missing_ok: bool = False) -> None:
        if path == first / IN_USE:
            raise PermissionError(13, "The process cannot access the file")
        real(path, missing_ok)

    with monkeypatch.context() as while_open:
        while_open.setattr(Path, "unlink", refused)
        second, remove_second = own_folder("altsel-test-")
    assert first.is_dir()
    third, remove_third = own_folder("altsel-test-")  # both are open here, which stops nobody on this system
    assert not first.exists()
    assert not second.exists()
    assert (tmp_path / "altsel-test-other").is_dir()
    for removed in (remove, remove_second, remove_third):
        removed()
    assert not third.exists()


def test_a_program_that_has_ended_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    program = subprocess.Popen([sys.executable, "-c", ""])
    program.wait()
    monkeypatch.setattr(subprocess, "run", None)
    windows.end_tree(program)


def test_workers_end_with_a_parent_that_was_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    ended: list[int] = []
    double = WindowsOs()
    double.__dict__ |= {"getppid": lambda: ENDED, "_exit": ended.append}
    monkeypatch.setattr("altsel.runtime.processes.os", double)
    monkeypatch.setattr("altsel.runtime.processes.windows.runs", lambda pid: pid != ENDED)
    _watch(ENDED)
    assert ended == [1]
