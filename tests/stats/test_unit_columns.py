"""Columns of wide tables, kept or made again each time, have the correlations of numpy."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from altsel.stats.independence import unit_columns
from altsel.stats.independence.unit_columns import UnitColumns


def table() -> pd.DataFrame:
    random = np.random.default_rng(4)
    found = pd.DataFrame(random.normal(size=(40, 12)), columns=[f"x{j}" for j in range(12)])
    found["count"] = random.integers(0, 9, 40)
    found["byte"] = random.integers(0, 3, 40).astype(np.int8)
    found["size"] = pd.Categorical(random.choice(["s", "m", "l"], 40), ["s", "m", "l"], ordered=True)
    found["huge"] = random.normal(size=40) * 1e170
    found["far"] = 1e9 + random.normal(size=40)
    return found


@pytest.mark.parametrize("held", [1 << 30, 0], ids=["kept", "made again"])
def test_correlations_are_those_of_numpy(held: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unit_columns, "HELD", held)
    monkeypatch.setattr("altsel.data.intake.blocks.CELLS", 5 * 40)  # several blocks
    columns, y = table(), np.random.default_rng(5).normal(size=40)
    matrix = columns.assign(size=columns["size"].cat.codes, huge=columns["huge"] / 1e170, y=y)
    expected = np.corrcoef(matrix.to_numpy(dtype=float), rowvar=False)
    unit = UnitColumns(columns, y)
    assert (unit.width, unit._held is None) == (18, held == 0)
    for index in range(unit.width):
        np.testing.assert_allclose(unit.products(index), expected[index], atol=1e-12)
