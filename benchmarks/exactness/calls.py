"""How altsel is called: with an alarm, without noise, by small or large paths, by solvers that stop."""

from __future__ import annotations

import importlib
import os
import pkgutil
import re
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

import altsel
import altsel.exact
import altsel.search
from altsel.exact.sources.every_set import engine as all_sets
from altsel.exact.sources.plain_sum import chain, race
from altsel.exact.sources.quadratic import branch_and_bound, branching

SECONDS, GRACE = 40, 10
"""Wall time after which a call is interrupted, and after which it is given up."""
USUAL = all_sets.MOST_SETS


class SlowError(BaseException):
    """A call was not back long after it was interrupted."""


@dataclass(frozen=True)
class Attempt:
    """How a call ended: ``fine`` with a result, ``refused``, ``slow`` or ``crash`` with a text."""

    ended: str
    result: Any = None
    text: str = ""
    printed: str = ""


@cache
def installed() -> frozenset[str]:
    """Name the solvers that are there."""
    return frozenset({"auto"} | {profile.name for profile in altsel.profiles() if profile.version})


def attempt(call: Callable[[], Any]) -> Attempt:
    """Call altsel, and tell how it ended."""
    alarms: list[float] = []

    def ring(number: int, frame: FrameType | None) -> None:
        alarms.append(number)
        signal.alarm(GRACE)
        raise SlowError if len(alarms) > 1 else KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(SECONDS)
    try:
        with _silenced() as noise:
            ended = _ended(call, alarms)
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
    return Attempt(*ended, printed="".join(noise))


def _ended(call: Callable[[], Any], alarms: list[float]) -> tuple[str, Any, str]:
    try:
        result = call()
    except altsel.AltselError as fault:
        return "refused", None, f"{type(fault).__name__}: {fault}"
    except (KeyboardInterrupt, SlowError) as fault:
        if not alarms:
            raise
        return "slow", None, f"{type(fault).__name__} after {SECONDS} s at {_where(fault)}"
    except Exception as fault:
        return "crash", None, f"{type(fault).__name__}: {fault} at {_where(fault)}"
    return ("slow" if alarms else "fine"), result, f"interrupted after {SECONDS} s" if alarms else ""


def _where(fault: BaseException) -> str:
    frames = traceback.extract_tb(fault.__traceback__)[-6:]
    return " < ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in reversed(frames))


@contextmanager
def _silenced() -> Iterator[list[str]]:
    """Keep what solvers print, also from C, away from the terminal; give it as text afterwards."""
    noise: list[str] = []
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    saved = [os.dup(1), os.dup(2)]
    with tempfile.TemporaryFile() as sink:
        try:
            os.dup2(sink.fileno(), 1)
            os.dup2(sink.fileno(), 2)
            yield noise
        finally:
            for stream in (sys.stdout, sys.stderr):
                stream.flush()
            for number, copy in zip((1, 2), saved, strict=True):
                os.dup2(copy, number)
                os.close(copy)
            sink.seek(0)
            noise.append(sink.read(400).decode(errors="replace"))


@contextmanager
def mode(name: str) -> Iterator[None]:
    """Take the paths of large problems.

    ``nopool`` lists no pool, ``nolist`` nothing at all; ``convex`` lists no pool, and leaves quadratic forms
    after one node of the first branch and bound to convex programs; ``raced`` lets chains of plain sums
    change between ways to search, and shorten their lists, all the time.
    """
    held: dict[str, tuple[float, float]] = {} if name == "auto" else {"MOST_SETS": (USUAL, 0)}
    if name == "raced":
        held = {"PLAIN_SHARE": (race.PLAIN_SHARE, 60), "COMPILED_SHARE": (race.COMPILED_SHARE, 60)}
        held |= {"FEWEST_KEPT": (chain.FEWEST_KEPT, 2), "FEWEST_ALONE": (chain.FEWEST_ALONE, 0)}
    if name == "convex":
        held["MOST_PLAIN"] = (branching.MOST_PLAIN, -1)
        held["MOST_IF_FAR"] = (branching.MOST_IF_FAR, -1)
        held["AT_ONCE"] = (branch_and_bound.AT_ONCE, 0.0)
        held["MOST_AT_LAST"] = (branch_and_bound.MOST_AT_LAST, 0.0)
    changed = [
        (module, constant)
        for constant, (usual, _) in held.items()
        for module in _modules()
        if getattr(module, constant, None) == usual
        and (constant != "MOST_SETS" or module is all_sets or name == "nolist")
    ]
    for module, constant in changed:
        vars(module)[constant] = held[constant][1]
    try:
        yield
    finally:
        for module, constant in changed:
            vars(module)[constant] = held[constant][0]


@cache
def _modules() -> list[Any]:
    packages = (altsel.exact, altsel.search)
    found = [
        walk_package
        for each in packages
        for walk_package in pkgutil.walk_packages(each.__path__, f"{each.__name__}.")
    ]
    return [importlib.import_module(subset.name) for subset in found if not subset.ispkg]


def kind_of(text: str) -> str:
    """Shorten a message to its kind: without numbers and names of features."""
    return re.sub(r"x#(, x#)*", "x#", re.sub(r"-?\d+(\.\d+)?(e[-+]?\d+)?", "#", text))[:150]
