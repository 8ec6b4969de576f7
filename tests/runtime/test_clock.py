"""Clocks: limits of calls are seconds that pass, turns of engines are CPU seconds."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

import pytest

from altsel.runtime import clock as clock_module
from altsel.runtime.clock import OutOfTimeError, clock, grace, limited, turn


@dataclass
class Times:
    """Stands for ``time``: the test says what has passed."""

    wall: float = 100.0
    cpu: float = 10.0

    def perf_counter(self) -> float:
        return self.wall

    def process_time(self) -> float:
        return self.cpu


@pytest.fixture
def times(monkeypatch: pytest.MonkeyPatch) -> Times:
    given = Times()
    monkeypatch.setattr(clock_module, "time", given)
    return given


def test_a_limit_is_seconds_that_pass(times: Times) -> None:
    with limited(5), limited(8):
        times.wall, times.cpu = 104.0, 200.0
        assert clock().left == 1
        times.wall = 105.0
        assert clock().over
        with pytest.raises(OutOfTimeError):
            clock().check()


def test_a_turn_is_seconds_of_work(times: Times) -> None:
    with turn(2):
        times.wall = 1e9  # other processes had the machine
        assert clock().left == 2
        times.cpu = 11.5
        assert clock().left == 0.5
        with turn(3), limited(60):  # no longer than the turn it is part of
            assert clock().left == 0.5
        times.cpu = 12.0
        assert clock().over
    assert clock().left == inf


def test_a_turn_takes_a_part_of_the_time_that_is_left(times: Times) -> None:
    with limited(8):
        with turn(60, 1 / 4):
            assert clock().left == 2
        with turn(1, 1 / 4):
            assert clock().left == 1
        times.wall = 109.0
        with turn(60, 1 / 4):
            assert clock().over


def test_grace_is_seconds_of_work(times: Times) -> None:
    with limited(1):
        times.wall = 1e9
        with grace(0.5):
            assert clock().left == 0.5
            times.cpu = 10.5
            assert clock().over


def test_an_interrupt_holds_in_what_a_stopped_call_begins(times: Times) -> None:
    with limited(5) as outer:
        with turn(1) as inner:
            inner.note(KeyboardInterrupt())
        assert outer.interrupted
        with turn(1), pytest.raises(KeyboardInterrupt):
            clock().check()
