"""What a scan answers: the same as rows in memory, or an error that says how to get rows."""

from __future__ import annotations

import gc
import itertools
import pickle
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import altsel
from altsel import catalogue
from altsel.catalogue import LEARNERS, MEASURES, OBJECTIVES, RANKINGS, TESTS
from altsel.data import Scan, binned
from altsel.data.scanning import key_counts
from altsel.errors import AltselError
from altsel.independence import Independence
from altsel.results.solutions import Solutions
from altsel.stats.discrete import compiled
from tests.loops import choose_loops

BINS = 3
ALPHA = 0.05


def discrete(rows: int = 400, seed: int = 0) -> pd.DataFrame:
    """Two causes, a copy of one but for noise, and others; classes of several kinds."""
    random = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "a": random.integers(0, 2, rows),
            "b": random.choice(["low", "mid", "top"], rows),
            "c": random.integers(-1, 3, rows),
            "d": random.choice([0.5, 1.5], rows),
            "e": random.integers(0, 4, rows),
        }
    )
    noise = random.random(rows)
    frame["copy"] = np.where(noise < 0.9, frame["a"], 1 - frame["a"])
    chance = 0.1 + 0.4 * frame["a"] + 0.4 * (frame["b"] == "top")
    frame["y"] = np.where(random.random(rows) < chance, "yes", "no")
    return frame


def mixed(rows: int = 400, seed: int = 0) -> pd.DataFrame:
    """Add numbers, some with ties, one far from 0."""
    random = np.random.default_rng(seed + 1)
    frame = discrete(rows, seed)
    goal = (frame["y"] == "yes").to_numpy()
    frame.insert(0, "x", random.normal(size=rows) + goal)
    frame.insert(2, "ties", (random.normal(size=rows) + 0.5 * goal).round(1))
    frame.insert(4, "far", 1e7 + frame["x"] + 0.3 * random.normal(size=rows))
    return frame


def numeric(rows: int = 400, seed: int = 0) -> pd.DataFrame:
    """Numbers and two values, and a number as the target."""
    random = np.random.default_rng(seed + 2)
    frame = mixed(rows, seed)[["x", "ties", "far", "d", "a"]]
    frame["y"] = 3e4 + frame["x"] - 0.5 * frame["ties"] + 0.2 * frame["a"] + random.normal(size=rows)
    return frame


TABLES: dict[str, Callable[..., pd.DataFrame]] = {"discrete": discrete, "mixed": mixed, "numeric": numeric}


def scan_of(frame: pd.DataFrame, bins: int | None = None, size: int = 150, order: int | None = None) -> Scan:
    """Scan the rows in batches, in another order of batches if one is given."""
    batches = pa.Table.from_pandas(frame, preserve_index=False).to_batches(max_chunksize=size)
    if order is not None:
        batches = [batches[j] for j in np.random.default_rng(order).permutation(len(batches))]
    return altsel.Dataset.scan(batches, "y", bins=bins, batch_rows=size)


@cache
def pair(name: str, bins: int | None = None) -> tuple[Scan, altsel.Dataset]:
    """Return a scan, and the same rows in memory."""
    frame = TABLES[name]()
    data = altsel.Dataset(frame, "y")
    return scan_of(frame, bins), data if bins is None else binned(data, bins)


COUNTS = {
    "mutual-information",
    "symmetric-uncertainty",
    "association",
    "mutual-information-plain",
    "symmetric-uncertainty-plain",
}
MOMENTS = {"absolute-pearson"}
BOTH = {"correlation-ratio", "correlation-ratio-plain"}
ROWS = set(MEASURES.own) - COUNTS - MOMENTS - BOTH


@pytest.mark.parametrize("name", MEASURES.own)
@pytest.mark.parametrize(("table", "bins"), [("discrete", None), ("mixed", BINS), ("numeric", BINS)])
def test_measures_are_those_of_rows_or_name_the_sample(name: str, table: str, bins: int | None) -> None:
    scan, cut = pair(table, bins)
    measure = catalogue.measure(name, 0)
    data = cut if name in COUNTS else altsel.Dataset(TABLES[table](), "y")
    if name in ROWS:
        with pytest.raises(
            altsel.DataError, match=r"needs the rows.*scan\.sample\(100_000, random_state=0\)"
        ):
            altsel.dependence(scan, measure)
        return
    try:
        expected = altsel.dependence(data, measure)
        redundancy = expected.redundancy
    except AltselError as fault:  # then a scan says the same
        with pytest.raises(type(fault), match="needs numbers or an order"):
            _ = altsel.dependence(scan, measure).redundancy
        return
    found = altsel.dependence(scan, measure)
    if (name, table) != (
        "association",
        "numeric",
    ):  # bins have an order, classes none
        np.testing.assert_allclose(found.relevance, expected.relevance, atol=1e-12)
    np.testing.assert_allclose(found.redundancy, redundancy, atol=1e-12)
    assert list(found.relevance.index) == list(expected.relevance.index)
    again = altsel.dependence(scan.statistics(by_level=name in BOTH), measure)
    pd.testing.assert_series_equal(again.relevance, found.relevance)
    few = altsel.dependence(
        scan_of(TABLES[table](), bins).statistics(pairs=False, by_level=name in BOTH), measure
    )
    pd.testing.assert_series_equal(few.relevance, found.relevance)


@pytest.mark.slow
@settings(max_examples=4, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 80), st.integers(0, 100), st.sampled_from(sorted(TABLES)))
def test_answers_do_not_depend_on_how_rows_are_divided(seed: int, size: int, order: int, table: str) -> None:
    frame = TABLES[table](80, seed)
    frame.loc[:1, "y"] = frame["y"].unique()[:2]
    scan, data = scan_of(frame, BINS, size, order), altsel.Dataset(frame, "y")
    assert scan.fingerprint == scan_of(frame, BINS).fingerprint
    for measure, rows in (
        (altsel.measures.mutual_information, binned(data, BINS)),
        (altsel.measures.symmetric_uncertainty, binned(data, BINS)),
        (altsel.measures.correlation_ratio, data),
    ):
        found, expected = altsel.dependence(scan, measure), altsel.dependence(rows, measure)
        np.testing.assert_allclose(found.relevance, expected.relevance, atol=1e-12)
        np.testing.assert_allclose(found.redundancy, expected.redundancy, atol=1e-12)


CONTINGENCY = (altsel.independence.GSquare, altsel.independence.ChiSquare)
OTHER_TESTS = set(TESTS.own) - {
    "auto",
    "g2",
    "chi2",
    "partial-correlation",
    "kernel",  # its extra is told of first
}


def same_results(test: Independence, rows: Independence, most: int) -> None:
    names = [*test.data.features, test.data.target]  # type: ignore[attr-defined]
    for target in names[-2:]:
        mine, other = test.with_target(target), rows.with_target(target)
        left = [name for name in names if name != target]
        for known in itertools.chain.from_iterable(itertools.combinations(left, j) for j in range(most + 1)):
            candidates = [name for name in left if name not in known]
            found, expected = mine(candidates, known), other(candidates, known)
            np.testing.assert_allclose(found.log_p, expected.log_p, atol=1e-9, rtol=1e-9)
            np.testing.assert_allclose(found.statistic, expected.statistic, atol=1e-9, rtol=1e-9)
            np.testing.assert_array_equal(found.tested, expected.tested)


@pytest.mark.slow
@pytest.mark.parametrize("kind", CONTINGENCY)
@pytest.mark.parametrize("options", [{}, {"samples_per_cell": 5}, {"corrected": False, "adjusted": False}])
def test_tests_of_tables_are_those_of_rows(
    kind: Callable[..., Independence], options: dict[str, Any]
) -> None:
    if kind is CONTINGENCY[1] and "corrected" in options:
        options = {"expected_counts": False}
    scan, data = pair("mixed", BINS)
    same_results(kind(scan, **options), kind(data, **options), 1)
    scan, data = pair("discrete")
    same_results(kind(scan, **options), kind(data, **options), 2 if options else 1)
    small = altsel.Dataset.scan(
        pa.Table.from_pandas(discrete(), preserve_index=False), "y", table_bytes=2000
    )  # several passes for the tables of one set
    same_results(kind(small, samples_per_cell=5), kind(data, samples_per_cell=5), 1)


@pytest.mark.slow
@pytest.mark.parametrize("loops", ["numba", "numpy"])
def test_tables_too_large_are_counted_stratum_by_stratum(loops: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for pair_of_loops in (compiled.LOOPS, key_counts.LOOPS):
        choose_loops(pair_of_loops, loops, monkeypatch)
    monkeypatch.setattr("altsel.stats.discrete.scanned_tables.CELLS", 100)
    frame = discrete(3000)
    frame.insert(0, "f", frame["c"] ** 2 + (np.arange(3000) % 3 == 0))
    scan = scan_of(frame, size=700)
    small = altsel.Dataset.scan(pa.Table.from_pandas(frame, preserve_index=False), "y", table_bytes=20_000)
    data = altsel.Dataset(frame, "y")
    for corrected in (True, False):
        options: Any = {"corrected": corrected, "samples_per_cell": 0}
        test, rows = (altsel.independence.GSquare(one, **options) for one in (small, data))
        for given_ in (["a"], ["a", "b", "c"], ["a", "b", "c", "d", "e"]):
            others = [name for name in scan.features if name not in given_]
            found, expected = test(others, given_), rows(others, given_)
            np.testing.assert_allclose(found.log_p, expected.log_p, atol=1e-9, rtol=1e-9)
            np.testing.assert_allclose(found.statistic, expected.statistic, atol=1e-9, rtol=1e-9)
            np.testing.assert_array_equal(found.dof, expected.dof)
        one, other = (each.leave_one_out(list(scan.features)) for each in (test, rows))
        np.testing.assert_allclose(one.log_p, other.log_p, atol=1e-9, rtol=1e-9)
    with pytest.raises(altsel.ArgumentError, match=r"the table of .* needs .*table_bytes"):
        altsel.independence.ChiSquare(small)(["f"], ["a", "b", "c", "d", "e", "copy"])


@pytest.mark.slow
def test_scans_and_their_tests_are_pickled_after_use(tmp_path: Path) -> None:
    discrete().to_parquet(tmp_path / "rows.parquet", index=False)
    scan = altsel.Dataset.scan(tmp_path, "y")
    test = altsel.independence.GSquare(scan)
    wanted = ["c", "d"], ["a", "b"]
    known = test(*wanted).statistic
    copied = pickle.loads(pickle.dumps(test))
    np.testing.assert_array_equal(copied(*wanted).statistic, known)
    again = pickle.loads(pickle.dumps(scan))
    np.testing.assert_array_equal(altsel.independence.GSquare(again)(*wanted).statistic, known)
    del scan, test  # with it goes the folder of codes
    gc.collect()
    np.testing.assert_array_equal(copied(["c"], ["a", "e"]).statistic > 0, True)


def test_partial_correlations_are_those_of_rows() -> None:
    scan, data = pair("numeric")
    rows = altsel.independence.PartialCorrelation(data)
    for given_ in (scan, scan.statistics(), pair("numeric", BINS)[0]):
        same_results(altsel.independence.PartialCorrelation(given_), rows, 3)
    fisher = [altsel.independence.PartialCorrelation(one, fisher=True) for one in (scan, data)]
    same_results(fisher[0], fisher[1], 1)


@pytest.mark.parametrize("name", sorted(OTHER_TESTS))
def test_tests_that_need_rows_name_the_sample(name: str) -> None:
    for table in ("discrete", "numeric"):
        with pytest.raises(
            altsel.DataError, match=r"needs the rows.*scan\.sample\(100_000, random_state=0\)"
        ):
            catalogue.independence_test(name, pair(table)[0], 0)  # type: ignore[arg-type]


INFORMATION = altsel.measures.mutual_information


def test_the_usual_test_of_a_scan() -> None:
    auto = altsel.independence.auto
    usual = {
        ("discrete", None): "GSquare",
        ("mixed", BINS): "GSquare",
        ("numeric", None): "PartialCorrelation",
        ("numeric", BINS): "PartialCorrelation",
    }
    for (table, bins), kind in usual.items():
        assert type(auto(pair(table, bins)[0])).__name__ == kind
    assert type(auto(pair("numeric")[0].statistics())).__name__ == "PartialCorrelation"
    with pytest.raises(altsel.DataError, match=r"likelihood-ratio test.*bins=5.*needs the rows"):
        auto(pair("mixed")[0])
    with pytest.raises(altsel.ArgumentError, match="give it the scan, not its statistics"):
        auto(pair("discrete")[0].statistics())
    for option in ("weights", "groups"):
        with pytest.raises(altsel.ArgumentError, match=f"{option}= of a scan.*scan.sample"):
            auto(pair("discrete")[0], **{option: "a"})
    for wrong, message in (
        (lambda: altsel.independence.GSquare(pair("mixed")[0]), "'x', 'ties', 'far' hold numbers.*bins=5"),
        (lambda: altsel.dependence(pair("mixed")[0], INFORMATION), "'x', 'ties', 'far' hold numbers.*bins=5"),
        (lambda: altsel.ranking.jmi(pair("mixed")[0], 2), "'x', 'ties', 'far' hold numbers.*bins=5"),
    ):
        with pytest.raises(altsel.DataError, match=message):
            wrong()
    with pytest.raises(altsel.ArgumentError, match=f"bins=5, but the scan has cut numbers into {BINS}"):
        altsel.ranking.mrmr(pair("mixed", BINS)[0], 2, bins=5)
    for ranked in (altsel.ranking.mrmr, altsel.ranking.jmi, altsel.ranking.relax_mrmr):
        scan, data = pair("mixed", BINS)
        same_sets(ranked(scan, 2, bins=BINS), ranked(data, 2, bins=BINS))
    same_sets(altsel.ranking.jmi(scan, 2), altsel.ranking.jmi(data, 2, bins=BINS))


def same_sets(found: Solutions, expected: Solutions) -> None:
    assert [one.features for one in found] == [one.features for one in expected]
    assert found.stop is expected.stop
    np.testing.assert_allclose([one.score for one in found], [one.score for one in expected], atol=1e-9)


@pytest.mark.parametrize("name", [one.name for one in RANKINGS.own.values() if one.takes("bins")])
def test_rankings_are_those_of_rows(name: str) -> None:
    wanted = {"k": 4} if RANKINGS[name].sized else {}
    for table, bins in (("discrete", None), ("mixed", BINS)):
        scan, data = pair(table, bins)
        own = RANKINGS[name].make
        same_sets(own(scan, bins=BINS, **wanted), own(data, bins=BINS, **wanted))


BY_ROWS = [name for name in LEARNERS.own if name != "ppfs"]


@pytest.mark.parametrize("name", BY_ROWS)
def test_blankets_are_those_of_rows(name: str) -> None:
    learn = catalogue.learner(name)
    scan, data = pair("mixed", BINS)
    kind = CONTINGENCY[0]
    same_sets(learn(kind(scan), alpha=ALPHA), learn(kind(data), alpha=ALPHA))
    statistics, numbers = pair("numeric")[0].statistics(), pair("numeric")[1]
    test = altsel.independence.PartialCorrelation
    same_sets(learn(test(statistics), alpha=ALPHA), learn(test(numbers), alpha=ALPHA))


@pytest.mark.parametrize("search", [altsel.blankets.tmfbs, altsel.blankets.tie_star])
def test_all_blankets_are_those_of_rows(search: Callable[..., Solutions]) -> None:
    frame = discrete()
    frame["copy"], frame["third"] = np.where(frame["a"], "in", "out"), 5 - 2 * frame["a"]
    scan, data = scan_of(frame), altsel.Dataset(frame, "y")
    test = altsel.independence.GSquare
    mine, rows = test(scan), test(data)
    informed = altsel.comparison.Criterion([altsel.comparison.ByIndependence(rows)], ALPHA)
    found = search(mine, alpha=ALPHA)
    same_sets(found, search(rows, alpha=ALPHA, equivalent=informed))
    assert len(found) == 3


@pytest.mark.slow
def test_objectives_are_searched_as_of_rows() -> None:
    scan, data = pair("mixed", BINS)
    for name in OBJECTIVES.own:
        if catalogue.of_data(name):  # it takes rows
            with pytest.raises(altsel.DataError, match=r"needs the rows.*scan\.sample"):
                catalogue.objective(name, scan)
            continue
        measure = catalogue.measure(catalogue.default_measure(name), 0)
        mine, rows = (
            altsel.Problem(catalogue.objective(name, altsel.dependence(one, measure)), 3)
            for one in (scan, data)
        )
        same_sets(altsel.sequential(mine, altsel.Dice(0.5), 2), altsel.sequential(rows, altsel.Dice(0.5), 2))


def test_what_takes_rows_alone_says_so() -> None:
    scan = pair("discrete")[0]
    for wrong in (
        lambda: scan.X,
        lambda: scan.y,
        lambda: altsel.data.binned(scan, 3),  # type: ignore[arg-type]
        lambda: altsel.shadow(scan, repeats=5, search=altsel.sequential),  # type: ignore[arg-type]
    ):
        with pytest.raises(altsel.DataError, match=r"needs the rows.*scan\.sample"):
            wrong()
    drawn = scan.sample(200, random_state=1)
    assert len(altsel.blankets.iamb(altsel.independence.LikelihoodRatio(drawn), alpha=ALPHA)) == 1
