"""Streams of a command on Windows, and pipes that nobody reads."""

from __future__ import annotations

import errno
import io
import sys
from types import SimpleNamespace

import pytest

from altsel.runtime import console
from tests.runtime.doubles import WindowsOs


def redirected(monkeypatch: pytest.MonkeyPatch) -> io.BytesIO:
    """Return what comes of an output that is redirected to a file, on Windows."""
    written = io.BytesIO()
    monkeypatch.setattr(console, "os", WindowsOs())
    monkeypatch.delenv("PYTHONIOENCODING", raising=False)
    monkeypatch.setenv("TERM", "")
    monkeypatch.delenv("TERM")
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, "cp1252", newline="\r\n"))
    monkeypatch.setattr(sys, "stderr", None)  # as without a console
    monkeypatch.setitem(sys.modules, "colorama", SimpleNamespace(just_fix_windows_console=lambda: None))
    return written


def test_a_redirected_result_is_utf_8(monkeypatch: pytest.MonkeyPatch) -> None:
    written = redirected(monkeypatch)
    console.prepare()
    print("α ≥ β", flush=True)
    assert written.getvalue() == "α ≥ β\n".encode()
    assert "TERM" not in WindowsOs().environ


def test_another_encoding_may_be_named(monkeypatch: pytest.MonkeyPatch) -> None:
    written = redirected(monkeypatch)
    monkeypatch.setenv("PYTHONIOENCODING", "cp1252")
    console.prepare()
    print("é", flush=True)
    assert written.getvalue() == b"\xe9\r\n"


def test_consoles_that_show_escapes_get_none(monkeypatch: pytest.MonkeyPatch) -> None:
    redirected(monkeypatch)
    monkeypatch.setitem(sys.modules, "colorama", None)
    console.prepare()
    assert WindowsOs().environ["TERM"] == "dumb"


def test_pipes_that_nobody_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    closed = OSError(errno.EINVAL, "Invalid argument")
    assert console.is_closed_pipe(BrokenPipeError())
    assert not console.is_closed_pipe(closed)
    monkeypatch.setattr(console, "os", WindowsOs())
    assert console.is_closed_pipe(closed)
    assert not console.is_closed_pipe(OSError(errno.ENOSPC, "No space left"))
