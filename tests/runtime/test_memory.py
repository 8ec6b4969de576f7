"""Memory: what is available by hand-written files, and doors that refuse with the number and the fix."""

from __future__ import annotations

import re
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array

import altsel
from altsel.results.effort import Effort
from altsel.runtime import memory
from altsel.runtime.memory import available, peak, require, shortage
from altsel.stats.discrete.counts import Columns
from altsel.stats.independence.permutations import Permutations
from altsel.stats.independence.predictive.printed import chosen_division
from altsel.stats.sign_flips import SignFlips

P = 400
NAMES = [f"x{j}" for j in range(P)]


def wide() -> altsel.Dependence:
    """Redundancies that are measured when they are requested; here that would fail."""
    relevance = pd.Series(np.arange(P, 0, -1.0) / P, index=NAMES)
    return altsel.Dependence(relevance, lambda: pytest.fail("measured"))


def pairs(features: int = 30) -> altsel.Problem:
    table = pd.DataFrame(np.eye(features), index=NAMES[:features], columns=NAMES[:features])
    given = altsel.Dependence(pd.Series(np.ones(features), index=NAMES[:features]), table)
    return altsel.Problem(altsel.MRMR(given), 3)


def scan() -> altsel.data.Scan:
    pa = pytest.importorskip("pyarrow")
    return altsel.Dataset.scan(pa.table({"a": list(map(str, range(40))), "y": [0, 1] * 20}), "y", keep=["a"])


def numbers_in_a_scan() -> altsel.data.Scan:
    pa = pytest.importorskip("pyarrow")
    columns = {f"x{j}": np.arange(30.0) % 29 for j in range(40)}
    return altsel.Dataset.scan(pa.table({**columns, "y": [0, 1] * 15}), "y")


def ranked() -> altsel.Dataset:
    random = np.random.default_rng(0)
    return altsel.Dataset(random.normal(size=(60, 12)), random.integers(0, 2, 60))


PAIRS = pairs()


def univariate() -> altsel.Problem:
    return altsel.Problem(altsel.Univariate([1.0] * 12), 3)


def test_what_is_available_is_the_least_of_machine_and_groups(tmp_path: Path) -> None:
    def put(name: str, text: str) -> None:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)

    assert available(tmp_path) is None
    put("proc/meminfo", "MemTotal: 2000 kB\nMemAvailable: 1000 kB\n")
    assert available(tmp_path) == 1_024_000
    put("proc/self/cgroup", "0::/slice/job\n")
    put("sys/fs/cgroup/slice/job/memory.max", "max\n")
    put("sys/fs/cgroup/slice/job/memory.current", "100000\n")
    assert available(tmp_path) == 1_024_000
    put("sys/fs/cgroup/slice/memory.max", "900000\n")  # the group above has a limit
    put("sys/fs/cgroup/slice/memory.current", "400000\n")
    put("sys/fs/cgroup/slice/memory.stat", "anon 300000\ninactive_file 50000\n")
    assert available(tmp_path) == 550_000
    put("proc/self/cgroup", "5:cpu:/x\n4:memory:/box\n")
    put("sys/fs/cgroup/memory/box/memory.limit_in_bytes", str(2**63 - 4096))
    put("sys/fs/cgroup/memory/box/memory.usage_in_bytes", "1")
    put("sys/fs/cgroup/memory/box/memory.stat", "total_inactive_file 0\n")
    assert available(tmp_path) == 1_024_000
    put("sys/fs/cgroup/memory/memory.limit_in_bytes", "300000")
    put("sys/fs/cgroup/memory/memory.usage_in_bytes", "350000")
    put("sys/fs/cgroup/memory/memory.stat", "total_inactive_file 10\n")
    assert available(tmp_path) == 0


@pytest.mark.parametrize(
    ("text", "size"), [("8GB", 8 * 10**9), ("1.5 g", 15 * 10**8), ("300mb", 3 * 10**8), ("12", 12)]
)
def test_the_setting_takes_the_place_of_the_machine(
    text: str, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALTSEL_MEMORY", text)
    assert available() == size


def test_a_setting_that_is_no_size_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALTSEL_MEMORY", "much")
    with pytest.raises(altsel.ConfigurationError, match=r"ALTSEL_MEMORY='much'.*8GB"):
        available()


def test_small_needs_are_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available", lambda: pytest.fail("looked up"))
    assert shortage(memory.SMALL, "tables") is None


DOORS: dict[str, tuple[Callable[[], Any], str]] = {
    "redundancy": (lambda: wide().redundancy, r"redundancies: tables of 400 x 400 .*relevance"),
    "mrmr": (lambda: altsel.MRMR(wide()), r"MRMR: tables of 400 x 400 .*altsel.Univariate"),
    "cfs": (lambda: altsel.CFS(wide()), r"CFS: tables of 400 x 400 .*altsel.Univariate"),
    "model": (lambda: altsel.formulate(PAIRS), r"a model of 435 products .*fewer features"),
    "black box": (
        lambda: altsel.sequential(
            altsel.Problem(altsel.BlackBox(lambda names: 1.0 * len(names), NAMES[:30]), 3),
            altsel.Dice(0.5),
            1,
        ),
        r"4,060 sets in a list .*wrapper",
    ),
    "near-optimal": (
        lambda: altsel.near_optimal(univariate(), altsel.RelativeLoss(0.5)),
        r"220 near-optimal sets .*lower limit",
    ),
    "graph": (lambda: altsel.msg([[name] for name in NAMES]), r"paths of 400 solutions .*fewer"),
    "sparse": (
        lambda: altsel.Dataset(csr_array((200, 100), dtype=bool), np.arange(200) % 2),
        r"a sparse table of 200 rows and 100 columns .*fewer columns",
    ),
    "signs": (lambda: SignFlips(1_000).sums(np.ones(80)), r"1,000 draws of signs of 80 rows .*draw fewer"),
    "permutations": (
        lambda: Permutations(1_000).continued_log_p(
            np.ones((2, 2, 1), dtype=np.int64), 1.0, lambda *_: np.ones(1)
        ),
        r"statistics of 1,000 permutations .*draw fewer",
    ),
    "shuffles": (
        lambda: chosen_division("folds", 3, None, 500, True, 0).parts(30, np.zeros(30, dtype=np.int64)),
        r"500 shuffles of each of 3 parts .*make fewer",
    ),
    "valid sets": (lambda: altsel.sample_valid(univariate(), 500), r"500 valid sets .*draw fewer"),
    "sets at once": (
        lambda: altsel.simultaneous(univariate(), altsel.Dice(0.5), 500),
        r"501 sets at once .*fewer alternatives",
    ),
    "a model of many sets": (
        lambda: altsel.export(univariate(), "many.lp", altsel.Dice(0.5), 500),
        r"a model of 501 sets of 12 features .*fewer sets",
    ),
    "counts of a scan": (lambda: scan().statistics(), r"counts of 42 levels.*leave out columns"),
    "products of a scan": (
        lambda: numbers_in_a_scan().statistics(),
        r"sums of products: tables of 42 x 42 .*leave out columns",
    ),
    "ranks of a wide table": (
        lambda: altsel.measures.association.rows(ranked()),
        r"ranks of 60 rows of 12 columns, and their squares, .*bins=2",
    ),
    "counts": (lambda: Columns(np.zeros((40, 600), dtype=np.uint8)), r"40 columns of 600 rows .*sample"),
}


@pytest.mark.parametrize("door", DOORS)
def test_a_door_refuses_with_the_number_and_the_fix(door: str, monkeypatch: pytest.MonkeyPatch) -> None:
    enter, words = DOORS[door]
    monkeypatch.setattr(memory, "SMALL", 0)
    monkeypatch.setenv("ALTSEL_MEMORY", "10KB")
    with pytest.raises(altsel.ArgumentError, match=words) as refused:
        enter()
    assert "of memory, 0 MB are available" in str(refused.value)


def test_what_comes_of_solutions_is_refused_too(monkeypatch: pytest.MonkeyPatch) -> None:
    found = altsel.sequential(univariate(), altsel.Dice(0.5), 3)
    graph = altsel.msg([[a, b] for a in NAMES[:9] for b in NAMES[9:18]])
    monkeypatch.setattr(memory, "SMALL", 0)
    monkeypatch.setenv("ALTSEL_MEMORY", "100")
    with pytest.raises(altsel.ArgumentError, match="compare fewer sets"):
        found.dissimilarities(altsel.Dice(0.5))
    with pytest.raises(altsel.ArgumentError, match=r"81 solutions .*nodes and edges"):
        graph.paths()


def test_where_a_list_is_too_long_auto_takes_another_way(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = altsel.sequential(PAIRS, altsel.Dice(0.5), 1)
    assert "list of all sets" in listed.search
    monkeypatch.setattr(memory, "SMALL", 0)
    monkeypatch.setenv("ALTSEL_MEMORY", "100KB")
    other = altsel.sequential(PAIRS, altsel.Dice(0.5), 1)
    assert "list" not in other.search
    assert [one.score for one in other] == pytest.approx([one.score for one in listed])


def test_nothing_is_taken_before_it_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    many = 50_000
    given = altsel.Dependence(np.ones(many), lambda: pytest.fail("measured"))
    monkeypatch.setenv("ALTSEL_MEMORY", "12GB")
    tracemalloc.start()
    try:
        with pytest.raises(altsel.ArgumentError, match=r"50,000 x 50,000 need 140 GB of memory, 12 GB are"):
            altsel.MRMR(given)
        assert tracemalloc.get_traced_memory()[1] < 1e6
    finally:
        tracemalloc.stop()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="limits the address space")
def test_a_limit_on_address_space_is_kept() -> None:
    code = """
import resource, numpy as np, altsel
given = altsel.Dependence(np.ones(15_000), lambda: 1 / 0)
held = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (held + 900_000_000, resource.RLIM_INFINITY))
try:
    altsel.MRMR(given)
except altsel.ArgumentError as fault:
    print(fault)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert re.search(r"15,000 x 15,000 need 13 GB of memory, (8|9)\d\d MB are available", done.stdout)


def test_efforts_carry_the_peak_and_the_largest_of_several() -> None:
    before = peak()
    found = altsel.sequential(univariate(), altsel.Dice(0.5), 1)
    if before is not None:
        assert found.effort.peak_memory is not None
        assert before <= found.effort.peak_memory < 100e9
    assert altsel.Solutions.from_json(found.to_json()) == found
    older = found.to_json(None).replace(f', "peak_memory": {found.effort.peak_memory}', "")
    assert altsel.Solutions.from_json(older).effort.peak_memory is None
    assert (Effort(peak_memory=3) + Effort(peak_memory=5) + Effort()).peak_memory == 5
    assert (Effort() + Effort()).peak_memory is None


def test_require_says_what_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALTSEL_MEMORY", "12GB")
    require(12e9, "tables", "use fewer")
    with pytest.raises(altsel.ArgumentError) as refused:
        require(80e9, "tables of 100,000 x 100,000", "use fewer")
    assert str(refused.value) == (
        "tables of 100,000 x 100,000 need 80 GB of memory, 12 GB are available: use fewer, "
        "or set ALTSEL_MEMORY if there is more"
    )
