"""Tables to explore, and a process that is none: sessions answer in a thread."""

from __future__ import annotations

import threading
from collections.abc import Callable
from itertools import count
from typing import Any

import numpy as np
import pandas as pd

import altsel

Message = dict[str, Any]


def frame(features: int = 12, rows: int = 150, seed: int = 0) -> pd.DataFrame:
    """Return columns that share factors, and a target of two classes that the first ones tell of."""
    random = np.random.default_rng(seed)
    values = random.normal(size=(rows, 4)) @ random.normal(size=(4, features)) * 0.7
    values += random.normal(size=(rows, features))
    target = values[:, :5] @ random.normal(size=5) + random.normal(size=rows) > 0
    table = pd.DataFrame(values.round(6), columns=[f"f{j}" for j in range(features)])
    return table.assign(y=target.astype(int))


def data(features: int = 12, rows: int = 150) -> altsel.Dataset:
    """Return the same as a data set."""
    table = frame(features, rows)
    return altsel.Dataset(table.drop(columns="y"), table["y"])


def one_by_one(session: Any) -> Callable[[Any, Any], Message]:
    """Return what answers one message after another, as a worker process does."""
    lock = threading.Lock()

    def handle(message: Any, tell: Any) -> Message:
        with lock:
            answer: Message = session.handle(message, tell)
            return answer

    return handle


class InThread:
    """Answers as a worker process does, in a thread: no test of a server waits for another Python."""

    def __init__(self, handle: Callable[[Any, Any], Message]) -> None:
        self._handle, self._numbers, self.stopped = handle, count(), list[int]()

    def number(self) -> int:
        """Return the number of a message to come."""
        return next(self._numbers)

    def send(self, message: Any, receive: Callable[[Message], None], number: int) -> None:
        """Answer a message."""
        del number

        def work() -> None:
            receive(self._handle(message, lambda said: receive({"said": said})))

        threading.Thread(target=work, daemon=True).start()

    def stop(self, number: int) -> None:
        """Remember what was to be stopped."""
        self.stopped.append(number)

    def close(self) -> None:
        """Do nothing."""
