"""A study as a whole: what it says agrees with its parts, and is the same whatever stopped it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from contextlib import suppress
from filecmp import dircmp
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import altsel
from altsel.studying import study as module
from altsel.studying.plan import Plan, read_plan
from altsel.studying.within_folds import TriedInFold

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(90, 5))
DATA = altsel.Dataset(X, X[:, 0] + X[:, 1] + RANDOM.normal(size=90))
SMALL: dict[str, Any] = {
    "folds": 3, "models": ["linear"], "measures": ["absolute-pearson"], "sizes": [1, 2], "bootstrap": 100,
    "stability": 4, "level": 0.2, "draws": 2, "alternatives": 1, "alpha": [0.05],
}  # fmt: skip


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> tuple[altsel.results.Study, Path]:
    folder = tmp_path_factory.mktemp("study") / "whole"
    return altsel.study(DATA, folder, SMALL), folder


def differences(one: Path, two: Path) -> list[str]:
    """Name the files of two folders that are not the same, byte for byte."""
    compared, wrong = [dircmp(one, two)], []
    for each in compared:
        names = [*each.common_files, *each.left_only, *each.right_only]
        for name in names:
            files = Path(each.left, name), Path(each.right, name)
            if not all(file.exists() for file in files) or files[0].read_bytes() != files[1].read_bytes():
                wrong.append(name)
        compared += each.subdirs.values()
    return wrong


@pytest.mark.slow
def test_what_it_says_agrees(done: tuple[altsel.results.Study, Path]) -> None:
    study, folder = done
    assert (study.rows, study.holdout) == (72, 18)
    losses = [one.loss for one in study.tried]
    assert study.best == int(np.argmin(losses))
    assert study.corrected.value > losses[study.best] - 0.05
    assert set(study.found[0].features) == {"x0", "x1"}
    assert study.gain.low is not None
    assert study.gain.low > 0
    assert any("It predicts better than no features do" in claim for claim in study.claims)
    plain = json.loads((folder / "study.json").read_text("utf-8"))
    assert plain["corrected"]["value"] == study.corrected.value
    assert plain["found"] == json.loads((folder / "found.json").read_text("utf-8"))
    assert "What the study shows" in (folder / "report.html").read_text("utf-8")
    assert str(study).startswith("Study of 72 rows, 18 more kept apart")
    assert study.to_frame()["loss"].is_monotonic_increasing


@pytest.mark.slow
def test_the_rows_kept_apart_are_judged_once(done: tuple[altsel.results.Study, Path]) -> None:
    study, _ = done
    train, held = DATA.split(0.2, 0)
    names = {"no features": (), "all features": DATA.features}
    best = names.get(study.tried[study.best].name.partition(";")[0], study.found[0].features)
    losses = module.held_losses(train, held, [(best, "linear")], read_plan(SMALL).for_data(DATA))
    assert study.judged is not None
    assert study.judged.value == pytest.approx(losses.mean())


@pytest.mark.slow
def test_it_goes_on_where_it_was_and_gives_the_same_bytes(
    done: tuple[altsel.results.Study, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped after a fold, then after each of some steps."""
    folder, count, usual = tmp_path / "again", [0], TriedInFold.__call__

    def stopped(self: TriedInFold, fold: int) -> Any:
        count[0] += 1
        if count[0] == 3:
            raise KeyboardInterrupt
        return usual(self, fold)

    def stop(*_: Any, **__: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(TriedInFold, "__call__", stopped)
    with pytest.raises(KeyboardInterrupt):
        altsel.study(DATA, folder, SMALL)
    assert sorted(one.name for one in (folder / "folds").iterdir()) == ["fold-0.json", "fold-1.json"]
    with monkeypatch.context() as patch:
        patch.setattr(module, "stability", stop)
        with pytest.raises(KeyboardInterrupt):
            altsel.study(DATA, folder, SMALL)
    assert count[0] == 4  # the fold that was not done, and no other
    altsel.study(DATA, folder, SMALL)
    assert differences(done[1], folder) == []


@pytest.mark.slow
def test_what_cannot_be_done_is_said_and_the_rest_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> Any:
        raise altsel.DataError("too few")

    monkeypatch.setattr(module, "discoveries", refuse)
    study = altsel.study(DATA, plan={**SMALL, "stability": 0, "alternatives": 0})
    assert "Discoveries could not be looked for: too few." in study.claims
    assert study.discoveries is None


@pytest.mark.slow
def test_another_seed_is_another_study(done: tuple[altsel.results.Study, Path]) -> None:
    with pytest.raises(altsel.ArgumentError, match=r"another plan' \('seed'\).*name a new folder"):
        altsel.study(DATA, done[1], {**SMALL, "seed": 1})


@pytest.mark.parametrize(
    "kind",
    [
        pytest.param("three classes with categories", marks=pytest.mark.slow),
        pytest.param("two classes", marks=pytest.mark.long),
        pytest.param("no rows apart", marks=pytest.mark.long),
    ],
)
def test_other_kinds_of_tables(kind: str) -> None:
    table: dict[str, Any] = {f"x{j}": X[:, j] for j in range(3)}
    y: Any = np.where(X[:, 0] + 0.3 * RANDOM.normal(size=90) > 0, "ill", "well")
    if kind.startswith("three"):
        y = np.array(["a", "b", "c"])[np.digitize(X[:, 0], [-0.5, 0.5])]
        table["colour"] = np.array(["red", "green", "blue"])[RANDOM.integers(0, 3, 90)]
    plan = {**SMALL, "measures": ["association"], "stability": 0, "certificate": False, "level": 0.0}
    if kind.startswith("no"):
        plan["holdout"] = 0.0
    study = altsel.study(altsel.Dataset(table, y), plan=plan)
    assert study.loss == "Brier score"
    assert "x0" in study.found[0].features
    assert (study.judged is None) == kind.startswith("no")
    assert study.beside.keys() == {"share of rows misclassified", "log-loss"}


@pytest.mark.long
def test_noise_is_not_said_to_predict() -> None:
    data = altsel.Dataset(RANDOM.normal(size=(60, 4)), RANDOM.normal(size=60))
    plan = {**SMALL, "stability": 0, "level": 0.0, "certificate": False, "holdout": 0.0}
    study = altsel.study(data, plan=plan)
    assert any("is not shown" in claim for claim in study.claims)


def interruptible() -> None:
    """Take interrupts, which what runs in the background may ignore, and so may its children."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def files(folder: Path) -> int:
    """Count the files in a folder."""
    return sum(1 for path in folder.rglob("*") if path.is_file())


def stopped(command: list[str], folder: Path, how: signal.Signals, seconds: float) -> bool:
    """Run a command until it wrote a file, and some seconds; end it, and return whether it was at work."""
    before = files(folder)
    process = subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        preexec_fn=interruptible,  # noqa: PLW1509 (there are none)
    )
    while process.poll() is None and files(folder) == before:
        time.sleep(0.01)
    with suppress(subprocess.TimeoutExpired):
        process.wait(seconds)
    process.send_signal(how)  # to one that ended by itself nothing is sent
    _, said = process.communicate()
    assert process.returncode in {0, -how, 130}, said.decode()
    return process.returncode != 0


@pytest.mark.long
@pytest.mark.parametrize(("how", "times"), [(signal.SIGINT, 8), (signal.SIGKILL, 20)])
def test_stopped_at_random_moments_and_made_again_it_gives_the_same_bytes(
    how: signal.Signals, times: int, tmp_path: Path
) -> None:
    """One study after another, every other one by two workers, until so many were stopped."""
    file, plan = tmp_path / "table.csv", tmp_path / "plan.toml"
    DATA.X.assign(y=DATA.y.to_numpy()).to_csv(file, index=False)
    plan.write_text(Plan(**SMALL).text())

    def command(folder: str, jobs: int = 1) -> list[str]:
        options = ["--plan", plan, "--output", tmp_path / folder, "--quiet", "--jobs", jobs]
        return [sys.executable, "-m", "altsel", "study", *map(str, [file, "--target", "y", *options])]

    whole, random = tmp_path / "whole", np.random.default_rng(int(how))
    subprocess.run(command("whole"), check=True, capture_output=True)
    times_of = [path.stat().st_mtime for path in whole.rglob("*.json")]
    most = (max(times_of) - min(times_of)) / 4
    count, number, held = 0, 0, set()
    while count < times:
        folder = tmp_path / f"study {number}"
        if stopped(command(folder.name, 1 + number % 2), folder, how, random.uniform(0, most)):
            count += 1
            held.add(files(folder))
        else:
            assert differences(whole, folder) == []
            number += 1
    subprocess.run(command(folder.name), check=True, capture_output=True)
    assert differences(whole, folder) == []
    assert len(held) > 3  # at different steps
