"""A line of an engine's own that no option turns off is kept from the terminal."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from altsel.runtime.no_processes import started

PATIENCE = 1.0
"""Seconds to wait for what is still on its way; a child process may hold the stream open for longer."""
_turn = threading.Lock()
_inside = 0


@contextmanager
def without(noise: bytes) -> Iterator[None]:
    """Drop lines that begin with `noise` from the process's error stream; all others pass at once.

    Compiled engines write to file descriptor 2 itself, which `sys.stderr` knows nothing of. Threads may
    enter together: the first puts the filter in, the last takes it out.

    Parameters
    ----------
    noise
        How a line to drop begins.
    """
    global _inside, _screen  # noqa: PLW0603  (a process has one error stream)
    with _turn:
        if not _inside:
            _screen = _Screen.over(noise)
        _inside += 1
    try:
        yield
    finally:
        with _turn:
            _inside -= 1
            if not _inside and _screen is not None:
                _screen.remove()


class _Screen:
    """A pipe in place of file descriptor 2, and the thread that reads it."""

    @classmethod
    def over(cls, noise: bytes) -> _Screen | None:
        """Replace the stream; None if the process has no error stream."""
        try:
            stream = os.dup(2)
        except OSError:
            return None
        screen = cls(noise, stream)
        return screen if screen.reader is not None else None

    def __init__(self, noise: bytes, stream: int) -> None:
        self.noise, self.stream = noise, stream
        self.end, into = os.pipe()
        os.dup2(into, 2)
        os.close(into)
        self.reader = started(self._pass_on)
        if self.reader is None:  # nobody would pass the other lines on
            os.dup2(stream, 2)
            os.close(self.end)
            os.close(stream)

    def remove(self) -> None:
        """Restore the stream, unless somebody else has put another in its place."""
        with suppress(OSError):
            if os.path.sameopenfile(2, self.end):
                os.dup2(self.stream, 2)
        if self.reader is not None:
            self.reader.join(PATIENCE)

    def _pass_on(self) -> None:
        rest = b""
        while part := os.read(self.end, 65536):
            *lines, rest = (rest + part).split(b"\n")
            kept = b"".join(line + b"\n" for line in lines if not line.startswith(self.noise))
            if not rest.startswith(self.noise[: len(rest)]):  # the beginning of a line of somebody else's
                kept, rest = kept + rest, b""
            _write(self.stream, kept)
        _write(self.stream, rest if not rest.startswith(self.noise) else b"")
        os.close(self.end)
        os.close(self.stream)


_screen: _Screen | None = None


def _write(stream: int, text: bytes) -> None:
    with suppress(OSError):  # nobody reads any more; the engine must not wait for that
        while text:
            text = text[os.write(stream, text) :]
