"""Start-up: what is imported when, as heavy modules are imported when first used."""

from __future__ import annotations

import ast
import subprocess
import sys

import pytest

import altsel
from altsel.cli.app import COMMANDS, Command
from tests.conftest import IONOSPHERE, ROOT

HEAVY = {"highspy", "joblib", "matplotlib", "narwhals", "networkx", "numpy", "ortools", "pandas", "pydantic"}
HEAVY |= {"pyarrow", "pyomo", "pyscipopt", "scipy", "sklearn"}
SELECT = f"""
import altsel
data = altsel.Dataset({str(IONOSPHERE)!r}, "target")
"""


def loaded(code: str) -> set[str]:
    """Return the heavy modules that a program has loaded at its end."""
    call = f"{code}\nimport sys\nprint(*sorted({{name.partition('.')[0] for name in sys.modules}}))"
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", call], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split("\n")[-2].split()) & HEAVY


def test_a_plain_import_loads_nothing_heavy() -> None:
    assert loaded("import altsel") == set()


@pytest.mark.slow
@pytest.mark.parametrize("option", ["--version", "--help"])
def test_the_program_says_what_it_is_without_anything_heavy(option: str) -> None:
    call = f"import sys; sys.argv = ['altsel', {option!r}]\nfrom altsel.cli.app import main\n"
    assert loaded(f"{call}try:\n    main()\nexcept SystemExit:\n    pass") <= {"pydantic"}  # Typer's


QUESTIONS = [
    "altsel.dependence(data, altsel.measures.symmetric_uncertainty)",
    "altsel.sequential(altsel.Problem(altsel.MRMR(altsel.dependence(data,"
    " altsel.measures.absolute_spearman)), k=2), altsel.Dice(0.5), 3)",
    "altsel.blankets.iamb(altsel.independence.auto(data))",
    "altsel.ranking.jmi(data, 3)",
]


@pytest.mark.slow
def test_what_questions_do_without() -> None:
    """In one process, as what one of them loads stays loaded; a failure shows after which it was there."""
    note = "print(*{'pyomo', 'networkx', 'sklearn', 'highspy', 'ortools'} & {*sys.modules})"
    code = "\n".join([SELECT, "import sys", *(f"{call}\n{note}" for call in QUESTIONS)])
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split("\n")[: len(QUESTIONS)] == [""] * len(QUESTIONS)


@pytest.mark.slow
def test_searches_for_blankets_load_no_audit_and_no_search_by_optimisation() -> None:
    """Each process took a fifth of a second longer for two functions that it did not call."""
    call = "import sys, altsel\naltsel.blankets.tmfbs\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", call], capture_output=True, text=True, check=True)
    assert {"altsel.auditing", "altsel.search.alternatives"}.isdisjoint(done.stdout.split())
    assert {"explain", "removal_stability"} <= {*dir(altsel.blankets)}
    with pytest.raises(AttributeError, match="no attribute 'tmbfs'"):
        _ = altsel.blankets.tmbfs


def test_every_public_name_is_there_and_stands_in_the_stub() -> None:
    tree = ast.parse((ROOT / "altsel" / "__init__.pyi").read_text())
    stated = {alias.name for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert stated == set(altsel.__all__)
    assert all(getattr(altsel, name) is not None for name in altsel.__all__)


@pytest.mark.parametrize("name", COMMANDS)
def test_what_help_says_of_a_command_is_its_first_line(name: str) -> None:
    real = Command(name, help=COMMANDS[name][1]).real()
    assert real.help.splitlines()[0] == COMMANDS[name][1]
    assert real.name == name
