"""Commands on several solutions: blankets, equivalence, taxonomy, graph."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner, Result

import altsel
from altsel.catalogue import TemplateName
from altsel.cli.app import app
from altsel.errors import AltselError
from tests.conftest import IONOSPHERE

pytestmark = pytest.mark.filterwarnings("ignore::altsel.DataWarning")  # a constant column of ionosphere


@pytest.fixture(scope="session")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table with two exact substitutes of each of two causes."""
    random = np.random.default_rng(0)
    a, b = random.normal(size=(2, 300))
    table = pd.DataFrame({"a": a, "a2": 1 - a, "b": b, "b2": 3 * b, "noise": random.normal(size=300)})
    table["y"] = a + b + random.normal(size=300)
    path = tmp_path_factory.mktemp("copied") / "copied.csv"
    table.to_csv(path, index=False)
    return path


def run(*arguments: object, code: int = 0) -> Result:
    result = CliRunner().invoke(app, list(map(str, arguments)))
    assert result.exit_code == code, result.output + str(result.exception)
    return result


def refused(*arguments: object, code: int) -> str:
    """Return the error's text; ``main`` prints it, and exits with its code."""
    fault = CliRunner().invoke(app, list(map(str, arguments))).exception
    assert isinstance(fault, AltselError), fault
    assert fault.exit_code == code
    return str(fault)


def sets(text: str) -> set[frozenset[str]]:
    return {frozenset(one) for one in altsel.Solutions.from_json(text)}


APART = ("blankets", "--no-group-copies")
FAMILY = {frozenset({a, b}) for a in ("a", "a2") for b in ("b", "b2")}


@pytest.mark.parametrize(
    "more",
    [
        (),
        ("--method", "tie-star"),
        ("--method", "tie-star", "--removal", "hitting-set"),
        ("--no-prune",),
        *(("--template", name.value) for name in TemplateName),
    ],
)
def test_boundaries_finds_all(copied: Path, more: tuple[str, ...]) -> None:
    message = run(*APART, copied, "--target", "y", *more, "--format", "json")
    assert sets(message.stdout) == FAMILY


@pytest.mark.parametrize("method", ["tmfbs", "tie-star"])
def test_boundaries_with_pairs_finds_xor(method: str, tmp_path: Path) -> None:
    random = np.random.default_rng(0)
    a, b, noise = random.integers(0, 2, (3, 400))
    pd.DataFrame({"a": a, "b": b, "noise": noise, "y": a ^ b}).to_csv(tmp_path / "xor.csv", index=False)
    wanted = ("blankets", tmp_path / "xor.csv", "--target", "y", "--method", method, "--format", "json")
    assert sets(run(*wanted).stdout) == {frozenset()}
    assert sets(run(*wanted, "--pairs").stdout) == {frozenset({"a", "b"})}
    if method == "tie-star":
        assert "--pairs is for" in refused(*wanted, "--pairs", "--learner", "iamb", code=2)


def test_boundaries_by_a_template_do_not_claim_what_was_not_confirmed(copied: Path, tmp_path: Path) -> None:
    random = np.random.default_rng(0)
    a, b = random.integers(0, 2, (2, 400))
    pd.DataFrame({"a": a, "b": b, "y": a ^ b}).to_csv(tmp_path / "xor.csv", index=False)
    wanted = ("blankets", tmp_path / "xor.csv", "--target", "y", "--template", "mmpc")
    ended = CliRunner().invoke(app, list(map(str, wanted)))
    assert (ended.exit_code, "there may be more blankets" in ended.stdout) == (0, True)
    assert "assumption 1 was not confirmed" in ended.stdout
    assert "--pairs is for" in refused(*wanted, "--pairs", code=2)
    assert "--template is for" in refused(*wanted, "--method", "tie-star", code=2)


def test_boundaries_as_text_and_table(copied: Path) -> None:
    message = run(*APART, copied, "--target", "y").stdout
    assert "4 blankets; stop: exhausted" in message
    assert "-a +a2" in message
    table = run(*APART, copied, "--target", "y", "--format", "csv").stdout
    assert table.splitlines()[0] == "set,size,features,lost,p"
    limited = run(*APART, copied, "--target", "y", "--max-solutions", 2, code=4)
    assert "ended early (limit)" in limited.stderr


@pytest.mark.slow
def test_boundaries_with_rules(copied: Path, tmp_path: Path) -> None:
    rules = tmp_path / "rules.toml"
    rules.write_text('forbid = ["a"]\n[[implies]]\nif = "a2"\nthen = ["b"]\n')
    message = run(*APART, copied, "--target", "y", "--rules", rules, "--format", "json")
    assert sets(message.stdout) == {frozenset({"a2", "b"})}
    rules.write_text('require = ["noise"]\nforbid = ["noise"]\n')
    message = run(*APART, copied, "--target", "y", "--rules", rules, code=3)
    assert "no set keeps the rules" in message.stderr
    assert "cannot hold together:\n- require 'noise'\n- forbid 'noise'\n" in message.stderr
    rules.write_text('forbid = ["a", "a2", "noise"]\n')
    message = run(*APART, copied, "--target", "y", "--rules", rules, code=3)
    assert "- forbid 'a', 'a2', 'noise'\n- has one of 'a', 'a2', without which no blanket" in message.stderr
    rules.write_text('[[in_at_most]]\nnumber = 1\nof = ["a"]\n')
    assert "in_at_most" in refused(*APART, copied, "--target", "y", "--rules", rules, code=2)


@pytest.mark.slow
def test_alternatives_of_a_solver_to_picture(tmp_path: Path) -> None:
    pytest.importorskip("pygraphviz")
    found = tmp_path / "found.json"
    run(
        "select",
        IONOSPHERE,
        "--target",
        "target",
        "-k",
        4,
        "--alternatives",
        2,
        "--format",
        "json",
        "--output",
        found,
    )
    message = run(
        "equivalence", found, IONOSPHERE, "--all-pairs", "--holdout", 0.3, "--margin", 0.1, "--quiet"
    )
    assert "classes of equivalent sets" in message.stdout
    assert "TOST" in message.stdout
    rows = run("equivalence", found, IONOSPHERE, "--format", "csv", "--quiet").stdout.splitlines()
    assert len(rows) == 1 + 2 * 2
    message = run("taxonomy", found, IONOSPHERE, "--quiet")
    assert "no alternative is equivalent to set 0: replaceability is not judged" in message.stdout
    meant = "predicts as well, and neither set tells of the target what the other does not"
    scores = run("performance", found, IONOSPHERE, "--cv", 3, "--quiet")
    assert all(meant in one.stdout for one in (message, scores))  # one vocabulary
    assert "replaceable" not in message.stdout
    assert "replaced by" not in message.stdout
    json.loads(run("taxonomy", found, IONOSPHERE, "--format", "json", "--quiet").stdout)
    message = run("graph", found)
    assert message.stdout.startswith("3 solutions")
    for name in ("msg.svg", "msg.png", "msg.dot", "msg.json"):
        run("graph", found, "--output", tmp_path / name)
        assert (tmp_path / name).stat().st_size > 100
    assert "OR" not in run("graph", found, "--no-or-nodes").stdout
    counted = run("graph", found, "--savings").stdout
    assert counted.splitlines()[-1].startswith("OR merging ")


@pytest.mark.slow
def test_classes_and_ways_of_a_family_and_of_sets_that_are_equivalent(copied: Path, tmp_path: Path) -> None:
    found = tmp_path / "found.json"
    run(*APART, copied, "--target", "y", "--output", found)
    message = run("taxonomy", found, copied, "--quiet").stdout
    assert "replaced by" in message
    assert "not judged" not in message
    best = ("select", copied, "--target", "y", "-k", 2, "--tau", 0.5, "--no-group-copies")
    run(*best, "--objective", "linear-fit", "--output", found)
    told = json.loads(run("taxonomy", found, copied, "--format", "json", "--quiet").stdout)
    assert (told["judged"], told["complete"], told["sets"]) == (True, False, 6)
    classes = {one["feature"]: one["feature_class"] for one in told["reports"]}
    assert {classes[name] for name in ("a", "a2", "b", "b2")} == {"replaceable"}
    assert classes["noise"] == "irrelevant"
    message = run("taxonomy", found, copied, "--quiet").stdout
    assert f"classes are by {len(told['solutions'])} solutions: {told['equivalent']} of 6 sets" in message


@pytest.mark.slow
def test_a_blanket_that_is_cut_short_decides_nothing_in_text_table_json_and_page(
    copied: Path, tmp_path: Path
) -> None:
    found, page = tmp_path / "found.json", tmp_path / "page.html"
    cut = ("blanket", copied, "--target", "y", "--method", "iamb", "--no-group-copies", "--max-tests", 7)
    message = run(*cut, code=4).stdout
    assert "rejected" not in message
    assert "not decided" in message
    rows = run(*cut, "--format", "csv", code=4).stdout.splitlines()
    assert sum(",not decided," in row for row in rows) == len(rows) - 2
    run(*cut, "--output", found, code=4)
    told = run("taxonomy", found, copied, "--quiet").stdout
    assert "a single set has no alternative: replaceability is not judged" in told
    assert "indispensable" not in told
    run("report", found, "--data", copied, "--output", page, "--quiet")
    assert "rejected" not in page.read_text().split('id="found"')[1]


@pytest.mark.slow
def test_what_was_measured_of_another_search_is_refused(copied: Path, tmp_path: Path) -> None:
    names = ("one", "other", "stability", "performance")
    one, other, stability, performance = (tmp_path / f"{name}.json" for name in names)
    best = ("select", copied, "--target", "y", "--no-group-copies", "--alternatives", 1)
    run(*best, "-k", 2, "--output", one)
    run(*best, "-k", 2, "--tau", 0.4, "--output", other)  # the same sets, by another search
    assert sets(one.read_text()) == sets(other.read_text())
    run("stability", one, copied, "--resamples", 2, "--output", stability, "--quiet")
    run("performance", one, copied, "--cv", 2, "--nested", "--output", performance, "--quiet")
    for name, file in (("stability", stability), ("performance", performance)):
        run("report", one, f"--{name}", file, "--output", tmp_path / "page.html")
        said = refused("report", other, f"--{name}", file, "--output", tmp_path / "page.html", code=2)
        assert f"{file} (--{name}) is of another search than the solutions" in said


@pytest.mark.slow
def test_what_is_wrong_is_named(copied: Path, tmp_path: Path) -> None:
    found = tmp_path / "found.json"
    run(*APART, copied, "--target", "y", "--format", "json", "--output", found)
    cases = [
        (("equivalence", tmp_path / "none.json", copied), 2, "none.json"),
        (("equivalence", copied, copied), 1, "--format json"),
        (("equivalence", found, IONOSPHERE, "--target", "target"), 1, "lacks features"),
        (("equivalence", found, copied, "--holdout", 1.5), 2, "--holdout 1.5"),
        (("graph", found, "--output", tmp_path / "msg.gif"), 2, ".svg"),
        ((*APART, copied, "--target", "y", "--max-solutions", 0), 2, "max_solutions=0"),
        ((*APART, copied, "--target", "y", "--sign-flips", 0), 2, "permutations=0"),
    ]
    for arguments, code, word in cases:
        assert word in refused(*arguments, code=code)
    assert not (tmp_path / "msg.gif").exists()


def test_both_parts_of_the_rows_keep_declared_kinds() -> None:
    table = {"n": [3, 0, 7, 1] * 10, "size": ["small", "large", "medium", "small"] * 10}
    kinds: dict[str, Any] = {"n": "ordinal", "size": ["small", "medium", "large"], "y": "count"}
    data = altsel.Dataset(pd.DataFrame(table), pd.Series(range(40), name="y"), kinds=kinds)
    for part in data.split(0.3):
        assert (part.kinds, part.target_kind) == (data.kinds, data.target_kind)
