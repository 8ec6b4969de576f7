"""Progress: loops say how long the rest takes, and parts of a search do not speak for the whole."""

from __future__ import annotations

import logging
import re
import sys
from typing import Any

import numpy as np
import pandas as pd
import pytest

import altsel
from altsel import Dice, Problem, RelativeLoss, Univariate
from altsel.runtime import progress as progress_module
from altsel.runtime.progress import counted


def test_a_long_loop_says_how_far_it_is(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    seconds = iter([0.0, 0.0, 1.0, 3.0, 4.0, 6.0])
    monkeypatch.setattr("altsel.runtime.progress.time.perf_counter", lambda: next(seconds))
    with caplog.at_level("INFO", "altsel"):
        assert list(counted("abcde", 5, "letters")) == list("abcde")
    message = [record.getMessage() for record in caplog.records]
    assert message == [
        "letters: 2 of 5, 40 a minute, about 4 s left",
        "letters: 4 of 5, 40 a minute, about 2 s left",
    ]


@pytest.mark.parametrize("kind", ["numbers", "neighbours", "categories", "relief", "function"])
def test_relevances_and_redundancies_show_progress(
    kind: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(progress_module, "FIRST", 0.0)
    monkeypatch.setattr(progress_module, "EVERY", 0.0)
    monkeypatch.setattr("altsel.stats.discrete.entropies.BLOCK_BYTES", 8 * 30**2)
    monkeypatch.setattr(sys.modules["altsel.stats.dependence.relief"], "CHUNK", 100)
    monkeypatch.setattr("altsel.stats.dependence.neighbours.blocks.WIDTH", 2)
    monkeypatch.setattr(sys.modules["altsel.stats.dependence.association"], "CELLS", 4)
    rng = np.random.default_rng(0)
    table = (
        np.char.add("v", rng.integers(0, 20, (80, 4)).astype(str))
        if kind == "categories"
        else rng.normal(size=(80, 4))
    )
    data = altsel.Dataset(pd.DataFrame(table, columns=list("abcd")), rng.integers(0, 2, 80))
    measure: Any = {
        "neighbours": altsel.measures.mutual_information,
        "relief": altsel.measures.relief,
        "function": lambda a, b: float(abs(a @ b)),
    }.get(kind)
    with caplog.at_level("INFO", "altsel"):
        found = altsel.dependence(data, measure)
        if kind != "relief":
            _ = found.redundancy
    message = " ".join(record.getMessage() for record in caplog.records)
    assert re.search(r"\d+ of \d+, [\d,.]+ a second, about \d+ s left", message), message


def test_searches_inside_others_do_not_report_their_ends(caplog: pytest.LogCaptureFixture) -> None:
    problem = Problem(Univariate([5, 4, 4, 3]), k=2)
    with caplog.at_level(logging.INFO, "altsel"):
        altsel.pareto_front(problem, Dice(0))
        altsel.most_different(problem, Dice(0), 1, RelativeLoss(0.25))
        altsel.explain(problem, Dice(1), 3)
    message = [record.getMessage() for record in caplog.records]
    assert message
    assert not [one for one in message if "of 1:" in one or "sets together" in one]
    caplog.clear()
    with caplog.at_level(logging.INFO, "altsel"):
        altsel.sequential(problem, Dice(0.5), 1)
    assert "set 1 of 2" in caplog.text
