"""Scans: the same kinds, levels, edges and counts as a Dataset of the same rows, however they are divided."""

from __future__ import annotations

import gc
import itertools
import os
import signal
import subprocess
import sys
import time
from functools import partial
from multiprocessing.pool import ThreadPool
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import altsel
from altsel.data import Scan, Statistics, binned
from altsel.data.columns import codes
from altsel.data.scanning import key_counts
from altsel.data.scanning.joint_counts import JointCounts
from altsel.data.scanning.passes import coded_columns
from altsel.errors import DataError
from tests.loops import choose_loops

BINS = 3


def table(rows: int, seed: int) -> pd.DataFrame:
    """Columns of all kinds, the first two rows such that none is constant."""
    random = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "few": random.integers(-1, 3, rows),
            "text": random.choice(["b", "a", "ünï"], rows),
            "logic": random.random(rows) < 0.5,
            "half": random.choice([0.5, 1.5, 2.5], rows),
            "ties": random.normal(size=rows).round(1),
            "many": random.integers(0, 10**6, rows),
            "x.y": random.normal(size=rows) * 10.0 ** random.integers(-3, 4),
            "y": random.choice(["no", "yes"], rows),
        }
    )
    frame.iloc[:2, 0], frame.iloc[:2, 1] = [0, 1], ["a", "b"]
    frame.loc[:1, "logic"], frame.loc[:1, "y"] = [True, False], ["no", "yes"]
    frame.loc[:1, "half"], frame.loc[:1, "ties"] = [0.5, 1.5], [-9.0, 9.0]
    return frame


def counted(data: altsel.Dataset) -> dict[str, Any]:
    """Codes of the columns of a data set whose columns are all discrete."""
    return {**{name: codes(data.X[name]) for name in data.features}, data.target: codes(data.y)}


def same_tables(statistics: Statistics, data: altsel.Dataset) -> None:
    columns = counted(data)
    assert (*statistics.features, statistics.target) == tuple(columns)
    for a, b in itertools.product(columns, repeat=2):
        cells = np.zeros((columns[a].max() + 1, columns[b].max() + 1), dtype=int)
        np.add.at(cells, (columns[a], columns[b]), 1)
        np.testing.assert_array_equal(statistics.table(a, b), cells)


@settings(max_examples=8, deadline=None)
@given(
    rows=st.integers(8, 120),
    seed=st.integers(0, 10**6),
    cuts=st.lists(st.integers(0, 120), max_size=4),
    batch=st.integers(1, 50),
)
@pytest.mark.filterwarnings("ignore::altsel.DataWarning")
@pytest.mark.slow
def test_counts_and_kinds_are_those_of_rows_in_memory(
    rows: int, seed: int, cuts: list[int], batch: int
) -> None:
    frame = table(rows, seed)
    ends = [0, *sorted(min(cut, rows) for cut in cuts), rows]
    parts = [pa.Table.from_pandas(frame[a:b], preserve_index=False) for a, b in itertools.pairwise(ends)]
    batches = [one for part in parts for one in part.to_batches()] + [
        parts[0].schema.empty_table().to_batches()
    ]
    batches = [one for one in batches if isinstance(one, pa.RecordBatch)]
    plain = altsel.Dataset(frame, "y")
    scan = altsel.Dataset.scan(batches, "y", batch_rows=batch)
    assert (scan.features, scan.kinds, scan.task) == (plain.features, plain.kinds, plain.task)
    assert (scan.classes, scan.constant, scan.rows) == (plain.classes, plain.constant, rows)
    assert scan.discrete().tolist() == plain.discrete().tolist()
    data = binned(plain, BINS)
    scan = altsel.Dataset.scan(batches, "y", bins=BINS, batch_rows=batch)
    same_tables(scan.statistics(), data)
    own = counted(data)
    for table_, other in zip(scan.joint.tables([1], [0, 2]), [own], strict=True):
        used = [other[name] for name in (scan.features[1], scan.features[0], scan.features[2])]
        cells = np.zeros([one.max() + 1 for one in used], dtype=int)
        np.add.at(cells, tuple(used), 1)
        np.testing.assert_array_equal(table_, cells.reshape(len(cells), -1))


@pytest.fixture
def frame() -> pd.DataFrame:
    return table(300, 5)


def written(frame: pd.DataFrame, folder: Path, parts: int = 3, **changes: Any) -> Path:
    """Write the rows to Parquet files, the text of each with a dictionary of its own."""
    folder.mkdir(exist_ok=True)
    for number, rows in enumerate(np.array_split(np.arange(len(frame)), parts)):
        part = frame.iloc[rows].copy()
        if number:
            part["text"] = part["text"].astype("category")
        made = pa.Table.from_pandas(part.assign(**changes), preserve_index=False)
        pq.write_table(made, folder / f"part{number}.parquet", row_group_size=40)
    return folder


@pytest.mark.slow
def test_files_folders_patterns_and_what_hands_over_batches(frame: pd.DataFrame, tmp_path: Path) -> None:
    folder = written(frame, tmp_path / "data")
    (folder / "_SUCCESS").write_text("")
    csv = tmp_path / "rows.csv.gz"
    frame.to_csv(csv, index=False)
    whole = pa.Table.from_pandas(frame, preserve_index=False)
    sources = [
        folder,
        str(folder / "*.parquet"),
        sorted(folder.glob("*.parquet")),
        csv,
        whole,
        whole.to_batches(max_chunksize=7),
        lambda: iter(whole.to_batches(max_chunksize=7)),
        lambda: whole.to_reader(max_chunksize=9),
    ]
    found = {altsel.Dataset.scan(source, "y", bins=BINS).fingerprint for source in sources}
    assert len(found) == 1
    same_tables(
        altsel.Dataset.scan(csv, "y", bins=BINS).statistics(), binned(altsel.Dataset(frame, "y"), BINS)
    )


def test_partitions_are_done_by_workers(frame: pd.DataFrame, tmp_path: Path) -> None:
    folder = written(frame, tmp_path / "data")
    alone = altsel.Dataset.scan(folder, "y", bins=BINS)
    with joblib.parallel_config("threading", n_jobs=2):
        scan = altsel.Dataset.scan(folder, "y", bins=BINS)
        assert scan.fingerprint == alone.fingerprint
        np.testing.assert_array_equal(scan.statistics().correlations, alone.statistics().correlations)
        for mine, other in zip(
            scan.joint.tables([2, 3], [0, 1]), alone.joint.tables([2, 3], [0, 1]), strict=True
        ):
            np.testing.assert_array_equal(mine, other)


def test_a_csv_column_that_widens_late(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("altsel.data.scanning.partitions.CSV_BLOCK", 200)
    frame = pd.DataFrame({"a": [1] * 150 + [2.5, 3] * 2, "b": [7, 8] * 75 + ["x", 9] * 2, "y": [0, 1] * 77})
    frame["b"] = frame["b"].astype(str)
    frame["a"] = [f"{value:g}" for value in frame["a"]]
    frame.to_csv(tmp_path / "late.csv", index=False)
    with pytest.warns(altsel.DataWarning, match="by the first rows, 'b' holds numbers, and 'x'"):
        scan = altsel.Dataset.scan(tmp_path / "late.csv", "y")
    assert {name: kind.value for name, kind in scan.kinds.items()} == {"a": "continuous", "b": "categorical"}
    assert scan.statistics().table("b", "y").sum() == len(frame)


def test_declared_kinds_orders_and_drops(frame: pd.DataFrame) -> None:
    kinds: Any = {"text": ["ünï", "b", "a"], "many": "count", "few": "ordinal", "y": ["yes", "no"]}
    data = altsel.Dataset(frame, "y", kinds=kinds, drop=["logic"])
    scan = altsel.Dataset.scan(pa.table(frame), "y", kinds=kinds, drop=["logic"])
    assert (scan.kinds, scan.target_kind, scan.classes) == (data.kinds, data.target_kind, data.classes)
    np.testing.assert_allclose(
        scan.statistics().correlations[1, [0, 2, 3]],
        np.asarray(np.corrcoef(data.matrix().T))[1, [0, 2, 3]],
        rtol=1e-12,
    )
    again = scan.with_bins(4)
    assert (again.kinds, again.bins, scan.bins) == (scan.kinds, 4, None)
    for wrong, message in (
        ({"absent": "ordinal"}, "'absent'"),
        ({"text": "count"}, "'text' holds categories"),
    ):
        with pytest.raises(altsel.ArgumentError, match=message):
            altsel.Dataset.scan(pa.table(frame), "y", kinds=wrong)


def test_rows_that_lack_values(frame: pd.DataFrame, tmp_path: Path) -> None:
    frame.loc[[7, 250], "ties"] = np.nan
    frame.loc[251, "text"] = None
    folder = written(frame, tmp_path / "data")
    with pytest.raises(DataError, match=r"missing values in 'ties' \(1\) of .*part0\.parquet.*rows 0 to 39"):
        altsel.Dataset.scan(folder, "y")
    with pytest.warns(altsel.DataWarning, match=r"297 of 300 rows left: .*'ties' \(2\), 'text' \(1\)$"):
        scan = altsel.Dataset.scan(folder, "y", bins=BINS, missing="drop rows")
    assert (scan.rows, scan.dropped) == (297, 3)
    with pytest.warns(altsel.DataWarning, match="297 of 300 rows left"):
        held = altsel.Dataset(frame, "y", missing="drop rows")
    same_tables(scan.statistics(), binned(held, BINS))
    assert len(scan.sample(290).y) == 290


@pytest.mark.parametrize("lost", [20, 80])
def test_rows_without_a_target_are_told_apart(frame: pd.DataFrame, tmp_path: Path, lost: int) -> None:
    frame["y"] = frame["y"].astype(object)
    frame.loc[frame.index[:150], "y"] = None
    frame.loc[frame.index[-lost:], "ties"] = np.nan
    said = []
    for read, source in ((altsel.Dataset, frame), (altsel.Dataset.scan, written(frame, tmp_path / "data"))):
        if lost == 80:
            with pytest.raises(
                DataError, match=r"70 of 300 rows would be left: .*'y' \(150\), 'ties' \(80\)"
            ) as no:
                read(source, "y", missing="drop rows")
            said.append(str(no.value).rpartition("or mean it")[2])
            continue
        with pytest.warns(altsel.DataWarning, match="130 of 300 rows left") as notes:
            read(source, "y", missing="drop rows")
        said.append(next(str(one.message) for one in notes if "rows left" in str(one.message)))
    assert said[0] == said[1]
    assert ("rows_lost=0.54" if lost == 80 else "150 have no target") in said[0]


def test_a_scan_offers_only_what_it_can_do(tmp_path: Path) -> None:
    r = np.random.default_rng(0)
    frame = pd.DataFrame({"x": r.normal(size=200), "y": r.integers(0, 2, 200)})
    frame["price"] = [f"{value} €" for value in r.integers(1, 60, 200)]
    frame["crp"] = ["<0.5" if value < 0.5 else f"{value:.1f}" for value in r.exponential(3, 200)]
    frame.to_csv(tmp_path / "all.csv", index=False)
    with pytest.warns(altsel.DataWarning) as notes:
        altsel.Dataset.scan(tmp_path / "all.csv", "y", bins=BINS)
    said = " ".join(str(one.message) for one in notes)
    for fix in (
        "--no-scan --kind price=numeric",
        "--no-scan --kind crp=half-limit",
        "altsel.Dataset(…, kinds=",
    ):
        assert fix in said
    kinds = {"price": "numeric", "crp": "half-limit"}
    with pytest.raises(altsel.ArgumentError, match=r"'numeric'\}, .*'half-limit'\}, thousands=.*--no-scan"):
        altsel.Dataset.scan(
            tmp_path / "all.csv", "y", kinds=kinds, reading=altsel.data.Reading(thousands=",")
        )


@pytest.mark.parametrize("nothing", [pa.null(), pa.float64(), pa.string(), pa.int64()])
@pytest.mark.parametrize("first", [False, True])
def test_a_file_in_which_a_column_has_no_values(
    nothing: pa.DataType, first: bool, frame: pd.DataFrame, tmp_path: Path
) -> None:
    whole = pa.Table.from_pandas(frame, preserve_index=False)
    lacks: dict[str, pa.Table] = {}
    for name in ("text", "ties"):
        j = whole.column_names.index(name)
        lacks[name] = whole.slice(0, 50).set_column(j, name, pa.nulls(50, nothing))
    for number, part in enumerate([*lacks.values(), whole] if first else [whole, *lacks.values()]):
        pq.write_table(part, tmp_path / f"part{number}.parquet")
    with pytest.raises(DataError, match=r"300 of 400 rows would be left.*--rows-lost 0.25"):
        altsel.Dataset.scan(tmp_path, "y", missing="drop rows")
    with pytest.warns(altsel.DataWarning, match="300 of 400 rows left"):
        scan = altsel.Dataset.scan(tmp_path, "y", bins=BINS, missing="drop rows", rows_lost=0.25)
    same_tables(scan.statistics(), binned(altsel.Dataset(frame, "y"), BINS))
    assert (scan.rows, scan.dropped, len(scan.sample(300).y)) == (300, 100, 300)
    table_ = next(iter(scan.joint.tables([1], [4, 7])))
    assert table_.sum() == 300
    with pytest.raises(DataError, match=r"missing values in 'text' \(50\)"):
        altsel.Dataset.scan(tmp_path, "y")


BAD: dict[str, tuple[Any, str]] = {
    "an ordered dictionary": (
        pd.Categorical(["a", "b"] * 50, ordered=True),
        "'bad' holds ordered categories",
    ),
    "lists": ([[1], [2]] * 50, "'bad' holds list"),
    "infinity": ([1.0, np.inf] * 50, "infinite values in 'bad'.*part1"),
    "nothing": ([None] * 100, r"missing values in 'bad' \(40\) of .*part1"),
    "another family": (["a", "b"] * 50, "column 'bad' holds categories here and integers before.*part1"),
    "large integers": ([2**60 + j for j in range(100)], "'bad' hold integers beyond 2"),
}


@pytest.mark.parametrize("case", BAD)
def test_what_a_later_file_must_not_hold(case: str, frame: pd.DataFrame, tmp_path: Path) -> None:
    values, message = BAD[case]
    frame["bad"] = np.arange(300) if case == "large integers" else np.arange(300) % 7
    folder = written(frame, tmp_path / "data")
    later = frame.iloc[100:200].assign(bad=values)
    if case in {"lists", "an ordered dictionary"}:  # not mixed with integers
        for path in folder.glob("*"):
            path.unlink()
    pq.write_table(
        pa.Table.from_pandas(later, preserve_index=False), folder / "part1.parquet", row_group_size=40
    )
    with pytest.raises(DataError, match=message):
        altsel.Dataset.scan(folder, "y", keep=["bad"])


def test_a_scan_leaves_out_what_a_data_set_does(frame: pd.DataFrame, tmp_path: Path) -> None:
    frame["row"], frame["who"] = np.arange(300), [f"p{j}" for j in range(300)]
    frame["day"] = pd.date_range("2020", periods=300)
    frame["written"] = frame["day"].dt.strftime("%d.%m.%Y")
    folder = written(frame, tmp_path / "data")
    with pytest.warns(altsel.DataWarning, match="by the first rows, columns left out: .*'row' .row numbers"):
        scan = altsel.Dataset.scan(folder, "y")
    with pytest.warns(altsel.DataWarning, match="columns left out: .*--kind day=date"):
        assert scan.features == altsel.Dataset(frame, "y").features
    with pytest.warns(altsel.DataWarning, match="left out: 'day', 'written'"):
        kept = altsel.Dataset.scan(folder, "y", keep=["row", "who"])
    assert set(kept.features) - set(scan.features) == {"row", "who"}
    with pytest.raises(altsel.ArgumentError, match=r"'day': 'date'.*a scan reads text as it is; .*--no-scan"):
        altsel.Dataset.scan(folder, "y", kinds={"day": "date"})


def test_files_that_do_not_fit_together(frame: pd.DataFrame, tmp_path: Path) -> None:
    folder = written(frame, tmp_path / "data")
    with pytest.raises(altsel.ArgumentError, match="no column 'z' to be the target"):
        altsel.Dataset.scan(folder, "z")
    frame.drop(columns="y").to_parquet(folder / "part1.parquet", index=False)
    with pytest.raises(DataError, match=r"part1\.parquet lacks the columns 'y', which .*part0"):
        altsel.Dataset.scan(folder, "y")
    frame.assign(more=1).to_parquet(folder / "part1.parquet", index=False)
    with pytest.raises(DataError, match=r"part1\.parquet has the columns 'more'.*drop="):
        altsel.Dataset.scan(folder, "y")
    assert altsel.Dataset.scan(folder, "y", drop=["more"]).rows == 500
    (folder / "part1.parquet").write_bytes(b"PAR1 broken")
    with pytest.raises(DataError, match=r"part1\.parquet cannot be read"):
        altsel.Dataset.scan(folder, "y")
    twice = pa.table([pa.array([1, 2]), pa.array([1, 2]), pa.array([0, 1])], names=["a", "a", "y"])
    with pytest.raises(DataError, match="column names occur more than once: 'a'"):
        altsel.Dataset.scan(twice, "y")
    (tmp_path / "empty.csv").write_text("")
    with pytest.raises(DataError, match=r"empty\.csv cannot be read"):
        altsel.Dataset.scan(tmp_path / "empty.csv", "y")
    frame.to_csv(tmp_path / "other.csv", index=False, sep=";")
    with pytest.raises(DataError, match=r"other\.csv seem to be separated by ';'"):
        altsel.Dataset.scan(tmp_path / "other.csv", "y")
    (tmp_path / "bare.csv").write_text("1.5,2.5,0\n3.5,1.5,1\n")
    with pytest.raises(DataError, match=r"bare\.csv"):
        altsel.Dataset.scan(tmp_path / "bare.csv", "0")
    (tmp_path / "head.csv").write_text("a,y\n")
    with pytest.raises(DataError, match="no rows"):
        altsel.Dataset.scan(tmp_path / "head.csv", "y")


def test_sources_that_cannot_be_scanned(frame: pd.DataFrame, tmp_path: Path) -> None:
    whole = pa.Table.from_pandas(frame)
    path = tmp_path / "a.parquet"
    frame.to_parquet(path, index=False)
    (tmp_path / "none").mkdir()
    wrong: list[tuple[Any, str]] = [
        (whole.to_reader(), "gives its batches once"),
        (iter(whole.to_batches()), "gives its batches once.*function"),
        (5, "int cannot be scanned"),
        ([1, 2], "int is no pyarrow.RecordBatch"),
        (lambda: 5, "the function returned a int"),
        (tmp_path / "absent", "no such file"),
        (str(tmp_path / "*.csv"), "no file is like"),
        (tmp_path / "none", "has no Parquet or CSV files"),
        ([path, tmp_path / "*.parquet"], "named twice"),
    ]
    for source, message in wrong:
        with pytest.raises(altsel.ArgumentError, match=message):
            altsel.Dataset.scan(source, "y")
    with pytest.raises(altsel.ArgumentError, match="store="):
        altsel.Dataset.scan(whole, "y", store=tmp_path)
    with pytest.raises(altsel.ArgumentError, match="bins=1"):
        altsel.Dataset.scan(whole, "y", bins=1)
    given = [whole]
    scan = altsel.Dataset.scan(lambda: given, "y")
    given.append(whole)
    with pytest.raises(DataError, match="600 rows were read, 300 before"):
        scan.statistics()


def test_without_pyarrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("altsel.data.scanning.sources.util.find_spec", lambda name: None)
    with pytest.raises(altsel.ConfigurationError, match=r"pyarrow: pip install \"altsel\[parquet\]\""):
        altsel.Dataset.scan("anything", "y")


def test_a_file_that_changes_meanwhile(frame: pd.DataFrame, tmp_path: Path) -> None:
    folder = written(frame, tmp_path / "data")
    scan = altsel.Dataset.scan(folder, "y")
    frame.to_parquet(folder / "part1.parquet", index=False)
    with pytest.raises(DataError, match=r"part1\.parquet has changed"):
        scan.statistics()


def test_statistics_add_up_and_are_kept(frame: pd.DataFrame, tmp_path: Path) -> None:
    frame["far"] = np.arange(300) + 1e6  # its centre differs from part to part
    whole = altsel.Dataset.scan(pa.table(frame), "y", bins=BINS)
    parts = [pa.table(frame[:120]), pa.table(frame[120:].assign(text="new"))]
    first, second = (altsel.Dataset.scan(part, "y", bins=BINS, like=whole) for part in parts)
    with pytest.raises(DataError, match=r"column 'text' of the batches holds 'new', which the levels"):
        second.statistics()
    second = altsel.Dataset.scan(pa.table(frame[120:]), "y", like=whole.statistics())
    total = first.statistics(by_level=True) + second.statistics(by_level=True)
    mine = whole.statistics(by_level=True)
    np.testing.assert_array_equal(total.counts, mine.counts)
    np.testing.assert_allclose(total.correlations, mine.correlations, atol=1e-13)
    assert total.by_level is not None
    assert mine.by_level is not None
    np.testing.assert_allclose(total.by_level, mine.by_level, atol=1e-6)
    assert (total.rows, total.fingerprint) == (300, mine.fingerprint)
    total.save(tmp_path / "kept.npz")
    read = Statistics.load(tmp_path / "kept.npz")
    assert (read.fingerprint, read.kinds, read.classes) == (mine.fingerprint, mine.kinds, mine.classes)
    assert repr(read) == repr(total)
    whole_file = (tmp_path / "kept.npz").read_bytes()
    with np.load(tmp_path / "kept.npz") as file:
        np.savez(tmp_path / "cut.npz", **{**file, "counts": file["counts"][1:]})
    for content in (b"else", whole_file[: len(whole_file) // 2], (tmp_path / "cut.npz").read_bytes()):
        (tmp_path / "kept.npz").write_bytes(content)
        with pytest.raises(altsel.ArgumentError, match=r"kept\.npz holds no statistics that can be read"):
            Statistics.load(tmp_path / "kept.npz")
    np.savez(tmp_path / "kept.npz", a=[1])
    for other in (tmp_path / "kept.npz", Path(__file__)):
        with pytest.raises(altsel.ArgumentError, match=r"it is no file that Statistics\.save has written"):
            Statistics.load(other)
    with pytest.raises(altsel.ArgumentError, match=r"absent\.npz holds no statistics.*No such file"):
        Statistics.load(tmp_path / "absent.npz")


def test_what_is_asked_beside_another_scan_must_be_what_it_has(frame: pd.DataFrame) -> None:
    kinds: Any = {"text": ["ünï", "b", "a"], "few": "ordinal"}
    whole = pa.table(frame)
    scan = altsel.Dataset.scan(whole, "y", bins=BINS, kinds=kinds)
    same: Any = {"bins": BINS, "task": "binary", "kinds": {**kinds, "logic": "ordinal", "half": "continuous"}}
    again = altsel.Dataset.scan(whole, "y", like=scan, **same)
    assert again.fingerprint == scan.fingerprint
    wrong: list[tuple[str, dict[str, Any], str]] = [
        ("text", {}, "the target 'text' is not 'y', which like= takes from the other scan"),
        ("y", {"bins": 4}, "bins=4 contradicts bins=3"),
        ("y", {"task": "regression"}, "task='regression' contradicts 'binary'"),
        ("y", {"kinds": {"few": "categorical"}}, r"kinds=\{'few': 'categorical'\} contradicts 'ordinal'"),
        ("y", {"kinds": {"text": ["a", "b", "ünï"]}}, r"contradicts \['ünï', 'b', 'a'\]"),
        ("y", {"kinds": {"none": "count"}}, "kinds names 'none', which the other scan"),
    ]
    for target, options, message in wrong:
        with pytest.raises(altsel.ArgumentError, match=message):
            altsel.Dataset.scan(whole, target, like=scan, **options)


def test_statistics_of_other_levels_are_united(frame: pd.DataFrame) -> None:
    names = ["few", "text", "half", "far", "y"]
    frame["far"] = np.arange(300) + 1e6
    kinds: Any = {"half": "ordinal"}
    halves = [
        pa.table(frame[names][:100].replace({"text": {"b": "a"}}) if j else frame[names][100:])
        for j in (1, 0)
    ]
    scans = [altsel.Dataset.scan(half, "y", kinds=kinds) for half in halves]
    one, other = (scan.statistics(by_level=True) for scan in scans)
    both = altsel.Dataset.scan(
        pa.concat_tables([half.cast(halves[0].schema) for half in halves]), "y", kinds=kinds
    ).statistics(by_level=True)
    for total in (one + other, other + one):
        np.testing.assert_array_equal(total.counts, both.counts)
        np.testing.assert_allclose(total.correlations, both.correlations, atol=1e-13)
        measured = [altsel.dependence(given, altsel.measures.correlation_ratio) for given in (total, both)]
        np.testing.assert_allclose(measured[0].redundancy, measured[1].redundancy, atol=1e-13)
        assert (total.kinds, total.layout.task) == (both.kinds, both.layout.task)
    cut = [altsel.Dataset.scan(half, "y", kinds=kinds, bins=2).statistics() for half in halves]
    with pytest.raises(DataError, match="'far' is cut at other numbers; scan the one with like= the other"):
        _ = cut[0] + cut[1]


@pytest.mark.slow
def test_a_sample_is_of_all_rows_alike(frame: pd.DataFrame, tmp_path: Path) -> None:
    frame["row"] = np.arange(300) * 1.5
    scan = altsel.Dataset.scan(written(frame, tmp_path / "data"), "y")
    drawn = scan.sample(50, random_state=1)
    rows = (drawn.X["row"] / 1.5).astype(int).to_numpy()
    assert len(rows) == len(set(rows)) == 50
    assert drawn.kinds == {name: kind for name, kind in scan.kinds.items() if name in drawn.features}
    for name in ("many", "ties"):
        assert drawn.X[name].tolist() == frame[name].iloc[rows].tolist()
    assert drawn.X["text"].astype(str).tolist() == frame["text"].iloc[rows].tolist()
    times = np.zeros(300)
    for seed in range(60):
        times[(scan.sample(100, seed).X["row"] / 1.5).astype(int)] += 1
    assert abs(times.reshape(3, 100).mean(axis=1) - 20).max() < 1.5
    assert abs(times.var() / (60 * 2 / 9) - 1) < 0.35  # as of 60 draws of one third
    assert len(scan.sample(10**6).y) == 300


LOGIC = np.arange(300) % 2 == 0


def test_a_column_of_too_many_levels(frame: pd.DataFrame, monkeypatch: pytest.MonkeyPatch) -> None:
    frame["name"] = [f"row {j}" for j in range(300)]
    scan = altsel.Dataset.scan(pa.table(frame), "y", keep=["name"])
    monkeypatch.setattr("altsel.data.scanning.widths.WIDEST_TABLE", 100_000)
    with pytest.raises(altsel.ArgumentError, match=r"most of them of 'name', need.*pairs=False"):
        scan.statistics()
    assert scan.statistics(pairs=False).table("name", "y").shape == (300, 2)
    many = pa.table({**{f"x{j}": np.random.default_rng(j).normal(size=300) for j in range(30)}, "y": LOGIC})
    with pytest.warns(
        altsel.DataWarning, match=r"152 levels of 31 columns need .*fewer bins.*sample.*pairs="
    ):
        wide = altsel.Dataset.scan(many, "y", bins=5)
    with pytest.raises(altsel.ArgumentError, match=r"fewer bins .*all pairs of 111 levels have room"):
        wide.statistics()
    monkeypatch.setattr("altsel.data.scanning.survey.MOST_LEVELS", 200)
    with pytest.raises(DataError, match="column 'name' has more than 200 categories"):
        altsel.Dataset.scan(pa.table(frame), "y", keep=["name"])
    monkeypatch.setattr("altsel.data.scanning.layout.MOST_LEVELS", 200)
    rows = pa.table({"row": np.arange(300), "y": LOGIC})
    with pytest.raises(
        altsel.ArgumentError, match=r"'row' has more than 200 values.*of a feature: leave it out"
    ):
        altsel.Dataset.scan(rows, "y", kinds={"row": "categorical"})
    with pytest.raises(altsel.ArgumentError, match=r"'row' has more than 200 values.*task='regression'"):
        altsel.Dataset.scan(rows, "row", task="multiclass")


def test_tables_of_several_columns_keep_to_their_bytes(frame: pd.DataFrame) -> None:
    scan = altsel.Dataset.scan(pa.table(frame), "y", bins=BINS)
    known = list(scan.joint.tables([2, 3, 4, 5, 6], [0, 1]))
    assert scan.joint.passes == 1
    small = altsel.Dataset.scan(pa.table(frame), "y", bins=BINS, table_bytes=700)
    for mine, other in zip(small.joint.tables([2, 3, 4, 5, 6], [0, 1]), known, strict=True):
        np.testing.assert_array_equal(mine, other)
    assert small.joint.passes > 1
    assert isinstance(small.joint, JointCounts)
    with pytest.raises(altsel.ArgumentError, match=r"the table of .* needs .*table_bytes"):
        list(small.joint.tables([6], [0, 1, 2, 3]))


SIZES = (6, 5, 3, 4, 6, 2, 3, 6, 5, 2)
NARROW = pa.table(
    {
        f"c{j}": np.random.default_rng(j).permutation(np.resize(np.arange(size), 200))
        for j, size in enumerate(SIZES)
    }
)


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(room=st.integers(500, 50_000), seed=st.integers(0, 10**6))
def test_tables_are_right_whatever_is_forgotten(room: int, seed: int) -> None:
    columns, random = [NARROW[name].to_numpy() for name in NARROW.column_names], np.random.default_rng(seed)
    joint = altsel.Dataset.scan(NARROW, "c9", table_bytes=room).joint
    for _ in range(30):
        given_ = int(random.integers(1, 4))
        drawn = random.permutation(len(SIZES))[: given_ + int(random.integers(1, 6))].tolist()
        others, candidates = drawn[:given_], drawn[given_:]
        try:
            found = list(joint.tables(candidates, others))
        except altsel.ArgumentError:  # a table for which there is no room
            continue
        for index, table_ in zip(candidates, found, strict=True):
            cells = np.zeros([SIZES[j] for j in (index, *others)], dtype=int)
            np.add.at(cells, tuple(columns[j] for j in (index, *others)), 1)
            np.testing.assert_array_equal(table_, cells.reshape(SIZES[index], -1))


def test_requests_for_tables_may_interleave() -> None:
    joint = altsel.Dataset.scan(NARROW, "c9", table_bytes=10_000).joint
    alone = [one.tolist() for one in joint.tables([2, 3, 4], [0, 1])]
    both = zip(joint.tables([2, 3, 4], [0, 1]), joint.tables([4, 5, 6], [7, 8]), strict=True)
    assert [one.tolist() for one, _ in both] == alone


def test_threads_may_share_a_scan() -> None:
    joint = altsel.Dataset.scan(NARROW, "c9", table_bytes=10_000).joint
    drawn = [np.random.default_rng(j).permutation(len(SIZES)).tolist() for j in range(120)]

    def counted(order: list[int]) -> list[Any]:
        return [one.tolist() for one in joint.tables(order[2:5], order[:2])]

    alone = [counted(order) for order in drawn]
    with ThreadPool(4) as threads:
        assert threads.map(counted, drawn, chunksize=1) == alone


def test_what_is_kept_stays_in_its_folder_whatever_the_working_one_is(
    frame: pd.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "later").mkdir()
    monkeypatch.chdir(tmp_path)
    scan = altsel.Dataset.scan(written(frame, tmp_path / "data"), "y", bins=BINS, store="kept")
    before = {path.name for path in Path("kept").iterdir()}
    monkeypatch.chdir(tmp_path / "later")
    tables(scan)
    assert not list((tmp_path / "later").iterdir())
    assert {path.name for path in (tmp_path / "kept").iterdir()} > before


def tables(scan: Scan) -> list[Any]:
    """Count tables of several columns: of many candidates at once, and of one."""
    wide = [*scan.joint.tables([0, 2, 3, 4, 5, 6], [7, 1]), *scan.joint.tables([0], [7, 1, 2])]
    return [one.tolist() for one in wide]


@pytest.mark.parametrize("loops", ["numba", "numpy"])
@pytest.mark.slow
def test_codes_of_columns_are_kept_in_files(
    loops: str, frame: pd.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose_loops(key_counts.LOOPS, loops, monkeypatch)
    frame.insert(0, "named", [f"row {j % 260}" for j in range(300)])  # codes of two bytes
    scan_of = partial(altsel.Dataset.scan, keep=["named"])
    folder, store = written(frame, tmp_path / "data"), tmp_path / "store"
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    scan = scan_of(folder, "y", bins=BINS)
    known = tables(scan)
    assert len(list(tmp_path.glob("altsel-codes-*/*.codes"))) == 3
    del scan
    gc.collect()
    assert not list(tmp_path.glob("altsel-codes-*"))
    with monkeypatch.context() as full:
        full.setattr("altsel.data.scanning.code_files.SPARE", 2**62)
        assert tables(scan_of(folder, "y", bins=BINS)) == known
    scan = scan_of(folder, "y", bins=BINS, store=store)
    with monkeypatch.context() as stopped:
        calls = itertools.count()
        stopped.setattr(
            "altsel.data.scanning.code_files.coded_columns",
            lambda *given: coded_columns(*given) if next(calls) < 4 else 1 / 0,
        )
        with pytest.raises((ZeroDivisionError, altsel.ArgumentError)):
            tables(scan)
    whole = {path: path.stat().st_mtime_ns for path in store.glob("*.codes")}
    assert 0 < len(whole) < 3
    assert not list(store.glob(".altsel*"))
    next(iter(whole)).write_bytes(next(iter(whole)).read_bytes()[:-9])  # it is noticed, and written again
    assert tables(scan_of(folder, "y", bins=BINS, store=store)) == known
    with monkeypatch.context() as decoded:
        decoded.setattr("altsel.data.scanning.code_files.coded_columns", lambda *given: 1 / 0)
        again = scan_of(folder, "y", bins=BINS, store=store)
        assert tables(again) == known
    frame.to_parquet(folder / "part1.parquet", index=False)
    with pytest.raises(DataError, match=r"part1\.parquet has changed since the scan began"):
        list(again.joint.tables([4], [7, 5, 6]))
    with pytest.raises(DataError, match=r"part1\.parquet has changed since the scan began"):
        list(again.joint.rows_by_strata([4, 5], [7]))


def test_batches_that_change_before_their_codes_are_kept(frame: pd.DataFrame) -> None:
    given = [pa.Table.from_pandas(frame, preserve_index=False)]
    scan = altsel.Dataset.scan(lambda: given, "y", bins=BINS)
    scan.statistics()
    given *= 2
    with pytest.raises(DataError, match="not the 300 rows of before"):
        list(scan.joint.rows_by_strata([0, 1], [7]))


KILLED = """
import sys, altsel
print(altsel.Dataset.scan(sys.argv[1], "y", bins=3, store=sys.argv[2]).fingerprint)
"""


@pytest.mark.skipif(os.name != "posix", reason="needs signals of POSIX")
@pytest.mark.long
def test_a_killed_scan_goes_on(tmp_path: Path) -> None:
    folder = written(table(60_000, 1), tmp_path / "data", parts=8)
    store = tmp_path / "store"
    command = [sys.executable, "-c", KILLED, str(folder), str(store)]
    whole = altsel.Dataset.scan(folder, "y", bins=3).fingerprint
    process = subprocess.Popen(command)
    while not (store.exists() and len(list(store.glob("*.npz"))) > 3):
        time.sleep(0.005)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip() == whole


@pytest.mark.slow
def test_what_is_kept_is_not_read_again(
    frame: pd.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, store = written(frame, tmp_path / "data"), tmp_path / "store"
    whole = altsel.Dataset.scan(folder, "y", bins=3, store=store)
    fingerprint, kept = whole.fingerprint, sorted(store.glob("*.npz"))
    kept[0].unlink()
    kept[1].write_bytes(b"half of a file")
    read: list[str] = []
    batches = whole.partitions[0].__class__.batches

    def reads(self: Any, columns: Any, rows: int) -> Any:
        read.append(self.name)
        return batches(self, columns, rows)

    monkeypatch.setattr(
        "altsel.data.scanning.partitions.ParquetPart.batches",
        reads,
    )
    again = altsel.Dataset.scan(folder, "y", bins=3, store=store)
    assert again.fingerprint == fingerprint
    assert len(read) == 5  # what was lost, and all three for the first rows
    assert isinstance(again, Scan)
    changed = frame.iloc[100:200].assign(few=0)  # of a file that has changed nothing is taken
    pq.write_table(pa.Table.from_pandas(changed, preserve_index=False), folder / "part1.parquet")
    resumed = altsel.Dataset.scan(folder, "y", bins=3, store=store)
    assert resumed.fingerprint == altsel.Dataset.scan(folder, "y", bins=3).fingerprint != fingerprint


def test_columns_that_folders_name_are_not_silently_left_out(frame: pd.DataFrame, tmp_path: Path) -> None:
    written(frame, tmp_path / "day=1")
    with pytest.warns(altsel.DataWarning, match="columns that folders name, 'day', are not read"):
        assert altsel.Dataset.scan(tmp_path, "y").rows == 300


def test_sums_by_level_of_no_numbers(tmp_path: Path) -> None:
    table = pd.DataFrame({"c": list("uvwxu" * 4), "y": list("abcd" * 5)})
    table.to_csv(tmp_path / "table.csv", index=False)
    found = altsel.Dataset.scan(tmp_path / "table.csv", "y").statistics(by_level=True)
    assert found.by_level is not None
    assert found.by_level.shape[1] == 0
