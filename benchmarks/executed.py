"""A pytest plugin that notes which tests call which functions, or runs chosen tests in an order.

``-p benchmarks.executed`` with the name of a JSON file to write in ``TESTS_RECORD`` (tests that are in it
are not run again), or of one with a list of tests in ``TESTS_CHOSEN``. A compiled loop may call anything of
the files that are compiled with it: such a call is noted as one of ``COMPILED`` of each.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Callable, Generator
from functools import cached_property, wraps
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

from altsel.compiling import Loops

ROOT = str(Path(__file__).parents[1].resolve())
PARTS = (f"{ROOT}/altsel/", f"{ROOT}/models/")
RECORD, CHOSEN = os.environ.get("TESTS_RECORD"), os.environ.get("TESTS_CHOSEN")

COMPILED = "(compiled)"
_called: set[CodeType] = set()
_compiled: set[str] = set()
"""Modules of which compiled loops were called."""
_told: dict[str, dict[str, Any]] = (
    json.loads(Path(RECORD).read_text()) if RECORD and Path(RECORD).exists() else {}
)


def _note(frame: FrameType, event: str, argument: Any) -> None:
    """Note a call; as a trace function that returns None it sees no lines."""
    del event, argument
    if frame.f_code.co_filename.startswith(PARTS):
        _called.add(frame.f_code)


def _noted(loop: Any, modules: tuple[str, ...]) -> Callable[..., Any]:
    """Return a compiled loop that notes its calls, which no trace function sees."""

    @wraps(loop)
    def called(*given: Any) -> Any:
        _compiled.update(modules)
        return loop(*given)

    called.__dict__["py_func"] = loop.py_func
    return called


def _make_noted(loops: Loops[Any]) -> Any:
    """Make compiled loops whose calls are noted."""
    made = loops.make()
    for name, loop in vars(made).items() if made is not None else ():
        if hasattr(loop, "py_func"):
            object.__setattr__(made, name, _noted(loop, loops.sources.modules))
    return made


def pytest_configure() -> None:
    """Note calls of compiled loops, too."""
    if RECORD:
        noted = cached_property(_make_noted)
        noted.__set_name__(Loops, "compiled")
        Loops.compiled = noted  # type: ignore[assignment]


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None]:
    """Note what a test calls, its fixtures included."""
    if not RECORD:
        yield
        return
    _called.clear()
    _compiled.clear()
    threading.settrace(_note)
    sys.settrace(_note)
    yield
    sys.settrace(None)
    threading.settrace(None)
    calls = sorted({f"{_file(code.co_filename)}::{code.co_qualname}" for code in _called})
    calls += [f"{_file(str(sys.modules[name].__file__))}::{COMPILED}" for name in sorted(_compiled)]
    _told.setdefault(item.nodeid, {"seconds": 0.0, "passed": False})["calls"] = calls


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Add up the seconds of a test, and whether all of it passed; one that was broken off has not."""
    one = _told.setdefault(report.nodeid, {"seconds": 0.0, "passed": False, "calls": []})
    one["seconds"] += report.duration
    one["passed"] = report.passed and (one["passed"] or report.when == "call")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the chosen tests, in their order, or those not noted yet."""
    items[:] = [one for one in items if not RECORD or one.nodeid not in _told]
    if CHOSEN:
        index = {name: i for i, name in enumerate(json.loads(Path(CHOSEN).read_text()))}
        items[:] = sorted((one for one in items if one.nodeid in index), key=lambda one: index[one.nodeid])


def pytest_sessionfinish() -> None:
    """Write what was noted."""
    if RECORD:
        Path(RECORD).write_text(json.dumps(_told))


def _file(path: str) -> str:
    return str(Path(path).resolve().relative_to(ROOT))
