"""The process that answers: stopped when it is told to, and not a moment after."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from altsel.errors import ArgumentError
from altsel.exploring.process import Process


class Slow:
    """Answers that take as long as a test wants, and say so when they begin."""

    def handle(self, message: Any, tell: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
        """Sleep, fail, end the process, or answer."""
        if message == "end":
            os._exit(3)
        if message == "print":
            os.write(1, b"a solver prints\n")
        try:
            tell({"begun": message})
            time.sleep(60 if message in {"sleep", "search"} else 0)
        except KeyboardInterrupt:
            if message == "sleep":
                raise
            return {"answer": "what was found until then"}
        return {"answer": message}


@pytest.fixture(scope="module")
def process() -> Iterator[Process]:
    made = Process(Slow)
    yield made
    made.close()


def events_of(process: Process, message: Any) -> tuple[int, list[dict[str, Any]], threading.Event]:
    """Send a message; return its number, what comes, and what is set once it is answered."""
    events, done, begun = list[dict[str, Any]](), threading.Event(), threading.Event()

    def receive(event: dict[str, Any]) -> None:
        events.append(event)
        (begun if "said" in event else done).set()

    number = process.number()
    process.send(message, receive, number)
    assert done.wait(60) if message == "end" else begun.wait(60)
    return number, events, done


@pytest.mark.parametrize("message", ["search", "sleep"])
def test_an_answer_under_way_is_stopped(process: Process, message: str) -> None:
    number, events, done = events_of(process, message)
    process.stop(number)
    assert done.wait(60)
    kept = {"answer": "what was found until then"}
    stopped = {"fault": {"kind": "stopped", "message": "stopped before anything was found"}}
    assert events[-1] == (kept if message == "search" else stopped)
    assert process.answer("next") == {"answer": "next"}


def test_one_that_waits_is_stopped_before_it_begins_and_others_go_on(process: Process) -> None:
    first, _, first_done = events_of(process, "search")
    waiting, later = process.number(), list[dict[str, Any]]()
    answered = threading.Event()

    def receive(event: dict[str, Any]) -> None:
        later.append(event)
        answered.set()

    process.send("waits", receive, waiting)
    process.stop(waiting)
    process.stop(first)
    assert first_done.wait(60)
    assert answered.wait(60)
    assert [one["fault"]["kind"] for one in later] == ["stopped"]
    process.stop(first)  # too late: it stops nothing
    assert process.answer("next") == {"answer": "next"}


@pytest.mark.slow
def test_a_process_that_ends_is_told_and_started_again(process: Process) -> None:
    _, events, _ = events_of(process, "end")
    assert events[-1]["fault"]["kind"] == "lost"
    assert process.answer("again") == {"answer": "again"}


def test_what_is_printed_is_no_answer(process: Process) -> None:
    said: list[Any] = []
    assert process.answer("print", said.append) == {"answer": "print"}
    assert said == [{"begun": "print"}]


@pytest.mark.slow
def test_it_ends_with_its_parent(tmp_path: Path) -> None:
    made = Process(Slow)
    _, _, _ = events_of(made, "search")
    program = made._program
    assert program is not None
    made.close()
    assert program.poll() is not None


@pytest.mark.slow
def test_what_cannot_be_sent_is_one_error() -> None:
    with pytest.raises(ArgumentError, match="cannot be sent to another process"):
        Process(partial(Slow.handle, threading.Lock()))  # type: ignore[arg-type]
