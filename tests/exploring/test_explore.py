"""`altsel.explore`: its arguments, and the host that there is."""

from __future__ import annotations

import re
import sys
from types import SimpleNamespace
from typing import Any

import pytest

import altsel
from altsel.errors import ArgumentError
from altsel.exploring import explore as door
from altsel.exploring.subject import Subject
from tests.exploring.tables import data


@pytest.mark.parametrize(
    ("given", "more", "words"),
    [
        ("data.csv", {}, "subject='data.csv'; give an altsel.Dataset"),
        (None, {}, "subject=None"),
        (data(), {"data": data()}, "data= goes with a problem"),
        (data(), {"host": "paper"}, "host='paper'"),
        (data(), {"idle": -1}, "idle=-1"),
        (data(), {"holdout": 0.3}, "holdout=0.3"),
    ],
)
def test_wrong_arguments_are_named(given: Any, more: dict[str, Any], words: str) -> None:
    with pytest.raises(ArgumentError, match=re.escape(words)):
        altsel.explore(given, **more)


def test_there_is_something_to_explore() -> None:
    with pytest.raises(ArgumentError, match="give a Dataset, or a Problem"):
        Subject()


def test_a_browser_is_served_until_nobody_uses_it(capsys: pytest.CaptureFixture[str]) -> None:
    problem = altsel.Problem(altsel.Univariate([3, 2, 1]), k=2)
    assert altsel.explore(problem, open_browser=False, idle=0.01) is None
    assert re.match(r"http://127\.0\.0\.1:\d+/#[\w-]{43}\nCtrl-C ends it\.\n", capsys.readouterr().out)


class ZMQInteractiveShell:
    """Named as the shell of a kernel."""


@pytest.mark.parametrize(
    "module",
    [
        {"IPython": SimpleNamespace(get_ipython=ZMQInteractiveShell)},
        {"marimo": SimpleNamespace(running_in_notebook=lambda: True)},
    ],
)
def test_in_a_notebook_it_is_a_widget(monkeypatch: pytest.MonkeyPatch, module: dict[str, Any]) -> None:
    for name in ("IPython", "marimo"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    assert not door._in_notebook()
    for name, one in module.items():
        monkeypatch.setitem(sys.modules, name, one)
    monkeypatch.setattr("altsel.exploring.widget.widget", lambda subject: subject)
    shown = altsel.explore(data())
    assert isinstance(shown, Subject)
