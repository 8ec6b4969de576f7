"""A scan reads a file as a data set does: kinds, levels and ranges, and what both refuse."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import altsel
from altsel.data import columns
from altsel.data.scanning import partitions
from altsel.data.schema import FEW_LEVELS
from altsel.errors import DataError


def described(data: Any) -> dict[str, Any]:
    """Return kind and levels of each feature; of numbers of many values the range."""
    if isinstance(data, altsel.Dataset):
        levels = {name: list(columns.levels(data.X[name])) for name in data.features}
        spans = {name: [one[0], one[-1]] if len(one) > FEW_LEVELS else one for name, one in levels.items()}
        return {name: (data.kinds[name].value, spans[name]) for name in data.features}
    seen = data.survey.tallies
    return {
        one.name: (
            one.kind.value,
            [seen[one.name].low, seen[one.name].high] if one.levels is None else list(one.levels),
        )
        for one in data.layout.columns[:-1]
    }


def written(values: list[str], path: Path) -> Path:
    rows = (f"{values[i % len(values)]},{i % 3},{i // 2 % 2}" for i in range(6 * len(values)))
    path.write_text("\n".join(["f,g,y", *rows]) + "\n")
    return path


COLUMNS = {
    "words beside 1 and 0": ["true", "1", "false", "0"],
    "a word beside 1": ["True", "1"],
    "words": ["true", "false"],
    "words of any letters": ["tRUE", "FALSE", "true", "fAlse"],
    "ones": ["1", "0"],
    "hexadecimal": ["0x10", "0x11"],
    "hexadecimal beside decimal": ["0x10", "7", "12"],
    "hexadecimal of capitals": ["0XAB", "-0x3", "5"],
    "extreme numbers": [str(i / 20 * 1.7e308) for i in range(-20, 20)],
    "extreme numbers with fractions": ["1.7e308", "-1.7e308", *(str(i + 0.5) for i in range(30))],
}


@pytest.mark.parametrize("name", COLUMNS)
@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.filterwarnings("ignore::altsel.DataWarning")
def test_a_csv_file(name: str, packed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(partitions, "CSV_BLOCK", 40)  # so that an x may come in a block of its own
    path = written(COLUMNS[name], tmp_path / "table.csv")
    if packed:
        pd.read_csv(path, dtype=str).to_csv(path := tmp_path / "table.csv.gz", index=False)
    assert described(altsel.Dataset.scan(path, "y")) == described(altsel.Dataset(path, "y"))


@pytest.mark.parametrize("bins", [None, 4])
def test_numbers_whose_sum_and_range_are_none(bins: int | None) -> None:
    random = np.random.default_rng(0)
    frame = pd.DataFrame({"f": random.uniform(-1, 1, 60) * 1.7e308, "g": random.normal(size=60)})
    frame = frame.assign(y=(frame.g > 0).astype(int))
    scan = altsel.Dataset.scan(pa.Table.from_pandas(frame), "y", bins=bins)
    expected = np.corrcoef(frame.f / 1e300, frame.y)[0, 1]
    assert scan.statistics().correlations[0, -1] == pytest.approx(expected)
    if bins is not None:
        same = altsel.data.binned(altsel.Dataset(frame, "y"), bins)
        assert scan.statistics().totals(0).tolist() == np.bincount(same.X.f).tolist()


@pytest.mark.parametrize("kind", ["binary", "large_binary"])
def test_text_that_is_stored_as_bytes(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "table.parquet"
    text = ["ä", "b", "c"] * 8
    made = pa.table({"f": pa.array([one.encode() for one in text], kind), "y": [0, 1] * 12})
    pq.write_table(made, path)
    for data in (altsel.Dataset(path, "y"), altsel.Dataset.scan(path, "y")):
        assert described(data) == {"f": ("categorical", ["b", "c", "ä"])}
    pq.write_table(
        pa.table({"f": pa.array([b"\xff", b"b"] * 12, kind), "g": range(24), "y": [0, 1] * 12}), path
    )
    for make in (altsel.Dataset, altsel.Dataset.scan):
        with pytest.raises(
            DataError, match=r"column 'f' holds bytes that are no text in UTF-8; leave it out"
        ):
            make(path, "y")
        assert make(path, "y", drop=["f"]).features == ("g",)


@pytest.mark.parametrize("other", [[0.5, 1.0], [3, 4]])
def test_true_and_false_in_one_file_and_numbers_in_another(other: list[float], tmp_path: Path) -> None:
    for name, values in (("a", [True, False]), ("b", other)):
        pq.write_table(pa.table({"f": values * 6, "y": [0, 0, 1, 1] * 3}), tmp_path / f"{name}.parquet")
    with pytest.raises(
        DataError, match=r"column 'f' holds (numbers|integers) here and true and false before; in .*b"
    ):
        altsel.Dataset.scan(tmp_path, "y")
