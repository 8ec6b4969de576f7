"""Files of version 1.0 keep what their measures and defaults meant."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from altsel.cli.app import app
from tests.conftest import IONOSPHERE

pytestmark = pytest.mark.filterwarnings("ignore::altsel.DataWarning")


@pytest.mark.parametrize(
    ("objective", "measure", "then"),
    [
        ("univariate", "mutual-information-plain", None),
        ("mrmr", "mutual-information-plain", "mutual-information"),
        ("cfs", "symmetric-uncertainty-plain", None),
        ("fcbf", "symmetric-uncertainty-plain", "symmetric-uncertainty"),
        ("mrmr", "correlation-ratio-plain", "correlation-ratio"),
    ],
)
@pytest.mark.slow
def test_a_file_of_version_1_0_is_confirmed(
    objective: str, measure: str, then: str | None, tmp_path: Path
) -> None:
    file, how = tmp_path / "found.json", ["-k", "2", "--alternatives", "1", "--tau", "0.5"]
    ask = ["select", str(IONOSPHERE), "--target", "target", "--objective", objective, "--measure", measure]
    done = CliRunner().invoke(app, [*ask, *how, "--output", str(file)])
    assert done.exit_code == 0, done.output
    plain = json.loads(file.read_text(encoding="utf-8"))
    command = plain["request"]["command"]
    del command["edition"], command["options"]["measure"]
    if then is not None:
        command["options"]["measure"] = then
    file.write_text(json.dumps(plain), encoding="utf-8")
    told = CliRunner().invoke(app, ["audit", str(file), str(IONOSPHERE)])
    assert told.stdout.startswith("confirmed"), told.output
