"""Threads and garbage while tests run; examples whose small tables may have the target as a feature."""

from __future__ import annotations

import gc
import os
from importlib.util import find_spec

import pytest

# Workers share the cores: more threads for small matrices only wait for each other. Before numpy is imported.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# Tests and what they import stay: to look for garbage among them was a third of reading them.
gc.disable()
GARBAGE = (10_000, 20, 50)
"""New objects up to which none is looked for, and such looks up to which older ones are left out."""


# Without the extra `notebook` there is no class to derive the widget from, and its module cannot be read.
collect_ignore = [] if find_spec("anywidget") else ["altsel/exploring/widget.py"]


def pytest_collection_finish() -> None:
    """Collect garbage from here on, but not among the tests and what they import."""
    gc.freeze()
    gc.set_threshold(*GARBAGE)
    gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let examples pass that a warning of such features would end."""
    quiet = pytest.mark.filterwarnings("ignore:features determine the target:UserWarning")
    for item in items:
        if isinstance(item, pytest.DoctestItem):
            item.add_marker(quiet)
