"""Lines that only a filter keeps from the terminal."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import pytest

from altsel.solvers.terminal import without

NOISE = b"Cannot set"


def test_only_the_noise_is_dropped(capfd: pytest.CaptureFixture[str]) -> None:
    with without(NOISE):
        os.write(2, b"first\nCannot set a tolerance\nCann")
        os.write(2, b"y\nCannot se")
        os.write(2, b"t another\nlast, without an end")
    os.write(2, b"; after")
    assert capfd.readouterr().err == "first\nCanny\nlast, without an end; after"


def test_threads_may_enter_together(capfd: pytest.CaptureFixture[str]) -> None:
    entered, leave = threading.Event(), threading.Event()

    def inside() -> None:
        with without(NOISE):
            entered.set()
            leave.wait(10)
            os.write(2, b"Cannot set\nkept by the other\n")

    thread = threading.Thread(target=inside)
    with without(NOISE):
        thread.start()
        assert entered.wait(10)
    leave.set()
    thread.join(10)
    os.write(2, b"Cannot set, afterwards\n")
    assert capfd.readouterr().err == "kept by the other\nCannot set, afterwards\n"


def test_nothing_is_left_open() -> None:
    def lowest_free() -> int:
        number = os.dup(2)
        os.close(number)
        return number

    before = lowest_free()
    for _ in range(5):
        with without(NOISE):
            os.write(2, b"Cannot set\n")
    assert lowest_free() == before


@pytest.mark.slow
def test_a_process_without_an_error_stream() -> None:
    use = "from altsel.solvers.terminal import without\nwith without(b'x'): print('fine')"
    program = [sys.executable, "-c", f"import os; os.close(2)\n{use}"]
    message = subprocess.run(program, capture_output=True, text=True, check=True)
    assert message.stdout == "fine\n"


def test_another_stream_put_in_its_place_stays(capfd: pytest.CaptureFixture[str]) -> None:
    kept = os.dup(2)
    try:
        with without(NOISE):
            os.dup2(1, 2)
        os.write(2, b"to the other\n")
    finally:
        os.dup2(kept, 2)
        os.close(kept)
    assert capfd.readouterr() == ("to the other\n", "")
