"""A function and all that it holds, pickled once for any number of tasks in other processes."""

from __future__ import annotations

import pickle
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from threading import Lock
from typing import Any
from uuid import uuid4

import numpy as np
import numpy.typing as npt

from altsel.errors import ArgumentError

APART = 1_000_000
"""Bytes from which a column is sent apart from the rest, so that joblib maps it into workers' memory."""
KEPT = 2
"""Functions that a process keeps, those used last."""
Bytes = npt.NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Packed:
    """A function as arrays of bytes, which joblib maps into workers' memory and dask scatters.

    Attributes
    ----------
    name
        What tells it from any other.
    parts
        The pickled function, then the large buffers it refers to.
    """

    name: str
    parts: tuple[Bytes, ...]


def packed(function: Callable[..., Any], what: str) -> Packed:
    """Pickle a function once.

    Raises
    ------
    ArgumentError
        If it cannot be pickled.

    Examples
    --------
    >>> pack = packed(abs, "task")
    >>> unpacked(pack.name, *pack.parts)(-2)
    2
    """
    cloudpickle = _cloudpickle()
    buffers: list[Bytes] = []

    def kept(buffer: pickle.PickleBuffer) -> bool:
        """Take large buffers out of the stream; true leaves the others in."""
        raw = buffer.raw()
        if raw.nbytes < APART:
            return True
        buffers.append(np.frombuffer(raw, np.uint8))
        return False

    try:
        head = cloudpickle.dumps(function, protocol=5, buffer_callback=kept)
    except Exception as fault:  # each object that refuses has errors of its own
        raise ArgumentError(
            f"what is done for each {what} cannot be sent to other processes: {type(fault).__name__}: "
            f"{fault}; use functions of a module that hold no open file, lock or generator, or threads: "
            "with joblib.parallel_config('threading')"
        ) from fault
    return Packed(uuid4().hex, (np.frombuffer(head, np.uint8), *buffers))


def _cloudpickle() -> Any:
    """Return what joblib pickles functions with: a package of its own from joblib 1.6 on."""
    try:
        return import_module("joblib.externals.cloudpickle")
    except ImportError:
        return import_module("cloudpickle")


_functions: OrderedDict[str, Callable[..., Any]] = OrderedDict()
_lock = Lock()


def unpacked(name: str, *parts: Bytes) -> Callable[..., Any]:
    """Return the function of a name, unpickled once a process."""
    with _lock:
        function = _functions.pop(name, None)
        if function is None:
            function = pickle.loads(parts[0].data, buffers=[part.data for part in parts[1:]])
        _functions[name] = function
        while len(_functions) > KEPT:
            _functions.popitem(last=False)
        return function
