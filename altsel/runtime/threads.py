"""Many small problems on one thread: more threads only wait for each other."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

from threadpoolctl import ThreadpoolController

from altsel.runtime.on_demand import load


@contextmanager
def one_thread() -> Iterator[None]:
    """Let libraries of linear algebra and of parallel loops use one thread.

    Examples
    --------
    >>> import numpy as np
    >>> with one_thread():
    ...     print(np.eye(2) @ [1.0, 2.0])
    [1. 2.]
    """
    load("scipy.linalg")  # so that its library is loaded before it is looked for
    with _controller(len(sys.modules)).limit(limits=1):
        yield


@lru_cache(1)
def _controller(modules: int) -> ThreadpoolController:
    """Look for libraries again when there are more modules: they may have loaded some."""
    return ThreadpoolController()
