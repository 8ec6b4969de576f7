"""Rules from a file: every key does what its function does; every fault names its key."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import altsel
from altsel import ArgumentError, ConfigurationError, Dice, Problem, Univariate, domain
from altsel.catalogue.rules import EXAMPLES, RulesFile
from altsel.cli.app import app
from altsel.cli.costs_file import read_costs
from altsel.cli.rules_file import read_rules, rules_in
from tests.conftest import IONOSPHERE

EVERY = """
require = ["x1"]
forbid = ["x5"]
at_most = [{ number = 2, of = ["x0", "x1", "x2"] }]
at_least = [{ number = 1, of = ["x6", "x7"] }]
exactly = [{ number = 1, of = ["x3", "x4"] }]
implies = [{ if = "x3", then = ["x6"] }]
all_or_none = [["x0", "x8"]]
mutually_exclusive = [["x2", "x7"]]
minimum_quality = 0.5
in_at_most = [{ number = 2, of = ["x0", "x1"] }]

[[budget]]
limit = 12
cost = { x0 = 4, x1 = 2.5 }
fixed = [{ cost = 3, of = ["x3", "x4"] }]
other = 0.5

[[proxy_limit]]
limit = 0.9
dependence = { x1 = 0.5, x2 = 0.5 }
other = 0
"""
SAME = [
    domain.require("x1"),
    domain.forbid("x5"),
    domain.at_most(2, ["x0", "x1", "x2"]),
    domain.at_least(1, ["x6", "x7"]),
    domain.exactly(1, ["x3", "x4"]),
    domain.implies("x3", "x6"),
    domain.all_or_none(["x0", "x8"]),
    domain.mutually_exclusive(["x2", "x7"]),
    domain.budget({"x0": 4, "x1": 2.5}, 12, [(3, ["x3", "x4"])], 0.5),
    domain.proxy_limit({"x1": 0.5, "x2": 0.5}, 0.9, 0),
    domain.minimum_quality(0.5),
]


def test_every_key_makes_its_rule(tmp_path: Path) -> None:
    file = tmp_path / "rules.toml"
    file.write_text(EVERY)
    rules = read_rules(file)
    assert [rule.__name__ for rule in rules.subject_to] == [rule.__name__ for rule in SAME]
    assert [rule.__name__ for rule in rules.across] == ["'x0', 'x1' in at most 2 of the sets"]
    quality = Univariate([0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1])
    ours, theirs = (altsel.sequential(Problem(quality, 4, r), Dice(0.5), 2) for r in (rules.subject_to, SAME))
    assert [rule.features for rule in ours] == [rule.features for rule in theirs]
    assert len(ours) > 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("require = ", "is not TOML"),
        ('requires = ["x1"]', "requires: unknown key"),
        ('require = "x1"', "require: must be a list"),
        ("at_most = [{ number = -1, of = ['a'] }]", r"at_most\[0\].number"),
        ("at_most = [{ number = 1.5, of = [] }]", r"at_most\[0\].number.*at_most\[0\].of"),
        ("implies = [{ if = 'a' }]", r"implies\[0\].then"),
        ("[[budget]]\nlimit = 'high'", r"budget\[0\].limit: must be a number"),
    ],
)
def test_a_wrong_file_names_the_key(text: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "rules.toml"
    file.write_text(text)
    with pytest.raises(ConfigurationError, match=message):
        read_rules(file)


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="cannot read"):
        read_rules(tmp_path / "rules.toml")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::altsel.DataWarning")
def test_rules_on_the_command_line(tmp_path: Path) -> None:
    file = tmp_path / "rules.toml"
    file.write_text('forbid = ["a05"]\nrequire = ["a10"]')
    wanted = [str(IONOSPHERE), "--target", "target", "-k", "3", "--rules", str(file)]
    done = CliRunner().invoke(app, ["select", *wanted, "--alternatives", "2", "--format", "json"])
    found = altsel.Solutions.from_json(done.stdout)
    assert len(found) == 3
    assert all("a10" in subset and "a05" not in subset for subset in found)
    model = tmp_path / "model.lp"
    assert CliRunner().invoke(app, ["export", *wanted, "--output", str(model)]).exit_code == 0
    assert "require_a10" in model.read_text()


def test_every_rule_is_shown_as_it_is_written(tmp_path: Path) -> None:
    assert set(EXAMPLES) == set(RulesFile.model_fields)
    for name, example in EXAMPLES.items():
        made = rules_in(example, "rules")
        assert made.subject_to or made.across, name
    with pytest.raises(ConfigurationError, match=r"budget\[0\].max: unknown key; write budget = "):
        rules_in("[[budget]]\nlimit = 3\nmax = 3", "rules")


def priced(folder: Path, prices: str) -> tuple[Path, Path]:
    """Write a table, rules with a budget, and the prices in a file of their own."""
    r = np.random.default_rng(0)
    columns = {name: r.normal(size=120).round(3) for name in "abcd"}
    data, rules = folder / "t.csv", folder / "rules.toml"
    pd.DataFrame(columns).assign(y=columns["a"] + columns["b"] > 0).to_csv(data, index=False)
    rules.write_text('budget = [{limit = 2000, cost = "prices.csv", other = 1}]\nforbid = ["d"]')
    (folder / "prices.csv").write_text(prices, encoding="utf-8")
    return data, rules


PRICES = "Test;EUR\na;4,50\nb;1.250,00\nc;900\nhba1c;2,10\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    "search",
    [
        ("select", "-k", "2", "--alternatives", "1"),
        ("front", "-k", "2"),
        ("near-optimal", "-k", "2"),
        ("blankets",),
    ],
    ids=lambda one: one[0],
)
def test_what_is_found_keeps_the_prices_of_a_file(search: tuple[str, ...], tmp_path: Path) -> None:
    data, rules = priced(tmp_path, PRICES)
    file, run = tmp_path / "found.json", CliRunner()
    asked = [*search, str(data), "--target", "y", "--rules", str(rules), "--output", str(file), "--quiet"]
    done = run.invoke(app, asked)
    assert done.exit_code == 0, done.output
    assert "prices.csv: not used, as none is a feature here: the costs of 'hba1c'" in done.stderr
    (tmp_path / "prices.csv").unlink()
    rules.unlink()
    kept = tomllib.loads(json.loads(file.read_text())["request"]["command"]["rules"])
    budget = {"limit": 2000, "cost": {"a": 4.5, "b": 1250.0, "c": 900.0}, "other": 1}
    assert kept == {"budget": [budget], "forbid": ["d"]}
    audit = run.invoke(app, ["audit", str(file), str(data), "--quiet"])
    assert (audit.exit_code, audit.stdout[:9]) == (0, "confirmed"), audit.output
    if search[0] != "front":
        again = ["performance", str(file), str(data), "--nested", "--cv", "3", "--quiet"]
        assert run.invoke(app, again).exit_code == 0


@pytest.mark.parametrize(
    ("prices", "said"),
    [
        ("Test;EUR\na;cheap\n", "'a': 'cheap' is no finite number"),
        (
            "Test;EUR\nx;1\n",
            "nothing that it names is a feature: 'x'; its first column has names of features",
        ),
        ("Test;EUR;USD\na;1;2\n", "has 2 columns of costs; a budget takes one"),
        ("a;1\n", "needs a head, a column of features and one of costs"),
        ("Test;EUR\na;1\na;2\n", "names 'a' twice"),
    ],
)
def test_prices_that_are_none_name_their_file(prices: str, said: str, tmp_path: Path) -> None:
    data, rules = priced(tmp_path, prices)
    done = CliRunner().invoke(app, ["select", str(data), "--target", "y", "-k", "2", "--rules", str(rules)])
    assert isinstance(done.exception, (ArgumentError, ConfigurationError))
    assert said in str(done.exception)
    assert "prices.csv" in str(done.exception)


def test_results_name_no_file_of_prices() -> None:
    with pytest.raises(ConfigurationError, match="cost"):
        rules_in('budget = [{limit = 1, cost = "prices.csv"}]', "found.json")


def test_prices_may_be_a_spreadsheet(tmp_path: Path) -> None:
    pytest.importorskip("openpyxl")
    rows = {"Test": ["a", "b", "c"], "Kosten (EUR)": ["4,50 €", "12,00 €", "1.250,00 €"]}
    pd.DataFrame(rows).to_excel(tmp_path / "prices.xlsx", index=False)
    assert read_costs(tmp_path / "prices.xlsx") == [{"a": 4.5, "b": 12.0, "c": 1250.0}]
