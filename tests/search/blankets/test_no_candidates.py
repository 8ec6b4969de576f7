"""A target without candidates has the empty set for a blanket; no features at all are one clear error."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest

import altsel
from altsel import blankets, independence
from altsel.errors import DataError

LEARNERS = (
    *(
        "fast_iamb",
        "forward_backward",
        "forward_backward_early_dropping",
        "grow_shrink",
        "hiton_mb",
        "hiton_pc",
    ),
    *(
        "iamb",
        "inter_iamb",
        "ipcmb",
        "mmmb",
        "mmpc",
        "pc_simple",
        "pcmb",
        "ppfs",
        "stmb",
        "tie_star",
        "tmfbs",
    ),
)
ORDERS = ("by_p", "by_association", "by_information", "in_pairs", "in_turn")
ROWS = 60


def joint() -> independence.JointTable:
    return independence.JointTable(pd.Series([0.5, 0.5], pd.Index([0, 1], name="y")), "y")


def graph(*edges: tuple[str, str]) -> independence.DSeparation:
    drawn = nx.DiGraph([*edges])
    drawn.add_node("y")
    return independence.DSeparation(drawn, "y")


@pytest.mark.parametrize("test", [graph, joint])
@pytest.mark.parametrize("name", LEARNERS)
def test_every_search_finds_the_empty_set(name: str, test: Callable[[], Any]) -> None:
    for one in (test(), independence.Counted(test()), independence.BenjaminiHochberg(test())):
        assert [tuple(found.features) for found in getattr(blankets, name)(one)] == [()]


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("name", ["forward_backward", "iamb", "inter_iamb", "fast_iamb"])
def test_every_order_of_candidates_is_one_for_every_search(name: str, order: str) -> None:
    """Candidates named in turn are an iterator, which is never empty by itself."""
    learner, chosen = getattr(blankets, name), getattr(blankets, f"dependent_{order}")
    assert learner(graph(), order_variables=chosen)[0].features == ()
    if order != "in_pairs":  # it needs a test of pairs
        found = learner(graph(("a", "y"), ("y", "c"), ("b", "c")), order_variables=chosen)
        assert set(found[0].features) == {"a", "b", "c"}


def made() -> dict[str, Callable[[], Any]]:
    random = np.random.default_rng(0)
    table = pd.DataFrame({"a": random.normal(size=ROWS), "b": random.normal(size=ROWS)})
    numbers = altsel.Dataset(table, pd.Series(table.a + random.normal(size=ROWS), name="y"))
    classes = altsel.Dataset(table, pd.Series((numbers.y > 0).astype(int), name="y"))
    counts = altsel.Dataset(table, pd.Series(random.poisson(3, ROWS), name="y"))
    levels = {"a": random.integers(0, 3, ROWS), "b": random.integers(0, 2, ROWS)}
    discrete = altsel.Dataset(levels, classes.y)
    i = independence
    return {
        "G-square": lambda: i.GSquare(discrete),
        "permuted": lambda: i.GSquare(discrete, permutations=i.Permutations(9)),
        "chi-square": lambda: i.ChiSquare(discrete),
        "trend": lambda: i.Trend(discrete),
        "partial correlation": lambda: i.PartialCorrelation(numbers),
        "ranks": lambda: i.PartialCorrelation(numbers, ranks=True),
        "linear": lambda: i.LikelihoodRatio(numbers),
        "logistic": lambda: i.LikelihoodRatio(classes),
        "Poisson": lambda: i.LikelihoodRatio(counts, family=i.Poisson()),
        "negative binomial": lambda: i.LikelihoodRatio(counts, family=i.NegativeBinomial()),
        "robust": lambda: i.RobustScore(numbers, groups=np.arange(ROWS) // 3),
        "predictive": lambda: i.PredictivePermutation(classes, permutations=9),
        "custom": lambda: i.Custom(numbers, lambda *_: 0.5),
        "counted": lambda: i.Counted(i.GSquare(discrete)),
        "corrected": lambda: i.BenjaminiHochberg(i.GSquare(discrete)),
        "d-separation": lambda: graph(("a", "y"), ("b", "a")),
    }


@pytest.mark.parametrize("name", made())
def test_every_test_answers_of_no_candidates(name: str) -> None:
    test = made()[name]()
    for results in (test([], given=[]), test([], given=["a"]), test.with_target("b")([], ["a"])):
        assert results.candidates == ()
        arrays = (results.log_p, results.statistic, results.dof, results.effect, results.tested)
        assert {len(one) for one in arrays} == {0}
        assert results.dependent(0.05).tolist() == []
        assert results.to_frame().empty


@pytest.mark.parametrize("columns", [{}, {"constant": ["k"] * 8}])
def test_a_table_without_features_is_one_error(columns: dict[str, Any], tmp_path: Path) -> None:
    frame = pd.DataFrame({**columns, "y": list("abababab")})
    said = "no usable feature: every column is constant" if columns else "no data: 8 rows and 0 features"
    frame.to_csv(tmp_path / "table.csv", index=False)
    frame.to_parquet(tmp_path / "table.parquet")
    for source in (tmp_path / "table.csv", tmp_path / "table.parquet"):
        for read in (altsel.Dataset, altsel.Dataset.scan):
            with pytest.raises(DataError, match=said):
                read(source, "y")
    with pytest.raises(DataError, match="no data: 8 rows and 0 features"):
        altsel.Dataset(frame.assign(a=range(8)), "y", drop=["a", *columns])


@pytest.mark.parametrize("ending", ["csv", "parquet"])
@pytest.mark.parametrize("name", LEARNERS)
def test_a_scan_of_categories_alone_answers_as_the_rows_do(name: str, ending: str, tmp_path: Path) -> None:
    random = np.random.default_rng(1)
    a, b = random.integers(0, 3, 300), random.integers(0, 2, 300)
    y = (a == 0) ^ (b == 1) ^ (random.random(300) < 0.1)
    frame = pd.DataFrame(
        {"a": np.array(list("pqr"))[a], "b": np.array(["u", "v"])[b], "y": np.where(y, "n", "j")}
    )
    frame["noise"] = np.array(list("klmn"))[random.integers(0, 4, 300)]
    path = tmp_path / f"table.{ending}"
    if ending == "csv":
        frame.to_csv(path, index=False)
    else:
        frame.astype("category").to_parquet(path)
    rows, scan = altsel.Dataset(path, "y"), altsel.Dataset.scan(path, "y")
    assert scan.kinds == rows.kinds
    learner = getattr(blankets, name)
    by_rows, by_counts = (learner(independence.GSquare(one)) for one in (rows, scan))
    assert [one.features for one in by_counts] == [one.features for one in by_rows]
    measure = altsel.measures.mutual_information
    relevance = [altsel.dependence(one, measure).relevance for one in (rows, scan)]
    assert relevance[1].to_dict() == pytest.approx(relevance[0].to_dict())
