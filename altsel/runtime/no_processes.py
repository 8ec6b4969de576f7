"""Python without processes and threads, as Pyodide in a browser: what of it others stumble over."""

from __future__ import annotations

import threading
from collections.abc import Callable
from importlib import import_module


def has_processes() -> bool:
    """Return whether Python was built with processes: their locks are in a module that Pyodide has not.

    Examples
    --------
    >>> has_processes()
    True
    """
    try:
        import_module("_multiprocessing")
    except ImportError:
        return False
    return True


def make_locks_of_threads() -> None:
    """Let ``multiprocessing.Lock`` make a lock of threads, if Python has no processes to share one.

    Pyomo makes such a lock as soon as it, or ``multiprocessing``, is imported, and cannot be imported where
    that fails; to be called before that.
    """
    if not has_processes():
        vars(import_module("multiprocessing"))["Lock"] = threading.Lock


def started(work: Callable[[], None]) -> threading.Thread | None:
    """Start a thread that ends with the process; return None where none can be started.

    Examples
    --------
    >>> thread = started(lambda: None)
    >>> thread.join()
    """
    thread = threading.Thread(target=work, daemon=True)
    try:
        thread.start()
    except RuntimeError:
        if has_processes():  # out of threads, which is a fault
            raise
        return None
    return thread
