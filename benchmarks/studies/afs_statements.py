"""What AFS says in words of its evaluation, and what our records say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import nan

import pandas as pd

from benchmarks.studies.afs_design import SIZES
from benchmarks.studies.afs_figures import METRICS, within
from benchmarks.studies.afs_numbers import RUN_KEYS, infeasible

HEAD = ["section", "the paper says", "ours"]


def statements(table: pd.DataFrame) -> Iterator[list[str]]:
    """Yield a row of each statement on what was run."""
    exact = table[table["selector"] != "wrapper"]
    parts: list[Iterable[list[str]]] = [models(table), spreads(exact), [averages(exact)], falls(exact)]
    if set(exact["k"]) == {*SIZES} and len(set(exact["selector"])) > 1:
        parts.insert(1, sizes(exact))
    yield from (row for part in parts for row in part if "nan" not in row[-1])


def models(table: pd.DataFrame) -> Iterator[list[str]]:
    """Section 6.2: trees, forests, and what they have to do with Q."""
    both = table.dropna(subset=["tree_test", "forest_test"])
    means = [f"{both[f'{model}_test'].mean():.3f}" for model in ("forest", "tree")]
    yield ["6.2", "forests do better than trees on average (test MCC)",
           f"{means[0]} and {means[1]}, means of the {len(both):,} sets that have both"]  # fmt: skip
    gaps = [f"{table[a].median():.2f} and {table[b].median():.2f}"
            for a, b in (("tree_train", "tree_test"), ("train", "test"))]  # fmt: skip
    yield ["6.2", "overfitting: training above test, MCC more than Q",
           f"medians {gaps[0]} (trees' MCC), {gaps[1]} (Q)"]  # fmt: skip
    ranks = table[list(METRICS)].corr("spearman").to_numpy(dtype=float)
    of = {name: place for place, name in enumerate(METRICS)}
    alike = [ranks[of[f"tree_{rows}"], of[f"forest_{rows}"]] for rows in ("train", "test")]
    yield ["6.2", "trees and forests are highly correlated on training and on test rows",
           f"{alike[0]:.2f} and {alike[1]:.2f} (rank correlations, figure 1)"]  # fmt: skip
    apart = ranks[of["train"], of["test"]], ranks[of["tree_train"], of["tree_test"]]
    yield [
        "6.2",
        "training and test are moderately correlated, Q and MCC",
        f"{apart[0]:.2f} and {apart[1]:.2f}",
    ]
    weak = ranks[: of["tree_train"], of["tree_train"] :]
    yield ["6.2", "Q and MCC are weakly to moderately correlated", f"{weak.min():.2f} to {weak.max():.2f}"]


def sizes(exact: pd.DataFrame) -> Iterator[list[str]]:
    """Section 6.3: what doubling k brings."""
    medians = exact.pivot_table("train", "selector", "k", aggfunc="median")
    low, high = (medians[10] / medians[5]).agg(["min", "max"])
    yield [
        "6.3",
        "from k = 5 to 10 Q grows less than proportionally",
        f"{low:.2f} to {high:.2f} times, by selector",
    ]


def spreads(exact: pd.DataFrame) -> Iterator[list[str]]:
    """Section 6.4.1: the spread within a run, by numbers of alternatives."""
    said = {
        "train": "train Q varies less within a run of simultaneous search; with more alternatives it varies"
        " a little more in sequential, less in simultaneous search",
        "test": "on test rows the spread of Q grows in simultaneous search too",
        "tree_test": "the spread of test MCC is not smaller in simultaneous search",
    }
    for column, words in said.items():
        medians = {
            search: [f"{within(exact, search, asked, 'std', column).median():.3f}" for asked in range(1, 6)]
            for search in ("sequential", "sum")
        }
        one, other = (" ".join(values) for values in medians.values())
        told = f"medians of standard deviations, 1 to 5 alternatives: sequential {one}; simultaneous {other}"
        if column == "train":
            told += (
                ". Of runs that found all sets: with more alternatives those of a low tau, which vary less"
            )
        yield ["6.4.1", words, told]


def averages(exact: pd.DataFrame) -> list[str]:
    """Section 6.4.1: what searching together gains on average."""
    told = []
    for column, name in (("train", "train Q"), ("test", "test Q"), ("tree_test", "test MCC of trees")):
        gains = []
        for asked in range(1, 6):
            one, other = (
                within(exact, search, asked, "mean", column).droplevel(["search", "asked"])
                for search in ("sequential", "sum")
            )
            gains.append(f"{(other - one).mean():+.4f}")
        told.append(f"{name} {' '.join(gains)}")
    return [
        "6.4.1",
        "average quality is not higher in simultaneous search, neither Q nor test MCC",
        f"mean gains, 1 to 5 alternatives, where both found all: {'; '.join(told)}",
    ]


def falls(exact: pd.DataFrame) -> Iterator[list[str]]:
    """Sections 6.4.2 and 6.4.3: how quality falls by number and threshold."""
    part = exact[(exact["selector"] == "mi") & (exact["search"] == "sequential")]
    for column, words in (("train", "train Q falls most from the original to the first alternative"),
                          ("test", "so does test Q; it falls less than train Q")):  # fmt: skip
        shares = by_number(part, column)
        told = ", ".join(f"{shares.get(number, nan):.3f}" for number in (0, 1, 2, 10))
        told = f"original, first, second, tenth; the largest of a run 1; medians: {told}"
        yield ["6.4.2", words, f"{told}; a fall of {shares.get(0, nan) - shares.get(10, nan):.3f}"]
    original = part.groupby(RUN_KEYS)["test"].transform("first")
    later = part[(part["number"] > 0) & part["test"].notna()]
    higher = (later["test"] > original[later.index]).mean()
    yield ["6.4.2", "alternatives can have a higher test Q than the original", f"{100 * higher:.0f} % have"]
    for tau, words in ((0.1, "at tau = .1 Q barely drops"), (1.0, "at tau = 1 it drops significantly")):
        shares = by_number(part[(part["tau"] == tau) & (part["k"] == 10)], "train")
        last = max(shares.dropna().index, default=0)
        one, other = shares.get(1, nan), shares[last] if last > 1 else nan
        yield ["6.4.3", words, f"k = 10, medians: alternative 1 {one:.3f}, {last} {other:.3f}"]
    none = infeasible(part).groupby(part["tau"]).mean()
    told = ", ".join(f"{100 * none.get(tau, nan):.0f} % at {tau:g}" for tau in (0.2, 0.4, 0.6, 0.8, 1.0))
    yield ["6.4.3", "infeasible sets grow with tau", told]


def by_number(part: pd.DataFrame, column: str) -> pd.Series:
    """Return the medians of a quality by the number of the alternative, the largest of each run 1."""
    top = part.groupby(RUN_KEYS)[column].transform("max")
    return (part[column] / top)[top > 0].groupby(part["number"]).median()
