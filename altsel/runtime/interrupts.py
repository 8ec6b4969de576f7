"""Interrupts held back while a module is imported or a loop compiled: half of either spoils the process.

A package whose import was cut off stays in parts in ``sys.modules``, and a loop whose compilation was cut off
in numba's tables: whatever needs them later in the process fails, with an error that names neither.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from types import FrameType
from typing import Any

SIGNALS = tuple(map(int, signal.valid_signals()))
"""Numbers of the signals of this system."""


@contextmanager
def hold_interrupts() -> Iterator[None]:
    """Hold signals back while a block runs; when it has ended, their handlers are called in order.

    Signals are handled in the main thread alone, so elsewhere there is nothing to hold. The handlers are
    exchanged and the signals not masked, as threads that the block starts would inherit the mask.

    Examples
    --------
    >>> from signal import SIGINT, default_int_handler, raise_signal, signal
    >>> before = signal(SIGINT, default_int_handler)
    >>> done = []
    >>> try:
    ...     with hold_interrupts():
    ...         raise_signal(SIGINT)
    ...         done.append("whole")
    ... except KeyboardInterrupt:
    ...     done.append("interrupted")
    >>> done
    ['whole', 'interrupted']
    >>> _ = signal(SIGINT, before or default_int_handler)
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    real: dict[int, Any] = {}
    held: list[int] = []
    inside = True

    def hold(number: int, frame: FrameType | None) -> None:
        if inside:
            held.append(number)
        else:  # before all handlers are back in their place
            real[number](number, frame)

    try:
        for number in SIGNALS:
            handler = signal.getsignal(number)
            if callable(handler):  # one of Python's, which may raise
                real[number] = handler
                signal.signal(number, hold)
        yield
    finally:
        with ExitStack() as handlers:  # each is called, even if one before it raises
            for number in reversed(held):
                handlers.callback(real[number], number, None)
            inside = False
            for number, handler in real.items():
                signal.signal(number, handler)
