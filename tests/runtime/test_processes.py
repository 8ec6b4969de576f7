"""Programs whose processes end with them, however they end."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from altsel.runtime.processes import run_in_group

pytestmark = pytest.mark.skipif(os.name != "posix", reason="there are no groups of processes")


class Pipe:
    """A pipe with a name: as long as a process holds it open, its reader waits."""

    def __init__(self, path: Path) -> None:
        os.mkfifo(path)
        self.end = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        os.set_blocking(self.end, True)
        self.own = os.open(path, os.O_WRONLY)
        self.behind = f"exec 9>{path}; sleep 600 >/dev/null 2>&1 & echo ready >&9; exec 9>&-;"
        """Leaves a process at work behind a script, which holds the pipe open."""

    def is_begun(self) -> bool:
        """Wait until the process behind the script has begun."""
        said = os.read(self.end, 6)
        os.close(self.own)
        return said == b"ready\n"

    def is_ended(self) -> bool:
        """Wait until the last process has ended that holds the pipe open."""
        return os.read(self.end, 6) == b""


@pytest.fixture
def pipe(tmp_path: Path) -> Iterator[Pipe]:
    made = Pipe(tmp_path / "pipe")
    yield made
    os.close(made.end)


def test_what_goes_on_behind_a_program_that_has_ended(pipe: Pipe) -> None:
    script = ["sh", "-c", f"{pipe.behind} cat; exit 3"]
    done = run_in_group(script, input="given", stdout=subprocess.PIPE, text=True)
    assert (done.returncode, done.stdout) == (3, "given")
    assert pipe.is_begun()
    assert pipe.is_ended()


@pytest.mark.parametrize("fault", [KeyboardInterrupt(), subprocess.TimeoutExpired("sh", 1.0)])
def test_what_goes_on_behind_a_program_that_is_stopped(
    fault: BaseException, pipe: Pipe, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: Any) -> None:
        assert pipe.is_begun()
        raise fault

    monkeypatch.setattr(subprocess.Popen, "communicate", stopped)
    with pytest.raises(type(fault)):
        run_in_group(["sh", "-c", f"{pipe.behind} exec sleep 600"])
    assert pipe.is_ended()


def test_a_program_that_is_not_there() -> None:
    with pytest.raises(FileNotFoundError):
        run_in_group(["no such program"])
