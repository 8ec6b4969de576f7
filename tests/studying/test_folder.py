"""The folder of a study: what is there is not done again, what was cut short does not count."""

from __future__ import annotations

from pathlib import Path

import pytest

import altsel
from altsel.parallel import run
from altsel.runtime.files import replacing
from altsel.studying.folder import Folder, folder_for

OF = {"data": "d", "plan": {"folds": 5}, "versions": {"altsel": "1"}}


def test_a_step_is_done_once(tmp_path: Path) -> None:
    done: list[str] = []

    def make() -> str:
        done.append("once")
        return "7"

    for _ in range(2):
        assert Folder.opened(tmp_path / "new" / "study", OF).kept("step.json", make, int) == 7
    assert done == ["once"]


def test_a_step_that_fails_leaves_nothing(tmp_path: Path) -> None:
    folder = Folder.opened(tmp_path, OF)

    def cut_short(path: Path) -> None:
        with replacing(path) as part:
            part.write_text("half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        folder.file("page.html", cut_short)
    assert [one.name for one in tmp_path.iterdir()] == ["started.json"]


def test_what_a_killed_process_left_does_not_count(tmp_path: Path) -> None:
    (tmp_path / ".altsel.00000000.1.abcdef.json").write_text("half")
    assert Folder.opened(tmp_path, OF).kept("step.json", lambda: "whole") == "whole"


def test_tasks_are_files(tmp_path: Path) -> None:
    steps = Folder.opened(tmp_path, OF).steps("folds")
    assert run(abs, {"fold 0": -1, "fold 1": -2}, steps) == {"fold 0": 1, "fold 1": 2}
    (tmp_path / "folds" / "fold-1.json").write_text("5")
    assert run(abs, {"fold 0": -1, "fold 1": -2}, steps) == {"fold 0": 1, "fold 1": 5}


def test_a_store_goes_with_its_step(tmp_path: Path) -> None:
    folder = Folder.opened(tmp_path, OF)
    with folder.working("long") as store:
        store.write_text("base")
        (tmp_path / "long.sqlite-journal").write_text("journal")
    assert [one.name for one in tmp_path.iterdir()] == ["started.json"]


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"data": "e"}, "other rows or columns"),
        ({"plan": {"folds": 6}}, r"another plan' \('folds'\)"),
        ({"versions": {}}, "other versions"),
    ],
)
def test_another_study_is_refused(changed: dict[str, object], told: str, tmp_path: Path) -> None:
    Folder.opened(tmp_path, OF)
    with pytest.raises(altsel.ArgumentError, match=f"{told}.*name a new folder"):
        Folder.opened(tmp_path, {**OF, **changed})


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    (file := tmp_path / "thesis.tex").write_text("")
    with pytest.raises(altsel.ArgumentError, match=r"files of something else \('thesis.tex'\)"):
        Folder.opened(tmp_path, OF)
    with pytest.raises(altsel.ArgumentError, match="is no folder"):
        Folder.opened(file, OF)
    (tmp_path / "study").mkdir()
    (tmp_path / "study" / "started.json").write_text("{")
    with pytest.raises(altsel.ArgumentError, match="damaged"):
        Folder.opened(tmp_path / "study", OF)


def test_without_a_path_nothing_stays() -> None:
    with folder_for(None, OF) as folder:
        assert folder.path.exists()
    assert not folder.path.exists()
