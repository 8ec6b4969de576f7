"""The process that answers: its main thread searches, another one reads, so that a search can be stopped.

Messages are lines of JSON. Stopping is an interrupt of the main thread, as Ctrl-C is: engines end with what
they have. Run as ``python -m altsel.exploring.worker``; what makes the session comes first, pickled.
"""

from __future__ import annotations

import json
import logging
import os
import pickle
import queue
import signal
import struct
import sys
import threading
import warnings
from _thread import interrupt_main
from collections.abc import Callable
from typing import IO, Any

SIZE = struct.Struct(">Q")
"""Number of bytes of what makes the session, before it."""


class Answerer:
    """Answers messages one after another, and stops when it is told to.

    Parameters
    ----------
    handle
        Answers a message; called with what takes news of it.
    send
        Takes what is to be sent.
    """

    def __init__(
        self,
        handle: Callable[[Any, Callable[[dict[str, Any]], None]], dict[str, Any]],
        send: Callable[[dict[str, Any]], None],
    ) -> None:
        self._handle, self._send = handle, send
        self._waiting: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self._stopped: set[int] = set()
        self._lock = threading.Lock()
        self._under_way: int | None = None
        self._may_interrupt = False

    def read(self, lines: IO[bytes]) -> None:
        """Take messages until there are no more; then end the process, whatever it is doing."""
        for line in lines:
            given = json.loads(line)
            if "stop" in given:
                self._stop(int(given["stop"]))
            else:
                self._waiting.put(given)
        os._exit(0)

    def _stop(self, number: int) -> None:
        with self._lock:
            self._stopped.add(number)
            if self._under_way == number:
                _interrupt()

    def run(self) -> None:
        """Answer until the process ends."""
        signal.signal(signal.SIGINT, self._interrupted)
        while (given := self._waiting.get()) is not None:
            number = int(given["number"])
            self._send({"number": number, **self._answered(number, given["message"])})

    def _interrupted(self, *_: object) -> None:
        """Interrupt an answer under way, and nothing else: what comes too late finds nothing to stop."""
        if self._may_interrupt:
            self._may_interrupt = False
            raise KeyboardInterrupt

    def _answered(self, number: int, message: Any) -> dict[str, Any]:
        try:
            try:
                with self._lock:
                    self._under_way, late = number, number in self._stopped
                    self._may_interrupt = not late
                if late:
                    raise KeyboardInterrupt
                return self._handle(message, lambda said: self._send({"number": number, "said": said}))
            finally:
                self._may_interrupt = False
                with self._lock:
                    self._under_way = None
                    self._stopped.discard(number)
        except KeyboardInterrupt:
            return {"fault": {"kind": "stopped", "message": "stopped before anything was found"}}


def _interrupt() -> None:
    """Interrupt the main thread; where signals are, a lock that it waits for is interrupted too."""
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
    else:
        interrupt_main()


def main() -> None:
    """Answer what comes by stdin, to stdout, until stdin ends."""
    warnings.simplefilter("ignore")
    logging.getLogger("pyomo").setLevel(logging.CRITICAL)  # it tells of each model that a stop cuts off
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # what solvers print is no answer
    given = sys.stdin.buffer
    (size,) = SIZE.unpack(given.read(SIZE.size))
    session = pickle.loads(given.read(size))()
    lock = threading.Lock()

    def send(said: dict[str, Any]) -> None:
        line = json.dumps(said, allow_nan=False).encode() + b"\n"
        with lock:
            answers.write(line)

    answerer = Answerer(session.handle, send)
    threading.Thread(target=answerer.read, args=(given,), daemon=True).start()
    answerer.run()


if __name__ == "__main__":
    main()
