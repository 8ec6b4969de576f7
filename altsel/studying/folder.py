"""The folder of a study: steps whose results are there are not done again, and no file is half a file."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from altsel.errors import ArgumentError, checked_path, listing
from altsel.results.text import json_text
from altsel.runtime.files import replacing

T = TypeVar("T")
STARTED = "started.json"
"""What the study in a folder is of; written first."""
UNFINISHED = ".altsel."
"""How the names of files begin that were not written to their end."""
MEANT = {
    "data": "other rows or columns",
    "plan": "another plan",
    "versions": "other versions of altsel or scikit-learn",
}
"""What differs from the study in a folder, in words."""


@dataclass(frozen=True)
class Folder:
    """Where results of steps are, each in a file of its own.

    Parameters
    ----------
    path
        The folder.
    """

    path: Path

    @classmethod
    def opened(cls, path: str | Path, of: Mapping[str, Any]) -> Folder:
        """Open the folder of a study, new or begun.

        Raises
        ------
        ArgumentError
            If there is something else in it, or a study of other data, plan or versions.
        """
        path = checked_path("output", path)
        try:
            path.mkdir(parents=True, exist_ok=True)
            held = [one.name for one in path.iterdir() if not one.name.startswith(UNFINISHED)]
        except OSError as fault:
            raise ArgumentError(f"output={str(path)!r} is no folder to write to: {fault.strerror}") from fault
        if STARTED in held:
            _refuse_another(path, of)
        elif held:
            raise ArgumentError(
                f"output={str(path)!r} has files of something else ({listing(sorted(held), 3)}): "
                "name a new folder"
            )
        folder = cls(path)
        folder.kept(STARTED, lambda: json_text(of, 2))
        return folder

    def kept(self, name: str, make: Callable[[], str], read: Callable[[str], T] = str) -> T:  # type: ignore[assignment]
        """Return what a step's file says; the step is done, and its file written whole, if there is none.

        What is returned is read from the file in both cases, so that it is the same.
        """
        file = self.path / name
        if not file.exists():
            text = make()
            file.parent.mkdir(exist_ok=True)
            with replacing(file) as part:
                part.write_text(text, encoding="utf-8", newline="")
        return read(file.read_text(encoding="utf-8"))

    def file(self, name: str, write: Callable[[Path], object]) -> Path:
        """Return a file that is written by what it is given to, whole or not at all."""
        file = self.path / name
        if not file.exists():
            write(file)
        return file

    @contextmanager
    def working(self, name: str) -> Iterator[Path]:
        """Yield a store for a step that takes long, which is removed with what belongs to it at its end."""
        store = self.path / f"{name}.sqlite"
        yield store
        for part in self.path.glob(f"{store.name}*"):
            part.unlink()

    def steps(self, name: str) -> StepFiles:
        """Return a store of tasks, a file each."""
        return StepFiles(self, name)


@dataclass(frozen=True)
class StepFiles:
    """A store of tasks for `altsel.parallel.run`: a file each, in a folder of the folder."""

    folder: Folder
    name: str

    def save(self, task: str, result: Any) -> None:
        """Write the result of a task."""
        self.folder.kept(self._file(task), lambda: json_text(result))

    def load(self, tasks: Iterable[str] | None = None) -> dict[str, Any]:
        """Read the results there are."""
        named = {task: self.folder.path / self._file(task) for task in tasks or ()}
        return {
            task: json.loads(file.read_text(encoding="utf-8"))
            for task, file in named.items()
            if file.exists()
        }

    def _file(self, task: str) -> str:
        return f"{self.name}/{task.replace(' ', '-')}.json"


@contextmanager
def folder_for(path: str | Path | None, of: Mapping[str, Any]) -> Iterator[Folder]:
    """Open the folder of a study; without a path one that is there as long as it is needed."""
    if path is not None:
        yield Folder.opened(path, of)
        return
    with tempfile.TemporaryDirectory() as place:
        yield Folder.opened(place, of)


def _refuse_another(path: Path, of: Mapping[str, Any]) -> None:
    try:
        before = json.loads((path / STARTED).read_text(encoding="utf-8"))
        differ = [name for name in of if before.get(name) != json.loads(json_text(of[name]))]
    except (OSError, ValueError, AttributeError) as fault:
        raise ArgumentError(f"{path / STARTED} is damaged: name a new folder") from fault
    if differ:
        changed = listing([MEANT.get(name, name) for name in differ])
        keys = _changed_keys(before, of) if "plan" in differ else ""
        raise ArgumentError(
            f"output={str(path)!r} holds a study with {changed}{keys}: name a new folder, or remove this one"
        )


def _changed_keys(before: Mapping[str, Any], of: Mapping[str, Any]) -> str:
    old, new = before.get("plan", {}), of["plan"]
    changed = [name for name in new if name not in old or old[name] != new[name]]
    return f" ({listing(changed)})" if changed else ""
