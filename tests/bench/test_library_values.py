"""Best known values of the library of questions only improve."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from benchmarks.library.models import best_known, improved, solu


def test_a_poorer_run_takes_nothing_back(tmp_path: Path) -> None:
    path = tmp_path / "library.solu"
    path.write_text("=opt= a 2\n=best= b 3.5\n=best= c 1\n=inf= d\n=best= gone 1\n", "utf-8")
    runs = pd.DataFrame(
        {
            "name": ["a", "b", "c", "d"],
            "solver": "auto",
            "status": ["feasible", "feasible", "feasible", "time"],
            "objective_value": [1.5, 3.0, 1.25, float("nan")],
        }
    )
    lines = list(solu(improved(best_known(runs), path)))
    assert lines == ["=opt= a 2", "=best= b 3.5", "=best= c 1.25", "=inf= d"]
    proved = runs.assign(status="proved", objective_value=[2.0, 3.6, 1.25, 1.0])
    assert list(solu(improved(best_known(proved), path)))[1] == "=opt= b 3.6"
