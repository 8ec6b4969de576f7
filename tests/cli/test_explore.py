"""``altsel explore``: what it reads, what it prints, and when it ends."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from altsel.cli import explore as command
from altsel.cli.app import app
from altsel.exploring.code import command_text, python_text
from altsel.exploring.serving import bound
from altsel.exploring.settings import Settings
from altsel.exploring.subject import Subject
from tests.exploring.tables import frame

pytestmark = pytest.mark.filterwarnings("ignore::altsel.DataWarning")


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    table = frame(6, 60)
    path = tmp_path / "my rows.csv"
    table.assign(copy=3 * table["f0"], id=range(60, 0, -1)).to_csv(path, index=False, sep=";")
    return path


def call(*words: str) -> Any:
    return CliRunner().invoke(app, ["explore", *words])


def explored(monkeypatch: pytest.MonkeyPatch, *words: str) -> Subject:
    """Return what the command would explore."""
    made: list[Any] = []
    monkeypatch.setattr(command, "Process", made.append)
    monkeypatch.setattr(command, "serve", lambda *given, **more: None)
    done = call(*words)
    assert done.exit_code == 0, done.output
    subject = made[0].args[0]
    assert isinstance(subject, Subject)
    return subject


def test_it_prints_its_address_and_ends_when_nobody_uses_it(rows: Path) -> None:
    done = call(str(rows), "--target", "y", "--sep", ";", "--no-browser", "--idle", "0.001")
    assert done.exit_code == 0, done.output
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/#[\w-]{43}\n", done.stdout)
    assert done.stderr.splitlines()[-1] == "the explorer has ended"


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
def test_ctrl_c_ends_it_with_an_answer_under_way(rows: Path) -> None:
    frame(40, 300).to_csv(rows, index=False)
    command = [sys.executable, "-m", "altsel", "explore", str(rows), "--target", "y", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        host, _, token = program.stdout.readline().strip().removeprefix("http://").partition("/#")
        settings = {"objective": "linear-fit", "smallest": 12, "largest": 12, "tau": 0.2}
        text = json.dumps({"ticket": "one", "message": {"do": "sets", "settings": settings}})
        connection = http.client.HTTPConnection(host, timeout=60)
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        connection.request("POST", "/answer", text, headers)
        answer = connection.getresponse()
        assert "said" in json.loads(answer.readline())
        program.send_signal(signal.SIGINT)
        _, errors = program.communicate(timeout=60)
        connection.close()
    assert program.returncode == 0
    assert errors.splitlines()[-1] == "the explorer has ended"
    assert "Traceback" not in errors


def test_it_opens_a_browser_unless_it_should_not(rows: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []

    def open_none(address: str) -> bool:
        opened.append(address)
        return False

    monkeypatch.setattr("webbrowser.open", open_none)
    done = call(str(rows), "--target", "y", "--sep", ";", "--idle", "0.001")
    assert opened == done.stdout.split()
    assert "open the address yourself" in done.stderr


def test_what_is_copied_reads_the_rows_as_they_were_read(rows: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["--sep", ";", "--drop", "id", "--drop", "f5", "--holdout", "0.25"]
    subject = explored(monkeypatch, str(rows), "--target", "y", *words)
    assert subject.data is not None
    assert subject.held is not None
    assert subject.members == {"f0": ("f0", "copy")}
    text = command_text(subject, Settings(smallest=2, largest=2))
    assert text == (
        f"altsel select '{rows}' --target y --sep ';' --drop id --drop f5 --holdout 0.25 -k 2 "
        "--alternatives 5 --tau 0.4"
    )
    space: dict[str, Any] = {}
    exec(python_text(subject, Settings(smallest=2, largest=2)), space)
    assert space["data"].fingerprint == subject.data.fingerprint


def test_copies_may_stay_apart(rows: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["--sep", ";", "--drop", "id", "--no-group-copies"]
    subject = explored(monkeypatch, str(rows), "--target", "y", *words)
    assert "copy" in subject.names
    assert "--no-group-copies" in str(command_text(subject, Settings()))


def test_wrong_options_are_one_line(rows: Path) -> None:
    with bound(0) as taken:
        port = str(taken.getsockname()[1])
        cases = (
            (["--idle", "0"], "--idle 0"),
            (["--scan"], "needs the rows"),
            (["--port", port], f"port {port}"),
        )
        for words, said in cases:
            done = call(str(rows), "--target", "y", "--sep", ";", "--no-browser", "--quiet", *words)
            assert done.exit_code != 0
            assert said in str(done.exception)
