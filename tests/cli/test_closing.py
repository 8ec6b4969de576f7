"""The sentences that close the scores of models: what differs clearly, and which command comes next."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import altsel
from altsel.cli.app import app
from altsel.cli.closing import performance_closing, stability_closing
from altsel.cli.options import FoundOptions
from altsel.results.comparison import Comparison, Definition
from altsel.results.equivalence import Equivalence, Pair
from altsel.results.estimate import Estimate
from altsel.results.performance import Performance, SetPerformance
from altsel.results.stability import Stability
from altsel.stats.stability import nogueira
from tests.cli.test_analyse import run

SOURCE = FoundOptions(Path("my found.json"), Path("t.csv"))
WORSE, SAME, BETTER = Estimate(-0.2, -0.3, -0.1), Estimate(0.0, -0.1, 0.1), Estimate(0.2, 0.1, 0.3)
UNKNOWN = Estimate(0.2)


def scored(
    others: Sequence[Estimate], whole: Estimate, chance: Estimate, p: float | None = None, **more: Any
) -> Performance:
    """Return scores whose differences to set 0, and p, are those given."""
    one = Estimate(0.8, 0.7, 0.9)
    sets = [SetPerformance(("a",), one), *(SetPerformance(("b",), one, other) for other in others)]
    compared = None
    if p is not None:
        answer = Comparison("test", Definition.MODEL, p)
        pairs = tuple(Pair(0, second, (answer,), (p,), p > 0.05) for second in range(1, len(sets)))
        compared = Equivalence(tuple(one.features for one in sets), pairs, ("test",), 0.05)
    more |= {"all_difference": whole, "none_difference": chance}
    return Performance(tuple(sets), one, one, compared, (), "trees", "accuracy", **more)


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (
            scored([SAME, SAME], SAME, WORSE),
            "Set 0 predicts better than no feature does; its alternatives and all features predict as "
            "well: no difference is clear (95 %).",
        ),
        (
            scored([SAME], BETTER, WORSE),
            "all features predict clearly better than it; its alternative predicts as well",
        ),
        (
            scored([WORSE, SAME, WORSE], SAME, WORSE),
            "sets 1 and 3 predict clearly worse than set 0; all features",
        ),
        (
            scored([WORSE, BETTER], SAME, WORSE),
            "set 1 predicts clearly worse than set 0; set 2 predicts clearly better",
        ),
        (scored([WORSE] * 8, SAME, WORSE), "8 sets predict clearly worse than set 0"),
        (scored([WORSE], SAME, WORSE, p=0.2), "its alternative and all features predict as well"),
        (scored([WORSE], SAME, WORSE, p=0.01), "set 1 predicts clearly worse"),
        (
            scored([], SAME, SAME),
            "Set 0 predicts not clearly better than no feature does; all features predict as well",
        ),
        (scored([], SAME, BETTER), "Set 0 predicts worse than no feature does;"),
        (scored([UNKNOWN], UNKNOWN, UNKNOWN), "Next, which features can replace which"),
    ],
)
def test_only_what_differs_clearly_is_called_better_or_worse(made: Performance, said: str) -> None:
    assert said in performance_closing(made, SOURCE)


def test_the_next_command_is_what_is_still_open() -> None:
    command = {"command": {"name": "select", "options": {"target": "y"}}}
    of_folds = scored([SAME], SAME, WORSE, request=command)
    nested = "altsel performance 'my found.json' t.csv --nested"
    assert performance_closing(of_folds, SOURCE).endswith(nested)
    held = scored([SAME], SAME, WORSE, request=command, holdout=80)
    assert performance_closing(held, SOURCE).endswith("altsel taxonomy 'my found.json' t.csv")
    alone = scored([WORSE], SAME, WORSE, holdout=80)
    report = "altsel report 'my found.json' --data t.csv --output report.html"
    assert performance_closing(alone, SOURCE).endswith(report)
    other = FoundOptions(Path("f.json"), Path("t.csv"), "my y", other_data=True)
    assert performance_closing(of_folds, other).endswith("f.json t.csv --target 'my y' --other-data")


@pytest.mark.slow
@pytest.mark.parametrize("judged", [(), ("--holdout", 0.3)], ids=["folds", "rows held out"])
def test_all_features_and_none_are_compared_with_set_0(judged: tuple[Any, ...], tmp_path: Path) -> None:
    random = np.random.default_rng(0)
    columns = {name: random.normal(size=200) for name in "abcd"}
    table, file, page = tmp_path / "t.csv", tmp_path / "found.json", tmp_path / "page.html"
    pd.DataFrame(columns).assign(y=columns["a"] + columns["b"] > 0).to_csv(table, index=False)
    asked = ("select", table, "--target", "y", "-k", 1, "--alternatives", 1, "--tau", 1, *judged)
    run(*asked, "--output", file, "--quiet")
    lines = run("performance", file, table, "--quiet").stdout.splitlines()
    cells = {line.split()[0]: line.split("  ")[-1] for line in lines if line.startswith(("all ", "none "))}
    assert all(any(sign in cells[name] for sign in "±[") for name in ("all", "none"))
    assert lines[-1].startswith("Set 0 predicts better than no feature does; ")
    assert "all features predict clearly better than it" in lines[-1]
    known = Performance.from_json(run("performance", file, table, "--format", "json", "--quiet").stdout)
    differences = known.to_frame().set_index("set")["difference"].to_dict()
    for name, other in (("all", known.all_features), ("none", known.no_features)):
        assert differences[name] == pytest.approx(other.value - known[0].score.value)
    if not judged:
        pairs = zip(known.all_features.parts, known[0].score.parts, strict=True)
        assert known.all_difference is not None
        assert known.all_difference.parts == pytest.approx([whole - first for whole, first in pairs])
    altsel.Solutions.from_json(file.read_text()).report(page, performance=known)
    assert '"differences":{"all":{"value":' in page.read_text().replace(" ", "")


@pytest.mark.parametrize(
    ("firsts", "said"),
    [
        (["ab"] * 9 + ["ac"], "stays nearly the same (Nogueira's measure 0.80:"),
        (
            ["ab"] * 9 + ["ac"],
            "); 'a', 'b' are in 90 % of the first sets or more, set 0 is found in 90 %. Next, all",
        ),
        (["ab"] * 6 + ["ac"] * 4, "changes in part (Nogueira's measure 0.47:"),
        (
            ["ab"] * 6 + ["ac"] * 4,
            "; 'a' is in 90 % of the first sets or more, set 0 is found in 60 %. Next, which",
        ),
        (["ab", "cd", "ac", "bd", "bc", "ad"], "is another one (Nogueira's measure -0.20:"),
        (
            ["ab", "cd", "ac", "bd", "bc", "ad"],
            "; no feature is in 90 % of the first sets or more, set 0 is found in",
        ),
    ],
)
def test_stability_is_told_in_words(firsts: list[str], said: str) -> None:
    chosen = np.array([[name in one for name in "abcd"] for one in firsts])
    value = nogueira(chosen)
    made = Stability(
        tuple("abcd"), (("a", "b"),), tuple((tuple(one),) for one in firsts), "halves", value, None, None
    )
    assert said in stability_closing(made, SOURCE)
    assert value is not None
    assert "altsel taxonomy 'my found.json' t.csv" in stability_closing(made, SOURCE) or value.value >= 0.75
    assert stability_closing(replace(made, reference=()), SOURCE) == ""


@pytest.mark.slow
@pytest.mark.parametrize(
    "search",
    [
        ("select", "-k", 2),
        ("near-optimal", "-k", 2, "--limit", 3),
        ("front", "-k", 2),
        ("rank", "-k", 2),
        ("blanket",),
        ("blankets",),
    ],
    ids=lambda one: one[0],
)
def test_what_gives_the_target_away_is_noted(search: tuple[Any, ...], tmp_path: Path) -> None:
    a, b, y = np.random.default_rng(0).normal(size=(3, 200))
    table, file = tmp_path / "t.csv", tmp_path / "found.json"
    pd.DataFrame({"a": a, "b": b, "later": y + 0.02 * a, "y": y}).to_csv(table, index=False)
    asked = [str(one) for one in (*search, table, "--target", "y", "--output", file)]
    told = CliRunner().invoke(app, asked)
    asks = "is it known before 'y' is? See"
    said = f"note: 'later' all but gives 'y' away: {asks}: altsel look {table} --target y"
    assert said in told.stderr
    assert "away: is it" not in CliRunner().invoke(app, [*asked, "--drop", "later"]).stderr
    if search[0] == "select":
        CliRunner().invoke(app, asked)
        for later in (("performance",), ("taxonomy",), ("stability", "--resamples", "2")):
            assert said in CliRunner().invoke(app, [*later, str(file), str(table)]).stderr


@pytest.mark.slow
def test_a_table_is_shown_beside_the_file_that_is_written(tmp_path: Path) -> None:
    r, runner, data = np.random.default_rng(0), CliRunner(), tmp_path / "t.csv"
    columns = {name: r.normal(size=60).round(3) for name in "abc"}
    pd.DataFrame(columns).assign(y=columns["a"] + columns["b"] > 0).to_csv(data, index=False)
    found = str(tmp_path / "found.json")
    searches = ("select", "near-optimal", "front", "rank")
    asked = [[name, str(data), "--target", "y", "-k", "2"] for name in searches]
    asked.append(["blankets", str(data), "--target", "y"])
    asked += [["performance", found, str(data), "--cv", "3"], ["taxonomy", found, str(data)]]
    for one in asked:
        alone = runner.invoke(app, one)
        output = found if one[0] == "select" else str(tmp_path / "other.json")
        beside, quiet = (runner.invoke(app, [*one, "--output", output, *more]) for more in ([], ["--quiet"]))
        assert quiet.stdout == ""
        assert f"written: {output}" in beside.stderr
        lines = (it.stdout.splitlines() for it in (alone, beside))
        first, second = ([line for line in it if not re.search(r" s$|json", line)] for it in lines)
        assert first
        assert first == second
