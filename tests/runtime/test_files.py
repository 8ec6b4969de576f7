"""Files are written whole or not at all, and nothing stray stays."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from altsel import ArgumentError
from altsel.cli.output import check_output
from altsel.runtime.files import replacing

SLOW = """
import sys
from altsel.cli.output import check_output
from altsel.runtime.files import replacing
with replacing(sys.argv[1]) as part:
    part.write_text("half")
    print("begun", flush=True)
    sys.stdin.read()  # until it is killed
"""


def test_a_file_is_replaced_whole_and_keeps_its_rights(tmp_path: Path) -> None:
    path = tmp_path / "one.txt"
    path.write_text("old")
    path.chmod(0o600)
    with replacing(path) as part:
        part.write_text("new")
        assert (path.read_text(), part.parent, part.suffix) == ("old", tmp_path, ".txt")
    assert path.read_text() == "new"
    assert path.stat().st_mode & 0o777 == 0o600
    assert [one.name for one in tmp_path.iterdir()] == ["one.txt"]


def half_written(path: Path, fault: BaseException) -> None:
    with replacing(path) as part:
        part.write_text("half")
        raise fault


@pytest.mark.parametrize("fault", [ValueError("no"), KeyboardInterrupt(), OSError(28, "No space left")])
def test_what_fails_leaves_the_earlier_file(fault: BaseException, tmp_path: Path) -> None:
    path = tmp_path / "one.txt"
    path.write_text("old")
    message = ArgumentError if isinstance(fault, OSError) else type(fault)
    with pytest.raises(message):
        half_written(path, fault)
    assert path.read_text() == "old"
    assert [one.name for one in tmp_path.iterdir()] == ["one.txt"]


@pytest.mark.skipif(os.name != "posix", reason="needs SIGKILL")
@pytest.mark.slow
def test_what_a_killed_process_left_is_removed_by_the_next(tmp_path: Path) -> None:
    path = tmp_path / "one.txt"
    path.write_text("old")
    child = subprocess.Popen(
        [sys.executable, "-c", SLOW, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    assert child.stdin is not None
    assert child.stdout.readline() == "begun\n"
    with replacing(path) as part:
        part.write_text("ours")
    assert len(list(tmp_path.iterdir())) == 2  # the other one is still at work
    child.send_signal(signal.SIGKILL)
    child.wait()
    assert path.read_text() == "ours"
    with replacing(path) as part:
        part.write_text("new")
    assert [one.name for one in tmp_path.iterdir()] == ["one.txt"]
    assert path.read_text() == "new"
    child.stdout.close()
    child.stdin.close()


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX")
def test_links_pipes_and_rights_are_kept(tmp_path: Path) -> None:
    target, link, pipe = tmp_path / "target.txt", tmp_path / "link.txt", tmp_path / "pipe"
    target.write_text("old")
    link.symlink_to(target)
    with replacing(link) as part:
        part.write_text("new")
    assert (link.is_symlink(), target.read_text()) == (True, "new")
    with replacing("/dev/null") as part:
        part.write_text("nothing")
    assert Path("/dev/null").is_char_device()
    os.mkfifo(pipe)
    reader = subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE, text=True)
    with replacing(pipe) as part:
        part.write_text("through")
    assert reader.communicate()[0] == "through"
    assert pipe.is_fifo()
    old = os.umask(0o077)
    try:
        with replacing(tmp_path / "own.txt") as part:
            part.write_text("mine")
    finally:
        os.umask(old)
    assert (tmp_path / "own.txt").stat().st_mode & 0o777 == 0o600


def test_leavings_that_cannot_be_removed_do_not_stop_writing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("altsel.runtime.files.may_run", lambda pid: False)
    monkeypatch.setattr("altsel.runtime.files._machine", lambda: "here")
    (tmp_path / ".altsel.here.1234.folder").mkdir()
    with replacing(tmp_path / "one.txt") as part:
        part.write_text("new")
    assert (tmp_path / "one.txt").read_text() == "new"


def test_what_a_shell_has_opened_is_written_on(tmp_path: Path) -> None:
    log = tmp_path / "log"
    program = "from altsel.runtime.files import *\nwith replacing('/dev/stdout') as p: p.write_text('b')"
    for _ in range(2):
        with log.open("a") as stream:
            stream.write("a")
            stream.flush()
            subprocess.run([sys.executable, "-c", program], stdout=stream, check=True)
    assert log.read_text() == "abab"


def test_a_name_too_long_for_its_folder_or_a_link_to_itself(tmp_path: Path) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    for path in (tmp_path / ("x" * 256), loop):
        with pytest.raises(ArgumentError, match="cannot be written"), replacing(path) as part:
            part.write_text("x")
        with pytest.raises(ArgumentError, match="cannot be written"):
            check_output(path)
    path = tmp_path / ("a." + "x" * 250)
    with replacing(path) as part:
        part.write_text("x")
    assert path.read_text() == "x"


def test_a_secret_is_not_shown_while_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    path.touch(mode=0o600)
    with replacing(path) as part:
        assert part.stat().st_mode & 0o777 == 0o600
        part.write_text("x")
    assert path.stat().st_mode & 0o777 == 0o600
