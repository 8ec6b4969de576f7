"""A worker process as its host sees it: messages in, news and answers out, stopped and started again."""

from __future__ import annotations

import json
import pickle
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib import import_module
from itertools import count
from typing import Any, Protocol

from altsel.errors import ArgumentError
from altsel.exploring.worker import SIZE
from altsel.runtime.processes import own_group

Receive = Callable[[dict[str, Any]], None]
"""Takes what comes back."""
LOST = (
    "the process that answers has ended, which may be for want of memory; the next question starts it again"
)


class Handles(Protocol):
    """What answers in the process: a session."""

    def handle(self, message: Mapping[str, Any], tell: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
        """Answer a message."""
        ...


class Process:
    """Answers messages in a process of its own, one after another.

    Parameters
    ----------
    make
        Makes what answers, there; it is pickled, with functions of the caller's.

    Raises
    ------
    ArgumentError
        If it cannot be pickled.
    """

    def __init__(self, make: Callable[[], Handles]) -> None:
        self._packed = _packed(make)
        self._numbers = count()
        self._waiting: dict[int, Receive] = {}
        self._lock = threading.Lock()
        self._program: subprocess.Popen[bytes] | None = None

    def number(self) -> int:
        """Return the number of a message to come."""
        return next(self._numbers)

    def send(self, message: Any, receive: Receive, number: int) -> None:
        """Send a message.

        Parameters
        ----------
        message
            For the session.
        receive
            Called, in another thread, with what is said meanwhile, as ``{"said": …}``, and with the answer.
        number
            What `number` returned, by which it can be stopped.
        """
        with self._lock:
            self._waiting[number] = receive
            program = self._running()
        self._write(program, {"number": number, "message": message})

    def answer(self, message: Any, tell: Receive = lambda said: None) -> dict[str, Any]:
        """Send a message, and return the answer; `tell` is called with what is said meanwhile."""
        events: queue.Queue[dict[str, Any]] = queue.Queue()
        number = self.number()
        self.send(message, events.put, number)
        try:
            while "said" in (event := events.get()):
                tell(event["said"])
        except BaseException:
            self.stop(number)
            raise
        return event

    @property
    def pid(self) -> int | None:
        """Number of the process, if it runs."""
        return None if self._program is None else self._program.pid

    def stop(self, number: int) -> None:
        """Stop a message: it is answered by what there is. One that is answered is left alone."""
        with self._lock:
            program = self._program
        if program is not None:
            self._write(program, {"stop": number})

    def close(self) -> None:
        """End the process."""
        with self._lock:
            program, self._program = self._program, None
        if program is None:
            return
        with suppress(OSError):
            assert program.stdin is not None
            program.stdin.close()
        try:
            program.wait(2)
        except subprocess.TimeoutExpired:
            program.kill()
            program.wait()

    def _running(self) -> subprocess.Popen[bytes]:
        """Return the process, started again if it has ended."""
        if self._program is None or self._program.poll() is not None:
            self._program = self._started()
        return self._program

    def _started(self) -> subprocess.Popen[bytes]:
        program = subprocess.Popen(  # Ctrl-C reaches it through this process alone
            [sys.executable, "-m", "altsel.exploring.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            **own_group(),
        )
        assert program.stdin is not None
        program.stdin.write(SIZE.pack(len(self._packed)) + self._packed)
        program.stdin.flush()
        threading.Thread(target=self._read, args=(program,), daemon=True).start()
        return program

    def _read(self, program: subprocess.Popen[bytes]) -> None:
        """Give each line to whom it is for; when there are no more, tell all who wait."""
        assert program.stdout is not None
        assert program.stdin is not None
        with program.stdout:
            for line in program.stdout:
                event = json.loads(line)
                number = event.pop("number")
                receive = self._waiting.get(number) if "said" in event else self._waiting.pop(number, None)
                if receive is not None:
                    receive(event)
        with self._lock, suppress(OSError):  # what is still to be written
            program.stdin.close()
        program.wait()
        with self._lock:
            if self._program not in (program, None):
                return
            waiting = [*self._waiting.values()]
            self._waiting.clear()
        for receive in waiting:
            receive({"fault": {"kind": "lost", "message": LOST}})

    def _write(self, program: subprocess.Popen[bytes], said: Mapping[str, Any]) -> None:
        assert program.stdin is not None
        line = json.dumps(said).encode() + b"\n"
        with self._lock, suppress(OSError, ValueError):  # it has ended, which its reader tells
            program.stdin.write(line)
            program.stdin.flush()


def _packed(make: Callable[[], Handles]) -> bytes:
    """Pickle what makes a session, with functions of programs that are no modules."""
    try:
        cloudpickle: Any = import_module("joblib.externals.cloudpickle")
    except ImportError:
        cloudpickle = import_module("cloudpickle")
    try:
        return bytes(cloudpickle.dumps(make, protocol=pickle.HIGHEST_PROTOCOL))
    except Exception as fault:  # each object that refuses has errors of its own
        raise ArgumentError(
            f"what is explored cannot be sent to another process: {type(fault).__name__}: {fault}; use "
            "functions of a module that hold no open file, lock or generator"
        ) from fault
