from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from altsel.cli.app import app
from tests.conftest import IONOSPHERE

pytestmark = pytest.mark.filterwarnings("ignore::altsel.DataWarning")
SELECT = ["select", str(IONOSPHERE), "--target", "target", "-k", "3", "--alternatives", "1", "--tau", "0.5"]


@pytest.mark.slow
def test_a_certificate_is_written_checked_and_tied_to_the_table(tmp_path: Path) -> None:
    proof, sets, checker = (tmp_path / name for name in ("sets.proof.json.gz", "sets.json", "checker.py"))
    run = CliRunner().invoke(app, [*SELECT, "--output", str(sets), "--certificate", str(proof)])
    assert run.exit_code == 0, run.output
    assert "2 claims proved" in run.stderr
    checker.write_text(CliRunner().invoke(app, ["certificate-checker"]).stdout, "utf-8")
    ended = subprocess.run([sys.executable, "-I", str(checker), str(proof)], capture_output=True, check=False)
    assert ended.returncode == 0
    audit = ["audit", str(sets), str(IONOSPHERE), "--certificate", str(proof)]
    fine = CliRunner().invoke(app, audit)
    assert fine.exit_code == 0, fine.output
    assert fine.stdout.startswith("confirmed")
    CliRunner().invoke(app, [*SELECT[:5], "2", *SELECT[6:], "--certificate", str(proof), "--quiet"])
    wrong = CliRunner().invoke(app, audit)
    assert wrong.exit_code == 3
    assert "WRONG the certificate is of these numbers, rules and sets" in wrong.stdout


def test_a_list_has_a_certificate(tmp_path: Path) -> None:
    proof = tmp_path / "list.proof.json"
    command = ["near-optimal", str(IONOSPHERE), "--target", "target", "-k", "3", "--within", "0.02"]
    run = CliRunner().invoke(app, [*command, "--certificate", str(proof)])
    assert run.exit_code == 0, run.output
    assert '"claim":"the list is complete"' in proof.read_text("utf-8")


def test_a_front_has_a_certificate(tmp_path: Path) -> None:
    proof, front = tmp_path / "front.proof.json", tmp_path / "front.json"
    command = ["front", str(IONOSPHERE), "--target", "target", "-k", "3", "--output", str(front)]
    run = CliRunner().invoke(app, [*command, "--certificate", str(proof)])
    assert run.exit_code == 0, run.output
    assert "point 0: set 0 is optimal" in proof.read_text("utf-8")
    audit = CliRunner().invoke(app, ["audit", str(front), str(IONOSPHERE), "--certificate", str(proof)])
    assert "check it by check_certificate.py" in str(audit.exception)


@pytest.mark.parametrize(
    ("option", "fault"),
    [
        (["--certificate", "/nowhere/proof.json"], "--certificate /nowhere/proof.json cannot be written"),
        (["--certificate", str(IONOSPHERE)], "is read by the command"),
    ],
)
def test_bad_places_are_refused_before_the_work(option: list[str], fault: str) -> None:
    run = CliRunner().invoke(app, [*SELECT, *option])
    assert fault in str(run.exception)


def test_a_file_that_is_none_is_refused(tmp_path: Path) -> None:
    sets, proof = tmp_path / "sets.json", tmp_path / "proof.json"
    CliRunner().invoke(app, [*SELECT, "--output", str(sets), "--quiet"])
    proof.write_text("no certificate", "utf-8")
    run = CliRunner().invoke(app, ["audit", str(sets), str(IONOSPHERE), "--certificate", str(proof)])
    assert "no certificate that can be read" in str(run.exception)


@pytest.mark.slow
def test_a_report_shows_the_certificate_of_its_sets(tmp_path: Path) -> None:
    proof, sets, page = (tmp_path / name for name in ("sets.proof.json.gz", "sets.json", "report.html"))
    CliRunner().invoke(app, [*SELECT, "--output", str(sets), "--certificate", str(proof), "--quiet"])
    report = ["report", str(sets), "--certificate", str(proof), "--output", str(page)]
    for data, numbers in (([], "false"), (["--data", str(IONOSPHERE)], "true")):
        run = CliRunner().invoke(app, [*report, *data])
        assert run.exit_code == 0, run.output
        text = page.read_text("utf-8")
        assert '"file": "sets.proof.json.gz"' in text.replace('":"', '": "')
        assert f'"numbers": {numbers}' in text.replace('":', '": ').replace("  ", " ")
    page.unlink()
    CliRunner().invoke(app, [*SELECT[:5], "2", *SELECT[6:], "--certificate", str(proof), "--quiet"])
    for data in ([], ["--data", str(IONOSPHERE)]):
        run = CliRunner().invoke(app, [*report, *data])
        assert "is the certificate of another answer: in 'set 0 is optimal' the sets are others" in str(
            run.exception
        )
    assert not page.exists()


def test_the_second_checker_is_printed(tmp_path: Path) -> None:
    run = CliRunner().invoke(app, ["certificate-checker", "--language", "javascript"])
    assert run.exit_code == 0
    assert run.stdout == (Path(__file__).parents[2] / "tools" / "check_certificate.js").read_text("utf-8")
    assert "def check(" in CliRunner().invoke(app, ["certificate-checker"]).stdout
