"""Warnings that point at the line that called altsel, whatever of it and of others lies between."""

from __future__ import annotations

import sys
import warnings


def warn_caller(message: str, category: type[Warning]) -> None:
    """Warn at the line that called altsel first: functions of Python's library may lie between its own."""
    level, outermost, frame = 2, 2, sys._getframe(1)
    while frame.f_back is not None:
        if frame.f_globals.get("__name__", "").partition(".")[0] == "altsel":
            outermost = level + 1
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=outermost)
