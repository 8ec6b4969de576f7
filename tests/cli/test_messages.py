"""Bad input: one clear error that names the argument, column or key, and says what to do."""

# mypy: disable-error-code="arg-type, list-item, return-value, no-untyped-call"

from __future__ import annotations

import pickle
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy.sparse import csr_matrix
from typer.testing import CliRunner

import altsel
from altsel import (
    CFS,
    FCBF,
    MRMR,
    AltselError,
    ArgumentError,
    Average,
    ConfigurationError,
    DataError,
    Dataset,
    Dice,
    Problem,
    Univariate,
    dependence,
    domain,
    equivalence,
    pareto_front,
    sequential,
    simultaneous,
)
from altsel.cli.app import app
from altsel.cli.rules_file import read_rules
from altsel.measures import absolute_pearson
from altsel.results.text import json_text
from altsel.runtime.files import replacing
from altsel.search.blankets.iamb import iamb

RNG = np.random.default_rng(0)
TABLE = pd.DataFrame(RNG.normal(size=(40, 3)), columns=["a", "b", "c"])
CLASSES = pd.Series((RNG.random(40) > 0.5).astype(int), name="y")
PROBLEM = Problem(Univariate([3, 2, 1]), 2)
SERIES = pd.Series([1.0, 2.0], index=["a", "b"])
RECORDS = np.array([(1, 2.0), (2, 3.0), (3, 1.0)], dtype=[("a", int), ("b", float)])


def write_to(path: str) -> None:
    with replacing(path) as part:
        part.write_text("x")


CALLS: dict[str, tuple[Any, str]] = {
    "a number for a dissimilarity": (lambda: sequential(PROBLEM, 0.4, 3), r"0\.4 is no dissim.*Dice\(0\.4\)"),
    "the same at once": (lambda: simultaneous(PROBLEM, 0.4, 3), r"use Dice\(0\.4\) or Jaccard\(0\.4\)"),
    "the same of a front": (lambda: pareto_front(PROBLEM, 0.5), r"use Dice\(0\.5\)"),
    "the same on average": (
        lambda: sequential(PROBLEM, Average(0.5), 1),
        r"0\.5 is no dissimilarity; use Dice\(0\.5\)",
    ),
    "a series for mRMR": (lambda: MRMR(SERIES), r"MRMR needs relevances and redundancies, not a Series"),
    "a frame for CFS": (lambda: CFS(TABLE), r"CFS needs .*altsel\.dependence\(data, criterion=altsel\.CFS\)"),
    "a series for FCBF": (lambda: FCBF(SERIES), r"FCBF needs .*Dependence\(relevance, redundancy\)"),
    "a list to require": (lambda: domain.require(["a", "b"]), r"require\(\*names\)"),
    "numbers as names": (lambda: domain.at_most(1, [1, 2]), "at_most: 1 is no name of a feature"),
    "a measure that gives many": (
        lambda: dependence(Dataset(TABLE, CLASSES), lambda a, b: np.zeros(3)),
        "must take two arrays and return one number",
    ),
    "a measure of one array": (
        lambda: dependence(Dataset(TABLE, CLASSES), lambda a: 1.0),
        "must take two arrays and return one number",
    ),
    "a column of records": (
        lambda: Dataset(pl.DataFrame({"a": [1.0, 2], "s": [{"x": 1, "z": 1}, {"x": 2, "z": 1}]}), [0, 1]),
        "column.*'s'",
    ),
    "a frame for a data set": (
        lambda: dependence(TABLE, CLASSES),
        "takes a Dataset, not a DataFrame",
    ),
    "data for a test": (
        lambda: iamb(Dataset(TABLE, CLASSES)),
        r"give for example GSquare\(data\)",
    ),
    "a number for a target": (lambda: Dataset(TABLE, 2), "a column's name as text"),
    "a table for a target": (lambda: Dataset(TABLE, CLASSES.to_frame()), r"give y\.iloc\[:, 0\]"),
    "a column vector": (lambda: Dataset(TABLE, CLASSES.to_numpy()[:, None]), r"give y\.ravel\(\)"),
    "a sparse matrix": (lambda: Dataset(csr_matrix(TABLE.to_numpy() * 1j), CLASSES), "real numbers"),
    "a list of lists": (lambda: Dataset([[1, 2], [2, 3]], [0, 1]), r"numpy\.array\(X\)"),
    "classes for a correlation": (
        lambda: dependence(Dataset(TABLE, np.arange(40) % 8), absolute_pearson),
        "task='regression'.*--task regression",
    ),
    "categories for a correlation": (
        lambda: dependence(Dataset(TABLE.assign(z=list("uvwx") * 10), CLASSES), absolute_pearson),
        "--drop z",
    ),
    "no sets to compare": (lambda: equivalence([], Dataset(TABLE, CLASSES)), "no sets to compare"),
    "a text to leave out": (lambda: Dataset(TABLE, CLASSES, drop="a"), r"\['a'\]"),
    "a number that is none": (
        lambda: Dataset(TABLE.assign(d=pd.Series([Decimal("sNaN"), "u"] * 20, dtype=object)), CLASSES),
        "column 'd' holds numbers that are none",
    ),
    "a missing value among numbers": (
        lambda: Dataset(TABLE.assign(d=pd.Series([pd.NA, 1] * 20, dtype=object)), CLASSES),
        r"missing values in 'd' \(20\)",
    ),
    "complex numbers among objects": (
        lambda: Dataset(TABLE.assign(d=pd.Series([1j, 1] * 20, dtype=object)), CLASSES),
        "column 'd' holds complex numbers",
    ),
    "nan that numpy made text": (lambda: Dataset(TABLE, np.array(["a", np.nan] * 20)), "the text 'nan'"),
    "a list that is no Unicode": (lambda: Dataset(TABLE, ["\ud800", "b"] * 20), "y holds text that is no"),
    "columns of two lengths": (lambda: Dataset({"a": [1, 2], "b": [1]}, [0, 1]), "columns of one length"),
    "names that occur twice": (
        lambda: Dataset(pa.table([[1, 2], [2, 3]], names=["a", "a"]), [0, 1]),
        "cannot be read|more than once",
    ),
    "no path of a network": (lambda: altsel.read_network(3), "path=3; give the path of a file"),
    "text that is no Unicode": (
        lambda: Dataset(TABLE.assign(d=pd.Series(["\ud800", "u"] * 20, dtype=object)), CLASSES),
        "column 'd' holds text that is no Unicode",
    ),
    "a name that is no Unicode": (
        lambda: Dataset(TABLE.set_axis(pd.Index(["\ud800", "b", "c"], dtype=object), axis=1), CLASSES),
        r"names are no Unicode: '\\ud800'",
    ),
    "1 and '1' in a list": (lambda: Dataset(TABLE, [1, "1"] * 20), "type alone: '1', '1'"),
    "a target of text with few words": (
        lambda: Dataset(TABLE, [*map(str, range(39)), "oops"]),
        "would have 40 classes, .*such as 'oops', are numbers",
    ),
    "a target with commas": (
        lambda: Dataset(TABLE, [f"{n},5" for n in range(40)]),
        "would have 40 classes, .*its values are numbers; name the decimal sign",
    ),
    "a kind of a name nearly right": (lambda: Dataset(TABLE, CLASSES, kinds={"A": "integer"}), "mean 'a'"),
    "a separator of two bytes": (lambda: altsel.data.Reading("é"), "use one character of ASCII"),
    "a zero byte in the path of a network": (lambda: altsel.read_network("a\0b"), "cannot be read"),
    "a zero byte in a path to write": (lambda: write_to("a\0b"), "it holds a zero byte"),
    "a column that is not there": (lambda: Dataset(TABLE, CLASSES, drop=["z"]), "no column 'z'"),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_bad_call_says_what_to_do(name: str) -> None:
    call, message = CALLS[name]
    with pytest.raises(AltselError, match=message) as caught:
        call()
    assert len(str(caught.value)) < 400
    assert "\n" not in str(caught.value)


def test_what_is_meant_is_taken() -> None:
    assert Univariate({"a": 1.0, "b": 2.0}).features == ("a", "b")
    assert Dataset(RECORDS, [0, 1, 0]).features == ("a", "b")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('require = "a"', r'require: must be a list: \["a", "b"\], not \'a\''),
        ('requires = ["a"]', "requires: unknown key; there are 'require', 'forbid'"),
        ("[[at_most]]\nnumber = -1\nof = ['a']", r"at_most\[0\]\.number: must be at least 0, not -1"),
        (
            "[[at_most]]\nnumber = 1.5\nof = ['a']",
            r"at_most\[0\]\.number: must be an integer, not '1\.5'",
        ),
        ("[[at_most]]\nnumber = 1\nof = []", r"at_most\[0\]\.of: must have 1 entry"),
        ("[at_most]\nnumber = 1\nof = ['a']", r"at_most: must be a list of tables: write its head in two"),
        ("at_most = 3", "at_most: must be a list, not '3'"),
        ("[[at_most]]\nof = ['a']", r"at_most\[0\]\.number: is missing"),
        ("minimum_quality = 'high'", "minimum_quality: must be a"),
        ("a = " + "[" * 5_000, "is not TOML"),
    ],
)
def test_a_file_of_rules_is_told_in_plain_words(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "rules.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigurationError, match=message) as caught:
        read_rules(path)
    assert "pydantic" not in str(caught.value)


def test_rules_are_data() -> None:
    made: list[Any] = [
        lambda: domain.require("x0"),
        lambda: domain.forbid("x2"),
        lambda: domain.at_most(1, ["x0", "x2"]),
        lambda: domain.at_least(1, ["x0", "x1"]),
        lambda: domain.exactly(1, ["x0", "x2"]),
        lambda: domain.implies("x0", "x1"),
        lambda: domain.all_or_none(["x0", "x1"]),
        lambda: domain.mutually_exclusive(["x1", "x2"]),
        lambda: domain.budget({"x0": 1}, 3, [(1, ["x1"])], other=0),
        lambda: domain.proxy_limit({"x1": 0.5}, 1, other=0),
        lambda: domain.minimum_quality(0.5),
    ]
    rules = [make() for make in made]
    problem = Problem(Univariate([3, 2, 1]), 2, rules, [domain.in_at_most(2, ["x0"])])
    again = pickle.loads(pickle.dumps(problem))
    assert list(again.subject_to) == list(problem.subject_to) == [make() for make in made]
    assert again.across == problem.across
    assert len(set(map(hash, rules))) == len(rules)
    assert repr(rules[0]) == "<rule: require 'x0'>"
    assert rules[0] != rules[1]
    found = sequential(again, Dice(0.5), 0)
    assert found[0].features == sequential(problem, Dice(0.5), 0)[0].features == ("x0", "x1")


def test_a_problem_with_a_function_of_ones_own_travels_as_pickle_allows() -> None:
    problem = Problem(Univariate([3, 2, 1]), 2, [lambda b: b.x["x0"] == 1])
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(problem)
    with pytest.raises(ArgumentError, match="dissimilarity"):
        sequential(problem, "dice", 1)


def test_errors_are_one_line_that_a_terminal_may_show(tmp_path: Path) -> None:
    assert str(DataError("two\n lines of \x1b[31mred\u202e\n")) == r"two lines of \x1b[31mred\u202e"
    assert json_text("a\u2028b") == '"a\\u2028b"'
    path = tmp_path / "ragged.csv"
    path.write_text("a,y\n1,0\n2,1,3\n")
    with pytest.raises(DataError) as caught:
        altsel.Dataset(path, "y")
    assert str(caught.value).isprintable()


def test_a_program_that_is_not_there_makes_no_noise(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "solvers.toml"
    path.write_text(
        'default = "a"\n[profiles.a]\nengine = "pyomo"\nsolver = "cbc"\nexecutable = "none/cbc"\n'
    )
    assert [profile.version for profile in altsel.profiles(path)] == [None]
    with pytest.raises(altsel.ConfigurationError, match=r"its 'executable' .*none/cbc' is no program"):
        altsel.solver("a", file=path)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["equivalence", "FOUND", "DATA", "--holdout", "0.999"],
            "0.999 holds 40 of 40 rows out: too few",
        ),
        (
            ["select", "DATA", "--target", "y", "-k", "2", "--rules", "RULES"],
            "it is constant in the rows in use, and left out",
        ),
        (["graph", "EMPTY"], "sets: is missing"),
        (["graph", "LIST"], "Input should be an object"),
        (["performance", "FOUND", "FOLDER"], "is a folder"),
        (["select", "XLSX", "--target", "y", "-k", "2"], "save it as CSV"),
    ],
)
@pytest.mark.filterwarnings("ignore::altsel.DataWarning")  # a constant column
def test_a_bad_command_says_what_to_do(arguments: list[str], message: str, tmp_path: Path) -> None:
    files = {"EMPTY": "{}", "LIST": "[1, 2]", "RULES": 'require = ["d"]\n'}
    paths = {name: tmp_path / f"{name.lower()}.{'toml' if name == 'RULES' else 'json'}" for name in files}
    for name, text in files.items():
        paths[name].write_text(text)
    table = TABLE.assign(d=1.0, y=CLASSES)
    paths |= {"DATA": tmp_path / "data.csv", "FOUND": tmp_path / "found.json", "FOLDER": tmp_path}
    paths["XLSX"] = tmp_path / "data.xlsx"
    paths["XLSX"].write_bytes(b"PK\x03\x04")
    table.to_csv(paths["DATA"], index=False)
    found = CliRunner().invoke(
        app,
        [
            "select",
            str(paths["DATA"]),
            "--target",
            "y",
            "-k",
            "1",
            "--alternatives",
            "1",
            "--output",
            str(paths["FOUND"]),
        ],
    )
    assert found.exit_code == 0
    result = CliRunner().invoke(app, [str(paths.get(argument, argument)) for argument in arguments])
    assert isinstance(result.exception, AltselError)
    assert message in str(result.exception)


@pytest.mark.parametrize(
    "call",
    [
        lambda: Dataset(TABLE.assign(d=pd.Series([10**400, *range(39)], dtype=object)), CLASSES),
        lambda: Dataset(TABLE, [date(2020, 1, 1)] * 20 + [date(2020, 1, 2)] * 20),
        lambda: Dataset(TABLE, pd.period_range("2020", periods=40, freq="D")),
        lambda: Dataset(TABLE, [[1], [2, 3]]),
        lambda: Dataset(TABLE, np.ma.array(CLASSES.to_numpy(), mask=[True] + [False] * 39)),
        lambda: altsel.Dependence(np.ma.array([1.0, 2.0], mask=[True, False])),
        lambda: altsel.Dependence([1.0, 2.0], [[1.0], [2.0, 3.0]]),
        lambda: altsel.Dependence([10**400, 1]),
        lambda: Dataset(TABLE, CLASSES, drop=3),
        lambda: Dataset(TABLE, CLASSES, kinds=["a"]),
        lambda: altsel.data.Reading(decimal="e"),
        lambda: altsel.data.Reading(separator=""),
        lambda: domain.minimum_quality(10**400),
        lambda: altsel.Solutions.from_json(
            sequential(PROBLEM, altsel.Dice(0.5), 0)
            .to_json()
            .replace('"search": "seq', '"x": NaN, "search": "seq')
        ),
    ],
)
def test_what_no_number_or_table_can_be_is_an_error_of_ours(call: Any) -> None:
    with pytest.raises(AltselError) as caught:
        call()
    assert str(caught.value).isprintable()
