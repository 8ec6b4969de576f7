"""Rules from a file: every key does what its function does; every fault names its key."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

import altsel
from altsel import ConfigurationError, Dice, Problem, Univariate, domain
from altsel.cli.app import app
from altsel.cli.rules_file import EXAMPLES, RulesFile, read_rules, rules_in
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
