"""Tasks as several threads draw them: each is under way until its result is there, and can be done again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from threading import Lock
from typing import Any


class Drawn(Iterator[tuple[str, Any]]):
    """Keys and tasks, drawn one by one; an error of where they come from waits for `check`.

    joblib draws tasks in threads of its own, where an error would be lost.

    Parameters
    ----------
    tasks
        Keys and tasks.

    Examples
    --------
    >>> drawn = Drawn([("a", 1), ("b", 2)])
    >>> next(drawn)
    ('a', 1)
    >>> drawn.again()
    >>> list(drawn), drawn.under_way
    ([('a', 1), ('b', 2)], {'a': 1, 'b': 2})
    """

    def __init__(self, tasks: Iterable[tuple[str, Any]]) -> None:
        self._tasks, self._lock = iter(tasks), Lock()
        self._fault: BaseException | None = None
        self.under_way: dict[str, Any] = {}

    def __next__(self) -> tuple[str, Any]:
        with self._lock:
            if self._fault is not None:
                raise StopIteration
            try:
                key, task = next(self._tasks)
            except StopIteration:
                raise
            except BaseException as fault:
                self._fault = fault
                raise StopIteration from fault
            self.under_way[key] = task
            return key, task

    def again(self) -> None:
        """Let what is under way be drawn again, before all else."""
        with self._lock:
            lost, self.under_way = list(self.under_way.items()), {}
            self._tasks = chain(lost, self._tasks)

    def ended(self, key: str) -> None:
        """Note that the result of a task is there."""
        with self._lock:
            self.under_way.pop(key, None)

    def check(self) -> None:
        """Raise the error that drawing a task had."""
        if self._fault is not None:
            raise self._fault
