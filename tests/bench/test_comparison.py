"""Comparisons of solvers: means, virtual best and steps by hand, tables for papers, contradictions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import altsel
from altsel.bench import comparison, contradictions, shifted_geometric_mean, summary
from altsel.bench.comparison import INSTANCE, as_latex, steps

PLAIN: dict[str, Any] = {**dict.fromkeys(INSTANCE, "x"), "tau": 0.5, "alternatives": 1, "time_limit": 63.0}


def run(name: str, solver: str, status: str, cpu: float, value: float | None = None) -> dict[str, Any]:
    more = {"name": name, "solver": solver, "status": status, "cpu": cpu, "objective_value": value}
    return {**PLAIN, **more, "message": ""}


def test_means_and_the_virtual_best_by_hand() -> None:
    runs = pd.DataFrame(
        [
            run("one", "a", "proved", 1.0, 2.0),
            run("one", "b", "proved", 7.0, 2.0),
            run("two", "a", "feasible", 63.5, 3.0),  # counts with its limit, 63
            run("two", "b", "proved", 1.0, 3.0),
            run("three", "a", "proved", 1.0, 3.0),  # b did not run it
        ]
    )
    table = comparison(runs)
    assert list(table.index) == ["virtual best", "b", "a"]
    assert table["instances"].tolist() == [2, 2, 2]
    assert table["solved"].tolist() == [2, 2, 1]
    # virtual best: 1, 1; b: (8 * 2)^(1/2) - 1; a: (2 * 64)^(1/2) - 1
    assert table["seconds"].tolist() == pytest.approx([1.0, 3.0, 128**0.5 - 1])
    assert table["ratio"].tolist() == pytest.approx([1 / 3, 1.0, (128**0.5 - 1) / 3])
    assert table["fastest"].tolist() == [2, 1, 1]
    assert table["alone"].tolist() == [0, 1, 0]
    text = as_latex(table)
    assert r"b & 2 & 2 & 3.00 & 1.00 & 1 & 1 \\" in text
    assert text.count("rule\n") == 3
    assert "| b | 2 | 2 | 3.00 | 1.00 | 1 | 1 |" in summary(runs)


def test_one_solver_has_no_virtual_best_and_its_name_is_masked() -> None:
    table = comparison(pd.DataFrame([run("one", "highs:mip_rel_gap=0", "proved", 1.0)]))
    assert list(table.index) == ["highs:mip_rel_gap=0"]
    assert r"highs:mip\_rel\_gap=0 & 1" in as_latex(table)


def test_steps_by_hand() -> None:
    times = pd.DataFrame({"a": [1.0, 4.0, np.inf], "b": [2.0, 2.0, np.inf]})
    table = steps(times)
    assert table["factor"].tolist() == [1.0, 2.0]
    assert table["a"].tolist() == table["b"].tolist() == pytest.approx([1 / 3, 2 / 3])


def test_contradictions_are_reported() -> None:
    runs = pd.DataFrame(
        [
            run("one", "a", "proved", 1.0, 2.0),
            run("one", "b", "proved", 1.0, 2.0 + 1e-9),
            run("two", "a", "proved", 1.0, 2.0),
            run("two", "b", "proved", 1.0, 2.1),
            run("three", "a", "infeasible", 1.0),
            run("three", "b", "feasible", 1.0, 2.1),
        ]
    )
    found = list(contradictions(runs))
    assert len(found) == 2
    assert found[0] == "two: proved optima differ: 2 by a, 2.1 by b"
    assert found[1] == "three: infeasible by a, and has a solution by b"
    assert "**Solvers contradict each other**" in summary(runs)


def test_means_of_nothing_are_refused() -> None:
    with pytest.raises(altsel.ArgumentError, match="shift"):
        shifted_geometric_mean(np.array([]))
    with pytest.raises(altsel.ArgumentError, match="shift=0"):
        shifted_geometric_mean(np.array([1.0]), shift=0)
