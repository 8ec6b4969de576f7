"""Doubles of modules, as they are on Windows."""

from __future__ import annotations

import os
from typing import Any


class WindowsOs:
    """The module `os`, but for its name and what Windows has not."""

    name = "nt"
    missing = frozenset({"getuid", "killpg", "kill", "fork", "uname", "sysconf"})

    def __getattr__(self, name: str) -> Any:
        if name in self.missing:
            raise AttributeError(f"module 'os' has no attribute {name!r}")
        return getattr(os, name)
