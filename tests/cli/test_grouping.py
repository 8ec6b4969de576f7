"""Copies on the command line: grouped with a note, kept apart, near copies, audits."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner, Result

import altsel
from altsel.cli.app import app
from altsel.errors import AltselError

pytestmark = pytest.mark.filterwarnings("ignore::altsel.DataWarning")
TARGET = ("--target", "y")


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`a` has a copy and a recoding, `near` is nearly `b`."""
    random = np.random.default_rng(0)
    a, b, c, noise = random.normal(size=(4, 200))
    columns = {"a": a, "b": b, "copy": a, "c": c, "line": 4 - 2 * a, "near": b + noise / 1000}
    path = tmp_path_factory.mktemp("copies") / "table.csv"
    pd.DataFrame({**columns, "y": (a + b + c / 2 > 0).astype(int)}).to_csv(path, index=False)
    return path


def run(*arguments: object, code: int = 0) -> Result:
    result = CliRunner().invoke(app, list(map(str, arguments)))
    assert result.exit_code == code, result.output + str(result.exception)
    return result


def refused(*arguments: object) -> str:
    fault = CliRunner().invoke(app, list(map(str, arguments))).exception
    assert isinstance(fault, AltselError), fault
    return str(fault)


@pytest.mark.slow
def test_select_groups_copies_and_says_so(table: Path) -> None:
    select = ("select", table, *TARGET, "-k", 2, "--tau", 0.5, "--alternatives", 1)
    message = run(*select)
    assert "2 of 6 columns are copies of others, grouped with them; --no-group-copies" in message.stderr
    assert "nearly are copies of others (|r| of at least 0.999): 1, such as 'near' of 'b'" in message.stderr
    assert "a (or copy, line), " in message.stdout
    message = run(*select, "--no-group-copies")
    assert "(or" not in message.stdout
    assert not message.stderr
    message = run(*select, "--group-above", 0.999)
    assert "a (or copy, line), b (or near)" in message.stdout
    assert "3 of 6 columns are copies or near copies" in message.stderr
    assert "at most 1" in refused(*select, "--group-above", 2)
    assert "--group-above groups copies too" in refused(*select, "--group-above", 0.9, "--no-group-copies")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "shown"),
    [
        (("rank", "-k", 2), "a (or copy, line)"),
        (("blanket", "--method", "iamb"), "a (or copy, line)"),
        (("blankets", "--sign-flips", 50), "a (or copy, line)"),
        (("near-optimal", "-k", 2), "a (or copy, line)"),
        (("front", "-k", 1), "a (or copy, line)"),
        (("select", "-k", 2, "--group-above", 0.99, "--alternatives", 0), "b (or near)"),
    ],
)
def test_other_commands_group_too_and_audits_check_it(
    table: Path, tmp_path: Path, command: tuple[object, ...], shown: str
) -> None:
    name, *more = command
    call = (name, table, *TARGET, *more)
    assert shown in run(*call).stdout
    output = tmp_path / "found.json"
    run(*call, "--output", output)
    plain = json.loads(output.read_text())
    assert plain["members"]["a"] == ["a", "copy", "line"]
    assert "confirmed" in run("audit", output, table).stdout
    output.write_text(json.dumps({**plain, "members": {**plain["members"], "a": ["a", "copy"]}}))
    assert "WRONG" in run("audit", output, table, code=3).stdout


@pytest.mark.slow
def test_files_of_a_version_that_did_not_group(table: Path, tmp_path: Path) -> None:
    for number, command in enumerate((("rank", "-k", 2), ("select", "-k", 2, "--alternatives", 0))):
        output = tmp_path / f"found{number}.json"
        run(command[0], table, *TARGET, *command[1:], "--no-group-copies", "--output", output)
        plain = json.loads(output.read_text())
        del plain["members"], plain["request"]["command"]["options"]["group_copies"]
        output.write_text(json.dumps(plain))
        assert "confirmed" in run("audit", output, table).stdout


@pytest.mark.slow
def test_what_follows_knows_the_members(table: Path, tmp_path: Path) -> None:
    output, rules = tmp_path / "found.json", tmp_path / "rules.toml"
    rules.write_text('require = ["line"]\n[[budget]]\nlimit = 3\ncost = {a = 9, copy = 1, line = 2, b = 2}\n')
    call = ("select", table, *TARGET, "-k", 2, "--rules", rules, "--output", output)
    run(*call, "--tau", 0.5, code=3)
    found = altsel.Solutions.from_json(output.read_text())
    assert all("a" in one for one in found)
    audited = run("audit", output, table)
    assert "data.grouped" not in audited.stderr
    assert "data.grouped" not in run(*call[:6], "--no-group-copies").stderr
    assert "confirmed" in run("audit", output, table, "--prove", "highs").stdout
    assert "copy" in run("taxonomy", output, table).stdout
    run("equivalence", output, table)
    rules.write_text('forbid = ["line"]\n')
    assert "'line' is one feature with 'a', 'copy'" in refused(*call)
    rules.write_text('forbid = ["line", "a", "copy"]\n')
    run(*call, "--alternatives", 0)


@pytest.mark.slow
def test_columns_of_groups_and_weights_stay_apart(table: Path, tmp_path: Path) -> None:
    frame = pd.read_csv(table).assign(w=1 + np.arange(200) % 3)
    frame["w2"] = 2 * frame["w"]
    frame.to_csv(tmp_path / "weighted.csv", index=False)
    done = run(
        "blanket", tmp_path / "weighted.csv", *TARGET, "--weights", "w", "--include", "w2", "--format", "json"
    )
    assert "w2" in altsel.Solutions.from_json(done.stdout)[0]
