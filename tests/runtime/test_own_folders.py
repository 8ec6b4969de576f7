"""Temporary folders: removed after a process that was killed, never while they are in use."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from altsel.runtime.own_folders import own_folder

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="locks of POSIX")
OWNER = """
import sys
from altsel.runtime.own_folders import own_folder
folder, remove = own_folder("altsel-test-")
print(folder, flush=True)
sys.stdin.read()
"""


def test_folders_of_killed_processes_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    mine, remove = own_folder("altsel-test-")
    (tmp_path / "altsel-test-other").mkdir()  # somebody else's, without a lock
    with subprocess.Popen(
        [sys.executable, "-c", OWNER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        theirs = Path(process.stdout.readline().strip())
        (theirs / "held").write_text("codes")
        second, remove_second = own_folder("altsel-test-")
        assert all(folder.is_dir() for folder in (mine, theirs, second))
        process.kill()
        process.wait()
        assert theirs.is_dir()
        third, remove_third = own_folder("altsel-test-")
    assert not theirs.exists()
    assert (tmp_path / "altsel-test-other").is_dir()
    for folder, removed in ((mine, remove), (second, remove_second), (third, remove_third)):
        assert folder.is_dir()
        removed()
        assert not folder.exists()
