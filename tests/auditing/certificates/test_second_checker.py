"""The second checker, in JavaScript, says of every file what the first one says."""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import altsel
from altsel import (
    AbsoluteLoss,
    Dice,
    Jaccard,
    Problem,
    Univariate,
    domain,
    near_optimal,
    sequential,
    simultaneous,
)
from benchmarks.certificate_forgeries import FORGERIES, read_lines, write_lines
from benchmarks.certificates import first_checker, of_bounds
from benchmarks.second_checker import CHECKER, SecondChecker, available
from tests.auditing.certificates.test_certificate import CRITERIA, table
from tests.pairs import paired

pytestmark = pytest.mark.skipif(not available(), reason="no node to run it: install Node.js")
FORGED = sorted((Path(__file__).parent / "forged").iterdir())
ODD = sorted((Path(__file__).parent / "odd").iterdir())


@pytest.fixture(scope="module")
def second() -> Iterator[SecondChecker]:
    with SecondChecker() as process:
        yield process


def agreed(second: SecondChecker, path: Path) -> tuple[int, list[str]]:
    """Check a file by both: the codes are the same, and so is what is said of a file that is not refuted."""
    code, told = first_checker(path)
    other, lines = second(path)
    assert other == code, (told, lines)
    if code in (0, 3):
        assert lines == told
    return code, lines


@pytest.mark.parametrize(("bounds", "name"), paired([False, True], [*CRITERIA]))
@pytest.mark.slow
def test_certificates_and_their_forgeries(
    bounds: bool, name: str, second: SecondChecker, tmp_path: Path
) -> None:
    objective, path, random = CRITERIA[name](11), tmp_path / "one.json", Random(11)
    costs = {f: 0.1 * (1 + j % 3) for j, f in enumerate(objective.features)}
    sizes: Any = (1, 2) if name == "fcbf" else (2, 3)
    problem = Problem(objective, sizes, [domain.budget(costs, 0.6), domain.forbid("x8")])
    best = sequential(problem, Jaccard(0.5), 1)
    for found in (best, near_optimal(problem, AbsoluteLoss(0.02 * abs(best[0].score)))):
        with of_bounds(bounds):
            found.certificate(path)
        code, told = agreed(second, path)
        assert code == 0
        assert len(told) > 1
        lines = read_lines(path)
        for forgery in FORGERIES.values():
            forged = forgery(lines, random)
            if forged is not None:
                write_lines(path, forged)
                agreed(second, path)


@pytest.mark.parametrize("total", ["sum", "min"])
@pytest.mark.parametrize("name", ["univariate", "mrmr", "cfs", "linear fit"])
def test_sets_at_once(name: str, total: str, second: SecondChecker, tmp_path: Path) -> None:
    for rules, k in ([], 2), ([domain.forbid("x1")], 2), ([domain.forbid("x1")], 5):
        found = simultaneous(Problem(CRITERIA[name](5), k, rules), Dice(0.5), 1, total)
        found.certificate(tmp_path / "together.json")
        assert agreed(second, tmp_path / "together.json")[0] in (0, 3)
        lines = read_lines(tmp_path / "together.json")
        claim = next(line for line in lines if "claim" in line or "not covered" in line)
        claim |= {"common": 1} if "common" in claim else {"similar": {f"{k} {k}": [0]}}
        write_lines(tmp_path / "together.json", lines)
        agreed(second, tmp_path / "together.json")


def test_what_does_not_exist_and_what_is_not_covered(second: SecondChecker, tmp_path: Path) -> None:
    objective, path = Univariate({"a": 3.0, "b": 2.0, "c": 1.0, "é😀": 0.5}), tmp_path / "one.json.gz"
    for found in (
        sequential(Problem(objective, 2, [domain.require("a"), domain.forbid("a")]), Dice(0.5), 1),
        sequential(Problem(objective, 2), Dice(1), 3),
        simultaneous(Problem(objective, 3), Dice(0.5), 1),
        sequential(Problem(objective, 2), altsel.Average(Dice(0.3)), 1),
    ):
        found.certificate(path)
        agreed(second, path)


def test_a_family_of_blankets(second: SecondChecker, tmp_path: Path) -> None:
    a, b, noise = np.random.default_rng(0).normal(size=(3, 500))
    data = altsel.Dataset({"a": a, "b": b, "copy": 2 * a}, a + b + noise)
    found = altsel.blankets.tmfbs(altsel.independence.PartialCorrelation(data), 0.01)
    found.certificate(tmp_path / "blankets.json")
    assert agreed(second, tmp_path / "blankets.json")[0] == 0
    lines = read_lines(tmp_path / "blankets.json")
    lines[-1]["sets"].pop()
    write_lines(tmp_path / "blankets.json", lines)
    assert agreed(second, tmp_path / "blankets.json")[0] == 1


@pytest.mark.slow
def test_large_numbers_have_units_above_one(second: SecondChecker, tmp_path: Path) -> None:
    dependence = altsel.Dependence(
        {f"x{j}": 1e20 * (j + 1) for j in range(6)}, np.full((6, 6), 1e19) - np.diag([1e19] * 6)
    )
    with of_bounds(True):
        sequential(Problem(altsel.MRMR(dependence), 3), Dice(0.5), 1).certificate(tmp_path / "large.json")
    assert any(line.get("unit", 0) < 0 for line in read_lines(tmp_path / "large.json") if "form" in line)
    assert agreed(second, tmp_path / "large.json")[0] == 0


@pytest.mark.parametrize("path", FORGED, ids=lambda path: path.stem)
def test_files_that_once_passed_for_more_than_they_prove(path: Path, second: SecondChecker) -> None:
    assert agreed(second, path)[0] == 1


@pytest.mark.slow
@pytest.mark.parametrize("path", ODD, ids=lambda path: path.stem)
def test_odd_files_on_which_the_checkers_once_differed(path: Path, second: SecondChecker) -> None:
    agreed(second, path)


@pytest.mark.slow
def test_cases_written_from_the_page_alone(second: SecondChecker, tmp_path: Path) -> None:
    """Some 200 files were written from the page, with the second checker; each has its verdict."""
    cases = json.loads((Path(__file__).parent / "cases.json").read_text("utf-8"))
    for name, lines in cases.items():
        path = tmp_path / f"{name}.json"
        path.write_text("\n".join(lines) + "\n", "utf-8")
        assert (agreed(second, path)[0] in (0, 3)) == name.startswith("valid"), name


@pytest.mark.slow
def test_numbers_and_structure_changed_at_random(second: SecondChecker, tmp_path: Path) -> None:
    """Values are changed blindly: what one checker refuses the other refuses."""
    random, path = Random(20), tmp_path / "one.json"
    junk: list[Any] = [
        0,
        1,
        -1,
        True,
        None,
        "",
        [],
        {},
        [0],
        1.5,
        "0x1p+0",
        "02",
        10**30,
        "0x1p+2000",
        "others",
    ]
    for name in ("mrmr", "linear fit", "fcbf"):
        rules = [domain.forbid("x1")]
        sequential(Problem(CRITERIA[name](2), 2, rules), Dice(0.5), 1).certificate(path)
        lines = read_lines(path)
        for _ in range(100):
            copy = json.loads(json.dumps(lines))
            at: Any = random.choice(copy)
            while True:
                key = random.choice(list(at) if isinstance(at, dict) else range(len(at)))
                if not isinstance(at[key], dict | list) or not at[key] or random.random() < 0.2:
                    break
                at = at[key]
            at[key] = random.choice(junk)
            if isinstance(copy[0], dict) and copy[0].get("features"):
                write_lines(path, copy)
                agreed(second, path)


@pytest.mark.slow
def test_it_is_a_program_by_itself(tmp_path: Path) -> None:
    path = tmp_path / "alone.proof.json.gz"
    sequential(Problem(Univariate(table(4)), 3), Dice(0.5), 1).certificate(path)
    alone = Path(shutil.copy(CHECKER, tmp_path / "check.js"))

    def run(*files: Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["node", str(alone), *map(str, files)], capture_output=True, text=True, check=False
        )

    ended = run(path)
    assert ended.returncode == 0
    assert ended.stdout.endswith("2 verified, 0 not covered\n")
    whole = gzip.decompress(path.read_bytes())
    (tmp_path / "cut.json").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "cut.json.gz").write_bytes(path.read_bytes()[:-9])
    (tmp_path / "latin.json").write_bytes(b'{"caf\xe9": 1}')
    unreadable = [tmp_path / name for name in ("cut.json", "cut.json.gz", "latin.json", "nowhere.json")]
    assert [run(file).returncode for file in unreadable] == [2, 2, 2, 2]
    assert run().returncode == 2
