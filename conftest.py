"""Threads and garbage while tests run; examples whose small tables may have the target as a feature."""

from __future__ import annotations

import gc
import os

import pytest

# Workers share the cores: more threads for small matrices only wait for each other. Before numpy is imported.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# Tests and what they import stay: to look for garbage among them was a third of reading them.
gc.disable()


def pytest_collection_finish() -> None:
    """Collect garbage as usual from here on."""
    gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let examples pass that a warning of such features would end."""
    quiet = pytest.mark.filterwarnings("ignore:features determine the target:UserWarning")
    for item in items:
        if isinstance(item, pytest.DoctestItem):
            item.add_marker(quiet)
