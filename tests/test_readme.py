"""The README says what is true: its Python runs, its recipes hold, its commands are the gate's."""

from __future__ import annotations

import re
import tomllib

import pytest

from tests.conftest import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w*)\n(.*?)```", README, re.DOTALL)
PYTHON = [code for language, code in BLOCKS if language == "python"]


@pytest.mark.parametrize("code", PYTHON, ids=[code.strip().splitlines()[0][:40] for code in PYTHON])
@pytest.mark.filterwarnings("ignore::altsel.DataWarning")
@pytest.mark.slow
def test_python_blocks_run(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    shared: dict[str, object] = {}
    exec(PYTHON[0], shared)
    if code is not PYTHON[0]:
        exec(code, shared)


def test_the_first_two_blocks_set_everything_up() -> None:
    first, second = (code.strip() for _, code in BLOCKS[:2])
    assert all("\n" not in command for command in (first, second))
    assert "altsel select examples/data/heart.csv.gz" in first
    assert second.endswith("pytest -q -n auto")


def test_profiles_of_the_readme_are_valid() -> None:
    from altsel.solvers.profile import Profile  # noqa: PLC0415

    for language, code in BLOCKS:
        if language == "toml":
            for profile in tomllib.loads(code)["profiles"].values():
                Profile.model_validate(profile)
